"""What is sent of a source: what is cited or shares the claim's words; a line stands in place of all else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.agents.judging import excerpts, located, relevant
from gitops.agents.judging.relevant import Relevance
from gitops.agents.judging.sections import Divided, divide
from gitops.verify.judge import Question

PROJECT = Path(__file__).parents[3]
WICE = PROJECT / "../shared/data/claims/wice-dev.jsonl"
FILLER = "Wheat came by boat along the canal and was carried up to the loft in sacks."
MILLS = "\n\n".join(
    f"## Mill {number}\n\nMill {number} ground {number + 400} tonnes.\n\n" + "\n\n".join([FILLER] * 8)
    for number in range(1, 11)
)
SHOWN = re.compile(r"^¶(\d+) ", re.MULTILINE)
LEFT_OUT = re.compile(r"^\[left out: (.*); ([\d,]+) characters\]$", re.MULTILINE)


def shown(divided: Divided, text: str) -> set[int]:
    return {int(number) - 1 for number in SHOWN.findall(text)}


def pieces(question: Question) -> str:
    divided = divide(question.source)
    return "\n".join(divided.of(index).strip() for index in Relevance(divided).pieces(question))


def test_a_span_that_stands_nowhere_is_not_found() -> None:
    assert located.places(MILLS, "") == located.places(MILLS, "Mill 99 was sold to nobody.") == []


def test_a_span_is_found_as_written_in_other_spaces_and_in_parts() -> None:
    text = "One two\nthree. Four five six. Seven eight nine. Four five six."
    assert located.places(text, "Four five six.") == [(15, 29), (48, 62)]
    assert located.places(text, "Four five six.", "Seven eight nine. Four five six.") == [(48, 62)]
    assert [text[start:end] for start, end in located.places(text, "two three.")] == ["two\nthree."]
    joint = located.places(text, "One two\nthree.\n…\nSeven eight nine.")
    assert [text[start:end] for start, end in joint] == ["One two\nthree.", "Seven eight nine."]


def test_the_cited_place_is_sent_with_what_stands_around_it_and_not_the_rest() -> None:
    sent = pieces(Question("It ground 407 tonnes.", span="Mill 7 ground 407 tonnes.", source=MILLS))
    assert "## Mill 7" in sent
    assert "Mill 6 ground" not in sent
    assert len(sent) < 500


def test_without_a_cited_place_the_rarest_words_lead_there() -> None:
    sent = pieces(Question("As much as 408 tonnes of wheat were ground by Mill 8.", source=MILLS))
    assert "Mill 8 ground 408 tonnes." in sent
    assert len(sent) < len(MILLS) / 2


def test_a_claim_in_another_language_is_shown_all() -> None:
    question = Question("Аист жил на крыше.", source=MILLS)
    assert Relevance(divide(MILLS)).pieces(question) == list(range(len(divide(MILLS).pieces)))


def test_of_a_whole_section_that_is_cited_the_nearest_is_sent() -> None:
    section = "\n\n".join([*[FILLER] * 30, "The loft burnt down in 1911.", *[FILLER] * 30])
    sent = pieces(Question("The loft burnt down in 1912.", span=section, source=f"# A\n\n{section}\n\n# B\n\nNo.\n"))
    assert "burnt down in 1911" in sent
    assert len(sent) <= relevant.LONG + 200


def test_a_short_source_is_sent_whole() -> None:
    divided = divide(MILLS[: excerpts.WHOLE])
    assert excerpts.excerpt(divided, [0]).left_out == frozenset()


@settings(max_examples=100)
@given(st.sets(st.integers(0, len(divide(MILLS).pieces) - 1)))
def test_every_piece_is_sent_or_its_section_and_size_are_told(wanted: set[int]) -> None:
    divided = divide(MILLS)
    made = excerpts.excerpt(divided, wanted)
    sent = shown(divided, made.text)
    assert wanted <= sent
    left = set(range(len(divided.pieces))) - sent
    assert made.left_out == {divided.pieces[index].section for index in left}
    told = LEFT_OUT.findall(made.text)
    size = sum(divided.pieces[index].end - divided.pieces[index].start for index in left)
    assert sum(int(count.replace(",", "")) for _, count in told) == size
    assert {int(number) for names, _ in told for number in re.findall(r"§(\d+)", names)} == made.left_out


def test_a_section_is_named_by_its_title_once_and_not_at_all_where_that_is_the_source_s() -> None:
    divided = divide(MILLS)
    made = excerpts.excerpt(divided, [1, 4], "Mill 2")
    assert made.text.count("'Mill 1'") == 1
    assert "'Mill 2'" not in made.text
    assert "'Mill 9'" in made.text


def test_many_sections_left_out_at_once_are_counted_not_listed() -> None:
    divided = divide("\n\n".join(f"# Heading {number}\n\n{FILLER}" for number in range(60)))
    line = excerpts.excerpt(divided, [0]).text.splitlines()[-1]
    assert "all up to §60 'Heading 59'" in line
    assert len(line) < 600


def test_the_documents_say_how_much_is_sent() -> None:
    told = (PROJECT / "docs/judges.md").read_text("utf-8")
    for characters in (excerpts.WHOLE, relevant.LONG, relevant.SOUGHT):
        assert re.search(rf"\b{characters:,}\b", told)


@pytest.mark.skipif(not WICE.is_file(), reason="the claims are not here")
@pytest.mark.slow
def test_what_readers_found_to_support_a_claim_is_nearly_always_sent() -> None:
    rows = [json.loads(line) for line in WICE.read_text("utf-8").splitlines()]
    cases = [row for row in rows if any(row["supporting_sentences"])]
    assert len(cases) > 300
    assert sum(map(_is_sent, cases)) / len(cases) >= 0.93


def _is_sent(row: dict[str, list[str]]) -> bool:
    """Whether all sentences of one of the sets that support a claim are sent, told by how each begins and ends."""
    sentences = row["source_sentences"]
    question = Question(str(row["claim"]), source="\n".join(sentences))
    divided = divide(question.source)
    text = "\n".join(divided.of(index) for index in sorted(excerpts.sent(divided, Relevance(divided).pieces(question))))
    sets = [[sentences[int(at)].strip() for at in one] for one in row["supporting_sentences"] if one]
    return any(all(one[:60] in text and one[-40:] in text for one in found) for found in sets)
