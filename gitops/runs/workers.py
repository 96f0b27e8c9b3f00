"""Who does a server's work: a few processes that come when something was pushed and go when nothing waits any more.

There is no daemon. What waits is on disk (`pushed.py`), and who works holds a lock that the kernel frees, so that a
worker that was killed is simply not there: the next push, or doctor, starts another.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

import gitops
from gitops.errors import CannotRun
from gitops.git.locks import Busy, held, is_held
from gitops.runs import pushed, worklog

MOST = 4
"""How many work at once in one repository, where `git config assay.workers` says nothing else."""

_LOOKS_S = 0.1
"""For how long a place is tried: who only looks whether it is taken holds it for a moment."""

_OWN = ("GIT_CONFIG", "GIT_SSH", "GIT_SSL", "GIT_TRACE", "GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_ASKPASS")
"""What of a push's `GIT_*` variables is this machine's own and none of the push: not its folders, nor its author."""


_REQUEST = ("HTTP_", "REMOTE_", "REQUEST_", "QUERY_STRING", "CONTENT_", "PATH_", "SCRIPT_", "AUTH_TYPE", "GATEWAY_")
"""How the variables begin that a web server makes of a request (RFC 3875)."""


class Besides(Protocol):
    """What is to do besides runs; `do` leaves nothing due, whatever comes of it."""

    def is_due(self) -> bool:
        """Is there something to do?"""
        ...

    def do(self) -> None:
        """Do it, if there is."""
        ...


def start(folder: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a worker that no push waits for: a session of its own, with nothing of the push's open.

    `folder` is the `assay` folder of the repository. What a worker says at all goes to a log of its own.
    """
    log = worklog.path_of(folder, "worker")
    code = os.fspath(Path(gitops.__file__).parents[1])
    try:
        worklog.write(log, "")
        with log.open("ab") as said:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "gitops", "-C", os.fspath(folder.parent), "hooks", "serve"],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd="/",
                env=scrubbed(environment) | {"PYTHONPATH": _joined(code, environment.get("PYTHONPATH", ""))},
                start_new_session=True,
            )
    except OSError as error:
        raise CannotRun(f"no worker could be started: {error}", "git assay doctor, once that is mended") from error


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment without what a push brought along: its repository, its quarantine, its options, its author.

    Over http that is the request too, with the password of whoever pushes, and a proxy of their choice.
    """
    foreign = ("GIT_", *_REQUEST) if "REQUEST_METHOD" in environment else ("GIT_",)
    return {name: value for name, value in environment.items() if not name.startswith(foreign) or name.startswith(_OWN)}


def work(folder: Path, most: int, do: Callable[[str], None], besides: Besides) -> int:
    """Do all that waits, the longest waiting first; gives how many runs were done.

    Where as many work as may, it is left to them: each looks once more after it has left its place, so that nothing
    that was noted down meanwhile is forgotten.
    """
    done = 0
    while True:
        with _place(folder, most) as mine:
            if not mine:
                return done
            besides.do()
            while (run_id := _next(folder)) is not None:
                done += _alone(folder, run_id, do)
                besides.do()
        if _next(folder) is None and not besides.is_due():
            return done


def is_at_work(folder: Path, run_id: str) -> bool:
    """Is a worker at this run right now?"""
    return is_held(folder.parent, _lock(run_id))


def anybody(folder: Path) -> bool:
    """Is there a worker at all?"""
    return any(is_held(folder.parent, lock.name) for lock in (folder / "locks").glob(f"{_seat('')}*"))


def _alone(folder: Path, run_id: str, do: Callable[[str], None]) -> bool:
    try:
        with held(folder.parent, _lock(run_id)):
            if pushed.head_of(folder, run_id):
                do(run_id)
                return True
    except Busy:  # who holds it looks again when it is done
        pass
    return False


def _next(folder: Path) -> str | None:
    return next((run_id for run_id in pushed.waiting(folder) if not is_at_work(folder, run_id)), None)


@contextmanager
def _place(folder: Path, most: int) -> Iterator[bool]:
    with ExitStack() as stack:
        for number in range(most):
            try:
                stack.enter_context(held(folder.parent, _seat(number), wait=_LOOKS_S))
            except Busy:
                continue
            yield True
            return
        yield False


def _lock(run_id: str) -> str:
    return f"{run_id}.SERVED"


def _seat(number: int | str) -> str:
    return f"WORKER-{number}"


def _joined(first: str, rest: str) -> str:
    return f"{first}{os.pathsep}{rest}" if rest else first
