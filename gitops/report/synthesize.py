"""Syntheses in words: what came of one, and which are left to look at."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.agents.synthesis.composing import Composed
from gitops.agents.synthesis.reviewing import Reviewed
from gitops.agents.synthesis.writing import count
from gitops.agents.synthesizing import Synthesized
from gitops.report import runs, text
from gitops.report.visible import inline, visible
from gitops.usage import Usage


def words(done: Synthesized) -> RenderableType:
    """What was written and what came of its run; or why nothing was."""
    if done.state == "not_due":
        day = f"{done.due:%Y-%m-%d %H:%M} UTC" if done.due is not None else "later"
        return Text(f"not due before {day}; git assay synthesize does it now")
    since = f"since {done.since}" if done.since else "so far"
    if done.composed is None:
        if not done.claims:
            return Text(f"no claim came in {since}: nothing to synthesize")
        told = f"{count(done.claims, 'claim')} came in {since}, and no source of theirs can be read here"
        return Text(f"{told}: nothing to synthesize")
    if done.state == "planned":
        return _asked(done.used, done.composed) if done.used is not None else _planned(done.composed)
    made, outcome = done.composed, done.outcome
    parts: list[RenderableType] = [Text(_told(made, since))]
    if outcome is not None:
        parts.append(runs.outcome(outcome.result, outcome.run, outcome.verdict, outcome.commit, outcome.signer))
    return Group(*parts)


def _told(made: Composed, since: str) -> str:
    shown = f"{made.digest.shown:,} of {count(made.digest.claims, 'claim')} {since}"
    opened = f", {count(len(made.digest.open), 'disagreement')}" if made.digest.open else ""
    return f"{inline(made.path)}: {shown}{opened}"


def _asked(used: Usage, made: Composed) -> RenderableType:
    told = (
        f"would give a model {made.digest.shown:,} of {count(made.digest.claims, 'claim')} to write {inline(made.path)}"
    )
    tokens = f"about {used.read:,} tokens read and {used.output:,} written by the first call, ${used.usd:.2f}"
    return Group(Text(told), Text(f"{tokens}; what it reads on, and revises, comes on top", style="dim"))


def _planned(made: Composed) -> RenderableType:
    parts: list[RenderableType] = []
    for path, content in made.pages.items():
        if path == made.path:
            parts += [Text(f"would write {inline(path)}:", style="bold"), Text(), Text(visible(content))]
        else:
            parts.append(Text(f"would link it from {inline(path)}", style="bold"))
    return Group(*parts)


def review(found: Sequence[Reviewed]) -> RenderableType:
    """Each with what it wrote, what was found, and the commands that go on with it."""
    if not found:
        return Text("no synthesis is pending, and none was refused or abandoned")
    parts: list[RenderableType] = []
    for each in found:
        parts += [*_reviewed(each), Text()]
    return Group(*parts[:-1])


def _reviewed(each: Reviewed) -> list[RenderableType]:
    run = each.run
    what = "draft" if run.status == "pending" and run.state.draft_only else run.status
    parts: list[RenderableType] = [Text.assemble((run.id, "bold"), f"  {what}, begun {run.record.started_at}")]
    if run.state.reason:
        parts.append(text.indented(Text(inline(run.state.reason), style="dim"), 2))
    parts += [text.indented(Text(f"wrote {inline(path)}"), 2) for path in each.pages]
    if each.findings:
        parts.append(text.indented(text.findings(each.findings), 2))
    return [*parts, *(text.indented(Text(command, style="cyan"), 2) for command in each.next)]
