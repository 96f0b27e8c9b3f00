"""One program run to its end, or ended: what it printed, or why that is not to be had."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

MOST = 16 * 2**20
"""So many bytes of output are taken; a program that prints more is ended."""
_TAIL = 4096
_TICK_S = 0.1
"""How soon it is noticed that everything is to stop."""
_FIRST_PAUSE_S = 0.0005


@dataclass(frozen=True, slots=True)
class Ended:
    """What a program printed; `failed` says why it counts for nothing, '' where it counts."""

    output: bytes = b""
    failed: str = ""


def run(words: Sequence[str], folder: Path, timeout_s: float, stopping: threading.Event) -> Ended:
    """Run a program in a folder, with nothing on its standard input, until it is done and all its output is closed.

    It has a process group of its own, which is killed whole where it takes longer than `timeout_s`, prints without end,
    or `stopping` is set; and when it is done, so that nothing that it started in the background runs on. OSError and
    ValueError where it cannot be started.
    """
    with ExitStack() as stack:
        child = subprocess.Popen(
            words,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        stack.callback(_closed, child)
        stack.callback(_killed, child)
        output, said, failed = _read(child, monotonic() + timeout_s, timeout_s, stopping)
    if failed:
        return Ended(failed=failed)
    if child.returncode:
        return Ended(failed=_failed(child.returncode, said))
    return Ended(output)


def _read(
    child: subprocess.Popen[bytes], deadline: float, timeout_s: float, stopping: threading.Event
) -> tuple[bytes, bytes, str]:
    """What it prints and says until it is done, and why it had to be left, '' where it had not."""
    kept = {"out": bytearray(), "err": bytearray()}
    pause = _FIRST_PAUSE_S
    with selectors.DefaultSelector() as waiting:
        for name, pipe in (("out", child.stdout), ("err", child.stderr)):
            assert pipe is not None
            waiting.register(pipe, selectors.EVENT_READ, name)
        while waiting.get_map() or not _is_done(child):
            if why := _must_end(deadline, timeout_s, stopping, len(kept["out"])):
                return b"", b"", why
            if not waiting.get_map():  # it has closed its output and runs on, mostly for no time at all
                sleep(min(pause, max(0.0, deadline - monotonic())))
                pause = min(2 * pause, _TICK_S)
                continue
            for key, _ in waiting.select(min(_TICK_S, max(0.0, deadline - monotonic()))):
                if data := os.read(key.fd, 1 << 16):
                    kept[key.data] += data
                else:
                    waiting.unregister(key.fileobj)
            del kept["err"][:-_TAIL]
    return bytes(kept["out"]), bytes(kept["err"]), ""


def _must_end(deadline: float, timeout_s: float, stopping: threading.Event, printed: int) -> str:
    if stopping.is_set():
        return "it was interrupted"
    if monotonic() >= deadline:
        return f"it took longer than {timeout_s:g} s"
    return f"it printed more than {MOST // 2**20} MiB" if printed > MOST else ""


def _is_done(child: subprocess.Popen[bytes]) -> bool:
    """Whether a program has ended. Where that can be seen without waiting for it, its number stays its group's."""
    look = getattr(os, "waitid", None)  # macOS has it from Python 3.13 on
    if look is None:
        return child.poll() is not None
    return look(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _killed(child: subprocess.Popen[bytes]) -> None:
    """Kill all that is left of its group. Until it is waited for, its number is nobody else's."""
    if child.returncode is None:
        with suppress(ProcessLookupError, PermissionError):  # macOS: nothing of the group is left but its zombie
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _closed(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def _failed(code: int, said: bytes) -> str:
    """The last line that it said on standard error, behind how it ended."""
    how = f"signal {-code}" if code < 0 else f"exit {code}"
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    return f"{how}: {lines[-1]}" if lines else how
