"""Numbers in brackets and a numbered list of sources: `…by two fifths [1][3].` and `1. [Report](../raw/report.md)`.

The list stands under a heading of `[citations] headings`, or without one at the page's end where its entries begin
with `[1]`. A number is a citation only beside such a list; where there is none, `[1]` is text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitops.wiki import bracketed, numbered_lists
from gitops.wiki.bracketed import Group
from gitops.wiki.model import Cite, Problem
from gitops.wiki.outline import NOTHING, Definition, Mark, Outline, Reading

ID = "numbered"

_TELL_TALE = re.compile(r"[\[【［]\d")

_CODES = 100
"""From here on a number may well be a code (`[404]`) rather than an entry that is not there."""

Entries = Mapping[int, tuple[Cite, ...]]


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """Nothing: a footnote is another convention."""
    return None


def read(outline: Outline) -> Reading:
    """The numbers in the prose with the sources of their entries, and those that have no entry."""
    if not _TELL_TALE.search(outline.text, outline.body):
        return NOTHING
    numbered = numbered_lists.read(outline, ID)
    if not numbered.entries:
        return NOTHING
    prose = [block for block in outline.blocks if block not in numbered.blocks and block.definition < 0]
    groups = [group for block in prose for group in bracketed.find(block, outline)]
    marks = tuple(mark for group in groups if (mark := _mark(group, numbered.entries)))
    problems = tuple(problem for group in groups if (problem := _undefined(group, numbered.entries, outline)))
    return Reading(marks=marks, problems=problems if marks else ())


def _mark(group: Group, entries: Entries) -> Mark | None:
    known = [number for number in group.numbers if number in entries]
    if not known or (group.is_doubtful and len(known) < len(group.numbers)):
        return None
    return Mark(group.start, group.end, tuple(cite for number in known for cite in entries[number]))


def _undefined(group: Group, entries: Entries, outline: Outline) -> Problem | None:
    """Numbers without an entry, unless they may be something else: an index, an interval, a code, a list."""
    missing = [number for number in group.numbers if number not in entries]
    if group.is_doubtful or not missing or len(missing) == len(group.numbers) > 1:
        return None
    if missing[-1] >= _CODES and missing[-1] > 2 * max(entries):
        return None
    said = ", ".join(f"[{number}]" for number in missing)
    last = max(entries)
    told = f"{said} has no entry in the page's list of sources, whose last number is {last}"
    place = outline.lines.place(group.start, group.end)
    return Problem("undefined", told, place, "add the entry to the list, or cite another of its numbers")
