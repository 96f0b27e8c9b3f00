"""What git and libgit2 say when they fail, in words for a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from gitops.errors import AssayError, CannotRun, UsageError

DISK_FULL = "No space left on device"
NOTHING_CHANGED = "nothing was changed; free some space and run the same command again"
FETCH_MORE = "get what is missing with 'git fetch --unshallow' or 'git fetch --refetch --no-filter'"

_PREFIX = re.compile(r"^(?:fatal|error|warning|hint): ")
_WRONGLY_ASKED = re.compile(
    r"unknown revision|bad revision|ambiguous argument|not a valid (?:ref|object) name|Needed a single revision"
)
_UNWRITTEN = re.compile(r"(?:couldn't|could not|unable to|cannot) (?:write|create|close|flush)", re.IGNORECASE)
_ABSENT = re.compile(
    r"unable to read (?:tree|[0-9a-f]{40}|sha1)|bad object|could not (?:parse|read) |missing (?:blob|tree|commit)"
    r"|promisor remote|not a valid object|transport '.*' not allowed|Could not read [0-9a-f]{40}",
    re.IGNORECASE,
)


def last_line(stderr: str) -> str:
    """The last thing git said, without `fatal:` and the like."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    return _PREFIX.sub("", lines[-1].strip()) if lines else "git said nothing"


def from_git(command: str, stderr: str, code: int) -> AssayError:
    """The error that a failed git command is told as."""
    if DISK_FULL in stderr:
        return CannotRun(f"git {command}: the disk is full", NOTHING_CHANGED)
    message = f"git {command}: {last_line(stderr)}" + (f" (killed by signal {-code})" if code < 0 else "")
    if "dubious ownership" in stderr:
        return CannotRun(message, "git config --global --add safe.directory <the repository's folder>")
    if _ABSENT.search(stderr):
        return CannotRun(message, FETCH_MORE)
    if _UNWRITTEN.search(stderr):  # git does not say why; most often there is no room
        return CannotRun(message, "see whether the disk is full (df .) or may not be written; nothing was changed")
    if _WRONGLY_ASKED.search(stderr):
        return UsageError(message, "name a branch, a tag or a commit id; 'git log --oneline --all' shows them")
    return CannotRun(message, "'git fsck' says whether the repository is sound")


@contextmanager
def telling(doing: str) -> Iterator[None]:
    """Turn what libgit2 and the file system raise into CannotRun: "`doing`: reason"."""
    import pygit2

    try:
        yield
    except (pygit2.GitError, OSError, KeyError) as error:
        reason = str(error.args[0] if isinstance(error, KeyError) and error.args else error)
        if DISK_FULL in reason:
            raise CannotRun(f"{doing}: the disk is full", NOTHING_CHANGED) from error
        hint = FETCH_MORE if isinstance(error, KeyError) else "'git fsck' says whether the repository is sound"
        raise CannotRun(f"{doing}: {reason}", hint) from error
