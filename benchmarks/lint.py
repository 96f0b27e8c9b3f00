"""A whole wiki of 10,000 pages linted, against `git cat-file --batch --buffer` of the same pages and sources.

Whole processes, nothing cached and everything cached, the JSON thrown away. Then ten times the pages, against the
same floor for them and against ourselves, with the peak of memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

import gitops
from benchmarks import large_wikis
from benchmarks.large_wikis import LargeWiki
from benchmarks.memory import peak_bytes
from benchmarks.timing import Options, Ratio, interleave, process

COLD, WARM, GROWTH = 3.0, 0.5, 12.0
MEMORY = 1.5e9
PAGES = 10_000
FLOOR = "git cat-file --batch --buffer"


def run(options: Options) -> list[Ratio]:
    """Cold, warm, ten times as large, and its memory."""
    small = large_wikis.build(options.scratch / "small.git", options.size(PAGES))
    environment = _environment(options.scratch)
    cold = interleave({"floor": _floor(small), "ours": _cold(small, environment)}, options.rounds)
    warm = interleave({"floor": _floor(small), "ours": _lint(small, environment)}, options.rounds)
    ratios = [
        Ratio("lint, nothing cached", FLOOR, COLD, small.pages, cold["ours"], cold["floor"]),
        Ratio("lint, everything cached", FLOOR, WARM, small.pages, warm["ours"], warm["floor"]),
    ]
    return ratios + _ten_times(options, environment, cold["ours"])


def _ten_times(options: Options, environment: Mapping[str, str], small: tuple[float, ...]) -> list[Ratio]:
    """Once each: it takes minutes. The floor of the memory is the limit itself, in gigabytes."""
    large = large_wikis.build(options.scratch / "large.git", options.size(10 * PAGES))
    seconds, peak = _measured(_cold(large, environment))
    floor = _seconds(_floor(large))
    of_ten = f"the same of {options.size(PAGES):,} pages"
    return [
        Ratio("lint, nothing cached", FLOOR, COLD, large.pages, (seconds,), (floor,)),
        Ratio("lint, nothing cached", of_ten, GROWTH, large.pages, (seconds,), (median(small),)),
        Ratio("lint, peak memory", f"{MEMORY / 1e9:g} GB", 1.0, large.pages, (peak / 1e9,), (MEMORY / 1e9,)),
    ]


def _floor(wiki: LargeWiki) -> Callable[[], None]:
    ids = wiki.folder / "ids"
    ids.write_bytes(large_wikis.blobs(wiki))

    def read() -> None:
        with ids.open("rb") as asked:
            command = ["git", "cat-file", "--batch", "--buffer"]
            subprocess.run(command, cwd=wiki.folder, stdin=asked, stdout=subprocess.DEVNULL, check=True)

    return read


def _lint(wiki: LargeWiki, environment: Mapping[str, str]) -> Callable[[], None]:
    command = [sys.executable, "-m", "gitops", "-C", str(wiki.folder), "lint", "--json"]
    return process(command, Path(gitops.__file__).parents[1], environment)


def _cold(wiki: LargeWiki, environment: Mapping[str, str]) -> Callable[[], None]:
    lint = _lint(wiki, environment)

    def run() -> None:
        for file in (wiki.folder / "assay").glob("cache.sqlite3*"):
            file.unlink()
        lint()

    return run


def _seconds(side: Callable[[], None]) -> float:
    start = time.perf_counter()
    side()
    return time.perf_counter() - start


def _measured(side: Callable[[], None]) -> tuple[float, int]:
    """Seconds, and the peak of the resident memory of this process' children taken together."""
    with peak_bytes(os.getpid()) as peak:
        seconds = _seconds(side)
    return seconds, peak()


def _environment(scratch: Path) -> dict[str, str]:
    """Modules compiled once, as where the package is installed, also if this process may not write them."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(scratch / "compiled")}
