"""Which run a commit is of, and which verdict let it in.

A commit on a run's branch belongs to the landing that brought it into the branch it is seen from. A landing is a
commit with a verdict on it; one made elsewhere (a squash or rebase button) whose parent and tree are a verdict's; or
one that only says so in its trailers, which is told and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from gitops.git import commits, history, notes, objects, refs
from gitops.git.commits import Commit
from gitops.git.lineage import landings
from gitops.git.process import git
from gitops.runs import names, proof, store
from gitops.runs.context import Context
from gitops.runs.records import Run
from gitops.verify.verdict import Verdict

WITHOUT = "landed without a verdict"
AGAINST = "landed against its verdict"
NOT_BY_A_RUN = "not by a run"
_TREE = re.compile(r'"tree":"([0-9a-f]{40})"')


@dataclass(frozen=True, slots=True)
class Origin:
    """How a commit came to be where it is. `told` says in words what no verdict says."""

    commit: Commit
    landed: str | None = None
    """The commit that landed its run."""
    run_id: str | None = None
    verdict: Verdict | None = None
    told: str = ""


def origins(context: Context, tip: str, wanted: Iterable[str]) -> dict[str, Origin]:
    """The origins of commits in the history of `tip`, by commit."""
    wanted = list(dict.fromkeys(wanted))
    known = landings(context.repository, tip, wanted)
    paths = {commit: known.path(commit) for commit in wanted}
    records = _Records(context, tip, {landing for path in paths.values() for landing in path})
    return {commit: records.origin(context.commit(commit), path) for commit, path in paths.items()}


@dataclass
class _Records:
    """What the notes say of some commits; read once for all of them."""

    context: Context
    tip: str
    commits: set[str]
    _landed: dict[str, Origin | None] = field(default_factory=dict)
    _runs: dict[str, Run | None] = field(default_factory=dict)
    _targets: dict[str, tuple[str | None, bool]] = field(default_factory=dict)
    _commits_of: dict[str, frozenset[str]] = field(default_factory=dict)

    def origin(self, commit: Commit, path: Sequence[str]) -> Origin:
        """The origin of a commit that came in by these landings, the outermost first; the innermost run counts."""
        for landing in reversed(path):
            if (found := self._landing(landing)) is not None:
                return replace(found, commit=commit)
        return self._on_a_branch(commit) or Origin(commit, told=_untold(commit))

    def _landing(self, commit: str) -> Origin | None:
        if commit not in self._landed:
            found = self.context.commit(commit)
            self._landed[commit] = self._judged(found) or self._recorded(found) or self._covered(found)
            self._landed[commit] = self._landed[commit] or self._claimed(found)
        return self._landed[commit]

    def _judged(self, commit: Commit) -> Origin | None:
        """The commit has a verdict of its own, if that is about this tree on this base."""
        verdict = store.standing(store.verdicts_on(self.context, commit.id), commit.id)
        # Where the history is cut off the parents are unknown here; the verdict names this very commit all the same.
        if verdict is None or not verdict.run_id or not _is_about(verdict, commit, cut_off=not commit.parents):
            return None
        if self._is_in(commit.id, verdict.target):
            told = "" if verdict.verdict in proof.LETS else AGAINST
            return Origin(commit, commit.id, verdict.run_id, verdict, told)
        run = self._exact(verdict.run_id)
        if run is None or run.status == "committed":  # landed on a branch that this clone has not, or not so far
            return Origin(commit, commit.id, verdict.run_id, verdict)
        return Origin(commit, None, verdict.run_id, verdict, f"not landed: the run is {run.status}")

    def _recorded(self, commit: Commit) -> Origin | None:
        """A record on the commit says that it landed a run whose verdict is on another commit."""
        runs = store.landed_runs(self.context, commit.id)
        for run in filter(None, map(self._exact, runs)):
            for candidate in dict.fromkeys(state.candidate for state in run.states if state.candidate):
                if (found := self._standing(candidate, commit)) is not None:
                    return Origin(commit, commit.id, run.id, found)
        return Origin(commit, commit.id, runs[0], None, WITHOUT) if runs else None

    def _covered(self, commit: Commit) -> Origin | None:
        """A verdict's base is the commit's parent and its tree the commit's: nobody has recorded that yet."""
        for candidate in self._candidates.get(commit.tree, ()):
            if (found := self._standing(candidate, commit)) is not None:
                return Origin(commit, commit.id, found.run_id, found)
        return None

    def _standing(self, candidate: str, commit: Commit) -> Verdict | None:
        found = store.standing(store.verdicts_on(self.context, candidate), candidate)
        return found if found is not None and found.verdict in proof.LETS and _is_about(found, commit) else None

    @cached_property
    def _candidates(self) -> dict[str, list[str]]:
        """The commits that verdicts are on, by the tree judged, of the trees that are asked for."""
        trees = {self.context.commit(commit).tree for commit in self.commits}
        found: dict[str, list[str]] = {}
        for candidate, lines in notes.read_all(self.context.repository, names.VERDICTS):
            # Looked at as text: to read thousands of verdicts for the few that may be meant would take seconds.
            for tree in trees.intersection(tree for line in lines for tree in _TREE.findall(line)):
                found.setdefault(tree, []).append(candidate)
        return found

    def _claimed(self, commit: Commit) -> Origin | None:
        """The commit's trailers call it a landing, and no verdict is known."""
        run_id = _named(commit)
        if run_id is None or "Assay-Head" not in commits.trailers(commit.message):
            return None
        if self._exact(run_id) is None:
            told = f"this clone has no record of run {run_id}, which {commit.id[:10]} says it landed"
            self.context.warn_once(f"{told}: git fetch REMOTE 'refs/notes/assay/*:refs/notes/assay/*'")
        return Origin(commit, commit.id, run_id, None, WITHOUT)

    def _on_a_branch(self, commit: Commit) -> Origin | None:
        """The commit is a run's own, and nothing landed the run: it is open, refused, or was merged by hand."""
        run = self._exact(named) if (named := _named(commit)) else None
        if run is None or commit.id not in self._own(run):
            run = self._open.get(commit.id)
        if run is None:
            return None
        is_in = self._is_in(commit.id, run.record.target)
        return Origin(commit, None, run.id, None, WITHOUT if is_in else f"not landed: the run is {run.status}")

    def _is_in(self, commit: str, target: str) -> bool:
        """Is a commit in the history of a branch here? Asked of the revision first, which has all of them."""
        repository = self.context.repository
        if target not in self._targets:
            tip = refs.read(repository, target) if target else None
            self._targets[target] = tip, tip is not None and history.is_ancestor(repository, self.tip, tip)
        tip, has_all = self._targets[target]
        return has_all or (tip is not None and history.is_ancestor(repository, commit, tip))

    @cached_property
    def _open(self) -> dict[str, Run]:
        """The commits on the branches of open runs, also of those that somebody pushed."""
        branches = refs.listed(self.context.repository, names.BRANCHES)
        ids = filter(names.is_id, (branch.removeprefix(names.BRANCHES) for branch in branches))
        runs = [run for run in map(self._exact, ids) if run is not None]
        return {commit: run for run in runs for commit in self._own(run)}

    def _own(self, run: Run) -> frozenset[str]:
        """The commits of a run: those of its heads that none of the bases it has had has."""
        if run.id not in self._commits_of:
            bases = {run.record.base, *(state.base for state in run.states)}
            heads = {*(state.head for state in run.states), refs.read(self.context.repository, names.branch(run.id))}
            there = [commit for commit in heads - bases if commit and objects.exists(self.context.repository, commit)]
            hidden = [f"^{commit}" for commit in bases if commit and objects.exists(self.context.repository, commit)]
            lines = "".join(f"{each}\n" for each in [*there, *hidden])
            listed = git(self.context.repository, "rev-list", "--stdin", input=lines.encode()).text if there else ""
            self._commits_of[run.id] = frozenset(listed.split())
        return self._commits_of[run.id]

    def _exact(self, run_id: str) -> Run | None:
        if run_id not in self._runs:
            self._runs[run_id] = store.exact(self.context, run_id)
        return self._runs[run_id]


def _untold(commit: Commit) -> str:
    named = _named(commit)
    return f"{NOT_BY_A_RUN}: run {named}, which its message names, does not hold it" if named else NOT_BY_A_RUN


def _named(commit: Commit) -> str | None:
    """The run that a commit's trailers name, true or not."""
    return next(filter(names.is_id, commits.trailers(commit.message).get("Assay-Run", [])), None)


def _is_about(verdict: Verdict, commit: Commit, *, cut_off: bool = False) -> bool:
    """Is it this tree that was judged, against the commit that it stands on (`PROTOCOL.md` 2)?"""
    return verdict.tree == commit.tree and (cut_off or commit.parents[:1] == (verdict.base,))
