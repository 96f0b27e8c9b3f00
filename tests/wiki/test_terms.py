from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from gitops.wiki.terms import STOP_WORDS, MemoryCorpus, mentions, tokens, top_terms

WORDS = st.lists(st.sampled_from(["tarn", "seeing", "plastik", "observatorium", "東京", "ab", "cd", "ef"]), max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a I 1 42 x", []),
        ("The 3rd Tarn, 1,180 particles!", ["the", "3rd", "tarn", "particles"]),
        ("snake_case _emphasis_", ["snake", "case", "emphasis"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("cafe\u0301 CAFÉ", ["café", "café"]),
        ("東京都に行く", ["東京", "京都", "都に", "に行", "行く"]),
        ("GPT4は新しい", ["gpt4", "は新", "新し", "しい"]),
        ("猫", ["猫"]),
        ("서울은 수도이다", ["서울은", "수도이다"]),
        ("２０２４年", ["年"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def sklearn_weights(documents: list[list[str]], which: int) -> dict[str, float]:
    vectorizer = TfidfVectorizer(analyzer=lambda document: document)
    row = vectorizer.fit_transform(documents)[which].tocoo()
    names = vectorizer.get_feature_names_out()
    return {str(names[column]): float(weight) for column, weight in zip(row.col, row.data, strict=True)}


@settings(deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
@pytest.mark.slow
def test_weights_equal_those_of_scikit_learn(documents: list[list[str]], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(documents) - 1))
    if not documents[which]:
        assert top_terms([], MemoryCorpus(documents).frequency, len(documents)) == []
        return
    corpus = MemoryCorpus(documents)
    ours = dict(top_terms(documents[which], corpus.frequency, corpus.documents, n=1000, stopwords=()))
    theirs = sklearn_weights(documents, which)
    assert ours.keys() == theirs.keys()
    for term, weight in theirs.items():
        assert math.isclose(ours[term], weight, abs_tol=1e-9)


def test_stop_words_are_left_out_before_weights_are_normalised() -> None:
    document = tokens("the tarn and the glacier and the moraine")
    kept = [token for token in document if token not in STOP_WORDS]
    corpus = MemoryCorpus([document, tokens("the bus")])
    assert dict(top_terms(document, corpus.frequency, 2)) == pytest.approx(
        dict(top_terms(kept, corpus.frequency, 2, stopwords=()))
    )
    assert {term for term, _ in top_terms(document, corpus.frequency, 2)} == {"tarn", "glacier", "moraine"}


def test_ties_are_broken_by_term_and_n_bounds_the_list() -> None:
    corpus = MemoryCorpus([["beta", "alpha", "delta", "alpha"]])
    assert [term for term, _ in top_terms(["beta", "alpha", "delta", "alpha"], corpus.frequency, 1, n=2)] == [
        "alpha",
        "beta",
    ]


def test_a_term_that_no_document_holds_weighs_most() -> None:
    corpus = MemoryCorpus([["tarn"], ["tarn"], ["tarn"]])
    assert [term for term, _ in top_terms(["tarn", "glacier"], corpus.frequency, 3)] == ["glacier", "tarn"]


def test_a_mention_is_a_whole_word() -> None:
    assert not mentions("art", set(tokens("the party started")))
    assert mentions("art", tokens("Art started"))
