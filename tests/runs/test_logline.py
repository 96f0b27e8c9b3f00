from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitops.runs import logline
from gitops.runs.records import Operation
from tests.runs.test_run_records import begun


def _step(op: str, path: str) -> Operation:
    return Operation(op=op, path=path, blob=None, sha256=None)  # type: ignore[arg-type]


def test_a_line_says_day_kind_sources_pages_and_run() -> None:
    run = begun().model_copy(update={"sources": ("raw/tides.md",), "run_type": "ingest"})
    steps = [_step("create", "wiki/a.md"), _step("update", "wiki/b.md"), _step("delete", "wiki/c.md")]
    assert logline.line(run, steps) == (
        "- 2024-01-02 ingest raw/tides.md: +wiki/a.md, wiki/b.md, -wiki/c.md (run a-run)"
    )


def test_many_pages_are_counted_not_listed() -> None:
    told = logline.line(begun(), [_step("create", f"wiki/{number}.md") for number in range(11)])
    assert told.endswith("+wiki/7.md and 3 more (run a-run)")


@given(st.text(min_size=1), st.lists(st.text(min_size=1), max_size=12))
def test_no_name_of_a_file_makes_mark_up_or_a_second_line(source: str, paths: list[str]) -> None:
    run = begun().model_copy(update={"sources": (source,)})
    told = logline.line(run, [_step("update", path) for path in paths])
    assert told.splitlines() == [told]
    assert not set(told) & set("[]<>`*|\\")


@given(st.none() | st.binary(), st.lists(st.text("ab", min_size=1), min_size=1, max_size=4))
def test_lines_are_added_at_the_end_and_nothing_else_changes(log: bytes | None, lines: list[str]) -> None:
    grown = log
    for each in lines:
        before, grown = grown, logline.appended(grown, each)
        assert before is None or grown.startswith(before)
        assert grown.endswith(b"\n" + each.encode() + b"\n") or grown == each.encode() + b"\n"
    if log is None:
        assert grown is not None
        assert grown.startswith(b"# Log\n\n")
