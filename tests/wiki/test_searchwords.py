from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki import searchwords


@pytest.mark.parametrize("text", ["", "  ", "---", "?!", "_"])
def test_no_word_is_no_word(text: str) -> None:
    assert searchwords.words(text) == []
    assert searchwords.asked(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Tide's half-life", ["the", "tide", "half", "life"]),
        ("1,180 particles, 3.5 at 1:15", ["1,180", "particles", "3.5", "at", "1:15"]),
        ("ＦＵＬＬ ﬁne Straße", ["full", "fine", "strasse"]),
        ("東京都", ["東京", "京都"]),
        ("水", ["水"]),
        ("캐시를 쓴다", ["캐시", "시를", "쓴다"]),
        ("LLM을 쓰는 GPT4는", ["llm", "을", "쓰는", "gpt4", "는"]),
        ("snake_case", ["snake", "case"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert searchwords.words(text) == words
    assert searchwords.searchable(text) == " ".join(words)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What is the half-life of caffeine?", ["half", "life", "caffeine"]),
        ("Who is it?", ["who", "is", "it"]),
        ("tide tide", ["tide"]),
        ("컨텍스트 압축이란 무엇인가?", ["컨텍", "텍스", "스트", "압축"]),
        ("LLM Lingua는 누가 개발했나?", ["llm", "lingua", "개발"]),
        ("什么是语义缓存？", ["语义", "义缓", "缓存"]),
        ("キャッシュとは何ですか？", ["キャ", "ャッ", "ッシ", "シュ"]),
        ("무엇인가?", ["무엇", "엇인", "인가"]),
    ],
)
def test_what_is_asked_is_left_of_a_question(question: str, asked: list[str]) -> None:
    assert searchwords.asked(question) == asked


@given(st.text())
def test_any_text_that_has_words_asks_for_some(text: str) -> None:
    words = searchwords.words(text)
    asked = searchwords.asked(text)
    assert bool(asked) == bool(words)
    assert len(asked) == len(set(asked))
    assert all(not word.isspace() and word for word in asked)
