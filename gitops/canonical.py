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
