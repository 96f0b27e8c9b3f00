"""A process that runs one program after the other, each for one case, and ends all that it leaves behind.

It is started once, shuts itself in (`confining.py`), and answers requests on standard input until that is closed.
Whatever it starts inherits namespaces and limits, so that a case costs little more than the program itself. It imports
little, and nothing of this project but what shuts it in. Requests and answers are marshalled: both ends are ours, and
one Python.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, BinaryIO

from gitops.suites import clearing, confining
from gitops.suites.family import Family
from gitops.suites.streams import Streams

_TICK_S = 0.02
"""How often a program that runs on is looked at: has it printed, written or started too much, has everybody left."""
_SHORT_S = 0.002
"""The same where nothing tells that a program has ended."""
_PIPE = 4096
"""So much every pipe takes before anybody reads it."""
_DEFAULTS = (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGXFSZ)
"""Signals that Python, or whoever started us, ignores; programs take them as usual."""


class Worker:
    """What all its cases have in common: the words of the program, its environment, its limits, where it runs."""

    def __init__(self, setting: Mapping[str, Any], requests: BinaryIO, answers: int) -> None:
        self.words = confining.limited(list(setting["words"]), setting["limits"])
        self.environment = dict(setting["environment"])
        self.limits = setting["limits"]
        self.files = setting["files"]
        self.base = setting["base"]
        self.folder = f"{self.base}/case"
        self.requests = requests
        self.answers = answers

    def serve(self) -> None:
        """Answer requests until there are none."""
        os.mkdir(self.folder, 0o700)
        told = confining.shut_in(self.base, self.folder, self.limits)
        self.family = Family(told["processes"], sees_all=told.pop("proc", "") == "own")
        self.is_bounded = told["files"] == "tmpfs"
        self.environment |= {"HOME": self.folder, "TMPDIR": self.folder}
        if told["tree"] == "read-only":
            self.environment["PYTHONPYCACHEPREFIX"] = f"{self.base}/pycache"
        _send(self.answers, told)
        is_well = True
        while is_well and (request := received(self.requests)) is not None:
            is_well = self._answer(request)

    def _answer(self, request: Mapping[str, Any]) -> bool:
        """Run the program for one case, and tell what came of it. Whether another may come into the same folder."""
        try:
            self._prepare()
            told = self._run(request)
        except (OSError, ValueError) as error:  # no such program, a text with a NUL in it, no room for the files
            told = {
                "code": 0,
                "ended": "start",
                "ms": 0.0,
                "said": str(error).encode("utf-8", "replace"),
                "output": b"",
            }
        try:
            self._tidy()
            told["well"] = True
        except OSError:  # somebody who could not be ended is still at work there, for instance
            told["well"] = False
        _send(self.answers, told)
        return bool(told["well"])

    def _prepare(self) -> None:
        os.chdir(self.folder)
        if self.files:
            import shutil  # takes a while to load, and few suites have files

            shutil.copytree(self.files, self.folder, symlinks=True, dirs_exist_ok=True)

    def _run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        given = _given(request["stdin"], self.folder)
        streams = Streams(self.limits["output_mb"] * 2**20)
        try:
            environment = self.environment | request["environment"]
            begun = perf_counter()
            child = _spawned(self.words, environment, (given, *streams.given))
            streams.let_go()
            try:
                ended = self._waited(child, begun + request["timeout_s"], streams)
                took = perf_counter() - begun
            finally:
                code = self.family.end(child)
            streams.drain()
            ended = ended or self._too_much(streams)
            output = b"" if ended else bytes(streams.output)
            return {"code": code, "ended": ended, "ms": took * 1000, "said": bytes(streams.said), "output": output}
        finally:
            os.close(given)
            streams.close()

    def _waited(self, child: int, deadline: float, streams: Streams) -> str:
        """Wait for a program. Why it has to be ended, '' where it came to its end by itself.

        KeyboardInterrupt where whoever asked has left.
        """
        with self.family.watched(child) as seen:
            if seen is not None:
                streams.watch(seen)
            look = perf_counter() + _TICK_S
            while True:
                now = perf_counter()
                ready = streams.wait(max(0.0, min(deadline - now, look - now, _TICK_S if seen else _SHORT_S)))
                if streams.is_too_much:
                    return "output"
                if ready or (seen is None and self.family.is_done(child)):
                    return ""
                if (now := perf_counter()) >= deadline:
                    return "timeout"
                if now >= look:
                    look = now + _TICK_S
                    if why := self._too_much(streams):
                        return why
                    if self.family.size() > self.limits["processes"]:
                        return "processes"
                    if _has_left(self.requests):
                        raise KeyboardInterrupt

    def _too_much(self, streams: Streams) -> str:
        """What the program has too much of, '' where all is well."""
        if streams.is_too_much:
            return "output"
        return "disk" if self._is_disk_full() else ""

    def _is_disk_full(self) -> bool:
        if self.is_bounded:
            room = os.statvfs(self.folder)
            return room.f_bfree == 0 or room.f_ffree == 0
        return clearing.size(self.folder) > int(self.limits["disk_mb"]) * 2**20

    def _tidy(self) -> None:
        """Empty the case's folder, and whatever else it could write to."""
        os.chdir("/")
        clearing.made_anew(self.folder)
        if os.listdir(self.folder):
            clearing.empty(self.folder)
        if self.is_bounded:
            self._tidy_beside()
        elif len(os.listdir(self.base)) > 1:
            clearing.empty(self.base, but=("case",))

    def _tidy_beside(self) -> None:
        """The same of shared memory; and of what Python compiled, where it takes half of its room."""
        with suppress(FileNotFoundError):
            if os.listdir(f"{self.base}/shared"):
                clearing.empty(f"{self.base}/shared")
        room = os.statvfs(self.base)
        if 2 * min(room.f_bfree, room.f_ffree) < max(room.f_blocks, room.f_files):
            clearing.empty(self.base, but=("case", "shared"))


def _spawned(words: list[str], environment: dict[str, str], streams: tuple[int, int, int]) -> int:
    """A program in a session of its own. OSError where there is none of that name."""
    actions = [(os.POSIX_SPAWN_DUP2, each, at) for at, each in enumerate(streams)]
    options: dict[str, Any] = {"file_actions": actions, "setsigmask": [], "setsigdef": _DEFAULTS}
    try:
        return os.posix_spawnp(words[0], words, environment, setsid=True, **options)
    except NotImplementedError:  # macOS before 10.15
        return os.posix_spawnp(words[0], words, environment, setpgroup=0, **options)


def _given(data: bytes, folder: str) -> int:
    """Something to read the case from, which is all there already: nobody has to stand by and write."""
    if len(data) <= _PIPE:
        reading, writing = os.pipe()
        os.write(writing, data)
        os.close(writing)
        return reading
    path = f"{folder}/.case"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(path)
    _write_all(file, data)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _has_left(requests: BinaryIO) -> bool:
    """Whether whoever asked has closed the pipe: nothing else comes in while they wait for an answer."""
    return bool(select.select([requests], [], [], 0)[0])


def received(stream: BinaryIO) -> Any:
    """The next value of a stream, None where it has ended."""
    size = stream.read(4)
    if len(size) < 4:
        return None
    data = stream.read(int.from_bytes(size, "little"))
    return marshal.loads(data) if data else None


def packed(value: Mapping[str, Any]) -> bytes:
    """A value as streams carry it."""
    data = marshal.dumps(dict(value))
    return len(data).to_bytes(4, "little") + data


def _send(answers: int, value: Mapping[str, Any]) -> None:
    _write_all(answers, packed(value))


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def main() -> None:
    """Serve whoever started us, until they close our standard input."""
    requests = sys.stdin.buffer
    answers = os.dup(1)
    setting = received(requests)
    if setting is not None:
        with suppress(KeyboardInterrupt, BrokenPipeError):
            Worker(setting, requests, answers).serve()
