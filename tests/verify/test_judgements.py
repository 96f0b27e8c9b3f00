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
        Remembered(Scripted(failure=CannotRun("no key")), cache, "landing").votes(ASKED)
    assert cache.held == {}


def test_the_same_asked_again_asks_nothing() -> None:
    cache, first = Kept(), judge()
    votes = Remembered(first, cache, "landing").votes(ASKED)
    again = Remembered(second := judge(), cache, "landing")
    assert again.votes(ASKED) == votes
    assert (second.asked, again.made, again.used.calls) == ([], [], 0)


def test_equal_questions_are_asked_once() -> None:
    one = judge()
    assert len(Remembered(one, Kept(), "landing").votes([ASKED[0], ASKED[0]])) == 2
    assert len(one.asked) == 1


def test_fresh_asks_again_and_keeps_the_new_answer() -> None:
    cache = Kept()
    Remembered(judge(), cache, "landing").votes(ASKED)
    anew = Remembered(Scripted({"A": sure("source_missing")}), cache, "landing", fresh=True)
    assert [one.vote for one in anew.votes(ASKED[:1])] == ["source_missing"]
    assert [one.vote for one in Remembered(judge(), cache, "landing").votes(ASKED[:1])] == ["source_missing"]


@pytest.mark.parametrize(
    ("purpose", "digest"), [("eval", "d1"), ("landing", "d2")], ids=["another purpose", "another judge"]
)
def test_another_purpose_or_judge_is_asked_itself(purpose: str, digest: str) -> None:
    cache = Kept()
    Remembered(judge(), cache, "landing").votes(ASKED)
    other = replace(judge(), digest=digest)
    Remembered(other, cache, purpose).votes(ASKED)
    assert len(other.asked) == 2


def test_a_damaged_entry_is_asked_again() -> None:
    cache = Kept()
    Remembered(judge(), cache, "landing").votes(ASKED)
    cache.held = dict.fromkeys(cache.held, b'{"vote":"supports"}')
    one = judge()
    Remembered(one, cache, "landing").votes(ASKED)
    assert len(one.asked) == 2


@given(st.sampled_from(["claim", "before", "after", "span", "context", "title", "source"]), st.text(min_size=1))
def test_every_part_of_a_question_is_part_of_its_key(name: str, text: str) -> None:
    asked = Question("A.", "b", "c", "d", "e", "f", "g")
    changed = replace(asked, **{name: getattr(asked, name) + text})
    assert key_of(asked) != key_of(changed)
    assert key_of(asked) == key_of(replace(asked))


def test_what_was_answered_before_a_failure_stays_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitops.verify.judgements.PORTION", 1)
    cache, one = Kept(), judge()

    class Failing(Scripted):
        def votes(self, questions):  # type: ignore[no-untyped-def]
            self.failure = CannotRun("529") if self.calls else None
            return super().votes(questions)

    with pytest.raises(CannotRun):
        Remembered(Failing(one.says), cache, "landing").votes(ASKED)
    Remembered(one, cache, "landing").votes(ASKED)
    assert [asked.claim for asked in one.asked] == ["B."]
