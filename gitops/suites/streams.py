"""What a program prints, read while it runs: through pipes, as programs expect it.

Part of the worker (`worker.py`), so it imports little: no `subprocess` and no `selectors`, with which
`retrieval/process.py` reads one program from a thread of git-assay itself; nothing is interrupted by an event here,
and a program is bounded by more than time and output.
"""

from __future__ import annotations

import os
import select
from contextlib import suppress

_CHUNK = 1 << 16
_TAIL = 4096


class Streams:
    """Standard output, whole, and the end of standard error, of one program; `most` is how much either may be."""

    def __init__(self, most: int) -> None:
        self.output = bytearray()
        self.said = bytearray()
        self._most = most
        self._said = 0
        self._out, out = os.pipe()
        self._err, err = os.pipe()
        self.given = (out, err)
        """The ends that the program gets."""
        self._open = {self._out, self._err}
        for each in self._open:
            os.set_blocking(each, False)
        self._waiting = select.poll()
        for each in self._open:
            self._waiting.register(each, select.POLLIN)

    def let_go(self) -> None:
        """Close the ends that the program has by now."""
        for each in self.given:
            os.close(each)
        self.given = (-1, -1)

    def watch(self, file: int) -> None:
        """Wake up, too, when another file can be read."""
        self._waiting.register(file, select.POLLIN)

    def wait(self, seconds: float) -> set[int]:
        """Wait until something was printed, which is taken in, or so long. What else can be read by then."""
        ready = {file for file, _ in self._waiting.poll(seconds * 1000)}
        for file in ready & self._open:
            self._take(file)
        return ready - {self._out, self._err}

    @property
    def is_too_much(self) -> bool:
        """Whether more was printed than may be."""
        return len(self.output) > self._most or self._said > self._most

    def drain(self) -> None:
        """Take in what is still in the pipes. Nobody writes any more, or nobody who could be reached."""
        for file in list(self._open):
            while file in self._open and not self.is_too_much and self._take(file):
                pass

    def close(self) -> None:
        """Close everything."""
        for each in (self._out, self._err, *self.given):
            if each >= 0:
                os.close(each)

    def _take(self, file: int) -> bool:
        """Read once. Whether there was anything."""
        with suppress(BlockingIOError):
            data = os.read(file, _CHUNK)
            if not data:
                self._open.discard(file)
                self._waiting.unregister(file)
            elif file == self._out:
                self.output += data
            else:
                self._said += len(data)
                self.said += data
                del self.said[:-_TAIL]
            return bool(data)
        return False
