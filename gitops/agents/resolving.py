"""`git assay lint --resolve-contradictions`: one run of type lint that settles what M5 found, as far as can be told.

Nothing that a source says is thrown away: see `reconciling` for what the offline writer does, `resolving_claude` for
a model.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.agents import disagreements, lint_runs, reconciling, revising
from gitops.agents.disagreements import Contradiction, Disagreement
from gitops.agents.ingesting import demand_canonical
from gitops.agents.lint_runs import Request as Request
from gitops.agents.reconciling import Mend, Reconciled
from gitops.agents.revising import gating
from gitops.agents.synthesis.rehearsing import objections
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.runs import staging
from gitops.runs.context import Context
from gitops.runs.outcome import Outcome
from gitops.runs.records import Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.finding import Finding
from gitops.verify.verdict import Verdict
from gitops.wiki.dated import normalised

OPTION = "--resolve-contradictions"
REASON = "settle contradictions: date the claims of older sources, note where sources disagree"
_REHEARSALS = 5
"""So many times pages that would be refused are left out before the verdict is asked for."""
State = Literal["nothing", "planned", "finished"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of it: `nothing` where there is no contradiction, or none about which anything can be done.

    `left` are contradictions with why nothing was done about them. Of a model, `mends` are empty, `asked` is what it
    was or would be given.
    """

    state: State
    contradictions: int = 0
    mends: tuple[Mend, ...] = ()
    left: tuple[tuple[Contradiction, str], ...] = ()
    asked: str = ""
    outcome: Outcome | None = None
    used: Usage | None = None

    @property
    def is_refused(self) -> bool:
        """Was something written that may not land as it is?"""
        return self.outcome is not None and self.outcome.result in ("rejected", "revise")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be written: each page's bytes, and what that does. `found` are all disagreements there are."""

    found: tuple[Disagreement, ...]
    left: tuple[tuple[Contradiction, str], ...]
    pages: Mapping[str, bytes]
    mends: tuple[Mend, ...]


def resolve(
    context: Context,
    workspace: Workspace,
    contradictions: Sequence[Contradiction],
    request: Request,
    say: Callable[[str], None],
) -> Resolved:
    """Settle contradictions on one run. CannotRun where the target moved, a source is not here, a model gave no answer.

    UsageError where the wiki does not read canonical citations, which are written here.
    """
    demand_canonical(workspace)
    made = planned(context, workspace, request.base, contradictions)
    done = Resolved("nothing", len(contradictions), left=made.left)
    if workspace.config.llm.preset(request.preset).provider != "offline":
        from gitops.agents.resolving_claude import resolve_by_model

        return resolve_by_model(context, workspace, made, request, done, say)
    done = Resolved("nothing", len(contradictions), made.mends, made.left)
    if not made.pages:
        return done
    if request.plan:
        return Resolved("planned", done.contradictions, made.mends, made.left)
    run = begun(context, workspace, request)
    writer = _Writer(context, workspace, run, made, is_judged=not request.options.draft_only)
    say(f"writing {len(made.pages)} page{'s' * (len(made.pages) != 1)} in run {run.id}")
    outcome = revising.carry_through(context, run, writer, request.options, say)
    return Resolved("finished", done.contradictions, writer.made.mends, writer.made.left, outcome=outcome)


def planned(
    context: Context,
    workspace: Workspace,
    commit: str,
    contradictions: Sequence[Contradiction],
    without: frozenset[Contradiction] = frozenset(),
) -> Plan:
    """What the offline writer would do; nothing about those `without`. CannotRun where this clone lacks a source."""
    try:
        with Bench(context, workspace, commit) as bench:
            view = bench.base_view()
            each = list(disagreements.found(view, contradictions))
            found = tuple(one for one in each if isinstance(one, Disagreement))
            left = [one for one in each if not isinstance(one, Disagreement)]
            allowed = [one for one in found if one.contradiction not in without]
            left += [
                (one.contradiction, "a judge or a check refuses what would be written")
                for one in found
                if one not in allowed
            ]
            made = reconciling.reconcile(view, allowed)
            left += [(one.contradiction, why) for one, why in made.left]
            read = {path: view.snapshot.read(path) for path in made.texts}
    except Absent as error:
        raise CannotRun(f"this clone lacks an object that has to be read: {error}", FETCH_MORE) from error
    return Plan(found, tuple(left), _encoded(made, read), tuple(made.mends))


def _encoded(made: Reconciled, read: Mapping[str, bytes]) -> dict[str, bytes]:
    """The bytes of each page, with the byte-order mark that it had."""
    marks = {path: codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b"" for path, data in read.items()}
    return {path: marks[path] + text.encode("utf-8", "surrogatepass") for path, text in made.texts.items()}


def begun(context: Context, workspace: Workspace, request: Request) -> Run:
    """Begin the run. CannotRun where the target is not what was measured any more."""
    return lint_runs.begin(context, workspace, request, OPTION, REASON)


class _Writer:
    """Stages what was planned, without what the verifier would refuse of it."""

    def __init__(self, context: Context, workspace: Workspace, run: Run, made: Plan, *, is_judged: bool) -> None:
        self._context, self._workspace, self._run = context, workspace, run
        self._is_judged = is_judged
        self._wrong: frozenset[Contradiction] = frozenset()
        self.made = made

    @property
    def used(self) -> Usage:
        """Nothing."""
        return NOTHING

    def draft(self) -> None:
        """Stage the pages, then again without what the checks or a judge that costs nothing object to."""
        self._stage(self.made.pages)
        for _ in range(_REHEARSALS if self._is_judged else 0):
            pages = tuple(self.made.pages)
            if not self._without(one for path in pages for one in objections(self._context, self._run, path)):
                return

    def revise(self, verdict: Verdict) -> bool:
        """Take back what a verdict found wrong; False where that would leave nothing, or nothing of it is to blame."""
        return self._without(gating(verdict))

    def _without(self, findings: Iterable[Finding]) -> bool:
        wrong = _to_blame(self.made.mends, findings)
        every = [one.contradiction for one in self.made.found]
        base = self._run.record.base
        made = planned(self._context, self._workspace, base, every, self._wrong | wrong)
        if not wrong or not made.pages:
            return False  # then the verdict says what is wrong with all of it
        before = self._context.tree(base)
        self._stage({path: made.pages.get(path) or before.read(path) for path in self.made.pages})
        self._wrong |= wrong
        self.made = Plan(made.found, (*self._left(), *made.left), made.pages, made.mends)
        return True

    def _left(self) -> tuple[tuple[Contradiction, str], ...]:
        """What could not be found again in the first place: the new plan does not know of it."""
        known = {one.contradiction for one in self.made.found}
        return tuple(one for one in self.made.left if one[0] not in known)

    def _stage(self, pages: Mapping[str, bytes]) -> None:
        for path, data in pages.items():
            staging.write(self._context, self._run, self._workspace, path, data)


def _to_blame(mends: Iterable[Mend], findings: Iterable[Finding]) -> frozenset[Contradiction]:
    """The contradictions whose claims findings are about; where a finding is about none, all that its page was written
    for.
    """
    made, blamed = list(mends), set[Contradiction]()
    for one in findings:
        here = [each for each in made if one.path in each.pages]
        words = normalised(one.claim)
        meant = [each for each in here if any(normalised(side.words) == words for side in each.disagreement.sides)]
        blamed.update(each.disagreement.contradiction for each in meant or here)
    return frozenset(blamed)
