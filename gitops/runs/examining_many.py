"""The verdicts on many commits, examined in one go: notes read together, signatures verified several at a time.

What held is kept by the digest of all that it hangs on, so that a second time nothing is verified again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gitops.canonical import digest, dumps, sha256
from gitops.errors import AssayError
from gitops.git import commits, history, notes, objects
from gitops.git.process import git
from gitops.runs import attesting, examining, names, steps, trusting
from gitops.runs.context import Context, epoch_of
from gitops.runs.verdict_check import Examined, Note, check, home, note_on
from gitops.verify.statement import PASSES

_KEPT = ("examined", "1")


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one commit: who signed its verdict, or why that does not hold, or neither where nobody had to.

    `target` is the branch that a yes was given for.
    """

    commit: str
    signer: str = ""
    problem: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What came of many commits, oldest first. `bare` bear no verdict: commits of people."""

    rows: tuple[Row, ...]
    bare: tuple[str, ...]

    @property
    def wrong(self) -> tuple[Row, ...]:
        """Those whose verdict does not hold."""
        return tuple(row for row in self.rows if row.problem)

    @property
    def signers(self) -> Mapping[str, int]:
        """Who signed, and how many of those that hold."""
        return Counter(row.signer for row in self.rows if row.signer and not row.problem)

    @property
    def unsigned(self) -> int:
        """How many nobody signed, and nobody had to."""
        return sum(not row.signer and not row.problem for row in self.rows)

    def as_json(self, asked: str) -> dict[str, Any]:
        """The same as plain JSON (schema `assay/verdicts-verify/1`)."""
        wrong = [{"commit": row.commit, "problem": row.problem} for row in self.wrong]
        return {
            "schema": "assay/verdicts-verify/1",
            "range": asked,
            "valid": sum(self.signers.values()),
            "invalid": wrong,
            "unsigned": self.unsigned,
            "signed_by": dict(sorted(self.signers.items())),
            "without_verdict": list(self.bare),
        }


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is remembered of a verdict that held, and what is looked at again each time."""

    signer: str
    target: str
    at: int
    revoking: str
    revoked: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """A commit, one that bears a verdict on it, the lines of that one's note, and the digest of what is asked."""

    commit: str
    bearer: str
    lines: list[str]
    key: str

    def note(self, context: Context) -> Note:
        """The note, read once."""
        return context.once(("note", self.key), lambda: note_on(context, self.bearer, self.lines))


def survey(context: Context, asked: Sequence[str], target: str | None = None) -> Surveyed:
    """Examine the verdicts on some commits, as `examining.examine` would each of them.

    What somebody else's commit stands by is looked for on the first-parent line of the last alone, and only there a
    commit without a verdict is named: a run's own commits have none.
    """
    with context.caching() as cache:
        line = frozenset(_line(context, asked))
        wanted = list(_asked(context, asked, line, target or ""))
        kept = {
            key: _Kept(*json.loads(value)) for key, value in cache.get_many(*_KEPT, [w.key for w in wanted]).items()
        }
        known = {each.commit: kept[each.key] for each in wanted if each.key in kept and _stays(context, kept[each.key])}
        rows = {commit: Row(commit, each.signer, "", each.target) for commit, each in known.items()}
        left = [each for each in wanted if each.commit not in rows]
        attesting.warm(context, _signatures(context, left))
        for each in left:
            row, keep = _examined(context, each, target)
            if row is not None:
                rows[each.commit] = row
            if keep is not None:
                cache.put(*_KEPT, each.key, dumps([*asdict(keep).values()]).encode())
    found = [rows[commit] for commit in asked if commit in rows]
    bare = (commit for commit in asked if commit not in rows and commit in line)
    return Surveyed(tuple(found if target is not None else _strays_told(context, found)), tuple(bare))


def _asked(context: Context, asked: Sequence[str], line: frozenset[str], target: str) -> Iterator[_Asked]:
    """Of each commit that anything bears a verdict on, the first that does: itself, or one of the same step."""
    own = dict(notes.read_many(context.repository, names.VERDICTS, asked))
    covered = {commit: bearer for commit in line - own.keys() for bearer in _covers(context, commit)}
    theirs = dict(notes.read_many(context.repository, names.VERDICTS, set(covered.values())))
    configured = trusting.fingerprint(context)
    for commit in asked:
        bearer = commit if commit in own else covered.get(commit)
        if bearer is None:
            continue
        lines = own[commit] if commit in own else theirs[bearer]
        content = sha256("\n".join(lines).encode("utf-8", "surrogateescape"))
        yield _Asked(commit, bearer, lines, digest([commit, bearer, content, configured, target]))


def _covers(context: Context, commit: str) -> list[str]:
    there = commits.read(context.repository, commit)
    known = steps.known(context)
    return sorted(known.get((there.parents[0], there.tree), ()))[:1] if there.parents else []


def _stays(context: Context, kept: _Kept) -> bool:
    """Does what held still hold: nobody has turned the clock back, nor revoked a key on the target since?"""
    is_past = kept.at <= context.epoch + attesting.EARLY_S
    return is_past and trusting.revoked_now(context, kept.target, kept.revoking) == kept.revoked


def _signatures(context: Context, left: Iterable[_Asked]) -> Iterator[tuple[str, Any, list[str]]]:
    for each in left:
        for verdict in each.note(context).verdicts:
            if verdict.verdict in PASSES and objects.exists(context.repository, verdict.base):
                try:
                    root = home(context, verdict.base, verdict).layout.root
                except AssayError:  # told where the verdict itself is looked at
                    continue
                yield root, verdict, each.lines


def _examined(context: Context, asked: _Asked, target: str | None) -> tuple[Row | None, _Kept | None]:
    commit = asked.commit
    if not asked.note(context).verdicts and examining.candidate_of(context, commit) is None:
        return None, None  # nothing in its note is a verdict
    try:
        if asked.note(context).verdicts:
            found = check(context, commit, asked.note(context), target)
            if found.holds:
                return _row(found), None if found.verdict.measurements else _kept(context, found)
        found = examining.held(context, commit, target)  # by another that bears a verdict on it, if there is one
    except AssayError as error:
        return Row(commit, problem=error.message), None
    return _row(found), None


def _row(found: Examined) -> Row:
    problem = "" if found.holds else found.problem
    return Row(found.commit, found.attested.signer, problem, found.verdict.target if found.is_yes else "")


def _kept(context: Context, found: Examined) -> _Kept:
    verdict = found.verdict
    path = trusting.revoked_path(context, home(context, verdict.base, verdict).layout.root, verdict.base)
    revoked = trusting.revoked_now(context, verdict.target, path)
    return _Kept(found.attested.signer, verdict.target, epoch_of(verdict.created_at), path, revoked)


def _strays_told(context: Context, rows: Sequence[Row]) -> list[Row]:
    """The same rows; where a yes was given for a branch that the commit is not on, that is said."""
    told: dict[str, str] = {}
    for target in sorted({row.target for row in rows if row.target and not row.problem}):
        mine = [row.commit for row in rows if row.target == target and not row.problem]
        tips = examining.standing_at(context, target)
        lines = "".join(f"{commit}\n" for commit in [*mine, *(f"^{tip}" for tip in tips)])
        gone = set(git(context.repository, "rev-list", "--stdin", input=lines.encode()).text.split())
        told |= {commit: examining.told_strayed(target, tips) for commit in mine if commit in gone}
    return [replace(row, problem=told[row.commit]) if row.commit in told else row for row in rows]


def _line(context: Context, asked: Sequence[str]) -> Iterator[str]:
    """The commits along first parents from the last one on, as long as they are among those asked for."""
    every = set(asked)
    for commit in history.first_parent(context.repository, asked[-1]) if asked else ():
        if commit not in every:
            return
        yield commit
