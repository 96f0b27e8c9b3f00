from __future__ import annotations

from collections.abc import Callable

from gitops.verify.judge import Question
from gitops.verify.panel import Panel
from gitops.verify.verifier import Judged
from tests.verify.scripted import Scripted

LONG = "# The mill\n\n" + "\n\n".join(f"Paragraph {number} says little. " * 6 for number in range(20))
SOURCE = f"{LONG}\n\nThe mill employs forty people.\n\n{LONG}\n"


def asked_of(judged: Callable[..., Judged], text: str, source: str = SOURCE, **settings: object) -> list[Question]:
    judge = Scripted()
    judged({"raw/mill-of-1911.md": source}, {"wiki/index.md": text}, panel=Panel((judge,)), **settings)
    return judge.asked


def test_a_quotation_is_the_span_with_what_stands_around_it(judged: Callable[..., Judged]) -> None:
    text = 'Before it. It has forty workers.[^1] After it.\n\n[^1]: raw/mill-of-1911.md, "employs  forty people"\n'
    [question] = asked_of(judged, text)
    assert (question.span, question.title) == ("employs forty people", "The mill")
    assert (question.before, question.after) == ("Before it.", "After it.")
    assert question.source == SOURCE
    assert "The mill employs forty people." in question.context
    assert len(question.context) < 1100
    assert question.context.startswith("Paragraph")


def test_a_source_without_a_heading_is_called_by_its_file(judged: Callable[..., Judged]) -> None:
    text = 'It has forty workers.[^1]\n\n[^1]: raw/mill-of-1911.md, "forty people"\n'
    [question] = asked_of(judged, text, "The mill employs forty people.\n")
    assert question.title == "mill of 1911"


def test_lines_and_quotations_beside_a_citation_are_its_span(judged: Callable[..., Judged]) -> None:
    toml = '[citations]\ndialects = ["footnote_link"]\nrequire = []\n'
    line = SOURCE[: SOURCE.index("The mill employs")].count("\n") + 1
    note = f"[^s1]: [mill](../raw/mill-of-1911.md), lines {line}-{line}\n"
    [question] = asked_of(judged, f"It has forty workers.[^s1]\n\n{note}", toml=toml)
    assert question.span.strip() == "The mill employs forty people."
    said = f'It has "the mill employs forty people" written on it.[^s1]\n\n{note.replace(f", lines {line}-{line}", "")}'
    [question] = asked_of(judged, said, toml=toml)
    assert question.span == "The mill employs forty people"


def test_without_any_place_there_is_no_span_and_the_whole_source(judged: Callable[..., Judged]) -> None:
    text = "It has forty workers.[^1]\n\n[^1]: raw/mill-of-1911.md\n"
    [question] = asked_of(judged, text, toml="[citations]\nrequire = []\n")
    assert (question.span, question.context, question.source) == ("", "", SOURCE)


def test_a_list_s_lead_in_stands_before_its_items_and_nothing_at_the_ends_is_made_up(
    judged: Callable[..., Judged],
) -> None:
    note = '[^1]: raw/mill-of-1911.md, "forty people"\n'
    [question] = asked_of(judged, f"The mill of 1911:\n\n- It has forty workers.[^1] They are paid.\n\n{note}")
    assert (question.before, question.after) == ("The mill of 1911:", "They are paid.")
    [question] = asked_of(judged, f"It has forty workers.[^1] After it.\n\n{note}")
    assert (question.before, question.after) == ("", "After it.")
