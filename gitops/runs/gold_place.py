"""Where a workspace's gold queries are: in the working tree, where people add to them, or in a commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gitops.errors import UsageError
from gitops.git import locks
from gitops.git.snapshot import TreeSnapshot, WorktreeSnapshot
from gitops.runs import gold, gold_keeping
from gitops.runs.context import Context
from gitops.runs.gold import GoldQuery
from gitops.runs.gold_checking import Ground
from gitops.runs.gold_file import BadGold, Fault
from gitops.runs.workspace import Workspace

_PATIENCE = 10.0
"""For how many seconds another process that adds is waited for."""
_FINDS = "git assay search WORDS… finds pages and sources"


@dataclass
class Place:
    """The gold of a workspace. `is_past`: as the commit has it; else as it stands in the working tree."""

    context: Context
    workspace: Workspace
    commit: str
    is_past: bool

    @property
    def name(self) -> str:
        """The file's repository path."""
        return gold.file_of(self.workspace.layout)

    @property
    def file(self) -> Path:
        """The file in the working tree. UsageError where there is none, or a past state is looked at.

        So too where a symbolic link stands in its place: a commit would have the link, and not the queries.
        """
        worktree = self.context.repository.worktree
        if worktree is None or self.is_past:
            raise UsageError("a bare repository has no working tree to write gold queries to", "work in a clone of it")
        path = worktree / self.name
        if path.resolve() != worktree.resolve() / self.name:
            told = f"{self.name} is a symbolic link, or lies behind one, of which a commit keeps the link alone"
            raise UsageError(told, "put a file there")
        return path

    @cached_property
    def ground(self) -> Ground:
        """The pages and sources that may be expected, those that are not committed yet among them."""
        repository, layout = self.context.repository, self.workspace.layout
        if self.is_past:
            return Ground(TreeSnapshot.at(repository, self.commit), layout)
        return Ground(WorktreeSnapshot(repository, [layout.root]), layout)

    def queries(self) -> list[GoldQuery]:
        """The queries as they stand. BadGold where the file cannot be read."""
        if self.is_past:
            return gold.at(self.ground.tree, self.workspace.layout)
        data = self._data()
        return [] if data is None else gold.parse(data, self.name)

    def fit_query(self, text: str) -> str:
        """A question as it would be added. UsageError where it holds no word, or is asked already."""
        query = " ".join(text.split())
        if not any(map(str.isalnum, query)):
            raise UsageError("the query holds no word", "git assay eval gold add --query 'How …?'")
        if not _is_text(query):
            raise UsageError("the query is not UTF-8", "git assay eval gold add --query 'How …?'")
        asked = gold.normalised(query)
        if (other := next((one for one in self.queries() if gold.normalised(one.query) == asked), None)) is not None:
            told = f"the same query is there already, {self.name} line {other.line}: {other.query}"
            raise UsageError(told, "git assay eval gold list")
        return query

    def add(self, queries: Sequence[GoldQuery], name: str) -> int:
        """Add queries to the file, all or none; how many there are then. `name` is where they come from.

        BadGold for those that are there already, and for what they expect and the workspace has not.
        """
        path = self.file
        with locks.held(self.context.repository.common_dir, "gold", _PATIENCE):
            data = self._data()
            known = [] if data is None else gold.parse(data, self.name)
            wrong = [*_unwritable(queries), *gold.doubled(queries, known, self.name)]
            unfounded = self.ground.faults(queries)
            if wrong or unfounded:
                raise _refused(name, [*wrong, *unfounded], _FINDS if unfounded else "git assay eval gold list")
            if queries:
                gold_keeping.write(path, gold_keeping.with_added(data, queries, self.name))
        return len(known) + len(queries)

    def _data(self) -> bytes | None:
        try:
            return self.file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(f"{self.name} cannot be read: {error.strerror}", "put that right") from error


def _unwritable(queries: Sequence[GoldQuery]) -> Iterator[Fault]:
    """Half a character, as JSON may escape it, and file names of other bytes: no file of text holds them."""
    for one in queries:
        for text in (one.query, *one.topics, *one.citations):
            if not _is_text(text):
                yield Fault(one.line, f"{text!r} cannot be written as UTF-8")


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refused(name: str, faults: list[Fault], hint: str) -> UsageError:
    """One entry that a person typed has no line, so its faults are told as one."""
    if any(fault.line for fault in faults):
        return BadGold(name, faults, hint)
    return UsageError("; ".join(dict.fromkeys(fault.message for fault in faults)), hint)
