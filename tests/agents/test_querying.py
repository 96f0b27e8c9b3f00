from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gitops.agents import querying
from gitops.agents.answers import REFUSAL, Answer, Lead, Source
from gitops.errors import UsageError
from gitops.git.failure import FETCH_MORE
from gitops.wiki.chunks import CHUNKER_VERSION
from tests.agents.asked import FALLS, FILES, TIDES, asking, context_of


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES)


def ask(folder: Path, question: str, limit: int = 10) -> Answer:
    return querying.answer(asking(folder, question, limit=limit))


@pytest.mark.parametrize("question", ["", "  ", "?!"])
def test_a_question_without_a_word_is_refused(wiki: Path, question: str) -> None:
    with pytest.raises(UsageError, match="holds no word"):
        ask(wiki, question)


def test_a_preset_that_there_is_not_is_named(wiki: Path) -> None:
    with pytest.raises(UsageError, match="no preset 'nobody'"):
        querying.answer(asking(wiki, "What is a tide?", preset="nobody"))


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("How do penguins breed?", "no page holds a word"),
        ("Why is the sea salt?", "% of what is asked"),
        ("Who measured the tide in 1953?", "says nothing of 1953"),
        ("How many boats does the harbour shelter?", "says nothing of a number"),
        ("Which tide did Charles Babbage measure?", "says nothing of"),
    ],
)
def test_what_the_wiki_does_not_say_is_refused_with_the_reason(wiki: Path, question: str, why: str) -> None:
    found = ask(wiki, question)
    assert (found.said.text, found.said.refused, found.said.grounded) == (REFUSAL, True, False)
    assert why in found.said.reason
    assert (found.said.citations, found.said.topics) == ((), ())


def test_a_source_that_says_what_the_wiki_does_not_is_named(wiki: Path, commit_files: Callable[..., str]) -> None:
    commit_files(wiki, {"raw/boats.md": "# Boats\n\nA boat floats.\n\nThe ferry leaves the quay at 9 o'clock.\n"})
    found = ask(wiki, "When does the ferry leave the quay?")
    assert found.said.refused
    assert found.said.lead is None  # o'clock is no date
    found = ask(wiki, "What leaves the quay?")
    assert found.said.lead == Lead("raw/boats.md", 5, "The ferry leaves the quay at 9 o'clock.")
    assert found.record()["answer"]["in_source"]["line"] == 5


def test_a_refusal_in_a_clone_that_lacks_a_source_says_that_it_was_not_looked_at(
    wiki: Path, git: Callable[..., str]
) -> None:
    blob = git(wiki, "rev-parse", "HEAD:raw/tides.md").strip()
    (wiki / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    asked, told = asking(wiki, "How do penguins breed?"), list[str]()
    found = querying.answer(replace(asked, context=context_of(wiki, told)))
    assert (found.said.refused, found.said.lead) == (True, None)
    assert told == [f"the sources were not searched, for this clone lacks {blob}; {FETCH_MORE}"]


def test_a_wiki_without_pages_says_nothing(make_repository: Callable[..., Path]) -> None:
    folder = make_repository({"assay.toml": FILES["assay.toml"]}, name="empty")
    assert ask(folder, "What is a tide?").said.refused


def test_an_answer_is_the_pages_sentence_with_its_place_and_its_sources(wiki: Path) -> None:
    found = ask(wiki, "How often does the sea fall?")
    [citation] = found.said.citations
    assert found.said.text == "The sea falls twice a day on most coasts."
    assert TIDES[citation.start : citation.end] == found.said.text
    assert (citation.path, citation.line) == ("wiki/tides.md", 4)
    assert citation.sources == (Source("raw/tides.md", "", FALLS),)
    assert found.said.topics == ("tides",)
    assert found.said.grounded


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who measured the tide?", "Ada Lovelace measured the tide in 1843."),
        ("When was the tide measured?", "Ada Lovelace measured the tide in 1843."),
        ("What pulls the water?", "The moon pulls the water towards it."),
        ("What does a harbour shelter?", "A harbour shelters boats at low water."),
    ],
)
def test_the_sentence_that_says_it_is_chosen(wiki: Path, question: str, said: str) -> None:
    assert ask(wiki, question).said.text.split("\n")[0] == said


@pytest.mark.parametrize("question", ["What is ebb?", "What is the ebb", "ebb이란 무엇인가?"])
def test_what_something_is_is_answered_from_the_beginning_of_the_page_that_is_called_so(
    make_repository: Callable[..., Path], question: str
) -> None:
    begins = "The word ebb, which sailors use of water that goes out, is the falling of the sea."
    body = f"# Ebb (tides)\n\n## Overview\n\n{begins}\n\n## Ebb and boats\n\nEbb is feared by sailors.\n"
    others = {
        f"wiki/ebb-{at}.md": f"# Ebb {at}\n\nEbb {at} is an ebb.\n\n| Ebb | Is |\n|-|-|\n| ebb | {at} |\n"
        for at in range(40)
    }
    folder = make_repository({**FILES, **others, "wiki/water/going-out.md": body}, name="ebb")
    found = ask(folder, question)
    assert found.said.text.split("\n")[0] == begins
    assert found.said.citations[0].path == "wiki/water/going-out.md"


def test_indexes_and_lists_of_links_answer_nothing(wiki: Path) -> None:
    found = ask(wiki, "What is the sea that falls twice a day?")
    assert {citation.path for citation in found.said.citations} == {"wiki/tides.md"}


def test_an_item_list_follows_the_sentence_that_leads_in_to_it(wiki: Path, commit_files: Callable[..., str]) -> None:
    commit_files(wiki, {"wiki/causes.md": "# Causes\n\nThe ebb has two causes:\n\n- the moon\n- the sun\n"})
    found = ask(wiki, "What causes has the ebb?")
    assert found.said.text == "The ebb has two causes:\n- the moon\n- the sun"
    assert len(found.said.citations) == 3


def test_kept_answers_are_no_pages_to_answer_from(wiki: Path, commit_files: Callable[..., str]) -> None:
    commit_files(wiki, {"wiki/answers/who.md": "# Who measured the tide?\n\nAda Lovelace measured the tide herself.\n"})
    found = ask(wiki, "Who measured the tide?")
    assert found.said.topics == ("tides",)
    assert not [hit for hit in found.hits if "answers" in hit.path]


def test_the_record_has_what_an_evaluation_of_retrieval_needs(wiki: Path) -> None:
    found = ask(wiki, "Who measured the tide?", limit=2)
    record = found.record()
    [first, *more] = record["hits_top_k"]
    assert len(more) <= 1
    assert {"rank", "chunk_id", "doc_id", "source_spans", "score"} <= first.keys()
    assert first["rank"] == 1
    assert record["config"] == {"preset": "offline", "model": "", "chunker_version": CHUNKER_VERSION}
    answer = record["answer"]
    assert (answer["grounded"], answer["refused"], answer["topics"]) == (True, False, ["tides"])
    chunks = {hit.chunk for hit in ask(wiki, "Who measured the tide?", limit=50).hits}
    assert {citation["chunk_id"] for citation in answer["citations"]} <= chunks


def test_the_same_question_has_the_same_answer(wiki: Path) -> None:
    assert ask(wiki, "Who measured the tide?").record() == ask(wiki, "Who measured the tide?").record()


def test_asking_without_a_model_costs_nothing(wiki: Path) -> None:
    found = querying.estimate(asking(wiki, "Who measured the tide?"))
    assert (found.preset, found.model, found.usage.read) == ("offline", "", 0)
    assert found.found > 0
