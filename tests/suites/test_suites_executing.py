"""Trials on targets: their order, retries, and how everything ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.suites.executing import Trial, executed
from gitops.suites.model import BenchmarkCase, Limits
from gitops.suites.target import Attempt
from gitops.suites.workers import Stopped
from tests.suites.suite_runs import a_case


class Scripted:
    """A target in this process, which answers as a function says: real in all that executing asks of one."""

    is_timed = True

    def __init__(self, answer: Callable[[str, int], Attempt]) -> None:
        self.asked: list[tuple[str, int]] = []
        self.closed = threading.Event()
        self._answer = answer
        self._lock = threading.Lock()

    def snapshot(self) -> dict[str, Any]:
        return {}

    def attempt(self, case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> Attempt:
        with self._lock:
            self.asked.append((case.case_id, seed))
            before = sum(one == (case.case_id, seed) for one in self.asked)
        return self._answer(case.case_id, before)

    def close(self) -> None:
        self.closed.set()


def trials(target: Scripted, count: int, retries: int = 0) -> list[Trial]:
    return [Trial("", 0, a_case(f"c{at}"), target, {}, 0, Limits(retries=retries)) for at in range(count)]


@pytest.mark.parametrize("jobs", [1, 3, 50])
def test_attempts_come_in_the_order_of_their_trials(jobs: int) -> None:
    def answer(name: str, before: int) -> Attempt:
        time.sleep(0.002 * (int(name[1:]) % 3))
        return Attempt(output=name)

    target = Scripted(answer)
    found = executed(trials(target, 20), jobs)
    assert [one.output for one in found] == [f"c{at}" for at in range(20)]


def test_with_one_job_they_are_begun_in_their_order() -> None:
    target = Scripted(lambda name, before: Attempt(output=name))
    executed(trials(target, 20), 1)
    assert [name for name, _ in target.asked] == [f"c{at}" for at in range(20)]


def test_so_many_are_under_way_at_a_time() -> None:
    under_way, most, lock = 0, 0, threading.Lock()

    def answer(name: str, before: int) -> Attempt:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.01)
        with lock:
            under_way -= 1
        return Attempt(output=name)

    executed(trials(Scripted(answer), 12), 3)
    assert most == 3


def test_only_what_failed_is_tried_again_and_how_often_is_told() -> None:
    def answer(name: str, before: int) -> Attempt:
        if name == "c0":
            return Attempt(output="wrong, but an output")
        return Attempt(output="at last") if before == 3 else Attempt(error="not yet", category="exit")

    target = Scripted(answer)
    first, second = executed(trials(target, 2, retries=4), 1)
    assert (first.retries, second.retries, second.output) == (0, 2, "at last")


def test_after_so_many_tries_the_last_one_counts() -> None:
    target = Scripted(lambda name, before: Attempt(error=f"try {before}", is_timeout=True, category="timeout"))
    [found] = executed(trials(target, 1, retries=2), 1)
    assert (found.error, found.retries, len(target.asked)) == ("try 3", 2, 3)


@pytest.mark.parametrize("category", ["start", "budget"])
def test_what_another_try_cannot_mend_is_not_tried_again(category: str) -> None:
    target = Scripted(lambda name, before: Attempt(error="no", category=category))
    executed(trials(target, 1, retries=5), 1)
    assert len(target.asked) == 1


def test_what_is_no_targets_fault_ends_everything_and_is_told() -> None:
    def answer(name: str, before: int) -> Attempt:
        if name == "c3":
            raise CannotRun("no process can be started")
        return Attempt(output=name)

    target = Scripted(answer)
    with pytest.raises(CannotRun, match="no process"):
        executed(trials(target, 200), 2)
    assert target.closed.is_set()
    assert len(target.asked) < 200


def test_an_interrupt_closes_the_targets() -> None:
    target = Scripted(lambda name, before: Attempt(output=name))

    def watch(every: Sequence[Trial]) -> Iterator[Trial]:
        yield every[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        executed(trials(target, 3), 1, watch)
    assert target.closed.is_set()


def test_no_trial_at_all_is_no_attempt() -> None:
    assert executed([], 4) == []


def test_workers_that_are_gone_are_an_error_and_nobody_waits_for_ever() -> None:
    def answer(name: str, before: int) -> Attempt:
        raise Stopped

    with pytest.raises(Stopped):
        executed(trials(Scripted(answer), 3), 2)
