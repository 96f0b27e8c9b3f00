"""Lands what was pushed as `run/ID`: fetched, verified again, landed on the remote's branch or put up as a request.

All of it may be done again at any point. The notes are in step with the remote before its branch moves: nobody sees a
landing there whose verdict is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Literal

from gitops.ci import proposing, waiting
from gitops.ci.github import GitHub
from gitops.ci.landed import Landed
from gitops.ci.waiting import Waiting
from gitops.errors import AssayError, CannotRun
from gitops.evals import after_landing
from gitops.git import history, refs, remotes
from gitops.runs import landing, names, proof, pushing, store, syncing
from gitops.runs.context import Context
from gitops.runs.outcome import NotLanded, Options, Outcome
from gitops.runs.records import FINAL, Run
from gitops.runs.syncing import Synced
from gitops.runs.targets import default_target
from gitops.verify.verdict import shown

How = Literal["auto", "never", "always"]
"""When a pull request is opened: where the branch may not be pushed, never, or in any case."""
_ENDED = ("landed", "rejected", "ended")


@dataclass(frozen=True, slots=True)
class Lander:
    """Who lands: in which clone, at which of its remotes, and how GitHub is asked where it must be."""

    context: Context
    remote: str
    how: How
    github: Callable[[], GitHub]

    def land(self, asked: Collection[str], *, others: bool) -> tuple[list[Landed], AssayError | None]:
        """Land the runs asked for, by id; with `others` also all that the remote has and nobody has looked at as they
        are: a host that lets one job wait drops the one that waited before, and its run with it.

        Gives what came of each, and why the remote does not have all records of it, where it does not.
        """
        syncing.sync(self.context, self.remote)
        there = waiting.listed(self.context, self.remote, asked)
        every = [*dict.fromkeys(asked), *(name for name in there if others and name not in asked)]
        done = [self._one(there[run_id], run_id in asked) for run_id in every]
        try:
            kept = syncing.sync(self.context, self.remote)
            for each in done:
                if each.result in _ENDED:
                    self._clear(there[each.run_id], kept)
        except AssayError as error:
            return done, error
        return done, None

    def _one(self, there: Waiting, is_asked: bool) -> Landed:
        try:
            return self._looked_at(there, is_asked) or self._landed(there.run_id)
        except AssayError as error:
            result: Literal["no_verdict", "refused"] = "no_verdict" if error.exit_code in (3, 4) else "refused"
            return Landed(there.run_id, result, error.exit_code, error.message, error.hint)

    def _looked_at(self, there: Waiting, is_asked: bool) -> Landed | None:
        """What there is to say of a run without judging it; None where it is to be landed."""
        context = self.context
        run = waiting.fetched(context, self.remote, there)
        target = default_target(context.repository)
        if run is not None:
            waiting.demand_for(context, run, target)
        tip = pushing.fetched_base(context, target)
        waiting.demand_allowed(context, there, run, tip)
        if run is None:
            return None
        if run.status not in FINAL:
            if proof.landed_in(context, run, tip) is not None:
                return None
            if (commit := waiting.covered(context, run, tip)) is not None:
                return self._covered(run, commit)
        found = None if is_asked else waiting.looked_at(self.remote, there, run, tip)
        is_up = found is not None and found.result == "waiting" and run.state.verdict == "commit"
        return None if is_up and self._was_cut_short(run) else found

    def _was_cut_short(self, run: Run) -> bool:
        """Whether the job that pushed a candidate's branch got no further, so that no pull request shows it."""
        if self.how == "never":
            return False
        try:
            return not proposing.was_proposed(self.context, self.remote, self.github(), run)
        except AssayError as error:
            self.context.warn(f"whether a pull request shows assay/{run.id} is not known: {error.message}")
            return False

    def _covered(self, run: Run, commit: str) -> Landed:
        """A run that a button landed: what a landing of ours would do after it is still to be done."""
        pushing.catch_up(self.context, run.record.target, commit)
        self._measured(run)
        return Landed(run.id, "landed", 0, "somebody else's commit, which its verdict covers", commit=commit)

    def _measured(self, run: Run) -> None:
        if run.record.run_type == "ingest":
            after_landing.ingested(self.context, run.record.workspace_root, run.record.target)

    def _landed(self, run_id: str) -> Landed:
        pushed: list[str] = []

        def at_step(step: str) -> None:
            self.context.at_step(step)
            if step == "swap":
                if self.how == "always":
                    raise CannotRun("a pull request is wanted")
                syncing.sync(self.context, self.remote)
                pushed.append(step)

        try:
            outcome = landing.finish(replace(self.context, at_step=at_step), run_id, Options(push=True))
        except NotLanded as error:
            if self.how == "never" or not (pushed or self.how == "always"):
                return Landed(run_id, "not_landed", 3, error.message, error.hint, error.outcome.commit)
            return self._proposed(error)
        return self._said(outcome)

    def _proposed(self, error: NotLanded) -> Landed:
        """The candidate as a pull request, since it may not be pushed; nothing of it is lost where that fails too."""
        run, commit = error.outcome.run, error.outcome.commit
        try:
            syncing.sync(self.context, self.remote)
            pull, is_new = proposing.propose(self.context, self.remote, self.github(), error.outcome)
        except AssayError as also:
            told = f"{error.message}; nor is it a pull request: {also.message}"
            return Landed(run.id, "not_landed", 3, told, also.hint, commit)
        why = f"{'opened' if is_new else 'brought up to date'} #{pull.number}: {error.message}"
        return Landed(run.id, "pull_request", 0, why, "", commit, pull.html_url)

    def _said(self, outcome: Outcome) -> Landed:
        verdict, run = outcome.verdict, outcome.run
        why = verdict.reasoning if verdict is not None else ""
        if outcome.result == "landed":
            self._measured(run)
            return Landed(run.id, "landed", 0, why, "", outcome.commit)
        again = f"git assay run start --from {run.id} takes its pages up in a new run"
        mend = f"mend it, and push run/{run.id} again"
        findings = shown(verdict) if verdict is not None else ()
        if outcome.result == "rejected":
            return Landed(run.id, "rejected", 1, why, again, outcome.commit, findings=findings)
        return Landed(run.id, "revise", 1, why, mend, outcome.commit, findings=findings)

    def _clear(self, there: Waiting, kept: Synced) -> None:
        """Take down at the remote what nobody needs any more, if nobody has pushed to it since."""
        run = store.exact(self.context, there.run_id)
        ours = {state.candidate for state in run.states} if run is not None else set()
        stale: dict[str, str | None] = {}
        if there.proposed in ours:
            stale[proposing.branch(there.run_id)] = there.proposed
        if run is not None and there.head is not None and self._is_held(run, there.head, kept):
            stale[names.branch(there.run_id)] = there.head
        for ref, old in stale.items():
            refused = remotes.replace(self.context.repository, self.remote, ref, None, old) if old else ""
            if refused:
                short = ref.removeprefix("refs/heads/")
                told = f"{short} stays at {self.remote}: {refused}"
                self.context.warn(f"{told}; git push {self.remote} --delete {short}")

    def _is_held(self, run: Run, head: str, kept: Synced) -> bool:
        """Whether the remote holds a run's commits without its branch. That the run has ended is what its records say,
        and whoever may push notes may have written them.
        """
        repository = self.context.repository
        held = (names.kept(run.id), names.kept_head(run.id))
        for ref in held if not kept.refused else ():
            commit = refs.read(repository, ref)
            is_there = commit is not None and ref.removeprefix(names.KEPT) not in kept.differing
            if is_there and history.is_ancestor(repository, head, str(commit)):
                return True
        return history.is_ancestor(repository, head, pushing.fetched_base(self.context, run.record.target))
