from __future__ import annotations

from typing import Any

import pytest

from gitops.report.evalparts import columns, parts, said, trimmed
from gitops.report.evalshapes import AnchorCase, ClaimCase, IngestCase, PairCase, QueryCase, Week, cases
from gitops.runs.measurements import Sample
from tests.report.eval_reports import APART, CONTRADICTION, FAILING, INGEST, LOST, NOW, WORST, measurement, week


def taken(details: dict[str, Any], **fields: Any) -> list[Any]:
    return parts(measurement("M8", NOW, 0.5, details=details, **fields))


@pytest.mark.parametrize(
    ("case", "shape", "title"),
    [
        (FAILING, ClaimCase, "failing claims"),
        (CONTRADICTION, PairCase, "contradictions"),
        (LOST, AnchorCase, "of late anchors"),
        (WORST, QueryCase, "worst queries"),
        (INGEST, IngestCase, "ingests"),
        (week(1, 1, 2, 3, 4), Week, "cost curve"),
    ],
)
def test_cases_are_told_by_their_shape_under_whatever_name(case: dict[str, Any], shape: type, title: str) -> None:
    (part,) = taken({"of_late": [case, case]})
    assert [type(each) for each in part.cases] == [shape, shape]
    assert part.title == title


@pytest.mark.parametrize("wrong", [{"line": "24"}, {"claim": None}, {"source": "raw/a.md"}, {"unsupported": "x"}])
def test_what_has_no_known_shape_is_a_plain_table(wrong: dict[str, Any]) -> None:
    (part,) = taken({"failing": [FAILING, FAILING | wrong]})
    assert part.cases == ()
    assert part.rows[1] == FAILING | wrong


@pytest.mark.parametrize("wrong", [-1, 10**31])
def test_sums_that_nobody_counted_are_no_curve(wrong: int) -> None:
    assert cases([week(1, 5, 5, 5, 5)])
    assert cases([week(1, 5, 5, 5, 5) | {"ingest": wrong}]) == ()


def test_cases_come_before_tables_and_tables_before_lines() -> None:
    found = taken({"a": 1, "b": ["x"], "c": [{"d": 1}], "failing": [FAILING], "strata": {"tea": {"n": 2}}})
    assert [part.name for part in found] == ["failing", "c", "strata", "b", ""]
    assert found[2].rows == ({"strata": "tea", "n": 2},)
    assert found[3].lines == ("x",)
    assert found[4].lines == ("a: 1",)


def test_what_is_empty_is_left_out() -> None:
    assert taken({"a": None, "b": [], "c": {}, "d": "", "unverified": APART | {"runs": []}}) == []


def test_texts_by_name_are_a_line_each() -> None:
    (part,) = taken({"units": {"corpus_size": "bytes", "sound": "tokens"}})
    assert part.lines == ("corpus size: bytes", "sound: tokens")


def test_samples_that_failed_are_shown_where_no_case_is() -> None:
    samples = (
        Sample(id="a", status="fail", details={"page": "wiki/a.md"}),
        Sample(id="b", status="pass"),
        Sample(id="c", status="error", error="it broke"),
    )
    (part,) = taken({}, samples=samples)
    assert [row["id"] for row in part.rows] == ["a", "c"]
    assert part.rows[1]["error"] == "it broke"
    assert [part.name for part in taken({"failing": [FAILING]}, samples=samples)] == ["failing"]


def test_columns_begin_with_what_the_rows_are_and_end_with_numbers() -> None:
    (part,) = taken({"topics": [{"agree": 1, "page": "a", "topic": "T"}, {"page": "b", "topic": "U", "share": 0.5}]})
    assert columns(part) == ["topic", "page", "agree", "share"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "–"),
        (True, "yes"),
        (12_345, "12,345"),
        (0.123456, "0.1235"),
        ([], "none"),
        (["a", 2], "a, 2"),
        ({"a": 1, "b": None, "c": [1, 2]}, "a 1, c 1, 2"),
    ],
)
def test_plain_values_in_words(value: Any, told: str) -> None:
    assert said(value) == told


def test_context_is_cut_between_words() -> None:
    assert trimmed("one two\nthree", 100, is_before=True) == "one two three"
    assert trimmed("one two three", 8, is_before=True) == "… three"
    assert trimmed("one two three", 9, is_before=False) == "one two …"
    assert trimmed("unbroken", 4, is_before=False) == "unbr …"
    assert trimmed("", 4, is_before=True) == ""
