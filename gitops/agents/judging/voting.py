"""Votes on claims: questions grouped by their source, asked in as few requests as they fit, folded to one vote each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial

from gitops.agents.judging import families, located, parts
from gitops.agents.judging.answers import More
from gitops.agents.judging.fencing import plain
from gitops.agents.judging.planning import Family, Request, Room, plan
from gitops.agents.judging.sections import Divided, divide
from gitops.verify.judge import Question, Vote

Ask = Callable[[Request], list[Vote | More]]
"""A request → a vote for each of its questions, or what the model wants to see first."""
_FOREIGN = 1_200
"""Characters of a cited stretch that does not stand in its source, above which it is sent as a part of it."""
_NO_TEXT = Vote("source_missing", 1.0, "There is no text of the source to look into.", support=0.0, may_gate=True)


@dataclass(frozen=True, slots=True)
class _Group:
    """Questions about one source, by their numbers."""

    divided: Divided
    questions: Mapping[int, Question]


def votes(ask: Ask, questions: Sequence[Question], room: Room, concurrency: int) -> list[Vote]:
    """One vote for each question, in order; equal questions are asked once. Raises what `ask` raises."""
    cleaned = [_cleaned(question) for question in questions]
    numbers = {question: number for number, question in reversed(list(enumerate(cleaned)))}
    groups = _groups(numbers)
    given = _asked(ask, groups, room, concurrency)
    return [given[numbers[question]] if _text(question) else _NO_TEXT for question in cleaned]


def _asked(ask: Ask, groups: Sequence[_Group], room: Room, concurrency: int) -> dict[int, Vote]:
    """The votes by the questions' numbers; where the model wants to see more it is shown that, once."""
    planned = [plan(group.divided, group.questions, room) for group in groups]
    given = _answered(ask, planned, concurrency)
    wanted = {number: _sections(answers) for number, answers in given.items() if _sections(answers)}
    again = [(group, {number: wanted[number] for number in group.questions if number in wanted}) for group in groups]
    second = [
        plan(group.divided, {number: group.questions[number] for number in more}, room, more)
        for group, more in again
        if more
    ]
    given |= _answered(ask, second, concurrency)
    return {number: parts.folded(_votes(answers)) for number, answers in given.items()}


def _answered(ask: Ask, planned: Sequence[Sequence[Family]], concurrency: int) -> dict[int, list[Vote | More]]:
    """All answers to each question, one of each part of its source."""
    every = [family for of_group in planned for family in of_group]
    answers = families.run([[partial(ask, one) for one in family.requests] for family in every], concurrency)
    given: dict[int, list[Vote | More]] = {}
    for family, of_family in zip(every, answers, strict=True):
        for request, found in zip(family.requests, of_family, strict=True):
            for number, vote in zip(request.questions, found, strict=True):
                given.setdefault(number, []).append(vote)
    return given


def _sections(answers: Sequence[Vote | More]) -> frozenset[int]:
    return frozenset(number for answer in answers if isinstance(answer, More) for number in answer.sections)


def _votes(answers: Sequence[Vote | More]) -> list[Vote]:
    return [answer for answer in answers if isinstance(answer, Vote)]


def _groups(numbers: Mapping[Question, int]) -> list[_Group]:
    """The questions by what is looked into, in the order in which each is first asked about; without a text, none."""
    found: dict[tuple[str, str], dict[int, Question]] = {}
    for question, number in sorted(numbers.items(), key=lambda pair: pair[1]):
        if text := _text(question):
            found.setdefault((question.title, text), {})[number] = question
    return [_Group(divide(text), questions) for (_, text), questions in found.items()]


def _text(question: Question) -> str:
    """What is looked into: the source; where there is none, what is known of it."""
    known = next((text for text in (question.source, question.context, question.span) if text.strip()), "")
    if len(question.span) > _FOREIGN and not located.places(known, question.span, question.context):
        return f"{question.span}\n\n{known}"
    return known


def _cleaned(question: Question) -> Question:
    return Question(**{field.name: plain(getattr(question, field.name)) for field in fields(question)})
