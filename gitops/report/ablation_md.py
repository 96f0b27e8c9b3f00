"""An ablation as one Markdown file (silas 20.6): for people; `--json` is what programs read."""

from __future__ import annotations

from collections.abc import Iterator

from gitops.report import ablation_values as values
from gitops.report import deltas
from gitops.report import markdown as md
from gitops.suites.concluding import Conclusion


def markdown(conclusion: Conclusion, picture: str = "") -> str:
    """The report; `picture` is the name of the drawing beside it, '' where there is none. Foreign text is escaped."""
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in _parts(conclusion, picture))


def _parts(conclusion: Conclusion, picture: str) -> Iterator[str]:
    yield f"# Ablation: {md.escaped(values.title(conclusion))}"
    _, sentence = values.verdict(conclusion)
    yield f"**{md.escaped(sentence[0].upper() + sentence[1:])}.**"
    yield f"`{conclusion.ablation.id}`, {conclusion.newest.completed_at}: {md.escaped(values.sizes(conclusion))}."
    rows = [
        [md.escaped(name), f"`{commit}`", md.escaped(otherwise)]
        for name, commit, otherwise in values.variants(conclusion)
    ]
    yield md.table(("variant", "commit", "otherwise than the control"), rows)
    yield "## Variants"
    columns, means = values.overview(conclusion)
    named = tuple(map(md.escaped, columns))
    yield md.table(named, [tuple(map(md.escaped, row)) for row in means], numbers=named[1:])
    if picture:
        yield f"![Means of the variants with their 95 % intervals](<{picture}>)"
    for shown in values.shown(conclusion):
        yield f"## {md.escaped(shown.compared)} beside {md.escaped(shown.reference)}"
        if shown.rows:
            yield deltas.markdown(shown)
        if told := [*shown.remarks, *shown.not_compared]:
            yield md.listed(told)
    if legend := values.legend(conclusion):
        yield md.listed(legend)
    yield "## Harm"
    yield _held(conclusion)
    if conclusion.remarks:
        yield md.listed(conclusion.remarks)


def _held(conclusion: Conclusion) -> str:
    columns = (*values.HELD, "why")
    rows = [[*map(md.escaped, (*row.cells, values.called(row), row.why))] for row in values.held(conclusion)]
    return md.table(columns, rows, numbers=("difference", "95 %"))
