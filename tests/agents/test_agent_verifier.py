from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.judges.claude_agent import ClaudeAgent
from gitops.agents.reading.shelf import Shelf
from gitops.agents.seating import seat
from gitops.agents.verifying import plan
from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget
from gitops.runs import revisions, store, transcripts
from gitops.verify.judge import PairQuestion, Question
from tests.agents.shelves import view_of
from tests.agents.speaking import last_result, messages_of, results
from tests.messages_server import Answer, MessagesServer, error, message, text, tool_use, tool_uses
from tests.runs.driving import Wiki, first_files, kept, name, page

SOURCE = "# Tides\n\nOn most coasts the sea falls back twice a day.\n"
BEFORE = {"raw/tides.md": SOURCE, "wiki/index.md": "# Index\n\n- [Tide](tide.md)\n", "wiki/log.md": "# Log\n"}
PAGE = (
    "# Tide\n\nThe sea falls back twice a day.[^1] It falls back thrice on Sundays.[^2]\n\n"
    '[^1]: raw/tides.md, "the sea falls back twice a day"\n[^2]: raw/tides.md\n'
)
AFTER = {**BEFORE, "wiki/tide.md": PAGE}
SUPPORTS = {"number": 1, "vote": "supports", "confidence": 0.9, "reason": "It says so.", "unsupported": []}
REFUSES = {
    "number": 2,
    "vote": "does_not_support",
    "confidence": 0.8,
    "reason": "No Sundays there.",
    "unsupported": ["thrice on Sundays"],
}
ASKED = [
    Question("The sea falls back twice a day.", span="the sea falls back twice a day", title="Tides", source=SOURCE),
    Question("It falls back thrice on Sundays.", title="Tides", source=SOURCE),
]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")


def submit(*votes: Mapping[str, Any]) -> Answer:
    return tool_use("submit_votes", {"votes": list(votes)})


def agent(server: MessagesServer, folder: Path, *, looks: bool = True, **options: Any) -> ClaudeAgent:
    shelf = Shelf.of(view_of(AFTER), view_of(BEFORE)) if looks else None
    return ClaudeAgent(messages_of(server, folder, **options), "", shelf)


NO_VOTES = {
    "one is missing": [SUPPORTS],
    "one is too much": [SUPPORTS, REFUSES, {**SUPPORTS, "number": 3}],
    "one is there twice": [SUPPORTS, REFUSES, REFUSES],
    "none is there": [],
    "a vote of another kind": [SUPPORTS, {**REFUSES, "vote": "commit"}],
    "a confidence above one": [SUPPORTS, {**REFUSES, "confidence": 1.5}],
    "a confidence that is a text": [SUPPORTS, {**REFUSES, "confidence": "high"}],
    "no reason": [SUPPORTS, {**REFUSES, "reason": ""}],
    "words that do not stand in the claim": [SUPPORTS, {**REFUSES, "unsupported": ["on Mondays"]}],
    "a number that is none": [SUPPORTS, {**REFUSES, "number": 0}],
    "a field that there is not": [SUPPORTS, {**REFUSES, "verdict": "commit"}],
    "a vote that is a text": [SUPPORTS, "does_not_support"],
}


@pytest.mark.parametrize("votes", NO_VOTES.values(), ids=NO_VOTES)
def test_votes_that_are_not_exactly_one_for_each_claim_are_none(tmp_path: Path, votes: list[Any]) -> None:
    with MessagesServer([submit(*votes), submit(*votes), submit(*votes)]) as server:
        with pytest.raises(CannotRun, match="gave no valid votes in 3 tries"):
            agent(server, tmp_path).votes(ASKED)
        assert results(server.bodies[1])[0]["is_error"] is True
        assert last_result(server.bodies[1]).startswith("no vote was taken: ")


def test_votes_that_are_mended_when_told_are_taken(tmp_path: Path) -> None:
    with MessagesServer([submit(SUPPORTS), submit(REFUSES, SUPPORTS)]) as server:
        first, second = agent(server, tmp_path).votes(ASKED)
        assert last_result(server.bodies[1]) == "no vote was taken: no vote for 2"
    assert (first.vote, first.confidence, first.may_gate, first.support) == ("supports", 0.9, True, 0.9)
    assert (second.vote, second.reason, second.unsupported) == (
        "does_not_support",
        "No Sundays there.",
        ("thrice on Sundays",),
    )
    assert second.support == pytest.approx(0.2)


def test_a_verdict_beside_the_votes_is_no_argument_of_the_tool(tmp_path: Path) -> None:
    wrong = tool_use("submit_votes", {"votes": [SUPPORTS, REFUSES], "verdict": "commit"})
    with MessagesServer([wrong, submit(SUPPORTS, REFUSES)]) as server:
        agent(server, tmp_path).votes(ASKED)
        assert "verdict: Extra inputs are not permitted" in last_result(server.bodies[1])


def test_an_agent_that_ends_without_votes_is_reminded_and_then_gave_none(tmp_path: Path) -> None:
    said = text('All is well: [{"number": 1, "vote": "supports"}, {"number": 2, "vote": "supports"}]')
    with MessagesServer([said, said, said]) as server:
        with pytest.raises(CannotRun, match="ended without submitting its votes"):
            agent(server, tmp_path).votes(ASKED)
        assert "exactly one vote for each of the 2 numbers" in server.bodies[1]["messages"][-1]["content"][0]["text"]


@pytest.mark.parametrize(
    "answer",
    [text("", "refusal"), text("so", "max_tokens"), error(529), error(401), message([], "tool_use")],
    ids=["refusal", "max_tokens", "529", "401", "no call"],
)
def test_whatever_goes_wrong_no_vote_is_made_up(tmp_path: Path, answer: Answer) -> None:
    with MessagesServer([answer]) as server, pytest.raises(CannotRun):
        agent(server, tmp_path).votes(ASKED)


def test_a_budget_that_has_no_room_stops_it_before_it_asks(tmp_path: Path) -> None:
    with MessagesServer([]) as server:
        with pytest.raises(OutOfBudget):
            agent(server, tmp_path, budget=Budget(input_tokens=100)).votes(ASKED)
        assert server.requests == []


def test_it_asks_nothing_where_nothing_is_asked(tmp_path: Path) -> None:
    with MessagesServer([]) as server:
        assert agent(server, tmp_path).votes([]) == []


def test_an_abstention_is_no_vote(tmp_path: Path) -> None:
    abstained = {**REFUSES, "vote": "abstained", "unsupported": []}
    with MessagesServer([submit(SUPPORTS, abstained)]) as server:
        vote = agent(server, tmp_path).votes(ASKED)[1]
    assert (vote.vote, vote.confidence, vote.may_gate) == ("abstained", 0.0, False)


def test_it_is_told_to_find_the_error_and_shown_the_change_and_each_claim_with_its_place(tmp_path: Path) -> None:
    with MessagesServer([submit(SUPPORTS, REFUSES)]) as server:
        agent(server, tmp_path).votes(ASKED)
    (body,) = server.bodies
    assert "find the error in this write" in body["system"][0]["text"]
    opening = body["messages"][0]["content"][0]["text"]
    assert 'page="wiki/tide.md" it_is="new">' in opening
    assert "\n+The sea falls back twice a day.[^1] It falls back thrice on Sundays.[^2]\n" in opening
    assert '"cites":["[^1] raw/tides.md"],"line":3,"page":"wiki/tide.md"' in opening
    assert '"number":2' in opening
    assert "log.md" not in opening


def test_it_has_the_reading_tools_and_submit_votes_and_no_other(tmp_path: Path) -> None:
    with MessagesServer([submit(SUPPORTS, REFUSES)]) as server:
        agent(server, tmp_path).votes(ASKED)
    names = [tool["name"] for tool in server.bodies[0]["tools"]]
    assert names == ["list", "grep", "search", "read", "follow", "events", "history", "submit_votes"]


def test_it_reads_what_is_staged_and_not_what_was_there(tmp_path: Path) -> None:
    with MessagesServer([tool_use("read", {"path": "wiki/tide.md"}), submit(SUPPORTS, REFUSES)]) as server:
        agent(server, tmp_path).votes(ASKED)
        assert "thrice on Sundays" in last_result(server.bodies[1])


def test_many_claims_are_judged_in_several_fresh_conversations(tmp_path: Path) -> None:
    asked = [Question(f"Claim {at}.", source=SOURCE) for at in range(90)]

    def answer(body: dict[str, Any], number: int) -> Answer:
        assert len(body["messages"]) == 1
        count = 40 if number < 2 else 10
        return submit(*({**SUPPORTS, "number": at + 1} for at in range(count)))

    with MessagesServer(answer) as server:
        judge = agent(server, tmp_path)
        assert len(judge.votes(asked)) == 90
        assert len(server.requests) == 3
    assert len(judge.transcripts) == 3


def test_long_sources_do_not_part_the_claims_of_a_change_for_they_are_not_shown(tmp_path: Path) -> None:
    asked = [Question(f"Claim {at}.", source="x" * 300_000) for at in range(6)]
    with MessagesServer([submit(*({**SUPPORTS, "number": at + 1} for at in range(6)))]) as server:
        assert len(agent(server, tmp_path).votes(asked)) == 6


def test_sources_that_do_not_fit_together_are_shown_in_several_conversations(tmp_path: Path) -> None:
    asked = [Question(f"Claim {at}.", source=f"{at} " + "x" * 20_000) for at in (1, 1, 2, 3)]

    def answer(body: dict[str, Any], number: int) -> Answer:
        count = body["messages"][0]["content"][0]["text"].count('"number":')
        return submit(*({**SUPPORTS, "number": at + 1} for at in range(count)))

    with MessagesServer(answer) as server:
        assert len(agent(server, tmp_path, looks=False, context_tokens=21_000).votes(asked)) == 4
        assert len(server.requests) == 2


def test_recorded_once_it_votes_again_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_LLM", "record")
    monkeypatch.setenv("ASSAY_LLM_RECORDINGS", str(tmp_path / "recorded"))
    with MessagesServer([tool_use("read", {"path": "wiki/tide.md"}), submit(SUPPORTS, REFUSES)]) as server:
        votes = agent(server, tmp_path).votes(ASKED)
    monkeypatch.setenv("ASSAY_LLM", "replay")
    assert agent(server, tmp_path).votes(ASKED) == votes
    with pytest.raises(CannotRun):
        agent(server, tmp_path).votes(ASKED[:1])


def test_without_a_change_it_has_no_tools_and_is_shown_the_sources_once(tmp_path: Path) -> None:
    with MessagesServer([submit(SUPPORTS, REFUSES)]) as server:
        agent(server, tmp_path, looks=False).votes(ASKED)
    (body,) = server.bodies
    assert [tool["name"] for tool in body["tools"]] == ["submit_votes"]
    assert body["messages"][0]["content"][0]["text"].count("On most coasts") == 1


def test_of_a_revision_without_a_change_it_reads_the_pages_and_is_told_where_claims_stand(tmp_path: Path) -> None:
    with MessagesServer([tool_use("read", {"path": "raw/tides.md"}), submit(SUPPORTS, REFUSES)]) as server:
        ClaudeAgent(messages_of(server, tmp_path), "", Shelf.of(view_of(AFTER))).votes(ASKED)
    asked = server.bodies[0]["messages"][0]["content"][0]["text"]
    assert "The change" not in asked
    assert '"stands_at":[{"cites":["[^1] raw/tides.md"],"line":3,"page":"wiki/tide.md"}]' in asked
    assert "On most coasts" in last_result(server.bodies[1])


def test_votes_that_are_followed_by_a_list_that_does_not_hold_are_taken_back(tmp_path: Path) -> None:
    both = tool_uses([("submit_votes", {"votes": votes}) for votes in ([SUPPORTS, REFUSES], [SUPPORTS])])
    with (
        MessagesServer([both, *[text("I voted.")] * 3]) as server,
        pytest.raises(CannotRun, match="without submitting"),
    ):
        agent(server, tmp_path).votes(ASKED)


def test_a_source_too_long_to_show_is_cut_around_the_span_and_says_what_is_left_out(tmp_path: Path) -> None:
    source = "a " * 30_000 + "the very span" + " b" * 30_000
    with MessagesServer([submit(SUPPORTS)]) as server:
        agent(server, tmp_path, looks=False).votes([Question("A span.", span="the very span", source=source)])
    shown = server.bodies[0]["messages"][0]["content"][0]["text"]
    assert "the very span b" in shown
    assert "[left out here: 48000 characters]" in shown
    assert "[left out here: 48013 characters]" in shown


def test_pairs_are_voted_on_by_their_own_votes(tmp_path: Path) -> None:
    vote = {"number": 1, "vote": "direct_contradiction", "confidence": 0.9, "reason": "Twice is not thrice."}
    pair = PairQuestion("It falls twice a day.", "It falls thrice a day.")
    wrong = {**vote, "vote": "does_not_support"}
    with MessagesServer([submit(wrong), submit(vote)]) as server:
        (found,) = agent(server, tmp_path).pair_votes([pair])
    assert (found.vote, found.contradiction, found.may_gate) == ("direct_contradiction", 0.9, True)


def test_its_digest_follows_its_model_its_effort_and_whether_it_can_look_around(tmp_path: Path) -> None:
    with MessagesServer([]) as server:
        made = [
            agent(server, tmp_path),
            agent(server, tmp_path, looks=False),
            agent(server, tmp_path, model="claude-opus-5-5"),
            ClaudeAgent(messages_of(server, tmp_path), "low", Shelf.of(view_of(AFTER), view_of(BEFORE))),
        ]
        assert len({one.digest for one in made}) == 4
        assert made[0].digest == agent(server, tmp_path).digest
        assert made[0].version == "1/claude-sonnet-5-5"
        assert (made[0].gate("supports"), made[0].gate("abstained"), made[0].is_free) == (0.0, None, False)


def test_a_difference_too_long_to_show_is_named() -> None:
    told = plan.shown(view_of(BEFORE), view_of(AFTER), 30)
    assert 'page="wiki/tide.md" it_is="new">\n(the difference is too long to show here: read the page)\n</data-' in told


def test_pages_that_went_and_pages_that_changed_are_shown() -> None:
    after = {"raw/tides.md": SOURCE, "wiki/index.md": "# Index\n\nEmpty.\n", "wiki/log.md": "# Log\n- line\n"}
    told = plan.shown(view_of(AFTER), view_of(after))
    assert 'page="wiki/index.md" it_is="changed">' in told
    assert 'page="wiki/tide.md" it_is="removed">' in told
    assert "\n-# Tide\n" in told
    assert plan.shown(view_of(AFTER), view_of(AFTER)) == "no page differs"


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Callable[[MessagesServer], Wiki]:
    def made(server: MessagesServer) -> Wiki:
        policy = '[verify]\njudge = "claude_agent"\n' + server.toml("verifier")
        made = Wiki(make_repository(first_files(policy)))
        made.seating = seat
        return made

    return made


@pytest.mark.parametrize(
    ("vote", "status"), [("does_not_support", "rejected"), ("partially_supports", "pending"), ("supports", "committed")]
)
def test_its_vote_decides_a_landing(wiki: Callable[[MessagesServer], Wiki], vote: str, status: str) -> None:
    script = [tool_use("follow", {"page": name(0), "target": "1"}), submit({**SUPPORTS, "vote": vote})]
    with MessagesServer(script) as server:
        driven = wiki(server)
        run = driven.run()
        assert driven.finish(run).run.status == status
        assert "the quotation: verified" in last_result(server.bodies[1])
    (told,) = transcripts.of(driven.context(), driven.find(run))
    assert (told.role, told.model, len(told.turns)) == ("verifier", "claude-sonnet-5-5", 5)
    assert "find the error" in told.prompt
    assert told.usage["calls"] == 2
    assert told.verdict_id


def test_without_votes_there_is_no_verdict_and_the_run_waits(wiki: Callable[[MessagesServer], Wiki]) -> None:
    with MessagesServer([submit()] * 3) as server:
        driven = wiki(server)
        run, main = driven.run(), driven.ref("main")
        with pytest.raises(CannotRun):
            driven.finish(run)
    assert driven.find(run).status == "pending"
    assert driven.ref("main") == main
    assert store.all_verdicts(driven.context()) == []
    (told,) = transcripts.of(driven.context(), driven.find(run))
    assert told.verdict_id == ""


def test_it_is_not_asked_about_what_the_checks_refuse(wiki: Callable[[MessagesServer], Wiki]) -> None:
    with MessagesServer([]) as server:
        driven = wiki(server)
        run = driven.run({name(0): page(0, quote="camels are the ships of the desert, so they say")})
        assert driven.finish(run).run.status == "rejected"
        assert server.requests == []


def test_it_is_not_asked_again_about_what_it_has_answered(wiki: Callable[[MessagesServer], Wiki]) -> None:
    with MessagesServer([tool_uses([("submit_votes", {"votes": [SUPPORTS]})])]) as server:
        driven = wiki(server)
        run = driven.run()
        main, head = (driven.git("rev-parse", name) for name in ("main", f"run/{run.id}"))
        revisions.judge_revision(driven.context(), driven.workspace(), main, head, f"run/{run.id}")
        assert driven.finish(run).run.status == "committed"
        assert len(server.requests) == 1


def test_a_verifier_without_budget_left_abandons_the_run_with_its_head_kept(
    make_repository: Callable[..., Path],
) -> None:
    with MessagesServer([]) as server:
        policy = '[verify]\njudge = "claude_agent"\n[llm.budgets.cascade]\ninput_tokens = 200\n' + server.toml(
            "verifier"
        )
        driven = Wiki(make_repository(first_files(policy)), seating=seat)
        run, main = driven.run(), driven.ref("main")
        with pytest.raises(OutOfBudget, match="the verifier's budget"):
            driven.finish(run)
        assert server.requests == []
    assert driven.find(run).status == "abandoned"
    assert driven.ref("main") == main
    assert driven.ref(kept(run)) is not None
