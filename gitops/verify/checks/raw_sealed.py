"""Nobody edits a source: no run adds, changes or deletes anything under the raw folder.

In a plain revision, commits that touch nothing but sources are people's own: those that add pass in silence
(`git assay raw add` makes them), those that change or delete are named (`git assay raw sync`). Where verdicts are
signed, these have to be signed too; what a commit's message says authorises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, RunAt
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import REGULAR, SUBMODULE, SYMLINK, CommitChange, Touched


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
                where = f" in commit {commit.commit[:10]}"
                if own and (told := _why_no_source(layout, entry)):
                    yield _misnamed(entry, where, told)
                elif own and _is_file(entry):
                    yield _renewed(commit, entry, where)
                else:
                    yield _draft(entry, where)
    for entry in at.change.touched:
        if (layout.is_source(entry.path) or entry.path == layout.raw) and entry.path not in seen:
            yield _draft(entry, "")


def _is_file(entry: Touched) -> bool:
    """A regular file, or nothing any more; a symbolic link, a submodule or a new mode has no way in."""
    return entry.new_mode in (None, REGULAR, entry.old_mode) and entry.new_mode not in (SYMLINK, SUBMODULE)


def _why_no_source(layout: Layout, entry: Touched) -> str | None:
    """Why no source may be called so; None where it may, and where it is taken away."""
    return None if entry.new_mode is None or entry.path == layout.raw else layout.source_objection(entry.path)


def _misnamed(entry: Touched, where: str, told: str) -> Draft:
    subject = f"{_done(entry)} {entry.path}"
    return Draft("raw_write", f"what the change {_done(entry)}{where} {told}", subject, entry.path, repair="rename it")


def _renewed(commit: CommitChange, entry: Touched, where: str) -> Draft:
    """A source that a commit of its own renews or removes: named, and an error where nobody signed that it may."""
    done, subject = _done(entry), f"{_done(entry)} {entry.path}"
    if entry.old_mode is None or not commit.unsigned:
        by = f", signed by {commit.renewed_by}" if entry.old_mode is not None and commit.renewed_by else ""
        evidence = {"signed_by": commit.renewed_by} if by else {}
        return Draft("raw_synced", f"the change {done} a source{where}{by}", subject, entry.path, evidence=evidence)
    return Draft(
        "raw_unsigned",
        f"the change {done} a source{where}, which takes a signature: {commit.unsigned}",
        subject,
        entry.path,
        repair=f"git assay raw sync {entry.path}, by a key that may sign; git assay sync brings the signature along",
    )


def _draft(entry: Touched, where: str) -> Draft:
    kind = {SYMLINK: " (a symbolic link)", SUBMODULE: " (a submodule)"}.get(entry.new_mode or 0, "")
    command = "add" if entry.old_mode is None else "sync"
    return Draft(
        "raw_write",
        f"the change {_done(entry)} a source{kind}{where}; sources are sealed",
        f"{_done(entry)} {entry.path}",
        entry.path,
        repair=f"take it out of the change; the way in is: git assay raw {command} {entry.path}",
    )


def _done(entry: Touched) -> str:
    return "adds" if entry.old_mode is None else "deletes" if entry.new_mode is None else "changes"


CHECK = Check(
    scope="run",
    version=3,
    results={"raw_write": Level.ERROR, "raw_unsigned": Level.ERROR, "raw_synced": Level.NOTE},
    run=examine,
    sealed=True,
)
