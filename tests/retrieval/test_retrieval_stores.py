from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.retrieval.golden import digest_of
from gitops.retrieval.model import Answer, Chunk, Cited, Expected, GoldenQuery, Hit, Result, Results
from gitops.retrieval.stores import Store, located, read, resolved, unknown_documents
from gitops.runs.bad_input import BadInput

STORE = Store.of([Chunk("c1", "a", ((0, 10),)), Chunk("c2", "a", ((20, 30), (40, 50))), Chunk("c3"), Chunk("c4", "b")])
TEXT = "The lintel is of oak. It is twelve\nmetres long. It is of oak, and nothing else is of oak."


def file(*values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def windows(*spans: tuple[int, int], text: str = TEXT) -> Store:
    """A document `a` cut at these places."""
    chunks = [Chunk(f"w{at}", "a", (span,)) for at, span in enumerate(spans)]
    return Store.of(chunks, {f"w{at}": text[start:end] for at, (start, end) in enumerate(spans)})


def expecting(*chunks: Expected) -> list[GoldenQuery]:
    return [GoldenQuery("q", "What?", None, chunks, line=2)]


def refused(store: Store, *chunks: Expected) -> str:
    with pytest.raises(BadInput) as caught:
        located(expecting(*chunks), store, "gold.yaml")
    return caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "store.jsonl:1: it holds no chunk"),
        (file({"chunker_version": "1"}), "store.jsonl:1: it holds no chunk"),
        (file({"doc_id": "x", "text": "y"}, {"chunk_id": "a"}), "store.jsonl:1: 'chunk_id' is missing"),
        (file({"chunk_id": "a"}, {"doc_id": "x"}), "store.jsonl:2: 'chunk_id' is missing"),
        (file({"chunk_id": "a"}, {"chunk_id": "a", "doc_id": "x"}), "store.jsonl:2: a second chunk 'a', with another"),
        (file({"chunk_id": "a", "text": "x"}, {"chunk_id": "a", "text": "y"}), "store.jsonl:2: a second chunk 'a'"),
        (file({"chunk_id": "é", "text": "x"}, {"chunk_id": "e\u0301", "text": "y"}), "store.jsonl:2: a second chunk"),
        (file({"chunk_id": "a", "spans": [[2, 2]]}), "store.jsonl:1: the span [2, 2] is empty"),
        (file({"chunk_id": "a", "text": 1}), "store.jsonl:1: 'text' must be text, not 1"),
        (file({"chunk_id": "a"})[:-4], "store.jsonl:1: the file is cut in the middle of this line"),
    ],
)
def test_a_chunk_that_cannot_be_taken_is_named(data: bytes, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(data, "store.jsonl")
    assert caught.value.message.startswith(said)


def test_a_store_has_chunks_by_id_and_document_and_their_texts() -> None:
    one = {"chunk_id": "a", "doc_id": "x", "source_spans": [[0, 5]], "text": "Hello"}
    store = read(file({"chunker_version": "1"}, one, {"chunk_id": "b", "doc_id": "x", "spans": [[5, 9]]}, one), "s")
    assert store.chunks == {"a": Chunk("a", "x", ((0, 5),)), "b": Chunk("b", "x", ((5, 9),))}
    assert (list(store.by_document), store.texts) == (["x"], {"a": "Hello"})


def test_the_digest_of_a_store_is_of_its_chunks_not_of_their_order() -> None:
    one, other, moved = Chunk("a", "x"), Chunk("b", "x"), Chunk("b", "x", ((0, 1),))
    assert Store.of([one, other]).digest == Store.of([other, one]).digest != Store.of([one, moved]).digest


@pytest.mark.parametrize(
    ("cited", "is_there"),
    [
        (Cited("c1"), True),
        (Cited("c9"), False),
        (Cited("c9", "a"), False),
        (Cited(doc_id="a"), True),
        (Cited(doc_id="z"), False),
        (Cited(doc_id="a", spans=((5, 15),)), True),
        (Cited(doc_id="a", spans=((0, 1), (45, 60))), True),
        (Cited(doc_id="a", spans=((0, 1), (60, 70))), False),
        (Cited(doc_id="a", spans=((10, 20),)), False),
        (Cited(doc_id="b", spans=((0, 1),)), False),
        (Cited(), False),
    ],
)
def test_a_citation_resolves_by_its_chunk_or_by_document_and_spans(cited: Cited, is_there: bool) -> None:
    assert STORE.resolves(cited) is is_there


def test_what_came_of_citations_is_told_in_the_results() -> None:
    answer = Answer("x", (Cited("c1"), Cited("c9", resolves=True)), True)
    results = Results("r", {"q": Result("q", answer=answer), "p": Result("p")})
    found = resolved(results, STORE).by_query
    assert found["q"].answer == Answer("x", (Cited("c1", resolves=True), Cited("c9", resolves=False)), True)
    assert found["p"] == Result("p")


def test_hits_that_do_not_say_where_they_lie_take_it_from_their_chunks_and_that_is_told() -> None:
    chunks = Store.of([Chunk("c1", "a", ((0, 9),)), Chunk("c2", "b"), Chunk("c3", "c", ((5, 7),))])
    bare = (Hit(1, "c1"), Hit(2, "c2"), Hit(3, "c3", "c", ((5, 6),)), Hit(4, "c3", "another"), Hit(5, "c9"))
    found = resolved(Results("r", {"q": Result("q", bare)}), chunks)
    assert found.by_query["q"].hits == (Hit(1, "c1", "a", ((0, 9),)), Hit(2, "c2", "b"), *bare[2:])
    assert found.remarks == ("hits of which the chunks tell the document or the spans, as they do not: 2",)
    assert resolved(found, chunks) == found, "what is filled in once stays"


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (Expected("c9", line=7), "gold.yaml:7: the expected chunk 'c9' is not in the store"),
        (Expected("c11", line=7), "gold.yaml:7: the expected chunk 'c11' is not in the store; did you mean c1"),
        (Expected("c9"), "gold.yaml:2: the expected chunk 'c9' is not in the store"),
        (Expected("c1", "b", line=7), "gold.yaml:7: the expected chunk 'c1' is of 'a', not of 'b' (query 'q')"),
        (Expected(doc_id="z", quote="oak", line=7), "gold.yaml:7: the document 'z', which is quoted, has no chunk"),
        (Expected(doc_id="a", quote="oak", line=7), "gold.yaml:7: the store has no text in which the quotation 'oak'"),
    ],
)
def test_an_expected_chunk_that_is_not_there_is_told_with_its_line(expected: Expected, said: str) -> None:
    assert refused(STORE, expected).startswith(said)


def test_every_expected_chunk_that_is_not_there_is_told() -> None:
    with pytest.raises(BadInput) as caught:
        located(expecting(Expected("x", line=3), Expected("c1"), Expected("y", line=5)), STORE, "gold.yaml")
    assert [fault.line for fault in caught.value.faults] == [3, 5]


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("of elm", "the quotation 'of elm' stands in no chunk of 'a'"),
        ("THE LINTEL", "stands in no chunk"),
        ("is of oak", "the quotation 'is of oak' stands at more than one place of 'a': quote more"),
        ("twelve metres long. It is of oak", "stands in no chunk"),
    ],
)
def test_a_quotation_that_leads_to_no_one_chunk_is_refused(quote: str, said: str) -> None:
    assert said in refused(windows((0, 22), (22, 48), (48, len(TEXT))), Expected(doc_id="a", quote=quote))


def test_a_quotation_that_two_overlapping_chunks_hold_at_two_places_is_refused() -> None:
    store = windows((0, 40), (30, len(TEXT)))
    assert "more than one place" in refused(store, Expected(doc_id="a", quote="It is"))


def test_what_the_golden_file_leaves_out_is_filled_in_and_what_it_says_stays() -> None:
    (query,) = located(expecting(Expected("c1"), Expected("c2", spans=((1, 2),)), Expected("c3")), STORE, "g")
    assert query.chunks == (Expected("c1", "a", ((0, 10),)), Expected("c2", "a", ((1, 2),)), Expected("c3"))


@pytest.mark.parametrize("quote", ["is twelve metres long.", "is  twelve\tmetres"])
def test_a_quotation_becomes_the_chunk_in_which_it_stands(quote: str) -> None:
    (query,) = located(expecting(Expected(doc_id="a", quote=quote, grade=2)), windows((0, 22), (22, 48)), "g")
    assert query.chunks == (Expected("w1", "a", ((22, 48),), quote, 2),)


def test_a_quotation_is_found_whatever_its_normal_form() -> None:
    (query,) = located(expecting(Expected(doc_id="a", quote="é")), windows((0, 2), text="e\u0301"), "g")
    assert [chunk.chunk_id for chunk in query.chunks or ()] == ["w0"]


def test_of_overlapping_chunks_that_share_a_quotation_the_first_is_expected() -> None:
    store = windows((30, 80), (10, 60), (20, 70))
    (query,) = located(expecting(Expected(doc_id="a", quote="metres long")), store, "g")
    assert [chunk.chunk_id for chunk in query.chunks or ()] == ["w1"]


def test_where_a_text_is_not_all_of_its_span_it_is_enough_that_the_spans_meet() -> None:
    chunks = [Chunk("x", "a", ((0, 50),)), Chunk("y", "a", ((40, 90),))]
    (query,) = located(expecting(Expected(doc_id="a", quote="oak")), Store.of(chunks, {"x": "oak", "y": "oak"}), "g")
    assert [chunk.chunk_id for chunk in query.chunks or ()] == ["x"]


def test_two_quotations_from_one_chunk_are_one_and_part_again_in_another_store() -> None:
    gold = expecting(Expected(doc_id="a", quote="The lintel"), Expected(doc_id="a", quote="metres long", grade=3))
    whole = located(gold, windows((0, len(TEXT))), "g")
    assert whole[0].chunks == (Expected("w0", "a", ((0, len(TEXT)),), "The lintel\nmetres long", 3),)
    halves = located(whole, windows((0, 22), (22, len(TEXT))), "g")
    assert [(one.chunk_id, one.quote) for one in halves[0].chunks or ()] == [
        ("w0", "The lintel"),
        ("w1", "metres long"),
    ]


def test_one_golden_file_has_one_digest_whatever_store_it_is_looked_up_in() -> None:
    gold = expecting(Expected(doc_id="a", quote="The lintel"), Expected(doc_id="a", quote="metres long"))
    whole, halves = (located(gold, windows(*spans), "g") for spans in ([(0, 90)], [(0, 22), (22, 90)]))
    assert digest_of(gold) == digest_of(whole) == digest_of(halves)


def test_queries_that_expect_no_chunk_stay_as_they_are() -> None:
    queries = [
        GoldenQuery("a", "A", {"d": 1}),
        GoldenQuery("b", "B", {}, ()),
        GoldenQuery("c", "C", should_refuse=True),
    ]
    assert located(queries, STORE, "g") == queries


@settings(deadline=None)
@given(
    st.binary()
    | st.lists(
        st.dictionaries(
            st.sampled_from(["chunk_id", "doc_id", "spans", "text"]),
            st.text(max_size=2) | st.integers(-1, 2) | st.lists(st.lists(st.integers(-1, 3), max_size=3), max_size=2),
        ),
        max_size=3,
    ).map(lambda values: file(*values))
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        store = read(data, "s.jsonl")
    except BadInput as error:
        store, told = Store.of([]), error.message
    else:
        told = "s.jsonl:"
    assert told.startswith("s.jsonl:")
    assert "\n" not in told
    assert all(store.resolves(Cited(chunk_id)) for chunk_id in store.chunks)


def test_a_chunk_that_is_not_there_has_the_option_for_another_chunkers_ids_as_its_mend() -> None:
    with pytest.raises(BadInput) as caught:
        located(expecting(Expected("c9")), STORE, "gold.yaml")
    assert "--other-chunker" in caught.value.hint


def test_ids_of_another_chunker_stay_as_they_are_and_quotations_are_looked_up() -> None:
    ids = Expected("c9", "a", ((0, 4),)), Expected("w0", "b")
    quoted = Expected(doc_id="a", quote="twelve metres")
    (query,) = located(expecting(*ids, quoted), windows((0, 22), (22, 48)), "g", other_chunker=True)
    assert query.chunks == (*ids, Expected("w1", "a", ((22, 48),), quote="twelve metres"))


def test_a_quotation_that_stands_nowhere_is_refused_whoever_the_ids_are_of() -> None:
    with pytest.raises(BadInput, match=r"g:2: .*stands in no chunk"):
        located(expecting(Expected(doc_id="a", quote="thirteen")), windows((0, 22)), "g", other_chunker=True)


def test_expected_documents_that_the_store_lacks_are_told_with_the_first_line() -> None:
    golden = [
        GoldenQuery("known", "?", {"a": 1, "never": 0}, line=2),
        GoldenQuery("typo", "?", {"aa": 1, "a": 1}, line=5),
        GoldenQuery("chunk", "?", chunks=(Expected("old", "gone"), Expected("older", "gone")), line=4),
        GoldenQuery("refuse", "?", should_refuse=True, line=1),
    ]
    told = "expected documents that there is no chunk of: 2 (aa, gone), in queries: 2 (typo, chunk)"
    assert list(unknown_documents(golden, STORE, "gold.yaml")) == [f"gold.yaml:4: {told}"]


def test_a_store_that_tells_no_document_lacks_none() -> None:
    golden = [GoldenQuery("typo", "?", {"aa": 1}, line=5)]
    assert list(unknown_documents(golden, Store.of([Chunk("c1")]), "gold.yaml")) == []
