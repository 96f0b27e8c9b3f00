"""The workers of a suite: processes that are started once and run a program for one case after the other."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from time import perf_counter
from typing import Any

from gitops.errors import CannotRun
from gitops.suites import worker
from gitops.suites.model import Limits
from gitops.suites.scratch import Scratch

_CODE = "import sys; sys.path.append(sys.argv[1]); from gitops.suites import worker; worker.main()"
_PACKAGE = Path(__file__).parents[2]
_PATIENCE_S = 2.0
_GRACE_S = 60.0
"""So much longer than a case may take is waited for a worker, which has to clear up: then it was stopped, or worse."""


class Stopped(Exception):
    """The workers were ended while one of them was asked."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that is run for each case: its words, what its environment holds, its limits, the files it finds."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    limits: Limits
    files: Path | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: by itself (`ended` '') with an exit code, below zero a signal's, or because of `ended`.

    That is `timeout`, `output`, `disk`, `processes`, `start` where it could not even begin, or `lost` where the worker
    was ended with it: by a system without memory, for instance. `said` is the end of its standard error, or why it
    could not.
    """

    code: int
    ended: str
    latency_ms: float
    output: bytes
    said: str


class _Worker:
    """One process, which shuts itself in, and its pipes."""

    def __init__(self, program: Program) -> None:
        self._scratch = Scratch()
        limits = program.limits.model_dump(include={"memory_mb", "disk_mb", "output_mb", "processes", "network"})
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _CODE, os.fspath(_PACKAGE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": program.environment["PATH"], "LANG": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert isinstance(self._process.stdout, BufferedReader)
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._requests.write(
            worker.packed(
                {
                    "words": list(program.words),
                    "environment": dict(program.environment),
                    "limits": limits,
                    "files": os.fspath(program.files) if program.files else "",
                    "base": self._scratch.folder,
                }
            )
        )
        self._requests.flush()
        self.is_well = True
        """Whether it can be asked again."""

    def received(self) -> Any:
        """Its next answer. Stopped where it ended without one."""
        try:
            found = worker.received(self._answers)
        except (OSError, ValueError, EOFError) as error:  # closed, or cut off
            raise Stopped from error
        if found is None:
            raise Stopped
        return found

    def run(self, stdin: bytes, environment: Mapping[str, str], timeout_s: float) -> Ended:
        """Run the program once. Stopped where the worker was ended."""
        request = {"stdin": stdin, "environment": dict(environment), "timeout_s": timeout_s}
        try:
            self._requests.write(worker.packed(request))
            self._requests.flush()
            self._demand_answer(timeout_s + _GRACE_S)
            told = self.received()
        except (OSError, ValueError) as error:
            raise Stopped from error
        self.is_well = told["well"]
        said = told["said"].decode("utf-8", "replace")
        return Ended(told["code"], told["ended"], told["ms"], told["output"], said)

    def _demand_answer(self, seconds: float) -> None:
        """Wait until it answers. Stopped where it does not: a program that is not shut in can stop it for good."""
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            self._process.kill()
            raise Stopped

    def leave(self) -> None:
        """Have it end: it notices at once when it is idle, and soon when a program runs, which it ends first."""
        with suppress(OSError, ValueError):
            self._process.stdin.close() if self._process.stdin else None

    def close(self) -> None:
        """Wait until it has ended, and remove its folder."""
        self.leave()
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(OSError, ValueError):
            self._answers.close()
        self._scratch.close()


class Workers:
    """As many workers as are asked at the same time, started when they are needed. Usable from several threads."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._lock = threading.Lock()
        self._every: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._told: dict[str, str] | None = None
        self._is_closed = False

    def run(self, stdin: bytes, environment: Mapping[str, str], timeout_s: float) -> Ended:
        """Run the program for one case. Stopped where the workers were ended, CannotRun where there can be none."""
        begun = perf_counter()
        try:
            with self._lent() as one:
                return one.run(stdin, environment, timeout_s)
        except Stopped:
            if self._is_closed:
                raise
            return Ended(0, "lost", (perf_counter() - begun) * 1000, b"", "")

    def isolation(self) -> dict[str, str]:
        """How far the machine allows to shut a program in, as `confining.shut_in` tells it."""
        with self._lent():
            assert self._told is not None
            return dict(self._told)

    def close(self) -> None:
        """End all of them, and what they run. Nothing is asked afterwards."""
        with self._lock:
            self._is_closed = True
            every, self._every, self._idle = self._every, [], []
        for one in every:
            one.leave()
        for one in every:
            one.close()

    @contextmanager
    def _lent(self) -> Iterator[_Worker]:
        with self._lock:
            if self._is_closed:
                raise Stopped
            one = self._idle.pop() if self._idle else None
        if one is None:
            one = self._started()
        try:
            yield one
        except Stopped:
            one.is_well = False
            raise
        finally:
            self._given_back(one)

    def _given_back(self, one: _Worker) -> None:
        """Keep a worker for the next case, or let it go where it can do no more."""
        with self._lock:
            is_ours = one in self._every  # or else it is closed by whoever closes all
            if is_ours and one.is_well:
                self._idle.append(one)
            elif is_ours:
                self._every.remove(one)
        if is_ours and not one.is_well:
            one.close()

    def _started(self) -> _Worker:
        try:
            one = _Worker(self._program)
        except OSError as error:
            raise CannotRun(f"no process can be started for the cases: {error}", "free some memory or space") from error
        with self._lock:
            is_late = self._is_closed
            if not is_late:
                self._every.append(one)
        if is_late:
            one.close()
            raise Stopped
        try:
            told = one.received()
        except Stopped:
            if self._is_closed:
                raise
            hint = "free some memory, or give the suite's limits more"
            raise CannotRun("a process that shuts cases in ended before it could run any", hint) from None
        with self._lock:
            self._told = told
        return one
