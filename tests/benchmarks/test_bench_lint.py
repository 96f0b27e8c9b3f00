from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import gitops
from benchmarks import large_wikis
from benchmarks.memory import descendants, peak_bytes


def lint(folder: Path) -> dict[str, object]:
    env = {**os.environ, "PYTHONPATH": str(Path(gitops.__file__).parents[1])}
    command = [sys.executable, "-m", "gitops", "-C", str(folder), "lint", "--json"]
    found: dict[str, object] = json.loads(subprocess.run(command, env=env, capture_output=True, check=True).stdout)
    return found


@pytest.mark.slow
def test_the_wiki_is_sound_and_has_a_source_of_20_kb_for_each_page(tmp_path: Path) -> None:
    wiki = large_wikis.build(tmp_path / "wiki.git", 120)
    body = lint(wiki.folder)
    assert body["findings"] == []
    counts = body["counts"]
    assert isinstance(counts, dict)
    assert (counts["pages"], counts["claims"], counts["verified"]) == (120 + 101, 240, 240)
    assert len(large_wikis.blobs(wiki).splitlines()) == 120 + 102 + 120
    sizes = [len(large_wikis._source(number)) for number in range(5)]
    assert all(18_000 < size < 26_000 for size in sizes)


def test_the_same_number_makes_the_same_files(tmp_path: Path) -> None:
    one, other = (large_wikis.build(tmp_path / name, 5) for name in ("one.git", "other.git"))
    assert large_wikis.blobs(one) == large_wikis.blobs(other)


@pytest.mark.slow
def test_memory_of_children_is_seen_while_they_live(tmp_path: Path) -> None:
    taken = 80_000_000
    code = f"held = bytearray(b'x') * {taken}; import time; time.sleep(1)"
    with peak_bytes(os.getpid()) as peak, subprocess.Popen([sys.executable, "-c", code]) as child:
        assert child.pid in descendants(os.getpid())
        child.wait()
    assert taken < peak() < 3 * taken
