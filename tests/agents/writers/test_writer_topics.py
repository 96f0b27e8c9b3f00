"""What a source is about: names and terms that come back, and no common words."""

from __future__ import annotations

from gitops.agents.writers.extracting import usable
from gitops.agents.writers.passages import read
from gitops.agents.writers.phrases import key, mentions, phrase, slug
from gitops.agents.writers.topics import naming, topics
from gitops.wiki.terms import MemoryCorpus
from tests.agents.writers.drafting import source_of

NOBODY = MemoryCorpus([])


def found(text: str) -> list[str]:
    document = read(source_of(text), "raw/a.md")
    return [topic.title for topic in topics(document, usable(document.sentences), NOBODY)]


COMMON = "The time of the day is late there. The day was hot. The time was short that day. Each day has its time.\n" * 3
HARBOUR = """# Work at the coast

Morrow harbour was dredged in 1987 by Ann Bell of Leith. The pilots of Morrow wait for high water at night.
In the spring Ann Bell had the quay of Morrow rebuilt with granite. The lighthouse of Morrow was lit by Ann Bell.
Granite is a hard rock from the hills. Granite was brought to Morrow in barges. The barges with granite came by night.
"""
SHIPS = ("first", "second", "third", "fourth", "fifth")
MORE = "".join(f"\nThe {name} ship was sold in 19{year}.\n" for year, name in enumerate(SHIPS, 20))


def test_common_words_are_no_topics() -> None:
    assert found(COMMON) == []


def test_a_text_without_claims_has_no_topics() -> None:
    assert found("Morrow! Morrow! Morrow?\n") == []


def test_names_and_defined_terms_that_come_back_are() -> None:
    assert sorted(found(HARBOUR + MORE)) == ["Ann Bell", "Granite", "Morrow"]


def test_a_short_source_has_few_topics() -> None:
    assert len(found(HARBOUR)) == 1


def test_a_name_is_called_by_its_whole_form() -> None:
    assert "Bell" not in found(HARBOUR)
    assert "Ann" not in found(HARBOUR)


def test_no_topics_are_guessed_in_scripts_without_spaces() -> None:
    assert found("항구는 1987년에 준설되었다. 항구는 깊다고 한다. 항구는 오래되었다고 한다.\n" * 3) == []


def test_pages_are_found_by_name_in_singular_and_plural_with_and_without_accents() -> None:
    sentences = read(source_of("The Cafés are open. A café was shut. Two cafes burned."), "raw/a.md").sentences
    assert naming({phrase("Cafe"): "wiki/cafe.md"}, sentences) == {"wiki/cafe.md": list(sentences)}
    assert naming({phrase("Tea"): "wiki/tea.md"}, sentences) == {}


def test_names_in_hangul_are_found_with_their_particles() -> None:
    assert mentions("항구는 깊다.", phrase("항구"))
    assert not mentions("The harbour is deep.", phrase("항구"))


def test_keys_fold_what_does_not_tell_words_apart() -> None:
    assert [key(word) for word in ("Teas", "tea's", "berries", "glass", "virus", "Caffè")] == [
        "tea",
        "tea",
        "berry",
        "glass",
        "virus",
        "caffe",
    ]


def test_slugs_are_safe_file_names() -> None:
    assert slug("Caffè Aurora — Spring 2024!") == "caffe-aurora-spring-2024"
    assert slug("항구 이야기") == "항구-이야기"
    assert slug("../../etc/passwd") == "etc-passwd"
    assert slug("!?") == "page"
    assert len(slug("word " * 40)) <= 60
    assert len(slug("항" * 200).encode()) <= 180
