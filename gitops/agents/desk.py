"""Where a writing agent writes: the pages of one pending run, and nothing else.

What path_acl refuses of a run is refused here already, with the check's own reason; the check is asked again before
anything lands.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from gitops.agents.calling import ToolError
from gitops.agents.reading.shelf import Ranked, Shelf
from gitops.errors import Refused, UsageError
from gitops.git import trees
from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs import staging, store
from gitops.runs.context import Context
from gitops.runs.records import FINAL, Run
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.checks import path_acl, raw_sealed
from gitops.verify.view import RunAt, RunFacts, View
from gitops.wiki.snapshot import REGULAR, Change, Touched

_SEALED = (path_acl.examine, raw_sealed.examine)


@dataclass
class Desk:
    """A pending run, open for writing: a context manager, which opens the local caches that reading needs.

    With `strict`, a replacement that does not fit exactly once rejects the run, as the specification has it for plans
    (alexandria 13, "Cascade as a transaction", 3); without, the agent is told first and may correct itself.
    `summary` is what it said when it was done, `written` the pages it has staged, in order.
    """

    context: Context
    run: Run
    workspace: Workspace
    strict: bool = False
    summary: str = ""
    written: list[str] = field(default_factory=list)
    _stack: ExitStack = field(default_factory=ExitStack, repr=False)
    _seen: tuple[str, View] | None = field(default=None, repr=False)

    def __enter__(self) -> Self:
        self._bench = self._stack.enter_context(Bench(self.context, self.workspace, self.run.record.base))
        self._base = self._bench.base_view()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def shelf(self, ranked: Ranked | None = None) -> Shelf:
        """What the writer may read: the run's pages as they are staged at each moment, and the sources."""
        return Shelf(self._now, self._base, ranked)

    def stage_write(self, path: str, content: str) -> str:
        """Stage a page's whole content. ToolError where a run may not write there; Refused when the run has ended."""
        repo_path, data = self._page_path(path), content.encode()
        self._refuse_foreign(repo_path, data)
        staging.write(self.context, self.run, self.workspace, repo_path, data)
        self._note(repo_path)
        return f"staged {repo_path} ({len(content)} characters)"

    def str_replace(self, path: str, old: str, new: str) -> str:
        """Replace the one place where `old` stands. Not exactly one: ToolError, or with `strict` the run's end."""
        repo_path = self._page_path(path)
        data = self._staged(repo_path)
        found = _occurrences(data, old.encode())
        if found == 1:
            self._refuse_foreign(repo_path, data.replace(old.encode(), new.encode()))
        elif not self.strict:
            raise ToolError(f"nothing was replaced: {repo_path} holds the text {found} times, not once; read it again")
        staging.replace(self.context, self.run, self.workspace, repo_path, old, new)
        self._note(repo_path)
        return f"replaced in {repo_path}"

    def finish(self, summary: str) -> str:
        """Note what the agent says it did."""
        self.summary = summary
        return summary

    def _note(self, path: str) -> None:
        if path not in self.written:
            self.written.append(path)

    def _page_path(self, said: str) -> str:
        """The repository path of a page. Refused when the run has come to its end: there is nowhere to write then."""
        now = store.exact(self.context, self.run.id)
        if now is not None and now.status in FINAL:
            raise Refused(f"run {now.id} is {now.status} already", f"git assay run show {now.id}")
        try:
            return staging.page_path(self.workspace, said)
        except UsageError as error:
            raise ToolError(error.message) from error

    def _staged(self, path: str) -> bytes:
        """The page's bytes as they are staged. Without such a page, ToolError, or with `strict` nothing."""
        tree = staging.head_tree(self.context, self.run)
        if tree.blob(path) is not None:
            return tree.read(path)
        if self.strict:
            return b""
        raise ToolError(f"there is no page {path}; stage_write makes one")

    def _refuse_foreign(self, path: str, data: bytes) -> None:
        """ToolError where a run may not leave these bytes at this path."""
        repository = self.context.repository
        try:
            tree = trees.edit(repository, staging.head_tree(self.context, self.run).tree_id, {path: (data, REGULAR)})
        except UsageError as error:
            raise ToolError(error.message) from error
        head = self._view(TreeSnapshot(repository, tree))
        old, new = self._base.snapshot, head.snapshot
        touched = (Touched(path, old.blob(path), new.blob(path), old.mode(path), REGULAR),)
        change = Change(old, new, touched)
        at = RunAt(self._base, head, change, RunFacts(run_type=self.run.record.run_type), None)
        refusal = next((draft for sealed in _SEALED for draft in sealed(at)), None)
        if refusal is not None:
            raise ToolError(f"{path} may not be written: {refusal.message}")
        if not self.workspace.layout.is_page(path):
            raise ToolError(f"{path} may not be written: it is no page; pages end in .md")

    def _now(self) -> View:
        """The run's head, read anew when it has moved."""
        head = staging.head_of(self.context, self.run)
        if self._seen is None or self._seen[0] != head:
            self._seen = head, self._view(self.context.tree(head))
        return self._seen[1]

    def _view(self, tree: TreeSnapshot) -> View:
        entries = changed(self.context.repository, self._bench.base_tree.tree_id, tree.tree_id)
        touched = tuple(Touched(*entry) for entry in entries)
        return self._bench.head_view(self._base, tree, Change(self._base.snapshot, tree, touched))


def _occurrences(data: bytes, wanted: bytes) -> int:
    """At how many places a text stands, overlapping ones counted, as `staging.replace` counts them."""
    found, at = 0, data.find(wanted)
    while at >= 0:
        found, at = found + 1, data.find(wanted, at + 1)
    return found
