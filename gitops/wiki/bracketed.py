"""Numbers in brackets that may be citations: `[1]`, `[1, 3]`, `[2-4]`, `【1】`; never code, links, formulas, data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gitops.wiki.blocks import Block
from gitops.wiki.formulas import find_formulas, within
from gitops.wiki.outline import Outline

_DASH = r"\u2010-\u2015-"
_NUMBERS = rf"[1-9]\d{{0,2}}(?:\s*[,;，、；{_DASH}]\s*[1-9]\d{{0,2}})*"
_GROUP = re.compile(rf"\[({_NUMBERS})\]|【({_NUMBERS})(?:[†:：][^【】]{{0,80}})?】|［({_NUMBERS})］")
_RANGE = re.compile(rf"(\d+)(?:\s*[{_DASH}]\s*(\d+))?")
_LONGEST_RANGE = 30
_WORD_BEFORE = re.compile(r"[\w.$]*\Z", re.ASCII)
_WORD_OR_YEAR = re.compile(r"[A-Za-z]{3,}|\d+")
_INDEX_GOES_ON = re.compile(r"\.\w|\[(?!\d)|\(|\s?=", re.ASCII)
_DATA = re.compile(r"(?:\b(?:range|interval|scale|shape|size|array|list|tensor|vector)s?\s*|[∈=]\s*)\Z", re.IGNORECASE)
_INTERVAL = re.compile(r"(?:\b(?:in|within|between|from|to|is|are|of|at)|[:~(,])\s*\Z", re.IGNORECASE)
_LINE_OPENS = re.compile(r"[ \t>*+-]*")
_NOTHING_ELSE = re.compile(r"[\s,;、，.。]*")


class Group(NamedTuple):
    """Numbers in one pair of brackets, `[start, end)` in the page.

    `is_doubtful` says that they may be something else (an index, an interval, a datum) unless each has its entry.
    """

    numbers: tuple[int, ...]
    start: int
    end: int
    is_doubtful: bool


def find(block: Block, outline: Outline) -> Iterator[Group]:
    """The groups of a block's visible text, in order."""
    found = list(_GROUP.finditer(block.text))
    if not found:
        return
    is_all = _NOTHING_ELSE.fullmatch(_GROUP.sub("", block.text)) is not None
    if is_all and block.kind == "cell" and (len(found) > 1 or block.column == 0):
        return  # a row's number, or data
    is_list = not is_all and found[0].start() == 0
    formulas = find_formulas(block, outline.text)
    for one in found:
        start, end = block.start_of(one.start()), block.end_of(one.end())
        if is_list and _opens_line(outline.text, start):
            continue  # an entry of some list that is numbered so
        is_formula = within(start, formulas) and (start - 1, end) not in formulas  # `\[1\]` is a number escaped
        if is_formula or not _is_plain(one, start, end, block, outline):
            continue
        numbers = tuple(_expanded(one[1] or one[2] or one[3]))
        if not _is_data(one, numbers, block.text):
            yield Group(numbers, start, end, _is_doubtful(one, block, numbers))


def _is_plain(found: re.Match[str], start: int, end: int, block: Block, outline: Outline) -> bool:
    """Whether the brackets stand in the page as they are seen (or escaped), and neither in code nor in a link."""
    text, at = outline.text, found.start()
    if text[start:end].replace("\\", "") != found[0] or text.startswith(("(", "]"), end):
        return False
    is_image = text[max(0, start - 1) : start] == "!" and not text[max(0, start - 2) : max(0, start - 1)].strip()
    if is_image or (block.codes and block.is_code(at)):
        return False
    if any(link.at <= at < link.until or link.start <= start < link.end for link in block.links):
        return False
    if any(link.at <= at < link.until for link in outline.wiki.get(block, ())):
        return False
    return not (block.text[at - 1 : at] == "]" and not _ends_group(block.text, at))


def _ends_group(text: str, at: int) -> bool:
    """Whether a group ends at `at`; behind any other bracket, `[words][1]` is a link that leads nowhere."""
    opening = text.rfind("[", 0, at)
    return opening >= 0 and _GROUP.fullmatch(text, opening, at) is not None


def _opens_line(text: str, start: int) -> bool:
    return _LINE_OPENS.fullmatch(text, text.rfind("\n", 0, start) + 1, start) is not None


def _is_data(found: re.Match[str], numbers: tuple[int, ...], text: str) -> bool:
    """An index into something (`users[1]`, `x[2]`, `a.b[3]`), or a list of numbers that is called one."""
    at, until = found.span()
    if (len(numbers) > 1 or text[:at].rstrip().endswith(("=", "∈"))) and _DATA.search(text, max(0, at - 20), at):
        return True
    before = _WORD_BEFORE.search(text, max(0, at - 40), at)
    word = before[0] if before else ""
    if not word or word.endswith("."):
        return False
    return _WORD_OR_YEAR.fullmatch(word) is None or _INDEX_GOES_ON.match(text, until) is not None


def _is_doubtful(found: re.Match[str], block: Block, numbers: tuple[int, ...]) -> bool:
    text, (at, until) = block.text, found.span()
    if block.kind == "cell" and not text[:at].strip() and not text[until:].strip():
        return True
    before = text[at - 1 : at]
    if before.isascii() and before.isalnum():
        return True
    return len(numbers) > 1 and _INTERVAL.search(text, max(0, at - 20), at) is not None


def _expanded(written: str) -> Iterator[int]:
    for part in _RANGE.finditer(written):
        first, last = int(part[1]), int(part[2] or part[1])
        yield from range(first, last + 1) if first <= last <= first + _LONGEST_RANGE else (first, last)
