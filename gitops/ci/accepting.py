"""Who lets a regression of metrics pass: a label on the pull request, or a record on the head of the change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.ci.events import ACCEPT_LABEL, Event
from gitops.ci.findings import clipped
from gitops.ci.result import Accepted, MetricRow
from gitops.ci.spans import Span
from gitops.git import history, merging
from gitops.runs import feedback
from gitops.runs.context import Context
from gitops.runs.feedback import AcceptedRegression
from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Who accepted, and which metrics: all where none is named."""

    told: Accepted
    metrics: tuple[str, ...] = ()

    def covers(self, metric: str) -> bool:
        """Is this metric among those that may be worse?"""
        return not self.metrics or metric in self.metrics


def acceptance(context: Context, workspace: Workspace, span: Span, event: Event) -> Acceptance | None:
    """The acceptance that counts, if there is one: the newest record before the label, since it says who and why.

    A record on what a merge queue put into the head that it made counts too.
    """
    for commit in _heads(context, span):
        records = feedback.accepted_on(context, commit, span.base)
        for record in reversed([each for each in records if each.workspace == workspace.name]):
            return _of(record)
    return Acceptance(Accepted(by="a label on the pull request", label=ACCEPT_LABEL)) if event.is_accepted else None


def _heads(context: Context, span: Span) -> Iterator[str]:
    """The head; and where that is the base with one other commit merged into it, and nothing besides, that one.

    Any other merge is the change's own: what it merges, say the branch it goes to, may have been accepted for a reason
    of its own.
    """
    yield span.head
    head = context.commit(span.head)
    if len(head.parents) != 2 or head.parents[0] != span.base:
        return
    repository, offered = context.repository, head.parents[1]
    if history.merge_base(repository, span.base, offered) is None:
        return
    if merging.merge(repository, span.base, offered).tree == head.tree:
        yield offered


def accept(
    context: Context, workspace: Workspace, span: Span, metrics: list[str], reason: str, label: str = ""
) -> Acceptance:
    """Record on the head that these metrics may be worse than at the base. Errors as `feedback` has them."""
    return _of(
        feedback.accept_regression(context, workspace, span.head, reason, base=span.base, metrics=metrics, label=label)
    )


def passed_over(rows: Iterable[MetricRow], accepted: Acceptance | None) -> tuple[MetricRow, ...]:
    """The rows as they are told: those that somebody accepted do not fail the check."""
    return tuple(_accepted(row, accepted) for row in rows)


def _accepted(row: MetricRow, accepted: Acceptance | None) -> MetricRow:
    if accepted is None or not row.gated or not accepted.covers(row.metric):
        return row
    return row.model_copy(update={"gated": False, "why": clipped(f"{row.why}; accepted by {accepted.told.by}")})


def _of(record: AcceptedRegression) -> Acceptance:
    return Acceptance(
        Accepted(by=clipped(record.by.name), reason=clipped(record.reason), label=clipped(record.label)), record.metrics
    )
