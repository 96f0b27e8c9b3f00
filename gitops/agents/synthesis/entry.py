"""The index's entry for a synthesis: first in its section, which is made where there is none."""

from __future__ import annotations

import re

HEADING = "Synthesis"
_NAMES = "synthesis|syntheses"
_SECTION = re.compile(rf"^#{{1,6}}[ \t]+(?:{_NAMES})[ \t]*#*[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_NEW = "# Index\n"


def with_entry(index: str, link: str) -> str:
    """The text of an index with one more entry; '' is an index that is not there yet."""
    item = f"- {link}"
    newline = "\r\n" if "\r\n" in index else "\n"
    if (section := _SECTION.search(index)) is None:
        before = (index or _NEW).rstrip("\r\n")
        return newline.join([before, "", f"## {HEADING}", "", item, ""])
    head, rest = index[: section.end()].rstrip("\r\n"), index[section.end() :].lstrip("\r\n")
    gap = "" if rest.startswith(("- ", "* ", "+ ")) or not rest else newline
    return f"{head}{newline}{newline}{item}{newline}{gap}{rest}"
