"""`git assay retrieval list`: the runs that were kept, newest first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.retrieval.tide_wiki import FILES

Command = Callable[..., Any]


def test_without_a_run_it_says_what_makes_one(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "retrieval", "list")
    assert (done.code, done.out) == (0, "no run of retrieval was kept yet: git assay retrieval run\n")
    assert json.loads(assay(wiki, "retrieval", "list", "--json").out)["runs"] == []


def test_an_unknown_workspace_is_refused(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "--workspace", "none", "retrieval", "list"), 2, "no workspace is called 'none'")


def test_the_newest_come_first_and_no_more_than_wanted(
    make_repository: Callable[..., Path], assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(FILES)
    for clock in ("1704164645", "1704164745"):
        monkeypatch.setenv("ASSAY_CLOCK", clock)
        assay(folder, "retrieval", "run", "--subject", f"clock={clock}")
    every = json.loads(assay(folder, "retrieval", "list", "--json").out)["runs"]
    assert [one["started_at"] for one in every] == ["2024-01-02T03:05:45Z", "2024-01-02T03:04:05Z"]
    assert [one["subject"]["others"]["clock"] for one in every] == ["1704164745", "1704164645"]
    told = assay(folder, "retrieval", "list", "--limit", "1").out.splitlines()
    assert told[0].split() == ["run", "when", "commit", "gold", "system", "queries", "mrr", "hit@10", "ndcg@10"]
    assert told[1].split()[:2] == [every[0]["run_id"], "2024-01-02T03:05:45Z"]
    assert told[-1] == "1 run"
