"""Lints one workspace as a tree has it: what was kept is told again; else its pages are checked, by every core."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitops.canonical import dumps
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import lintkept
from gitops.runs.context import Context
from gitops.runs.lintkept import Found

if TYPE_CHECKING:
    from gitops.runs.chunks import Chunk
    from gitops.runs.linters import Linter
    from gitops.runs.workspace import Workspace
    from gitops.verify.debt import Entry
    from gitops.verify.finding import Finding
    from gitops.wiki.layout import Layout

SCHEMA = "assay/lint/1"
COUNTED = ("claims", "debt", "error", "note", "pages", "pages_with_findings", "unresolvable", "verified", "warning")
"""`error`, `warning` and `note` count the findings that are not accepted debt; `verified` what was found right."""


@dataclass(frozen=True, slots=True)
class Linted:
    """A workspace that was linted. `rev` is the commit it is of, '' for a tree that is not committed.

    `body` is the JSON array of the findings, in the order of paths and lines; `counts` has every one of COUNTED.
    """

    name: str
    root: str
    policy: str
    rev: str
    tree: str
    counts: Mapping[str, int]
    body: str

    def findings(self) -> list[Finding]:
        """The findings as values; those that were accepted have `debt`."""
        from gitops.verify.finding import Finding

        return [Finding.model_validate(each) for each in json.loads(self.body)]

    def json(self) -> str:
        """The canonical JSON of the whole (schema `assay/lint/1`)."""
        # Spliced in the order of the keys: findings by the thousand need not be read to be printed.
        return '{"counts":' + dumps(dict(self.counts)) + ',"findings":' + self.body + "," + dumps(self.head())[1:]

    def head(self) -> dict[str, str | None]:
        """What was linted, and by which policy."""
        return {
            "policy": self.policy,
            "rev": self.rev or None,
            "schema": SCHEMA,
            "tree": self.tree,
            "workspace": self.name,
        }


def lint(
    context: Context, tree: TreeSnapshot, root: str, commit: str, *, rev: str = "", of_additions: bool = False
) -> Linted:
    """Lint the workspace in a folder of a tree; `commit` is where the past of its sources begins ('': there is none).

    CannotRun where the wiki has no page, or where this clone lacks one.
    """
    found = lintkept.find(context, tree.tree_id, root, commit, of_additions=of_additions)
    if found is None:
        from gitops.runs.workspace import at

        found = _made(context, tree, at(tree, root, rev or "this tree"), commit, of_additions=of_additions)
        lintkept.keep(context, tree.tree_id, root, commit, found, of_additions=of_additions)
    return Linted(found.name, root, found.policy, rev, tree.tree_id, found.counts, found.body)


def findings(context: Context, workspace: Workspace, tree: TreeSnapshot, commit: str = "") -> list[Finding]:
    """The findings of a workspace as a tree has it, by a policy that may not be the tree's own; nothing is kept."""
    found = _made(context, tree, workspace, commit, of_additions=False)
    return Linted(found.name, "", found.policy, "", tree.tree_id, found.counts, found.body).findings()


def accepted(tree: TreeSnapshot, layout: Layout) -> Mapping[str, Entry]:
    """The findings that were accepted when the wiki was adopted, by fingerprint, as the linted tree has them."""
    from gitops.verify import debt

    return debt.read(tree.read(layout.debt)).entries if tree.blob(layout.debt) is not None else {}


def _made(context: Context, tree: TreeSnapshot, workspace: Workspace, commit: str, *, of_additions: bool) -> Found:
    from gitops.git.listing import bulk_reads

    try:
        with bulk_reads():
            return _found(context, tree.tree_id, workspace, commit, of_additions=of_additions)
    except Absent as error:
        raise CannotRun(f"this clone lacks what has to be read: {error}", FETCH_MORE) from error


def _found(context: Context, tree_id: str, workspace: Workspace, commit: str, *, of_additions: bool) -> Found:
    from gitops.git.listing import ListedSnapshot
    from gitops.runs.chunks import links_by_page
    from gitops.runs.linters import Linter

    layout = workspace.layout
    tree = ListedSnapshot(context.repository, tree_id, (layout.wiki, layout.raw))
    known = accepted(tree, layout)
    linter = Linter(context, workspace, tree, commit, known, of_additions=of_additions)
    if not linter.paths:
        where = f"{layout.wiki}/" if layout.wiki else "this repository"
        raise CannotRun(f"there is no page in {where}, so nothing to check", "write one, or mend [workspace] wiki")
    rows, links = [], []
    counts: Counter[str] = Counter({"pages": len(linter.paths)})
    is_of_history = False
    for chunk in _with_progress(context, linter):
        rows += chunk.rows
        counts.update(chunk.counts)
        links.append(chunk.links)
        is_of_history |= chunk.is_of_history
    last = linter.of_links(links_by_page(links, len(linter.paths)))
    rows = sorted([*rows, *last.rows])
    counts.update(last.counts)
    if gone := [entry for entry in known.values() if entry.path and tree.mode(entry.path) is None]:
        from gitops.runs.moved_debt import excused

        rows = excused(rows, counts, gone)
    counts["pages_with_findings"] = len({row.page for row in rows if not row.is_debt})
    body = "[" + ",".join(row.json for row in rows) + "]"
    counted = {name: counts[name] for name in COUNTED}
    return Found(workspace.name, workspace.policy, counted, body, is_of_history)


def _with_progress(context: Context, linter: Linter) -> Iterator[Chunk]:
    """The chunks; how far they have come is told by pages."""
    seen: list[Chunk] = []

    def by_page() -> Iterator[int]:
        for chunk in linter.chunks():
            seen.append(chunk)
            yield from range(chunk.pages)

    for _ in context.progress("checking pages", by_page(), len(linter.paths)):
        while seen:
            yield seen.pop(0)
    yield from seen
