"""Gold is read from a commit's tree and from a folder alike, and by broken gold nothing is measured."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.extraction import gold
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot
from gitops.okf.model import Fault
from gitops.wiki.snapshot import MemorySnapshot
from tests.extraction.gold_case import CASE, DECISION, DECISION_FILE, MEMO, ROLE, ROLE_FILE, faults, like, tree


def results(found: list[Fault]) -> list[tuple[str, str, int]]:
    return [(fault.result, fault.path, fault.line) for fault in found]


def written(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def test_the_sound_case_has_no_fault() -> None:
    assert faults({}) == []


def test_a_case_is_its_documents_and_its_atoms() -> None:
    [case] = gold.cases(tree(), "gold")
    assert (case.id, case.place, case.description, case.tags) == ("mowing", "gold/mowing", "A memo.", ("memo",))
    [source] = case.sources
    assert (source.name, source.path, source.text) == ("memo.md", "gold/mowing/sources/memo.md", MEMO)
    assert [(atom.id, atom.type, atom.path) for atom in case.gold.atoms] == [
        ("mow-in-may", "decision", "decisions/mow-in-may.md"),
        ("dike-board", "role", "roles/dike-board.md"),
    ]


def test_a_commit_and_a_folder_give_the_same_cases(make_repository: Callable[..., Path]) -> None:
    path = make_repository({f"gold/extraction/{name}": text for name, text in CASE.items()})
    committed = gold.cases(TreeSnapshot.at(open_repository(path), "HEAD"), "gold/extraction")
    on_disk = gold.in_folder(path / "gold/extraction", "gold/extraction")
    assert committed == on_disk
    assert gold.in_folder(path / "gold/extraction")[0].place == f"{path}/gold/extraction/mowing"
    assert gold.digest(committed) == gold.digest(on_disk)


def test_folders_below_sources_keep_their_names() -> None:
    deep = {
        "mowing/sources/memo.md": None,
        "mowing/sources/2026/may/memo.md": MEMO,
        DECISION_FILE: DECISION.replace("sources/memo.md", "sources/2026/may/memo.md"),
        ROLE_FILE: ROLE.replace("sources/memo.md", "sources/2026/may/memo.md"),
    }
    assert [source.name for source in gold.cases(tree(deep), "gold")[0].sources] == ["2026/may/memo.md"]


def test_gold_that_is_broken_is_refused_by_its_first_fault_and_how_many_more() -> None:
    broken = {DECISION_FILE: DECISION.replace("dike-board}", "dyke-board}").replace("because birds", "for birds")}
    with pytest.raises(UsageError) as told:
        gold.cases(tree(broken), "gold")
    assert told.value.message == (
        "gold/mowing/atoms/decisions/mow-in-may.md:6: decided_by leads to 'dyke-board', "
        "which is no concept of the bundle (and 1 more)"
    )
    assert told.value.hint == "git assay gold check tells all that is wrong"


def test_what_is_broken_in_a_folder_is_told_in_full_by_a_command_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "cases/mowing/sources").mkdir(parents=True)
    (tmp_path / "cases/stray.txt").write_text("x")
    with pytest.raises(UsageError) as told:
        gold.in_folder(tmp_path / "cases", "my cases")
    assert told.value.hint == "git assay gold check --gold 'my cases' tells all that is wrong"


def test_a_warning_refuses_nothing() -> None:
    turned = {ROLE_FILE: ROLE.replace("sources:", "relationships:\n  - {rel: owner, target: mow-in-may}\nsources:", 1)}
    assert [fault.level for fault in faults(turned)] == ["warning"]
    assert len(gold.cases(tree(turned), "gold")) == 1


def test_no_case_at_all_is_an_error_and_not_an_empty_measure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no case of gold below gold/"):
        gold.cases(tree(dict.fromkeys(CASE)), "gold")
    with pytest.raises(UsageError, match="there is no case of gold below"):
        gold.in_folder(tmp_path)
    with pytest.raises(UsageError, match="there is no folder"):
        gold.in_folder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"mowing/sources/memo.md": None}, ("no_source", "gold/mowing", 0)),
        ({"mowing/sources/empty.md": " \n"}, ("empty_source", "gold/mowing/sources/empty.md", 0)),
        ({"mowing/sources/l1.md": b"one\ntwo \xff\n"}, ("not_text", "gold/mowing/sources/l1.md", 2)),
        ({"mowing/sources/nul.md": "a\0b"}, ("not_text", "gold/mowing/sources/nul.md", 0)),
        ({"mowing/sources/huge.md": b"x" * (20 << 20)}, ("too_large", "gold/mowing/sources/huge.md", 0)),
        ({DECISION_FILE: None, ROLE_FILE: None}, ("no_atom", "gold/mowing", 0)),
        ({"mowing/case.yaml": "atoms: none\n"}, ("not_none", "gold/mowing/case.yaml", 0)),
        ({"mowing/case.yaml": "atom: none\n"}, ("bad_case_file", "gold/mowing/case.yaml", 1)),
        ({"mowing/notes.md": "x"}, ("stray_file", "gold/mowing/notes.md", 0)),
        ({"mowing/atoms/x.txt": "x"}, ("stray_file", "gold/mowing/atoms/x.txt", 0)),
        ({"list.md": "x"}, ("stray_file", "gold/list.md", 0)),
        (
            {"mowing/atoms/huge.md": b"---\ntype: role\n---\n" * (2 << 20)},
            ("too_large", "gold/mowing/atoms/huge.md", 0),
        ),
        ({"mowing/atoms/bare.md": "no frontmatter\n"}, ("no_frontmatter", "gold/mowing/atoms/bare.md", 1)),
    ],
)
def test_a_fault_of_the_files_is_told_with_its_place_and_alone(
    files: dict[str, str | bytes | None], expected: tuple[str, str, int]
) -> None:
    [fault] = faults(files)
    assert (fault.result, fault.path, fault.line, fault.level) == (*expected, "error")
    assert fault.mend


def test_hidden_files_and_a_readme_are_no_strays() -> None:
    assert faults({"README.md": "How to.", ".gitkeep": "", "mowing/.cache/x": "x", "mowing/atoms/.x.md": "x"}) == []


def test_a_case_without_anything_in_it_says_so() -> None:
    nothing = {"mowing/case.yaml": "atoms: none\n", DECISION_FILE: None, ROLE_FILE: None}
    [case] = gold.cases(tree(nothing), "gold")
    assert case.gold.atoms == ()


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = written(tmp_path / "gold", CASE)
    (tmp_path / "secret.md").write_text(ROLE)
    (folder / "mowing/atoms/roles/secret.md").symlink_to(tmp_path / "secret.md")
    (folder / "mowing/sources/secret.md").symlink_to(tmp_path / "secret.md")
    found = gold.read_folder(folder, "gold")
    places = {fault.path for fault in gold.every_fault(found) if fault.result == "no_file"}
    assert places == {"gold/mowing/atoms/roles/secret.md", "gold/mowing/sources/secret.md"}
    assert [source.name for source in found.cases[0].sources] == ["memo.md"]
    assert "secret" not in {atom.concept.rpartition("/")[2] for atom in found.cases[0].gold.atoms}


def test_other_cases_are_read_where_one_is_broken() -> None:
    second = {path.replace("mowing/", "second/"): text for path, text in CASE.items()}
    found = faults({**second, "mowing/sources/memo.md": b"\xff"})
    assert {fault.path.split("/")[1] for fault in found} == {"mowing"}


# The digest


def test_the_digest_knows_what_is_measured_by_and_nothing_else() -> None:
    first = gold.digest(gold.cases(tree(), "gold"))

    def other(files: dict[str, str | bytes | None]) -> bool:
        return gold.digest(gold.cases(tree(files), "gold")) != first

    assert other({"mowing/sources/memo.md": f"{MEMO}\nMore.\n"})
    assert other({ROLE_FILE: ROLE.replace("title: Dike Board", "title: The Dike Board")})
    assert other({DECISION_FILE: DECISION.replace("decided_by", "relates_to")})
    assert other({DECISION_FILE: DECISION.replace("Birds nest in June.[^s2]", "Birds breed in June.[^s2]")})
    assert other({path.replace("mowing/", "second/"): text for path, text in CASE.items()})
    assert not other({"mowing/case.yaml": "description: Said otherwise.\n"})
    assert not other({ROLE_FILE: None, "mowing/atoms/board.md": ROLE})
    assert not other({ROLE_FILE: ROLE.replace("It decides when", "It says when")})


@settings(max_examples=30)  # each reads the case three times
@given(st.randoms(use_true_random=False))
def test_the_order_of_files_and_keys_changes_no_digest(order: random.Random) -> None:
    keys = ["type: role", "id: dike-board", "title: Dike Board", "sources:\n  - {id: s1, resource: sources/memo.md}"]
    order.shuffle(keys)
    role = "---\n" + "\n".join(keys) + "\n---\n" + ROLE.split("---\n", 2)[2]
    second = {path.replace("mowing/", "second/"): text.replace("Memo", "Other") for path, text in CASE.items()}
    first = gold.cases(tree(dict(second)), "gold")
    paths = list(files := tree({**second, ROLE_FILE: role}).files)
    order.shuffle(paths)
    moved = gold.cases(MemorySnapshot({path: files[path] for path in paths}), "gold")
    order.shuffle(moved)
    assert len(moved) == 2
    assert gold.digest(moved) == gold.digest(first)


def test_the_order_of_stages_counts_and_that_of_other_edges_does_not() -> None:
    def digest(*edges: tuple[str, str]) -> str:
        lines = "".join(f"  - {{rel: {rel}, target: {target}}}\n" for rel, target in edges)
        way = like(ROLE, "workflow", "way", "Way").replace("sources:", f"relationships:\n{lines}sources:", 1)
        files = {f"mowing/atoms/{name}.md": like(ROLE, "process", name, f"Step {name}") for name in "ab"}
        return gold.digest(gold.cases(tree({**files, "mowing/atoms/way.md": way}), "gold"))

    assert digest(("stages", "a"), ("stages", "b")) != digest(("stages", "b"), ("stages", "a"))
    assert digest(("uses", "a"), ("relates_to", "b")) == digest(("relates_to", "b"), ("uses", "a"))
