"""Runs the benchmark suites that a change affects, and holds them to the baselines that its base has accepted.

The suites are the base's, with their files; what they run is the change's own code, in each suite's sandbox. A suite
that only the change has runs too, and gates nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops import assembly
from gitops.ci import suite_guards as guards
from gitops.ci import suite_rows
from gitops.ci.findings import clipped
from gitops.ci.result import SuiteRow
from gitops.ci.spans import Span
from gitops.ci.suite_answers import How, SuiteAnswers, name_of
from gitops.ci.suite_subject import configured, subject
from gitops.ci.suites_touched import Touched
from gitops.errors import AssayError, CannotRun
from gitops.runs.context import Context, epoch_of
from gitops.runs.printed_ci_benchmarks import MOST_CASES
from gitops.runs.workspace import Workspace
from gitops.suites import baselines, flow
from gitops.suites.affected import Affected
from gitops.suites.loading import Loaded
from gitops.suites.model import BenchmarkRun
from gitops.suites.regressions import findings

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Answer:
    """The row of a suite; why it cannot be told what it is held to, and what mends that or has it run."""

    row: SuiteRow
    missing: str = ""
    mend: str = ""
    runs: tuple[BenchmarkRun, ...] = ()


def answers(context: Context, workspace: Workspace, span: Span, hit: Touched, how: How) -> SuiteAnswers:
    """Run what is affected and compare it. Whatever keeps a suite from running is told in its row."""
    if not (hit.base or hit.new) or not how.is_on:
        return _folded(hit, _not_run(hit))
    try:
        bench = _Bench(context, workspace, span, how, subject(context, workspace, span))
        there = configured(context, workspace, bench.commit)
    except AssayError as error:
        return _folded(hit, [Answer(row, error.message, error.hint) for row in (each.row for each in _not_run(hit))])
    found = [bench.held(there, each) for each in hit.base]
    return _folded(hit, [*found, *(bench.shown(there, each) for each in hit.new)])


@dataclass(frozen=True, slots=True)
class _Bench:
    """What is measured: `commit` is what would land, by the base's suites."""

    context: Context
    workspace: Workspace
    span: Span
    how: How
    commit: str

    def held(self, there: Workspace, each: Affected) -> Answer:
        """A suite of the base, beside its baseline."""
        loaded, because = each.loaded, clipped(each.because)
        try:
            held = _held(self.context, self.workspace, self.span.base, loaded)
        except AssayError as error:
            why = f"its baseline cannot be read: {error.message}"
            row = _none(loaded, because, why, ()).model_copy(update={"verdict": "no answer"})
            return Answer(row, f"{name_of(row)} was not run: {why}", error.hint)
        before = held.runs if held is not None else ()
        try:
            runs = self._run(there, loaded, repeats_of(loaded, before))
            row = suite_rows.begun(loaded, because, runs)
            if held is not None:
                row = suite_rows.compared(loaded, because, runs, held, findings(before, runs))
        except AssayError as error:
            return Answer(_none(loaded, because, error.message, before), mend=error.hint)
        return Answer(row, runs=tuple(runs))

    def shown(self, there: Workspace, each: Affected) -> Answer:
        """A suite that the change brings in."""
        row = suite_rows.begun(each.loaded, each.because)
        try:
            if each.loaded.suite.limits.network and not self.how.is_told:
                raise CannotRun("it asks for the network, which no suite of the change's own gets", guards.TELL)
            runs = self._run(there, each.loaded)
        except AssayError as error:
            return Answer(row.model_copy(update={"verdict": "new", "why": clipped(error.message)}))
        made = suite_rows.begun(each.loaded, each.because, runs)
        return Answer(made.model_copy(update={"verdict": "new"}), runs=tuple(runs))

    def _run(self, there: Workspace, loaded: Loaded, repeats: int = 0) -> list[BenchmarkRun]:
        """Run it against what would land. Judges and models that cost something are asked only where that is wanted."""
        guards.demand_harmless(loaded, self.how)
        judge = None
        if any("llm_judge" in case.expected.modes for case in loaded.suite.cases):
            judge = assembly.criteria_judge(self.context, guards.judged_freely(self.workspace, self.how))
        tree = self.context.tree(self.commit) if self.commit != self.span.head else None
        wanted = flow.Wanted(repeats=repeats, jobs=self.how.jobs)
        asking = guards.prompting(self.context, there, self.commit, self.how)
        return flow.run_suite(self.context, there, self.span.head, loaded, wanted, judge, prompt=asking, tree=tree)


def repeats_of(loaded: Loaded, held: Sequence[BenchmarkRun]) -> int:
    """How often a suite is run to be held to a baseline: as often as that was, or the suite says, if that is more."""
    return max(loaded.suite.repeats, len(held))


def _held(context: Context, workspace: Workspace, base: str, loaded: Loaded) -> suite_rows.Held | None:
    """The baseline that the base has accepted; what the change says of one counts for nothing."""
    found = baselines.baseline_of(context, workspace, base, loaded)
    if found is None:
        return None
    age = max(0.0, (context.epoch - epoch_of(found.measured_at)) / _DAY)
    return suite_rows.Held(tuple(found.runs), found.told, found.measured_at, age)


def _none(loaded: Loaded, because: str, why: str, held: Sequence[BenchmarkRun]) -> SuiteRow:
    """A suite that could not be run: whatever passed at its baseline has no answer."""
    passed = dict.fromkeys(each.case_id for run in held for each in run.results if each.status == "pass")
    told = {"verdict": "no answer" if held else "no baseline", "lost": tuple(map(clipped, passed))[:MOST_CASES]}
    return suite_rows.begun(loaded, because).model_copy(update={**told, "why": clipped(why)})


def _not_run(hit: Touched) -> list[Answer]:
    rows = (suite_rows.begun(each.loaded, clipped(each.because)) for each in (*hit.base, *hit.new))
    return [Answer(row.model_copy(update={"verdict": "not run"})) for row in rows]


def _folded(hit: Touched, found: Sequence[Answer]) -> SuiteAnswers:
    told = next((each.missing for each in found if each.missing), "")
    mend = next((each.mend for each in found if each.mend and (each.missing or not told)), "")
    if hit.broken:
        told, mend = f"the change leaves a suite that cannot be read: {hit.broken[0]}", "mend it"
    if hit.missing:
        told, mend = hit.missing, hit.mend
    results = [one for each in found for run in each.runs for one in run.results]
    return SuiteAnswers(
        tuple(each.row for each in found)[:100],
        hit.unablated,
        clipped(told),
        mend,
        _unanswered(found),
        tuple(_remarks(hit, found)),
        sum(one.token_cost for one in results),
        sum(one.usd for one in results),
    )


def _unanswered(found: Sequence[Answer]) -> str:
    """That a suite of the base has no baseline, so that nothing was gated by it."""
    bare = [each.row for each in found if each.row.verdict == "no baseline"]
    if not bare:
        return ""
    more = f" and {len(bare) - 1:,} more" if len(bare) > 1 else ""
    have = "have" if more else "has"
    return f"{name_of(bare[0])}{more} {have} no baseline, nothing gated"


def _remarks(hit: Touched, found: Sequence[Answer]) -> Iterator[str]:
    for each in found:
        if each.row.verdict == "no baseline":
            yield f"{each.row.suite} has no baseline: git assay benchmark baseline RUN accepts a run of it as one"
    if off := [each.row.suite for each in found if each.row.verdict == "not run"]:
        yield f"benchmarks were not run, and the change affects {', '.join(off[:5])}"
    yield from (f"at the base, and so not run: {told}" for told in hit.faults)
