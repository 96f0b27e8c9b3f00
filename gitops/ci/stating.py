"""States what a check found as a result: the verdict and its cause; what was measured comes on top."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitops import __version__
from gitops.canonical import digest
from gitops.ci.findings import clipped
from gitops.ci.judged import Judged
from gitops.ci.outcome import Said
from gitops.ci.result import Baseline, Result
from gitops.ci.spans import Span
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


def result(
    context: Context, workspace: Workspace, span: Span, verdict: Judged, told: Said, remarks: Sequence[str], again: str
) -> Result:
    """The result of a verdict alone; what was measured comes on top. `again` is the command that does the same."""
    given = verdict.verdict
    counts = given.counts if given is not None else None
    return Result(
        suite=suite_of(workspace.name),
        version=__version__,
        created_at=context.now,
        workspace=clipped(workspace.name),
        base=span.base,
        head=span.head,
        outcome=told.outcome,
        cause=clipped(told.cause),
        decision=verdict.decision,
        reasoning=clipped(verdict.reasoning),
        judge=clipped(given.judge) if given is not None else "none",
        judged=counts.judged if counts is not None else 0,
        asked=counts.judged + counts.unjudged if counts is not None else 0,
        tokens=verdict.used.read + verdict.used.output,
        usd=round(verdict.used.usd, 6),
        cache_hits=verdict.cache_hits,
        findings=verdict.lines.shown,
        more_findings=verdict.lines.more,
        baseline=Baseline(source="none"),
        intakes=tuple(map(clipped, verdict.intakes))[:200],
        overrides=tuple(map(clipped, verdict.overrides))[:100],
        trust=clipped(verdict.trust),
        remarks=tuple(map(clipped, [*([f"mend: {told.mend}"] if told.mend else []), *remarks]))[:50],
        reproduce=clipped(again),
    )


def suite_of(name: str) -> str:
    """What the comment of a workspace is kept under; two names never share one."""
    if _SLUG.fullmatch(name):
        return name
    sound = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")[:48]
    return f"{sound or 'wiki'}-{digest(name)[:8]}"
