"""Blame, claim by claim: what each claim of a page leans on, who brought it in, by which run and on what verdict."""

from __future__ import annotations

import shlex
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from gitops.errors import Absent, CannotRun, UsageError
from gitops.git.failure import FETCH_MORE
from gitops.git.snapshot import TreeSnapshot
from gitops.runs import examining, judging
from gitops.runs.context import Context
from gitops.runs.dating import Dated, Dating, Key, Since, asserted
from gitops.runs.garbage import uncollected
from gitops.runs.provenance import Origin, origins
from gitops.runs.sourced import Source, as_it_stands
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.nearby import nearest
from gitops.verify.verdict import Verdict
from gitops.wiki.model import Claim, Page, Place
from gitops.wiki.snapshot import EXECUTABLE, REGULAR

Lines = tuple[int, int | None]
"""The first and the last line of a part of a page, counted from 1; None is the page's end."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """A claim and its origin. `text` is '' for a source that backs the page as a whole.

    `since` says what the commit brought in: the `claim`; its `citation`, where the words stood there before; or
    `unknown`, where this clone's history is cut off at the commit.
    """

    text: str
    place: Place
    sources: tuple[Source, ...]
    origin: Origin
    since: Since | Literal["unknown"]

    @property
    def date(self) -> str:
        """When the commit was made, as records write it: `2026-11-21T21:08:43Z`; `@N` for a year that nobody has."""
        seconds = self.origin.commit.time
        try:
            return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
        except (OverflowError, ValueError, OSError):  # git stores any number
            return f"@{seconds}"

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        origin, commit = self.origin, self.origin.commit
        return {
            "claim": self.text,
            "line": self.place.line,
            "end_line": self.place.end_line,
            "sources": [source.as_json() for source in self.sources],
            "author": f"{commit.author.name} <{commit.author.email}>",
            "commit": commit.id,
            "date": self.date,
            "since": self.since,
            "landed": origin.landed,
            "run": origin.run_id,
            "verdict": _stated(origin.verdict) if origin.verdict is not None else None,
            "told": origin.told,
        }


@dataclass(frozen=True, slots=True)
class Blame:
    """A page at a revision, claim by claim, in the page's order."""

    path: str
    rev: str
    claims: tuple[Blamed, ...]
    lines: Lines | None = None
    signers: Mapping[str, str] = field(default_factory=dict)
    """Who signed the verdicts of these claims, by their ids; those alone whose signature holds."""

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """The verdicts that the claims landed by, by their ids."""
        return {claim.origin.verdict.id: claim.origin.verdict for claim in self.claims if claim.origin.verdict}

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON (schema `assay/blame/1`)."""
        claims = [claim.as_json() for claim in self.claims]
        signed = bool(self.verdicts) and set(self.verdicts) <= set(self.signers)
        return {"schema": "assay/blame/1", "path": self.path, "rev": self.rev, "claims": claims, "signed": signed}


def blame(context: Context, workspace: Workspace, rev: str, path: str, lines: Lines | None = None) -> Blame:
    """Blame the page at `path`, as the commit `rev` has it; of some lines only those claims that touch them.

    CannotRun where this clone lacks a version that has to be read.
    """
    try:
        with Bench(context, workspace, rev) as bench:
            found = _blamed(context, bench, rev, path, lines)
        return replace(found, signers=examining.signers(context, found.verdicts.values()))
    except Absent as error:
        raise CannotRun(f"this clone lacks an object that has to be read: {error}", FETCH_MORE) from error


def page_at(context: Context, workspace: Workspace, rev: str, path: str) -> str:
    """The path of a page as git has it, in whatever Unicode form. UsageError where no page can be blamed there."""
    tree, layout, at = context.tree(rev), workspace.layout, f"at {rev[:10]}"
    if tree.folder_id(path) is not None:
        pages = (each for each in (*tree.paths(path), *tree.paths(layout.wiki)) if layout.is_page(each))
        hint = f"name a page: git assay blame {shlex.quote(next(pages, layout.index))}"
        raise UsageError(f"{path or 'the whole repository'} is a folder; blame reads one page", hint)
    if tree.mode(path) is None:
        path = _alike(tree, layout.wiki, path) or path
    if (mode := tree.mode(path)) is None:
        raise UsageError(f"there is no {path} {at}", _instead(tree, layout.wiki, path))
    if mode not in (REGULAR, EXECUTABLE):
        raise UsageError(f"{path} is no file of its own (mode {mode:o}), so no page", "name the file itself")
    if path == layout.log:
        raise UsageError(f"{path} makes no claims: the tool alone writes it", "git assay log")
    if not layout.is_page(path):
        told = f"{path} is no page of the wiki: those are the Markdown files below {layout.wiki}/"
        raise UsageError(told, f"git blame {shlex.quote(path)} tells its lines")
    return path


def _alike(tree: TreeSnapshot, folder: str, path: str) -> str | None:
    """The path that is the same text in another Unicode form: macOS has added names in NFD for decades."""
    wanted = unicodedata.normalize("NFC", path)
    names = () if path.isascii() else tree.paths(folder)
    return next((each for each in names if unicodedata.normalize("NFC", each) == wanted), None)


def _instead(tree: TreeSnapshot, folder: str, path: str) -> str:
    near = nearest(path, tree.paths(folder))
    if near is not None:
        return f"git assay blame {shlex.quote(near)}"
    return f"commit it first, or say --rev REV: git log --oneline -- {shlex.quote(path)}"


def _blamed(context: Context, bench: Bench, rev: str, path: str, lines: Lines | None) -> Blame:
    page = bench.library.page(bench.base_tree, path)
    _demand_lines(page, path, lines)
    found = asserted(page)
    wanted = {key: each for key, each in found.items() if lines is None or _touches(each.place, *lines)}
    if not wanted:
        return Blame(path, rev, (), lines)
    dated = _dated(context, Dating(context, bench.workspace.config, rev, path, wanted), path)
    came = origins(context, rev, (each.commit for each in dated.values()))
    cut_off = _cut_off(context, came)
    results = as_it_stands(bench, path)
    claims = []
    for key, each in wanted.items():
        at = dated[key]
        since = "unknown" if at.commit in cut_off else at.since
        text = each.text if isinstance(each, Claim) else ""
        claims.append(Blamed(text, each.place, tuple(results.of(each)), came[at.commit], since))
    return Blame(path, rev, tuple(sorted(claims, key=lambda claim: claim.place.start)), lines)


def _demand_lines(page: Page, path: str, lines: Lines | None) -> None:
    count = len(page.text.splitlines())
    if lines is not None and lines[0] > count:
        raise UsageError(f"{path} has {count} lines, and none is line {lines[0]}", f"-L 1,{count}")


def _touches(place: Place, first: int, last: int | None) -> bool:
    return place.end_line >= first and (last is None or place.line <= last)


def _dated(context: Context, dating: Dating, path: str) -> dict[Key, Dated]:
    dated: dict[Key, Dated] = {}
    with uncollected():
        for some in context.progress(f"reading earlier versions of {path}", dating, UNKNOWN):
            dated |= some
    return dated


UNKNOWN = 0
"""The total told to whoever shows progress: how many versions there are to read is not known before."""


def _cut_off(context: Context, commits: Iterable[str]) -> set[str]:
    """Those of some commits at which this clone's history is cut off (gitrepository-layout(5), `shallow`)."""
    if not context.repository.is_shallow:
        return set()
    edge = (context.repository.common_dir / "shallow").read_text().split()
    found = set(commits).intersection(edge)
    if found:
        told = "this clone's history is cut off: claims that are told as of the cut may be older"
        context.warn_once(f"{told}: git fetch --unshallow")
    return found


def _stated(verdict: Verdict) -> dict[str, Any]:
    """A verdict in few fields; `git assay log --json` has the rest."""
    record = verdict.record()
    names = ("id", "verdict", "judge", "verifier", "candidate", "created_at", "reasoning", "counts", "supersedes")
    return {name: record[name] for name in names} | {"unverified": judging.is_unverified(verdict)}
