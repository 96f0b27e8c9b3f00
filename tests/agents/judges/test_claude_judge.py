"""The Claude judge where it votes: what is sent, in how many requests, and how answers become votes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.judges.claude import Claude
from gitops.verify.judge import PairQuestion, Question, Vote
from tests.messages_server import Answer, MessagesServer, slow, structured

PIECE = re.compile(r"^¶(\d+) ", re.MULTILINE)
MILL = "# Mill\n\nIn 1905 the mill ground 41 tonnes of wheat.\n\nIt burnt down in 1911.\n"
AskedOf = Callable[[dict[str, Any]], dict[int, str]]


def row(id: int, vote: str = "supports", confidence: float = 0.9, **more: Any) -> dict[str, Any]:
    return {"id": id, "reason": "It says so.", "unsupported": [], "vote": vote, "confidence": confidence, **more}


def long_source(sections: int, sentences: int = 12) -> str:
    """Sections of about 900 characters about mills that differ in one word and one number."""
    filler = "Wheat came by boat along the canal and was carried up to the loft in sacks."
    return "\n\n".join(
        f"## Mill {number}\n\nMill {number} ground {number + 400} tonnes.\n\n" + "\n\n".join([filler] * sentences)
        for number in range(1, sections + 1)
    )


def first_block(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"][0]["text"])


def test_votes_come_back_in_order_with_the_words_that_lack_support(opened: Callable[..., Claude]) -> None:
    rows = [
        row(2, "does_not_support", 0.8, unsupported=["IN  1912", "burnt"]),
        row(1),
        row(3, "abstained", 0.2),
        row(4, "partially_supports", 0.75, unsupported=["‘forty-one’"]),
    ]
    asked = [
        Question("The mill ground 41 tonnes.", source=MILL),
        Question("It burnt down in 1912.", source=MILL),
        Question("It was loud.", source=MILL),
        Question("It ground 'forty-one' tonnes a day.", source=MILL),
    ]

    def script(body: dict[str, Any], number: int) -> Answer:
        at = {claim: id for id, claim in enumerate_claims(body)}
        numbers = {1: at[asked[0].claim], 2: at[asked[1].claim], 3: at[asked[2].claim], 4: at[asked[3].claim]}
        return structured({"votes": [{**one, "id": numbers[one["id"]]} for one in rows]})

    with MessagesServer(script) as server:
        votes = opened(server).votes(asked)
    reason = "It says so."
    assert votes == [
        Vote("supports", 0.9, reason, (), 0.9, may_gate=True),
        Vote("does_not_support", 0.8, reason, ("burnt", "in 1912"), 0.2, may_gate=True),
        Vote("abstained", 0.2, reason, (), None, may_gate=False),
        Vote("partially_supports", 0.75, reason, ("'forty-one'",), 0.25, may_gate=True),
    ]


def enumerate_claims(body: dict[str, Any]) -> list[tuple[int, str]]:
    text = body["messages"][0]["content"][-1]["text"]
    return [(int(id), claim) for id, claim in re.findall(r"^(\d+)(?: \[[^]]*\])? (.*)$", text, re.MULTILINE)]


def test_one_source_is_one_request_and_equal_questions_are_one(
    opened: Callable[..., Claude], voting: Callable[..., Any]
) -> None:
    asked = [Question(f"Claim {number % 3}.", source=MILL, title="Mill") for number in range(6)]
    with MessagesServer(voting()) as server:
        assert len(opened(server).votes(asked)) == 6
        assert len(server.requests) == 1
        assert len(enumerate_claims(server.bodies[0])) == 3


def test_of_one_source_the_first_request_warms_the_cache_for_the_others(
    opened: Callable[..., Claude], voting: Callable[..., Any]
) -> None:
    source = long_source(6)
    asked = [Question(f"Mill 3 ground {number} tonnes.", source=source, title="Mills") for number in range(40)]
    with MessagesServer(lambda body, number: slow(0.2, voting()(body, number))) as server:
        judge = opened(server, concurrency=8)
        judge.votes(asked)
        first, *others = server.requests
        assert len(others) == 2
        assert all(other.at - first.at >= 0.2 for other in others)
        assert server.high_water == 2
        assert {first_block(body) for body in server.bodies} == {first_block(first.body)}
        assert all(body["messages"][0]["content"][0]["cache_control"] for body in server.bodies)
        assert len({json.dumps([body["system"], body["output_config"]]) for body in server.bodies}) == 1
        assert judge.used.cache_read >= judge.used.cache_write > 0


@pytest.mark.parametrize("concurrency", [1, 4])
def test_sources_are_asked_about_at_once_but_no_more_than_so_many(
    opened: Callable[..., Claude], voting: Callable[..., Any], concurrency: int
) -> None:
    asked = [Question("It rose.", title=f"Mill {number}", source=f"It rose {number}.") for number in range(12)]
    with MessagesServer(lambda body, number: slow(0.05, voting()(body, number))) as server:
        opened(server, concurrency=concurrency).votes(asked)
        assert (len(server.requests), server.high_water) == (12, concurrency)


def test_what_is_left_out_is_said_and_can_be_asked_for(opened: Callable[..., Claude]) -> None:
    source = long_source(8)
    asked = [Question("Mill 2 ground 402 tonnes.", span="Mill 2 ground 402 tonnes.", source=source, title="Mills")]

    def script(body: dict[str, Any], number: int) -> Answer:
        text = first_block(body)
        if number == 0:
            assert "Mill 7 ground" not in text
            section = int(re.findall(r"§(\d+) 'Mill 7'", text)[0])
            assert "need_more" in body["system"]
            return structured({"votes": [row(1, "need_more", sections=[section])]})
        assert "Mill 7 ground 407 tonnes." in text
        assert "Mill 2 ground 402 tonnes." in text
        assert "need_more" not in json.dumps(body)
        return structured({"votes": [row(1, "does_not_support", unsupported=["402"])]})

    with MessagesServer(script) as server:
        judge = opened(server)
        assert judge.votes(asked)[0].vote == "does_not_support"
        assert judge.used.calls == 2


def test_a_source_larger_than_the_context_is_sent_in_parts_that_leave_nothing_out(
    opened: Callable[..., Claude], asked_of: AskedOf
) -> None:
    source = "\n\n".join(f"Absatz {number}: Die Mühle mahlte {number} Tonnen." for number in range(400))
    asked = [Question("Nobody ever saw kangaroos nearby.", source=source, title="Mühlen")]
    seen: set[int] = set()

    def script(body: dict[str, Any], number: int) -> Answer:
        seen.update(int(piece) for piece in PIECE.findall(first_block(body)))
        assert "need_more" not in json.dumps(body)
        vote = "supports" if "Absatz 333:" in first_block(body) else "does_not_support"
        return structured({"votes": [row(1, vote, 0.6)]})

    with MessagesServer(script) as server:
        judge = opened(server, context_tokens=4_000, max_tokens=500)
        assert judge.votes(asked) == [Vote("supports", 0.6, "It says so.", (), 0.6, may_gate=True)]
        assert len(server.requests) > 2
        assert all(len(request.raw) / 3.5 < 4_000 for request in server.requests)
    assert seen == set(range(1, max(seen) + 1))
    assert len(seen) >= 400


def test_no_part_supports_means_not_supported_and_as_sure_as_the_least_sure(opened: Callable[..., Claude]) -> None:
    source = "\n\n".join(f"Absatz {number}: Die Mühle mahlte {number} Tonnen." for number in range(400))

    def script(body: dict[str, Any], number: int) -> Answer:
        return structured({"votes": [row(1, "does_not_support", 0.6 if "Absatz 3:" in first_block(body) else 0.9)]})

    with MessagesServer(script) as server:
        judge = opened(server, context_tokens=4_000, max_tokens=500)
        [vote] = judge.votes([Question("Nobody ever saw kangaroos nearby.", source=source)])
    assert (vote.vote, vote.confidence) == ("does_not_support", 0.6)


def test_without_a_text_nothing_is_asked(opened: Callable[..., Claude]) -> None:
    with MessagesServer([]) as server:
        [vote] = opened(server).votes([Question("It rose.", before="Before.", source=" \n")])
        assert (vote.vote, vote.support, server.requests) == ("source_missing", 0.0, [])


def test_who_it_is_follows_from_its_code_its_prompt_and_its_model(opened: Callable[..., Claude]) -> None:
    with MessagesServer([]) as server:
        one, same = opened(server), opened(server)
        other, harder = opened(server, model="claude-opus-5-5"), opened(server, effort="high")
    assert (one.id, one.is_free, one.version) == ("claude", False, "claude-sonnet-5-5/prompt-1")
    assert one.digest == same.digest
    assert len({one.digest, other.digest, harder.digest}) == 3
    assert one.gate("supports") == one.gate("does_not_support") == 0.5
    assert one.gate("abstained") is None


def test_the_same_questions_are_the_same_requests_so_that_recordings_replay(
    opened: Callable[..., Claude], voting: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = [Question(f"Mill {number} ground wheat.", source=long_source(5), title="Mills") for number in range(20)]
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recorded"))
    monkeypatch.setenv("ASSAY_LLM", "record")
    with MessagesServer(voting()) as server:
        first = opened(server).votes(asked)
        monkeypatch.setenv("ASSAY_LLM", "replay")
        before = len(server.requests)
        assert opened(server).votes(asked) == first
        assert len(server.requests) == before > 0


def test_pairs_are_asked_many_at_a_time(opened: Callable[..., Claude]) -> None:
    pairs = [PairQuestion(f"It had {number} teams.", "It had eight teams.", "League") for number in range(30)]

    def script(body: dict[str, Any], number: int) -> Answer:
        found = re.findall(r"^(\d+) \[League\]$", body["messages"][0]["content"][0]["text"], re.MULTILINE)
        votes = ["direct_contradiction", "independent", "abstained"]
        rows = [{"id": int(id), "reason": "So.", "vote": votes[int(id) % 3], "confidence": 0.8} for id in found]
        return structured({"votes": rows})

    with MessagesServer(script) as server:
        given = opened(server).pair_votes([*pairs, pairs[0]])
        assert len(server.requests) == 2
    assert len(given) == 31
    assert given[0] == given[30]
    assert {(vote.vote, vote.contradiction, vote.may_gate) for vote in given} == {
        ("direct_contradiction", 0.8, True),
        ("independent", 0.2, True),
        ("abstained", None, False),
    }
