from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from gitops.index.graph import GraphIndex, PageRow

MOVER = """
import sys, time, random
from pathlib import Path
from gitops.index.graph import GraphIndex, PageRow

path, seed, turns = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
some = random.Random(seed)

def row(number, tree):
    return PageRow(f"wiki/{number}.md", tree, (f"{number} in {tree}",), (("wiki", tree, tree),), (f"raw/{tree}",))

def changes_to(tree):
    def changes(stored):
        time.sleep(some.random() / 200)
        return [(f"wiki/{number}.md", row(number, tree)) for number in range(20)]
    return changes

for turn in range(turns):
    tree = f"tree {some.randrange(4)}"
    graph = GraphIndex(path, "main", "1")
    with graph.at(tree, changes_to(tree)) as reader:
        for _ in range(3):
            assert {reader.blob(page) for page in reader.paths()} == {tree}, "not at its tree"
            assert len(reader.linking(tree)) == len(reader.citing(f"raw/{tree}")) == reader.count() == 20
            assert {edge[3] for edge in reader.edges()} == {tree}
            time.sleep(some.random() / 500)
    assert graph.notice == "", graph.notice
"""

KILLED = """
import sys, time
from pathlib import Path
from gitops.index import graph_rows
from gitops.index.graph import GraphIndex, PageRow

def add(*arguments):
    whole(*arguments)
    print("in the middle", flush=True)
    time.sleep(60)

whole, graph_rows._add = graph_rows._add, add
rows = [PageRow(f"wiki/{n}.md", "new", (str(n),), (("wiki", "x" * 500 + str(n), str(n)),), ()) for n in range(60_000)]
with GraphIndex(Path(sys.argv[1]), "main", "1").at("new", lambda stored: [(row.path, row) for row in rows]):
    print("committed", flush=True)
"""


def rows(tree: str) -> Iterable[tuple[str, PageRow | None]]:
    return [(f"wiki/{n}.md", PageRow(f"wiki/{n}.md", tree, (str(n),), (), ())) for n in range(20)]


@pytest.mark.slow
def test_readers_stay_at_exactly_their_tree_while_processes_move_it_to_and_fro(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    movers = [subprocess.Popen([sys.executable, "-c", MOVER, str(path), str(seed), "40"]) for seed in range(4)]
    assert [mover.wait(120) for mover in movers] == [0, 0, 0, 0]


@pytest.mark.slow
def test_a_writer_killed_in_the_middle_leaves_the_old_state(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    with GraphIndex(path, "main", "1").at("old", lambda _: rows("old")):
        pass
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"in the middle\n"
    assert (tmp_path / "cache.sqlite3-wal").stat().st_size > 1_000_000  # much of it is on disk already
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()

    def unexpected(stored: str | None) -> Iterable[tuple[str, PageRow | None]]:
        raise AssertionError(f"the old state is not there any more (stored: {stored})")

    graph = GraphIndex(path, "main", "1")
    with graph.at("old", unexpected) as reader:
        assert {reader.blob(page) for page in reader.paths()} == {"old"}
        assert reader.count() == 20
    assert graph.notice == ""


def test_a_graph_that_keeps_moving_is_reached_by_making_the_others_wait(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    asked: list[str | None] = []

    def changes(stored: str | None) -> Iterable[tuple[str, PageRow | None]]:
        asked.append(stored)
        if len(asked) <= 3:  # each time another process is faster
            code = (
                "import sys; from pathlib import Path; from gitops.index.graph import GraphIndex\n"
                "with GraphIndex(Path(sys.argv[1]), 'main', '1').at(sys.argv[2], lambda stored: []): pass"
            )
            subprocess.run([sys.executable, "-c", code, str(path), f"other {len(asked)}"], check=True)
        return rows("mine")

    with GraphIndex(path, "main", "1").at("mine", changes) as reader:
        assert reader.count() == 20
    assert asked == [None, "other 1", "other 2", "other 3"]


def test_a_graph_held_for_too_long_is_built_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    holder_code = """
import sys, time
from pathlib import Path
from gitops.index.cachefile import open_cache
conn, _ = open_cache(Path(sys.argv[1]))
conn.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", holder_code, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    graph = GraphIndex(path, "main", "1", wait_s=0.2)
    started = time.monotonic()
    with graph.at("t", lambda _: rows("t")) as reader:
        assert reader.count() == 20
    assert time.monotonic() - started < 10
    assert "in use by another process" in graph.notice
    holder.kill()
    holder.wait()
    holder.stdout.close()
