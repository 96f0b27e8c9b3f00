from __future__ import annotations

import csv
import io
import json

from gitops.eviction.exporting import columns, csv_lines, json_lines
from gitops.eviction.features import rows
from gitops.eviction.heuristic import FEATURES
from tests.eviction.resolutions import candidate, resolved

SECRET = "call me at home"
PAIRS = [
    resolved([candidate(f"{SECRET} 1", snippet=SECRET), candidate("b", "memory", 0.4)], ["b"], reason=SECRET),
    resolved([candidate("b", "memory", 0.5, age=7)], ["b"], number=1, reason="=SUM(A1)\n2"),
]


def test_a_row_holds_label_and_features_and_nobodys_words() -> None:
    lines = list(json_lines(rows(PAIRS)))
    first, second, again = (json.loads(line) for line in lines)
    assert [each["excluded"] for each in (first, second, again)] == [0, 1, 1]
    assert (second["zone"], second["relevance_score"], second["feature_memory"]) == ("memory", 0.4, 1.0)
    assert second["item"] == again["item"] != first["item"]  # the same item, known again
    assert set(first) == set(columns(with_texts=False))
    assert {f"feature_{name}" for name in FEATURES} <= set(first)
    assert not any(SECRET in line for line in lines)


def test_words_are_there_where_they_are_asked_for() -> None:
    first, second, _ = (json.loads(line) for line in json_lines(rows(PAIRS), with_texts=True))
    assert (first["ctx_id"], first["snippet"], first["exclude_reason"]) == (f"{SECRET} 1", SECRET, "")
    assert second["exclude_reason"] == SECRET


def test_the_csv_says_the_same_and_no_cell_is_a_formula() -> None:
    text = "\n".join(csv_lines(rows(PAIRS), with_texts=True))
    told = list(csv.DictReader(io.StringIO(text)))
    assert [row["excluded"] for row in told] == ["0", "1", "1"]
    assert told[2]["exclude_reason"] == "'=SUM(A1) 2"
    assert list(told[0]) == list(columns(with_texts=True))


def test_an_export_of_nothing_is_a_heading_or_no_line() -> None:
    assert list(json_lines([])) == []
    assert list(csv_lines([])) == [",".join(columns(with_texts=False))]
