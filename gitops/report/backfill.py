"""What `lint --cascade-backfill` came to, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.runs import outcome as outcome_words
from gitops.report.visible import inline, visible

if TYPE_CHECKING:
    from gitops.agents.backfilling import Backfilled
    from gitops.agents.writers.ground import Plan


def words(done: Backfilled, missed: int, why: str) -> RenderableType:
    """What was mended of so many missed pages, or `why` there was nothing to mend."""
    if done.state == "nothing":
        told = why or f"{_count(missed)} missed, and their sources have nothing to add to them"
        return Text.assemble(("nothing to mend", "green"), f"  {told}")
    if done.state == "planned":
        return Group(*_planned(done, missed))
    assert done.outcome is not None
    found = done.outcome
    if found.run.status == "abandoned":
        return Text.assemble(("nothing to mend", "green"), "  the writer found nothing to write")
    parts = [outcome_words(found.result, found.run, found.verdict, found.commit, found.signer)]
    if done.plan is not None:
        parts.append(text.indented(Text(f"{_gained(done.plan)}; of {_count(missed)} missed", style="dim"), 2))
    if done.used is not None and done.used.calls:
        used = f"{done.used.read:,} tokens read, {done.used.output:,} written, ${done.used.usd:.2f}"
        parts.append(text.indented(Text(used, style="dim"), 2))
    return Group(*parts)


def _planned(done: Backfilled, missed: int) -> Iterator[RenderableType]:
    if done.plan is None:
        yield Text(f"would give a model {_count(missed)} to look at:", style="bold")
        yield Text(visible(done.first_turn))
        return
    yield Text.assemble(("would write", "green"), f"  {_gained(done.plan)}; of {_count(missed)} missed")
    for step in done.plan.steps:
        sign, colour = ("  + ", "green") if step.is_new else ("  ~ ", "yellow")
        yield Text.assemble((sign, colour), inline(step.path))
        for claim in step.claims:
            yield text.indented(Text(inline(claim.text), style="dim"), 6)


def _gained(plan: Plan) -> str:
    linked = sum(not step.claims for step in plan.steps)
    more = f", {linked} of them only a link" if linked else ""
    return f"{plan.claims} claim{'s' * (plan.claims != 1)}, {_count(len(plan.steps))} changed{more}"


def _count(pages: int) -> str:
    return f"{pages} page{'s' * (pages != 1)}"
