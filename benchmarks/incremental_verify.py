"""A run that changes ten pages, verified by a whole process: a wiki of 100,000 pages against one of 1,000.

Warm, as every verification but the first is: the link graph of the base is in the cache. The first, which reads
the whole wiki, is shown beside it (once: it takes a minute), and so is `run finish`, which verifies and lands.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import gitops
from benchmarks import wikis
from benchmarks.timing import Options, Ratio, interleave, process
from benchmarks.wikis import Wiki

LIMIT = 1.5
SMALL, LARGE = 1_000, 100_000
FEWEST = 40
"""Pages enough for a run's ten, whatever the scale."""


def run(options: Options) -> list[Ratio]:
    """Warm verification with its limit; the first verification and the landing without one."""
    small, large = (
        wikis.build(options.scratch / name, max(FEWEST, options.size(pages)))
        for name, pages in (("small", SMALL), ("large", LARGE))
    )
    environment = _environment(options.scratch)
    for wiki in (small, large):
        for number in range(options.rounds + 2):
            wikis.begin(wiki, number)
    against_small = f"the same in {small.pages:,} pages"
    warm = interleave({"floor": _verify(small, environment), "ours": _verify(large, environment)}, options.rounds)
    landing = interleave(
        {"floor": _finishes(small, environment), "ours": _finishes(large, environment)}, options.rounds
    )
    cold = _cold(large, environment)
    return [
        Ratio("verify, warm", against_small, LIMIT, large.pages, warm["ours"], warm["floor"]),
        Ratio(
            "verify, cold", "the same, warm", None, large.pages, (cold,), (sorted(warm["ours"])[options.rounds // 2],)
        ),
        Ratio("run finish, warm", against_small, None, large.pages, landing["ours"], landing["floor"]),
    ]


def _verify(wiki: Wiki, environment: Mapping[str, str]) -> Callable[[], None]:
    """The first run, which `_finishes` leaves alone."""
    return _command(wiki, environment, "verify", "run/bench-0000", "--base", "main", "--json")


def _finishes(wiki: Wiki, environment: Mapping[str, str]) -> Callable[[], None]:
    """One more run landed at each call; what they change is apart, so none waits for another."""
    numbers = iter(range(1, 10_000))
    return lambda: _command(wiki, environment, "run", "finish", f"bench-{next(numbers):04}", "--json")()


def _cold(wiki: Wiki, environment: Mapping[str, str]) -> float:
    """Seconds of one verification without a cache."""
    for file in (wiki.folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    start = time.perf_counter()
    _verify(wiki, environment)()
    return time.perf_counter() - start


def _command(wiki: Wiki, environment: Mapping[str, str], *words: str) -> Callable[[], None]:
    command = [sys.executable, "-m", "gitops", "-C", str(wiki.folder), *words]
    return process(command, Path(gitops.__file__).parents[1], environment)


def _environment(scratch: Path) -> dict[str, str]:
    """Modules compiled once, as where the package is installed, also if this process may not write them."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(scratch / "compiled")}
