"""What the documentation says the offline judge reaches, held against labelled claims where they are at hand."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gitops.verify.judge import PairQuestion, Question
from gitops.verify.judge_scoring import Scored, auroc, balanced_accuracy
from gitops.verify.judges.offline import Offline

ROOT = Path(__file__).parents[3]
CLAIMS = ROOT / "../shared/data/claims"
needs_claims = pytest.mark.skipif(not CLAIMS.is_dir(), reason="no labelled claims here")


def published(name: str, figure: int) -> tuple[float, float]:
    """The interval of a set's figure, in per cent: 0 is balanced accuracy, 1 AUROC."""
    [row] = re.findall(rf"^\| `{name}`.*%?.*\(.*$", (ROOT / "docs/judges.md").read_text("utf-8"), re.MULTILINE)[:1]
    low, high = re.findall(r"\((\d+\.\d)–(\d+\.\d)\)", row)[figure]
    return float(low), float(high)


@needs_claims
@pytest.mark.parametrize("name", ["wice-dev", "begin-wow-dev", "faithdial-audit"])
def test_the_weights_in_use_reach_what_is_published(name: str) -> None:
    rows = [json.loads(line) for line in (CLAIMS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    votes = Offline().votes([Question(row["claim"], source="\n".join(row["source_sentences"])) for row in rows])
    cases = [
        Scored(row["label"] == "supports", vote.vote == "supports", vote.support)
        for row, vote in zip(rows, votes, strict=True)
        if vote.vote != "abstained" and vote.support is not None
    ]
    accuracy = balanced_accuracy(cases)
    assert accuracy is not None
    assert len(cases) >= 0.85 * len(rows)
    # The weights were trained on these claims, so they may do better than was published of unseen ones; not worse.
    assert 100 * accuracy >= published(name, 0)[0]


@needs_claims
def test_contradictions_are_told_apart_as_published() -> None:
    rows = [json.loads(line) for line in (CLAIMS / "contradictions-chatprotect.jsonl").read_text("utf-8").splitlines()]
    votes = Offline().pair_votes([PairQuestion(row["a"], row["b"]) for row in rows])
    cases = [
        Scored(row["label"] == "contradiction", True, vote.contradiction)
        for row, vote in zip(rows, votes, strict=True)
        if vote.contradiction is not None
    ]
    assert len(cases) == len(rows)
    found = auroc(cases)
    assert found is not None
    assert 100 * found >= published("contradictions-chatprotect", 1)[0]
