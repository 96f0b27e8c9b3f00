from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from gitops.errors import CannotRun, OutOfBudget, UsageError
from gitops.runs import names, overriding, store, transcripts
from gitops.runs.seating import Seat
from gitops.runs.transcripts import Transcript
from gitops.usage import Usage
from gitops.verify.judge import Judge
from tests.runs.driving import Wiki, kept, name, page
from tests.verify.scripted import Scripted, sure

POLICY = '[verify]\njudge = "model"\n'
AGREES = {"": sure("supports")}
REFUSES = {"": sure("does_not_support", "page")}


@dataclass
class Talking(Scripted):
    """A judge that keeps what was said to it."""

    transcripts: list[Transcript] = field(default_factory=list)


@pytest.fixture
def judged_wiki(make_wiki: Callable[..., Wiki]) -> Callable[..., tuple[Wiki, Scripted, list[Seat]]]:
    """A wiki whose policy asks one judge that costs something; the judge; and what it was seated with."""

    def make(judge: Scripted, policy: str = POLICY) -> tuple[Wiki, Scripted, list[Seat]]:
        seats: list[Seat] = []

        def seating(called: str, seat: Seat) -> Judge:
            if called != "model":
                raise UsageError(f"there is no judge '{called}'", "known: model")
            seats.append(seat)
            return judge

        wiki = make_wiki(policy)
        wiki.seating = seating
        return wiki, judge, seats

    return make


Make = Callable[..., tuple[Wiki, Scripted, list[Seat]]]


def judgements(wiki: Wiki, commit: str) -> list[dict[str, object]]:
    lines = wiki.git("notes", f"--ref={names.VERDICTS}", "show", commit).splitlines()
    return [record for record in map(json.loads, lines) if record["kind"] == "judgement"]


def test_a_true_quotation_under_a_false_claim_is_rejected(judged_wiki: Make) -> None:
    wiki, _, seats = judged_wiki(Scripted(REFUSES))
    run = wiki.run()
    outcome = wiki.finish(run)
    assert outcome.result == "rejected"
    verdict = outcome.verdict
    assert verdict is not None
    assert (verdict.judge, verdict.counts.judged, verdict.counts.unjudged) == ("scripted/1", 1, 0)
    assert verdict.tokens_used == {"input": 10.0, "output": 2.0, "usd": 0.001}
    assert [one.check for one in verdict.findings] == ["support"]
    assert (seats[0].run_id, seats[0].operation, seats[0].purpose) == (run.id, "cascade", "landing")


def test_a_judge_that_fails_leaves_the_run_pending_and_its_tokens_on_record(judged_wiki: Make) -> None:
    wiki, judge, _ = judged_wiki(Scripted(failure=CannotRun("the model is overloaded (529)", "try again later")))
    run, before = wiki.run(), wiki.ref("main")
    with pytest.raises(CannotRun, match="overloaded") as caught:
        wiki.finish(run)
    assert caught.value.exit_code == 3
    state = wiki.find(run).state
    assert (state.status, state.reason) == ("pending", "the model is overloaded (529)")
    assert state.spent["verifier"] == {
        **{"input": 10.0, "output": 2.0, "cache_read": 0.0, "cache_write": 0.0, "usd": 0.001, "calls": 1.0}
    }
    assert (wiki.ref("main"), wiki.ref(names.VERDICTS)) == (before, None)
    judge.failure, judge.says = None, AGREES
    judge.used = Usage()
    assert wiki.finish(run).result == "landed"
    assert wiki.find(run).state.spent["verifier"]["calls"] == 2.0
    assert wiki.find(run).state.spent["verifier"]["usd"] == 0.002


def test_a_budget_that_runs_out_abandons_the_run_with_its_head_kept(judged_wiki: Make) -> None:
    wiki, _, _ = judged_wiki(Scripted(failure=OutOfBudget("0.10 of 0.10 usd are spent", "raise it")))
    run = wiki.run()
    before, head = wiki.ref("main"), wiki.ref(f"run/{run.id}")
    with pytest.raises(OutOfBudget, match=f"run {run.id} is abandoned, its content is kept: 0.10") as caught:
        wiki.finish(run)
    assert caught.value.exit_code == 3
    found = wiki.find(run)
    assert (found.status, wiki.ref("main"), wiki.ref(f"run/{run.id}")) == ("abandoned", before, None)
    assert wiki.git("rev-parse", f"{kept(run)}^2") == head
    assert found.state.spent["verifier"]["calls"] == 1.0


def test_a_judge_that_nobody_knows_is_told_and_the_run_waits(judged_wiki: Make) -> None:
    wiki, _, _ = judged_wiki(Scripted(), '[verify]\njudge = "modal"\n')
    run = wiki.run()
    with pytest.raises(UsageError, match="no judge 'modal'"):
        wiki.finish(run)
    assert wiki.find(run).status == "pending"


def test_an_abstention_is_no_verdict_where_a_vote_is_wanted(judged_wiki: Make) -> None:
    wiki, _, _ = judged_wiki(Scripted())
    run = wiki.run()
    with pytest.raises(CannotRun, match=r"0 of 1 claims have a vote, and \[verify\] min_judged wants 100%"):
        wiki.finish(run)
    assert wiki.find(run).status == "pending"


def test_what_the_checks_refuse_is_rejected_without_a_vote(judged_wiki: Make) -> None:
    wiki, judge, _ = judged_wiki(Scripted(failure=CannotRun("no key")))
    outcome = wiki.finish(wiki.run({name(0): page(0, "words that stand nowhere in the source")}))
    assert (outcome.result, judge.calls) == ("rejected", 0)


def test_votes_are_kept_with_the_verdict_and_unchanged_content_is_not_asked_again(judged_wiki: Make) -> None:
    wiki, judge, _ = judged_wiki(Scripted({"page 0": sure("supports")}))
    run = wiki.run({name(0): page(0), name(1): page(1)})
    with pytest.raises(CannotRun, match="1 of 2 claims"):
        wiki.finish(run)
    assert judge.calls == 1
    judge.says = AGREES
    with pytest.raises(CannotRun, match="1 of 2 claims"):  # an abstention is an answer, too
        wiki.finish(run)
    assert judge.calls == 1
    outcome = wiki.finish(run, fresh=True)
    assert outcome.result == "landed"
    assert len(judge.asked) == 4
    records = judgements(wiki, outcome.commit)
    assert sorted(str(record["claim"]) for record in records) == [
        "The tide turns, as page 0 knows.",
        "The tide turns, as page 1 knows.",
    ]
    assert {str(record["vote"]) for record in records} == {"supports"}
    assert [one.verdict for one in store.verdicts_on(wiki.context(), outcome.commit)] == ["commit"]
    assert wiki.told == []


def test_the_index_made_anew_passes_votes_over(judged_wiki: Make, tmp_path_factory: pytest.TempPathFactory) -> None:
    wiki, _, _ = judged_wiki(Scripted(AGREES))
    assert wiki.finish(wiki.run()).result == "landed"
    assert wiki.rebuilt_index(tmp_path_factory.mktemp("index")) == wiki.index()
    assert wiki.told == []


@pytest.mark.slow
def test_no_verify_and_an_override_ask_nobody(judged_wiki: Make) -> None:
    wiki, judge, _ = judged_wiki(Scripted(REFUSES))
    landed = wiki.finish(wiki.run(), no_verify=True)
    assert (landed.result, judge.calls) == ("landed", 0)
    run = wiki.run({name(1): page(1)})
    assert wiki.finish(run).result == "rejected"
    assert judge.calls == 1
    assert overriding.override(wiki.context(), run.id, "I have read it").result == "landed"
    assert judge.calls == 1


def test_a_rehearsal_asks_no_model_records_nothing_and_says_no_yes(judged_wiki: Make) -> None:
    wiki, judge, _ = judged_wiki(Scripted(REFUSES))
    run = wiki.run()
    before = wiki.refs()
    with pytest.raises(CannotRun, match="a rehearsal asks no model: scripted would be asked 1 question") as caught:
        wiki.finish(run, dry_run=True)
    assert caught.value.hint == f"git assay run finish {run.id} asks"
    assert (wiki.refs(), judge.calls) == (before, 0)
    wiki.finish(run)
    assert judge.calls == 1


def test_a_rehearsal_wants_the_votes_that_a_landing_wants(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[verify]\njudge = "none"\nmin_judged = 1.0\n')
    run = wiki.run()
    with pytest.raises(CannotRun, match="0 of 1 claims have a vote"):
        wiki.finish(run, dry_run=True)


def test_what_was_said_to_a_model_is_kept_also_where_it_led_to_no_verdict(judged_wiki: Make) -> None:
    said = Transcript("verifier", "a-model", "Find the error.", [{"role": "user", "content": "Vote."}])
    judge = Talking(failure=CannotRun("the answer is no vote"))
    wiki, _, _ = judged_wiki(judge)
    run = wiki.run()
    judge.transcripts.append(said)
    with pytest.raises(CannotRun, match="no vote"):
        wiki.finish(run)
    judge.failure, judge.says = None, AGREES
    outcome = wiki.finish(run)
    assert outcome.verdict is not None
    kept = transcripts.of(wiki.context(), wiki.find(run))
    assert sorted(one.verdict_id for one in kept) == ["", outcome.verdict.id]
    assert (kept[0].role, kept[0].prompt, kept[0].turns) == ("verifier", "Find the error.", tuple(said.turns))
