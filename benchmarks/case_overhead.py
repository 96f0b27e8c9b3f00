"""1,000 cases of a trivial command, each shut in, against `xargs -P` with the same commands, as many at a time.

Our side is what `git assay benchmark run` does between loading a suite and grading it: workers started and shut in,
each case in an empty folder, a session of its own, its case on standard input, its environment, its output read, all
that it left behind ended; workers closed. `xargs` starts the commands with the case's id as their argument, in the
folder and the environment that it has, and throws away what they print.

`git assay benchmark run` is the whole command, from the start of Python over reading the suite from its commit and
writing that commit's tree to a temporary folder to the table that it prints. Most of that is the same for one case.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import gitops
from benchmarks.timing import Options, Ratio, Unavailable, interleave, process
from benchmarks.wikis import commit_files
from gitops.errors import CannotRun
from gitops.suites.executing import Trial, executed
from gitops.suites.model import BenchmarkCase, BenchmarkSuite
from gitops.suites.target import Place
from gitops.suites.targets.command import Command

LIMIT = 1.3
CASES = 1_000
JOBS = 2
COMMANDS = {
    "true": ("true",),
    "sh -c 'echo $ASSAY_CASE'": ("sh", "-c", "echo $ASSAY_CASE"),
    "python -I -S -c pass": (sys.executable, "-I", "-S", "-c", "pass"),
}
_WHOLE = "true"
"""The command for which `git assay benchmark run` is timed as a whole, too: with others less of the time is ours."""
_PYTHON = 0.2
"""Python takes tens of milliseconds to start: a part of the cases says as much."""
_Side = tuple[Callable[[], None], float | None]
"""What is timed, and how many times as long as `xargs` it may take."""


def run(options: Options) -> list[Ratio]:
    """Two figures per command: wall time, and without a limit processor time, which a busy machine stretches less.

    The limit is for the cases; the whole command is told beside them, without one.
    Where the system shares its time out by sessions (Linux's autogroups), cases in sessions of their own get more of a
    busy machine than the one session of `xargs`: then the second is the one to look at.
    """
    ratios = []
    for name, words in COMMANDS.items():
        size = options.size(round(CASES * (_PYTHON if words[0] == sys.executable else 1)))
        floor = xargs(words, size, options.scratch)
        sides: dict[str, _Side] = {name: (ours(words, size, options.scratch), LIMIT)}
        if name == _WHOLE:
            sides[f"{name}, by git assay benchmark run"] = (whole(words, size, options.scratch / "whole"), None)
        ratios += _ratios(floor, sides, size, options)
    return ratios


def _ratios(floor: Callable[[], None], sides: Mapping[str, _Side], size: int, options: Options) -> list[Ratio]:
    """Each side, by name and with its limit, against `xargs`: wall time, then processor time."""
    every = {"": floor, **{name: side for name, (side, _) in sides.items()}}
    spent: dict[str, list[float]] = {name: [] for name in every}
    took = interleave({name: _counted(side, spent[name]) for name, side in every.items()}, options.rounds)
    cpu = {name: tuple(each[1:]) for name, each in spent.items()}  # the first round warms up
    label = f"xargs -P {JOBS}"
    return [
        ratio
        for name, (_, limit) in sides.items()
        for ratio in (
            Ratio(name, label, limit, size, took[name], took[""]),
            Ratio(f"{name}, processor time", label, None, size, cpu[name], cpu[""]),
        )
    ]


def _counted(side: Callable[[], None], spent: list[float]) -> Callable[[], None]:
    """A side that notes down how much processor time it takes, that of all it starts and waits for included."""

    def run() -> None:
        before = _processor_time()
        side()
        spent.append(_processor_time() - before)

    return run


def _processor_time() -> float:
    found = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in found)


def ours(words: tuple[str, ...], size: int, folder: Path) -> Callable[[], None]:
    """All cases by our workers. CannotRun where one failed: what fails fast is not fast."""
    suite = _suite(words, size)

    def side() -> None:
        target = Command(words, suite, Place(folder, folder, folder))
        try:
            trials = [Trial("", 0, case, target, {}, 0, suite.limits) for case in suite.cases]
            attempts = executed(trials, JOBS)
        finally:
            target.close()
        failed = next((one.error for one in attempts if one.error), "")
        if failed or len(attempts) != size:
            raise CannotRun(f"a case failed: {failed}", f"run it by hand: {' '.join(words)}")

    return side


def whole(words: tuple[str, ...], size: int, folder: Path) -> Callable[[], None]:
    """`git assay benchmark run` of such a suite, in a repository of its own, keeping nothing."""
    suite = _suite(words, size).model_dump(mode="json")
    cases = suite.pop("cases")
    base = f"gold/suites/{suite['suite_id']}"
    files = {"assay.toml": '[workspace]\nname = "overhead"\n', f"{base}/suite.json": json.dumps(suite)}
    files |= {f"{base}/cases/{case['case_id']}.json": json.dumps(case) for case in cases}
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=folder, check=True)
    commit_files(folder, ((path, text.encode()) for path, text in files.items()))
    command = ["benchmark", "run", suite["suite_id"], "--jobs", str(JOBS), "--no-keep"]
    root = Path(gitops.__file__).parents[1]
    return process([sys.executable, "-m", "gitops", "-C", os.fspath(folder), *command], root)


def xargs(words: tuple[str, ...], size: int, folder: Path) -> Callable[[], None]:
    """The same commands by `xargs`. Unavailable where there is none."""
    given = "".join(f"c{at}\n" for at in range(size)).encode()
    environment = {**os.environ, "ASSAY_CASE": "c"}
    command = ["xargs", "-P", str(JOBS), "-n", "1", *words]

    def side() -> None:
        try:
            subprocess.run(command, input=given, stdout=subprocess.DEVNULL, env=environment, cwd=folder, check=True)
        except FileNotFoundError as error:
            raise Unavailable("there is no xargs", "install findutils") from error

    return side


def _suite(words: tuple[str, ...], size: int) -> BenchmarkSuite:
    cases = [
        BenchmarkCase.model_validate(
            {
                "case_id": f"c{at}",
                "description": "does next to nothing",
                "input": {"goal": f"case {at}"},
                "expected": {"mode": "exact", "value": ""},
                "difficulty": "easy",
                "source": "synthetic",
            }
        )
        for at in range(size)
    ]
    told = {"suite_id": "trivial", "name": "Trivial", "target": words[0], "version": "1.0.0", "cases": cases}
    return BenchmarkSuite.model_validate({**told, "runs": {"kind": "command", "words": words}})
