"""`python -m benchmarks.evaluation WIKIS`: what the metrics say of each wiki of a folder, as Markdown."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from benchmarks.evaluation import measuring, page
from benchmarks.evaluation.measuring import Choice
from gitops import __version__
from gitops.demo import undisturbed
from gitops.errors import AssayError


def main(arguments: list[str] | None = None) -> int:
    """The command. It prints what comes out and judges nothing: its exit code is 0 unless it could not measure."""
    options = _options(arguments)
    started = perf_counter()
    try:
        with tempfile.TemporaryDirectory(prefix="assay-evaluation-") as scratch, undisturbed():
            choice = Choice(options.seed, options.sample, options.sources)
            found = []
            for one in measuring.reports(options.wikis.resolve(), Path(scratch).resolve(), choice):
                print(one.name, file=sys.stderr)
                found.append(one)
    except AssayError as error:
        print(f"{error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    made = page.page(found, _facts(options, perf_counter() - started))
    if options.into is None:
        print(made, end="")
    else:
        there = options.into.read_text("utf-8") if options.into.exists() else ""
        options.into.write_text(page.put(there, made), "utf-8")
    return 0


def _facts(options: argparse.Namespace, seconds: float) -> str:
    size = "each metric's own sample" if options.sample is None else f"samples of {options.sample:,}"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, git-assay {__version__}, {os.cpu_count()} cores; seed {options.seed}, {size}, "
        f"the offline judge, at most {options.sources} sources of a wiki made anew; {seconds:.0f} s in all."
    )


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evaluation", description=__doc__)
    parser.add_argument("wikis", type=Path, metavar="WIKIS", help="a folder of wikis, one folder each; none is changed")
    parser.add_argument("--seed", type=int, default=0, help="which samples are drawn (default 0)")
    parser.add_argument("--sample", type=int, metavar="N", help="how many (default: each metric's own number)")
    again = f"how many of a wiki's sources are ingested into an empty one (default {measuring.SOURCES}; 0: none)"
    parser.add_argument("--sources", type=int, default=measuring.SOURCES, metavar="N", help=again)
    marks = "put it into a file, between its two marks, instead of printing it"
    parser.add_argument("--into", type=Path, metavar="FILE", help=marks)
    options = parser.parse_args(arguments)
    if options.seed < 0 or options.sources < 0 or (options.sample is not None and options.sample < 1):
        parser.error("--seed and --sources are from 0 on, --sample from 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
