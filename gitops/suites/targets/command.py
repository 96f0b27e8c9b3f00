"""A program as a target: the case as JSON on its standard input, its result on its standard output."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from gitops.canonical import dumps
from gitops.suites import environment
from gitops.suites.answered import attempt_of
from gitops.suites.model import BenchmarkCase, BenchmarkSuite, CommandTarget
from gitops.suites.target import Attempt, Place
from gitops.suites.workers import Program, Workers


class Command:
    """Runs a program for each case, in a process of its own that is shut in (`worker.py`)."""

    is_timed = True

    def __init__(self, words: Sequence[str], suite: BenchmarkSuite, place: Place) -> None:
        files = place.suite / suite.files if suite.files else None
        self._limits = suite.limits
        self._workers = Workers(Program(tuple(words), environment.of_suite(suite, place), suite.limits, files))

    def snapshot(self) -> dict[str, Any]:
        """How it was shut in, and whether it had a network."""
        told = self._workers.isolation()
        return {"isolation": told, "network": told["network"]}

    def attempt(self, case: BenchmarkCase, config: Mapping[str, Any], seed: int) -> Attempt:
        """Run it once. `workers.Stopped` where everything is being ended."""
        timeout_s = self._limits.timeout_ms / 1000
        given = dumps(environment.request(case, config, seed)).encode()
        ended = self._workers.run(given, environment.of_case(case, config, seed), timeout_s)
        return attempt_of(ended, self._limits, timeout_s)

    def close(self) -> None:
        """End its processes."""
        self._workers.close()


def opened(spec: CommandTarget, suite: BenchmarkSuite, place: Place) -> Command:
    """The target of a suite, with `{root}` and `{suite}` in its words put in."""
    return Command([filled(word, place) for word in spec.words], suite, place)


def filled(word: str, place: Place) -> str:
    """A word with the folders of the measured tree and of the suite in it."""
    return word.replace("{root}", os.fspath(place.root)).replace("{suite}", os.fspath(place.suite))
