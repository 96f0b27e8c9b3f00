"""The YAML block at the head of a page: where it ends, what it says, what is wrong with it.

It is cut here and not by the Markdown parser, which takes any later `---` pair for metadata and drops
the references inside.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from gitops.wiki.model import Problem
from gitops.wiki.positions import Lines
from gitops.wiki.salvage import salvaged
from gitops.wiki.values import value_class
from gitops.wiki.yaml_values import Fault, load

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n)")
_CLOSE = re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)")
_BLANK = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")
_KEY_LINE = re.compile(r"""["']?[A-Za-z_][\w .-]*["']?:(?:\s|$)""")
_KEY = re.compile(r"[\w.-]+")


@value_class
class Frontmatter:
    """The values, JSON-able; the code point where the page's body begins; the problems."""

    values: dict[str, Any] = field(default_factory=dict)
    end: int = 0
    problems: tuple[Problem, ...] = ()


@value_class
class _Cut:
    start: int
    inner: int
    inner_end: int
    end: int


def read(text: str, lines: Lines) -> Frontmatter:
    """Read the block that begins at the text's first character, and any that directly follow it."""
    first = _cut(text, 0)
    if first is None:
        return Frontmatter(problems=_unclosed(text, lines))
    found = load(text[first.inner : first.inner_end])
    is_mapping = isinstance(found.value, dict)
    if not is_mapping and text[first.inner] in "\r\n":
        return Frontmatter()  # two rules around prose: nobody leaves the line after the opening mark blank
    problems = [_problem(fault, first, text, lines) for fault in found.faults]
    if found.value is not None and not is_mapping:
        kind = type(found.value).__name__
        told = f"the frontmatter is a {kind}, not a mapping of keys to values"
        problems.append(Problem("not_a_mapping", told, lines.place(first.inner, first.inner_end), "write `key: value`"))
    values = dict(found.value) if is_mapping else {}
    if any(fault.result == "unparsable_frontmatter" for fault in found.faults):
        values = salvaged(text[first.inner : first.inner_end])
    end = _follow(text, first.end, values, problems, lines)
    return Frontmatter(values, end, tuple(problems))


def _follow(text: str, end: int, values: dict[str, Any], problems: list[Problem], lines: Lines) -> int:
    """Take in further blocks; a pair of rules around prose is none. Returns where the body begins."""
    while (cut := _cut(text, _skip_blank(text, end))) is not None:
        more = load(text[cut.inner : cut.inner_end]).value
        if not isinstance(more, dict) or not more or not all(_KEY.fullmatch(key) for key in more):
            break
        told = "a second frontmatter block follows the first; its keys only fill what the first lacks"
        place = lines.place(cut.start, cut.end)
        problems.append(Problem("duplicate_frontmatter", told, place, "merge the two blocks into one"))
        for key, value in more.items():
            values.setdefault(key, value)
        end = cut.end
    return end


def _cut(text: str, at: int) -> _Cut | None:
    if not text.startswith("---", at) or (opening := _OPEN.match(text, at)) is None:
        return None
    closing = _CLOSE.search(text, opening.end() - 1)  # from the end of the opening line, which may be all there is
    return closing and _Cut(at, opening.end(), closing.start() + 1, closing.end())


def _skip_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _unclosed(text: str, lines: Lines) -> tuple[Problem, ...]:
    """A page may begin with a rule; only `---` above a `key:` is frontmatter that lacks its end."""
    opening = _OPEN.match(text)
    if opening is None or not _KEY_LINE.match(text, opening.end()):
        return ()
    told = "the frontmatter opened here is never closed"
    return (Problem("unclosed_frontmatter", told, lines.place(0, 3), "add a line `---` after the last key"),)


def _problem(fault: Fault, cut: _Cut, text: str, lines: Lines) -> Problem:
    """YAML names the line where it gave up, at most the last one that holds anything."""
    first_line = lines.place(cut.inner, cut.inner).line
    last = cut.inner + len(text[cut.inner : cut.inner_end].rstrip())
    at = max(cut.inner, min(lines.start_of(first_line + fault.line) + fault.column, last))
    mend = "write each key once" if fault.result == "duplicate_key" else "mend the YAML on this line"
    return Problem(fault.result, fault.message, lines.place(at, at), mend)
