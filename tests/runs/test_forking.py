from __future__ import annotations

import os
import signal
import time
from multiprocessing.connection import Connection

import pytest

from gitops.errors import Absent, CannotRun, UsageError
from gitops.runs import forking


def gather(ends: list[Connection]) -> list[object]:
    found, working = [], list(ends)
    while working:
        for end in forking.ready(working):
            said = forking.received(end)
            if said == forking.DONE:
                working.remove(end)
            else:
                found.append(said)
    return found


def raising(error: Exception) -> forking.Work:
    def work(number: int, end: Connection) -> None:
        raise error

    return work


def test_a_worker_that_dies_is_an_error_and_no_result() -> None:
    def work(number: int, end: Connection) -> None:
        end.send("half")
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(CannotRun, match="ended from outside"), forking.forked(2, work) as ends:
        gather(ends)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (UsageError("wrong", "mend it so"), UsageError),
        (CannotRun("cannot", "mend it so"), CannotRun),
        (Absent("f" * 40), Absent),
        (ValueError("odd"), RuntimeError),
    ],
)
def test_what_a_worker_fails_of_is_raised_here(error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind) as raised, forking.forked(1, raising(error)) as ends:
        gather(ends)
    assert str(error) in str(raised.value)
    assert getattr(raised.value, "hint", "") == getattr(error, "hint", "")


def test_giving_something_to_a_dead_worker_is_an_error() -> None:
    with forking.forked(1, lambda number, end: None) as [end]:
        assert forking.received(end) == forking.DONE
        time.sleep(0.2)
        with pytest.raises(CannotRun, match="ended from outside"):
            forking.send(end, b"x" * 10_000_000)


def test_no_worker_outlives_the_block() -> None:
    def work(number: int, end: Connection) -> None:
        end.send(os.getpid())
        time.sleep(60)

    pids: list[int] = []

    def interrupted() -> None:
        with forking.forked(2, work) as ends:
            pids.extend(forking.received(end) for end in ends)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_interrupt_of_the_terminal_is_left_to_the_parent() -> None:
    def work(number: int, end: Connection) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        end.send(number)

    with forking.forked(2, work) as ends:
        assert sorted(map(str, gather(ends))) == ["0", "1"]


def test_every_worker_has_what_this_process_has() -> None:
    have = {"a": 1}
    with forking.forked(3, lambda number, end: end.send(have["a"] + number)) as ends:
        assert sorted(map(str, gather(ends))) == ["1", "2", "3"]
