"""One comment for each suite on a pull request: found by its mark and its author, written anew in place.

A comment of ours begins with the mark that `comment` renders and ends with a stamp: the head that it speaks of and when
the check that found it began. Another author's comment is never touched, whatever it holds; and what an older check has
to say never takes the place of a newer one's word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from gitops.ci.github import GitHub
from gitops.ci.github_answers import Missing, Unsure
from gitops.errors import CannotRun
from gitops.llm.failures import one_line

WORKFLOWS = "github-actions[bot]"
"""Whose comments a workflow's own token writes."""
LONGEST = 65_536
"""So many characters a comment may have."""
Action = Literal["made", "renewed", "same", "newer stands"]
_AUTHOR = "export ASSAY_COMMENT_AUTHOR="

_MARK = re.compile(r"<!-- git-assay:ci suite=([a-z0-9][a-z0-9._-]{0,62}) v=1 -->")
_STAMP = re.compile(r"<!-- git-assay:ci head=([0-9a-f]{40}) at=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) -->")


class _Author(BaseModel):
    login: str
    type: str = "User"


class _Comment(BaseModel):
    id: int
    body: str | None = None
    user: _Author | None = None
    html_url: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """The head that a comment speaks of, and when the check of it began."""

    head: str
    at: str


@dataclass(frozen=True, slots=True)
class Sticky:
    """A comment of ours as it stands; `stamp` is None where somebody edited it away."""

    id: int
    suite: str
    stamp: Stamp | None
    body: str
    address: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a comment."""

    suite: str
    action: Action
    address: str


def author(github: GitHub, said: str = "") -> str:
    """Whose comments are ours: as said, else the token's own person, else the one that workflows write as."""
    return said or github.login() or WORKFLOWS


def stamped(body: str, stamp: Stamp) -> str:
    """A rendered comment with its stamp as its last line."""
    return f"{body.rstrip()}\n\n<!-- git-assay:ci head={stamp.head} at={stamp.at} -->\n"


def suite_of(body: str) -> str | None:
    """The suite that a comment's first line names; None where it bears no mark of ours there."""
    found = _MARK.fullmatch(body.split("\n", 1)[0].rstrip("\r"))
    return found[1] if found is not None else None


def stamp_of(body: str) -> Stamp | None:
    """The stamp in a comment's last line. GitHub keeps what it is sent, but for line breaks as browsers send them."""
    found = _STAMP.fullmatch(body.rstrip().replace("\r\n", "\n").rsplit("\n", 1)[-1])
    return Stamp(found[1], found[2]) if found is not None else None


def ours(github: GitHub, pull: int, login: str) -> list[Sticky]:
    """The comments of ours on a pull request, the oldest first."""
    found = (github.read(_Comment, each) for each in github.pages(f"/issues/{pull}/comments"))
    return [
        Sticky(each.id, suite, stamp_of(each.body), each.body, each.html_url)
        for each in found
        if each.body is not None and _is_by(each.user, login) and (suite := suite_of(each.body)) is not None
    ]


def _is_by(user: _Author | None, login: str) -> bool:
    """Only an app's own comments bear a name in brackets, and only they are of type Bot."""
    if user is None or user.login != login:
        return False
    return (user.type == "Bot") == login.endswith("[bot]")


def keep(github: GitHub, pull: int, login: str, body: str, stamp: Stamp, stands: Iterable[Sticky]) -> Kept:
    """Have one comment on the pull request say this: the one that stands, or a new one; others of the suite go.

    Where a newer check has spoken, nothing is changed but that duplicates go.
    """
    suite = suite_of(body)
    text = stamped(body, stamp)
    if suite is None or len(text) > LONGEST:
        why = "bears no mark" if suite is None else f"has {len(text):,} characters, and {LONGEST:,} are the most"
        raise CannotRun(f"the comment {why}", "report this: git assay ci comment --dry-run prints it")
    mine = [each for each in stands if each.suite == suite]
    if not mine:
        return _made(github, pull, login, suite, text)
    newest = _alone(github, mine)
    try:
        newest = _as_it_stands(github, newest)
        if newest.stamp is not None and newest.stamp.at > stamp.at:
            return Kept(suite, "newer stands", newest.address)
        if _same(newest.body, text):
            return Kept(suite, "same", newest.address)
        renewed = github.patch(f"/issues/comments/{newest.id}", {"body": text})
    except Missing:  # somebody deleted it just now
        return _made(github, pull, login, suite, text)
    return Kept(suite, "renewed", github.read(_Comment, renewed).html_url)


def _alone(github: GitHub, mine: Collection[Sticky]) -> Sticky:
    """Of several comments of a suite the one that the newest check wrote; the others go."""
    newest = max(mine, key=lambda each: (each.stamp.at if each.stamp else "", -each.id))
    for other in mine:
        if other is not newest:
            github.delete(f"/issues/comments/{other.id}")
    return newest


def _as_it_stands(github: GitHub, known: Sticky) -> Sticky:
    """A comment of ours, read again: a limit may have been waited for since, and another job have written."""
    body = github.read(_Comment, github.get(f"/issues/comments/{known.id}")).body or ""
    return replace(known, stamp=stamp_of(body), body=body)


def _made(github: GitHub, pull: int, login: str, suite: str, text: str) -> Kept:
    """A new comment. Where another job made one at the same time, one of them goes: both jobs hold the same one for
    the newest.
    """
    try:
        made = _posted(github, pull, login, text)
    except Unsure:  # what stands there tells whether it was made
        found = next((each for each in ours(github, pull, login) if _same(each.body, text)), None)
        made = found or _posted(github, pull, login, text)
    others = (each for each in ours(github, pull, login) if each.suite == suite and each.id != made.id)
    stands = _alone(github, [made, *others])
    return Kept(suite, "made" if _same(stands.body, text) else "newer stands", stands.address)


def _posted(github: GitHub, pull: int, login: str, text: str) -> Sticky:
    """A comment, made. CannotRun where it is by another than we go by: it would never be found again, and goes."""
    made = github.read(_Comment, github.post(f"/issues/{pull}/comments", {"body": text}))
    if not _is_by(made.user, login):
        github.delete(f"/issues/comments/{made.id}")
        by = one_line(made.user.login if made.user is not None else "nobody", 80)
        raise CannotRun(f"the token comments as {by}, and our comments are those of {login}", f"{_AUTHOR}{by}")
    return Sticky(made.id, suite_of(text) or "", stamp_of(text), text, made.html_url)


def _same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").rstrip() == other.replace("\r\n", "\n").rstrip()
