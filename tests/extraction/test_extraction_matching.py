from __future__ import annotations

import subprocess
import sys
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.extraction.matching import match
from gitops.extraction.model import VARIANTS, Matching, Tie, Variant
from gitops.okf.canonical_id import canonical
from gitops.okf.model import Atom, Bundle
from gitops.okf.titles import normalised
from tests.extraction.atoms_by_hand import atom, bundle, paired


def test_nothing_is_matched_where_there_is_nothing() -> None:
    lone = bundle(atom("a"))
    for variant in VARIANTS:
        assert match(bundle(), bundle(), variant) == Matching((), (), ())
        assert match(lone, bundle(), variant).missed == lone.atoms
        assert match(bundle(), lone, variant).spurious == lone.atoms


def test_neither_id_nor_title_is_no_match_and_a_title_of_another_type_is_none() -> None:
    found = match(
        bundle(atom("a"), atom("b", title="Head")), bundle(atom("c"), atom("d", "system", "Head")), "canonical"
    )
    assert (found.pairs, len(found.missed), len(found.spurious)) == ((), 2, 2)


def test_an_empty_title_matches_no_other() -> None:
    assert not match(bundle(atom("a", title="")), bundle(atom("b", title="")), "canonical").pairs


def test_an_id_is_matched_whatever_the_type_and_the_title() -> None:
    found = match(bundle(atom("a", "role", "One")), bundle(atom("a", "system", "Two")), "strict")
    assert paired(found) == [("a.md", "a.md", "id")]
    assert not found.pairs[0].is_type_right


@pytest.mark.parametrize(
    "id", ["roles/Head_of_Ops.md", "role-head-of-ops", "HEAD.OF OPS", "head-of-ops", "/head__of--ops"]
)
def test_canonical_ids_are_alike_and_strict_ones_are_not(id: str) -> None:
    gold, emitted = bundle(atom("head-of-ops", title="One")), bundle(atom(id, title="Two", path="x.md"))
    assert paired(match(gold, emitted, "canonical")) == [("head-of-ops.md", "x.md", "id")]
    assert paired(match(emitted, gold, "canonical")) == [("x.md", "head-of-ops.md", "id")]
    assert len(match(gold, emitted, "strict").pairs) == (id == "head-of-ops")


def test_an_id_that_begins_with_its_type_is_the_same_where_the_type_is_another() -> None:
    found = match(bundle(atom("role-head", "role")), bundle(atom("role-head", "system", "Other")), "canonical")
    assert paired(found) == [("role-head.md", "role-head.md", "id")]


def test_titles_are_compared_without_case_white_space_punctuation_and_form() -> None:
    gold = bundle(atom("a", "role", "Head of  Ops"), atom("b", "Role", "Café — Süd"))
    emitted = bundle(atom("x", "ROLE", "ｈｅａｄ, of ops!"), atom("y", "role", "CAFE\u0301: süd"))
    for variant in VARIANTS:
        assert paired(match(gold, emitted, variant)) == [("a.md", "x.md", "title"), ("b.md", "y.md", "title")]


def test_ids_come_before_titles() -> None:
    """What could have its title's is matched by its id, and leaves the title to another."""
    gold = bundle(atom("a", title="Head"), atom("b", title="Deputy"))
    emitted = bundle(atom("a", title="Deputy"), atom("c", title="Head"))
    found = match(gold, emitted, "canonical")
    assert paired(found) == [("a.md", "a.md", "id")]
    assert [left.id for left in (*found.missed, *found.spurious)] == ["b", "c"]


def test_of_two_files_of_one_id_that_is_left_which_another_title_needs() -> None:
    gold = bundle(atom("a", title="Head"), atom("b", title="Deputy"))
    emitted = bundle(atom("a", title="Deputy", path="1.md"), atom("a", title="Boss", path="2.md"))
    assert paired(match(gold, emitted, "canonical")) == [("a.md", "2.md", "id"), ("b.md", "1.md", "title")]
    # Without anybody else who needs it, the first of them.
    assert paired(match(bundle(atom("a", title="Head")), emitted, "canonical")) == [("a.md", "1.md", "id")]


def test_among_equals_the_type_decides_then_the_title_then_the_path_and_only_then_it_is_a_tie() -> None:
    gold = bundle(atom("a", "role", "Head"))
    plain, named = atom("a", "system", "Else", path="1.md"), atom("a", "system", "head!", path="2.md")
    typed, both = atom("a", "role", "Else", path="3.md"), atom("a", "role", "HEAD", path="4.md")
    again = atom("a", "role", "Head.", path="5.md")
    for some, best in (
        ((plain, named), "2.md"),
        ((plain, named, typed), "3.md"),
        ((plain, named, typed, both), "4.md"),
    ):
        found = match(gold, bundle(*some), "canonical")
        assert paired(found) == [("a.md", best, "id")]
        assert not found.ties
    tied = match(gold, bundle(again, both, plain), "canonical")
    assert paired(tied) == [("a.md", "4.md", "id")]
    assert tied.ties == (Tie(("a",), ("4.md", "5.md")),)


def test_titles_that_two_have_are_a_tie_that_the_paths_settle() -> None:
    gold = bundle(atom("a", title="Head"), atom("b", title="Head"))
    found = match(gold, bundle(atom("y", title="Head"), atom("x", title="Head")), "canonical")
    assert paired(found) == [("a.md", "x.md", "title"), ("b.md", "y.md", "title")]
    assert found.ties == (Tie(("a", "b"), ("x", "y")),)


def test_each_file_too_many_goes_where_its_title_is_needed() -> None:
    gold = bundle(*(atom(f"g{at}", title=f"T{at + 1}") for at in range(6)))
    emitted = bundle(*(atom(f"g{at}", title=f"T{at}", path=f"{at}{half}.md") for at in (0, 2, 4) for half in "ab"))
    assert paired(match(gold, emitted, "canonical")) == [
        ("g0.md", "0a.md", "id"),
        ("g1.md", "2b.md", "title"),
        ("g2.md", "2a.md", "id"),
        ("g3.md", "4b.md", "title"),
        ("g4.md", "4a.md", "id"),
    ]


ids = st.sampled_from(["a", "b", "role-a", "Roles/A.md", "B"])
types = st.sampled_from(["role", "system"])
titles = st.sampled_from(["One", "one!", "Two", ""])


def some(most: int) -> st.SearchStrategy[Bundle]:
    def numbered(made: list[tuple[str, str, str]]) -> Bundle:
        return bundle(*(atom(*each, path=f"{at}.md") for at, each in enumerate(made)))

    return st.lists(st.tuples(ids, types, titles), max_size=most).map(numbered)


def rank(gold: Atom, emitted: Atom, variant: Variant) -> tuple[int, int, int, int] | None:
    """What the rules say of one pair: by id, by title, of one type, of one title."""
    is_title = normalised(gold.title) == normalised(emitted.title)
    if variant == "strict":
        is_id = gold.id == emitted.id
    else:
        is_id = bool(
            {canonical(gold.id), canonical(gold.id, gold.type)}
            & {canonical(emitted.id), canonical(emitted.id, emitted.type)}
        )
    if is_id:
        return 1, 0, int(gold.type == emitted.type), int(is_title)
    is_by_title = is_title and gold.type == emitted.type and bool(normalised(gold.title))
    return (0, 1, 0, 0) if is_by_title else None


@pytest.mark.slow
@settings(deadline=None)
@given(some(5), some(5), st.sampled_from(VARIANTS))
def test_no_other_assignment_is_better(gold: Bundle, emitted: Bundle, variant: Variant) -> None:
    found = match(gold, emitted, variant)
    ranks = [rank(pair.gold, pair.emitted, variant) for pair in found.pairs]
    assert [each and each[0] for each in ranks] == [int(pair.by == "id") for pair in found.pairs]
    mine = tuple(sum(each) for each in zip(*(each for each in ranks if each), strict=True)) or (0, 0, 0, 0)
    assert mine == max(_totals(gold, emitted, variant))


def _totals(gold: Bundle, emitted: Bundle, variant: Variant) -> list[tuple[int, ...]]:
    totals: list[tuple[int, ...]] = []
    for size in range(min(len(gold.atoms), len(emitted.atoms)) + 1):
        for one in combinations(gold.atoms, size):
            for other in permutations(emitted.atoms, size):
                ranks = [rank(a, b, variant) for a, b in zip(one, other, strict=True)]
                allowed = [each for each in ranks if each is not None]
                if len(allowed) == size:
                    totals.append(tuple(map(sum, zip(*allowed, strict=True))) if allowed else (0, 0, 0, 0))
    return totals


@settings(deadline=None)
@given(some(8), some(8), st.sampled_from(VARIANTS), st.randoms(use_true_random=False))
def test_the_order_of_the_files_changes_nothing(
    gold: Bundle, emitted: Bundle, variant: Variant, random: Random
) -> None:
    found = match(gold, emitted, variant)
    turned = [bundle(*each.atoms[::-1]) for each in (gold, emitted)]
    shuffled = [bundle(*_shuffled(each.atoms, random)) for each in (gold, emitted)]
    assert match(turned[0], turned[1], variant) == found
    assert match(shuffled[0], shuffled[1], variant) == found


def _shuffled(atoms: tuple[Atom, ...], random: Random) -> list[Atom]:
    mixed = list(atoms)
    random.shuffle(mixed)
    return mixed


@settings(deadline=None)
@given(some(8), some(8), st.sampled_from(VARIANTS))
def test_every_atom_is_matched_once_or_left(gold: Bundle, emitted: Bundle, variant: Variant) -> None:
    found = match(gold, emitted, variant)
    assert sorted([pair.gold.path for pair in found.pairs] + [left.path for left in found.missed]) == [
        each.path for each in gold.atoms
    ]
    assert sorted([pair.emitted.path for pair in found.pairs] + [left.path for left in found.spurious]) == [
        each.path for each in emitted.atoms
    ]


@pytest.mark.slow
def test_thousands_of_one_title_make_no_table_of_all_their_pairs() -> None:
    """And neither NumPy nor SciPy is imported."""
    script = """
import resource, sys
from gitops.extraction.matching import match
from gitops.okf.model import Atom, Bundle
sides = [Bundle(name, tuple(Atom(f"{name}{at}", "role", "Same", f"{at:05}.md") for at in range(3000))) for name in "ge"]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = match(sides[0], sides[1], "canonical")
assert len(found.pairs) == 3000 and len(found.ties) == 1
assert "scipy" not in sys.modules and "numpy" not in sys.modules
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 36_000  # kB; half of a table of 3,000 by 3,000
