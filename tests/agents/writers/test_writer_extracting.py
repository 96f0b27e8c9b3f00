"""Which sentences can stand alone as claims, and which cannot."""

from __future__ import annotations

import pytest

from gitops.agents.writers.document import Sentence
from gitops.agents.writers.extracting import bearing, is_claim, usable
from gitops.agents.writers.passages import read
from tests.agents.writers.drafting import source_of


def sentence(text: str, block: str = "paragraph", ordinal: int = 0) -> Sentence:
    return Sentence(text, text, 0, len(text), "", block, ordinal)


@pytest.mark.parametrize(
    "text",
    [
        "It contains about twice the caffeine of Arabica.",
        "This is the reason why it was dredged in 1987.",
        "However, the harbour was closed in 1990 for good.",
        "There's a big one when it comes to caffeine.",
        "How long does caffeine stay in the body of a man?",
        "The ports of the coast are the following towns:",
        "A blend for the morning that won't shout.",
        "A full stop in the sentence of the morning.",
        "Add the powder to the bowl and stir it well.",
        "Reach for a caffeine-free herbal infusion instead.",
        "We believe that our harbour is the best of all.",
        "As shown above, the tide turns twice a day.",
        "The harbour was dredged in 1987, and so it goes on ...",
        "the harbour was dredged in 1987 to nine metres.",
        "The harbour (dredged in 1987 is nine metres deep.",
        "The harbour was dredged.[^1] It is nine metres deep.",
        "Short claims fail.",
        "The harbour was dredged in 1987\u202e to nine metres.",
        "The harbour was\U000e0041\U000e0042 dredged in 1987 to nine metres.",
        "x" * 30 + " is " + "y" * 500 + ".",
        "The same was true of the coffee in those holds.",
        "All six are the same species and grow in the hills.",
        "Most commercial teas derive from one of these two.",
        "Developed in 1973 to imitate age, it uses wet piling.",
        "(For the cold brew of the house, see the log of the bench.)",
    ],
)
def test_what_leans_on_its_neighbours_or_says_nothing_is_no_claim(text: str) -> None:
    assert not is_claim(sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "Caffeine works by blocking adenosine.",
        "Espresso is made at roughly nine bars of pressure.",
        "L-theanine is an amino acid that is nearly unique to the tea plant.",
        "In 1987 the harbour was dredged to nine metres.",
        "47 mg of caffeine are in a cup of black tea.",
        "Visitors of Morrow see the whole bay from its tower.",
        "Fermented by microbes, dark tea is aged over many years.",
        '"First light is a moment of joy," said the director.',
        "항구는 1987년에 9미터 깊이로 준설되었다.",
        "港は1987年に水深9メートルまで浚渫された。",
        "Der Hafen wurde 1987 auf neun Meter vertieft.",
    ],
)
def test_a_whole_sentence_about_what_it_names_is_one(text: str) -> None:
    assert is_claim(sentence(text), english=text.isascii() and "Hafen" not in text)


def test_a_note_in_a_list_may_begin_small_if_it_has_a_verb() -> None:
    assert is_claim(sentence("coarse grind is what a long steep needs.", "item"))
    assert not is_claim(sentence("coarse grind, long steep, cold water, no stir.", "item"))


def test_german_is_not_read_by_english_words() -> None:
    text = (
        "Die Stadt liegt an der Küste und hat einen Hafen. Der Hafen wurde im Jahr 1987 vertieft. "
        "Das Wasser ist dort neun Meter tief, und die Schiffe sind groß."
    )
    assert len(usable(read(source_of(text), "raw/a.md").sentences)) == 3


def test_of_two_sentences_alike_the_first_is_taken() -> None:
    text = "The harbour was dredged in 1987.\n\nThe quay is old now.\n\nThe harbour was DREDGED in 1987.\n"
    assert [one.start for one in usable(read(source_of(text), "raw/a.md").sentences)] == [0]


def test_figures_weigh_more_than_talk() -> None:
    fact = sentence("The harbour was dredged to nine metres in 1987.")
    talk = sentence("The harbour was dredged to what we call a good depth.")
    assert bearing(fact) > 1 > bearing(talk)
