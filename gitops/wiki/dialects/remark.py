"""The footnote that cites no file: a remark in words, or a source that has a name only (`LLM - model knowledge`).

A remark is known and cites nothing. What looks like a citation gone wrong, a path or a link to a source, is left
to be told as a form that nobody reads. List this dialect last.
"""

from __future__ import annotations

import re

from gitops.wiki import footnote_sources, placeholders, written
from gitops.wiki.model import Cite
from gitops.wiki.outline import NOTHING, Definition, Outline, Reading

ID = "remark"

_EMBED = re.compile(r"!\[\[[^\[\]\r\n]+\]\]|!\[[^\[\]]*\]\([^()\r\n]*\)")
_WORD = r"[^\s,;:.\u2013\u2014]"
_NAMED = re.compile(rf"(?P<name>[^\W\d_]{_WORD}*(?: {_WORD}+){{0,3}}?)(?:\s+-{{1,2}}\s|\s*[\u2013\u2014])")
_SPELLED = re.compile(r"(?P<name>[A-Z][A-Z0-9.-]+)\s*,")
_IDENTIFIER = re.compile(r"(?P<name>(?:arxiv|doi|isbn|issn|pmid|urn):\s*[^\s,;]+)", re.IGNORECASE)
_DATED_WORK = re.compile(r"(?P<name>[^\W\d_][^\r\n\"“]{1,200}?[(,]\s*(?:19|20)\d\d[a-z]?\))")
_SAYS_NOTE = re.compile(
    r"(?:n\.?b|notes?|cf|see|e\.g|i\.e|aside|update|caveat|참고|주의?|注|註"
    r"|the|this|that|these|those|an?|it|its|in|on|as|at|by|for|from|with|of|not|all|some|most|we|they|he|she)\b",
    re.IGNORECASE,
)


def define(definition: Definition, outline: Outline) -> tuple[Cite, ...] | None:
    """No cites for a remark, one for a source that is named only; None for what seems to name a file."""
    start, end = footnote_sources.stretch(definition)
    body = outline.text[start:end]
    found = _IDENTIFIER.match(body)
    if found is None:
        if not body.strip() or footnote_sources.cited(definition, outline) or _names_path(body, outline):
            return None
        if (found := _named(body)) is None:
            return ()
    place = outline.lines.place(start + found.start("name"), start + found.end("name"))
    return (Cite(ID, written.composed(found["name"]), place, definition.label, how="loose"),)


def read(outline: Outline) -> Reading:
    """Nothing: this convention has footnotes only."""
    return NOTHING


def _named(body: str) -> re.Match[str] | None:
    if _SAYS_NOTE.match(body):
        return None
    return _NAMED.match(body) or _SPELLED.match(body) or _DATED_WORK.match(body)


def _names_path(body: str, outline: Outline) -> bool:
    """Whether any word lies in the raw folder, be it ever so oddly written; `raw/<file>` stands for no file."""
    path = re.compile(rf"(?:^|[\W_]){re.escape(outline.conventions.raw.rpartition('/')[2])}/\w", re.IGNORECASE)
    words = _EMBED.sub(" ", body).split()
    return any(path.search(word) and not placeholders.has_placeholder(word) for word in words)
