"""`git assay judge`: votes a line each, scores, and lines that are no question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.verify.judge_lines import CLAIM_LABELS

SOURCE = "Solvent consumption at the plant declined by two fifths in 2019. Emissions rose by 3 % in the same year."
CLAIMS: list[dict[str, Any]] = [
    {"id": "a", "claim": "Solvent consumption at the plant declined by 40 % in 2019.", "source_text": SOURCE},
    {"id": 7, "claim": "Emissions fell by 3 % in the same year.", "source_text": SOURCE},
    {"id": "c", "claim": "The plant was sold.", "source_text": ""},
]
PAIRS: list[dict[str, Any]] = [{"id": 1, "a": "It had 10 teams.", "b": "It had eight teams."}]


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"\xff", "not UTF-8"),
        (b'{"claim": "x", "source_text": "y"}', "'id' is missing"),
        (b'{"id": true, "claim": "x", "source_text": "y"}', "'id' is neither"),
        (b'{"id": 1, "claim": "x"}', "'source_text' is missing"),
        (b'{"id": 1, "claim": " ", "source_text": "y"}', "'claim' is empty"),
        (b'{"id": 1, "claim": "x", "source_text": 3}', "'source_text' is not text"),
        (b'{"id": 1, "claim": "x", "source_text": "y", "title": 3}', "'title' is not text"),
    ],
)
def test_a_line_that_is_no_question_is_named_and_nothing_is_voted(
    assay: Callable[..., Any], tmp_path: Path, bad: bytes, why: str
) -> None:
    done = assay(tmp_path, "judge", "--json", stdin=lines(CLAIMS) + bad + b"\n")
    assert (done.code, done.out) == (2, "")
    assert f"line 4: {why}" in done.err
    skipped = assay(tmp_path, "judge", "--json", "--skip", stdin=lines(CLAIMS) + bad + b"\n")
    assert (skipped.code, len(skipped.out.splitlines())) == (0, 3)
    assert "line 4 is left out" in skipped.err


def test_without_a_question_nothing_ran(assay: Callable[..., Any], tmp_path: Path) -> None:
    assert assay(tmp_path, "judge", stdin=b"\n").code == 3
    assert assay(tmp_path, "judge", "--skip", stdin=b"x\n").code == 3


def test_a_judge_that_is_not_there(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--judge", "offlin", stdin=lines(CLAIMS))
    assert done.code == 2
    assert "offline" in done.err


def test_a_label_that_is_none_is_named(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--score", stdin=lines([CLAIMS[0] | {"label": "yes"}]))
    assert done.code == 2
    assert all(label in done.err for label in CLAIM_LABELS)


def test_each_line_gets_its_vote_in_order(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--json", stdin=lines(CLAIMS))
    votes = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [(vote["id"], vote["vote"]) for vote in votes] == [
        ("a", "supports"),
        (7, "does_not_support"),
        ("c", "source_missing"),
    ]
    assert all({"id", "vote", "confidence", "reason"} <= vote.keys() for vote in votes)


def test_pairs_get_votes_between_claims(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--pairs", "--json", stdin=lines(PAIRS))
    assert json.loads(done.out)["vote"] == "direct_contradiction"


def test_words_for_people_have_one_line_a_vote(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", stdin=lines(CLAIMS))
    assert len(done.out.splitlines()) == 3
    assert "'fell'" in done.out


def test_a_score_counts_abstentions_apart(assay: Callable[..., Any], tmp_path: Path) -> None:
    labels = ["supports", "does_not_support", "source_missing", "supports"]
    rows = [*CLAIMS, {"id": "d", "claim": "工厂已出售。", "source_text": SOURCE}]
    data = lines([row | {"label": label} for row, label in zip(rows, labels, strict=True)])
    told = json.loads(assay(tmp_path, "judge", "--score", "--json", stdin=data).out)
    assert (told["cases"], told["judged"], told["abstained"]) == (4, 3, 1)
    assert told["metrics"]["balanced_accuracy"]["value"] == 1.0
    assert told["metrics"]["auroc"]["n"] == 3
    assert "abstained from 1" in assay(tmp_path, "judge", "--score", stdin=data).out


def test_labels_of_one_side_give_no_figure(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--score", "--pairs", stdin=lines([PAIRS[0] | {"label": "contradiction"}]))
    assert done.code == 0
    assert "not defined" in done.out


def test_a_rehearsal_asks_nobody_and_says_about_what_it_would_cost(assay: Callable[..., Any], tmp_path: Path) -> None:
    done = assay(tmp_path, "judge", "--dry-run", "--judge", "offline,claude", stdin=lines(CLAIMS))
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"claude would be asked 3 questions in 1 request, about [\d,]+ tokens in, .*\n", done.out)
    assert (
        assay(tmp_path, "judge", "--dry-run", stdin=lines(CLAIMS)).out
        == "no judge named needs a model: nothing to pay\n"
    )
    assert assay(tmp_path, "judge", "--dry-run", "--pairs", stdin=lines(PAIRS)).code == 2
