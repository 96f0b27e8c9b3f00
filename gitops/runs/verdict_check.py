"""A verdict held against a commit: everything recomputed that can be, then the signature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gitops.errors import AssayError, CannotRun, UsageError
from gitops.git import commits, notes, objects, treediff
from gitops.git.commits import Commit
from gitops.runs import attesting, names, store, trusting
from gitops.runs.attesting import Attested
from gitops.runs.context import Context
from gitops.runs.roots import FILE_NAME, roots
from gitops.runs.workspace import Workspace, find
from gitops.verify import statement
from gitops.verify.verdict import Verdict
from gitops.wiki.layout import Layout, joined
from gitops.wiki.paths import within


@dataclass(frozen=True, slots=True)
class Examined:
    """A commit with the verdict that counts for it. `problem` says why it does not hold; empty where it does.

    `is_open` where there is nothing that could hold or not: nobody signed, and the policy of the base asks nobody to.
    """

    commit: str
    verdict: Verdict
    attested: Attested
    problem: str
    is_open: bool

    @property
    def is_yes(self) -> bool:
        """Does it let a change land?"""
        return self.verdict.verdict in statement.PASSES

    @property
    def holds(self) -> bool:
        """Does it let a change land, signed, or unsigned where nobody has to sign?"""
        return not self.problem or (self.is_open and self.is_yes)

    @property
    def statement(self) -> dict[str, Any] | None:
        """What was signed; None where nothing was, or where it cannot be read."""
        try:
            return statement.opened(self.attested.envelope).statement if self.attested.envelope else None
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
            "signed_by": self.attested.signer or None,
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


def check(context: Context, commit: str, note: Note, target: str | None = None) -> Examined:
    """Hold the verdict that one commit bears against a commit: the same, or one of the same step.

    Of several workspaces' verdicts a no counts, then the first that holds. CannotRun where there is none.
    """
    there = context.commit(commit)
    if not there.parents:
        raise CannotRun(f"{commit[:10]} is the first commit: it was never judged", "name a commit that landed a run")
    found = [_held(context, there, note, verdict, target) for verdict in _counting(context, there.parents[0], note)]
    counting = [each for each in found if each.is_yes or is_no(context, each)]
    return min(counting or found, key=lambda each: (each.is_yes, not each.holds))


def is_no(context: Context, found: Examined) -> bool:
    """Is a commit refused by a verdict that counts?"""
    if found.is_yes:
        return False
    base = context.commit(found.commit).parents[0]
    return attesting.no_counts(context, home(context, base, found.verdict).layout.root, found.verdict)


def _held(context: Context, there: Commit, note: Note, verdict: Verdict, target: str | None) -> Examined:
    commit, root = there.id, home(context, there.parents[0], verdict).layout.root
    if problem := _mismatch(context, there, verdict, target):
        return Examined(commit, verdict, Attested(), problem, False)
    attested = attesting.attested(context, root, verdict, note.lines)
    is_open = not attested.envelope and _needs_nobody(context, root, verdict)
    if verdict.verdict not in statement.PASSES:
        problem = f"the verdict is {verdict.verdict}"
    elif not attested.signer:
        problem = attested.why or "the verdict is not signed"
    elif verdict.measurements:
        from gitops.runs import gates_followed  # what reads measurements takes long to load, and a push seldom needs it

        problem = gates_followed.problem(context, verdict)
    return Examined(commit, verdict, attested, problem, is_open)


def _needs_nobody(context: Context, root: str, verdict: Verdict) -> bool:
    """Is an unsigned verdict no mistake here: nobody demands a signature, or this server found it itself?"""
    demanded = trusting.demands_signed(context, root, verdict.base)
    return not demanded or attesting.is_remembered(context, root, verdict)


def _counting(context: Context, base: str, note: Note) -> list[Verdict]:
    """Of each workspace the verdict that counts; where none does, the one that would.

    A workspace that the base does not have, anybody can write into a note: it hides no other's verdict.
    """
    candidate, verdicts = note.candidate, note.verdicts
    every, unknown = list[Verdict](), list[AssayError]()
    for workspace in sorted({verdict.workspace for verdict in verdicts}):
        mine = [verdict for verdict in verdicts if verdict.workspace == workspace]
        try:
            root = home(context, base, mine[0]).layout.root
        except UsageError as error:
            unknown.append(error)
            continue
        # Of a single one it is asked just once whether it is signed: by who called.
        choices = (mine,) if len(mine) == 1 else (attesting.counting(context, root, base, mine), mine)
        for some in choices:
            found = store.standing(some, candidate)
            if found is not None:
                every.append(found)
                break
    if every:
        return every
    if unknown:
        raise unknown[0]
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
    workspace = home(context, base, verdict)
    told.append(("policy", verdict.policy, workspace.policy))
    told.append(("target", verdict.target, target or verdict.target))
    for what, stated, found in told:
        if stated != found:
            return f"the verdict is for another {what}: {_told(stated)}, not {_told(found)}"
    if verdict.verdict in statement.PASSES and (stray := _outside(context, workspace.layout, there)):
        return f"the verdict is for workspace {verdict.workspace}, and the commit changes {stray}"
    return ""


def _outside(context: Context, layout: Layout, there: Commit) -> str:
    """The first file that a step changes and that is not the workspace's own: who signs for one says nothing of others.

    A run of the workspace writes no such file. '' where there is none.
    """
    if not layout.root and not layout.nested:
        return ""
    before = context.commit(there.parents[0]).tree
    paths = (entry.path for entry in treediff.changed(context.repository, before, there.tree))
    nested = layout.nested
    return next(
        (path for path in paths if not within(path, layout.root) or any(within(path, each) for each in nested)), ""
    )


def _told(value: str | list[str]) -> str:
    text = value if isinstance(value, str) else ", ".join(value) or "none"
    return text[:10] if len(text) == 40 else text
