from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.retrieval.model import Hit, Result, Results, Versions
from gitops.retrieval.results import SCHEMA, lines, read
from gitops.runs.bad_input import BadInput

HEADER = {"schema": SCHEMA, "chunker_version": "2"}
RESULT = {"query_id": "a", "hits_top_k": [{"chunk_id": "c1"}, {"chunk_id": "c2"}]}
UNKNOWN = "no header line: the versions of chunker, embedding, prompt and model are not known"


def file(*values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def refused(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read(data, "r.jsonl")
    assert "\n" not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (file(HEADER) + b"{]\n", "r.jsonl:2: not JSON"),
        (file(HEADER, [1]), "r.jsonl:2: not a JSON object"),
        (file(HEADER, [1])[:-1], "r.jsonl:2: not a JSON object"),
        ("\ufeff{}\n".encode() + b"\xff\n", "r.jsonl:2: this is not UTF-8"),
        (file(HEADER) + '{"query_id": "\u00e9'.encode()[:-1], "r.jsonl:2: the file is cut in the middle of this line"),
        (file(HEADER) + b'{"query_id": "a", "query_id": "b"}\n', "r.jsonl:2: not JSON: a name occurs twice"),
        (file(HEADER) + b'{"query_id": "a", "hits_top_k": [{"chunk_id": "c", "score": NaN}]}\n', "NaN is not JSON"),
        (file(HEADER) + b"[" * 100_000 + b"\n", "r.jsonl:2: not JSON: nested too deeply"),
        (file(HEADER) + b"9" * 5_000 + b"\n", "r.jsonl:2: not JSON"),
        (file(HEADER, RESULT) + b"\xff\n", "r.jsonl:3: this is not UTF-8"),
        (file({"schema": "other/9"}, RESULT), f"r.jsonl:1: the schema is 'other/9', and {SCHEMA} is read here"),
        (file({"hits_top_k": []}, RESULT), "r.jsonl:1: 'query_id' is missing"),
        (file(HEADER, RESULT, HEADER), "r.jsonl:3: 'query_id' is missing"),
        (file(HEADER, RESULT, RESULT), "r.jsonl:3: a second result of 'a' (line 2)"),
        (
            file({"query_id": "é", "error": "x"}, {"query_id": "e\u0301", "error": "x"}),
            "r.jsonl:2: a second result of 'é' (line 1)",
        ),
        (file(HEADER, RESULT | {"hits_top_k": [{}]}), "r.jsonl:2: hit 1: 'chunk_id' is missing"),
    ],
)
def test_a_line_that_cannot_be_taken_is_named(data: bytes, said: str) -> None:
    assert said in refused(data)


@pytest.mark.parametrize("cut", range(1, len(json.dumps(RESULT))))
def test_a_file_that_is_cut_in_the_middle_of_a_line_says_so(cut: int) -> None:
    data = file(HEADER) + file(RESULT)[:cut]
    assert "r.jsonl:2: the file is cut in the middle of this line, which has no end" in refused(data)


def test_a_last_line_without_an_end_is_whole_if_its_object_is() -> None:
    assert list(read(file(HEADER, RESULT).rstrip(b"\n"), "r").by_query) == ["a"]


def test_a_header_tells_versions_by_any_of_their_names_and_the_rest_is_kept() -> None:
    header = {"chunker": "7", "embedding_model": "bge-m3", "prompt_template_version": 3, "llm": "m", "top_k": 20}
    found = read(file(header, RESULT), "r.jsonl")
    assert found.versions == Versions("7", "bge-m3", "3", "m", {"top_k": 20})
    assert (found.name, found.has_header, found.remarks) == ("r.jsonl", True, ())


def test_of_two_names_of_one_version_the_first_counts_and_a_version_may_be_an_object() -> None:
    header = {"embedding_version": 2, "embedding_model": "bge", "chunker": {"size": 300, "kind": "window"}, "llm": None}
    found = read(file(header, RESULT), "r").versions
    assert (found.embedding, found.chunker_version, found.model) == ("2", '{"kind":"window","size":300}', "")
    assert found.others == {"embedding_model": "bge", "llm": None}


def test_a_first_line_with_a_query_is_a_result_and_a_header_is_missed_aloud() -> None:
    found = read(file(RESULT), "r")
    assert list(found.by_query) == ["a"]
    assert (found.has_header, found.versions, found.remarks) == (False, Versions(), (UNKNOWN,))


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_a_file_without_a_line_has_no_result(data: bytes) -> None:
    assert read(data, "r") == Results("r", {}, has_header=False, remarks=(UNKNOWN,))


def test_blank_lines_a_byte_order_mark_and_line_ends_of_windows_are_overlooked() -> None:
    data = b"\xef\xbb\xbf\r\n" + file(HEADER).replace(b"\n", b"\r\n") + b"\n" + file(RESULT).replace(b"\n", b"\r\n")
    found = read(data, "r")
    assert (found.versions.chunker_version, found.by_query["a"].line) == ("2", 4)


def test_a_line_separator_within_a_text_ends_no_line() -> None:
    data = json.dumps({"query_id": "a", "answer": {"text": "x\u2028y\x85z"}}, ensure_ascii=False).encode()
    answer = read(data, "r").by_query["a"].answer
    assert answer is not None
    assert answer.text == "x\u2028y\x85z"


def test_duplicates_are_counted() -> None:
    twice = {"query_id": "b", "hits_top_k": [{"chunk_id": "c"}, {"chunk_id": "c"}, {"chunk_id": "c"}]}
    found = read(file(HEADER, RESULT, twice), "r")
    assert (found.by_query["b"].duplicates, found.by_query["a"].duplicates) == (2, 0)


def test_results_that_never_tell_hits_are_told_aloud() -> None:
    found = read(file(HEADER, {"query_id": "a", "answer": {"text": "x"}, "hits": [{"chunk_id": "c"}]}), "r")
    assert found.remarks == ("no line has 'hits_top_k': each query counts as one without a hit",)


def test_top_cuts_rankings() -> None:
    assert read(file(RESULT), "r", 1).by_query["a"].hits == (Hit(1, "c1"),)


IDS = st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFF), min_size=1).filter(str.strip)
FOUND = st.builds(
    lambda name, chunks, error: Result(name, tuple(Hit(at, chunk) for at, chunk in enumerate(chunks, 1)), error=error),
    IDS,
    st.lists(IDS, max_size=3, unique=True),
    IDS,
)
VERSIONS = st.builds(
    Versions, IDS, IDS, IDS, IDS, st.dictionaries(st.sampled_from(["top_k", "note"]), IDS | st.integers())
)


@settings(deadline=None)
@given(st.lists(FOUND, max_size=3, unique_by=lambda one: one.query_id), st.just(Versions()) | VERSIONS)
def test_results_that_are_written_are_read_equal(found: list[Result], versions: Versions) -> None:
    results = Results("r", {one.query_id: one for one in found}, versions)
    assert read("".join(lines(results)).encode(), "r") == results


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.binary()
    | st.text().map(str.encode)
    | st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: (
                st.lists(inner)
                | st.dictionaries(
                    st.sampled_from(
                        ["query_id", "hits_top_k", "answer", "text", "citations", "chunk_id", "spans", "rank"]
                    ),
                    inner,
                )
            ),
        ),
        max_size=3,
    ).map(lambda values: file(*values))
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        found = read(data, "r.jsonl")
    except BadInput as error:
        found, told = Results("r", {}), error.message
    else:
        told = "r.jsonl:"
    assert told.startswith("r.jsonl:")
    assert "\n" not in told
    again = read("".join(lines(found)).encode(), "again.jsonl")
    assert again.by_query.keys() == found.by_query.keys()
    assert again.versions == found.versions
