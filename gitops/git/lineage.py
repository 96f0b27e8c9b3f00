"""Where one file's content came from: the commits that touched it, and by which landings they came into a branch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from gitops.errors import CannotRun
from gitops.git import commits, objects
from gitops.git.history import entries, tokens
from gitops.git.objects import EXECUTABLE, REGULAR
from gitops.git.process import OFFLINE, git, stream
from gitops.git.repository import Repository
from gitops.git.snapshot import TreeSnapshot

_LOG = (
    *("-c", "log.showRoot=true", "-c", "log.follow=false", "-c", "log.showSignature=false"),
    *("log", "--parents", "-c", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff"),
    "--format=%H %P",
)
"""The default simplification: of a merge that has a parent's version, only that parent is followed."""


class Touch(NamedTuple):
    """A commit that touched a file: its blob after that (None: gone, or no regular file), and the touches before it.

    `is_added` says that a parent which git shows had nothing at the path.
    """

    commit: str
    blob: str | None
    is_added: bool
    before: tuple[str, ...]
    number: int
    """How many touches git found before this one; later ones are, as a rule, older."""


class Lineage:
    """The touches of one path in the history of a commit, read from git only as far as they are asked for."""

    def __init__(self, repository: Repository, commit: str, path: str) -> None:
        self.path = path
        self._repository = repository
        self._coming = _touches(repository, commit, path)
        self._read: dict[str, Touch] = {}

    def latest(self) -> Touch | None:
        """The touch whose version stands at the commit; None when nothing ever stood at the path."""
        return next(iter(self._read.values()), None) or self._next()

    def at(self, commit: str) -> Touch:
        """The touch by a commit that another touch has named."""
        while commit not in self._read:
            if self._next() is None:
                raise CannotRun(f"git log names {commit[:10]} as a parent and does not show it", "'git fsck --full'")
        return self._read[commit]

    def parents_without(self, touch: Touch) -> Sequence[str]:
        """The true parents of a touch that have no such path: whence it may have been moved."""
        parents = commits.read(self._repository, touch.commit).parents
        if len(parents) == 1 and not touch.is_added:
            return []  # the trees of a large wiki are not opened for nothing
        trees = ((parent, commits.read(self._repository, parent).tree) for parent in parents)
        return [parent for parent, tree in trees if TreeSnapshot(self._repository, tree).mode(self.path) is None]

    def close(self) -> None:
        """End the git that is read from."""
        self._coming.close()

    def _next(self) -> Touch | None:
        touch = next(self._coming, None)
        if touch is not None:
            self._read[touch.commit] = touch
        return touch


def _touches(repository: Repository, commit: str, path: str) -> Generator[Touch]:
    wanted, number = objects.encode(path), 0
    with stream(repository, *_LOG, commit, "--", path, env=OFFLINE) as output:
        for header, shown in groupby(entries(tokens(output)), key=lambda entry: entry[0]):
            # Where a folder stood at the path, its files are shown.
            raw = next((raw for _, raw, found in shown if found == wanted), b"")
            name, *before = header.decode().split()
            yield Touch(name, *_brought(raw), tuple(before), number)
            number += 1


def _brought(raw: bytes) -> tuple[str | None, bool]:
    """The blob that a raw diff line ends in, and whether a parent had nothing there.

    A line against n parents is n colons, n+1 modes, n+1 ids, a status (git-diff-tree(1), "raw output format").
    """
    if not raw:
        return None, False
    parents = len(raw) - len(raw.lstrip(b":"))
    modes, ids = (raw[parents:].split(b" ")[start : start + parents + 1] for start in (0, parents + 1))
    is_file = int(modes[-1], 8) in (REGULAR, EXECUTABLE)
    return (ids[-1].decode() if is_file else None), any(int(mode, 8) == 0 for mode in modes[:-1])


@dataclass(frozen=True)
class Landings:
    """The history of a branch's tip, as far down as some commits in it: by which of its commits each came in."""

    tip: str
    parents: dict[str, list[str]]

    def path(self, commit: str) -> list[str]:
        """From the branch down to a commit: the oldest commit on the first-parent line that has it, then, on the
        line that was merged there, again the oldest; the commit itself at the end.
        """
        if commit in self._line:
            return [commit]
        below, entered = self._up_to_the_line(commit)
        path = [max(entered, key=lambda each: self._line[each])]
        while path[-1] != commit:
            here = next(parent for parent in self.parents[path[-1]][1:] if parent in below)
            while (first := next(iter(self.parents[here]), "")) in below:
                here = first
            path.append(here)
        return path

    def _up_to_the_line(self, commit: str) -> tuple[dict[str, None], list[str]]:
        """The commits beside the first-parent line that lead to a commit, and those on it that they lead into."""
        below: dict[str, None] = {commit: None}
        edge, entered = [commit], []
        while edge:
            for child in self._children[edge.pop()]:
                if child in self._line:
                    entered.append(child)
                elif child not in below:
                    below[child] = None
                    edge.append(child)
        return below, entered

    @cached_property
    def _line(self) -> dict[str, int]:
        """The first-parent line from the tip down, numbered."""
        line: dict[str, int] = {}
        here: str | None = self.tip
        while here is not None:
            line[here] = len(line)
            here = next(iter(self.parents.get(here, ())), None)
        return line

    @cached_property
    def _children(self) -> defaultdict[str, list[str]]:
        children = defaultdict(list)
        for commit, parents in self.parents.items():
            for parent in parents:
                children[parent].append(commit)
        return children


def landings(repository: Repository, tip: str, wanted: Iterable[str]) -> Landings:
    """The history of `tip` down to the commits wanted, all of which are in it. One walk for all of them."""
    named = "".join(f"{commit}\n" for commit in wanted)
    if not named:
        return Landings(tip, {tip: []})
    shared = git(repository, "merge-base", "--octopus", *named.split(), check=False, env=OFFLINE).text
    listed = f"{tip}\n" + (f"^{shared}^@\n" if shared else "")
    lines = git(repository, "rev-list", "--parents", "--stdin", input=listed.encode(), env=OFFLINE).text
    return Landings(tip, {commit: parents for commit, *parents in map(str.split, lines.splitlines())})
