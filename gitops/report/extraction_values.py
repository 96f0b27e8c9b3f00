"""A scored extraction as values: what it came to, each metric beside its bar, and what was wrong, place by place.

`extraction` shows them on a terminal; `benchmark_md` and `benchmark_page` write what is told as Markdown and HTML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitops.extraction import bars, metrics, problems
from gitops.extraction.measuring import AND, state
from gitops.extraction.problems import Kind
from gitops.report.benchmark_values import Section, Told, Tone
from gitops.report.visible import inline
from gitops.runs.measurements import Measurement, Metric, Sample

NONE = "–"
COLUMNS = ("metric", "micro", "95 %", "macro", "strict", "bar", "")
NUMBERS = ("micro", "95 %", "macro", "strict")
CASES = ("case", "atom F1", "edge F1", "validity", "graph errors", "faithfulness", "")
TYPES = ("type", "gold", "found", "precision", "recall", "F1")
WRONG = ("case", "what", "extracted", "gold", "source")
MOST = 500
"""So many of a kind are told in a report; `--json` has all."""
_TONES: Mapping[str, Tone] = {"passed": "healthy", "failed": "broken", "not_measured": "not_measured"}
_SAID = {"pass": "reached", "fail": "below", "not_measured": "not measured"}
_OPS = {">=": "≥", "<=": "≤", "==": "="}


def of_measurement(made: Measurement) -> Told:
    """All that `git assay extract eval` tells in its report."""
    return Told(
        kind="extract eval",
        title=inline(f"{made.suite} {made.suite_version}"),
        tone=_TONES[state(made)],
        sentences=tuple(sentences(made)),
        facts=tuple(facts(made)),
        sections=tuple(_sections(made)),
        remarks=tuple(inline(line) for line in remarks(made)),
    )


def sentences(made: Measurement) -> Iterator[str]:
    """What it came to: which bars are reached, which are not, and which could not be asked."""
    held = {name: one for name in bars.NAMES if (one := made.metrics[name]).bar is not None}
    below = [f"{name} {figure(one)} where {limit(one)} is wanted" for name, one in held.items() if one.status == "fail"]
    reached = sum(one.status == "pass" for one in held.values())
    yield f"{reached} of {len(held)} bars are reached" if reached < len(held) else "every bar is reached"
    yield from below
    yield from (inline(why) for why in made.reason.split(AND) if why)


def facts(made: Measurement) -> Iterator[tuple[str, str]]:
    """What was measured and with what, by name."""
    yield "extractor", inline(extractor(made.subject))
    yield "gold", inline(f"{made.suite} {made.suite_version}, {counted(len(made.samples), 'case')}")
    judge = made.instrument.get("judge")
    if isinstance(judge, Mapping):
        yield "judge", inline(f"{judge.get('id')} {judge.get('version')}")
    if made.commit:
        yield "commit", made.commit[:10]
    yield "run", inline(made.run_id)
    if made.used:
        tokens = made.used.get("input_tokens", 0) + made.used.get("output_tokens", 0)
        yield "spent", f"{tokens:,.0f} tokens, ${made.used.get('usd', 0.0):,.4f}"


def extractor(subject: Mapping[str, Any]) -> str:
    """Who extracted, in a few words: `git-assay, preset claude, claude-opus-5-5, prompt 1f2e3d`."""
    named = [str(subject.get("extractor", NONE))]
    named += [f"preset {subject['preset']}"] if subject.get("preset") else []
    named += [str(subject["model"])] if subject.get("model") else []
    named += [f"{name} {subject[name]}" for name in ("prompt", "emitted") if subject.get(name)]
    return ", ".join(named)


def remarks(made: Measurement) -> list[str]:
    """What has to be told aloud."""
    return [str(each) for each in made.details.get("remarks", ())]


def rows(made: Measurement) -> list[tuple[str, ...]]:
    """A row for each metric of a bare name: pooled, its interval, the mean of the cases, by ids letter for letter, and
    the bar it is held to; a sign says whether that is reached.
    """
    return [_row(made, known.name) for known in metrics.TABLE if known.name == known.base]


def _row(made: Measurement, name: str) -> tuple[str, ...]:
    one = made.metrics.get(name)
    if one is None:
        return name, NONE, "", "", "", "", ""
    ends = f"{one.interval[0]:.2f}–{one.interval[1]:.2f}" if one.interval else ""
    others = (
        figure(made.metrics.get(name + end)) if name + end in metrics.BY_NAME else "" for end in ("_macro", "_strict")
    )
    return name, figure(one), ends, *others, limit(one), _SAID.get(one.status, "") if one.bar else ""


def figure(metric: Metric | None) -> str:
    """A number as people read it; a dash where there is none."""
    if metric is None or metric.value is None:
        return NONE
    return f"{metric.value:,.0f}" if metric.unit == "faults" else f"{metric.value:.4f}"


def limit(metric: Metric) -> str:
    """`≥ 0.6`; '' where there is no bar."""
    return f"{_OPS[metric.bar.op]} {metric.bar.value:g}" if metric.bar else ""


def cases(made: Measurement) -> list[tuple[str, ...]]:
    """A row for each case: its own numbers, and whether they reach the bars."""
    return [_case(one) for one in made.samples]


def _case(one: Sample) -> tuple[str, ...]:
    told = one.details.get("numbers", {})
    cells = (_number(told.get(name), is_count=name == "graph_errors") for name in bars.NAMES)
    return inline(one.id), *cells, {"pass": "reached", "fail": "below"}.get(one.status, one.status)


def _number(value: Any, *, is_count: bool = False) -> str:
    if not isinstance(value, int | float):
        return NONE
    return f"{value:,.0f}" if is_count else f"{value:.2f}"


def types(made: Measurement, kind: str) -> list[tuple[str, ...]]:
    """A row for each type of `atoms` or of `edges`."""
    table = made.details.get("by_type", {}).get(kind, {})
    return [_type(name, told) for name, told in table.items() if any(told.get(each) for each in ("tp", "fp", "fn"))]


def _type(name: str, told: Mapping[str, Any]) -> tuple[str, ...]:
    gold, found = told["tp"] + told["fn"], told["tp"] + told["fp"]
    return inline(name), f"{gold:,}", f"{found:,}", *(_number(told.get(each)) for each in ("precision", "recall", "f1"))


def wrong(made: Measurement) -> dict[Kind, list[Mapping[str, Any]]]:
    """What is wrong, as records by kind, in the order in which kinds are told."""
    found = made.details.get("problems", ())
    by_kind: dict[Kind, list[Mapping[str, Any]]] = {kind: [] for kind in problems.KINDS}
    for each in found:
        by_kind[each["kind"]].append(each)
    return {kind: every for kind, every in by_kind.items() if every}


def total(made: Measurement, kind: str) -> int:
    """How many of a kind there are, of which the record may hold fewer."""
    return int(made.details.get("problem_counts", {}).get(kind, 0))


def what(one: Mapping[str, Any]) -> str:
    """What is wrong, in words, and why that is thought; of a warning that it is one."""
    told = problems.with_why(str(one["what"]), str(one.get("why", "")))
    return inline(("warning: " if one.get("level") == "warning" else "") + told)


def places(one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Where it was extracted, where the gold has it, where the source has it; '' for what is not known."""
    return _place(one, "path", "line"), _place(one, "gold", "gold_line"), _place(one, "source", "source_line")


def _place(one: Mapping[str, Any], path: str, line: str) -> str:
    return inline(problems.place(str(one.get(path, "")), int(one.get(line, 0))))


def _sections(made: Measurement) -> Iterator[Section]:
    yield Section("Metrics", COLUMNS, tuple(rows(made)), NUMBERS)
    for kind, every in wrong(made).items():
        yield _wrong_section(kind, every, total(made, kind))
    yield Section("Cases", CASES, tuple(cases(made)), CASES[1:6])
    for part in ("atoms", "edges"):
        if told := types(made, part):
            yield Section(f"{part.capitalize()} by type", TYPES, tuple(told), TYPES[1:])


def _wrong_section(kind: Kind, every: Sequence[Mapping[str, Any]], count: int) -> Section:
    """What is wrong of one kind; places that nothing of the kind has take no column."""
    shown = [(inline(each["case"]), what(each), *places(each)) for each in every[:MOST]]
    kept = [at for at in range(len(WRONG)) if any(row[at] for row in shown)]
    left = count - len(shown)
    return Section(
        f"{TITLES[kind]}: {problems.MEANING[kind]}",
        tuple(WRONG[at] for at in kept),
        tuple(tuple(row[at] for at in kept) for row in shown),
        more=f"{left:,} more: --json has them" if left > 0 else "",
    )


TITLES = {
    "missed": "Missed",
    "spurious": "Spurious",
    "mistyped": "Mistyped",
    "mislinked": "Mislinked",
    "made_up": "Made up",
    "omitted": "Omitted",
    "invalid": "Invalid",
    "graph": "Graph",
}


def counted(count: int, word: str) -> str:
    """`1 case`, `12 cases`."""
    return f"{count:,} {word if count == 1 else f'{word}s'}"
