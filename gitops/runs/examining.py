"""Whether a commit stands by a verdict that holds: everything recomputed that can be, then the signature."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gitops.errors import CannotRun
from gitops.git import commits, objects
from gitops.runs import attesting, store, trusting
from gitops.runs.attesting import Standing
from gitops.runs.context import Context
from gitops.runs.workspace import find
from gitops.verify import statement
from gitops.verify.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Examined:
    """A commit with the verdict that counts for it. `problem` says why it does not hold; empty where it does.

    `is_open` where there is nothing that could hold or not: nobody signed, and the policy of the base asks nobody to.
    """

    commit: str
    verdict: Verdict
    standing: Standing
    problem: str
    is_open: bool

    @property
    def statement(self) -> dict[str, Any] | None:
        """What was signed; None where nothing was, or where it cannot be read."""
        try:
            return statement.opened(self.standing.envelope).statement if self.standing.envelope else None
        except statement.NotAStatement:
            return None

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON (schema `assay/verdict-verify/1`)."""
        return {
            "schema": "assay/verdict-verify/1",
            "commit": self.commit,
            "verdict": self.verdict.record(),
            "valid": None if self.is_open else not self.problem,
            "problem": self.problem or None,
            "signed_by": self.standing.signer or None,
            "statement": self.statement,
        }


def examine(context: Context, commit: str, target: str | None = None) -> Examined:
    """Examine the verdict on a commit, or the one that a commit made elsewhere is recorded to have landed by.

    `target` is the branch that the commit is to stand on; by default the one that the verdict names. CannotRun where
    no verdict is known.
    """
    candidate, told = candidate_of(context, commit), context.commit(commit)
    if candidate is None:
        fetch = "git fetch REMOTE 'refs/notes/assay/*:refs/notes/assay/*', or name a commit that landed a run"
        raise CannotRun(f"no verdict on {commit[:10]} is known here", fetch)
    if not told.parents:
        raise CannotRun(f"{commit[:10]} is the first commit: it was never judged", "name a commit that landed a run")
    base = told.parents[0]
    verdict, root = _counting(context, base, store.verdicts_on(context, candidate))
    problem = _mismatch(context, commit, verdict, target)
    if problem:
        return Examined(commit, verdict, Standing(), problem, False)
    standing = attesting.standing(context, root, verdict)
    is_open = not standing.envelope and not trusting.wants_signed(context, root, base)
    if verdict.verdict not in statement.PASSES:
        problem = f"the verdict is {verdict.verdict}"
    elif not standing.signer:
        problem = standing.why or "the verdict is not signed"
    return Examined(commit, verdict, standing, problem, is_open)


def signers(context: Context, verdicts: Iterable[Verdict]) -> dict[str, str]:
    """Who signed which verdict, by its id; those whose signature holds alone."""
    found = {}
    for verdict in verdicts:
        if attesting.is_attested(context, verdict) and objects.exists(context.repository, verdict.base):
            root = find(context.repository, verdict.base, verdict.workspace).layout.root
            if who := attesting.standing(context, root, verdict).signer:
                found[verdict.id] = who
    return found


def candidate_of(context: Context, commit: str) -> str | None:
    """The commit that bears the verdict on a commit: itself, or the candidate that it landed from another hand."""
    if store.verdicts_on(context, commit):
        return commit
    for run_id in store.landed_runs(context, commit):
        run = store.exact(context, run_id)
        if run is None or run.landed is None or run.landed.commit != commit:
            continue
        for candidate in dict.fromkeys(state.candidate for state in run.states if state.candidate):
            if run.landed.verdict_id in (verdict.id for verdict in store.verdicts_on(context, candidate)):
                return candidate
    return None


def _counting(context: Context, base: str, verdicts: list[Verdict]) -> tuple[Verdict, str]:
    """The verdict that counts, with the folder of its workspace; where none does, the one that would."""
    for workspace in dict.fromkeys(verdict.workspace for verdict in verdicts):
        mine = [verdict for verdict in verdicts if verdict.workspace == workspace]
        root = find(context.repository, base, workspace).layout.root
        for some in (attesting.counting(context, root, base, mine), mine):
            found = store.standing(some, mine[0].candidate)
            if found is not None:
                return found, root
    raise CannotRun("every verdict is superseded by another that is not here", "git fetch the notes")


def _mismatch(context: Context, commit: str, verdict: Verdict, target: str | None) -> str:
    """What a verdict says of its commit, held against the commit itself; '' where all of it is so."""
    there, judged = commits.read(context.repository, commit), context.commit(verdict.candidate)
    trailers = commits.trailers(judged.message)
    base = there.parents[0]
    policy = find(context.repository, base, verdict.workspace).policy
    for what, stated, found in (
        ("base", verdict.base, base),
        ("tree", verdict.tree, there.tree),
        ("head", [verdict.head], trailers.get("Assay-Head", [])),
        ("run", [verdict.run_id], trailers.get("Assay-Run", [])),
        ("policy", verdict.policy, policy),
        ("target", verdict.target, target or verdict.target),
    ):
        if stated != found:
            return f"the verdict is for another {what}: {_told(stated)}, not {_told(found)}"
    return ""


def _told(value: str | list[str]) -> str:
    text = value if isinstance(value, str) else ", ".join(value) or "none"
    return text[:10] if len(text) == 40 else text
