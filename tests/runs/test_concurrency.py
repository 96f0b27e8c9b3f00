"""Many processes at once on one target: nothing is lost, and every landing has its line and its verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs import standing, store
from tests.runs.driving import MAIN, Wiki

WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gitops.git.repository import open_repository
from gitops.runs import landing, staging
from gitops.runs.context import Context
from gitops.runs.workspace import find
from tests.runs.driving import MAIN, name, page

folder, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
context = Context(open_repository(folder), lambda: datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), print)
for number in range(first, first + count):
    workspace = find(context.repository, MAIN)
    run = staging.start(context, workspace, MAIN, staging.Request("cascade"))
    staging.write(context, run, workspace, name(number), page(number).encode())
    outcome = landing.finish(context, run.id)
    if outcome.result != "landed":
        sys.exit(f"run {run.id} of page {number}: {outcome.result}")
"""


def _landed_by(wiki: Wiki, processes: int, each: int, tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    script = tmp_path / "writer.py"
    script.write_text(WRITER)
    writers = [
        subprocess.Popen(
            [sys.executable, str(script), str(wiki.folder), str(process * each), str(each)],
            env={**os.environ, "PYTHONPATH": root},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for process in range(processes)
    ]
    ended = [(writer.communicate()[0], writer.returncode) for writer in writers]
    assert ended == [("", 0)] * processes
    _assert_all_landed(wiki, processes * each, tmp_path)


def _assert_all_landed(wiki: Wiki, count: int, tmp_path: Path) -> None:
    runs = store.all_runs(wiki.context())
    commits = {run.state.candidate for run in runs.values() if run.status == "committed"}
    assert len(runs) == len(commits) == count
    on_the_way = wiki.git("rev-list", "--first-parent", "main").splitlines()
    assert set(on_the_way[:count]) == commits
    assert len(on_the_way) == count + 1
    assert wiki.git("rev-list", "--count", "--merges", "main") == str(count)
    lines = [line for line in wiki.show("wiki/log.md").splitlines() if line.startswith("- ")]
    assert len(lines) == len(set(lines)) == count
    verdicts = {verdict.candidate for verdict in store.all_verdicts(wiki.context())}
    assert commits <= verdicts
    noted = wiki.git("notes", "--ref=refs/notes/assay/verdicts", "list").split()[1::2]
    assert commits <= set(noted)
    assert len(list((wiki.folder / "wiki").glob("p*.md"))) == count
    assert wiki.git("status", "--porcelain") == ""
    assert wiki.git("for-each-ref", "refs/heads/run", "refs/assay/candidate") == ""
    assert wiki.git("fsck", "--no-dangling") == ""
    assert wiki.index() == wiki.rebuilt_index(tmp_path)
    assert standing.standing(wiki.context()).counts == {"committed": count}
    assert wiki.ref(MAIN) in commits


@pytest.mark.slow
def test_two_processes_land_three_runs_each(make_wiki: Callable[..., Wiki], tmp_path: Path) -> None:
    _landed_by(make_wiki(), 2, 3, tmp_path)


@pytest.mark.slow
def test_four_processes_land_twenty_five_runs_each(make_wiki: Callable[..., Wiki], tmp_path: Path) -> None:
    _landed_by(make_wiki(pages=100), 4, 25, tmp_path)
