"""Foreign text and tables as Markdown in GitHub's flavour: what a name or a query holds is shown, and does nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from gitops.agents import marking
from gitops.report.visible import inline

_LINKS = re.compile(r"(?<=[0-9A-Za-z]):(?=//)|(?<=\b[Ww]{3})\.")
"""What GitHub makes a link of without any mark-up (GFM 6.9), up to where a backslash keeps it from that."""


def escaped(text: str) -> str:
    """The text on one line, with a backslash before whatever would mean something within a line (CommonMark 2.4)."""
    return _LINKS.sub(r"\\\g<0>", marking.escaped(inline(text)))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[str] = ()) -> str:
    """A table with a line for its names, one for how they are aligned (`numbers` to the right), and one for each row.

    Cells are Markdown: what is foreign in them is to be escaped before.
    """
    aligned = ["---:" if name in numbers else "---" for name in columns]
    return "".join(f"| {' | '.join(line)} |\n" for line in (columns, aligned, *rows))


def listed(lines: Iterable[str]) -> str:
    """A list of foreign lines; none of them can begin a heading or a list of its own."""
    return "".join(f"- {marking.begun(escaped(line).lstrip())}\n" for line in lines)
