"""Votes as records: kept in the note of the verdict that they led to, so that they travel with it.

A vote counts where it was made (the local cache knows those), or where it is signed by an allowed key
(`PROTOCOL.md` 3); from anywhere else it is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitops import canonical
from gitops.runs.records import id_of
from gitops.runs.seating import Asking, Purpose
from gitops.verify.judgements import Remembered

SCHEMA = "assay/judgement/1"
KIND = "judgement"


def lines(asking: Asking, purpose: Purpose, at: str) -> list[str]:
    """A line for each vote that a judge gave just now."""
    return [_line(body) for judge in asking.remembered for body in _bodies(judge, purpose, at)]


def _bodies(judge: Remembered, purpose: Purpose, at: str) -> Iterator[dict[str, Any]]:
    for made in judge.made:
        vote = made.vote
        yield {
            "schema": SCHEMA,
            "kind": KIND,
            "key": made.key,
            "purpose": purpose,
            "judge": judge.id,
            "judge_version": judge.version,
            "judge_digest": judge.digest,
            "claim": made.question.claim,
            "title": made.question.title,
            "vote": vote.vote,
            "confidence": float(vote.confidence),
            "unsupported": list(vote.unsupported),
            "reason": vote.reason,
            "at": at,
        }


def _line(body: dict[str, Any]) -> str:
    summary = f"{body['judge']}: {body['vote']}: {_short(body['claim'])}"
    return canonical.line(summary, body | {"id": id_of(body)})


def _short(text: str, most: int = 80) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
