"""An excerpt of a source: the pieces that are sent, each with its number, and a line in place of whatever is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from gitops.agents.judging.sections import Divided, Section

SLIGHT = 80
"""Characters that are sent rather than left out: the line in their place would be as long."""
WHOLE = 1_200
"""Characters of a source that is always sent whole."""
_TITLE, _TITLES = 28, 12
_NUMBERED = 8
"""Bytes of a piece's number and the break behind it."""


@dataclass(frozen=True)
class Excerpt:
    """What is sent of a source; `left_out` are the numbers of the sections of which something is not."""

    text: str
    left_out: frozenset[int]


def excerpt(divided: Divided, wanted: Iterable[int], title: str = "") -> Excerpt:
    """The wanted pieces of a source and what is too little to leave out; nothing is cut in silence."""
    shown = sent(divided, wanted)
    lines: list[str] = []
    left_out: set[int] = set()
    named = {section.number for section in divided.sections if section.title == title}
    for is_shown, first, last in _runs(len(divided.pieces), shown):
        if is_shown:
            lines += (f"¶{index + 1} {divided.of(index).strip()}" for index in range(first, last))
        else:
            lines.append(_told(divided, first, last, named | left_out))
            left_out.update(divided.pieces[index].section for index in range(first, last))
    return Excerpt("\n".join(lines), frozenset(left_out))


def sent(divided: Divided, wanted: Iterable[int]) -> set[int]:
    """The pieces that are sent where some are wanted."""
    shown = set(wanted)
    if len(divided.text) <= WHOLE:
        return set(range(len(divided.pieces)))
    for is_shown, first, last in _runs(len(divided.pieces), shown):
        if not is_shown and divided.pieces[last - 1].end - divided.pieces[first].start <= SLIGHT:
            shown.update(range(first, last))
    return shown


def size(divided: Divided, wanted: Iterable[int]) -> int:
    """The bytes of an excerpt, about, without making it."""
    return sum(divided.sizes[index] + _NUMBERED for index in wanted)


def _runs(count: int, shown: Collection[int]) -> Iterator[tuple[bool, int, int]]:
    """Stretches `[first, last)` of pieces that are all shown, or all not."""
    first = 0
    for index in range(1, count + 1):
        if index == count or (index in shown) is not (first in shown):
            yield first in shown, first, index
            first = index


def _told(divided: Divided, first: int, last: int, named: Collection[int]) -> str:
    """The line in place of pieces: of which sections they are, each by its title once, and how much they are."""
    start, end = divided.pieces[first].start, divided.pieces[last - 1].end
    numbers = range(divided.pieces[first].section, divided.pieces[last - 1].section + 1)
    names = [f"§{number}" if number in named else _name(divided.sections[number - 1]) for number in numbers]
    if len(names) > _TITLES:
        names = [*names[: _TITLES - 1], f"all up to {names[-1]}"]
    return f"[left out: {', '.join(names)}; {end - start:,} characters]"


def _name(section: Section) -> str:
    title = " ".join(section.title.split())
    title = title if len(title) <= _TITLE else title[: _TITLE - 1] + "…"
    return f"§{section.number} '{title}'"
