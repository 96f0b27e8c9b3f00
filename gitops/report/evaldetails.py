"""The cases behind a number, in words: each with its place, what is wrong with it, and what its source says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.evals.reporting import Standing
from gitops.report import text
from gitops.report.evalparts import Part, columns, parts, said, trimmed
from gitops.report.evalshapes import AnchorCase, ClaimCase, IngestCase, PairCase, QueryCase, Shape, Week
from gitops.report.evaluation import day
from gitops.report.visible import inline

_AROUND = 120
"""So much is shown of what stands around a span; `--html` has all."""
_ROWS = 30


def words(one: Standing) -> RenderableType:
    """The details of the measurement that speaks for a metric."""
    shown = one.shown
    if shown is None:
        return Text(f"{one.id} {one.title}: never measured: git assay eval run --metric {one.id}")
    head = Text(f"{one.id} {one.title}, {day(shown.completed_at)} on {shown.commit[:10]}", style="bold")
    told: list[RenderableType] = [head]
    for part in parts(shown):
        told += _part(part)
    if len(told) == 1:
        told.append(Text("nothing was recorded beside the number"))
    return Group(*told)


def _part(part: Part) -> Iterator[RenderableType]:
    if part.cases:
        yield Text()
        yield Text(f"{inline(part.title)}: {len(part.cases):,}", style="bold")
        yield from _table_of_weeks(part.cases) if isinstance(part.cases[0], Week) else _cases(part.cases)
    elif part.rows:
        yield Text()
        yield Text(f"{inline(part.title)}: {len(part.rows):,}", style="bold")
        yield _rows(part)
    else:
        if part.name:
            yield Text()
            yield Text(inline(part.title), style="bold")
        yield from (text.indented(Text(inline(line), style="dim"), 2) for line in part.lines)


def _cases(cases: Sequence[Shape]) -> Iterator[RenderableType]:
    for case in cases:
        match case:
            case ClaimCase():
                yield from _claim(case)
            case PairCase():
                yield from _pair(case)
            case AnchorCase():
                yield from _anchor(case)
            case QueryCase():
                yield from _query(case)
            case IngestCase():
                yield from _ingest(case)
            case _:
                raise TypeError(f"a {type(case).__name__} has no words")


def _claim(case: ClaimCase) -> Iterator[RenderableType]:
    yield Text.assemble(
        "  ", (f"{inline(case.page)}:{case.line}", "bold"), "  ", (inline(case.vote.replace("_", " ")), "red")
    )
    yield _labelled("claim", Text(inline(case.claim)))
    yield _labelled("cites", Text(inline(case.citation)))
    if (span := case.source) is not None and span.span:
        yield _labelled("says", _in_context(span.before, span.span, span.after))
    lacking = f" (without support: {', '.join(map(inline, case.unsupported))})" if case.unsupported else ""
    yield _labelled("why", Text(f"{_said_by(case.judge, case.reason)}{lacking}", style="dim"))


def _in_context(before: str, span: str, after: str) -> Text:
    head, tail = trimmed(before, _AROUND, is_before=True), trimmed(after, _AROUND, is_before=False)
    parts = [(inline(head), "dim"), (inline(" ".join(span.split())), "underline"), (inline(tail), "dim")]
    return Text(" ").join(Text(said, style=style) for said, style in parts if said)


def _pair(case: PairCase) -> Iterator[RenderableType]:
    yield Text.assemble("  ", (inline(case.topic), "bold"), "  ", (inline(case.vote.replace("_", " ")), "red"))
    for one in (case.a, case.b):
        yield text.indented(Text(f"{inline(one.page)}:{one.line}", style="bold"), 4)
        yield _labelled("says", Text(inline(one.claim)))
        if one.citation:
            yield _labelled("cites", Text(inline(one.citation), style="dim"))
    yield _labelled("why", Text(_said_by(case.judge, case.reason), style="dim"))


def _anchor(case: AnchorCase) -> Iterator[RenderableType]:
    yield Text.assemble("  ", (f"{inline(case.path)}:{case.line}", "bold"), "  ", (inline(case.why), "red"))
    yield _labelled("claim", Text(inline(case.claim)))
    yield _labelled("cites", Text(inline(case.cited)))


def _said_by(judge: str, reason: str) -> str:
    return f"{inline(judge)}: {inline(reason)}" if judge else inline(reason)


def _ingest(case: IngestCase) -> Iterator[RenderableType]:
    share = "–" if case.share is None else f"{case.share:.2f}"
    head = Text.assemble("  ", (inline(case.run), "bold"), f"  {inline(case.landed_at[:10])}  {share}: ")
    head.append(f"{case.reached:,} of {case.mentioning:,} pages that mention its terms were touched")
    yield head
    yield _labelled("sources", Text(inline(said(case.sources))))
    yield _labelled("terms", Text(inline(said(case.terms))))
    for page in case.worst:
        yield _labelled("missed", Text.assemble((inline(page.page), "bold"), f"  {inline(page.told)}"))
    if (left := case.missed - len(case.worst)) > 0:
        yield _labelled("", Text(f"and {left:,} more: --json has them", style="dim"))
    if case.idle_pages:
        yield _labelled("idle", Text(f"touched, and mention none: {inline(said(case.idle))}", style="dim"))


def _query(case: QueryCase) -> Iterator[RenderableType]:
    yield Text.assemble("  ", (inline(case.id), "bold"), "  ", inline(case.query))
    for name, wanted, got in (
        ("topics", case.expected.topics, case.got.topics),
        ("sources", case.expected.citations, case.got.citations),
    ):
        yield _labelled(name, Text(f"expected {inline(said(wanted))}; got {inline(said(got))}"))


def _labelled(name: str, told: Text) -> RenderableType:
    return text.hanging(Text(f"    {name:<8}", style="dim"), told, 12)


def _table_of_weeks(weeks: Sequence[Shape]) -> Iterator[RenderableType]:
    columns = ("week", "from", "ingest", "query", "queries", "sources", "on the fly", "soundly", "USD")
    rows = [
        (
            Text(f"{one.week}"),
            Text(inline(one.begins)),
            *(Text(f"{value:,}", justify="right") for value in _numbers(one)),
            Text(f"{one.usd:.2f}", justify="right"),
        )
        for one in weeks
        if isinstance(one, Week)
    ]
    yield text.indented(text.table(columns, rows), 2)


def _numbers(one: Week) -> tuple[int, ...]:
    return one.ingest, one.query, one.queries, one.corpus, one.hypothetical, one.sound


def _rows(part: Part) -> RenderableType:
    names = columns(part)
    cells = [[Text(inline(said(row.get(name)))) for name in names] for row in part.rows[:_ROWS]]
    shown: list[RenderableType] = [text.table([inline(name.replace("_", " ")) for name in names], cells)]
    if (left := len(part.rows) - _ROWS) > 0:
        shown.append(Text(f"{left:,} more: --json has them", style="dim"))
    return text.indented(Group(*shown), 2)
