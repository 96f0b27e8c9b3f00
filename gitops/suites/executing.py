"""Tries cases on targets, several at once, in a given order; what a target does wrong is that attempt's error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gitops.suites.model import BenchmarkCase, Limits
from gitops.suites.target import Attempt, Target
from gitops.suites.workers import Stopped

_TICK_S = 0.05
_FINAL = ("budget", "start", "invalid_json")
"""What another try cannot mend."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One case that is put to one target, as a variant, in a repeat. `config` is what the target is told besides."""

    variant: str
    repeat: int
    case: BenchmarkCase
    target: Target
    config: Mapping[str, Any]
    seed: int
    limits: Limits


Watch = Callable[[Sequence[Trial]], Iterator[Trial]]
"""Shows how far the trials have come while it gives them."""


def _watch(trials: Sequence[Trial]) -> Iterator[Trial]:
    return iter(trials)


@dataclass(slots=True)
class _Work:
    """What several threads share: the trials that are left, in order, and what came of the others."""

    trials: Sequence[Trial]
    left: Iterator[int]
    attempts: list[Attempt | None]
    changed: threading.Condition = field(default_factory=threading.Condition)
    failure: BaseException | None = None
    is_stopped: bool = False

    def next(self) -> int | None:
        """The next trial to begin, in their order."""
        with self.changed:
            return None if self.is_stopped else next(self.left, None)

    def fail(self, error: BaseException) -> None:
        """What is no target's fault ends everything."""
        with self.changed:
            self.failure = self.failure or error
            self.is_stopped = True
            self.changed.notify_all()


def executed(trials: Sequence[Trial], jobs: int, watch: Watch = _watch) -> list[Attempt]:
    """The attempts of all trials, in their order. They are begun in that order, `jobs` at a time.

    Whatever ends the waiting, an interrupt for instance, ends the targets too, and what they run; what is no target's
    fault (AssayError) is raised.
    """
    work = _Work(trials, iter(range(len(trials))), [None] * len(trials))
    threads = [threading.Thread(target=_serve, args=(work,), daemon=True) for _ in range(min(jobs, len(trials)))]
    try:
        for thread in threads:
            thread.start()
        for at, _ in enumerate(watch(trials)):
            while work.attempts[at] is None and work.failure is None:
                with work.changed:
                    if work.attempts[at] is None and work.failure is None:
                        work.changed.wait(_TICK_S)
    except BaseException:
        with work.changed:
            work.is_stopped = True
        raise
    finally:
        if work.is_stopped:
            for target in _targets(trials):
                target.close()
    for thread in threads:
        thread.join()
    if work.failure is not None:
        raise work.failure
    return [attempt for attempt in work.attempts if attempt is not None]


def _targets(trials: Sequence[Trial]) -> list[Target]:
    return list({id(one.target): one.target for one in trials}.values())


def _serve(work: _Work) -> None:
    """Try one after the other, until none is left."""
    while (at := work.next()) is not None:
        try:
            attempt = attempted(work.trials[at])
        except Stopped as error:
            if not work.is_stopped:  # nobody would wait for what will never come
                work.fail(error)
            return
        except BaseException as error:
            work.fail(error)
            return
        work.attempts[at] = attempt
    with work.changed:
        work.changed.notify_all()


def attempted(trial: Trial) -> Attempt:
    """The attempt that counts: the first that gave an output, else the last. Only what failed is tried again."""
    for tried in range(trial.limits.retries + 1):
        found = trial.target.attempt(trial.case, trial.config, trial.seed)
        if not found.error or found.category in _FINAL or tried == trial.limits.retries:
            return replace(found, retries=tried) if tried else found
    raise AssertionError("a case is tried at least once")
