"""Where the base's numbers are from: the notes of the commit that the change began from, else measured here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gitops.ci.chosen import Chosen
from gitops.ci.measuring import Side, is_alike, side
from gitops.ci.result import Baseline
from gitops.ci.spans import Span
from gitops.runs import attesting_records, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.measurements import KIND, RETRIEVAL, Measurement
from gitops.runs.workspace import Workspace

OF_A_MOMENT = frozenset(("M2", "M6"))
"""What these count is of the last days, so that the same commit has another number a week later: both sides are
measured at the same moment, here.
"""
_DAY = 86_400


def base_side(
    context: Context,
    workspace: Workspace,
    span: Span,
    wanted: Chosen,
    head: Side,
    known: Sequence[Measurement],
    *,
    asks: bool = False,
) -> tuple[Side, Baseline]:
    """What the base's numbers are: the notes' newest measurement by the instrument that the head was measured with; of
    what they do not have, one that is made here. So is that of what the head has no number of: it may have been lost.
    """
    commit = span.fork
    authority = Authority(context, workspace.name, span.base)
    kept = in_notes(authority, known, commit, head.found)
    lacking = Chosen(
        {name: metric for name, metric in wanted.metrics.items() if name not in kept},
        wanted.retrieval and RETRIEVAL not in kept,
    )
    made = Side(commit, {}, {})
    if not lacking.is_empty:
        made = side(context, workspace, commit, lacking, known, asks=asks)
    both = replace(made, found={**made.found, **kept})
    return both, _told(context, both, kept)


def in_notes(
    authority: Authority, known: Sequence[Measurement], commit: str, like: Mapping[str, Measurement]
) -> dict[str, Measurement]:
    """The newest measurements of a commit, of those that have a number and the instrument that others have, by name.

    Where signatures are demanded, unsigned ones count for nothing: a base that looks worse than it is opens the gate.
    """
    found: dict[str, Measurement] = {}
    for one in known:  # oldest first
        name = one.suite if one.kind == KIND else RETRIEVAL if one.kind == RETRIEVAL else ""
        if (one.commit, one.workspace) != (commit, authority.workspace) or name in OF_A_MOMENT:
            continue
        if name not in like or not is_alike(like[name], one):
            continue
        if one.kind == RETRIEVAL or one.metrics[name].value is not None:
            found[name] = one
    return {name: one for name, one in found.items() if _counts(authority, one, name)}


def _counts(authority: Authority, one: Measurement, name: str) -> bool:
    return attesting_records.counts(authority, names.EVALS, one.commit, one.id, f"{name} of the base {one.commit[:10]}")


def _told(context: Context, both: Side, kept: Mapping[str, Measurement]) -> Baseline:
    """Where they are from. Where only some were in the notes, the age is theirs: what is old is what is doubted."""
    if not any(name not in both.why_not for name in both.found):
        return Baseline(source="none", commit=both.commit)
    if not kept:
        return Baseline(source="measured here", commit=both.commit, measured_at=context.now, age_days=0.0)
    oldest = min(one.completed_at for one in kept.values())
    age = max(0.0, (context.epoch - epoch_of(oldest)) / _DAY)
    return Baseline(source="notes", commit=both.commit, measured_at=oldest, age_days=round(age, 2))
