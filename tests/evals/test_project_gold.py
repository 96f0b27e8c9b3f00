"""The project's own wiki: its claims hold, its gold queries expect what is there, and M3 is what it was at least."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.cli import main
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot, resolve
from gitops.runs import gold
from gitops.runs.gold_checking import Ground
from gitops.runs.workspace import find

PROJECT = Path(__file__).parents[2]
GOLD = PROJECT / "gold"


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Path:
    files = {path.relative_to(GOLD).as_posix(): path.read_bytes() for path in GOLD.rglob("*") if path.is_file()}
    return make_repository(files)


def test_the_gold_queries_are_thirty_and_expect_what_is_there(wiki: Path) -> None:
    repository = open_repository(wiki)
    commit = resolve(repository, "HEAD")
    tree, layout = TreeSnapshot.at(repository, commit), find(repository, commit).layout
    queries = gold.at(tree, layout)
    assert len(queries) == 30
    assert Ground(tree, layout).faults(queries) == []
    assert sum(one.is_to_be_refused for one in queries) == 2
    assert sum(len(one.topics) > 1 for one in queries) == 3


def test_every_page_is_asked_about(wiki: Path) -> None:
    repository = open_repository(wiki)
    tree, layout = TreeSnapshot.at(repository, "HEAD"), find(repository, resolve(repository, "HEAD")).layout
    asked = {topic for one in gold.at(tree, layout) for topic in one.topics}
    assert Ground(tree, layout).topics - asked == {"index"}


def test_no_claim_lacks_its_source(wiki: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", os.fspath(wiki), "lint", "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["findings"] == []
    assert told["counts"]["claims"] > 90
    assert told["counts"]["verified"] >= told["counts"]["claims"]


@pytest.mark.slow
def test_the_build_measures_it_offline(tmp_path: Path) -> None:
    python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [PROJECT / ".ci" / "gold", tmp_path],
        env={**os.environ, "PATH": python},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "retroactive benchmark" in done.stdout
    measured = {
        one["suite"]: one["metrics"][one["suite"]]
        for one in json.loads((tmp_path / "measured.json").read_text())["measurements"]
    }
    assert measured["M1"]["status"] == "healthy"
    assert measured["M5"]["status"] == "healthy"
    assert measured["M3"]["counts"]["errors"] == 0
    assert measured["M3"]["value"] > 0.6
    retrieval = json.loads((tmp_path / "retrieval.json").read_text())
    assert "0 regressions" in done.stdout
    found = {name: one["value"] for name, one in retrieval["metrics"].items()}
    assert found["hit@10"] == 1.0
    assert found["mrr"] > 0.95
    assert found["refusal_correctness"] == 1.0
    assert "14 cases, 132 atoms, 142 edges, 17 reasons" in done.stdout
    extraction = json.loads((tmp_path / "extraction.json").read_text())
    extracted = {name: one["value"] for name, one in extraction["metrics"].items()}
    assert extracted["validity"] == 1.0
    assert extracted["graph_errors"] == 0
    assert extracted["atom_f1"] is not None
