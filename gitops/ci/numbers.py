"""The numbers of both sides of a change, and what they come to beside one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gitops.ci import rules
from gitops.ci.baseline import base_side
from gitops.ci.chosen import GOLDEN, Chosen, chosen
from gitops.ci.measuring import Side, side
from gitops.ci.result import Baseline
from gitops.ci.rows import Rows, rows
from gitops.ci.spans import Span
from gitops.ci.trend import trends
from gitops.errors import CannotRun, UsageError
from gitops.git.treediff import Entry
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import RETRIEVAL
from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Numbers:
    """What came of measuring both sides. `missing` says what had to be measured and could not be, `unanswered` what
    could be measured on neither side though there is gold for it.
    """

    rows: Rows = field(default_factory=Rows)
    baseline: Baseline = field(default_factory=lambda: Baseline(source="none"))
    missing: str = ""
    mend: str = ""
    unanswered: str = ""
    remarks: tuple[str, ...] = ()
    usd: float = 0.0
    tokens: int = 0
    cache_hits: int = 0


def numbers(
    context: Context, workspace: Workspace, span: Span, metric: str | None, changed: Sequence[Entry], *, asks: bool
) -> Numbers:
    """Measure and compare both sides of a change by the base's rules; `changed` are those that the change touches."""
    wanted = chosen(context, workspace, span.base, metric)
    if wanted.is_empty:
        return Numbers(remarks=("no metric was measured (--metric none)",))
    try:
        return _compared(context, workspace, span, wanted, changed, asks=asks)
    except (CannotRun, UsageError) as error:  # what the head holds may be no tree that git would make
        return Numbers(missing=f"the metrics could not be compared: {error.message}", mend=error.hint)


def _compared(
    context: Context, workspace: Workspace, span: Span, wanted: Chosen, changed: Sequence[Entry], *, asks: bool
) -> Numbers:
    known = measurements.everything(context)
    subject = rules.ruled(context, span.head, changed)
    head = side(context, workspace, subject, wanted, known, asks=asks, shown=span.head)
    base, baseline = base_side(context, workspace, span, wanted, head, known, asks=asks)
    made = rows(wanted, base, head, trends(context, span.fork, workspace.name, known))
    lacking = [name for name in head.why_not if wanted.is_asked or _has_failed(head.why_not[name])]
    before = {one.id for one in known}
    used = [one.used for each in (head, base) for one in each.found.values() if one.id not in before]
    return Numbers(
        made,
        baseline,
        missing=f"{lacking[0]} was not measured: {head.why_not[lacking[0]]}" if lacking else "",
        mend="install what it needs, or leave it out of --metric" if lacking else "",
        unanswered=_unanswered(base, head),
        remarks=tuple(_of_baseline(baseline, span)),
        usd=sum(each.get("usd", 0.0) for each in used if asks),
        tokens=int(sum(each.get("input_tokens", 0) + each.get("output_tokens", 0) for each in used if asks)),
        cache_hits=head.cache_hits + base.cache_hits,
    )


def _unanswered(base: Side, head: Side) -> str:
    """What gold is there for, and has no number on either side: the gold is broken, or nobody can answer it."""
    both = [name for name in (GOLDEN, RETRIEVAL) if name in head.why_not and name in base.why_not]
    return f"there is gold for {both[0]}, and it could not be measured: {head.why_not[both[0]]}" if both else ""


def _has_failed(why: str) -> bool:
    """Is it a fault of the program that there is no number, rather than that there is nothing to measure?"""
    return why.startswith("it failed: ")


def _of_baseline(baseline: Baseline, span: Span) -> Iterator[str]:
    if baseline.source == "none":
        yield f"no baseline: no metric has a number at {span.fork[:10]}, so none gates"
