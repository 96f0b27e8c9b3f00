"""The values of a result in JSON: each of its type, or in words why it is not."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from gitops.retrieval.golden_fields import wrong_span
from gitops.retrieval.model import Span
from gitops.runs.bad_input import nfc

_LONGEST_SHOWN = 40
_MOST = 2**53
"""Beyond it floats, in which amounts are added up, leave whole numbers out."""


class Wrong(ValueError):
    """A value that cannot be taken; the text says which and why."""


def id_in(value: Mapping[str, Any], name: str) -> str:
    """An id in form C; '' where it is missing. A whole number is the text that it is written as."""
    found = value.get(name)
    if found is None:
        return ""
    if type(found) is int:
        return str(found)
    if type(found) is not str:
        raise Wrong(f"'{name}' must be text, not {shown(found)}")
    if not found.strip():
        raise Wrong(f"'{name}' is an empty text")
    return found if found.isascii() else nfc(whole(found))


def text_in(value: Mapping[str, Any], name: str) -> str:
    """A text; '' where it is missing."""
    found = value.get(name)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise Wrong(f"'{name}' must be text, not {shown(found)}")
    return whole(found)


def amount_in(value: Mapping[str, Any], name: str) -> float | None:
    """A finite number from 0; None where it is missing."""
    found = number_in(value, name)
    if found is not None and found < 0:
        raise Wrong(f"'{name}' must not be below 0, and is {shown(found)}")
    return found


def number_in(value: Mapping[str, Any], name: str) -> float | None:
    """A finite number; None where it is missing."""
    found = value.get(name)
    if found is None:
        return None
    if type(found) is float and isfinite(found):
        return found
    if type(found) is not int:
        raise Wrong(f"'{name}' must be a finite number, not {shown(found)}")
    try:
        return float(found)
    except OverflowError:
        raise Wrong(f"'{name}' is beyond any number that a computer adds up") from None


def whole_in(value: Mapping[str, Any], name: str, least: int) -> int | None:
    """A whole number from `least`; None where it is missing."""
    found = value.get(name)
    if found is not None and (type(found) is not int or found < least):
        raise Wrong(f"'{name}' must be a whole number from {least}, not {shown(found)}")
    if found is not None and found > _MOST:
        raise Wrong(f"'{name}' is beyond any number that a computer adds up")
    return found


def list_in(value: Mapping[str, Any], name: str) -> list[Any]:
    """A list; empty where it is missing."""
    found = value.get(name)
    if found is not None and not isinstance(found, list):
        raise Wrong(f"'{name}' must be a list, not {shown(found)}")
    return found or []


def flag_in(value: Mapping[str, Any], name: str) -> bool | None:
    """True or false; None where it is missing."""
    found = value.get(name)
    if found is not None and type(found) is not bool:
        raise Wrong(f"'{name}' must be true or false, not {shown(found)}")
    return found


def spans_in(value: Mapping[str, Any]) -> tuple[Span, ...]:
    """The spans of a chunk, `source_spans` or `spans`; () where none is told."""
    found = value.get("source_spans")
    if found is None and (found := value.get("spans")) is None:
        return ()
    if type(found) is not list:
        raise Wrong(f"'source_spans' must be a list of [start, end], not {shown(found)}")
    return tuple([_span(pair) for pair in found])


def _span(pair: Any) -> Span:
    if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int or type(pair[1]) is not int:
        raise Wrong(f"a span is two whole numbers, [start, end], not {shown(pair)}")
    start, end = pair
    if not 0 <= start < end:
        raise Wrong(wrong_span(start, end) or "")
    return start, end


def whole(text: str) -> str:
    """The text without halves of surrogate pairs: cut-off emoji, which JSON can escape and nothing can store."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def shown(value: Any) -> str:
    """A value as an error shows it."""
    told = "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
    return told if len(told) <= _LONGEST_SHOWN else told[: _LONGEST_SHOWN - 1] + "…"
