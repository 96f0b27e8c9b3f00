from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.retrieval.model import Expected, GoldenQuery, Hit, Result
from gitops.retrieval.trec import qrels, ranking
from gitops.runs.bad_input import BadInput

DATA = Path(__file__).parents[2] / "../shared/data/trec/test"


def scores(data: bytes) -> dict[str, dict[str, float | None]]:
    """What each topic gives each document."""
    found = ranking(data, "run").by_query
    return {topic: {hit.doc_id: hit.score for hit in one.hits} for topic, one in found.items()}


def relevant(data: bytes) -> dict[str, dict[str, int]]:
    return {one.query_id: dict(one.doc_ids or {}) for one in qrels(data, "qrels")}


def refused(data: bytes, is_ranking: bool = False) -> str:
    with pytest.raises(BadInput) as caught:
        ranking(data, "run") if is_ranking else qrels(data, "qrels")
    return caught.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"1 0 a 1\n1 0 b\n", "qrels:2: 3 columns, and 4 are wanted"),
        (b"1 0 a 1\n1 0", "qrels:2: 2 columns, and 4 are wanted"),
        (b"1 0 a 1 x\n", "qrels:1: 5 columns, and 4 are wanted"),
        (b"\n1 0 a 1.5\n", "qrels:2: the grade must be a whole number, not '1.5'"),
        (b"1 0 a x\n", "qrels:1: the grade must be a whole number, not 'x'"),
        (b"1 0 a 1_0\n", "qrels:1: the grade must be a whole number, not '1_0'"),
        ("1 0 a ١\n".encode(), "qrels:1: the grade must be a whole number, not '١'"),
        (b"1 0 a 1" + b"0" * 15, "qrels:1: the grade must be a whole number"),
        (b"1 0 a 1" + b"0" * 5_000, "qrels:1: the grade must be a whole number"),
        (b"1 0 a 1\n1 0 b 0\n1 0 a 2\n", "qrels:3: topic '1' judges the document 'a' twice, 1 and 2"),
        ("1 0 é 1\n1 0 e\u0301 2\n".encode(), "qrels:2: topic '1' judges the document 'é' twice, 1 and 2"),
        (b"1 0 a 1\n\xff 0 b 1\n", "qrels:2: this is not UTF-8"),
        (b"", "qrels:1: it holds no judgement"),
    ],
)
def test_a_line_that_is_no_judgement_is_named(data: bytes, said: str) -> None:
    assert refused(data).startswith(said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"1 Q0 a 1 0.5 t\n1 Q0 b 2 0.4\n", "run:2: 5 columns, and 6 are wanted"),
        (b"1 Q0 a 1 0.5 t\n1 Q", "run:2: 2 columns, and 6 are wanted"),
        (b"1 Q0 a 1 high t\n", "run:1: the score must be a number, not 'high'"),
        (b"1 Q0 a 1 nan t\n", "run:1: the score must be a number, not 'nan'"),
        (b"1 Q0 a 1 1_0 t\n", "run:1: the score must be a number, not '1_0'"),
        (b"1 Q0 a 1 0.5 \xff\n", "run:1: this is not UTF-8"),
        ("1 Q0 a 1 \uff15 t\n".encode(), "run:1: the score must be a number, not '\uff15'"),
    ],
)
def test_a_line_that_ranks_no_document_is_named(data: bytes, said: str) -> None:
    assert refused(data, is_ranking=True) == said


def test_a_topic_expects_the_documents_whose_grade_is_above_0() -> None:
    found = qrels(b"7 0 a 2\n7 0 b 0\n7 0 c -1\n7 0 d 1\n8 0 a 0\n", "qrels")
    assert found == [
        GoldenQuery("7", "7", {"a": 2, "d": 1}, (Expected("a", "a", grade=2), Expected("d", "d"))),
        GoldenQuery("8", "8", {}, ()),
    ]
    assert [(one.line, one.is_unjudged, one.should_refuse) for one in found] == [(1, False, False), (5, False, False)]


def test_a_ranking_is_by_score_then_document_descending_whatever_its_rank_column_says() -> None:
    data = b"7 Q0 a 1 0.5 t\n7 Q0 b 2 0.9 t\n8 Q0 a 1 1 t\n7 Q0 c 3 0.5 t\n7 Q0 d x -inf t\n"
    found = ranking(data, "run")
    assert [(hit.rank, hit.chunk_id, hit.doc_id, hit.score) for hit in found.by_query["7"].hits] == [
        (1, "b", "b", 0.9),
        (2, "c", "c", 0.5),
        (3, "a", "a", 0.5),
        (4, "d", "d", float("-inf")),
    ]
    assert found.by_query["8"] == Result("8", (Hit(1, "a", "a", score=1.0),))
    assert ([one.line for one in found.by_query.values()], found.name, found.has_header) == ([1, 3], "run", False)


def test_scores_that_differ_beyond_single_precision_are_equal() -> None:
    found = ranking(b"7 Q0 a 1 0.50000000002 t\n7 Q0 b 2 0.50000000001 t\n", "run")
    assert [hit.chunk_id for hit in found.by_query["7"].hits] == ["b", "a"]


def test_top_cuts_a_ranking() -> None:
    assert len(ranking(b"7 Q0 a 1 2 t\n7 Q0 b 2 1 t\n", "run", 1).by_query["7"].hits) == 1


def test_of_a_document_that_is_ranked_twice_the_best_score_counts_and_the_others_are_counted() -> None:
    found = ranking("7 Q0 é 1 1 t\n7 Q0 b 2 2 t\n7 Q0 e\u0301 3 3 t\n7 Q0 b 4 0 t\n".encode(), "run")
    assert [(hit.chunk_id, hit.score) for hit in found.by_query["7"].hits] == [("é", 3.0), ("b", 2.0)]
    assert found.by_query["7"].duplicates == 2


def test_topics_that_differ_in_their_normal_form_alone_are_one() -> None:
    assert scores("é Q0 a 1 1 t\ne\u0301 Q0 b 2 2 t\n".encode()) == {"é": {"a": 1.0, "b": 2.0}}


def test_columns_are_parted_by_ascii_white_space_alone_and_what_follows_the_tag_is_overlooked() -> None:
    data = "\ufeff7\tQ0  a\u00a0b\u20281 \t1 1e-3 t more junk\r\n\r\n \n7 Q0 c 1 +2 t".encode()
    assert scores(data) == {"7": {"a\u00a0b\u20281": 0.001, "c": 2.0}}


def test_a_ranking_without_a_line_has_no_topic() -> None:
    assert ranking(b"\n", "run").by_query == {}


@pytest.mark.skipif(not DATA.exists(), reason="trec_eval's test data is not at hand")
@pytest.mark.parametrize(
    ("file", "found"),
    [("results.test", {"301": 500, "302": 500, "303": 500}), ("results.trunc", {"301": 500, "303": 84})],
)
def test_trec_evals_own_files_are_read_whole(file: str, found: dict[str, int]) -> None:
    results = ranking((DATA / file).read_bytes(), file)
    assert {topic: len(one.hits) for topic, one in results.by_query.items()} == found
    golden = qrels((DATA / "qrels.test").read_bytes(), "qrels.test")
    assert {one.query_id: len(one.chunks or ()) for one in golden} == {"301": 474, "302": 77, "303": 10}


IDS = st.text("aé\u0301\u00a0zZ09-_", min_size=1, max_size=3)


@settings(deadline=None)
@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-3, 3), min_size=1), max_size=3))
def test_judgements_that_are_written_are_read_equal(grades: dict[str, dict[str, int]]) -> None:
    from unicodedata import normalize

    plain = {normalize("NFC", t): {normalize("NFC", d): grade for d, grade in ds.items()} for t, ds in grades.items()}
    lines = [f"{topic} 0 {document} {grade}" for topic, ds in plain.items() for document, grade in ds.items()]
    expected = {topic: {d: grade for d, grade in ds.items() if grade > 0} for topic, ds in plain.items()}
    assert relevant("\n".join(["", *lines]).encode()) == expected if lines else refused(b"")


LINES = st.lists(
    st.sampled_from(
        [
            *("1 Q0 {} 1 0.5 t", "1\tQ0 {} 1 -2 t\r", "2 Q0 {} 1 1e-3 t more", " 2 Q0 {} x inf t", "1 Q0 {} 1 -inf t"),
            *("", "1 Q0 {} 1 nan t", "1 Q0 {} 1 1_0 t", "1 Q0 {} 1 0.5", "1 Q0 {} 1 0.5 t\0", "1 Q0 {} 1 x\0 \0"),
        ]
    ),
    max_size=6,
)


@settings(deadline=None)
@given(LINES, st.lists(st.sampled_from(["a", "b", "é", "e\u0301", "x\u00a0y"]), min_size=6, max_size=6), st.booleans())
def test_lines_that_are_parted_at_once_are_read_as_each_alone(lines: list[str], names: list[str], ends: bool) -> None:
    text = "\n".join(line.format(name) for line, name in zip(lines, names, strict=False)) + "\n" * ends
    assert _told(text) == _told(text.replace("\n", "\n\n"))  # a blank line keeps a block from being parted at once


def _told(text: str) -> object:
    try:
        found = ranking(text.encode(), "run")
    except BadInput as error:
        return re.sub(r"^run:\d+: ", "", error.message)
    return {topic: (one.hits, one.duplicates) for topic, one in found.by_query.items()}


def test_a_fault_far_into_a_file_has_its_line() -> None:
    good = [f"{number // 7} Q0 d{number} 1 0.{number} t" for number in range(2_000)]
    assert refused("\n".join([*good, "1 Q0 a 1 high t", *good]).encode(), is_ranking=True).startswith("run:2001: ")
    assert refused("\n".join([*good, "1 Q0 a 1 1 t", "9 Q0"]).encode(), is_ranking=True).startswith("run:2002: ")
    judged = [f"{number // 7} 0 d{number} {number % 3}" for number in range(2_000)]
    assert refused("\n".join([*judged, "0 0 d1 2", *judged]).encode()).startswith("qrels:2001: topic '0' judges")


def test_a_topic_is_read_whole_wherever_its_lines_stand() -> None:
    lines = [f"{number % 3} Q0 d{number} 1 0.{number} t\n" for number in range(3_000)]
    found = ranking("".join([*lines, lines[5]]).encode(), "run").by_query
    assert {topic: (len(one.hits), one.duplicates, one.line) for topic, one in found.items()} == {
        "0": (1000, 0, 1),
        "1": (1000, 0, 2),
        "2": (1000, 1, 3),
    }


@settings(deadline=None)
@given(st.binary() | st.text("01 aQ\n\t.e-_é").map(str.encode), st.booleans())
def test_any_bytes_are_read_or_refused(data: bytes, is_ranking: bool) -> None:
    told = "file:"
    try:
        ranking(data, "file") if is_ranking else qrels(data, "file")
    except BadInput as error:
        told = error.message
    assert told.startswith("file:")
    assert "\n" not in told


@pytest.mark.parametrize("digits", ["\u0661", "\uff11", "1_0"])
def test_numbers_that_c_does_not_read_are_refused(digits: str) -> None:
    with pytest.raises(BadInput, match=r"r\.txt:2: the score must be a number"):
        ranking(f"1 Q0 a 1 1.5 t\n1 Q0 b 1 {digits} t\n".encode(), "r.txt")
    with pytest.raises(BadInput, match=r"q\.txt:2: the grade must be a whole number"):
        qrels(f"1 0 a 1\n1 0 b {digits}\n".encode(), "q.txt")


@pytest.mark.parametrize("space", ["\x1c", "\x1f", "\x85", "\u2003"])
def test_what_is_no_white_space_in_c_is_part_of_an_id(space: str) -> None:
    read = ranking(f"1 Q0 a{space}b 1 1.5 t\n".encode(), "r.txt")
    assert [hit.chunk_id for hit in read.by_query["1"].hits] == [f"a{space}b"]
