"""What a person is shown to label: each output once, whichever repeats gave it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitops.errors import UsageError
from gitops.suites import digests, labels
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun
from gitops.suites.samples import is_cut


@dataclass(frozen=True, slots=True)
class Shown:
    """An output of a case, with all runs (repeats, variants) that gave it. `case` and `output` are None where
    the record leaves out what was asked and answered; `is_cut`: it holds the beginning of the output alone.
    """

    case_id: str
    case: BenchmarkCase | None
    output: str | None
    runs: tuple[BenchmarkRun, ...]
    is_cut: bool = False

    @property
    def suite(self) -> str:
        """The id of the suite."""
        return self.runs[0].suite_id


def waiting(runs: Sequence[BenchmarkRun]) -> list[Shown]:
    """What waits for a person: of runs whose labels are laid over them, each output of a case of mode `human` once."""
    return _once((run, each) for run in runs for each in labels.waiting(run))


def of_case(runs: Sequence[BenchmarkRun], case: str) -> list[Shown]:
    """The outputs of one case, whatever its modes. UsageError for a case that none of the runs has."""
    found = _once((run, each) for run in runs for each in run.results if each.case_id == case)
    if not found:
        from gitops.verify.registry import nearest

        known = {each.case_id for run in runs for each in run.results}
        raise UsageError(f"the run {runs[0].run_id} has no case '{case}'", nearest(case, known))
    return found


def only(shown: Sequence[Shown]) -> Shown:
    """The one output that is meant. UsageError where repeats, variants or suites gave several."""
    if len(shown) == 1:
        return shown[0]
    if suites := sorted({one.suite for one in shown})[1:]:
        told = f"{len(suites) + 1} suites have a case '{shown[0].case_id}'"
        raise UsageError(told, f"--suite {shown[0].suite} says which")
    told = f"the case {shown[0].case_id} has {len(shown)} different outputs"
    first = shown[0].runs[0]
    which = f"--variant {first.variant}" if first.variant else f"--repeat {first.repeat}"
    raise UsageError(told, f"{which} says which; without pass or fail each is shown and asked for")


def _once(found: Iterable[tuple[BenchmarkRun, BenchmarkResult]]) -> list[Shown]:
    groups: dict[tuple[str, str, str | None, int], list[BenchmarkRun]] = {}
    cases: dict[tuple[str, str], BenchmarkCase] = {}
    for number, (run, result) in enumerate(found, 1):
        suite = digests.suite_of(run)
        cases |= {(run.suite_id, case.case_id): case for case in (suite.cases if suite is not None else ())}
        output = result.actual_output
        # Of what the record holds in part, or not at all, nobody knows whether it is the same.
        apart = number if output is None or is_cut(output) else 0
        groups.setdefault((run.suite_id, result.case_id, output, apart), []).append(run)
    return [
        Shown(case, cases.get((suite, case)), output, tuple(runs), output is not None and is_cut(output))
        for (suite, case, output, _), runs in groups.items()
    ]
