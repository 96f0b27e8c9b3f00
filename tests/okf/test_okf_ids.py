"""Ids and titles in one spelling, and what the target of an edge means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.okf.canonical_id import canonical
from gitops.okf.model import Atom, Bundle
from gitops.okf.targets import resolve
from gitops.okf.titles import normalised


@pytest.mark.parametrize(
    "id",
    ["head-of-ops", "Head_of_Ops", "roles/Head of  Ops.md", "/roles/head.of.ops", "./head-of-ops", "role-head-of-ops",
     "Role_Head-of-Ops", "../x/head–of–ops.MD", "ｈead-of-ops", " head-of-ops ", "roles/head-of-ops/", "-head-of-ops-"],
)  # fmt: skip
def test_spellings_of_one_id_are_alike(id: str) -> None:
    assert canonical(id, "role") == "head-of-ops"


@pytest.mark.parametrize(
    ("id", "type", "expected"),
    [
        ("role-head", "system", "role-head"),
        ("role-head", "", "role-head"),
        ("role", "role", "role"),
        ("role-", "role", "role"),
        ("roles-head", "role", "roles-head"),
        ("Straße", "", "strasse"),
        ("ﬁle", "", "file"),
        ("e\u0301tat", "", "état"),
        ("İ", "", "i\u0307"),
        ("v1.2", "", "v1-2"),
        ("---", "", "---"),
        ("", "role", ""),
        (".md", "", ".md"),
    ],
)
def test_what_an_id_is_apart_from_its_spelling_stays(id: str, type: str, expected: str) -> None:
    assert canonical(id, type) == expected


names = st.text("aAbBéÉ-_./ 　ﬁßǰİ\u0301\u200bx1", max_size=12)


@given(names)
def test_the_canonical_spelling_is_its_own(id: str) -> None:
    assert canonical(canonical(id)) == canonical(id)


parts = st.lists(st.sampled_from(["head", "Ops", "É", "ß", "7", "x1"]), min_size=1, max_size=4)
joints = st.sampled_from(["-", "_", " ", ".", " - ", "__", "\u2013", "\u3000"])


@given(parts, joints, joints, st.sampled_from(["", "a/b/", "/", "../x.y/"]), st.sampled_from(["", ".md", ".MD"]))
def test_what_stands_between_and_around_the_words_of_an_id_does_not_count(
    words: list[str], one: str, other: str, folder: str, suffix: str
) -> None:
    spelled = f"{folder}{other.join(words).upper()}{suffix}"
    assert canonical(spelled, "role") == canonical(one.join(words), "role")
    assert canonical(f"{folder}Role{other}{other.join(words)}{suffix}", "role") == canonical(one.join(words))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Head of Ops", "head  of\tops"),
        ("Head of Ops", "Head-of-Ops."),
        ("Customer’s order", "Customer's order"),
        ("Größe (neu)", "GRÖSSE: neu"),
        ("ﬁnal report", "Final Report"),
        ("Caf\u00e9", "Cafe\u0301"),
        ("Ｒｅｐｏｒｔ", "report"),
        ("Order\u00a0to\u200b cash", "order to cash"),
    ],
)
def test_titles_that_differ_in_case_space_and_punctuation_are_one(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C"), ("Plan A", "Plan B"), ("???", "!!!"), ("कि", "का"), ("10²", "x")]
)
def test_titles_that_say_something_else_are_two(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@given(st.text(max_size=20))
def test_a_normalised_title_is_normalised(title: str) -> None:
    assert normalised(normalised(title)) == normalised(title)


def an_atom(path: str, id: str = "", type: str = "role") -> Atom:
    return Atom(id=id or path.removesuffix(".md"), type=type, title="", path=path)


ATOMS = (
    an_atom("processes/close.md", "close-books", "process"),
    an_atom("roles/head.md", "head-of-ops"),
    an_atom("roles/clerk.md"),
    an_atom("systems/gross ma\u0308rgin.md", "ledger", "system"),
    an_atom("systems/clerk.md", "x", "system"),
    an_atom("roles/x.md", "ledger.book"),
)


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("head-of-ops", "roles/head.md"),
        ("roles/clerk", "roles/clerk.md"),
        ("/roles/head.md", "roles/head.md"),
        ("../roles/head.md", "roles/head.md"),
        ("../roles/head.md#rationale", "roles/head.md"),
        ("./close.md", "processes/close.md"),
        ("close", "processes/close.md"),
        ("roles/head.md", "roles/head.md"),
        ("/systems/gross%20m%C3%A4rgin.md", "systems/gross ma\u0308rgin.md"),
        ("x", "systems/clerk.md"),
        ("/roles/x", "roles/x.md"),
        ("Role: Head", None),
        ("../../roles/head.md", None),
        ("", None),
        ("#a", None),
        ("/", None),
        ("Head_of_Ops", "roles/head.md"),
        ("role-head-of-ops", "roles/head.md"),
        ("process-close-books", "processes/close.md"),
        ("Clerk", "roles/clerk.md"),
        ("nobody", None),
    ],
)
def test_a_target_is_an_id_or_a_path_as_written_else_an_id_in_another_spelling(target: str, path: str | None) -> None:
    resolver = resolve(Bundle("b", ATOMS))
    found = resolver.atom(ATOMS[0], target)
    assert (found and found.path) == path
    loose = {"Head_of_Ops", "role-head-of-ops", "process-close-books", "Clerk"}
    exact = resolver.exactly(ATOMS[0], target)
    assert (exact and exact.path) == (None if target in loose else path)


def test_of_two_that_are_spelled_alike_only_the_exact_one_is_meant() -> None:
    atoms = (an_atom("a/ops.md", "Ops", "role"), an_atom("b/ops.md", "ops", "system"))
    resolver = resolve(Bundle("b", atoms))
    assert resolver.atom(atoms[0], "ops") is atoms[1]
    assert resolver.atom(atoms[0], "OPS") is None
