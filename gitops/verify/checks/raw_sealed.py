"""Nobody edits a source: no run adds, changes or deletes anything under the raw folder.

In a plain revision, commits that touch nothing but sources are people's own: those that add pass in silence
(`git assay raw add` makes them), those that change or delete are named (`git assay raw sync`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, RunAt
from gitops.wiki.snapshot import REGULAR, SUBMODULE, SYMLINK, Touched


def examine(at: RunAt) -> Iterator[Draft]:
    """The sources that the change touches, in its outcome or in any commit on the way."""
    layout = at.head.layout
    seen: set[str] = set()
    for commit in at.change.commits:
        sources = [entry for entry in commit.touched if layout.is_source(entry.path) or entry.path == layout.raw]
        own = not at.run.is_run and len(sources) == len(commit.touched)
        for entry in sources:
            seen.add(entry.path)
            if not (own and commit.is_intake):
                result = "raw_synced" if own and _is_file(entry) else "raw_write"
                yield _draft(entry, f" in commit {commit.commit[:10]}", result)
    for entry in at.change.touched:
        if (layout.is_source(entry.path) or entry.path == layout.raw) and entry.path not in seen:
            yield _draft(entry, "", "raw_write")


def _is_file(entry: Touched) -> bool:
    """A regular file, or nothing any more; a symbolic link, a submodule or a new mode has no way in."""
    return entry.new_mode in (None, REGULAR, entry.old_mode) and entry.new_mode not in (SYMLINK, SUBMODULE)


def _draft(entry: Touched, where: str, result: str) -> Draft:
    done = "adds" if entry.old_mode is None else "deletes" if entry.new_mode is None else "changes"
    kind = {SYMLINK: " (a symbolic link)", SUBMODULE: " (a submodule)"}.get(entry.new_mode or 0, "")
    command = "add" if entry.old_mode is None else "sync"
    if result == "raw_synced":
        return Draft(result, f"the change {done} a source{kind}{where}", f"{done} {entry.path}", entry.path)
    return Draft(
        result,
        f"the change {done} a source{kind}{where}; sources are sealed",
        f"{done} {entry.path}",
        entry.path,
        repair=f"take it out of the change; the way in is: git assay raw {command} {entry.path}",
    )


CHECK = Check(
    scope="run",
    version=2,
    results={"raw_write": Level.ERROR, "raw_synced": Level.NOTE},
    run=examine,
    sealed=True,
)
