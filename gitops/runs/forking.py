"""Work spread over processes that are forked from this one: they have what it has, and send back what they make."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.context import ForkProcess
from typing import Any, NamedTuple

from gitops.errors import Absent, AssayError, CannotRun

Work = Callable[[int, Connection], None]
"""What a worker does: its number, from 0, and its end of a pipe."""

_ENDED = "a process that did part of the work was ended from outside"
_AGAIN = "run the command again; 'dmesg' says whether memory was short"
_INTERRUPT = {signal.SIGINT}


class _Failure(NamedTuple):
    """What a worker failed of: an AssayError in its own words, an object that this clone lacks, or anything else."""

    kind: str
    message: str
    hint: str = ""


DONE = "done"
"""What each worker sends last."""


def cores() -> int:
    """How many processes can work at the same time here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def forked(count: int, work: Work) -> Iterator[list[Connection]]:
    """Run `work` in so many processes; gives this side's ends of their pipes. None is left running, come what may."""
    ends: list[Connection] = []
    processes: list[ForkProcess] = []
    sys.stdout.flush()  # what is held back would be printed by each
    try:
        for number in range(count):
            here, there = Pipe()
            ends.append(here)
            process = ForkProcess(target=_run, args=(work, number, there, tuple(ends)), daemon=True)
            # Ctrl-C reaches every process of the terminal; this one alone answers it.
            signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPT)
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPT)
            there.close()  # so that the worker's death is seen as the end of its pipe
            processes.append(process)
        yield ends
    finally:
        for process in processes:
            process.kill()
            process.join()
        for end in ends:
            end.close()


def received(end: Connection) -> Any:
    """What a worker sent next. CannotRun where it died; what it failed of is raised here."""
    try:
        said = end.recv()
    except (EOFError, OSError) as error:
        raise CannotRun(_ENDED, _AGAIN) from error
    if isinstance(said, _Failure):
        raise _again(said)
    return said


def ready(ends: Iterable[Connection]) -> list[Connection]:
    """Those of the ends at which something has come, or will come no more; waits until there is one."""
    return [end for end in wait(list(ends)) if isinstance(end, Connection)]


def send(end: Connection, what: object) -> None:
    """Give a worker something. CannotRun where it died."""
    try:
        end.send(what)
    except OSError as error:
        raise CannotRun(_ENDED, _AGAIN) from error


def _run(work: Work, number: int, end: Connection, others: tuple[Connection, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPT)
    for other in others:  # or the others would never see this side of theirs closed
        other.close()
    try:
        work(number, end)
        end.send(DONE)
    except BrokenPipeError:
        return  # nobody wants it any more
    except AssayError as error:
        end.send(_Failure(type(error).__name__, error.message, error.hint))
    except Absent as error:
        end.send(_Failure("Absent", str(error.args[0]) if error.args else ""))
    except Exception as error:
        end.send(_Failure("", f"{type(error).__name__}: {error}"))
    finally:
        end.close()


def _again(failure: _Failure) -> Exception:
    if failure.kind == "Absent":
        return Absent(failure.message)
    if not failure.kind:
        return RuntimeError(failure.message)
    kinds = {kind.__name__: kind for kind in AssayError.__subclasses__()}
    return kinds.get(failure.kind, CannotRun)(failure.message, failure.hint)
