"""Makes a regression case of a case that failed in a benchmark run: what it asked, tagged with how it failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gitops.canonical import digest
from gitops.errors import UsageError
from gitops.runs.context import Context
from gitops.suites import digests, labels, recalling
from gitops.suites.loaded import Loaded
from gitops.suites.model import BenchmarkCase, BenchmarkResult, BenchmarkRun, BenchmarkSuite
from gitops.suites.remembered import run_of
from gitops.suites.scrubbing import Scrubber

FAILED = ("fail", "error", "timeout")


@dataclass(frozen=True, slots=True)
class Caught:
    """The case that was made of one that failed, the suite of that one, and the digests of the files that it found."""

    case: BenchmarkCase
    suite: BenchmarkSuite
    files: Mapping[str, str]

    def strange_to(self, loaded: Loaded) -> Iterator[str]:
        """Why it may come to something else as a case of another suite."""
        if self.suite.runs != loaded.suite.runs:
            yield f"{loaded.path} asks its target in another way than {self.suite.suite_id} did"
        if dict(self.files) != dict(loaded.files):
            yield f"{loaded.path} gives its cases other 'files' than {self.suite.suite_id} did"


def case_of(context: Context, run_id: str, named: str, scrubber: Scrubber | None, case_id: str = "") -> Caught:
    """The regression case of one that failed in a run. UsageError where it did not, or is gone.

    `named` is its id, `suite/case` where the run was of several suites, '' the only one that failed. What people said
    of cases counts. The new case expects what the old one does: who wants something else of it edits the file.
    """
    runs = labels.labelled(context, [run_of(one) for one in recalling.of_run(context, run_id)])
    run, result = _failed(runs, run_id, named)
    suite = digests.suite_of(run)
    case = next((one for one in suite.cases if one.case_id == result.case_id), None) if suite is not None else None
    if suite is None or case is None:
        told = f"the record of {run_id} does not hold what case {result.case_id} asked: no record keeps real sessions"
        raise UsageError(told, "the case is below data/benchmarks/ of the machine that ran it")
    value = case.model_dump(mode="json")
    if scrubber is not None:
        clean = scrubber.value({name: value[name] for name in ("description", "input", "expected", "tags")})
        clean["expected"]["mode"] = case.expected.mode
        value |= clean
    tags = dict.fromkeys([*value["tags"], result.category or result.status, *([] if scrubber else ["not-anonymised"])])
    value |= {"tags": list(tags), "source": "regression"}
    value["case_id"] = case_id or f"{case.case_id[:50]}-{digest([value['input'], value['expected']])[:8]}"
    return Caught(BenchmarkCase.model_validate(value), suite, digests.files_of(run))


def _failed(runs: Sequence[BenchmarkRun], run_id: str, named: str) -> tuple[BenchmarkRun, BenchmarkResult]:
    """The first repeat in which a case failed, and what came of it there."""
    failed: dict[str, tuple[BenchmarkRun, BenchmarkResult]] = {}
    for run in runs:
        for result in run.results:
            if result.status in FAILED:
                failed.setdefault(f"{run.suite_id}/{result.case_id}", (run, result))
    if len({run.suite_id for run in runs}) == 1:
        failed = {name.partition("/")[2]: each for name, each in failed.items()}
    if named in failed:
        return failed[named]
    if named:
        raise UsageError(f"case {named} did not fail in {run_id}", f"failed are: {_some(failed) or 'none'}")
    if not failed:
        raise UsageError(f"no case failed in {run_id}", "git assay benchmark list shows what was run")
    if len(failed) > 1:
        raise UsageError(f"which case of {run_id}? {len(failed)} failed", f"--case NAME: {_some(failed)}")
    return next(iter(failed.values()))


def _some(names: dict[str, tuple[BenchmarkRun, BenchmarkResult]]) -> str:
    return ", ".join(list(names)[:8]) + (", …" if len(names) > 8 else "")
