"""Files that are broken in every way: each is a finding with its place, and the rest is scored as ever."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.extraction import emitted, gold, scoring
from gitops.extraction.aggregate import Aggregate, aggregate
from gitops.extraction.problems import Wrong, problems
from gitops.verify import judges
from tests.extraction import planted_release as planted

LARGE = 20 * 2**20


def scored(folder: Path, names: tuple[str, ...] = (planted.CASE,)) -> tuple[Aggregate, list[Wrong]]:
    cases = gold.in_folder(planted.gold(folder.parent / "gold", names))
    found = emitted.in_folder(folder, cases, "out")
    result = scoring.scored(cases, found.bundles, judges.find("offline"), found.stray)
    return aggregate(result), problems(result)


BROKEN: dict[str, bytes] = {
    "malformed YAML": b"---\ntype: role\n  id: [x\n---\n",
    "no frontmatter": b"# Nobody\n",
    "frontmatter that never ends": b"---\ntype: role\nid: nobody\n",
    "an empty file": b"",
    "bytes that are no text": b"---\ntype: role\nid: nobody\ntitle: \xff\xfe\n---\n",
    "a type of its own": b"---\ntype: Playbook\nid: nobody\ntitle: Nobody\n---\n",
    "no type": b"---\nid: nobody\ntitle: Nobody\n---\n",
    "a bomb of anchors": b"---\na: &a [x, x]\n"
    + b"".join(b"%c: &%c [*%c, *%c]\n" % (c + 1, c + 1, c, c) for c in range(97, 120))
    + b"---\n",
    "20 MB": b"---\ntype: role\nid: nobody\ntitle: Nobody\n---\n" + b"word " * (LARGE // 5),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_told_with_its_place_and_the_rest_is_scored(kind: str, tmp_path: Path) -> None:
    planted.write(tmp_path / "out" / planted.CASE, {**planted.FILES, "roles/nobody.md": BROKEN[kind]})
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("validity") == 9 / 10
    assert numbers.value("atom_recall") == numbers.value("edge_f1") == numbers.value("faithfulness") == 1
    invalid = [one for one in wrong if one.kind == "invalid"]
    assert {one.path for one in invalid} == {"out/release/roles/nobody.md"}
    assert all(one.what for one in invalid)


def test_an_atom_that_has_grown_to_20_mb_is_missed_and_all_else_is_scored(tmp_path: Path) -> None:
    grown = planted.FILES["roles/auditor.md"].encode() + b"word " * (LARGE // 5)
    planted.write(tmp_path / "out" / planted.CASE, {**planted.FILES, "roles/auditor.md": grown})
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("atom_recall") == numbers.value("validity") == 8 / 9
    assert numbers.value("atom_precision") == numbers.value("edge_f1") == 1
    assert [one.kind for one in wrong] == ["missed", "invalid"]
    assert "20.0 MiB" in wrong[1].what


def test_duplicate_ids_are_one_match_one_spurious_atom_and_one_error_of_the_graph(tmp_path: Path) -> None:
    again = planted.text("role", "auditor", "Auditor")
    planted.write(tmp_path / "out" / planted.CASE, {**planted.FILES, "roles/second.md": again})
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("atom_precision") == 9 / 10
    assert numbers.value("atom_recall") == numbers.value("edge_f1") == numbers.value("validity") == 1
    assert numbers.value("graph_errors") == 1
    assert [(one.kind, one.path, one.line) for one in wrong] == [
        ("spurious", "out/release/roles/second.md", 0),
        ("graph", "out/release/roles/second.md", 3),
    ]


def test_an_edge_to_nothing_is_spurious_and_an_error_of_the_graph(tmp_path: Path) -> None:
    changed = planted.text("role", "auditor", "Auditor", (("uses", "nowhere"),))
    planted.write(tmp_path / "out" / planted.CASE, {**planted.FILES, "roles/auditor.md": changed})
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("edge_precision") == 12 / 13
    assert numbers.value("graph_errors") == 1
    places = {(one.kind, one.path, one.line) for one in wrong}
    assert places == {("mislinked", "out/release/roles/auditor.md", 6), ("graph", "out/release/roles/auditor.md", 6)}


def test_of_two_cases_one_may_have_an_empty_folder(tmp_path: Path) -> None:
    planted.write(tmp_path / "out" / "one", planted.FILES)
    (tmp_path / "out" / "two").mkdir()
    numbers, wrong = scored(tmp_path / "out", ("one", "two"))
    assert numbers.value("atom_recall") == 1 / 2
    assert numbers.value("atom_f1") == 2 / 3
    assert numbers.value("atom_precision") == numbers.value("validity") == 1
    assert numbers.value("faithfulness") == 1 / 2  # two reasons are grounded, two are omitted
    assert numbers.by_case["two"]["validity"] is None
    assert {one.case for one in wrong} == {"two"}
    assert {one.kind for one in wrong} == {"missed", "omitted"}


def test_an_empty_folder_has_missed_everything_and_nothing_of_it_is_valid_or_faithful(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    numbers, _ = scored(tmp_path / "out", ("one", "two"))
    assert numbers.value("atom_f1") == numbers.value("edge_f1") == numbers.value("faithfulness") == 0
    assert numbers.value("validity") is None
    assert numbers.value("atom_precision") is None


def test_a_folder_of_other_things_is_refused_with_the_layout(tmp_path: Path) -> None:
    planted.write(tmp_path / "out", {"roles/auditor.md": planted.FILES["roles/auditor.md"]})
    with pytest.raises(UsageError, match="nothing in out is called as a case is: there is roles") as caught:
        scored(tmp_path / "out", ("one", "two"))
    assert caught.value.hint == "the folder holds a folder for each case, called as the case is: one, two"


def test_of_a_single_case_the_folder_itself_is_the_bundle(tmp_path: Path) -> None:
    planted.write(tmp_path / "out", planted.FILES)
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("atom_f1") == 1
    assert wrong == []


def test_folders_of_no_case_are_named_and_count_for_nothing(tmp_path: Path) -> None:
    planted.write(tmp_path / "out" / planted.CASE, planted.FILES)
    planted.write(tmp_path / "out", {"others/a.md": "no atom", "notes.txt": "nothing"})
    cases = gold.in_folder(planted.gold(tmp_path / "gold"))
    found = emitted.in_folder(tmp_path / "out", cases)
    assert found.stray == ("notes.txt", "others")
    assert found.files == len(planted.FILES)


def test_no_folder_at_all_is_a_wrong_argument(tmp_path: Path) -> None:
    cases = gold.in_folder(planted.gold(tmp_path / "gold"))
    with pytest.raises(UsageError, match="there is no folder out"):
        emitted.in_folder(tmp_path / "nowhere", cases, "out")


def test_what_lies_outside_is_not_read_through_a_link(tmp_path: Path) -> None:
    planted.write(tmp_path / "elsewhere", {"auditor.md": planted.FILES["roles/auditor.md"]})
    files: Mapping[str, str] = {path: text for path, text in planted.FILES.items() if path != "roles/auditor.md"}
    folder = planted.write(tmp_path / "out" / planted.CASE, files)
    os.symlink(tmp_path / "elsewhere" / "auditor.md", folder / "roles" / "auditor.md")
    numbers, wrong = scored(tmp_path / "out")
    assert numbers.value("atom_recall") == 8 / 9
    assert [(one.kind, one.path) for one in wrong] == [("missed", ""), ("invalid", "out/release/roles/auditor.md")]
