from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gitops.agents.calling import Arguments
from gitops.errors import Absent, CannotRun
from gitops.mcp.door import Call, Door
from gitops.mcp.offers import Offer, answer, offers, plain
from gitops.mcp.progress import Progressing, Step
from gitops.runs.context import system_clock


class Asked(Arguments):
    """Nothing."""


def offer(run: Callable[[Call, Any], str]) -> Offer:
    return Offer("probe", "Try something out, and say what came of it.", Asked, run, "reads")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def call(told: list[str]) -> Call:
    return Call(Door(Path("nowhere"), None, system_clock, told.append), "probe", Progressing(lambda step: None))


def failing(error: Exception) -> Callable[[Call, Any], str]:
    def run(call: Call, asked: Any) -> str:
        raise error

    return run


def test_a_failure_is_two_lines(call: Call) -> None:
    found = answer(offer(failing(CannotRun("the disk\nis full\u202e", "free some space"))), call, {})
    assert found.is_error
    assert found.text == "error: the disk is full[hidden: U+202E]\nhint:  free some space"


def test_an_object_that_is_not_here_says_how_to_fetch_it(call: Call) -> None:
    found = answer(offer(failing(Absent("1234"))), call, {})
    assert found.is_error
    assert "1234" in found.text
    assert "git fetch" in found.text.split("\n")[1]


def test_what_nobody_foresaw_ends_neither_the_server_nor_in_a_traceback(call: Call, told: list[str]) -> None:
    found = answer(offer(failing(ZeroDivisionError("by zero"))), call, {})
    assert found.is_error
    assert found.text.startswith("error: this should not happen: ZeroDivisionError: by zero\nhint:  ")
    assert "Traceback" not in found.text
    assert told == ["probe: ZeroDivisionError: by zero"]


def test_remarks_follow_the_answer(call: Call) -> None:
    def run(call: Call, asked: Any) -> str:
        call.remarks.append("a note\nwas skipped")
        return "done"

    first, fence, note, _ = answer(offer(run), call, {}).text.split("\n")
    assert (first, note) == ("done", "note: a note was skipped")
    assert fence.startswith("<data-")  # remarks quote notes, which anybody may have written


def test_names_that_are_no_utf_8_can_be_sent() -> None:
    odd = {"path": "wiki/\udcff.md", "pages": ("a\u200bb", 1, None, 0.5, True)}
    found = plain(odd)
    assert found["path"] == "wiki/[hidden: U+DCFF].md"
    assert found["pages"] == ["a[hidden: U+200B]b", 1, None, 0.5, True]
    str(found).encode()


def test_output_schemas_are_schemas() -> None:
    for each in offers().values():
        schema = each.output_schema()
        if schema is not None:
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"


def test_progress_is_told_every_half_second_and_only_rises() -> None:
    steps: list[Step] = []
    ticks: Iterator[float] = iter([0.0, 0.1, 0.6, 0.7, 1.2, 1.3, 1.9])
    progress = Progressing(steps.append, lambda: next(ticks))
    assert list(progress("reading", "abc", 3)) == ["a", "b", "c"]
    assert list(progress("judging", "def", 3)) == ["d", "e", "f"]
    assert steps == [Step(2, "reading: 2 of 3"), Step(4, "judging: 1 of 3"), Step(6, "judging: 3 of 3")]
