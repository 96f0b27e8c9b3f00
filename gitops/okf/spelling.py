r"""Texts spelled so that they are read back as they are: as a value of YAML, and as prose of Markdown."""

from __future__ import annotations

import json
import re

_BLOCK = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _.;'()/&+!?,-]*[A-Za-z0-9_.;')/&+!?-])?")
_FLOW = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _./-]*[A-Za-z0-9_./-])?")
_NO_TEXT = frozenset(["y", "n", "yes", "no", "true", "false", "on", "off", "null"])
"""What YAML 1.1 takes for something else, in whatever case."""
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_STEERS = re.compile(r"""[\\`*\[\]<>~|$%^#!&=]|(?<![^\W_])_|_(?![^\W_])""")
_STARTS = re.compile(r"(\s*)([-+]|:|\d{1,9}(?=[.)]))")


def value(text: str, *, in_flow: bool = False) -> str:
    """A text as YAML: plain where everybody reads it alike, else in double quotation marks."""
    plain = _FLOW if in_flow else _BLOCK
    if plain.fullmatch(text) and text.lower() not in _NO_TEXT:
        return text
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def prose(text: str) -> str:
    """A text as one line of Markdown that shows just that: what would be marks is escaped, white space folded."""
    escaped = _STEERS.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))
    if (start := _STARTS.match(escaped)) is None:
        return escaped
    before = start.end(2) if start[2][0].isdigit() else start.start(2)
    return f"{escaped[:before]}\\{escaped[before:]}"
