"""A Python callable as a target: called with the case as a dictionary, in a process of its own for each case."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gitops.suites.model import BenchmarkSuite, PythonTarget
from gitops.suites.target import Place
from gitops.suites.targets.command import Command

_CALLING = Path(__file__).with_name("calling.py")


def opened(spec: PythonTarget, suite: BenchmarkSuite, place: Place) -> Command:
    """The target of a suite. Modules are looked for beside the suite, in its workspace, in the measured tree, then
    where ours are.

    Its latency is that of the call, without the start of Python and imports.
    """
    folders = dict.fromkeys(map(os.fspath, (place.suite, place.workspace, place.root)))
    return Command([sys.executable, "-I", os.fspath(_CALLING), spec.callable, *folders], suite, place)
