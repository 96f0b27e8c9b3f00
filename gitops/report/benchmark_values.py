"""What is told of a run of a benchmark suite, or of two beside each other, as values.

`benchmark` shows them on a terminal, `benchmark_md` in Markdown, `benchmark_page` in HTML. Every text is foreign but on
one line: it is escaped where it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.report.deltas import Deltas
from gitops.report.figures import NONE
from gitops.report.visible import inline
from gitops.stats.bootstrap import Interval
from gitops.suites.flaky import FlakyRate
from gitops.suites.overview import Case, Overview
from gitops.suites.regressions import Findings
from gitops.suites.reported import Held, Reported

Tone = Literal["healthy", "degraded", "broken", "not_measured"]
MOST = 50
"""So many rows of a table are shown; `--json` has all."""
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Section:
    """A table under a heading; `numbers` are the columns that are aligned to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    more: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """All that is told: what it is, what it came to in sentences, facts by name, tables, remarks.

    `shown` is what the engine says of two runs, `legend` what its words mean.
    """

    kind: str
    title: str
    tone: Tone
    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    remarks: tuple[str, ...] = ()
    shown: Deltas | None = None
    legend: tuple[str, ...] = ()


def of_report(reported: Reported) -> Told:
    """What `git assay benchmark report` tells."""
    seen = reported.overview
    return Told(
        "benchmark report",
        inline(f"{seen.first.suite_id} {seen.first.suite_version}"),
        _tone(reported),
        tuple(_sentences(reported)),
        tuple((name, inline(told)) for name, told in _facts(reported) if told),
        tuple(_sections(reported)),
        tuple(inline(line) for line in _remarks(reported)),
    )


def _tone(reported: Reported) -> Tone:
    if reported.held is not None and (reported.held.found.regressions or reported.held.found.lost):
        return "broken"
    if not reported.overview.passed.tried:
        return "not_measured"
    return "degraded" if reported.overview.failures else "healthy"


def _sentences(reported: Reported) -> Iterator[str]:
    seen, rate = reported.overview, reported.overview.passed
    yield passes(rate, seen.interval) if rate.tried else "nothing was tried and judged"
    if skipped := len(seen.skipped):
        yield f"{counted(skipped, 'case was', 'cases were')} skipped"
    if reported.held is not None:
        yield held_told(reported.held)


def held_told(held: Held) -> str:
    """What a run came to beside its baseline, in a sentence."""
    if held.is_itself:
        return "this run is the baseline"
    found = held.found
    told = [counted(len(found.regressions), "regression")] if found.regressions else []
    told += [f"{counted(len(found.lost), 'case that passed is', 'cases that passed are')} no longer judged"][
        : len(found.lost)
    ]
    return f"{', '.join(told) or 'no regression'} since the baseline"


def _facts(reported: Reported) -> Iterator[tuple[str, str]]:
    seen, first, summary = reported.overview, reported.overview.first, reported.overview.summary
    yield "agent", seen.agent
    yield "run", first.run_id + (f", variant {first.variant}" if first.variant else "")
    yield "commit", first.commit[:10]
    yield "repeats", f"{len(seen.runs):,}" if len(seen.runs) > 1 else ""
    if summary.mean_latency_ms is not None and summary.p95_latency_ms is not None:
        yield (
            "latency",
            f"{summary.mean_latency_ms:,.1f} ms on average, {summary.p95_latency_ms:,.1f} ms at the 95th percentile",
        )
    elif not seen.is_timed:
        yield "latency", "not measured: answers were mocked or replayed"
    tokens = f"{summary.total_token_cost:,} tokens" if summary.total_token_cost else ""
    yield "spent", ", ".join(filter(None, (tokens, f"${seen.usd:,.4f}" if seen.usd else "")))
    if summary.mean_quality_score is not None:
        yield "judged", f"{summary.mean_quality_score:.2f} on average"
    yield "failures", ", ".join(f"{count:,} {category}" for category, count in summary.failure_categories.items())
    yield "agreement", _agreement(reported)
    yield (
        "baseline",
        "none: git assay benchmark baseline RUN accepts one" if reported.held is None else reported.held.baseline.told,
    )


def _agreement(reported: Reported) -> str:
    """How far judge and persons agree, where both said something."""
    found = reported.agreement.kappa
    if not found.n:
        return ""
    told = f"judge and persons agree on {found.agreed:,} of {found.n:,}"
    if found.value is None:
        return f"{told}; no kappa: {found.why}"
    ends = f" ({found.interval[0]:.2f} … {found.interval[1]:.2f})" if found.interval else ""
    return f"{told}, Cohen's kappa {found.value:.2f}{ends}"


def _sections(reported: Reported) -> Iterator[Section]:
    seen = reported.overview
    if reported.held is not None and not reported.held.is_itself:
        yield from since(reported.held.found)
    yield from _cases("Failures", seen.failures)
    yield from _cases("Skipped", seen.skipped)
    if seen.flaky:
        rows = [(inline(name), rate.told) for name, rate in seen.flaky.items()]
        yield section("Flaky", ("case", "passed"), rows)
    yield from _groups(seen)


def since(found: Findings) -> Iterator[Section]:
    """What became of a suite's cases since the baseline, table by table; those that are empty are left out."""
    regressed = [(inline(one.case_id), one.kind.replace("_", " "), cut(one.told)) for one in found.regressions]
    flaky = [(inline(name), before.told, now.told if now else NONE) for name, (before, now) in found.flaky.items()]
    tables = (
        ("Regressions", ("case", "what", "told"), regressed),
        ("No longer judged", ("case", "why"), [(inline(name), cut(why)) for name, why in found.lost.items()]),
        (
            "Worse, as chance may do",
            ("case", "told"),
            [(inline(name), cut(why)) for name, why in found.doubtful.items()],
        ),
        ("Flaky at the baseline", ("case", "passed then", "passes now"), flaky),
    )
    for title, columns, rows in tables:
        if rows:
            yield section(title, columns, rows)


def _cases(title: str, cases: Sequence[Case]) -> Iterator[Section]:
    if not cases:
        return
    rows = [
        (
            inline(one.case_id),
            _tries(one.rate),
            inline(one.category) or NONE,
            inline(one.difficulty) or NONE,
            cut(one.reason) or NONE,
        )
        for one in cases
    ]
    yield section(title, ("case", "passed", "category", "difficulty", "why"), rows)


def _tries(rate: FlakyRate | None) -> str:
    return NONE if rate is None else rate.told


def _groups(seen: Overview) -> Iterator[Section]:
    if seen.groups:
        rows = [
            (each.by, inline(each.name), f"{each.cases:,}", *_share(FlakyRate(each.passed, each.tried), each.interval))
            for each in seen.groups
        ]
        yield section("By difficulty and tag", ("", "of", "cases", "pass rate", "95 %"), rows, ("cases", "pass rate"))


def _share(rate: FlakyRate, interval: Interval | None) -> tuple[str, str]:
    if not rate.tried:
        return NONE, NONE
    return percent(rate.rate), f"{percent(interval[0])} … {percent(interval[1])}" if interval else NONE


def _remarks(reported: Reported) -> Iterator[str]:
    if reported.held is not None and not reported.held.is_itself:
        yield from remarks(reported.held.found)
    if reported.bare:
        yield f"skills without benchmarks: {', '.join(reported.bare)}"


def remarks(found: Findings) -> Iterator[str]:
    """What has to be told aloud of a comparison with a baseline."""
    if found.changed:
        yield f"{_named(found.changed)} asks or expects something else than at the baseline, and is not compared"
    if found.new:
        yield f"not in the baseline: {_named(found.new)}"
    yield from found.remarks


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more


def section(
    title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]], numbers: tuple[str, ...] = ()
) -> Section:
    """A table of as many rows as are shown, and how many there are besides."""
    every = tuple(rows)
    left = len(every) - MOST
    return Section(title, columns, every[:MOST], numbers, f"and {left:,} more: --json has them" if left > 0 else "")


def passes(rate: FlakyRate, interval: Interval | None) -> str:
    """`37 of 40 passed: 92.5 % (80.1 % … 97.4 %)`."""
    ends = f" ({percent(interval[0])} … {percent(interval[1])})" if interval else ""
    return f"{rate.told} passed: {percent(rate.rate)}{ends}"


def percent(share: float) -> str:
    """`92.5 %`."""
    return f"{100 * share:.1f} %"


def counted(number: int, one: str, several: str = "") -> str:
    """`1 case`, `2 cases`."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def cut(told: str) -> str:
    """A reason on one line, as much of it as a table shows."""
    line = inline(" ".join(told.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
