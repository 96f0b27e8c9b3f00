"""`python -m benchmarks`: a table of ratios; `--json` the figures; `--check` fails where a limit is not kept."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import benchmarks
from benchmarks.timing import ROUNDS, Options, Ratio, Unavailable
from gitops import __version__
from gitops.errors import AssayError, CannotRun, UsageError

Run = Callable[[Options], list[Ratio]]


def registry() -> dict[str, Run]:
    """Every benchmark by its name: the stem of a module here that has `run`."""
    found: dict[str, Run] = {}
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if not module.name.startswith("_"):
            run = getattr(importlib.import_module(f"benchmarks.{module.name}"), "run", None)
            if run is not None:
                found[module.name] = cast("Run", run)
    return found


def measure(names: Iterable[str], *, rounds: int, scale: float) -> dict[str, list[Ratio]]:
    """Run the named benchmarks, each in a temporary folder of its own. UsageError for a name there is none of."""
    known = registry()
    figures: dict[str, list[Ratio]] = {}
    for name in names:
        if name not in known:
            raise UsageError(f"no benchmark is called '{name}'", f"there are: {', '.join(known)}")
        with tempfile.TemporaryDirectory(prefix=f"assay-{name}-") as scratch:
            figures[name] = known[name](Options(Path(scratch), rounds, scale))
    return figures


def attempt(names: Iterable[str], *, rounds: int, scale: float) -> tuple[dict[str, list[Ratio]], dict[str, str]]:
    """As `measure`; and those that had to be passed over because what they compare with is not here, with why."""
    figures: dict[str, list[Ratio]] = {}
    skipped: dict[str, str] = {}
    for name in names:
        try:
            figures |= measure([name], rounds=rounds, scale=scale)
        except Unavailable as error:
            skipped[name] = error.message
    return figures, skipped


def machine() -> dict[str, str | int]:
    """What a reader has to know about where the figures come from."""
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.split()[2]
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "git_assay": __version__,
        "python": platform.python_version(),
        "git": git,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
    }


def as_json(
    figures: Mapping[str, list[Ratio]], facts: Mapping[str, str | int], skipped: Mapping[str, str]
) -> dict[str, Any]:
    """The figures with every sample, in seconds."""
    return {
        "schema": "assay/benchmarks/1",
        "machine": dict(facts),
        "skipped": dict(skipped),
        "ratios": [
            {
                "benchmark": benchmark,
                "name": ratio.name,
                "floor": ratio.floor,
                "size": ratio.size,
                "limit": ratio.limit,
                "ratio": ratio.ratio,
                "quartiles": list(ratio.spread),
                "within": ratio.within,
                "seconds": list(ratio.seconds),
                "floor_seconds": list(ratio.floor_seconds),
            }
            for benchmark, ratios in figures.items()
            for ratio in ratios
        ],
    }


def exceeded(figures: Mapping[str, list[Ratio]]) -> bool:
    """Whether any ratio is above its limit."""
    return not all(ratio.within for ratios in figures.values() for ratio in ratios)


def main(arguments: list[str] | None = None) -> int:
    """The command; its exit code is 1 only where `--check` finds a limit exceeded."""
    options = _options(arguments)
    if options.list:
        print("\n".join(f"{name:12} {_first_line(name)}" for name in registry()))
        return 0
    try:
        figures, skipped = attempt(options.only or registry(), rounds=options.rounds, scale=options.scale)
    except AssayError as error:
        print(f"{error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    if options.json:
        print(json.dumps(as_json(figures, machine(), skipped), indent=2))
    else:
        _print_table(figures, skipped)
    if not figures:
        return CannotRun.exit_code  # green never means that nothing ran
    return int(options.check and exceeded(figures))


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", help="run this one (may be given again)")
    parser.add_argument("--list", action="store_true", help="name the benchmarks and stop")
    parser.add_argument("--json", action="store_true", help="print the figures with every sample")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a ratio is above its limit")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds per side (default {ROUNDS})")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply every size; the limits hold for 1")
    options = parser.parse_args(arguments)
    if options.rounds < 1 or options.scale <= 0:
        parser.error("--rounds and --scale must be above zero")
    return options


def _first_line(name: str) -> str:
    return (importlib.import_module(f"benchmarks.{name}").__doc__ or "").partition("\n")[0]


def _print_table(figures: Mapping[str, list[Ratio]], skipped: Mapping[str, str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(caption=", ".join(f"{name} {value}" for name, value in machine().items()))
    for heading in ("benchmark", "case", "against"):
        table.add_column(heading)
    for heading in ("size", "ms", "floor ms", "ratio", "quartiles", "limit"):
        table.add_column(heading, justify="right")
    for benchmark, ratios in figures.items():
        for ratio in ratios:
            table.add_row(benchmark, *_cells(ratio), style=None if ratio.within else "red")
    for benchmark, why in skipped.items():
        table.add_row(benchmark, "skipped", why, style="dim")
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _cells(ratio: Ratio) -> tuple[str, ...]:
    from statistics import median

    low, high = ratio.spread
    limit = "" if ratio.limit is None else f"{'≤' if ratio.within else '!'} {ratio.limit:g}"
    return (
        ratio.name,
        ratio.floor,
        f"{ratio.size:,}",
        f"{median(ratio.seconds) * 1000:.1f}",
        f"{median(ratio.floor_seconds) * 1000:.1f}",
        f"{ratio.ratio:.3g}",
        f"{low:.3g}-{high:.3g}",
        limit,
    )


if __name__ == "__main__":
    sys.exit(main())
