"""Commands that clean up when they are told to end, as they do when they are interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


@contextmanager
def unwinding() -> Iterator[None]:
    """SIGTERM and SIGHUP end the command as an interrupt does, so that nothing it has started or made stays behind.

    One that whoever started us has ignored, or that is handled already, stays as it is.
    """
    ours = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for each in ours:
        signal.signal(each, _end)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
