"""What got worse since the baseline, case by case (silas 20.5).

A case that passed in every repeat and passes in none now regressed. So did one whose judge's score fell by more than
0.1, and one that takes more than half as long again and longer by more than the suite's floor, if that is more than
repeats of it differ; and one that passes in fewer repeats, where some do not come out as others did, if Fisher's exact
test shows it. All that is tested of one suite is adjusted together (Holm) at 5 %, one-sided: so chance alone finds
something in one comparison of twenty at most, where there are as many repeats now as at the baseline, and enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gitops.stats.holm import holm
from gitops.suites.beside import Beside
from gitops.suites.flaky import FlakyRate
from gitops.suites.model import BenchmarkRun
from gitops.suites.regressed import ALPHA, Kind, Regression, Tested
from gitops.suites.worse import judged, passing, slower

__all__ = ["ALPHA", "Findings", "Regression", "findings", "regressions"]


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of a suite's cases since the baseline.

    `lost` are those that passed and of which nothing is known now, or too little, with why; `changed` those that ask or
    expect something else now, `new` those that the baseline has not. `flaky` are those that differed between repeats at
    the baseline, with their rates then and now (None: not tried now), `doubtful` those that came out worse, but by no
    more than chance may do.
    """

    regressions: tuple[Regression, ...] = ()
    lost: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    flaky: Mapping[str, tuple[FlakyRate, FlakyRate | None]] = field(default_factory=dict)
    doubtful: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def regressions(baseline: Sequence[BenchmarkRun], now: Sequence[BenchmarkRun]) -> list[Regression]:
    """What regressed of a suite between two runs, each by its repeats. Errors as those of `findings`."""
    return list(findings(baseline, now).regressions)


def findings(baseline: Sequence[BenchmarkRun], now: Sequence[BenchmarkRun]) -> Findings:
    """Everything that became of a suite's cases between two runs, each by its repeats; labels of persons applied.

    ValueError for runs of two suites, or none; CannotRun where scores or latencies that vary got worse, and SciPy is
    not there to test them.
    """
    if not baseline or not now or len({run.suite_id for run in (*baseline, *now)}) != 1:
        raise ValueError("what regressed is told of two runs of one suite")
    both = Beside(baseline, now)
    shown, doubtful = _shown([*passing(both, ALPHA), *judged(both), *slower(both)])
    return Findings(
        tuple(sorted(shown, key=lambda one: both.place(one.case_id))),
        both.lost,
        both.changed,
        both.new,
        {name: (rate, both.after.get(name)) for name, rate in both.before.items() if rate.is_flaky},
        doubtful,
        (both.untimed,) if both.untimed else (),
    )


def _shown(tested: Sequence[Tested]) -> tuple[list[Regression], dict[str, str]]:
    """Those that are worse by more than chance may do, and those that are not, in words."""
    adjusted = iter(holm([each.p for each in tested if each.p is not None and each.could_show]))
    shown: dict[tuple[str, Kind], Regression] = {}
    doubted: list[Regression] = []
    for each in tested:
        p = None if each.p is None else next(adjusted) if each.could_show else 1.0
        told = each.found.told if p is None else f"{each.found.told} ({_chance(p, could_show=each.could_show)})"
        found = replace(each.found, told=told)
        if each.is_worse and (p is None or p <= ALPHA):
            shown.setdefault((found.case_id, found.kind), found)
        elif each.is_worse:
            doubted.append(found)
    doubtful: dict[str, dict[Kind, str]] = {}
    for found in doubted:
        if (found.case_id, found.kind) not in shown:
            doubtful.setdefault(found.case_id, {}).setdefault(found.kind, found.told)
    return [*shown.values()], {name: "; ".join(told.values()) for name, told in doubtful.items()}


def _chance(p: float, *, could_show: bool) -> str:
    if not could_show:
        return "too few repeats to tell"
    return f"p {p:.2g}" if p <= ALPHA else f"p {p:.2g}: chance may do that"
