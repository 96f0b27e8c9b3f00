"""JSON as models: what the models write is read back, and no bytes whatever give a traceback."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.canonical import dumps
from gitops.runs.bad_input import BadInput
from gitops.suites.grading import faults
from gitops.suites.model import BenchmarkCase, BenchmarkSuite
from gitops.suites.reading import BadSuite, lines, model_of, object_of
from gitops.suites.suite_files import Files
from gitops.suites.writing import spelt
from gitops.wiki.disk import DiskSnapshot
from gitops.wiki.snapshot import MemorySnapshot
from tests.suites.suite_folders import case, suite

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TABLES = st.dictionaries(TEXT, VALUES, max_size=3)
INPUTS = st.fixed_dictionaries(
    {"goal": TEXT},
    optional={"context": st.lists(TABLES, max_size=2), "config_overrides": TABLES, "skill_args": TABLES},
)
EXPECTED = st.one_of(
    st.builds(lambda text: {"mode": "exact", "value": text}, TEXT),
    st.builds(lambda text: {"mode": "contains", "value": {"all": [f"{text}x"]}}, TEXT),
    st.builds(lambda most: {"mode": "metric_threshold", "metric_thresholds": {"latency_ms": most}}, st.integers(1, 99)),
    st.just({"mode": "human"}),
)
CASES = st.builds(
    lambda name, asked, expected, tags: case(name, input=asked, expected=expected, tags=tags),
    st.from_regex(r"[a-z0-9][a-z0-9._-]{0,20}", fullmatch=True),
    INPUTS,
    EXPECTED,
    st.lists(TEXT, max_size=2),
)


@given(CASES)
def test_a_case_that_is_written_is_the_case_that_is_read(told: dict[str, Any]) -> None:
    made = BenchmarkCase.model_validate(told)
    assert faults(made) == []
    assert model_of(BenchmarkCase, object_of(spelt(made).encode(), "a.json"), "a.json") == made


@settings(max_examples=40)
@given(st.lists(CASES, min_size=1, max_size=4, unique_by=lambda one: one["case_id"]), st.integers(0, 4))
def test_a_suite_that_is_written_is_the_suite_that_is_read(cases: list[dict[str, Any]], inside: int) -> None:
    told = suite(cases=cases[:inside])
    files = {f"s/cases/{number}.json": dumps(one).encode() for number, one in enumerate(cases[inside:])}
    written = BenchmarkSuite.model_validate(told).model_dump_json().encode()
    read = Files(MemorySnapshot({"s/suite.json": written, **files}), "s", "s")
    assert read.suite() == BenchmarkSuite.model_validate(suite(cases=cases))
    assert read.faults == []


@settings(max_examples=100)
@given(st.one_of(st.binary(max_size=80), VALUES.map(lambda value: json.dumps(value).encode())))
def test_no_bytes_are_more_than_a_fault(data: bytes) -> None:
    for name in ("suite.json", "cases/a.json", "baseline.json"):
        sound = {"s/suite.json": dumps(suite(cases=[case("first")])).encode(), f"s/{name}": data}
        read = Files(MemorySnapshot(sound), "s", "s")
        loaded = read.suite()
        read.baseline(loaded)
        assert all(told.startswith(f"s/{name}") and "\n" not in told for told in read.faults)
        assert read.faults


@settings(max_examples=100)
@given(st.data())
def test_no_value_in_a_field_is_more_than_a_fault(data: st.DataObject) -> None:
    told = suite(cases=[case()], limits={}, depends_on={}, files="", repeats=1, latency_floor_ms=250.0, metadata={})
    field = data.draw(st.sampled_from([*sorted(told), "zzz"]))
    told[field] = data.draw(VALUES)
    read = Files(MemorySnapshot({"s/suite.json": dumps(told).encode()}), "s", "s")
    loaded = read.suite()
    read.digests(loaded)
    assert (loaded is None) <= bool(read.faults)
    assert all(each.startswith("s/") for each in read.faults)


def test_the_faults_of_a_file_are_lines_with_its_name() -> None:
    with pytest.raises(BadInput) as raised:
        model_of(BenchmarkCase, {"case_id": "a", "input": {}}, "a.json")
    told = lines(raised.value)
    assert "a.json: input.goal: this field is missing" in told
    assert len(told) == 5


def test_numbers_are_not_taken_for_text_nor_text_for_numbers() -> None:
    for fields in ({"latency_floor_ms": "250"}, {"name": 3}, {"repeats": 1.5}, {"limits": {"network": "yes"}}):
        with pytest.raises(BadInput):
            model_of(BenchmarkSuite, suite(**fields), "s.json")


def test_an_error_of_several_files_tells_the_first_and_how_many_more() -> None:
    error = BadSuite(["a.json: x", "b.json: y", "a.json: x"])
    assert (error.message, error.told) == ("a.json: x (and 1 more)", ("a.json: x", "b.json: y"))


def test_the_disk_is_seen_as_git_sees_it(tmp_path: Any, git: Any) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/x").write_text("x\n")
    (tmp_path / "a/run").write_text("y\n")
    (tmp_path / "a/run").chmod(0o755)
    (tmp_path / "a/link").symlink_to("b")
    git(tmp_path, "add", "--all")
    tree = DiskSnapshot(tmp_path)
    staged = [line.split() for line in git(tmp_path, "ls-files", "--stage").splitlines()]
    assert list(tree.paths("a")) == [path for _, _, _, path in staged]
    assert [f"{tree.mode(path):o}" for _, _, _, path in staged] == [mode for mode, _, _, _ in staged]
    assert tree.blob("a/b/x") == next(blob for _, blob, _, path in staged if path == "a/b/x")
    assert (tree.read("a/b/x"), tree.size("a/b/x"), tree.mode("a/b")) == (b"x\n", 2, 0o040000)
    assert (tree.mode("a/none"), tree.blob("a/link"), tree.mode("a\0b")) == (None, None, None)
    for path in ("a", "a/none", "a/link"):
        with pytest.raises(KeyError):
            tree.read(path)
