"""Questions to a judge as JSON Lines, read; each line that is no question is named by its number, with what ails it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from gitops.verify.judge import PairQuestion, Question

CLAIM_LABELS = {"supports": True, "partially_supports": False, "does_not_support": False, "source_missing": False}
"""What a claim may be labelled, and whether that is support."""
PAIR_LABELS = {
    "contradiction": True,
    "direct_contradiction": True,
    "partial_contradiction": True,
    "consistent": False,
    "supports": False,
    "independent": False,
}
"""What a pair may be labelled, and whether that is contradiction."""
_OPTIONAL = ("before", "after", "span", "context", "title")
_Asked = TypeVar("_Asked", Question, PairQuestion)


class _Bad(ValueError):
    """What ails a line."""


@dataclass(frozen=True, slots=True)
class Line(Generic[_Asked]):
    """A question with the id it came with, and its label where one was asked for."""

    id: str | int
    question: _Asked
    label: bool | None


@dataclass(frozen=True, slots=True)
class Read(Generic[_Asked]):
    """The questions, and for each line that is none its number from 1 and why."""

    lines: tuple[Line[_Asked], ...]
    bad: tuple[tuple[int, str], ...]


def claims(data: bytes, *, is_labelled: bool) -> Read[Question]:
    """Lines of `{"id", "claim", "source_text"}` with optional `before after span context title`, and `label`."""
    return _read(data, _claim, CLAIM_LABELS if is_labelled else None)


def pairs(data: bytes, *, is_labelled: bool) -> Read[PairQuestion]:
    """Lines of `{"id", "a", "b"}` with optional `topic`, and `label`."""
    return _read(data, _pair, PAIR_LABELS if is_labelled else None)


def _read(
    data: bytes, question: Callable[[Mapping[str, Any]], _Asked], labels: Mapping[str, bool] | None
) -> Read[_Asked]:
    lines: list[Line[_Asked]] = []
    bad: list[tuple[int, str]] = []
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            row = _row(raw)
            lines.append(Line(_id(row), question(row), None if labels is None else _label(row, labels)))
        except _Bad as error:
            bad.append((number, str(error)))
    return Read(tuple(lines), tuple(bad))


def _row(raw: bytes) -> Mapping[str, Any]:
    try:
        row = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _Bad(f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise _Bad(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise _Bad("not JSON that can be read: nested too deep") from error
    if not isinstance(row, dict):
        raise _Bad("not a JSON object")
    return row


def _id(row: Mapping[str, Any]) -> str | int:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _Bad("'id' is missing" if value is None else "'id' is neither text nor a whole number")
    return value


def _claim(row: Mapping[str, Any]) -> Question:
    optional = {name: _text(row, name, "") for name in _OPTIONAL}
    return Question(claim=_said(row, "claim"), source=_text(row, "source_text", None), **optional)


def _pair(row: Mapping[str, Any]) -> PairQuestion:
    return PairQuestion(_said(row, "a"), _said(row, "b"), _text(row, "topic", ""))


def _said(row: Mapping[str, Any], name: str) -> str:
    value = _text(row, name, None)
    if not value.strip():
        raise _Bad(f"'{name}' is empty")
    return value


def _text(row: Mapping[str, Any], name: str, default: str | None) -> str:
    value = row.get(name, default)
    if value is None:
        raise _Bad(f"'{name}' is missing")
    if not isinstance(value, str):
        raise _Bad(f"'{name}' is not text")
    return value


def _label(row: Mapping[str, Any], labels: Mapping[str, bool]) -> bool:
    value = row.get("label")
    if not isinstance(value, str) or value not in labels:
        raise _Bad(f"'label' is none of {_listed(labels)}")
    return labels[value]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
