"""Hard evidence: what is none, and what is, by kind."""

from __future__ import annotations

import pytest

from gitops.verify.judge import Question, Vote
from gitops.verify.judging.refuting import Refutation
from gitops.verify.judging.sighting import sight


def found(claim: str, span: str, source: str = "") -> list[Refutation]:
    seen = sight(Question(claim, span=span, source=source or span))
    assert not isinstance(seen, Vote)
    return [one for one in seen.refutations() if one.closeness >= 0.6]


def kinds(claim: str, span: str, source: str = "") -> set[str]:
    return {one.kind for one in found(claim, span, source)}


@pytest.mark.parametrize(
    ("claim", "span"),
    [
        ("Waves lose nearly a fifth of their height there.", "There waves lose about 18 % of their height."),
        ("The plant made 1.2 million tonnes of steel.", "The plant made 1,234,567 tonnes of steel."),
        ("The dyke is 20 miles long.", "The dyke is 32.2 kilometres long."),
        ("Steel output fell by 40 %.", "Steel output declined by two fifths."),
        ("Emissions did not rise.", "Emissions fell."),
        ("The bridge was opened by Brunel.", "Brunel opened the bridge."),
        ("The port was not only dredged but widened.", "The port was dredged and widened."),
        ("No fewer than 12 ships sank there.", "At least 12 ships sank there."),
        ("All of the ships sank in the bay.", "Every one of the ships sank in the bay."),
        ("Most ships sank in the bay.", "The majority of ships sank in the bay."),
        ("The mill was bought by Cordwell.", "Cordwell acquired the mill."),
        (
            "Waves lose a fifth of their height in a narrow marsh.",
            "In a marsh 40 metres wide waves lose a fifth of height.",
        ),
        ("The World Health Organization praised the trial.", "The WHO praised the trial."),
    ],
)
def test_a_paraphrase_is_not_refuted(claim: str, span: str) -> None:
    assert kinds(claim, span) == set()


@pytest.mark.parametrize(
    ("claim", "span", "kind"),
    [
        ("The tower is 40 metres high.", "The tower is 30 metres high.", "number"),
        ("Solvent use fell by 60 % there.", "There solvent consumption fell by two fifths.", "number"),
        ("The tower stands 30 miles from the sea.", "The tower stands 30 metres from the sea.", "unit"),
        ("The bridge was opened in 1988.", "The bridge was opened in 1987.", "date"),
        ("The bridge was opened on 3 May 1987.", "The bridge was opened on 4 May 1987.", "date"),
        ("The bridge was opened in June 1987.", "The bridge was opened in May 1987.", "date"),
        ("The bridge was built by Brunel in 1859.", "The bridge was built by Locke in 1859.", "name"),
        ("The breeze clears the fog.", "The breeze does not clear the fog.", "negation"),
        ("The drug was not tested on people.", "The drug was tested on people.", "negation"),
        ("Emissions of the plant rose by 12 tonnes.", "Emissions of the plant fell by 12 tonnes.", "opposite"),
        ("The strike was settled after the election.", "The strike was settled before the election.", "opposite"),
        ("It was the last ship of the line.", "It was the first ship of the line.", "opposite"),
        ("All workers joined the union.", "Some workers joined the union.", "quantifier"),
        ("Workers never joined the old union.", "Workers often joined the old union.", "quantifier"),
        ("The drug cured the patients.", "The drug may have cured the patients.", "hedge"),
    ],
)
def test_one_thing_that_differs_is_told_by_kind(claim: str, span: str, kind: str) -> None:
    assert kind in kinds(claim, span)


def test_what_is_said_and_what_stands_in_its_place_are_told_as_written() -> None:
    [one] = found("The tower is 40 metres high.", "It was repaired. The tower is 30 metres high.")
    assert (one.said, one.found, one.line.strip()) == ("40 metres", "30 metres", "The tower is 30 metres high.")


def test_a_number_that_the_source_has_elsewhere_refutes_nothing() -> None:
    span = "The tower is 30 metres high."
    assert kinds("The tower is 40 metres high.", span, f"{span} With its mast the tower is 40 metres high.") == set()


def test_names_that_stand_in_one_sentence_may_be_of_one_person() -> None:
    span = "It reignites his rivalry with a wealthy Daniel, who struggles."
    claim = "It reignites his rivalry with a wealthy LaRusso, who struggles."
    assert kinds(claim, span) == {"name"}
    assert kinds(claim, span, f"{span} It was Daniel LaRusso who won.") == set()


def test_another_sentence_that_says_the_very_thing_affirms_it() -> None:
    refuting, affirming = "The breeze did not clear the fog at noon.", "The breeze cleared the fog at noon."
    assert kinds("The breeze cleared the fog at noon.", refuting) == {"negation"}
    assert kinds("The breeze cleared the fog at noon.", refuting, f"{refuting} {affirming}") == set()


def test_a_claim_whose_words_the_source_lacks_is_absent_from_it() -> None:
    source = "The harbour was dredged in 1994, and the dredger was sold to the council of the town."
    claim = "In winter the emperor penguins migrate across the frozen sea to breed on stable ice."
    assert kinds(claim, source) == {"absent"}
    assert kinds("Penguins migrate.", source) == set()  # too little to tell
