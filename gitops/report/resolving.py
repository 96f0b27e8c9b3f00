"""What `lint --resolve-contradictions` came to, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.runs import outcome as outcome_words
from gitops.report.visible import inline, visible

if TYPE_CHECKING:
    from gitops.agents.reconciling import Mend
    from gitops.agents.resolving import Resolved


def words(done: Resolved, why: str) -> RenderableType:
    """What was settled of what M5 found, or that there was nothing; `why` M5 has no number, where it has none."""
    parts: list[RenderableType] = []
    if done.state == "nothing":
        told = "M5 finds no contradiction" if not done.contradictions else f"of {_count(done)} none can be settled"
        parts.append(Text.assemble(("nothing to settle", "green"), f"  {told}{f' ({why})' if why else ''}"))
    elif done.state == "planned":
        parts.append(Text.assemble((f"would {_task(done)}", "green")))
    elif done.outcome is not None:
        found = done.outcome
        if found.run.status == "abandoned":
            parts.append(Text.assemble(("nothing settled", "yellow"), "  the writer found nothing to write"))
        else:
            parts.append(outcome_words(found.result, found.run, found.verdict, found.commit, found.signer))
    if done.outcome is not None and done.outcome.result == "landed":
        parts.append(text.indented(Text("git assay eval run --metric M5 measures it anew", style="dim"), 2))
    parts += [line for mend in done.mends for line in _mend(mend)]
    parts += [_left(f"{one.a.page}:{one.a.line}", f"{one.b.page}:{one.b.line}", told) for one, told in done.left]
    if done.state == "planned" and done.asked:
        parts.append(Text(visible(done.asked)))
    if done.used is not None and done.used.calls:
        used = f"{done.used.read:,} tokens read, {done.used.output:,} written, ${done.used.usd:.2f}"
        parts.append(text.indented(Text(used, style="dim"), 2))
    return Group(*parts)


def _task(done: Resolved) -> str:
    return f"give a model {_count(done)}:" if done.asked else f"settle {len(done.mends)} of {_count(done)}"


def _count(done: Resolved) -> str:
    return f"{done.contradictions} contradiction{'s' * (done.contradictions != 1)}"


def _mend(one: Mend) -> Iterator[RenderableType]:
    each = one.disagreement
    if each.older is not None and one.how == "dated":
        yield Text.assemble(
            ("  ~ ", "yellow"), inline(each.older.path), f": as of {each.day}, ", inline(each.older.words)
        )
        yield text.indented(
            Text(f"{inline(each.newer.path)} ({each.newer_day}): {inline(each.newer.words)}", style="dim"), 6
        )
        return
    yield Text.assemble(("  ~ ", "yellow"), " and ".join(map(inline, one.pages)), ": sources disagree")
    for side in each.sides:
        yield text.indented(Text(inline(side.words), style="dim"), 6)


def _left(a: str, b: str, why: str) -> RenderableType:
    return Text.assemble(("  - ", "red"), f"{inline(a)} and {inline(b)}: {inline(why)}")
