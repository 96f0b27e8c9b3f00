r"""The frontmatter that most pages have, read without a YAML parser: keys with plain words, a date or a short list.

It is read here only where YAML 1.1 has one reading of it. A value of words begins with a letter, holds no sign that
could mean anything (`:`, `#`, quotation marks, brackets), and is none of the words that stand for true, false or
nothing; a number is written as everybody writes one. Whatever else there is on any line leaves the whole to the parser.
"""

from __future__ import annotations

import re
from typing import Any

# Every repetition is possessive: no line, however long, is gone over twice.
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,63}+"
_WORDS = r"[A-Za-z][A-Za-z0-9 _.;'()/&+!?-]*+"
_NUMBER = r"0|[1-9][0-9]{0,8}+"
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LIST = rf"\[ *+(?:{_WORDS}(?:, *+{_WORDS})*+)?+\]"
_PHRASE = rf"{_WORDS}(?:,[A-Za-z0-9 _.;'()/&+!?,-]*+)?+"
_VALUE = rf"(?P<list>{_LIST})|(?P<words>{_PHRASE})|(?P<date>{_DATE})|(?P<number>{_NUMBER})"
_LINE = re.compile(rf"({_KEY}):(?: ++(?:{_VALUE}))?+ *+\n")
_NO_WORDS = frozenset(["yes", "no", "true", "false", "on", "off", "null"])
"""What YAML 1.1 takes for a boolean or for nothing, in some spelling of its case."""


def read(source: str) -> dict[str, Any] | None:
    """The mapping that a document is, or None where a parser has to tell."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(source):
        line = _LINE.match(source, at)
        if line is None or (key := line[1]) in found or key.lower() in _NO_WORDS:
            return None
        kind = line.lastgroup
        said = line[kind].rstrip() if kind else ""
        if kind == "list":
            parts = [part.strip() for part in said[1:-1].split(",")] if said[1:-1].strip() else []
            if not _NO_WORDS.isdisjoint(map(str.lower, parts)):
                return None
            found[key] = parts
        elif kind == "number":
            found[key] = int(said)
        elif said.lower() in _NO_WORDS:
            return None
        else:
            found[key] = said if kind else None
        at = line.end()
    return found or None
