"""All that a case started: is it done, how many are there, and the end of every one of them.

Part of the worker (`worker.py`), so it imports little.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Family:
    """The programs of one case at a time, as far as this process can reach them.

    `kind` is `namespace` (everybody else in it is one of them), `reaper` (orphans become children of this process) or
    `group` (what leaves its process group is lost). `sees_all`: `/proc` shows the namespace.
    """

    def __init__(self, kind: str, *, sees_all: bool) -> None:
        self._kind = kind
        self._sees_all = sees_all
        self._status: dict[int, int] = {}

    @contextmanager
    def watched(self, child: int) -> Iterator[int | None]:
        """Something that can be read when a child has ended; None where the system has no such thing."""
        try:
            seen = os.pidfd_open(child) if hasattr(os, "pidfd_open") else None
        except OSError:  # Linux before 5.3
            seen = None
        try:
            yield seen
        finally:
            if seen is not None:
                os.close(seen)

    def is_done(self, child: int) -> bool:
        """Whether a child has ended. It is not waited for yet, so that its number stays its group's."""
        look = getattr(os, "waitid", None)
        if look is not None:
            return look(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        if child not in self._status:  # macOS has it from Python 3.13 on
            pid, status = os.waitpid(child, os.WNOHANG)
            self._status |= {child: status} if pid else {}
        return child in self._status

    def size(self) -> int:
        """How many processes there are; 0 where that cannot be seen."""
        if self._kind == "namespace":
            return sum(name.isdigit() for name in os.listdir("/proc")) - 1 if self._sees_all else 0
        return len(_descendants()) if self._kind == "reaper" else 0

    def end(self, child: int) -> int:
        """End all that are left, and give the child's exit code, as `os.waitstatus_to_exitcode` has it."""
        if self._kind != "namespace":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
        elif not self.is_done(child):
            self._kill()
        code = self._reaped(child)
        with suppress(ChildProcessError):
            while self._kind != "group":
                if os.waitpid(-1, os.WNOHANG)[0] == 0:  # somebody is left
                    self._kill()
                    os.waitpid(-1, 0)
        return code

    def _reaped(self, child: int) -> int:
        status = self._status.pop(child) if child in self._status else os.waitpid(child, 0)[1]
        return os.waitstatus_to_exitcode(status)

    def _kill(self) -> None:
        if self._kind == "namespace" and os.getpid() == 1:  # never where it would be the machine's own processes
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)  # everybody but this process, which is the first of its namespace
            return
        for each in _descendants():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


def _descendants() -> list[int]:
    """The numbers of all processes below this one, as `/proc` has them."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, IndexError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    left = [os.getpid()]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found
