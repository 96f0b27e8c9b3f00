"""The commits that a wiki's numbers can hang on: those of the first-parent line that changed what is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitops.git import commits, history
from gitops.git.commits import Commit
from gitops.git.treediff import Entry, changed
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.wiki.layout import Layout
from gitops.wiki.paths import within


@dataclass(frozen=True, slots=True)
class WikiCommit:
    """A commit with what it brought in, against its first parent: the `pages` of the wiki, and `others` (sources that
    changed or went, gold, the policy).
    """

    commit: Commit
    pages: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def id(self) -> str:
        """The commit's whole id."""
        return self.commit.id

    @property
    def subject(self) -> str:
        """The first line of its message."""
        return self.commit.message.split("\n", 1)[0]

    @property
    def run_id(self) -> str | None:
        """The run that its trailers say it landed; what was pushed may say anything."""
        named = commits.trailers(self.commit.message).get("Assay-Run", [])
        return next(filter(names.is_id, named), None)


def wiki_commits(context: Context, workspace: Workspace, tip: str, stop: str | None = None) -> Iterator[WikiCommit]:
    """The commits that changed the wiki, newest first, down to just before `stop`.

    Left out are those that change nothing that is measured: other folders, a line in the log, sources that were added
    and are not cited yet.
    """
    for commit_id in history.first_parent(context.repository, tip, stop):
        found = brought(context, workspace, commit_id)
        if found.pages or found.others:
            yield found


def brought(context: Context, workspace: Workspace, commit_id: str) -> WikiCommit:
    """A commit with what it brought in, if that is anything."""
    commit = context.commit(commit_id)
    parent = context.commit(commit.parents[0]).tree if commit.parents else None
    entries = list(changed(context.repository, parent, commit.tree, workspace.layout.root))
    pages = tuple(entry.path for entry in entries if _is_page(workspace.layout, entry.path))
    others = tuple(entry.path for entry in entries if _counts(workspace.layout, entry))
    return WikiCommit(commit, pages, others)


def _is_page(layout: Layout, path: str) -> bool:
    return layout.is_page(path) and path != layout.log


def _counts(layout: Layout, entry: Entry) -> bool:
    if layout.is_source(entry.path):
        return entry.old_mode is not None
    return entry.path == layout.config or within(entry.path, layout.gold)
