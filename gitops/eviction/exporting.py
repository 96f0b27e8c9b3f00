"""Feedback as a labelled data set: a row for each candidate that somebody decided on, as JSON Lines or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gitops import canonical
from gitops.eviction import heuristic
from gitops.eviction.features import Row

COLUMNS = (
    "proposal_id",
    "scope_id",
    "turn_number",
    "resolved_at",
    "resolved_by",
    "scorer_model",
    "item",
    "zone",
    "age_turns",
    "token_count",
    "references",
    "relevance_score",
    "excluded",
)
"""What every row tells, in this order; its features follow. `excluded` is the label: 1 was kept back, 0 evicted."""
TEXTS = ("ctx_id", "snippet", "exclude_reason")
"""What is somebody's words, and told only where it is asked for."""
_FEATURE = "feature_"


def columns(*, with_texts: bool) -> tuple[str, ...]:
    """The names of all columns of the data set."""
    return (*COLUMNS, *(f"{_FEATURE}{name}" for name in heuristic.FEATURES), *(TEXTS if with_texts else ()))


def record(row: Row, *, with_texts: bool) -> dict[str, Any]:
    """A row of the data set. Its `item` is a digest, so that an item that was proposed again is known again."""
    made = row.candidate
    told: tuple[Any, ...] = (
        row.proposal,
        row.scope,
        row.turn,
        row.at,
        row.by,
        row.scorer,
        canonical.digest([row.scope, made.ctx_id])[:16],
        made.zone,
        made.age_turns,
        made.token_count,
        made.references,
        made.relevance_score,
        int(row.is_excluded),
        *(round(value, 6) for value in row.features),
        *((made.ctx_id, made.snippet, row.reason) if with_texts else ()),
    )
    return dict(zip(columns(with_texts=with_texts), told, strict=True))


def json_lines(rows: Iterable[Row], *, with_texts: bool = False) -> Iterator[str]:
    """A line of JSON for each row."""
    for row in rows:
        yield canonical.dumps(record(row, with_texts=with_texts))


def csv_lines(rows: Iterable[Row], *, with_texts: bool = False) -> Iterator[str]:
    """A heading, and a line for each row (RFC 4180 with plain line breaks).

    Text that a spreadsheet would take for a formula gets a quotation mark before it.
    """
    yield _line(columns(with_texts=with_texts))
    for row in rows:
        yield _line([_cell(value) for value in record(row, with_texts=with_texts).values()])


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    flat = " ".join(value.split())
    return f"'{flat}" if flat.startswith(("=", "+", "-", "@")) else flat


def _line(values: Sequence[Any]) -> str:
    made = io.StringIO()
    csv.writer(made, lineterminator="").writerow(values)
    return made.getvalue()
