from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import recorded
from gitops.canonical import line
from gitops.runs import store
from gitops.runs.notelines import parse
from gitops.runs.plainlines import plain
from gitops.runs.records import LandedRecord, id_of
from gitops.verify.verdict import Followed, Member, Verdict

LANDED = LandedRecord(summary="landed", run_id="a", commit="c", verdict_id="v", at="2026-01-02T03:04:05Z")
JUDGED = [recorded._line(recorded.verdict(run)) for run in range(2)]
SEATED = recorded.verdict(2).model_copy(update={"judges": (Member(id="offline", version="3", digest="d" * 64),)})
JUDGED.append(recorded._line(SEATED.named()))
RESTING = recorded.verdict(3).model_copy(update={"measurements": (Followed(commit="c", id="e", metric="M2"),)})
JUDGED.append(recorded._line(RESTING.named()))
LINES = [*(record.line() for record in recorded.history(3)), LANDED.line(), *JUDGED]


def _carefully(text: str) -> dict[str, Any] | str:
    """What the careful way makes of a line: the fields it reads, or why it reads none."""
    if '"kind":"verdict"' in text:
        verdict = store.parse_verdict(text)
        return verdict.record() if isinstance(verdict, Verdict) else verdict
    read = parse([text], "here")
    return read.records[0].model_dump(mode="json", by_alias=True) if read.records else read.skipped[0]


def _named(summary: str, body: dict[str, Any]) -> str:
    return line(summary, body | {"id": id_of(body)})


def _self_named(text: str) -> str:
    """The text with the id that its own bytes would have, however they are spelled: what a forger would write."""
    head, _, tail = text.partition(',"id":"')
    start = head.index(",") + 1 if head.startswith('{"summary":') else 1
    digest = hashlib.sha256(("{" + head[start:] + tail[41:]).encode("utf-8", "surrogatepass")).hexdigest()
    return f'{head},"id":"{digest[:40]}"{tail[41:]}'


REFUSED_OR_UNUSUAL = {
    "a name that occurs twice": ('"kind":"state"', '"kind":"state","kind":"state"'),
    "a name that occurs twice within": ('"usd":0.01', '"usd":0.01,"usd":0.01'),
    "white space": ('"number":', '"number": '),
    "an escape that is not needed": ('"verifying"', '"verif\\u0079ing"'),
    "names out of order": ('"base":"x","candidate":"y"', '"candidate":"y","base":"x"'),
    "names out of order within": ('"input_tokens":1200.0,"usd":0.01', '"usd":0.01,"input_tokens":1200.0'),
    "a number with an exponent": ('"usd":0.01', '"usd":1e-7'),
    "a number that Python writes with an exponent": ('"usd":0.01', '"usd":0.00001'),
    "a large number": ('"usd":0.01', '"usd":1e16'),
    "an integer for a float": ('"usd":0.01', '"usd":1'),
    "text for a number": ('"number":1', '"number":"1"'),
    "not a number": ('"usd":0.01', '"usd":NaN'),
    "an unknown status": ('"status":"verifying"', '"status":"dreaming"'),
    "no text": ('"reason":""', '"reason":null'),
    "a lone surrogate": ('"reason":""', '"reason":"\\udc80"'),
    "a control character": ('"reason":""', '"reason":"\t"'),
}


def _state() -> str:
    text = next(text for text in LINES if '"number":1' in text)
    value = json.loads(text)
    return text.replace(value["base"], "x").replace(value["candidate"], "y")


@pytest.mark.parametrize("change", REFUSED_OR_UNUSUAL.values(), ids=REFUSED_OR_UNUSUAL)
def test_what_is_not_common_is_left_to_the_careful_way_even_if_it_names_itself(change: tuple[str, str]) -> None:
    text = _self_named(_state())
    assert plain(text) is not None
    assert change[0] in text
    changed = text.replace(*change)
    assert plain(changed) is None
    assert plain(_self_named(changed)) is None


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"kind":["run"]}', '{"kind":"confession"}', "[" * 100_000])
def test_what_is_no_record_is_not_common(text: str) -> None:
    assert plain(text) is None


@pytest.mark.parametrize("text", LINES, ids=lambda text: json.loads(text)["kind"])
def test_a_changed_line_is_not_common(text: str) -> None:
    assert plain(text) is not None
    assert plain(text.replace('"schema":"assay', '"schema":"essay')) is None
    assert plain(text.replace('"id":"', '"id":"0')) is None


@pytest.mark.parametrize("text", LINES, ids=lambda text: json.loads(text)["kind"])
def test_a_common_line_gives_what_the_careful_way_gives(text: str) -> None:
    assert plain(text) == _carefully(text)


@pytest.mark.parametrize("used", [[], [{}], ["M2"], [{"commit": "c", "id": "e", "metric": 2}]])
def test_measurements_in_another_shape_are_left_to_the_careful_way(used: list[Any]) -> None:
    body = recorded.verdict(3).record() | {"measurements": used}
    assert plain(_named(body.pop("summary"), body)) is None


def test_the_summary_is_outside_the_id() -> None:
    for text in LINES:
        summary = json.loads(text)["summary"]
        other = text.replace(json.dumps(summary, ensure_ascii=False), '"an \\"id\\":\\"x\\" é"', 1)
        assert plain(other) == _carefully(other)
        assert plain(other) is not None


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=4),
        st.sampled_from(["run", "pending", "committed", "commit", "claim", "error", "id", {}, [], 0.01, 1e-5, 1e16]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=2), inner, max_size=2)),
    max_leaves=4,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in _places(each, (*path, key)))]


@settings(max_examples=400)
@given(st.sampled_from(LINES), st.data())
@pytest.mark.slow
def test_a_line_with_any_value_changed_is_read_alike_or_left_to_the_careful_way(text: str, data: st.DataObject) -> None:
    body = json.loads(text)
    del body["id"]
    place = data.draw(st.sampled_from([place for place in _places(body) if place]))
    holder = body
    for key in place[:-1]:
        holder = holder[key]
    if data.draw(st.booleans()):
        holder[place[-1]] = data.draw(VALUES)
    elif isinstance(holder, dict):
        holder[data.draw(st.sampled_from(["id", "new", "zzz"]))] = data.draw(VALUES)
    made = _named(str(body.pop("summary", "")), body)
    found = plain(made)
    assert found is None or found == _carefully(made)


@settings(max_examples=400)
@given(st.sampled_from(LINES), st.data())
def test_a_line_with_any_characters_changed_is_read_alike_or_left_to_the_careful_way(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 3)))
    with_this = data.draw(
        st.sampled_from(["", " ", '"', ",", "\\", "0", "1", "e", ".0", '"x":1,', "{", "}", "é", "\x00"])
    )
    changed = text[:start] + with_this + text[end:]
    for made in (changed, _self_named(changed) if ',"id":"' in changed else changed):
        found = plain(made)
        assert found is None or found == _carefully(made)
