"""Requests put together, votes of parts folded, jobs in families: without a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest

from gitops.agents.judging import families, parts, planning, voting
from gitops.agents.judging.answers import More
from gitops.agents.judging.planning import Request, Room
from gitops.agents.judging.sections import divide
from gitops.verify.judge import Question, Vote

SOURCE = "\n\n".join(f"## Mill {number}\n\nMill {number} ground {number + 400} tonnes." for number in range(1, 60))
ROOM = Room(4_000, 500)


def vote(name: str, confidence: float = 0.9, *lacking: str) -> Vote:
    return Vote(name, confidence, "So.", lacking)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("votes", "folded"),
    [
        ([vote("source_missing"), vote("source_missing", 0.5)], vote("source_missing", 0.9)),
        ([vote("source_missing"), vote("does_not_support", 0.5)], vote("does_not_support", 0.5)),
        ([vote("does_not_support", 0.7), vote("does_not_support", 0.6)], vote("does_not_support", 0.6)),
        ([vote("abstained", 0.1), vote("does_not_support")], vote("abstained", 0.1)),
        ([vote("abstained", 0.1), vote("partially_supports", 0.4)], vote("partially_supports", 0.4)),
        (
            [vote("partially_supports", 0.9, "a", "b"), vote("partially_supports", 0.4, "b")],
            vote("partially_supports", 0.9, "b"),
        ),
        ([vote("does_not_support"), vote("supports", 0.3), vote("partially_supports")], vote("supports", 0.3)),
    ],
)
def test_the_best_vote_of_the_parts_counts(votes: list[Vote], folded: Vote) -> None:
    assert parts.folded(votes) == folded


def test_nothing_to_do_takes_no_thread() -> None:
    assert families.run([], 4) == []
    assert families.run([[], []], 4) == [[], []]


def test_a_failure_is_raised_and_nothing_more_is_begun() -> None:
    begun: list[int] = []

    def job(number: int) -> Callable[[], int]:
        def run() -> int:
            begun.append(number)
            if number == 1:
                raise ValueError(number)
            return number

        return run

    with pytest.raises(ValueError, match="1"):
        families.run([[job(1), job(2)], *([job(number)] for number in range(3, 50))], 1)
    assert 2 not in begun
    assert len(begun) < 50


def test_the_first_of_a_family_goes_alone_and_what_comes_back_is_in_order() -> None:
    lock, under_way, most = threading.Lock(), [0], [0]
    ended: set[tuple[int, int]] = set()

    def job(family: int, at: int) -> Callable[[], tuple[int, int]]:
        def run() -> tuple[int, int]:
            assert at == 0 or (family, 0) in ended
            with lock:
                under_way[0] += 1
                most[0] = max(most[0], under_way[0])
            time.sleep(0.005)
            with lock:
                under_way[0] -= 1
                ended.add((family, at))
            return family, at

        return run

    given = families.run([[job(family, at) for at in range(family)] for family in range(6)], 3)
    assert given == [[(family, at) for at in range(family)] for family in range(6)]
    assert most[0] == 3


def test_questions_are_planned_alike_by_their_numbers() -> None:
    asked = {number: Question(f"Mill {number} ground {number} tonnes.", source=SOURCE) for number in range(1, 30)}
    one = planning.plan(divide(SOURCE), asked, ROOM)
    other = planning.plan(divide(SOURCE), dict(reversed(asked.items())), ROOM)
    assert one == other
    assert sorted(number for family in one for request in family.requests for number in request.questions) == list(
        asked
    )
    for family in one:
        assert len({request.content[0]["text"] for request in family.requests}) == 1
        assert all(len(request.questions) <= planning.TOGETHER for request in family.requests)


@pytest.mark.parametrize("context_tokens", [2_000, 8_000, 200_000])
def test_requests_keep_to_the_context(context_tokens: int) -> None:
    source = "\n\n".join(f"Absatz {number}: Die Mühle mahlte." for number in range(2_000))
    asked = {number: Question(f"Nobody saw kangaroo {number}." * 3, source=source) for number in range(40)}
    for family in planning.plan(divide(source), asked, Room.of(context_tokens)):
        for request in family.requests:
            told = request.system + "".join(block["text"] for block in request.content)
            assert len(told.encode()) / planning.BYTES_PER_TOKEN < context_tokens


def test_a_lead_in_is_sent_and_a_sentence_before_only_where_the_claim_leans_on_it() -> None:
    long = "The mill at the end of the canal ground forty tonnes of wheat in 1905."
    texts = []
    for claim, before in ((long, "None of these are true:"), (long, "It was old."), ("It burnt.", "It was old.")):
        [family] = planning.plan(divide("Text."), {0: Question(claim, before=before, source="Text.")}, ROOM)
        texts.append(family.requests[0].content[1]["text"])
    assert ["before: " in text for text in texts] == [True, False, True]


def test_a_cited_text_that_the_source_does_not_hold_is_shown_beside_the_claim() -> None:
    question = Question("It rose.", span="It had risen by far", source=SOURCE)
    [family] = planning.plan(divide(SOURCE), {0: question}, Room.of(200_000))
    assert "cited text: It had risen by far" in family.requests[0].content[1]["text"]


def test_a_long_cited_text_that_the_source_does_not_hold_is_part_of_what_is_looked_into() -> None:
    foreign = " ".join(f"Word {number}." for number in range(300))
    seen: list[Request] = []

    def ask(request: Request) -> list[Vote | More]:
        seen.append(request)
        return [vote("supports")] * len(request.questions)

    voting.votes(ask, [Question("Word 7.", span=foreign, source=SOURCE)], Room.of(200_000), 1)
    assert "Word 7." in seen[0].content[0]["text"]


def test_every_question_gets_its_own_vote() -> None:
    def ask(request: Request) -> Sequence[Vote | More]:
        return [Vote("supports", 0.5, claim) for claim in request.claims]

    sources = [f"{SOURCE}\n\nNumber {number}." for number in range(5)]
    asked = [Question(f"Claim {number}.", source=sources[number % 5], title=str(number % 5)) for number in range(60)]
    given = voting.votes(ask, asked, ROOM, 4)  # type: ignore[arg-type]
    assert [vote.reason for vote in given] == [question.claim for question in asked]
