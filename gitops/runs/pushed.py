"""Runs that were pushed and wait for an answer: a file for each, so that a worker that is killed loses none.

A run stands here from the moment its push has arrived until somebody has answered for the head that it then has.
Nothing here needs libgit2, since a push waits for whoever notes a run down.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gitops.errors import CannotRun
from gitops.git.locks import held
from gitops.runs import names

_LOCK, _WAITS_S = "PUSHED", 10.0
_OPTIONS, _WAIT = "GIT_PUSH_OPTION_COUNT", "assay.wait"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A line that git gives post-receive: a ref, and what it named before and names now."""

    old: str
    new: str
    ref: str

    @property
    def run_id(self) -> str:
        """The run whose branch this is, and is there; '' where it is none."""
        name = self.ref.removeprefix(names.BRANCHES) if self.ref.startswith(names.BRANCHES) else ""
        return name if names.is_id(name) and set(self.new) != {"0"} else ""


def arrivals(text: str) -> list[Arrival]:
    """The lines on a post-receive hook's standard input."""
    return [Arrival(*line.split(" ", 2)) for line in text.splitlines() if line.count(" ") >= 2]


def wants_to_wait(environment: Mapping[str, str]) -> bool:
    """Did who pushed say `-o assay.wait`?"""
    count = environment.get(_OPTIONS, "")
    given = range(int(count)) if count.isdigit() else ()
    return any(environment.get(f"GIT_PUSH_OPTION_{number}") == _WAIT for number in given)


def put(folder: Path, run_id: str, head: str) -> None:
    """Note down that a run waits with this head; one that waits already waits with the new head from now on."""
    with _noting(folder) as place:
        beside = place / ".new"  # one at a time writes here, and what a full disk left is written over
        with beside.open("w") as file:
            file.write(head)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place / run_id)


def waiting(folder: Path) -> dict[str, str]:
    """The runs that wait, longest first, with the heads that they were noted down with."""
    place = folder / "pushed"
    found = sorted((each.stat().st_mtime_ns, each.name) for each in _files(place))
    return {name: head for _, name in found if (head := head_of(folder, name))}


def head_of(folder: Path, run_id: str) -> str:
    """The head with which a run waits; '' where it does not."""
    try:
        return (folder / "pushed" / run_id).read_text()
    except FileNotFoundError:
        return ""


def answered(folder: Path, run_id: str, heads: Sequence[str], stands: Callable[[], str | None]) -> bool:
    """Strike a run off, unless it was pushed again since; True if it was struck off.

    `heads` are those that it had while it was answered for, the last one last. `stands` asks where its branch is now:
    at an older one of them again, that was pushed again.
    """
    with _noting(folder) as place:
        waits = head_of(folder, run_id)
        if waits and (waits not in heads or (waits != heads[-1] and waits == stands())):
            return False
        (place / run_id).unlink(missing_ok=True)
        return True


def _files(place: Path) -> list[Path]:
    return [each for each in place.iterdir() if names.is_id(each.name)] if place.is_dir() else []


@contextmanager
def _noting(folder: Path) -> Iterator[Path]:
    place = folder / "pushed"
    with held(folder.parent, _LOCK, wait=_WAITS_S):
        try:
            place.mkdir(exist_ok=True)
            yield place
        except OSError as error:
            told = f"{error.filename or place}: {error.strerror}"
            raise CannotRun(told, f"make {place} writable for whoever pushes") from error
