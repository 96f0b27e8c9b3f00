"""The command of a simulation whose error levels are stated: it counts, prints, and says which level is not kept."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Counted = TypeVar("Counted", bound=DataclassInstance)

TIMES = 1_000


def main(
    prog: str,
    doc: str | None,
    worlds: Iterable[str],
    count: Callable[[str, int], Counted],
    line: Callable[[Counted], str],
    broken: Callable[[Sequence[Counted]], Sequence[str]],
    words: Sequence[str] | None,
) -> int:
    """Simulate each world, and print a table or JSON; 1 where a level is not kept and that was asked."""
    parser = argparse.ArgumentParser(prog=prog, description=doc)
    parser.add_argument("--times", type=int, default=TIMES, help=f"so many of each kind (default: {TIMES:,})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true", help="fail where a stated level is not kept")
    arguments = parser.parse_args(words)
    counted = []
    for world in worlds:
        counted.append(count(world, arguments.times))
        if not arguments.json:
            print(line(counted[-1]), flush=True)
    if arguments.json:
        print(json.dumps([asdict(one) for one in counted]))
    told = broken(counted) if arguments.check else []
    for each in told:
        print(each, file=sys.stderr)
    return 1 if told else 0
