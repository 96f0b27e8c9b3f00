"""What ingests came to, in words: the plan of a dry run, and what was done already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.runs import outcome as outcome_words
from gitops.report.visible import inline

if TYPE_CHECKING:
    from gitops.agents.ingesting import Ingested
    from gitops.agents.rehearsing import Rehearsed
    from gitops.agents.writers.ground import Plan, Step
    from gitops.usage import Usage


def plan(made: Plan) -> RenderableType:
    """What would be written: each page with the claims it would gain."""
    if not made.steps:
        return nothing(made.source)
    new = sum(step.is_new for step in made.steps)
    head = f"  {inline(made.source)}: {new} new pages, {len(made.steps) - new} changed, {made.claims} claims"
    parts: list[RenderableType] = [Text.assemble(("would write", "green"), head)]
    for step in made.steps:
        parts += _step(step)
    return Group(*parts)


def _step(step: Step) -> Iterator[RenderableType]:
    yield Text.assemble(("  + " if step.is_new else "  ~ ", "green" if step.is_new else "yellow"), inline(step.path))
    for claim in step.claims:
        yield text.indented(Text(inline(claim.text), style="dim"), 6)


def nothing(source: str, run_id: str = "") -> RenderableType:
    """That there is nothing to do."""
    since = (
        f": run {run_id} ingested it as it is; --again does it anew" if run_id else ": the wiki says all of it already"
    )
    return Text.assemble(("nothing new", "green"), f"  {inline(source)}{since}")


def ingested(done: Ingested) -> RenderableType:
    """What came of one source."""
    if done.outcome is None:
        return nothing(done.source, done.before.id if done.before is not None else "")
    if done.outcome.run.status == "abandoned":
        return Text.assemble(("nothing new", "green"), f"  {inline(done.source)}: the writer found nothing to write")
    found = done.outcome
    parts = [outcome_words(found.result, found.run, found.verdict, found.commit, found.signer)]
    if done.plan is not None and found.result == "landed":
        new = sum(step.is_new for step in done.plan.steps)
        told = f"{new} new pages, {len(done.plan.steps) - new} changed, {done.plan.claims} claims of {done.source}"
        parts.append(text.indented(Text(inline(told), style="dim"), 2))
    if done.used is not None and done.used.calls:
        parts.append(text.indented(Text(usage(done.used), style="dim"), 2))
    return Group(*parts)


def usage(used: Usage) -> str:
    """What a model used, on one line."""
    told = f"{used.calls} requests, {used.read:,} tokens read, {used.output:,} written"
    return told + (f", ${used.usd:.4f}" if used.usd else "")


def plan_json(made: Plan) -> dict[str, Any]:
    """A plan as JSON; places are code points of the source's text."""
    steps = [
        {
            "path": step.path,
            "op": "create" if step.is_new else "update",
            "claims": [{"text": one.text, "start": one.start, "end": one.end} for one in step.claims],
        }
        for step in made.steps
    ]
    return {"source": made.source, "result": "would_write" if steps else "nothing", "operations": steps}


def rehearsed(found: Rehearsed) -> RenderableType:
    """The plan, or what a model would be asked and about what it would cost."""
    if found.plan is not None or found.estimate is None:
        return plan(found.plan) if found.plan is not None else nothing(found.source)
    head = Text.assemble(("would ask", "green"), f" {found.model} about {inline(found.source)}")
    told = f"about {usage(found.estimate)}, if nothing of it is cached; the first request:"
    return Group(head, text.indented(Text(told), 2), Text(found.system, style="dim"), Text(), Text(found.first_turn))


def rehearsed_json(found: Rehearsed) -> dict[str, Any]:
    """The same as JSON."""
    if found.plan is not None or found.estimate is None:
        return plan_json(found.plan) if found.plan is not None else {}
    asked = {"model": found.model, "system": found.system, "first_turn": found.first_turn}
    return {"source": found.source, "result": "would_ask", **asked, "estimate": found.estimate.record()}
