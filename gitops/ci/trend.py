"""The scores of the last commits that were measured, along first parents from the one that the change began from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from gitops.ci.rows import metric_of
from gitops.comparing.recalling import name_of
from gitops.git import history
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement

LAST = 7
"""So many before the head's own."""
_FARTHEST = 5_000
"""No commit further back is asked for."""


def trends(
    context: Context, commit: str, workspace: str, known: Sequence[Measurement]
) -> dict[str, tuple[float | None, ...]]:
    """For each metric that was ever measured the scores of the last commits, the oldest first."""
    newest: dict[str, dict[str, float]] = {}
    for one in known:  # oldest first, so that the newest of a commit stays
        if one.workspace == workspace:
            for name in metric_of(one):
                value = one.metrics[name_of(one, name)].value
                if value is not None:
                    newest.setdefault(one.commit, {})[name] = value
    found: dict[str, list[float | None]] = {}
    left = len(newest)
    for here in islice(history.first_parent(context.repository, commit), _FARTHEST):
        if not left:
            break
        scores = newest.get(here)
        left -= scores is not None
        for name, value in (scores or {}).items():
            found.setdefault(name, []).append(value)
    return {name: tuple(reversed(scores[:LAST])) for name, scores in found.items()}
