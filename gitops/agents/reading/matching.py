"""Lines that match an expression. As a program of its own it reads the question from standard input, so that whoever
asked can end it: an expression may take longer than anyone has (`(a+)+$`), and nothing else in Python stops one.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

SHOWN = 300
_LINE_END = re.compile(r"\r\n?|\n")

Match = tuple[str, int, str]
"""Path, line (from 1), and the line, or what stands around the match where it is long."""


def matches(pattern: str, ignore_case: bool, texts: Iterable[tuple[str, str]]) -> Iterator[Match]:
    """Each line that holds a match, in order. re.error where the pattern is no expression."""
    sought = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    for path, text in texts:
        for number, line in enumerate(_LINE_END.split(text), 1):
            if (found := sought.search(line)) is not None:
                yield path, number, _around(line, found.start())


def _around(line: str, at: int) -> str:
    if len(line) <= SHOWN:
        return line
    start = max(0, min(at - SHOWN // 3, len(line) - SHOWN))
    return ("…" if start else "") + line[start : start + SHOWN] + ("…" if start + SHOWN < len(line) else "")


def main() -> None:
    """Answer one question: {pattern, ignore_case, limit, texts} → {found: up to one more than the limit} or {error}."""
    asked = json.load(sys.stdin)
    try:
        found = list(islice(matches(asked["pattern"], asked["ignore_case"], asked["texts"]), asked["limit"] + 1))
        json.dump({"found": found}, sys.stdout)
    except (re.error, RecursionError, OverflowError) as error:
        json.dump({"error": str(error)}, sys.stdout)


if __name__ == "__main__":
    main()
