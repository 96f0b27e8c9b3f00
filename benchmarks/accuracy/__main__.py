"""`python -m benchmarks.accuracy WIKIS`: precision and recall on a folder of wikis, measured and planted."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.accuracy import measuring, planted, tables
from gitops.errors import AssayError


def main(arguments: list[str] | None = None) -> int:
    """The command. It prints what comes out and judges nothing: its exit code is 0 unless it could not measure."""
    options = _options(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="assay-accuracy-") as scratch:
            parts = options.only or measuring.PARTS
            folder = Path(scratch)
            results = measuring.run(options.wikis.resolve(), folder, options.half, parts, options.each, options.seed)
    except AssayError as error:
        print(f"{error.message}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    if options.json:
        print(json.dumps(tables.as_json(results), indent=2, ensure_ascii=False))
        return 0
    _print(tables.tables(results))
    if options.list:
        print("\n".join(tables.cases(results)))
    return 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("wikis", type=Path, metavar="WIKIS", help="a folder of wikis, one folder each")
    halves = ("seen", "unseen", "both")
    parser.add_argument("--half", choices=halves, default="both", help="which half of what people said (default both)")
    parser.add_argument("--only", action="append", choices=measuring.PARTS, help="this part (may be given again)")
    parser.add_argument("--each", type=int, default=planted.EACH, help="mutations of a kind, form and wiki to draw")
    parser.add_argument("--seed", type=int, default=planted.SEED, help="of the draw")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the figures as JSON")
    shape.add_argument("--list", action="store_true", help="print each case that is not as it should be, too")
    options = parser.parse_args(arguments)
    if options.each < 1:
        parser.error("--each must be above zero")
    return options


def _print(found: list[tables.Table]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 140)
    for title, headings, rows in found:
        table = Table(title=title, title_justify="left")
        for number, heading in enumerate(headings):
            numeric = bool(rows) and rows[0][number].replace(",", "").isdigit()
            table.add_column(heading, justify="right" if numeric else "left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


if __name__ == "__main__":
    sys.exit(main())
