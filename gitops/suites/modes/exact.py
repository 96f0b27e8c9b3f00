"""The output is what is expected: the same text, or the same JSON value.

Text is compared as it stands, but for its line ends, the composition of its letters (NFC), and line ends at its end,
which nearly every program adds. A table is a JSON value: the output has to be JSON, and is compared as a value: the
order of keys and the spelling of numbers say nothing (1 and 1.0 are one number; true is none). `{"json": …}` holds any
JSON value, also a list, a number, or null.
"""

from __future__ import annotations

import json
from typing import Any

from gitops.canonical import strict_value
from gitops.suites.model import BenchmarkExpected
from gitops.suites.modes.mode import Asked, Grade, briefly, plain


def check(value: Any, expected: BenchmarkExpected) -> None:
    """A text, or a table."""
    if not isinstance(value, str | dict):
        raise ValueError("mode exact needs a 'value': a text, or a table (a JSON value)")


def grade(asked: Asked) -> Grade:
    """Compare."""
    if isinstance(asked.value, dict):
        return _as_json(asked.output, _wanted(asked.value))
    wanted, found = (plain(text).rstrip("\n") for text in (asked.value, asked.output))
    return Grade(True) if wanted == found else Grade(False, _told(wanted, found), "wrong_output")


def _wanted(value: dict[str, Any]) -> Any:
    return value["json"] if set(value) == {"json"} else value


def _as_json(output: str, wanted: Any) -> Grade:
    try:
        found = strict_value(output)
    except ValueError as error:
        return Grade(False, f"the output is no JSON: {str(error).splitlines()[0]}", "invalid_json")
    where = differs(wanted, found)
    return Grade(True) if where is None else Grade(False, where, "wrong_output")


def differs(wanted: Any, found: Any, at: str = "") -> str | None:
    """Where two JSON values first differ, in words; None where they are the same."""
    here = at or "the value"
    if isinstance(wanted, dict) and isinstance(found, dict):
        if missing := sorted(set(wanted) - set(found)):
            return f"{here} lacks {briefly(missing[0])}"
        if extra := sorted(set(found) - set(wanted)):
            return f"{here} has {briefly(extra[0])} besides"
        inside = ((wanted[key], found[key], f"{at}.{key}" if at else key) for key in wanted)
    elif isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            return f"{here} has {len(found)} items, expected {len(wanted)}"
        inside = ((one, other, f"{at}[{index}]") for index, (one, other) in enumerate(zip(wanted, found, strict=True)))
    else:
        return None if _is_same(wanted, found) else f"{here} is {_against(_shown(found), _shown(wanted))}"
    return next((told for one, other, where in inside if (told := differs(one, other, where)) is not None), None)


def _is_same(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    if isinstance(wanted, str) and isinstance(found, str):
        return plain(wanted) == plain(found)
    return bool(wanted == found)


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return briefly(value) if isinstance(value, str) else json.dumps(value)


def _told(wanted: str, found: str) -> str:
    at = next((number for number, pair in enumerate(zip(wanted, found, strict=False)) if pair[0] != pair[1]), None)
    if at is None:
        at = min(len(wanted), len(found))
    line = wanted.count("\n", 0, at) + 1
    before = max(0, at - 20)
    return f"line {line}: {_against(briefly(found[before:]), briefly(wanted[before:]))}"


def _against(found: str, wanted: str) -> str:
    """Two values as they are shown, which look alike where spaces alone are others."""
    return f"{found}, expected {wanted}" if found != wanted else f"{found}, but with other spaces"
