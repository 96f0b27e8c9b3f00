"""How much memory a process' descendants take together, sampled from Linux's /proc while they work.

The proportional set size (`Pss`): memory that forked processes share is counted once, in parts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gitops.errors import CannotRun

EVERY_S = 0.05


@contextmanager
def peak_bytes(pid: int) -> Iterator[Callable[[], int]]:
    """The highest sum that was seen, in bytes, of all processes below `pid`. CannotRun where there is no /proc."""
    if not Path(f"/proc/{pid}/smaps_rollup").exists():
        raise CannotRun("no /proc/PID/smaps_rollup here", "measure on Linux 4.14 or later")
    highest, done = 0, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(EVERY_S):
            highest = max(highest, sum(map(_proportional, descendants(pid))))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield lambda: highest
    finally:
        done.set()
        watcher.join()


def descendants(pid: int) -> list[int]:
    """The processes below one, at this moment."""
    found: list[int] = []
    for task in _tasks(pid):
        with suppress(OSError):
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found


def _tasks(pid: int) -> list[Path]:
    with suppress(OSError):
        return list(Path(f"/proc/{pid}/task").iterdir())
    return []


def _proportional(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
