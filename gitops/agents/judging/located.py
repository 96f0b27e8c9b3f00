"""Where a cited stretch stands in its source."""

from __future__ import annotations

import re

from gitops.wiki.folding import fold

_MOST = 3
_LEAST = 12
_JOINT = re.compile(r"\n(?:…)?\n")
"""Between stretches that were put together."""
_LINE = re.compile(r"[^\n]+")

Place = tuple[int, int]


def places(text: str, span: str, context: str = "") -> list[Place]:
    """The stretches `[start, end)` of a text that a span is, nearest to its context; none where it is not found.

    As written, else with white space folded; of a span joined from several stretches each, or each line that is found.
    """
    if not span.strip():
        return []
    within = text.find(context) if context.strip() else -1
    if within >= 0 and (at := text.find(span, within, within + len(context))) >= 0:
        return [(at, at + len(span))]
    whole = _written(text, span) or _folded(text, span)
    if whole or not _JOINT.search(span):
        return whole or _lines(text, span)
    return [place for part in _JOINT.split(span) if part.strip() for place in places(text, part)]


def _written(text: str, span: str) -> list[Place]:
    found: list[Place] = []
    at = text.find(span)
    while at >= 0 and len(found) < _MOST:
        found.append((at, at + len(span)))
        at = text.find(span, at + len(span))
    return found


def _folded(text: str, span: str) -> list[Place]:
    wanted = fold(span).text.strip()
    spaced = fold(text)
    at = spaced.text.find(wanted) if wanted else -1
    return [spaced.span(at, at + len(wanted))] if at >= 0 else []


def _lines(text: str, span: str) -> list[Place]:
    """Each line of a span that stands in the text, if it is long enough to be of that place and no other."""
    found = []
    for match in _LINE.finditer(span):
        line = match[0].strip()
        if len(line) >= _LEAST and (at := text.find(line)) >= 0:
            found.append((at, at + len(line)))
    return found
