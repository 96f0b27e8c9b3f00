"""JSON Lines: an object on each line, with the line's number."""

from __future__ import annotations

from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any

from gitops.canonical import strict_json
from gitops.runs.bad_input import BadInput, Fault, decoded


def objects(data: bytes, name: str, hint: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The object on each line that is not blank, with its number from 1. BadInput, with the hint, where one is none."""
    for number, line in _numbered(decoded(data, name)):
        if not line.strip():
            continue
        try:
            yield number, strict_json(line)
        except ValueError as error:
            told = why(error)
            if isinstance(error, JSONDecodeError) and not line.endswith("\n"):
                told = f"the file is cut in the middle of this line, which has no end ({told})"
            raise BadInput(name, [Fault(number, told)], hint) from None


def why(error: ValueError) -> str:
    """What is wrong in some JSON; the line is told before."""
    if isinstance(error, JSONDecodeError):
        told = f"{error.msg[0].lower()}{error.msg[1:].removesuffix(' starting at')}"
        return f"not JSON: {told}, column {error.colno}"
    told = str(error).partition(";")[0]
    return told if told.startswith("not ") else f"not JSON: {told}"


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers from 1, each with its end: a line feed alone, as in JSON Lines."""
    number, start = 1, 0
    while (end := text.find("\n", start) + 1) > 0:
        yield number, text[start:end]
        number, start = number + 1, end
    if start < len(text):
        yield number, text[start:]
