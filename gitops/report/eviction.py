"""What is learned from what was kept back, in words: rates, patterns, weights and how well they foretell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from gitops.eviction.calibrating import Calibrated, Part
from gitops.eviction.heuristic import Weights
from gitops.eviction.predicting import Band, Measured
from gitops.eviction.rates import Rate, Rates
from gitops.report import text
from gitops.report.visible import inline
from gitops.stats.bootstrap import Interval

_STYLES = {"better": "green", "worse": "bold red", "no_difference_shown": ""}
_TITLES = {"auroc": "AUROC", "log_loss": "log loss", "brier": "Brier score"}
_SHOWN = 20
"""So many scopes are shown; `--json` has all."""
_NAME = 34
"""So many characters of a name are shown: with the numbers beside it a line has eighty."""


def report_words(found: Rates) -> RenderableType:
    """The counts, a table of rates for each way of telling candidates apart, and the patterns."""
    resolved = found.resolved
    total = sum(resolved.values())
    by = ", ".join(f"{count:,} by {who}" for who, count in resolved.items() if count)
    parts: list[RenderableType] = [Text(f"{total:,} proposal{'s' * (total != 1)} resolved: {by}", style="bold")]
    if resolved["auto"]:
        parts.append(Text("what nobody answered in time says nothing of need, and is in no rate", style="dim"))
    if found.overall.n:
        parts += [Text(), _table("kept back", [found.overall])]
        for title, rates in (("zone", found.zones), ("age in turns", found.ages), ("score", found.scores)):
            parts += [Text(), _table(title, rates)]
        if len(found.scorers) > 1:
            parts += [Text(), _table("scorer", found.scorers)]
        if len(found.scopes) > 1:
            parts += [Text(), _table("scope", _most(found.scopes))]
        if (left := len(found.scopes) - _SHOWN) > 0:
            parts.append(Text(f"and {left:,} more scopes: --json has them", style="dim"))
        parts += [Text(), Text(f"intervals at 95 %, by {found.unit}; scores are means", style="dim")]
    parts += [Text(inline(each.told), style="yellow") for each in found.remarks]
    return Group(*parts)


def _most(rates: Sequence[Rate]) -> list[Rate]:
    return sorted(rates, key=lambda each: (-each.n, each.name))[:_SHOWN]


def _table(title: str, rates: Sequence[Rate]) -> RenderableType:
    return text.table((title, "kept back", "95 %", "of", "proposals", "score"), [list(_cells(each)) for each in rates])


def _cells(found: Rate) -> Iterator[RenderableType]:
    yield Text(_name(inline(found.name)))
    yield Text(f"{found.rate or 0:.0%}")
    yield Text(_share(found.interval))
    yield Text(f"{found.n:,}")
    yield Text(f"{found.proposals:,}")
    yield Text("-" if found.score is None else f"{found.score:.2f}")


def _name(name: str) -> str:
    """The beginning and the end of a long name: scopes of one run begin alike."""
    return name if len(name) <= _NAME else f"{name[: _NAME // 2]}…{name[-(_NAME - _NAME // 2 - 1) :]}"


def _share(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval[0]:.0%}–{interval[1]:.0%}"


def calibration_words(found: Calibrated, table: str, written: str = "") -> RenderableType:
    """The parts, the weights before and after, the measures on the held part, and what to do with it."""
    how = "what came last" if found.by_time else f"drawn by seed {found.seed}"
    parts: list[RenderableType] = [
        Text(f"fitted on {_part(found.fitted)}"),
        Text(f"shown on  {_part(found.held)} ({how}, no {found.unit} in both)"),
        Text(),
        _weights(found.before, found.after, "fitted"),
        Text(),
        text.table(
            ("foretelling", "weights", "value", "95 %", "is"),
            [row for each in found.measured for row in _measure(each)],
        ),
        Text("AUROC is better the higher it is, the others the lower", style="dim"),
        Text(),
        _bands(found),
        Text(),
    ]
    if not any(each.reading == "better" for each in found.measured):
        told = "nothing shows that the fitted weights foretell better than the present ones: leave those as they are"
        parts += [Text(told, style="yellow"), Text()]
    if written:
        parts.append(Text(f"wrote {inline(written)}"))
    else:
        parts += [Text(line) for line in table.rstrip().split("\n")]
    parts.append(
        Text(
            "put it into assay.toml, and show by git assay benchmark ablation that it does no harm before it lands",
            style="dim",
        )
    )
    return Group(*parts)


def _part(found: Part) -> str:
    return (
        f"{found.n:,} candidates, {found.kept:,} of them kept back, "
        f"of {found.proposals:,} proposals in {found.scopes:,} scopes"
    )


def _weights(before: Weights, after: Weights, heading: str) -> RenderableType:
    rows = [
        (Text(name), Text(f"{old:.4g}"), Text(f"{new:.4g}"), Text(f"{new - old:+.2f}"))
        for (name, old), new in zip(before.named().items(), after.values, strict=True)
    ]
    return text.table(("weight", "present", heading, "moved"), rows)


def _measure(found: Measured) -> Iterator[list[RenderableType]]:
    """Three rows: by the present weights, by the fitted ones, and the second less the first."""
    for heading, name, value, interval in (
        (_TITLES[found.name], "present", found.before, found.before_interval),
        ("", "fitted", found.after, found.after_interval),
    ):
        yield [Text(heading), Text(name), Text(_number(value)), Text(_interval(interval)), Text()]
    reading = Text(found.reading.replace("_", " "), style=_STYLES[found.reading])
    told = _number(found.difference, sign=True), _interval(found.interval, sign=True)
    yield [Text(), Text("difference"), *map(Text, told), reading]


def _bands(found: Calibrated) -> RenderableType:
    rows = [
        [Text(name), *_band(each)]
        for name, bands in (("present", found.bands_before), ("fitted", found.bands_after))
        for each in bands
    ]
    return text.table(("weights", "scores", "foretold", "kept back", "95 %", "of"), rows)


def _band(found: Band) -> Iterator[Text]:
    yield Text(f"{found.low:.2f}–{found.high:.2f}")
    yield Text(f"{found.predicted:.0%}")
    yield Text(f"{found.observed:.0%}")
    yield Text(_share(found.interval))
    yield Text(f"{found.n:,}")


def online_words(policy: Weights, now: Weights, followed: Part, suites: Sequence[str]) -> RenderableType:
    """The weights of the policy and those that feedback has moved them to."""
    told = f"online, by {_part(followed)}; no harm is shown on {inline(', '.join(suites))}"
    return Group(Text(told, style="bold"), _weights(policy, now, "now"))


def _number(value: float | None, *, sign: bool = False) -> str:
    return "-" if value is None else f"{value:+.3f}" if sign else f"{value:.3f}"


def _interval(found: Interval | None, *, sign: bool = False) -> str:
    if found is None:
        return "-"
    return f"{found[0]:+.3f} to {found[1]:+.3f}" if sign else f"{found[0]:.3f}–{found[1]:.3f}"
