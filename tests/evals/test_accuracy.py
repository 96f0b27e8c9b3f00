from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitops.evals.accuracy import PAGE, PUBLISHED, Accuracy, published
from gitops.verify.judges.offline import Offline

DOCS = Path(__file__).parents[2] / PAGE


def figures() -> dict[str, Accuracy]:
    """The table of docs/judges.md, in shares."""
    row = r"^\| `([\w-]+)`[^|]*\| ([\d,]+) \| ([\d.]+) \(([\d.]+)–([\d.]+)\)"
    rows = re.findall(row, DOCS.read_text("utf-8"), re.MULTILINE)
    return {
        name: Accuracy(name, int(n.replace(",", "")), *_shares(value, low, high)) for name, n, value, low, high in rows
    }


def _shares(value: str, low: str, high: str) -> tuple[float, tuple[float, float]]:
    return round(float(value) / 100, 3), (round(float(low) / 100, 3), round(float(high) / 100, 3))


def test_a_judge_that_was_never_measured_has_no_figure() -> None:
    assert published("claude", "claude-opus", "claims") == ()
    assert published("offline", "1", "claims") == ()


@pytest.mark.parametrize("one", [each for found in PUBLISHED.values() for each in found], ids=lambda one: one.set)
def test_the_figures_are_those_of_the_documentation(one: Accuracy) -> None:
    assert figures()[one.set] == one


def test_the_offline_judge_has_figures_in_the_version_that_is_here() -> None:
    judge = Offline()
    assert len(published(judge.id, judge.version, "claims")) == 3
    assert len(published(judge.id, judge.version, "pairs")) == 1
