"""Accepted findings whose page has moved: known again by what they say, once each, until the debt is renewed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from gitops.canonical import dumps
from gitops.runs.chunks import Row
from gitops.verify.debt import Entry


def excused(rows: Iterable[Row], counts: Counter[str], gone: Iterable[Entry]) -> list[Row]:
    """The rows, with those marked as debt that say what an entry said of a page that is no longer there.

    `counts` is brought up to date. A page that is renamed keeps its fingerprints only by its name, so without this
    moving it would make everything that was accepted on it an error.
    """
    left = Counter((one.check, one.result, one.level, one.message) for one in gone)
    return [_excused(row, counts, left) if left and not row.is_debt else row for row in rows]


def _excused(row: Row, counts: Counter[str], left: Counter[tuple[str, str, str, str]]) -> Row:
    value = json.loads(row.json)
    said = (value["check"], value["result"], value["level"], " ".join(value["message"].split()))
    if left[said] <= 0:
        return row
    left[said] -= 1
    counts.update({"debt": 1, value["level"]: -1, "unresolvable": -(value["result"] == "unresolvable")})
    return row._replace(is_debt=True, json=dumps({**value, "debt": True}))
