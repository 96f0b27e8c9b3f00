"""A verdict held against a commit: everything recomputed that can be, then the signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gitops.errors import CannotRun
from gitops.git import commits, notes, objects
from gitops.git.commits import Commit
from gitops.runs import attesting, names, store, trusting
from gitops.runs.attesting import Standing
from gitops.runs.context import Context
from gitops.runs.roots import FILE_NAME, roots
from gitops.runs.workspace import Workspace, find
from gitops.verify import statement
from gitops.verify.verdict import Verdict
from gitops.wiki.layout import joined


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


@dataclass(frozen=True, slots=True)
class Note:
    """What a commit bears in the notes of verdicts: the lines, and the verdicts among them."""

    candidate: str
    lines: list[str]
    verdicts: list[Verdict]


def note_on(context: Context, candidate: str, lines: list[str] | None = None) -> Note:
    """The note on a commit; `lines` are its lines, where they have been read already."""
    lines = notes.read(context.repository, names.VERDICTS, candidate) if lines is None else lines
    return Note(candidate, lines, store.verdicts_in(context, candidate, lines))


def weigh(context: Context, commit: str, note: Note, target: str | None = None) -> Examined:
    """Hold the verdict that one commit bears against a commit: the same, or one of the same step."""
    there = context.commit(commit)
    if not there.parents:
        raise CannotRun(f"{commit[:10]} is the first commit: it was never judged", "name a commit that landed a run")
    base = there.parents[0]
    verdict, root = _counting(context, base, note)
    if problem := _mismatch(context, there, verdict, target):
        return Examined(commit, verdict, Standing(), problem, False)
    standing = attesting.standing(context, root, verdict, note.lines)
    is_open = not standing.envelope and _needs_nobody(context, root, verdict)
    if verdict.verdict not in statement.PASSES:
        problem = f"the verdict is {verdict.verdict}"
    elif not standing.signer:
        problem = standing.why or "the verdict is not signed"
    elif verdict.measurements:
        from gitops.runs import resting  # what reads measurements takes long to load, and a push seldom needs it

        problem = resting.problem(context, verdict)
    return Examined(commit, verdict, standing, problem, is_open)


def _needs_nobody(context: Context, root: str, verdict: Verdict) -> bool:
    """Is an unsigned verdict no mistake here: nobody demands a signature, or this server found it itself?"""
    demanded = trusting.demands_signed(context, root, verdict.base)
    return not demanded or attesting.is_remembered(context, root, verdict)


def _counting(context: Context, base: str, note: Note) -> tuple[Verdict, str]:
    """The verdict that counts, with the folder of its workspace; where none does, the one that would."""
    candidate, verdicts = note.candidate, note.verdicts
    for workspace in dict.fromkeys(verdict.workspace for verdict in verdicts):
        mine = [verdict for verdict in verdicts if verdict.workspace == workspace]
        root = home(context, base, mine[0]).layout.root
        # Of a single one it is asked just once whether it is signed: by who called.
        choices = (mine,) if len(mine) == 1 else (attesting.counting(context, root, base, mine), mine)
        for some in choices:
            found = store.standing(some, candidate)
            if found is not None:
                return found, root
    if not verdicts:
        raise CannotRun(f"no verdict on {candidate[:10]} is known here", "git fetch the notes")
    raise CannotRun("every verdict is superseded by another that is not here", "git fetch the notes")


def home(context: Context, base: str, verdict: Verdict) -> Workspace:
    """The workspace that a verdict names, as the base has it: the one of the policy that it names, if there is one.

    Found from the top down, so that of a large wiki few folders are read.
    """
    return context.once(("home", base, verdict.workspace, verdict.policy), lambda: _found(context, base, verdict))


def _found(context: Context, base: str, verdict: Verdict) -> Workspace:
    tree = trusting.tree_at(context, base)
    for root in roots(tree):
        if tree.blob(joined(root, FILE_NAME)) == verdict.policy:
            found = trusting.policy(context, root, base)
            if found.name == verdict.workspace:
                return found
    return find(context.repository, base, verdict.workspace)


def _mismatch(context: Context, there: Commit, verdict: Verdict, target: str | None) -> str:
    """What a verdict says of its commit, held against the commit itself; '' where all of it is so."""
    base = there.parents[0]
    told: list[tuple[str, str | list[str], str | list[str]]] = [
        ("base", verdict.base, base),
        ("tree", verdict.tree, there.tree),
    ]
    if verdict.candidate == there.id or objects.exists(context.repository, verdict.candidate):
        trailers = commits.trailers(context.commit(verdict.candidate).message)
        told.append(("head", [verdict.head], trailers.get("Assay-Head", [])))
        told.append(("run", [verdict.run_id], trailers.get("Assay-Run", [])))
    told.append(("policy", verdict.policy, home(context, base, verdict).policy))
    told.append(("target", verdict.target, target or verdict.target))
    for what, stated, found in told:
        if stated != found:
            return f"the verdict is for another {what}: {_told(stated)}, not {_told(found)}"
    return ""


def _told(value: str | list[str]) -> str:
    text = value if isinstance(value, str) else ", ".join(value) or "none"
    return text[:10] if len(text) == 40 else text
