from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.errors import CannotRun
from gitops.verify.judge import Question
from gitops.verify.judgements import Remembered, key_of
from tests.verify.scripted import Scripted, sure

ASKED = [Question("A.", source="A source."), Question("B.", source="A source.")]


class Kept:
    """A cache in memory."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str, str], bytes] = {}

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        return self.held.get((kind, version, key))

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        self.held[kind, version, key] = value


def judge() -> Scripted:
    return Scripted({"A": sure("supports"), "B": sure("does_not_support", "b")})


def test_a_failure_leaves_nothing_behind() -> None:
    cache = Kept()
    with pytest.raises(CannotRun):
        Remembered(Scripted(failure=CannotRun("no key")), cache).votes(ASKED)
    assert cache.held == {}


def test_the_same_asked_again_asks_nothing() -> None:
    cache, first = Kept(), judge()
    votes = Remembered(first, cache).votes(ASKED)
    again = Remembered(second := judge(), cache)
    assert again.votes(ASKED) == votes
    assert (second.asked, again.used.calls) == ([], 0)
    assert [(one.question, one.vote) for one in again.given] == list(zip(ASKED, votes, strict=True))
    assert again.recalled == 2
    again.votes([Question("C.", source="A source.")])
    assert again.recalled == 2


def test_equal_questions_are_asked_once() -> None:
    one = judge()
    assert len(Remembered(one, Kept()).votes([ASKED[0], ASKED[0]])) == 2
    assert len(one.asked) == 1


def test_another_judge_is_asked_itself() -> None:
    cache = Kept()
    Remembered(judge(), cache).votes(ASKED)
    other = replace(judge(), digest="d2")
    Remembered(other, cache).votes(ASKED)
    assert len(other.asked) == 2


def test_a_damaged_entry_is_asked_again() -> None:
    cache = Kept()
    Remembered(judge(), cache).votes(ASKED)
    cache.held = dict.fromkeys(cache.held, b'{"vote":"supports"}')
    one = judge()
    Remembered(one, cache).votes(ASKED)
    assert len(one.asked) == 2


@given(st.sampled_from(["claim", "before", "after", "span", "context", "title", "source"]), st.text(min_size=1))
def test_every_part_of_a_question_is_part_of_its_key(name: str, text: str) -> None:
    asked = Question("A.", "b", "c", "d", "e", "f", "g")
    changed = replace(asked, **{name: getattr(asked, name) + text})
    assert key_of(asked) != key_of(changed)
    assert key_of(asked) == key_of(replace(asked))


def test_a_silent_judge_gives_what_is_kept_and_asks_nothing() -> None:
    cache = Kept()
    known = Remembered(judge(), cache).votes(ASKED[:1])
    silent = Remembered(second := judge(), cache, silent=True)
    first, other = silent.votes(ASKED)
    assert (first, other.vote, other.may_gate) == (known[0], "abstained", False)
    assert (second.asked, silent.still_open(ASKED)) == ([], ASKED[1:])
    assert Remembered(judge(), cache).votes(ASKED)[1].vote == "does_not_support"
