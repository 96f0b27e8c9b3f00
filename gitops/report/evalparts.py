"""The details of a measurement taken apart: lists of cases, plain tables, plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from gitops.report.evalshapes import SHAPES, Apart, Shape, cases
from gitops.runs.measurements import Measurement


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the details under its name. `cases` are all of one shape, or plain rows: mappings."""

    name: str
    cases: tuple[Shape, ...] = ()
    rows: tuple[Mapping[str, Any], ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What it is called."""
        name = self.name.replace("_", " ")
        return SHAPES[type(self.cases[0])].format(name) if self.cases else name


def parts(measured: Measurement) -> list[Part]:
    """The details, cases first; then the samples that failed, where the details name no case."""
    found = list(_parts(measured.details))
    if not any(part.cases for part in found):
        found += _samples(measured)
    return sorted(found, key=lambda part: 0 if part.cases else 1 if part.rows else 2)


def _parts(details: Mapping[str, Any]) -> Iterator[Part]:
    lines: list[str] = []
    for name, value in details.items():
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            found = cases(value)
            yield Part(name, cases=found) if found else Part(name, rows=tuple(value))
        elif isinstance(value, list) and value:
            yield Part(name, lines=tuple(map(said, value)))
        elif isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
            yield Part(name, rows=tuple({name: key, **each} for key, each in value.items()))
        elif isinstance(value, dict) and value and all(isinstance(each, str) for each in value.values()):
            yield Part(name, lines=tuple(f"{key.replace('_', ' ')}: {each}" for key, each in value.items()))
        elif (told := _line(name.replace("_", " "), value)) is not None:
            lines.append(told)
    if lines:
        yield Part("", lines=tuple(lines))


def _line(name: str, value: Any) -> str | None:
    if value in (None, "", [], {}):
        return None
    try:
        apart = Apart.model_validate(value)
    except ValidationError:
        return f"{name}: {said(value)}"
    return apart.told(name) if apart.runs else None


def _samples(measured: Measurement) -> list[Part]:
    shown = [one for one in measured.samples if one.status in ("fail", "error", "timeout")]
    rows = tuple({"id": one.id, "status": one.status, "error": one.error or "", **one.details} for one in shown)
    return [Part("samples that failed", rows=rows)] if rows else []


def columns(part: Part) -> list[str]:
    """The columns of rows: what the rows are named after, then words, then numbers; else as they come."""
    names = list(dict.fromkeys(name for row in part.rows for name in row))
    return sorted(names, key=lambda name: (name not in (part.name, part.name.removesuffix("s")), is_number(part, name)))


def is_number(part: Part, name: str) -> bool:
    """Whether a column holds numbers alone."""
    return all(isinstance(row.get(name, 0), int | float) for row in part.rows)


def said(value: Any) -> str:
    """A plain value in words."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {said(each)}" for name, each in value.items() if each not in (None, "", [], {}))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(said, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    return "–" if value is None else str(value)


def trimmed(text: str, most: int, *, is_before: bool) -> str:
    """What stands before or after a span, on one line and cut between words, for it was cut out of a longer text."""
    words = " ".join((text[-most:] if is_before else text[:most]).split())
    if len(text) < most or not words:
        return words
    kept = words.partition(" ")[2] if is_before else words.rpartition(" ")[0]
    return f"… {kept or words}" if is_before else f"{kept or words} …"
