from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops import canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1, {"a": float("-inf")}]])
def test_what_json_has_no_word_for_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical.dumps(value)


def test_keys_are_sorted_nothing_is_spaced_and_text_is_itself() -> None:
    assert canonical.dumps({"b": [1, 2.5, None], "a": "é\n"}) == '{"a":"é\\n","b":[1,2.5,null]}'


@given(VALUES)
@pytest.mark.slow
def test_a_value_is_one_line_and_reads_back(value: Any) -> None:
    line = canonical.dumps(value)
    assert "\n" not in line
    assert json.loads(line) == value


@given(st.dictionaries(st.text(max_size=5), st.integers(), max_size=6))
def test_the_order_of_keys_does_not_change_the_digest(value: dict[str, int]) -> None:
    assert canonical.digest(dict(reversed(value.items()))) == canonical.digest(value)


def test_the_digest_is_the_sha256_of_the_spelling() -> None:
    assert canonical.digest({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest() == canonical.sha256(b'{"a":1}')


@given(st.text(), st.dictionaries(st.text(min_size=1, max_size=5), st.integers(), max_size=4))
def test_a_line_begins_with_its_summary_and_is_json(summary: str, body: dict[str, int]) -> None:
    body = {"kind": 1} | {key: value for key, value in body.items() if key != "summary"}
    line = canonical.line(summary, body)
    assert line.startswith('{"summary":"')
    assert json.loads(line) == {"summary": summary} | body
