"""Commits as values: written so that the same input is the same id, read back, and signed where git is told to sign."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from gitops.errors import Absent, CannotRun, UsageError
from gitops.git.failure import last_line, telling
from gitops.git.process import DURABLE, git
from gitops.git.repository import Repository

_IDENT = re.compile(r"(.*?) ?<([^<>]*)> \d+ [+-]\d{4}", re.DOTALL)
_TRAILER = re.compile(r"([A-Za-z0-9-]+)[ \t]*:(.*)", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_BY_GIT = ("Signed-off-by: ", "(cherry picked from commit ")
_WHO = "git config --global user.name 'Your Name' && git config --global user.email you@example.org"


class Identity(NamedTuple):
    """Who writes, as git has it."""

    name: str
    email: str


class Commit(NamedTuple):
    """A commit's own content; `time` is the committer's, in seconds since 1970 (UTC)."""

    id: str
    tree: str
    parents: tuple[str, ...]
    message: str
    author: Identity
    time: int


def identity(repository: Repository) -> Identity:
    """Who would commit here by git's own rules. CannotRun with the two commands that set it when it is unset."""
    done = git(repository, "var", "GIT_COMMITTER_IDENT", check=False)
    match = _IDENT.fullmatch(done.text)
    if done.code or match is None:
        raise CannotRun(f"git does not know who you are: {last_line(done.stderr)}", _WHO)
    return Identity(match[1], match[2])


def write(
    repository: Repository,
    tree: str,
    parents: Sequence[str],
    message: str,
    author: Identity,
    when: int,
    sign: bool | None = None,
) -> str:
    """Write a commit and give its id; no ref moves.

    `when` (seconds since 1970, told as UTC) is the author's and the committer's date, so that the same input
    makes the same commit. `sign=None` asks `commit.gpgsign`; a signed commit's id need not repeat.
    """
    repository.refuse_in_quarantine("writing a commit")
    text = message.encode("utf-8", "replace").decode().rstrip("\n") + "\n"
    if sign is None:
        sign = repository.git_config("commit.gpgsign", "bool") == "true"
    if sign:
        return _signed(repository, tree, parents, text, author, when)
    import pygit2

    with telling("writing a commit"):
        who = pygit2.Signature(author.name, author.email, when, 0, "utf-8")
        return str(repository.handle.create_commit(None, who, who, text, tree, list(parents)))


def _signed(repository: Repository, tree: str, parents: Sequence[str], text: str, author: Identity, when: int) -> str:
    env = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in _parts(author, when)}
    named = [word for parent in parents for word in ("-p", parent)]
    command = (*DURABLE, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", *named, "-F", "-", tree)
    done = git(repository, *command, input=text.encode(), env=env, check=False)
    if done.code:
        raise CannotRun(
            f"the commit could not be signed: {last_line(done.stderr)}",
            "check 'git config user.signingkey' and 'git config gpg.format', or: git config commit.gpgsign false",
        )
    return done.text


def _parts(author: Identity, when: int) -> Iterable[tuple[str, str]]:
    return ("NAME", author.name), ("EMAIL", author.email), ("DATE", f"@{when} +0000")


def read(repository: Repository, commit_id: str) -> Commit:
    """A commit's content. `Absent` when this clone lacks it, CannotRun when the id is another object's."""
    import pygit2
    from pygit2.enums import ObjectType

    try:
        there = repository.handle.get(commit_id)
    except (pygit2.GitError, ValueError) as error:
        raise CannotRun(f"commit {commit_id}: {error}", "'git fsck' says what is damaged") from error
    if there is None:
        raise Absent(commit_id)
    if there.type != ObjectType.COMMIT:
        raise CannotRun(f"{commit_id} is a {there.type_str}, not a commit", "name a commit")
    found = cast("pygit2.Commit", there)
    return Commit(
        id=commit_id,
        tree=str(found.tree_id),
        parents=tuple(str(parent) for parent in found.parent_ids),
        message=found.raw_message.decode("utf-8", "replace"),
        author=Identity(_text(found.author.raw_name), _text(found.author.raw_email)),
        time=found.commit_time,
    )


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def trailers(message: str) -> dict[str, list[str]]:
    """The trailers in a message's last paragraph, by the rules of git-interpret-trailers(1), without a divider.

    The paragraph counts when it is not the first, and all its lines are trailers; or at least a quarter are and
    one is of those git writes itself. Folded lines are joined by a space. Keys are spelled as first written.
    """
    found: dict[str, list[str]] = {}
    spelled: dict[str, str] = {}
    for line, _ in _trailer_lines(message):
        if match := _TRAILER.match(line):
            key = spelled.setdefault(match[1].lower(), match[1])
            found.setdefault(key, []).append(match[2].strip())
    return found


def _trailer_lines(message: str) -> list[tuple[str, int]]:
    """The lines of the trailer paragraph, unfolded, each with how many lines it was folded over; [] if it is none."""
    lines = message.split("\n")
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    start = next((number for number in range(len(lines) - 1, -1, -1) if not lines[number].strip()), None)
    if start is None or not any(line.strip() and not line.startswith("#") for line in lines[:start]):
        return []
    unfolded: list[tuple[str, int]] = []
    after_comment = False
    for line in lines[start + 1 :]:
        if line[:1] in (" ", "\t") and unfolded and not after_comment:
            before, count = unfolded[-1]
            unfolded[-1] = f"{before} {line.strip()}", count + 1
        elif not line.startswith("#"):
            unfolded.append((line, 1))
        after_comment = line.startswith("#")
    others = sum(count for line, count in unfolded if not _TRAILER.match(line) and not line.startswith(_BY_GIT))
    good = sum(1 for line, _ in unfolded if _TRAILER.match(line) or line.startswith(_BY_GIT))
    by_git = any(line.startswith(_BY_GIT) for line, _ in unfolded)
    return unfolded if good and (not others or (by_git and good * 3 >= others)) else []


def with_trailers(subject: str, body: str, pairs: Iterable[tuple[str, str]]) -> str:
    """A message of a subject line, a body (may be '') and trailers, each value folded onto one line.

    Only what is in `pairs` is a trailer of it, whatever the body's last paragraph looks like, as long as there
    is one pair. UsageError for a key that git would not take.
    """
    lines = [f"{_key(key)}: {' '.join(value.split())}" for key, value in pairs]
    parts = [" ".join(subject.split()), body.strip("\n"), "\n".join(lines)]
    return "\n\n".join(part for part in parts if part.strip()) + "\n"


def _key(key: str) -> str:
    if not _TOKEN.fullmatch(key):
        raise UsageError(f"{key!r} cannot be a trailer's key", "use letters, digits and '-'")
    return key
