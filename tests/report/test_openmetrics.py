"""The text, as the official Prometheus client reads it: of OpenMetrics, and of the older format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import parser as older
from prometheus_client.openmetrics import parser

from gitops.report import openmetrics
from gitops.runs.exposed import Family, family

_VALUES = st.floats(allow_nan=False) | st.integers(-(10**20), 10**20).map(float)
_TEXT = st.text(max_size=12)
_LABELS = st.dictionaries(st.sampled_from(("workspace", "suite", "agent")), _TEXT, min_size=1)


def read(text: str) -> dict[str, Any]:
    """The families of a text, by name."""
    return {each.name: each for each in parser.text_string_to_metric_families(text)}  # type: ignore[no-untyped-call]


def points(found: Any) -> list[tuple[str, Mapping[str, str], float]]:
    return [(sample.name, sample.labels, sample.value) for sample in found.samples]


def test_a_text_says_what_each_number_is() -> None:
    labels = {"workspace": "plant", "role": "judge"}
    told = [
        family("assay_metric_score", "gauge", "A score", [({"metric": "M1"}, 0.5)]),
        family(
            "assay_spend_usd", "counter", "Dollars", [(labels, 1.25), ({"workspace": "a", "role": "judge"}, 2)], "usd"
        ),
        family("assay_nothing", "gauge", "None of it", [({"metric": "M2"}, None)]),
    ]
    assert openmetrics.text(told) == (
        "# TYPE assay_metric_score gauge\n"
        "# HELP assay_metric_score A score\n"
        'assay_metric_score{metric="M1"} 0.5\n'
        "# TYPE assay_spend_usd counter\n"
        "# UNIT assay_spend_usd usd\n"
        "# HELP assay_spend_usd Dollars\n"
        'assay_spend_usd_total{role="judge",workspace="a"} 2\n'
        'assay_spend_usd_total{role="judge",workspace="plant"} 1.25\n'
        "# EOF\n"
    )


def test_of_nothing_there_is_a_whole_text() -> None:
    assert openmetrics.text([]) == "# EOF\n"
    assert read("# EOF\n") == {}


def _unlike(rows: Iterable[tuple[Mapping[str, str], float]]) -> list[tuple[Mapping[str, str], float]]:
    return list({tuple(sorted(labels.items())): (labels, value) for labels, value in rows}.values())


@given(st.lists(st.tuples(_LABELS, _VALUES), max_size=5).map(_unlike), _TEXT)
def test_whatever_labels_say_it_is_read_back(rows: list[tuple[Mapping[str, str], float]], help: str) -> None:
    told = openmetrics.text([family("assay_x", "gauge", help.replace("\r", " "), rows)])
    found = read(told)
    given = sorted((sorted(labels.items()), value) for labels, value in rows)
    back = sorted((sorted(labels.items()), value) for _, labels, value in (points(found["assay_x"]) if rows else []))
    assert [labels for labels, _ in back] == [labels for labels, _ in given]
    assert [value for _, value in back] == pytest.approx([value for _, value in given], rel=1e-12)


def test_the_older_format_reads_the_same_numbers() -> None:
    rows = [({"workspace": 'a"b\\c\nd', "suite": "x"}, 3.0)]
    text = openmetrics.text([family("assay_x", "gauge", "x", rows), family("assay_y", "counter", "y", rows)])
    found = [sample for each in older.text_string_to_metric_families(text) for sample in each.samples]
    assert [(one.name, one.labels, one.value) for one in found] == [
        ("assay_x", dict(rows[0][0]), 3.0),
        ("assay_y_total", dict(rows[0][0]), 3.0),
    ]


def test_a_byte_that_is_no_utf_8_is_spelt_out() -> None:
    text = openmetrics.text([family("assay_x", "gauge", "x", [({"suite": "a\udc80"}, 1)])])
    assert text.encode()
    [found] = points(read(text)["assay_x"])
    assert found[1] == {"suite": "a\\udc80"}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_are_spelt_as_both_formats_have_them(value: float, told: str) -> None:
    assert openmetrics.number(value) == told
    [found] = read(f"# TYPE x gauge\nx {told}\n# EOF\n")["x"].samples
    assert found.value == value or math.isnan(value)


def test_families_have_no_points_without_a_number() -> None:
    assert family("assay_x", "gauge", "x", [({"a": "1"}, None)]) == Family("assay_x", "gauge", "x")
