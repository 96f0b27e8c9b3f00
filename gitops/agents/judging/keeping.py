"""Keeps each answered request at once, so that what was paid for outlives a failure, a kill or an empty purse."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from gitops.agents.judging.answers import More
from gitops.agents.judging.planning import Request
from gitops.canonical import digest, dumps
from gitops.runs.keeping import Kept
from gitops.verify.judge import Vote

KIND = "judge-request"

Ask = Callable[[Request], list[Vote | More]]


def kept(ask: Ask, keep: Kept, judge: str) -> Ask:
    """Ask only what this judge (its digest) has not answered; only whole and valid answers are ever kept."""

    def asked(request: Request) -> list[Vote | More]:
        key = digest([request.system, request.content, request.claims, sorted(request.left_out)])
        known = keep.get(KIND, judge, key)
        if known is not None and (votes := _read(known)) is not None and len(votes) == len(request.claims):
            return votes
        votes = ask(request)
        keep.put(KIND, judge, key, _written(votes))
        return votes

    return asked


def _written(votes: list[Vote | More]) -> bytes:
    rows = [{"more": sorted(one.sections)} if isinstance(one, More) else asdict(one) for one in votes]
    return dumps(rows).encode("utf-8", "surrogatepass")


def _read(known: bytes) -> list[Vote | More] | None:
    """The votes; None for what another version wrote."""
    try:
        return [_one(row) for row in json.loads(known.decode("utf-8", "surrogatepass"))]
    except (ValueError, TypeError, KeyError):
        return None


def _one(row: dict[str, Any]) -> Vote | More:
    if "more" in row:
        return More(frozenset(row["more"]))
    return Vote(**{**row, "unsupported": tuple(row["unsupported"])})
