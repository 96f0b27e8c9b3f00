"""`git assay metrics` over a year of measurements, against itself with nothing cached, as whole processes.

On each of 365 days five metrics are measured and a suite of 50 cases is run, on one commit a week.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import gitops
from benchmarks.committing import commit_all, git
from benchmarks.timing import Options, Ratio, against, process
from gitops.canonical import line
from gitops.git import notes
from gitops.git.repository import open_repository
from gitops.runs import names
from gitops.runs.context import CACHE, Context, moment_of
from gitops.runs.measurements import BENCHMARK, KIND, Measurement, Metric, Sample

LIMIT = 0.8
DAYS, CASES, WEEK = 365, 50, 7
_METRICS = ("M1", "M2", "M3", "M4", "M5")
_BEGIN, _DAY = 1_700_000_000, 86_400
_BEFORE, _AFTER = "before.sqlite3", "after.sqlite3"


def run(options: Options) -> list[Ratio]:
    """Where nothing is new, and where one day is, against all of it read."""
    folder = options.scratch / "wiki"
    days = options.size(DAYS)
    build(folder, days)
    floor = "nothing cached", printed(folder, "")
    return [
        against(name, floor, printed(folder, kept), options, limit=LIMIT, size=days)
        for name, kept in (("nothing is new", _AFTER), ("a day is new", _BEFORE))
    ]


def build(folder: Path, days: int) -> None:
    """A wiki with the measurements, and two copies of the cache: before the last day, and after it."""
    folder.mkdir(parents=True)
    (folder / "assay.toml").write_text('[workspace]\nname = "plant"\n')
    commit_all(folder)
    commits = [_commit(folder) for _ in range(0, days, WEEK)]
    context = Context(open_repository(folder))
    for some, copy in ((range(days - 1), _BEFORE), (range(days - 1, days), _AFTER)):
        lines: dict[str, list[str]] = {}
        for day in some:
            lines.setdefault(commits[day // WEEK], []).extend(_records(commits[day // WEEK], day))
        notes.append(context.repository, names.EVALS, lines, "measured", context.identity, context.epoch)
        printed(folder, None)()
        shutil.copy(_cache(folder), folder / copy)


def printed(folder: Path, kept: str | None) -> Callable[[], None]:
    """The text printed by a process that finds that copy of the cache; '' none, None the one that is there."""
    path = os.pathsep.join([str(Path(gitops.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    side = process([sys.executable, "-m", "gitops", "metrics"], folder, {"PYTHONPATH": path})

    def prepared() -> None:
        if kept is not None:
            for file in _cache(folder).parent.glob(f"{CACHE}*"):
                file.unlink()
        if kept:
            shutil.copy(folder / kept, _cache(folder))
        side()

    return prepared


def _cache(folder: Path) -> Path:
    return folder / ".git/assay" / CACHE


def _commit(folder: Path) -> str:
    git(folder, "commit", "-q", "--no-verify", "--allow-empty", "--message", "A week")
    return git(folder, "rev-parse", "HEAD").strip()


def _records(commit: str, day: int) -> Iterator[str]:
    """The lines of a day."""
    number = Metric(value=0.9, n=CASES, direction="higher", unit="share", status="healthy")
    samples = tuple(Sample(id=f"case-{at:03}", status="pass", latency_ms=10.0) for at in range(CASES))
    for suite, kind in (("shell", BENCHMARK), *((metric, KIND) for metric in _METRICS)):
        moment = moment_of(_BEGIN + _DAY * day)
        made = Measurement(
            summary=f"{suite} of day {day}",
            kind=kind,
            run_id=f"day-{day:05}-{suite.lower()}",
            commit=commit,
            workspace="plant",
            suite=suite,
            subject={"agent": "sh"},
            instrument={},
            started_at=moment,
            completed_at=moment,
            samples=samples if kind == BENCHMARK else (),
            metrics={suite if kind == KIND else "pass_rate": number},
        )
        body = made.named().record()
        yield line(body.pop("summary"), body)
