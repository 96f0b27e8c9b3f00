"""A run whose judge needs a model, where the model, the network or the purse fails: never a verdict, nothing lost."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.cli import judged
from tests.cli.judged import Mills, claims_of, mills_of, row, votes
from tests.messages_server import Answer, MessagesServer, drop, error, raw, slow, structured, text

pytestmark = pytest.mark.slow

KEPT = "refs/assay/kept"


@pytest.fixture
def mills(
    assay: Callable[..., Any], make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Mills]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    return judged.maker(assay, make_repository)


def every(answer: Answer) -> Callable[[dict[str, Any], int], Answer]:
    return lambda body, number: answer


def rows(*votes_given: dict[str, Any]) -> Answer:
    return structured({"votes": list(votes_given)})


UNANSWERED: dict[str, tuple[Answer, str, int]] = {
    "wrong key": (error(401, message="invalid x-api-key"), "ANTHROPIC_API_KEY", 0),
    "rate limit": (error(429, message="slow down"), "429", 0),
    "overloaded": (error(529), "529", 0),
    "server error": (error(500, message="boom"), "500", 0),
    "too slow": (slow(3, text("late")), "in time", 0),
    "dropped": (drop(), "connection", 0),
    "not JSON": (raw(b"<html>busy</html>"), "not a message", 1),
    "refusal": (text("I would rather not.", "refusal"), "declin", 1),
    "cut off": (text('{"votes": [', "max_tokens"), "max_tokens", 1),
    "no JSON in it": (text("They all look fine to me."), "answered twice", 2),
    "no vote": (rows(), "no vote for id 1", 2),
    "extra vote": (rows(row(1), row(2)), "a vote for id 2, which nobody asked about", 2),
    "two votes": (rows(row(1), row(1)), "id 1 has two votes", 2),
    "unknown vote": (rows(row(1, "commit")), "vote", 2),
    "confidence 2": (rows(row(1, confidence=2.0)), "confidence", 2),
    "further key": (rows(row(1) | {"land": True}), "land", 2),
    "foreign words": (rows(row(1, "does_not_support") | {"unsupported": ["wheat"]}), "does not stand in", 2),
}
"""What is answered, what is told, and how many answers are paid for."""


@pytest.mark.parametrize(("answer", "told", "paid"), UNANSWERED.values(), ids=list(UNANSWERED))
def test_without_a_valid_vote_there_is_no_verdict_and_the_run_waits(
    mills: Callable[..., Mills],
    refused: Callable[..., None],
    answer: Answer,
    told: str,
    paid: int,
) -> None:
    with MessagesServer(every(answer)) as server:
        wiki = mills(server, timeout_s=0.4)
        run, main = wiki.run(0), wiki.git("rev-parse", "main")
        refused(wiki.finish(run), 3, told)
        stands = wiki.show(run)
        assert (stands["status"], wiki.git("rev-parse", "main")) == ("pending", main)
        assert not wiki.git("for-each-ref", "refs/notes/assay/verdicts", "refs/assay/candidate", KEPT)
        spent = stands["spent"].get("verifier", {"output": 0.0, "input": 0.0})
        was_sent = paid > 0 or answer in (UNANSWERED["too slow"][0], UNANSWERED["dropped"][0])
        assert (spent["input"] > 0) == was_sent  # what was read and not answered is reckoned by its bytes
        assert (sum(call["tokens_out"] > 0 for call in wiki.log()), spent["output"] > 0) == (paid, paid > 0)
        assert spent["output"] == sum(call["tokens_out"] for call in wiki.log())


def test_a_failed_run_can_be_finished_once_the_model_answers(mills: Callable[..., Mills]) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        return votes()(body, number) if number else error(529)

    with MessagesServer(script) as server:
        wiki = mills(server)
        run = wiki.run(0)
        assert (wiki.finish(run).code, wiki.finish(run).code) == (3, 0)
        assert wiki.show(run)["status"] == "committed"


def test_no_key_asks_nothing_and_says_so_as_json_too(
    mills: Callable[..., Mills], refused: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with MessagesServer([]) as server:
        wiki = mills(server)
        run = wiki.run(0)
        done = wiki.finish(run, "--json")
        refused(done, 3, "ANTHROPIC_API_KEY holds no key")
        told = json.loads(done.out)
        assert (told["result"], told["run_id"], told["status"]) == ("no_verdict", run, "pending")
        assert "ANTHROPIC_API_KEY" in told["error"]


def test_off_forbids_any_call(
    mills: Callable[..., Mills], refused: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with MessagesServer([]) as server:
        monkeypatch.setenv("ASSAY_LLM", "off")
        wiki = mills(server)
        refused(wiki.finish(wiki.run(0)), 3, "ASSAY_LLM=off")


def test_verify_and_judge_fail_alike(
    mills: Callable[..., Mills], assay: Callable[..., Any], refused: Callable[..., None]
) -> None:
    line = json.dumps({"id": 1, "claim": judged.claim(0), "source_text": judged.source(0)}).encode()
    with MessagesServer(every(error(529))) as server:
        wiki = mills(server)
        run = wiki.run(0)
        for words in (["verify", f"run/{run}"], ["judge", "--judge", "claude"]):
            done = assay(wiki.folder, *words, stdin=line)
            refused(done, 3, "answered 529")
            assert done.out == ""


def test_a_rate_limit_is_waited_out_for_as_long_as_the_server_says(mills: Callable[..., Mills]) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        limited = error(429, message="slow down", headers={"retry-after": "1"})
        return limited if number == 0 else votes()(body, number)

    with MessagesServer(script) as server:
        wiki = mills(server, max_retries=2)
        assert wiki.finish(wiki.run(0)).code == 0
        first, second = (request.at for request in server.requests)
        assert 1.0 <= second - first < 2.5


def test_one_failure_among_many_does_not_ask_the_answered_again(
    mills: Callable[..., Mills], refused: Callable[..., None]
) -> None:
    fails = threading.Event()
    fails.set()

    def script(body: dict[str, Any], number: int) -> Answer:
        if fails.is_set() and "Mill 09" in str(claims_of(body)):
            return slow(0.3, error(500, message="boom"))
        return votes()(body, number)

    with MessagesServer(script) as server:
        wiki = mills(server, count=10, concurrency=4)
        run = wiki.run(*range(10))
        refused(wiki.finish(run), 3, "boom")
        fails.clear()
        before = len(server.requests)
        assert before == 10
        assert wiki.finish(run).code == 0
        assert mills_of(server, before) == ["Mill 09"]
        assert len(wiki.judgements()) == 10
        assert wiki.show(run)["spent"]["verifier"]["calls"] == 10.0


def test_judge_keeps_what_was_answered_before_a_failure(
    mills: Callable[..., Mills], assay: Callable[..., Any], refused: Callable[..., None]
) -> None:
    fails = threading.Event()
    fails.set()

    def script(body: dict[str, Any], number: int) -> Answer:
        if fails.is_set() and "Mill 05" in str(claims_of(body)):
            return slow(0.3, error(500, message="boom"))
        return votes()(body, number)

    asked = [{"id": n, "claim": judged.claim(n), "source_text": judged.source(n)} for n in range(6)]
    lines = "".join(json.dumps(one) + "\n" for one in asked).encode()
    with MessagesServer(script) as server:
        wiki = mills(server)
        refused(assay(wiki.folder, "-q", "judge", "--judge", "claude", "--json", stdin=lines), 3, "boom")
        fails.clear()
        done = assay(wiki.folder, "judge", "--judge", "claude", "--json", stdin=lines)
        assert [json.loads(line)["vote"] for line in done.out.splitlines()] == ["supports"] * 6
        assert mills_of(server, 6) == ["Mill 05"]
        assert assay(wiki.folder, "judge", "--judge", "claude", stdin=lines).code == 0
        assert len(server.requests) == 7
        assert assay(wiki.folder, "judge", "--fresh", "--judge", "claude", stdin=lines).code == 0
        assert len(server.requests) == 13


def test_a_budget_that_runs_out_can_be_got_past_in_another_run(
    mills: Callable[..., Mills], assay: Callable[..., Any], refused: Callable[..., None]
) -> None:
    """Nothing lands, the pages are kept, and the answers that were paid for are not paid for again."""
    bound = "[llm.budgets.cascade]\ninput_tokens = 5_000\n[llm.budgets]\nverifier_budget_multiplier = 1.0\n"
    with MessagesServer(votes()) as server:
        wiki = mills(server, count=12, policy=bound, concurrency=1)
        run, main = wiki.run(*range(12)), wiki.git("rev-parse", "main")
        head = wiki.git("rev-parse", f"run/{run}")
        done = wiki.finish(run, "--json")
        refused(done, 3, "is abandoned, its content is kept", f"git assay run start --from {run}")
        told = json.loads(done.out)
        assert (told["result"], told["run_id"], told["status"]) == ("abandoned", run, "abandoned")
        assert wiki.git("rev-parse", "main", f"{KEPT}/{run}^2").split() == [main, head]
        answered = len(server.requests)
        assert 2 < answered < 12
        spent = wiki.show(run)["spent"]
        assert (list(spent), spent["verifier"]["calls"]) == (["verifier"], float(answered))
        again = assay(wiki.folder, "run", "start", "--from", run).out.strip()
        assert wiki.finish(again).code == 0
        asked = mills_of(server)
        assert asked == sorted(set(asked))
        assert len(asked) == 12
        assert wiki.show(again)["spent"]["verifier"]["calls"] == float(12 - answered)
        assert len(wiki.judgements()) == 12


def test_a_budget_holds_for_all_attempts_of_a_run_together(
    mills: Callable[..., Mills], refused: Callable[..., None]
) -> None:
    """What an attempt has spent that came to no verdict is spent."""
    bound = "[llm.budgets.cascade]\noutput_tokens = 400\n[llm.budgets]\nverifier_budget_multiplier = 1.0\n"
    with MessagesServer(every(text("I vote for all of it. " * 5))) as server:
        wiki = mills(server, policy=bound)
        run = wiki.run(0)
        codes: list[int] = []
        while wiki.show(run)["status"] == "pending" and len(codes) < 9:
            codes.append(wiki.finish(run).code)
        assert (wiki.show(run)["status"], set(codes)) == ("abandoned", {3})
        assert wiki.show(run)["spent"]["verifier"]["output"] < 400 + 2 * 55  # this server writes on beyond its bound


def waiting(server: MessagesServer, requests: int) -> None:
    end = time.monotonic() + 30
    while len(server.requests) < requests:
        assert time.monotonic() < end, f"{len(server.requests)} of {requests} requests came"
        time.sleep(0.02)


def test_what_was_answered_before_a_kill_is_not_asked_again(mills: Callable[..., Mills]) -> None:
    """Killed with answers under way: what had come is kept, the rest is asked by the next finish."""
    killed = threading.Event()

    def script(body: dict[str, Any], number: int) -> Answer:
        return votes()(body, number) if killed.is_set() or number < 6 else slow(20, votes()(body, number))

    with MessagesServer(script) as server:
        wiki = mills(server, count=8, concurrency=2)
        run, main = wiki.run(*range(8)), wiki.git("rev-parse", "main")
        process = wiki.started("run", "finish", run)
        waiting(server, 8)
        process.kill()
        process.communicate(timeout=10)
        under_way = mills_of(server, 6)  # with two at a time it is not said which these are
        killed.set()
        assert wiki.git("rev-parse", "main") == main
        done = wiki.finish(run)
        assert done.code == 0, done.err
        assert len(under_way) == 2
        assert mills_of(server, 8) == under_way
        assert len(wiki.judgements()) == 8
        calls = [call for call in wiki.log() if call["tokens_out"]]
        assert len(calls) == 8


def test_an_interrupt_ends_at_once_and_what_was_spent_is_on_record(mills: Callable[..., Mills]) -> None:
    interrupted = threading.Event()

    def script(body: dict[str, Any], number: int) -> Answer:
        return votes()(body, number) if interrupted.is_set() or number < 2 else slow(20, votes()(body, number))

    with MessagesServer(script) as server:
        wiki = mills(server, concurrency=2, count=4)
        run, main = wiki.run(*range(4)), wiki.git("rev-parse", "main")
        process = wiki.started("run", "finish", run)
        waiting(server, 4)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=15)
        assert time.monotonic() - began < 2
        assert (process.returncode, out) == (130, "")
        assert err.startswith("error: interrupted")
        assert "Traceback" not in err
        stands = wiki.show(run)
        assert (stands["status"], stands["reason"]) == ("pending", "interrupted")
        assert stands["spent"]["verifier"]["calls"] == 2.0
        assert not wiki.git("for-each-ref", "refs/assay/candidate")
        assert wiki.git("rev-parse", "main") == main
        under_way = mills_of(server, 2)  # with two at a time it is not said which these are
        interrupted.set()
        assert wiki.finish(run).code == 0
        assert len(under_way) == 2
        assert mills_of(server, 4) == under_way


@pytest.mark.slow
def test_of_two_finishes_at_once_one_judges_and_the_other_says_so(mills: Callable[..., Mills]) -> None:
    with MessagesServer(lambda body, n: slow(0.5, votes()(body, n))) as server:
        wiki = mills(server)
        run = wiki.run(0, 1, 2)
        processes = [wiki.started("run", "finish", run) for _ in range(2)]
        said = [process.communicate(timeout=30) for process in processes]
        codes = sorted(process.returncode for process in processes)
        assert codes == [0, 3], said
        assert sum("verified by another process" in err for _, err in said) == 1
        assert mills_of(server) == ["Mill 00", "Mill 01", "Mill 02"]
        assert wiki.show(run)["status"] == "committed"


def test_calls_at_once_are_bounded_and_of_one_purse(mills: Callable[..., Mills]) -> None:
    with MessagesServer(lambda body, n: slow(0.05, votes()(body, n))) as server:
        wiki = mills(server, count=12, concurrency=3)
        assert wiki.finish(wiki.run(*range(12))).code == 0
        assert server.high_water == 3
        assert all(one.at <= other.at for one, other in pairwise(server.requests))
