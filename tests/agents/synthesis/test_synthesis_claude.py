from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.synthesizing import Request, Synthesized, synthesize
from gitops.errors import CannotRun, OutOfBudget
from gitops.runs import store, transcripts
from gitops.runs.outcome import Options
from gitops.runs.records import Run
from tests.agents.synthesis.wikis import BEFORE
from tests.messages_server import Answer, MessagesServer, text, tool_use, tool_uses
from tests.runs.driving import MAIN, Wiki, kept

FIRST = "wiki/synthesis/2024-01-02.md"
POLICY = '[workspace]\nname = "mills"\n'
PAGE = (
    "# Synthesis 2024-01-02\n\n## [Alder mill](../alder.md)\n\nThe mill employs 40 people.[^1] It burns wood.[^2]\n\n"
    '[^1]: raw/report.md, "employs 40 people"\n[^2]: raw/report.md, "burnt wood since 1950"\n'
)
WRITES: tuple[str, dict[str, Any]] = ("stage_write", {"path": FIRST, "content": PAGE})
DONE = tool_use("finish", {"summary": "One page."})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ASSAY_LLM", raising=False)


@pytest.fixture
def asked(make_repository: Callable[..., Path]) -> Callable[..., tuple[Wiki, Callable[..., Synthesized]]]:
    def ask(server: MessagesServer, policy: str = "") -> tuple[Wiki, Callable[..., Synthesized]]:
        wiki = Wiki(make_repository({**BEFORE, "assay.toml": POLICY + policy + server.toml()}))

        def go(**request: Any) -> Synthesized:
            made = Request(MAIN, "claude", **request)
            return synthesize(wiki.context(), wiki.workspace(), made, wiki.told.append)

        return wiki, go

    return ask


Asked = Callable[..., tuple[Wiki, Callable[..., Synthesized]]]


def only_run(wiki: Wiki) -> Run:
    (run,) = store.all_runs(wiki.context()).values()
    return run


def test_a_budget_without_room_abandons_the_run_and_nothing_lands(asked: Asked) -> None:
    with MessagesServer([]) as server:
        wiki, go = asked(server, "[llm.budgets.synthesis]\ninput_tokens = 100\n")
        with pytest.raises(OutOfBudget) as failed:
            go()
    assert "is abandoned, its content is kept" in failed.value.message
    run = only_run(wiki)
    assert run.status == "abandoned"
    assert wiki.ref(kept(run)) is not None
    assert FIRST not in wiki.git("ls-tree", "-r", "--name-only", "main")
    assert server.requests == []


def test_a_refusal_leaves_the_run_pending_and_its_transcript(asked: Asked) -> None:
    with MessagesServer([tool_uses([WRITES]), text("No.", "refusal")]) as server:
        wiki, go = asked(server)
        with pytest.raises(CannotRun) as failed:
            go()
    assert "is pending" in failed.value.message
    assert "git assay run finish" in failed.value.hint
    run = only_run(wiki)
    assert run.status == "pending"
    assert run.state.used["output_tokens"] > 0
    (record,) = transcripts.of(wiki.context(), run)
    assert (record.role, record.usage["calls"]) == ("writer", 2)


def test_finish_is_refused_before_the_page_is_written(asked: Asked) -> None:
    with MessagesServer([DONE, tool_uses([WRITES]), DONE]) as server:
        _, go = asked(server)
        done = go()
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    told = server.bodies[1]["messages"][-1]["content"][0]
    assert told["is_error"]
    assert f"{FIRST} is not written yet" in json.dumps(told)


def test_its_page_lands_by_its_verdict_and_the_index_links_it(asked: Asked) -> None:
    with MessagesServer([tool_uses([WRITES]), DONE]) as server:
        wiki, go = asked(server)
        done = go()
    assert done.outcome is not None
    run = done.outcome.run
    assert (done.outcome.result, run.record.triggered_by) == ("landed", "cli:synthesize claude")
    assert wiki.show(FIRST) == PAGE.rstrip()
    assert "synthesis/2024-01-02.md" in wiki.show("wiki/index.md")
    assert run.state.used["input_tokens"] > 0
    assert done.used is not None
    assert done.used.calls == 2


def test_the_new_claims_are_given_as_delimited_data_with_their_footnotes(asked: Asked) -> None:
    with MessagesServer([tool_uses([WRITES]), DONE]) as server:
        _, go = asked(server)
        go()
    first = server.bodies[0]["messages"][0]["content"][0]["text"]
    assert f"Write {FIRST}" in first
    data = first[first.index("<data-") :]
    claims = [json.loads(line) for line in data.splitlines()[1:4]]
    assert [claim["page"] for claim in claims] == ["wiki/alder.md", "wiki/alder.md", "wiki/turbines.md"]
    assert claims[0]["footnotes"] == ['raw/report.md, "employs 40 people" @15']
    names = {tool["name"] for tool in server.bodies[0]["tools"]}
    assert {"read", "search", "stage_write", "str_replace", "finish"} <= names


def test_findings_go_back_to_it_and_the_mended_page_lands(asked: Asked) -> None:
    uncited = PAGE.replace("It burns wood.[^2]", "It burns wood.[^2]\n\nMuch happened this week.")
    mend = {"path": FIRST, "old": "\n\nMuch happened this week.", "new": ""}

    def script(body: dict[str, Any], number: int) -> Answer:
        answers = [
            tool_uses([("stage_write", {"path": FIRST, "content": uncited})]),
            DONE,
            tool_uses([("str_replace", mend)]),
            DONE,
        ]
        return answers[number]

    with MessagesServer(script) as server:
        wiki, go = asked(server)
        done = go()
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert "Much happened" not in wiki.show(FIRST)
    turn = server.bodies[2]["messages"][-1]["content"][-1]["text"]
    assert "uncited/uncited" in turn
    verdicts = [state.verdict for state in store.find(wiki.context(), done.outcome.run.id).states if state.verdict]
    assert verdicts[0] == "revise"


def test_after_so_many_revisions_that_mend_nothing_the_run_is_rejected(asked: Asked) -> None:
    def script(body: dict[str, Any], number: int) -> Answer:
        if number % 2:
            return DONE
        content = PAGE.replace("It burns wood.[^2]", f"It burns wood.[^2]\n\nMuch happened, {number} times.")
        return tool_uses([("stage_write", {"path": FIRST, "content": content})])

    with MessagesServer(script) as server:
        wiki, go = asked(server, "[verify]\nmax_loops = 2\n")
        done = go()
    assert done.outcome is not None
    assert (done.outcome.result, done.is_refused) == ("rejected", True)
    assert FIRST not in wiki.git("ls-tree", "-r", "--name-only", "main")
    assert len(server.requests) == 6


def test_a_draft_is_written_and_not_verified(asked: Asked) -> None:
    with MessagesServer([tool_uses([WRITES]), DONE]) as server:
        wiki, go = asked(server)
        done = go(options=Options(draft_only=True))
    assert done.outcome is not None
    assert (done.outcome.result, done.outcome.run.status) == ("draft", "pending")
    assert store.all_verdicts(wiki.context()) == []


def test_a_plan_asks_nothing_and_says_what_it_would_cost(asked: Asked) -> None:
    with MessagesServer([]) as server:
        _, go = asked(server)
        done = go(plan=True)
    assert done.used is not None
    assert done.used.read > 500
    assert done.used.usd > 0
    assert server.requests == []
