"""Canonical JSON: the one spelling of a record, so that equal records are equal bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def dumps(value: Any) -> str:
    """One line of JSON: keys sorted, no spaces, text unescaped, NaN refused (RFC 8785 in spirit).

    A lone surrogate (a byte of a file name that is not UTF-8) is escaped, so that every record can be stored.
    """
    text = _ENCODE(value)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def digest(value: Any) -> str:
    """The sha256 of a value's canonical JSON, in hexadecimal."""
    return sha256(dumps(value).encode())


def sha256(data: bytes) -> str:
    """The sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def line(summary: str, body: dict[str, Any]) -> str:
    """A record as one line of a note: the plain `summary` first, for people; then the canonical rest."""
    return '{"summary":' + dumps(summary) + "," + dumps(body)[1:]


def strict_json(line: str) -> dict[str, Any]:
    """One JSON object; a name that occurs twice is refused, since readers would disagree on it."""
    value = strict_value(line)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def strict_value(text: str) -> Any:
    """Any JSON value, read as strictly. ValueError for anything else."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError(f"a name occurs twice in one object: {_twice(pairs)[:60]!r}")
    return value


def _twice(pairs: list[tuple[str, Any]]) -> str:
    """The first name that another pair had before."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    raise ValueError("no name occurs twice")


# Made once: json.loads would make one for every line.
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant)
