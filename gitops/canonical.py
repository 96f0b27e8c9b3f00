"""Canonical JSON: the one spelling of a record, so that equal records are equal bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def dumps(value: Any) -> str:
    """One line of JSON: keys sorted, no spaces, text unescaped, NaN refused (RFC 8785 in spirit)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: Any) -> str:
    """The sha256 of a value's canonical JSON, in hexadecimal."""
    return sha256(dumps(value).encode())


def sha256(data: bytes) -> str:
    """The sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
