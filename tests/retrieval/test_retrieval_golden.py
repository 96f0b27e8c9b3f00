from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from gitops.retrieval.golden import digest_of, of, parse, record
from gitops.retrieval.model import Expected, GoldenQuery
from gitops.runs.bad_input import BadInput

ENTRY = "- query_id: a\n  query: What?\n"


def faults(text: str | bytes, name: str = "gold/retrieval.yaml") -> list[tuple[int, str]]:
    with pytest.raises(BadInput) as caught:
        parse(text.encode() if isinstance(text, str) else text, name)
    return [(fault.line, fault.message) for fault in caught.value.faults]


def parsed(text: str, name: str = "gold/retrieval.yaml") -> list[GoldenQuery]:
    return parse(text.encode(), name)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- query: What?\n", 1, "'query_id' is missing"),
        ("- query_id: a\n", 1, "'query' is missing"),
        ("- query_id:\n  query: What?\n", 1, "'query_id' is missing"),
        ("- query_id: ' '\n  query: What?\n", 1, "'query_id' is an empty text"),
        ("- query_id: a\n  query: ''\n", 2, "'query' is an empty text"),
        ("- query_id: a\n  query: [b]\n", 2, "'query' must be text"),
        (ENTRY + "  expected_docs_ids: [a]\n", 3, "unknown key 'expected_docs_ids'; did you mean expected_doc_ids"),
        (ENTRY + "  query: Who?\n", 3, "'query' stands twice"),
        (ENTRY + "  should_refuse: true\n", 3, "unknown key 'should_refuse'"),
        (ENTRY + ENTRY, 3, "the query_id 'a' is taken already (line 1)"),
        ("- {query_id: é, query: What?}\n- {query_id: 'e\u0301', query: What?}\n", 2, "taken already (line 1)"),
        ("[{query_id: a, query: A}, {query_id: a, query: B}]", 1, "taken already (line 1)"),
        (ENTRY + "  expected_doc_ids: a\n", 3, "'expected_doc_ids' must be a list"),
        (ENTRY + "  expected_doc_ids:\n", 3, "'expected_doc_ids' has no value: write [] if"),
        (ENTRY + "  expected_doc_ids:\n  - a\n  - ''\n", 5, "an id in 'expected_doc_ids' is an empty text"),
        (ENTRY + "  expected_doc_ids:\n  - a\n  - a\n", 5, "the document 'a' is expected twice"),
        (ENTRY + "  expected_doc_ids:\n  - [a]\n", 4, "a document is an id, or {doc_id, grade}"),
        (ENTRY + "  expected_doc_ids:\n  - {grade: 2}\n", 4, "'doc_id' is missing"),
        (ENTRY + "  expected_doc_ids:\n  - {doc_id: a, grade: 0}\n", 4, "'grade' must be a whole number from 1"),
        (ENTRY + "  expected_doc_ids:\n  - {doc_id: a, grade: -1}\n", 4, "'grade' must be a whole number from 1"),
        (ENTRY + "  expected_doc_ids:\n  - {doc_id: a, grade: 1.5}\n", 4, "'grade' must be a whole number from 1"),
        (ENTRY + "  expected_doc_ids:\n  - {doc_id: a, rank: 1}\n", 4, "unknown key 'rank'"),
        (ENTRY + "  expected_doc_ids: []\n  expected_chunk_ids: [c]\n", 4, "chunks are expected, and"),
        (ENTRY + "  expected_chunk_ids: [c, c]\n", 3, "the chunk 'c' is expected twice"),
        (ENTRY + "  expected_chunk_ids: [c, {chunk_id: c}]\n", 3, "the chunk 'c' is expected twice"),
        (
            ENTRY + "  expected_chunk_ids:\n  - {doc_id: a, quote: x y}\n  - {doc_id: a, quote: x  y}\n",
            5,
            "the quotation of 'a' is expected twice",
        ),
        (ENTRY + "  expected_chunk_ids: [[c]]\n", 3, "a chunk is an id, {chunk_id"),
        (ENTRY + "  expected_chunk_ids: [{doc_id: a}]\n", 3, "'chunk_id' is missing, or 'doc_id' and a 'quote'"),
        (ENTRY + "  expected_chunk_ids: [{quote: x}]\n", 3, "'doc_id' is missing: the document that is quoted"),
        (ENTRY + "  expected_chunk_ids: [{chunk_id: c, doc_id: a, quote: x}]\n", 3, "not by both"),
        (ENTRY + "  expected_chunk_ids: [{doc_id: a, quote: x, spans: [[0, 1]]}]\n", 3, "not by both"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: []\n", 5, "'spans' is empty"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[3, 3]]\n", 5, "the span [3, 3] is empty"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[5, 3]]\n", 5, "the span [5, 3] is reversed"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[-1, 3]]\n", 5, "begins before 0"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[0]]\n", 5, "a span is two whole numbers"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[0, 1, 2]]\n", 5, "a span is two whole"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[0, 1.5]]\n", 5, "a span is two whole"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [[0, [1]]]\n", 5, "a span is two whole"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: [0, 1]\n", 5, "a span is two whole"),
        (ENTRY + "  expected_chunk_ids:\n  - chunk_id: c\n    spans: 0-1\n", 5, "'spans' must be a list"),
        (ENTRY + "  must_contain: x\n", 3, "'must_contain' must be a list"),
        (ENTRY + "  must_contain:\n  - x\n  - {y: z}\n", 5, "'must_contain' must be a list of texts"),
        (ENTRY + "  expected_doc_ids:\n  - a\n  - null\n", 5, "an id in 'expected_doc_ids' is null: put it in"),
        (ENTRY + "  expected_chunk_ids: [~]\n", 3, "an id in 'expected_chunk_ids' is ~: put it in quotation marks"),
        (ENTRY + "  must_contain: [Null]\n", 3, "a text in 'must_contain' is Null: put it in quotation marks"),
        (ENTRY + "  forbidden: ['']\n", 3, "a text in 'forbidden' is an empty text"),
        ("- &a {query_id: a, query: What?}\n", 1, "anchors, aliases and tags"),
        (ENTRY + "  must_contain: [*x]\n", 3, "anchors, aliases and tags"),
        ("- query_id: !!str a\n  query: What?\n", 1, "anchors, aliases and tags"),
        (ENTRY + "---\n" + ENTRY, 4, "a second document"),
        ("query_id: a\n", 1, "a list of entries is wanted"),
        ("- a\n", 1, "an entry is wanted"),
        ("- ? [a]\n  : b\n", 1, "the name of a field"),
        ("- query_id: [a\n", 2, "not YAML"),
        ("# é\n- query: aé\x07\n", 2, "not YAML: it holds U+0007, a control character"),
        ("- query: " + "[" * 100_000, 1, "nested too deeply"),
        ("- query: " + "{a: " * 5_000, 1, "nested too deeply"),
    ],
)
def test_what_is_wrong_in_an_entry_is_told_with_its_line(text: str, line: int, said: str) -> None:
    found = faults(text)
    assert found[0][0] == line
    assert said in found[0][1]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[\n{"query_id": "a",\n "query": "What?",\n "quer": 1}]', 4, "unknown key 'quer'; did you mean query"),
        ('[{"query_id": "a", "query": "b", "query": "c"}]', 1, "'query' stands twice"),
        ('[\n{"query_id": "a"\n', 3, "not JSON: expecting ',' delimiter"),
        ('[{"query_id": "a", "query": NaN}]', 1, "not JSON: NaN is no number"),
        ('[{"query_id": "a", "query": "b",\n"expected_doc_ids": [null]}]', 2, "an id in 'expected_doc_ids' is null"),
        ('[{"query_id": "a", "query": "\\ud83d"}]', 1, "half of a surrogate pair"),
        ('[{"query_id": "a\\u0000", "query": "b"}]', 1, "a NUL"),
        ("[" * 100_000, 1, "nested too deeply"),
        ("[" * 20 + "]" * 20, 1, "nested too deeply"),
        ("[[]]", 1, "an entry is wanted"),
        ('[{"query_id": "a", "query": ' + "[" * 20 + "]" * 20 + "}]", 1, "nested too deeply"),
        ('{"query_id": "a"}', 1, "a list of entries is wanted"),
        ('[{"query_id": "a", "query": ' + "9" * 5_000 + "}]", 1, "not JSON"),
        ("", 1, "not JSON"),
    ],
)
def test_what_is_wrong_in_json_is_told_with_its_line(text: str, line: int, said: str) -> None:
    found = faults(text, "gold.json")
    assert found[0][0] == line
    assert said in found[0][1]


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "[]\n", "null\n"])
def test_a_file_without_a_query_is_refused_for_nothing_is_measured_by_it(text: str) -> None:
    assert faults(text) == [(1, "it holds no golden query")]


def test_bytes_that_are_not_utf8_are_told_with_their_line() -> None:
    assert faults(b"- query_id: a\n  query: \xff\n") == [(2, "this is not UTF-8")]


def test_every_fault_is_told_the_first_in_one_line_with_its_mend() -> None:
    with pytest.raises(BadInput) as caught:
        parsed("- query_id: a\n  query: ''\n  forbid: [x]\n- query: b\n")
    assert [fault.line for fault in caught.value.faults] == [2, 3, 4]
    assert caught.value.message == "gold/retrieval.yaml:2: 'query' is an empty text (and 2 more)"
    assert "gold/retrieval.yaml" in caught.value.hint


def test_an_entry_has_what_is_expected_of_it() -> None:
    text = """\
# expected_doc_ids: [] says that the query should be refused
- query_id: q1
  query: >
    How long
    is it?
  expected_doc_ids: [wiki/a.md, {doc_id: wiki/b.md, grade: 2}]
  expected_chunk_ids:
    - c1
    - chunk_id: c2
      doc_id: wiki/b.md
      spans: [[0, 10], [20, 30]]
      grade: 3
    - {doc_id: wiki/a.md, quote: "twelve   metres"}
  must_contain: [twelve]
  forbidden: [thirteen]
"""
    assert parsed(text) == [
        GoldenQuery(
            "q1",
            "How long is it?",
            {"wiki/a.md": 1, "wiki/b.md": 2},
            (
                Expected("c1"),
                Expected("c2", "wiki/b.md", ((0, 10), (20, 30)), grade=3),
                Expected(doc_id="wiki/a.md", quote="twelve metres"),
            ),
            must_contain=("twelve",),
            forbidden=("thirteen",),
        )
    ]
    assert [chunk.line for chunk in parsed(text)[0].chunks or ()] == [8, 9, 13]


@pytest.mark.parametrize(
    ("name", "documents"), [("gold.yaml", ["1.50", "007", "no"]), ("gold.json", ["1.50", "7e0", "false"])]
)
def test_an_id_stays_as_it_is_written(name: str, documents: list[str]) -> None:
    (query,) = parsed(f'[{{"query_id": 12, "query": true, "expected_doc_ids": [{", ".join(documents)}]}}]', name)
    assert (query.query_id, query.query, list(query.doc_ids or ())) == ("12", "true", documents)


def test_a_date_is_an_id() -> None:
    assert parsed("- query_id: 2026-01-01\n  query: What?\n")[0].query_id == "2026-01-01"


def test_ids_are_in_form_c() -> None:
    text = "- query_id: 'e\u0301'\n  query: q\n  expected_doc_ids: ['e\u0301']\n  expected_chunk_ids: ['e\u0301']\n"
    assert parsed(text) == [GoldenQuery("é", "q", {"é": 1}, (Expected("é"),))]


def test_no_document_expected_is_to_be_refused_and_what_is_left_out_is_unjudged() -> None:
    refused, unjudged, null = parsed(
        "- {query_id: a, query: A, expected_doc_ids: [], expected_chunk_ids: []}\n"
        "- {query_id: b, query: B, expected_chunk_ids: []}\n"
        "- {query_id: c, query: C, expected_doc_ids: null, must_contain: ~, forbidden: }\n"
    )
    assert refused == GoldenQuery("a", "A", should_refuse=True)
    assert (unjudged.is_unjudged, null.is_unjudged, refused.is_unjudged) == (True, True, False)


def test_json_has_lines_too_and_escapes_of_any_character() -> None:
    text = json.dumps([{"query_id": "a", "query": "😀?"}, {"query_id": "b", "query": 'x"[{,'}], indent=1)
    first, second = parsed(text, "gold.json")
    assert [(one.query, one.line) for one in (first, second)] == [("😀?", 2), ('x"[{,', 6)]


def test_a_byte_order_mark_is_overlooked() -> None:
    assert parse(b"\xef\xbb\xbf" + ENTRY.encode(), "a.yaml") == [GoldenQuery("a", "What?")]


IDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=4).filter(str.strip)
SPANS = st.tuples(st.integers(0, 99), st.integers(1, 99)).map(lambda one: [one[0], one[0] + one[1]])
GRADES = st.integers(1, 9)
CHUNKS = st.one_of(
    IDS,
    st.fixed_dictionaries({"chunk_id": IDS}, optional={"doc_id": IDS, "spans": st.lists(SPANS, min_size=1)}),
    st.fixed_dictionaries({"doc_id": IDS, "quote": IDS}, optional={"grade": GRADES}),
)
ENTRIES = st.fixed_dictionaries(
    {"query_id": IDS, "query": IDS},
    optional={
        "expected_doc_ids": st.lists(IDS | st.fixed_dictionaries({"doc_id": IDS, "grade": GRADES}), max_size=3),
        "expected_chunk_ids": st.lists(CHUNKS, max_size=3),
        "must_contain": st.lists(IDS, max_size=2),
        "forbidden": st.lists(IDS, max_size=2),
    },
)


@settings(deadline=None)
@given(ENTRIES)
def test_a_query_that_is_kept_comes_back_equal(entry: dict[str, Any]) -> None:
    try:
        (query,) = parse(json.dumps([entry]).encode(), "gold.json")
    except BadInput:
        reject()  # something is expected twice, or of a query to be refused
    assert of(json.loads(json.dumps(record(query)))) == query


@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=3))
def test_a_file_is_refused_or_read_the_same_in_yaml_and_json(entries: list[dict[str, Any]]) -> None:
    import yaml

    def outcome(name: str, text: str) -> list[GoldenQuery] | list[str]:
        try:
            return parse(text.encode(), name)
        except BadInput as error:
            return sorted({fault.message.partition(" (line")[0] for fault in error.faults})

    assert outcome("a.json", json.dumps(entries)) == outcome("a.yaml", yaml.safe_dump(entries, allow_unicode=True))


@settings(deadline=None)
@given(st.binary() | st.text().map(str.encode), st.sampled_from(["a.yaml", "a.json"]))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    try:
        told = "" if parse(data, name) else "nothing"
    except BadInput as error:
        told = error.message
    assert not told or (told.startswith(f"{name}:") and "\n" not in told)


def test_topics_without_a_relevant_document_and_queries_to_be_refused_are_kept_apart() -> None:
    nothing, refused = GoldenQuery("a", "a", {}, ()), GoldenQuery("a", "a", should_refuse=True)
    assert [of(record(one)) for one in (nothing, refused)] == [nothing, refused]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"query": "q"}, "run 1: 'query_id' is missing"),
        ({"query_id": "a", "query": "q", "expected_chunk_ids": [{"chunk_id": "c", "spans": [[2, 1]]}]}, "reversed"),
        ({"query_id": "a", "query": "q", "expected_doc_ids": [[[[[[[[[[[[[]]]]]]]]]]]]]}, "nested too deeply"),
    ],
)
def test_a_record_that_is_none_is_refused(kept: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        of(kept, "run 1")


def test_the_digest_is_of_what_is_expected_not_of_order_lines_or_what_a_store_fills_in() -> None:
    one, other = parsed("- {query_id: a, query: A, expected_chunk_ids: [c, d]}\n- {query_id: b, query: B}\n")
    same = parsed("- {query_id: b, query: B}\n\n- {query_id: a, query: A, expected_chunk_ids: [d, {chunk_id: c}]}\n")
    assert digest_of([one, other]) == digest_of(same)
    filled = GoldenQuery("a", "A", None, (Expected("c", "x", ((0, 1),)), Expected("d")))
    assert digest_of([filled, other]) == digest_of(same)


@pytest.mark.parametrize(
    "changed",
    [
        "- {query_id: a, query: B, expected_doc_ids: [x], must_contain: [y]}\n",
        "- {query_id: a, query: A, expected_doc_ids: [z], must_contain: [y]}\n",
        "- {query_id: a, query: A, expected_doc_ids: [{doc_id: x, grade: 2}], must_contain: [y]}\n",
        "- {query_id: a, query: A, expected_doc_ids: [], must_contain: [y]}\n",
        "- {query_id: a, query: A, must_contain: [y]}\n",
        "- {query_id: a, query: A, expected_doc_ids: [x], forbidden: [y]}\n",
        "- {query_id: a, query: A, expected_doc_ids: [x], must_contain: [y], expected_chunk_ids: [c]}\n",
    ],
)
def test_the_digest_changes_with_what_is_expected(changed: str) -> None:
    before = "- {query_id: a, query: A, expected_doc_ids: [x], must_contain: [y]}\n"
    assert digest_of(parsed(before)) != digest_of(parsed(changed))
