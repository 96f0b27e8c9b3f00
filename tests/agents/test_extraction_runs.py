"""Sources into atoms of a wiki, and what a judge that refuses or doubts sentences of them makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.agents import extraction_runs
from gitops.agents.extraction_runs import Ran, Request
from gitops.runs import store
from gitops.runs.seating import Seat
from gitops.verify.judge import Judge
from tests.agents.doubting import Doubter
from tests.runs.driving import MAIN, Wiki, first_files

SOURCE = "raw/yard.md"
YARD = """# Yard process

The yard process is owned by the Yard Lead.

BerthApp is a planning system that holds all berths.
"""
BERTHS = "BerthApp is a planning system that holds all berths."


@pytest.fixture
def yard(make_repository: Callable[..., Path]) -> Wiki:
    return Wiki(make_repository({**first_files(pages=0), SOURCE: YARD}, name="yard"))


def extracted(wiki: Wiki, judge: Judge) -> Ran:
    def seated(name: str, seat: Seat) -> Judge:
        return judge

    context = replace(wiki.context(), seating=seated)
    request = Request(MAIN, "wiki/atoms")
    return extraction_runs.run(context, wiki.workspace(), [SOURCE], request, wiki.told.append)


def statuses(wiki: Wiki) -> list[str]:
    return sorted(run.status for run in store.all_runs(wiki.context()).values())


def written(wiki: Wiki) -> str:
    return wiki.git("ls-tree", "-r", "--name-only", "main", "wiki/")


@pytest.mark.slow
def test_what_a_judge_refuses_is_left_out_of_a_second_run(yard: Wiki) -> None:
    done = extracted(yard, Doubter("BerthApp", "does_not_support"))
    assert done.outcome is not None
    assert (done.outcome.result, done.is_refused) == ("landed", False)
    assert statuses(yard) == ["committed", "rejected"]
    assert any("is rejected for 1 claims; writing again without them" in told for told in yard.told)
    assert "wiki/atoms/roles/yard-lead.md" in written(yard)
    assert "berthapp" not in written(yard)
    assert [draft.id for draft in done.extracted.drafts] == ["yard-process", "yard-lead"]
    assert done.extracted.dropped == (f"berthapp: {BERTHS!r}: the verifier does not find it borne out",)


def test_a_judge_that_refuses_everything_lets_nothing_land(yard: Wiki) -> None:
    done = extracted(yard, Doubter("", "does_not_support"))
    assert done.is_refused
    assert statuses(yard) == ["rejected"]
    assert "atoms" not in written(yard)


def test_what_a_judge_doubts_is_taken_back_in_the_same_run(yard: Wiki) -> None:
    done = extracted(yard, Doubter("BerthApp", "partially_supports"))
    assert done.outcome is not None
    assert (done.outcome.result, statuses(yard)) == ("landed", ["committed"])
    assert len(done.extracted.dropped) == 1
    assert "berthapp" not in written(yard)
