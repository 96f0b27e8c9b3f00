"""Measures: runs metrics on a commit one by one, bounds what they spend, and gives a measurement for each.

What a metric raises is its own affair: its measurement says so, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from gitops.errors import Absent, AssayError, OutOfBudget
from gitops.evals.metric import Metric, MetricResult, not_measured
from gitops.evals.stating import failed, stated
from gitops.evals.subject import Subject
from gitops.runs import evalruns, goldrows, measurements, names
from gitops.runs.answered import Answering
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.seating import Asking, left, would_ask
from gitops.runs.transcripts import Transcript
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import Question


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured, and how.

    `size` None is each metric's own sample. `fresh` asks judges anew what they were asked before; `only_kept` asks none
    that costs something. `is_past`: the commit is one of the past, and is measured as of its own time.
    """

    metrics: Mapping[str, Metric]
    seed: int = 0
    size: int | None = None
    fresh: bool = False
    only_kept: bool = False
    is_past: bool = False
    answering: Answering | None = None
    preset: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measurement that is recorded nowhere yet, with what it used and what was said for it."""

    measurement: Measurement
    used: Usage
    asking: Asking

    @property
    def transcripts(self) -> Sequence[Transcript]:
        """What was said to judges that are models, and what they answered."""
        return self.asking.transcripts


def measured(
    context: Context,
    workspace: Workspace,
    commit: str,
    wanted: Wanted,
    known: Sequence[Measurement] | None = None,
    settled: Callable[[Measured], None] | None = None,
    opening: Callable[[Context, Workspace, str], Bench] = Bench,
) -> list[Measured]:
    """Measure a commit by each metric in turn. `known` are all measurements there are, read where not given.

    `settled` is called with each as soon as it is there, so that a kill loses one at most. `opening` opens the caches.
    """
    past = measurements.everything(context) if known is None else known
    found: list[Measured] = []
    with opening(context, workspace, commit) as bench:
        for each in _each(bench, wanted, past):
            found.append(each)
            if settled is not None:
                settled(each)
    return found


def kept(
    context: Context,
    workspace: Workspace,
    commit: str,
    wanted: Wanted,
    target: str,
    told: Callable[[Measurement], None] = lambda measurement: None,
) -> list[Measurement]:
    """Measure a commit and record each measurement as soon as it is there; `told` is called with it.

    `target` is the branch whose log gets their lines, '' for none. Gold that was asked is brought into the index too.
    CannotRun, with nothing measured, where measurements have to be signed and there is no key.
    """
    if not wanted.is_past:
        evalruns.demand_key(context, workspace, commit)

    def keep(found: Measured) -> None:
        evalruns.record(context, workspace, found.measurement, target, found.used, found.transcripts)
        told(found.measurement)

    found = measured(context, workspace, commit, wanted, settled=keep)
    if "M3" in wanted.metrics and not wanted.is_past:
        goldrows.mirrored(context)
    return [each.measurement for each in found]


def rehearsed(context: Context, workspace: Workspace, commit: str, wanted: Wanted) -> list[str]:
    """What judges and answerers that need a model would be asked; none of them is asked, and nothing is kept."""
    told: list[str] = []
    preset = wanted.preset or workspace.config.llm.writer
    is_free = workspace.config.llm.preset(preset).provider == "offline"
    wanted = replace(wanted, only_kept=True, answering=wanted.answering if is_free else None)
    for found in measured(context, workspace, commit, wanted):
        name = found.measurement.suite
        for judge in found.asking.remembered:
            asked = list(dict.fromkeys(one for one in judge.unasked if isinstance(one, Question)))
            pairs = len({one for one in judge.unasked if not isinstance(one, Question)})
            told += [f"{name}: {would_ask(judge, asked)}"] if asked else []
            told += [f"{name}: {judge.id} would be asked about {pairs} pairs of claims"] if pairs else []
        if name == "M3" and not is_free:
            price = "git assay query --dry-run tells what one costs"
            told.append(f"{name}: preset '{preset}' would be asked each gold query; {price}")
    return told


def _each(bench: Bench, wanted: Wanted, known: Sequence[Measurement]) -> Iterator[Measured]:
    context, workspace = bench.context, bench.workspace
    moment = _moment(context, bench.base, wanted)
    budget, spent = workspace.config.llm.budgets.of("eval"), NOTHING
    for name, metric in wanted.metrics.items():
        subject = Subject(
            bench,
            moment,
            names.new_id(context.clock()),
            wanted.seed,
            wanted.size,
            Asking(fresh=wanted.fresh, only_kept=wanted.only_kept, spent=asdict(spent)),
            wanted.answering,
            wanted.preset,
            left(budget, asdict(spent)),
            earlier(known, name, workspace.name, moment, is_past=wanted.is_past),
        )
        started = context.now
        result = _result(context, name, metric, subject, wanted, known)
        used = result.used if result.used.calls else subject.asking.used
        spent += used
        made = stated(subject, name, metric, replace(result, used=used), started, is_past=wanted.is_past)
        yield Measured(made, used, subject.asking)


def _moment(context: Context, commit: str, wanted: Wanted) -> datetime:
    return datetime.fromtimestamp(context.commit(commit).time, UTC) if wanted.is_past else context.clock()


def earlier(
    known: Sequence[Measurement], metric: str, workspace: str, moment: datetime, *, is_past: bool
) -> list[Measurement]:
    """The measurements of a metric that speak of a time before `moment`, oldest first.

    Those of past commits (`eval run --at`) count for such alone: a trend mixes no two clocks.
    """
    of_metric = (one for one in known if one.is_of(metric, workspace))
    told = [(spoken_of(one), one) for one in of_metric if is_past or not one.is_past]
    now = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    return [one for at, one in sorted(told, key=lambda each: (each[0], each[1].id)) if at < now]


def spoken_of(measurement: Measurement) -> str:
    """The moment that a measurement speaks of: when it was made, or of a past commit the commit's own."""
    return str(measurement.subject.get("moment") or measurement.completed_at)


def _result(
    context: Context, name: str, metric: Metric, subject: Subject, wanted: Wanted, known: Sequence[Measurement]
) -> MetricResult:
    if not wanted.is_past and (last := _last(known, name, subject.workspace.name)) > context.now:
        told = f"the clock went backwards: it is {context.now}, and {name} was last measured at {last}"
        return not_measured(told)
    try:
        return metric.compute(subject)
    except OutOfBudget as error:
        return not_measured(f"the budget of [llm.budgets.eval] ran out: {error.message}")
    except AssayError as error:
        return not_measured(f"{error.message}; {error.hint}" if error.hint else error.message)
    except Absent as error:
        return not_measured(f"this clone lacks what has to be read: {error}")
    except Exception as error:
        return failed(context, name, error)


def _last(known: Sequence[Measurement], name: str, workspace: str) -> str:
    mine = (one for one in known if one.is_of(name, workspace) and not one.is_past)
    return max((one.completed_at for one in mine), default="")
