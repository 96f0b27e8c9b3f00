"""The state of a repository's runs in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.report import text
from gitops.report.runs import listing
from gitops.report.visible import inline
from gitops.runs.standing import Standing
from gitops.runs.wellbeing import Wellbeing

STYLES = {"healthy": "green", "degraded": "yellow", "broken": "bold red"}


def words(found: Standing, warnings: Sequence[str] = ()) -> RenderableType:
    """What is open first; then what landed without the verifier's yes; how the wiki is doing; then the totals."""
    parts: list[RenderableType] = []
    if found.open:
        parts += [Text("open runs", style="bold"), listing(found.open), Text()]
    if found.unverified:
        parts += [Text("landed unverified (--no-verify)", style="bold yellow"), listing(found.unverified), Text()]
    if found.overrides:
        parts.append(Text("overrides", style="bold magenta"))
        rows = [(Text(v.run_id), Text(v.candidate[:10]), Text(inline(v.reasoning))) for v in found.overrides]
        parts += [text.table(("", "", ""), rows, show_header=False), Text()]
    if found.undone:
        heading = "landed, and no longer in their target's history"
        parts += [Text(heading, style="bold red"), listing(found.undone), Text()]
    for branch in found.stray:
        told = f"{inline(branch)} is no run: ids are 3 to 63 of a-z, 0-9 and '-'"
        parts.append(Text(told, style="yellow"))
    if found.wellbeing:
        parts += [*_metrics(found.wellbeing), Text()]
    totals = ", ".join(f"{count} {status}" for status, count in sorted(found.counts.items()))
    parts.append(Text(totals or "no runs yet: git assay run start"))
    if found.last is not None:
        parts.append(Text(f"last landed: {found.last.id} as {found.last.state.candidate[:10]}"))
    parts += [Text(inline(told), style="yellow") for told in warnings]
    parts.append(Text("the last verdict is signed" if found.signed else text.UNSIGNED, style="dim"))
    return Group(*parts)


def _metrics(found: Sequence[Wellbeing]) -> Iterator[RenderableType]:
    """A line for each metric that was measured, below it what it holds up and what mends it."""
    many = len({each.latest.workspace for each in found}) > 1
    for each in found:
        told = each.latest.decides
        status = told.status.replace("_", " ") + (", uncertain" if told.is_uncertain else "")
        name = f"{each.latest.workspace} {each.latest.metric}" if many else each.latest.metric
        score = "-" if told.value is None else _score(each)
        measured = Text(f"  {told.at[:10]}", style="dim")
        yield Text.assemble((inline(name), "bold"), f"  {score}  ", (status, STYLES.get(told.status, "dim")), measured)
        if each.blocks:
            why = f"git assay eval report --details {each.latest.metric}"
            yield Text(f"    blocks {', '.join(each.blocks)}: {why}", style="red")
        elif each.ack is not None:
            yield Text(f"    acknowledged by {inline(each.ack.by.name)}: {inline(each.ack.reason)}", style="dim")
        yield from (Text(f"    contradict each other: {inline(example)}") for example in each.examples)
        if each.mend and told.status != "healthy":
            yield Text(f"    → {each.mend}")


def _score(each: Wellbeing) -> str:
    """A week where the metric counts weeks (M4), else a share."""
    value = each.latest.decides.value or 0.0
    return f"crossover in week {value:.0f}" if each.latest.metric == "M4" else f"{value:.2f}"
