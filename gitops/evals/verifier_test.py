"""Mutation testing of the verifier: errors planted in sound claims of a wiki, and how many of each kind it catches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gitops.canonical import digest
from gitops.errors import Absent, CannotRun
from gitops.evals import tally
from gitops.evals.foretold import Foretold
from gitops.evals.planting import kinds
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import sound_claims
from gitops.evals.trials import Drawn, Trial, Tried, draw, verified
from gitops.git.failure import FETCH_MORE
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.judging import VERIFIER
from gitops.runs.measurements import Measurement
from gitops.runs.seating import Asking, Seat, seated, would_ask
from gitops.runs.verifier_tests import CAUGHT, KIND, REFUSED
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify import linting
from gitops.verify.judge import Question
from gitops.verify.panel import Panel

SAMPLE = 50
"""So many errors of each kind are planted, where there are so many claims to plant them in."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured: by which judges ('()' are the policy's), with how many errors of each kind."""

    judges: tuple[str, ...] = ()
    seed: int = 0
    sample: int = SAMPLE
    fresh: bool = False
    """Ask the judges anew what they were asked before in such a test."""
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class Tested:
    """What was planted and what the verifier said of it."""

    drawn: Drawn
    sound: int
    tried: tuple[Tried, ...]
    panel: Panel
    asking: Asking


def measure(context: Context, workspace: Workspace, commit: str, wanted: Wanted) -> Measurement:
    """Test the verifier on a revision of a wiki, and keep the result in the notes of that commit.

    CannotRun where no claim is sound, where a judge gives no answer, or where this clone lacks what has to be read.
    """
    started = context.now
    workspace = _judged_by(workspace, wanted.judges)
    tested = _tested(context, workspace, commit, wanted, Asking(fresh=wanted.fresh))
    made = _measurement(context, workspace, commit, wanted, tested, started)
    return measurements.append(context, made) if wanted.is_kept else made.named()


def rehearse(context: Context, workspace: Workspace, commit: str, wanted: Wanted) -> list[str]:
    """What judges that need a model would be asked, and about what that would cost; none of them is asked."""
    asking = Asking(fresh=wanted.fresh, only_kept=True)
    _tested(context, _judged_by(workspace, wanted.judges), commit, wanted, asking)
    questions = [(judge, [one for one in judge.unasked if isinstance(one, Question)]) for judge in asking.remembered]
    return [would_ask(judge, list(dict.fromkeys(asked))) for judge, asked in questions]


def _tested(context: Context, workspace: Workspace, commit: str, wanted: Wanted, asking: Asking) -> Tested:
    with Bench(context, workspace, commit) as bench:
        view = bench.base_view()
        try:
            paths = linting.pages(view)
            sound = list(sound_claims(view, context.progress("reading pages", paths, len(paths))))
            if not sound:
                told = f"no claim of {workspace.name} is sound: cited, its sources here, its quotations found in them"
                raise CannotRun(f"nothing to plant an error in: {told}", "git assay lint --level note says what is not")
            drawn = draw(Ground(view, sound), wanted.sample, wanted.seed)
            seat = Seat(
                workspace,
                context.folder,
                context.clock,
                operation="eval",
                purpose="test",
                base=view,
                corpus=bench.source_corpus(),
            )
            panel = seated(context, seat, bench.cache, asking)
            judges = [Foretold(judge) for judge in panel.judges]
            tried = verified(view, drawn.trials, judges, lambda trials: _watched(context, trials))
        except Absent as error:
            raise CannotRun(f"this clone lacks what has to be read: {error}", FETCH_MORE) from error
    return Tested(drawn, len(sound), tuple(tried), panel, asking)


def _judged_by(workspace: Workspace, judges: tuple[str, ...]) -> Workspace:
    """The same workspace under a policy that names other judges."""
    if not judges:
        return workspace
    verify = workspace.config.verify.model_copy(update={"judge": judges})
    return replace(workspace, config=workspace.config.model_copy(update={"verify": verify}))


def _watched(context: Context, trials: Sequence[Trial]) -> Iterator[Trial]:
    every: Iterable[Trial] = context.progress("verifying planted errors", trials, len(trials))
    yield from every


def _measurement(
    context: Context,
    workspace: Workspace,
    commit: str,
    wanted: Wanted,
    tested: Tested,
    started: str,
) -> Measurement:
    drawn, panel = tested.drawn, tested.panel
    outcomes = [tally.outcome(one) for one in tested.tried]
    metrics = tally.metrics(outcomes, drawn.not_applicable, panel.used)
    subject = {
        "verifier": VERIFIER,
        "judges": panel.seats,
        "config_snapshot": workspace.policy,
    }
    planted = digest([(trial.id, trial.now) for trial in drawn.trials])
    instrument = {
        "metrics": {KIND: kinds.VERSION},
        "sample": {"seed": wanted.seed, "size": wanted.sample, "digest": planted, "sound_claims": tested.sound},
    }
    named = digest([commit, workspace.name, subject, instrument])[:8]
    return Measurement(
        summary=_summary(metrics, panel),
        kind=KIND,
        run_id=f"{context.clock():%Y%m%d-%H%M%S}-{named}",
        commit=commit,
        workspace=workspace.name,
        suite=KIND,
        suite_version=str(kinds.VERSION),
        subject=subject,
        instrument=instrument,
        started_at=started,
        completed_at=context.now,
        samples=tuple(tally.sample(one) for one in outcomes),
        metrics=metrics,
    )


def _summary(metrics: dict[str, measurements.Metric], panel: Panel) -> str:
    caught, refused = metrics[CAUGHT], metrics[REFUSED]
    told = f"{caught.counts['refused']} of {caught.n} planted errors caught"
    told += f", {refused.counts['refused']} of {refused.n} sound claims refused"
    return f"verifier test, judge {panel.name}: {told}"
