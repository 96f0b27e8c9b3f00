"""A file of golden queries as plain nodes: texts, lists and mappings, each with its line.

YAML and JSON are read off their tokens, so every value stays as it is written (an id such as 12 or 2026-01-01 is no
number and no date), and nesting, aliases and tags are refused before anything is built of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from gitops.runs.bad_input import Fault

DEEPEST = 12
"""Levels of lists and mappings; an entry has six."""
_JSON_TOKEN = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"|[^\s,:"\[\]{}]+')
_NULLS = ("null", "Null", "NULL", "~", "")


@dataclass(frozen=True, slots=True)
class Text:
    """A value as it is written. `is_null`: it stands unquoted for no value (`null`, `~`, or nothing at all)."""

    text: str
    line: int
    is_null: bool = False


@dataclass(frozen=True, slots=True)
class Listed:
    """A list."""

    parts: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """A mapping: its keys as they are written, in order, one that stands twice included."""

    pairs: tuple[tuple[Text, Node], ...]
    line: int


Node = Text | Listed | Mapped


class NotRead(Exception):
    """What could not be read, where."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(line, message)


@dataclass(frozen=True, slots=True)
class _Token:
    """`[`, `{`, `end` of either, or `text`."""

    kind: str
    line: int
    text: str = ""
    is_null: bool = False


def read(text: str, is_json: bool) -> Node | None:
    """The one document of a file; None where it holds none. NotRead where it is no YAML, or no JSON."""
    tokens = _of_json(text) if is_json else _of_yaml(text)
    first = next(tokens, None)
    if first is None:
        return None
    node = _node(first, tokens, 0)
    if (more := next(tokens, None)) is not None:
        raise NotRead(more.line, "a second document: one list holds all queries")
    return node


def of_value(value: Any) -> Node:
    """The node of a value that was parsed already, such as a stored record; all on line 0. NotRead if it nests deep."""
    tokens = _of_value(value)
    return _node(next(tokens), tokens, 0)


def _node(token: _Token, tokens: Iterator[_Token], depth: int) -> Node:
    if token.kind == "text":
        return Text(token.text, token.line, token.is_null)
    if depth == DEEPEST:
        raise NotRead(token.line, "nested too deeply")
    if token.kind == "[":
        return Listed(tuple(_node(part, tokens, depth + 1) for part in _until_end(tokens)), token.line)
    return Mapped(tuple((_key(key), _node(next(tokens), tokens, depth + 1)) for key in _until_end(tokens)), token.line)


def _until_end(tokens: Iterator[_Token]) -> Iterator[_Token]:
    while (token := next(tokens)).kind != "end":
        yield token


def _key(token: _Token) -> Text:
    if token.kind != "text":
        raise NotRead(token.line, "the name of a field is wanted")
    return Text(token.text, token.line)


def _of_yaml(text: str) -> Iterator[_Token]:
    import yaml

    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if (token := _of_event(event)) is not None:
                yield token
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        told = error.problem or error.context or "it cannot be parsed"
        raise NotRead(mark.line + 1 if mark else 1, f"not YAML: {told}") from None
    except yaml.reader.ReaderError as error:  # its position is counted in bytes or in characters
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        raise NotRead(line, f"not YAML: it holds U+{error.character:04X}, a control character") from None


def _of_event(event: Any) -> _Token | None:
    kind, line = type(event).__name__, event.start_mark.line + 1
    if kind == "AliasEvent" or getattr(event, "anchor", None) or getattr(event, "tag", None):
        raise NotRead(line, "anchors, aliases and tags are not taken here")
    if kind == "ScalarEvent":
        return _Token("text", line, event.value, not event.style and event.value in _NULLS)
    return _Token(_BY_EVENT[kind], line) if kind in _BY_EVENT else None


def _of_json(text: str) -> Iterator[_Token]:
    """The tokens of a text that the parser of the standard library has found to be JSON."""
    _check_json(text)
    line, seen = 1, 0
    for found in _JSON_TOKEN.finditer(text):
        line, seen = line + text.count("\n", seen, found.start()), found.start()
        sign = found[0]
        if sign in _BY_SIGN:
            yield _Token(_BY_SIGN[sign], line)
        else:
            yield _Token("text", line, json.loads(sign) if sign[0] == '"' else sign, sign == "null")


def _check_json(text: str) -> None:
    try:
        json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotRead(error.lineno, f"not JSON: {error.msg[0].lower()}{error.msg[1:]}") from None
    except ValueError as error:  # NaN, or a number of more digits than Python reads
        raise NotRead(1, f"not JSON: {str(error).partition(';')[0]}") from None
    except RecursionError:
        raise NotRead(1, "nested too deeply") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _of_value(value: Any) -> Iterator[_Token]:
    if isinstance(value, Mapping):
        yield _Token("{", 0)
        for key, part in value.items():
            yield _Token("text", 0, str(key))
            yield from _of_value(part)
        yield _Token("end", 0)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield _Token("[", 0)
        for part in value:
            yield from _of_value(part)
        yield _Token("end", 0)
    else:
        yield _Token("text", 0, str(value), value is None)


_BY_EVENT = {
    "SequenceStartEvent": "[",
    "MappingStartEvent": "{",
    "SequenceEndEvent": "end",
    "MappingEndEvent": "end",
}
_BY_SIGN = {"[": "[", "{": "{", "]": "end", "}": "end"}
