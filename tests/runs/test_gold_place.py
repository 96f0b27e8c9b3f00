from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import UsageError
from gitops.git import locks
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs.context import Context
from gitops.runs.gold import GoldQuery, derived_id
from gitops.runs.gold_file import BadGold
from gitops.runs.gold_place import Place
from gitops.runs.gold_suggesting import suggest
from gitops.runs.workspace import find

FILES = {
    "plant/assay.toml": "",
    "plant/raw/report.md": "# Report\n\nSolvent consumption declined by two fifths in 2019.\n",
    "plant/wiki/index.md": "# Index\n\n- [Solvents](solvents.md)\n",
    "plant/wiki/log.md": "# Log\n",
    "plant/wiki/solvents.md": "# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n[^1]: raw/report.md\n",
}
ADD = """
import sys
from pathlib import Path
from gitops.git.repository import open_repository
from tests.runs.test_gold_place import at, query
at(Path(sys.argv[1])).add([query(f"How much of {sys.argv[2]}?")], "there")
"""


@pytest.fixture
def folder(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def at(folder: Path, *, is_past: bool = False) -> Place:
    context = Context(open_repository(folder))
    commit = resolve(context.repository, "HEAD")
    return Place(context, find(context.repository, commit), commit, is_past or context.repository.is_bare)


def query(text: str, topics: tuple[str, ...] = (), citations: tuple[str, ...] = (), line: int = 0) -> GoldQuery:
    return GoldQuery(derived_id(text), text, topics, citations, "2026-11-22", line=line)


def test_a_bare_repository_is_read_and_not_written(make_repository: Callable[..., Path]) -> None:
    place = at(make_repository(FILES, bare=True))
    assert place.queries() == []
    with pytest.raises(UsageError, match="no working tree to write"):
        place.add([query("How?")], "here")


def test_what_is_expected_and_not_there_is_refused_and_nothing_is_written(folder: Path) -> None:
    place = at(folder)
    with pytest.raises(UsageError, match=r"no page is called 'solvent'; did you mean solvents\?; there is no source"):
        place.add([query("How?", ("solvent",), ("raw/reprot.md",))], "--query")
    with pytest.raises(BadGold, match=r"some\.yaml:4: no page is called"):
        place.add([query("Who?", line=1), query("How?", ("solvent",), line=4)], "some.yaml")
    assert not (folder / "plant/gold").exists()


@pytest.mark.parametrize("link", ["plant/gold", "plant/gold/queries.yaml"])
def test_nothing_is_written_through_a_link_that_a_commit_would_not_follow(folder: Path, link: str) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(outside if link.endswith("gold") else outside / "queries.yaml")
    with pytest.raises(UsageError, match=r"plant/gold/queries\.yaml is a symbolic link, or lies behind one"):
        at(folder).add([query("How?")], "here")
    assert os.listdir(outside) == []


def test_what_no_file_of_text_can_hold_is_refused_with_its_line(folder: Path) -> None:
    with pytest.raises(BadGold, match=r"q\.json:2: 'How \\ud800\?' cannot be written as UTF-8"):
        at(folder).add([query("How \ud800?", line=2)], "q.json")
    assert not (folder / "plant/gold").exists()


def test_all_or_nothing_is_added(folder: Path) -> None:
    place = at(folder)
    assert place.add([query("How?")], "x") == 1
    before = place.file.read_bytes()
    with pytest.raises(BadGold, match=r"x:2: the same query is there already \(plant/gold/queries.yaml, line 3\): How"):
        place.add([query("Who?", line=1), query("HOW", line=2)], "x")
    assert place.file.read_bytes() == before
    assert place.add([], "x") == 1


def test_sources_and_pages_that_are_not_committed_yet_may_be_expected(folder: Path) -> None:
    (folder / "plant/raw/new.md").write_text("New.\n")
    (folder / "plant/wiki/fresh.md").write_text("# Fresh\n")
    assert at(folder).add([query("How?", ("fresh",), ("raw/new.md",))], "x") == 1
    assert [fault.line for fault in at(folder, is_past=True).ground.faults(at(folder).queries())] == [3, 3]


def test_the_working_tree_and_a_commit_have_each_its_own(folder: Path, commit_files: Callable[..., str]) -> None:
    at(folder).add([query("How?")], "x")
    assert at(folder, is_past=True).queries() == []
    commit_files(folder, {})
    at(folder).add([query("Who?")], "x")
    assert len(at(folder, is_past=True).queries()) == 1
    assert len(at(folder).queries()) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [("?!", "holds no word"), (" how? ", "the same query is there already"), ("How \udcff?", "is not UTF-8")],
)
def test_a_question_that_cannot_be_added_is_refused(folder: Path, text: str, said: str) -> None:
    at(folder).add([query("How?")], "x")
    with pytest.raises(UsageError, match=said):
        at(folder).fit_query(text)
    assert at(folder).fit_query(" How  much? ") == "How much?"


@pytest.mark.slow
def test_of_many_who_add_at_once_nobody_is_lost(folder: Path) -> None:
    project = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.fspath(project)}
    with locks.held(open_repository(folder).common_dir, "gold"):
        started = [
            subprocess.Popen([sys.executable, "-c", ADD, os.fspath(folder), str(number)], env=env, cwd=project)
            for number in range(4)
        ]
    assert [each.wait() for each in started] == [0] * 4
    assert sorted(one.query for one in at(folder).queries()) == [f"How much of {number}?" for number in range(4)]


def test_pages_and_sources_that_say_something_of_it_are_suggested(folder: Path) -> None:
    place = at(folder)
    found = suggest(place.context, place.workspace, place.commit, "By how much did solvent consumption decline?")
    assert (found.topics, found.citations) == (("solvents",), ("raw/report.md",))
    nothing = suggest(place.context, place.workspace, place.commit, "zebra?")
    assert (nothing.topics, nothing.citations) == ((), ())
