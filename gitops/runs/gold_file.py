"""The entries of a file of gold queries, YAML or JSON: plain text and lists of it, each with its line.

Read off the parser's events, so every value stays as it is written (a year is no number, `no` no boolean), nesting and
aliases are refused before anything is built of them, and each fault has its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from gitops.errors import UsageError

ENTRY = "- query: …, with expected_topics, expected_citations and authored_at"
_MAX_DEPTH = 50
"""What nests deeper is not read to its end: the time that takes grows with the square of the depth."""
_BLANK = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and on which line (from 1)."""

    line: int
    message: str

    def told(self, name: str) -> str:
        """As one line for a person."""
        return f"{name}:{self.line}: {self.message}"


_TOO_DEEP = Fault(1, "nested too deeply")


class BadGold(UsageError):
    """A file of gold queries that cannot be taken as it is; `faults` are all of them, `message` tells the first."""

    def __init__(self, name: str, faults: list[Fault], hint: str = "") -> None:
        self.name = name
        self.faults = tuple(sorted(set(faults), key=lambda fault: (fault.line, fault.message)))
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        super().__init__(self.faults[0].told(name) + more, hint)


@dataclass(frozen=True, slots=True)
class Written:
    """A value as it is written, and its line."""

    value: str | tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list, and the line that it begins on."""

    line: int
    fields: Mapping[str, Written]


@dataclass(slots=True)
class Entries:
    """What a file holds. `column` is where its dashes stand; None where it is not a list of lines with dashes."""

    found: list[Entry] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    column: int | None = 0


def read(data: bytes, name: str) -> Entries:
    """The entries of a file: JSON where its name says so, else YAML, of which JSON is a part."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return Entries(faults=[Fault(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8")])
    return _of_json(text) if name.endswith(".json") else _of_yaml(text)


def _of_yaml(text: str) -> Entries:
    import yaml

    entries = Entries()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _Yaml(yaml.parse(text, Loader=loader), entries).read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        told = error.problem or error.context or "it cannot be parsed"
        entries.faults.append(Fault(mark.line + 1 if mark else 1, f"not YAML: {told}"))
    except RecursionError:
        entries.faults.append(_TOO_DEEP)
    except yaml.YAMLError as error:  # a character that no YAML holds, which has no line
        entries.faults.append(Fault(1, f"not YAML: {' '.join(str(error).split())}"))
    return entries


class _Yaml:
    """Goes through a document's events: a list of mappings, whose values are text or lists of it."""

    def __init__(self, events: Iterator[Any], entries: Entries) -> None:
        self.events = events
        self.entries = entries

    def read(self) -> None:
        kind, event = self._next()
        while kind in ("StreamStart", "DocumentStart"):
            kind, event = self._next()
        if kind == "StreamEnd" or (kind == "Scalar" and event.value == ""):
            return
        if kind != "SequenceStart":
            self._wrong(kind, event, f"a list of entries is wanted: {ENTRY}")
            return
        self.entries.column = None if event.flow_style else event.start_mark.column
        for kind, event in iter(self._next, None):
            if kind == "SequenceEnd":
                break
            self._entry(kind, event)
        kind, event = self._after_document()
        if kind != "StreamEnd":
            self._fault(event, "a second document: one list holds all queries")

    def _entry(self, kind: str, event: Any) -> None:
        if kind != "MappingStart" or event.anchor or event.tag:
            self._wrong(kind, event, f"an entry is wanted: {ENTRY}")
            return
        line, fields = event.start_mark.line + 1, {}
        while (named := self._next())[0] != "MappingEnd":
            key = self._text(*named, "the name of a field is wanted")
            value = self._value()
            if key is not None and key in fields:
                self._fault(named[1], f"'{key}' stands twice in this entry")
            elif key is not None and value is not None:
                fields[key] = value
        self.entries.found.append(Entry(line, fields))

    def _value(self) -> Written | None:
        kind, event = self._next()
        line = event.start_mark.line + 1
        if kind != "SequenceStart" or event.anchor or event.tag:
            text = self._text(kind, event, "text, or a list of it, is wanted")
            return None if text is None else Written(text, line)
        parts: list[str] = []
        while (part := self._next())[0] != "SequenceEnd":
            if (text := self._text(*part, "text is wanted in this list")) is not None:
                parts.append(text)
        return Written(tuple(parts), line)

    def _text(self, kind: str, event: Any, wanted: str) -> str | None:
        if kind == "Scalar" and not (event.anchor or event.tag):
            return str(event.value)
        self._wrong(kind, event, wanted)
        return None

    def _wrong(self, kind: str, event: Any, message: str) -> None:
        """Tell a fault, and pass over all that belongs to the event."""
        is_marked = kind == "Alias" or getattr(event, "anchor", None) or getattr(event, "tag", None)
        self._fault(event, "anchors, aliases and tags are not taken here" if is_marked else message)
        depth = int(kind.endswith("Start"))
        while depth:
            if depth > _MAX_DEPTH:
                raise RecursionError
            kind, _ = self._next()
            depth += kind.endswith("Start") - kind.endswith("End")

    def _fault(self, event: Any, message: str) -> None:
        self.entries.faults.append(Fault(event.start_mark.line + 1, message))

    def _after_document(self) -> tuple[str, Any]:
        kind, event = self._next()
        return self._next() if kind == "DocumentEnd" else (kind, event)

    def _next(self) -> tuple[str, Any]:
        event = next(self.events)
        return type(event).__name__.removesuffix("Event"), event


def _of_json(text: str) -> Entries:
    """A JSON array, entry by entry: what is wrong within one has the line that the entry begins on."""
    entries = Entries(column=None)
    at = _past_blank(text, 0)
    if not text.startswith("[", at):
        entries.faults.append(Fault(_line(text, at), f"a list of entries is wanted: {ENTRY}"))
        return entries
    try:
        _items(text, _past_blank(text, at + 1), entries)
    except json.JSONDecodeError as error:
        entries.faults.append(Fault(error.lineno, f"not JSON: {error.msg[0].lower()}{error.msg[1:]}"))
    except ValueError as error:  # a number of more digits than Python reads
        entries.faults.append(Fault(_line(text, at), f"not JSON: {str(error).partition(';')[0]}"))
    except RecursionError:
        entries.faults.append(_TOO_DEEP)
    return entries


def _items(text: str, at: int, entries: Entries) -> None:
    is_first = True
    while not text.startswith("]", at):
        if not is_first:
            at = _expect(text, at, ",")
        is_first, line = False, _line(text, at)
        decoder = json.JSONDecoder(object_pairs_hook=partial(_once, faults=entries.faults, line=line))
        value, at = decoder.raw_decode(text, at)
        _json_entry(value, line, entries)
        at = _past_blank(text, at)
    if (end := _past_blank(text, at + 1)) < len(text):
        raise json.JSONDecodeError("More after the end of the list", text, end)


def _expect(text: str, at: int, sign: str) -> int:
    if not text.startswith(sign, at):
        raise json.JSONDecodeError(f"Expecting '{sign}' or the end of the list", text, at)
    return _past_blank(text, at + 1)


def _once(pairs: list[tuple[str, Any]], faults: list[Fault], line: int) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        doubled = next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at]))
        faults.append(Fault(line, f"'{doubled}' stands twice in this entry"))
    return found


def _json_entry(value: Any, line: int, entries: Entries) -> None:
    if not isinstance(value, dict):
        entries.faults.append(Fault(line, f"an entry is wanted: {ENTRY}"))
        return
    fields = {}
    for key, part in value.items():
        if isinstance(part, str):
            fields[key] = Written(part, line)
        elif isinstance(part, list) and all(isinstance(each, str) for each in part):
            fields[key] = Written(tuple(part), line)
        else:
            entries.faults.append(Fault(line, f"'{key}' is neither text nor a list of it"))
    entries.found.append(Entry(line, fields))


def _past_blank(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
