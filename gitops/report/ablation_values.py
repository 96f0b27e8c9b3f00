"""What is told of an ablation: its variants side by side, what differs between them, whether any was shown to do harm.

Values only: `ablation` shows them on a terminal, `ablation_md` in Markdown, `ablation_page` in HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gitops.comparing.recalling import key
from gitops.report import deltas
from gitops.report.deltas import Deltas
from gitops.report.figures import NONE, Figures
from gitops.report.visible import inline
from gitops.suites.ablations import METRICS, Variant
from gitops.suites.concluding import Conclusion, Scored
from gitops.suites.harms import Finding

LABELS = {
    "pass_rate": "pass rate",
    "mean_quality_score": "quality",
    "mean_latency_ms": "latency (ms)",
    "mean_token_cost": "tokens",
}
HELD = ("treatment", "metric", "difference", "95 %", "held")
"""The columns of what is held to the margin; why stands below."""
Tone = Literal["healthy", "degraded", "broken"]
_CALLED = {"no_harm": "no harm", "harm": "harm", "cannot_tell": "cannot tell"}
_SHORT = 8
_FLIPPED = re.compile(r"(?<=: )(passed and fails now|failed and passes now|new, and fails): ")


@dataclass(frozen=True, slots=True)
class Row:
    """One finding as cells, and what it comes to."""

    cells: tuple[str, ...]
    held: str
    why: str


def title(conclusion: Conclusion) -> str:
    """What is compared: `main → HEAD, low effort`."""
    control, *treatments = (inline(one.name) for one in conclusion.variants)
    return f"{control} → {', '.join(treatments)}"


def sizes(conclusion: Conclusion) -> str:
    """`2 suites, 24 cases, 5 repeats of each of 3 variants, interleaved (seed 0)`."""
    studies = conclusion.ablation.studies
    cases = sum(len({each.id for each in study.variants[0].repeats[0].samples}) for study in studies)
    arm = conclusion.variants[0].arm
    parts = (_counted(len(studies), "suite"), _counted(cases, "case"), _counted(arm.repeats, "repeat"))
    return f"{', '.join(parts)} of each of {len(arm.variants)} variants, interleaved (seed {arm.seed})"


def verdict(conclusion: Conclusion) -> tuple[Tone, str]:
    """What the ablation comes to, in a sentence."""
    by = {held: [one for one in conclusion.findings if one.harm.held == held] for held in _CALLED}
    if by["harm"]:
        return "broken", f"{_named(by['harm'])} {'does' if _alone(by['harm']) else 'do'} harm"
    if by["cannot_tell"] or not conclusion.findings:
        whom = _named(by["cannot_tell"]) if by["cannot_tell"] else "a treatment"
        return "degraded", f"whether {whom} {'does' if _alone(by['cannot_tell']) else 'do'} harm cannot be told"
    margin = f"no more than {conclusion.margin:g} worse than the control in pass rate"
    judged = " and quality" if any(one.metric != "pass_rate" for one in conclusion.findings) else ""
    return "healthy", f"every treatment was shown to do no harm: {margin}{judged}"


def _named(found: Sequence[Finding]) -> str:
    *names, last = dict.fromkeys(inline(one.treatment) for one in found)
    return f"{', '.join(names)} and {last}" if names else last


def _alone(found: Sequence[Finding]) -> bool:
    return len({one.treatment for one in found}) < 2


def overview(conclusion: Conclusion) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """A table of the variants: its columns, and a row for each metric with mean ± standard deviation over repeats."""
    control, *treatments = (inline(one.name) for one in conclusion.variants)
    rows: dict[tuple[str, str], list[Scored]] = {}
    for one in conclusion.scores:
        rows.setdefault((one.suite, one.metric), []).append(one)
    told = [(label(conclusion, *named), *(score(each, every) for each in every)) for named, every in rows.items()]
    return ("metric", f"{control} (control)", *treatments), told


def shown(conclusion: Conclusion) -> list[Deltas]:
    """The differences of each treatment, in the order of suites and of `LABELS`."""
    return [_renamed(conclusion, each) for each in deltas.deltas(conclusion.comparison)]


def held(conclusion: Conclusion) -> list[Row]:
    """What was held to the margin, and what it comes to."""
    return [_row(conclusion, one) for one in conclusion.findings]


def variants(conclusion: Conclusion) -> Iterator[tuple[str, str, str]]:
    """Each variant: its name, its commit, and what it has otherwise than the control."""
    for one in conclusion.variants:
        yield inline(one.name), one.commit[:10], _otherwise(conclusion, one)


def legend(conclusion: Conclusion) -> tuple[str, ...]:
    """What the words of the tables mean."""
    several = conclusion.variants[0].arm.repeats > 1
    spread = ("±: the standard deviation of the repeats",) if several else ()
    return (*spread, *deltas.legend(conclusion.comparison))


def _otherwise(conclusion: Conclusion, variant: Variant) -> str:
    """The calibrated keys with the beginnings of both digests, and what targets were told besides."""
    before = _state(conclusion, conclusion.variants[0])
    after = _state(conclusion, variant)
    keys = conclusion.differing.get(variant.name, ())
    told = [f"{each} {_short(before.get(each, ''))} → {_short(after.get(each, ''))}" for each in keys]
    if variant.arm.overrides:
        told.append(f"told besides {', '.join(sorted(variant.arm.overrides))}")
    return inline("; ".join(told))


def _state(conclusion: Conclusion, variant: Variant) -> dict[str, str]:
    same = [each for study in conclusion.ablation.studies for each in study.variants if each.name == variant.name]
    return {name: value for each in same for name, value in each.arm.calibrated.items()}


def _short(digest: str) -> str:
    return digest[:_SHORT] or "none"


def _row(conclusion: Conclusion, one: Finding) -> Row:
    number, ends = Figures(3), one.harm.interval
    cells = (
        inline(one.treatment),
        label(conclusion, one.suite, one.metric),
        number.signed(one.harm.difference),
        " … ".join(map(number.signed, ends)) if ends else NONE,
    )
    return Row(cells, one.harm.held, inline(one.why))


def called(row: Row) -> str:
    """What a row comes to, in words."""
    return _CALLED[row.held]


def label(conclusion: Conclusion, suite: str, metric: str) -> str:
    """What people call a metric of a suite."""
    name = LABELS.get(metric, metric)
    return name if len(conclusion.ablation.studies) == 1 else f"{inline(suite)}: {name}"


def score(one: Scored, beside: Sequence[Scored]) -> str:
    """A mean ± its standard deviation, with as many digits as those beside it."""
    if one.mean is None:
        return NONE
    number = _figures([each.mean.value for each in beside if each.mean is not None], one.unit)
    spread = "" if one.mean.spread is None else f" ± {number.plain(one.mean.spread)}"
    return number.plain(one.mean.value) + spread


def _figures(values: Sequence[float], unit: str) -> Figures:
    if unit in ("share", "score"):
        return Figures(3)
    return Figures(0 if min(map(abs, values)) >= 100 else 1)


def _renamed(conclusion: Conclusion, each: Deltas) -> Deltas:
    """The same with metrics as people call them, and in the order in which the table of variants has them."""
    names = {}
    for study in conclusion.ablation.studies:
        first = study.variants[0].repeats[0]
        names.update({key(first, name): label(conclusion, study.suite, name) for name in METRICS})
    pattern = re.compile("|".join(sorted(map(re.escape, names), key=len, reverse=True)))

    def called_so(told: str) -> str:
        return pattern.sub(lambda found: names[found[0]], told)

    order, is_alone = list(names), len(conclusion.ablation.studies) == 1
    mine = [one for one in conclusion.comparison.compared if inline(one.other.name) == each.compared]
    levelled = [f"{one.metric}: {one.why}" for one in mine if one.reading == "no_difference_shown" and one.why]
    told = map(called_so, (*levelled, *each.remarks))
    rows = sorted(each.rows, key=lambda row: order.index(row.cells[0]) if row.cells[0] in order else len(order))
    return replace(
        each,
        rows=tuple(replace(row, cells=(called_so(row.cells[0]), *row.cells[1:])) for row in rows),
        remarks=tuple(dict.fromkeys(_of_cases(one) if is_alone else one for one in told)),
        not_compared=tuple(map(called_so, each.not_compared)),
        subjects="",
    )


def _of_cases(remark: str) -> str:
    """What is said of a case, without the metrics: it passes or fails in all of them alike."""
    found = _FLIPPED.search(remark)
    return remark[found.start() :] if found else remark


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
