"""Footnotes: where definitions lie, which references are literal text because nothing defines them, what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from gitops.wiki import citation
from gitops.wiki.blocks import Block, Reference, Span
from gitops.wiki.formulas import find_formulas, within
from gitops.wiki.formulas import is_escaped as is_escaped
from gitops.wiki.model import Problem
from gitops.wiki.outline import Definition
from gitops.wiki.positions import Lines

_HEAD = re.compile(r"\[\^([^\]\r\n]+)\]:[ \t]*")
_LINE = re.compile(r"[^\r\n]*")
_MORE = re.compile(r"[^\s>]")
_LITERAL = re.compile(r"\[\^([^\[\]\s^]+)\]")
_CHARACTER_CLASS = re.compile(r"(?:[A-Za-z]-[A-Za-z]|\d-\d|\\.|[_-])+")
_LINK_TARGET = re.compile(r"\]\(<?([^<>()\s]+)>?|\[\[([^\[\]|\\#]+)")
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"'})


def fold(label: str) -> str:
    """A label as the parser compares it: case folded, white space as one space (CommonMark 0.31, "matches")."""
    return " ".join(label.split()).casefold()


def definitions(text: str, spans: Iterable[Span]) -> tuple[Definition, ...]:
    """The definitions at these spans, each with the raw text of its physical line."""
    return tuple(_definition(text, span) for span in spans)


def _definition(text: str, span: Span) -> Definition:
    head = _HEAD.match(text, span.start)
    body_start = head.end() if head else span.start
    line = _LINE.match(text, body_start)
    line_end = line.end() if line else body_start
    body = text[body_start:line_end].rstrip()
    is_continued = _MORE.search(text, line_end, max(line_end, span.end)) is not None
    label = head[1] if head else span.label
    return Definition(label, body, span.start, body_start, body_start + len(body), span.end, is_continued)


def undefined(block: Block, text: str) -> Iterator[Reference]:
    """References that the parser leaves as text because no definition has their label."""
    if "[^" not in block.text:
        return
    formulas = find_formulas(block, text)
    for found in _LITERAL.finditer(block.text):
        start, end = block.start_of(found.start()), block.end_of(found.end())
        if text[start:end] != found[0] or is_escaped(text, start) or block.is_code(found.start()):
            continue
        if not _CHARACTER_CLASS.fullmatch(found[1]) and not within(start, formulas):
            yield Reference(found[1], found.start(), start, end)


def by_label(found: Iterable[Definition]) -> dict[str, Definition]:
    """The definitions that count: of equal labels the first."""
    first: dict[str, Definition] = {}
    for definition in found:
        first.setdefault(fold(definition.label), definition)
    return first


def misused(found: Iterable[Definition], used: set[str], lines: Lines) -> Iterator[Problem]:
    """Labels defined twice (at the second definition) or never used."""
    seen: Mapping[str, Definition] = by_label(found)
    for definition in found:
        place = lines.place(definition.start, definition.line_end)
        first = seen[fold(definition.label)]
        if first is not definition:
            told = (
                f"the footnote [^{definition.label}] is defined twice; the first, on line {_line(first, lines)}, counts"
            )
            yield Problem("duplicate", told, place, "give one of them another label, or remove it")
        elif fold(definition.label) not in used:
            told = f"the footnote [^{definition.label}] is never used"
            yield Problem("unused", told, place, f"refer to it with [^{definition.label}], or remove it")


def _line(definition: Definition, lines: Lines) -> int:
    return lines.place(definition.start, definition.start).line


def not_defined(reference: Reference, lines: Lines) -> Problem:
    """What is said of a reference without a definition."""
    told = f"the footnote [^{reference.label}] has no definition"
    mend = f'add a line: [^{reference.label}]: path, "quotation"'
    return Problem("undefined", told, lines.place(reference.start, reference.end), mend)


def unknown_form(definition: Definition, lines: Lines) -> Problem:
    """What is said of a definition that no dialect reads, with a repair in the canonical form."""
    parsed = citation.parse(definition.body)
    at, why = 0, "these are words, and no path to a source"
    if definition.is_continued:
        why = "it goes on over further lines"
    if isinstance(parsed, citation.Fault):
        at, why = parsed.at, parsed.message
    start = min(definition.body_start + at, definition.line_end)
    told = f"the footnote [^{definition.label}] is in no known form: {why}; expected {citation.EXPECTED}"
    return Problem("unknown_form", told, lines.place(start, definition.line_end), _repair(definition))


def _repair(definition: Definition) -> str:
    """The definition in canonical form as far as it can be guessed, with words to fill in for the rest."""
    head = f"[^{definition.label}]: "
    straight = definition.body.translate(_STRAIGHT)
    if (definition.is_continued or straight != definition.body) and isinstance(citation.parse(straight), tuple):
        return head + straight
    if target := _LINK_TARGET.search(definition.body):
        path = target[1] or target[2]
    else:
        path = definition.body.partition(",")[0].strip("`<> ")
    is_path = "/" in path or "." in path.strip(".")
    if not is_path or re.search(r"[<>\"\s;,]", path):
        path = "raw/source.md"
    return f'{head}{path}, "the words of the source"'
