from __future__ import annotations

import pytest

from gitops.evals.mentions import about, mentions, speaking
from gitops.evals.statements import Stated, Statement
from gitops.evals.topics import Topic
from gitops.wiki.model import Place

TEA = Topic("wiki/tea.md", "Tea", ("tea", "coffea arabica", "차", "茶"))
HERE = Place(0, 1, 1, 1, 1)


@pytest.mark.parametrize(
    "text",
    ["Steam rises.", "The team met.", "Teas differ.", "coffea × arabica", "arabica coffea", "기차가 간다 x", "te a"],
)
def test_parts_of_words_and_words_apart_are_no_mention(text: str) -> None:
    assert not mentions(Topic("wiki/tea.md", "Tea", ("tea", "coffea arabica")), text)


@pytest.mark.parametrize(
    "text",
    [
        "Tea is old.",
        "(TEA)",
        "Coffea-Arabica grows.",
        "coffea\narabica",
        "차를 마신다.",
        "綠茶很好。",
        "iced tea, cold",
    ],
)
def test_whole_words_in_any_script_case_and_joint(text: str) -> None:
    assert mentions(TEA, text)


def said(path: str, *texts: str, settled: str = "") -> Stated:
    return Stated(tuple(Statement(path, text, HERE, settled=settled) for text in texts))


def test_the_topics_own_page_speaks_of_it_throughout_others_where_they_mention_it() -> None:
    texts = ("Tea is drunk hot.", "It comes from China.")
    assert [one.text for one in about(TEA, said("wiki/tea.md", *texts), "wiki/tea.md")] == list(texts)
    assert [one.text for one in about(TEA, said("wiki/cup.md", *texts), "wiki/cup.md")] == [texts[0]]


@pytest.mark.parametrize("settled", ["dated", "struck", "disputed"])
def test_what_is_settled_is_not_about_it_any_more(settled: str) -> None:
    assert about(TEA, said("wiki/tea.md", "Tea is drunk hot.", settled=settled), "wiki/tea.md") == []


def test_pages_are_read_until_there_are_enough_that_mention_it() -> None:
    paths = {f"wiki/p{number}.md" for number in range(100)} | {TEA.path}
    read: list[str] = []

    def reading(path: str) -> Stated:
        read.append(path)
        return said(path, "Tea is drunk hot." if int(path[6:-3]) % 2 else "Cups are warm.")

    found = list(speaking(TEA, paths, reading, 0, 10, 30))
    assert found[0] == TEA.path
    assert len(found) == 10
    assert len(read) <= 30
    assert found == list(speaking(TEA, paths, reading, 0, 10, 30))


def test_no_more_are_read_than_may_be() -> None:
    read: list[str] = []

    def reading(path: str) -> Stated:
        read.append(path)
        return said(path, "Cups are warm.")

    assert list(speaking(TEA, {f"wiki/{at}.md" for at in range(100)}, reading, 0, 10, 30)) == [TEA.path]
    assert len(read) == 30
