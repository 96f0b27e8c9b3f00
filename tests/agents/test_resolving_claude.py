from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.agents.resolving import Request, Resolved, resolve
from gitops.errors import CannotRun
from gitops.git import refs
from gitops.runs import store, transcripts
from tests.agents.mills import BOTH, EIGHTY, FILES, FORTY, PEOPLE, SIXTY
from tests.messages_server import MessagesServer, text, tool_use, tool_uses
from tests.runs.driving import MAIN, Wiki

DATED = f"As of 2019-05-01, the{FORTY[3:]}[^1]"
REPLACED = tool_uses([("str_replace", {"path": "wiki/mill.md", "old": f"{FORTY}[^1]", "new": DATED})])
DONE = tool_use("finish", {"summary": "Dated."})


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ASSAY_LLM", raising=False)


@pytest.fixture
def asked(make_repository: Callable[..., Path]) -> Callable[..., tuple[Wiki, Callable[..., Resolved]]]:
    def ask(server: MessagesServer) -> tuple[Wiki, Callable[..., Resolved]]:
        wiki = Wiki(make_repository({**FILES, "assay.toml": FILES["assay.toml"] + server.toml()}))

        def go(*contradictions: Any, **request: Any) -> Resolved:
            tip = refs.read(wiki.context().repository, MAIN) or ""
            made = Request(MAIN, tip, "claude", **request)
            return resolve(wiki.context(), wiki.workspace(), contradictions, made, wiki.told.append)

        return wiki, go

    return ask


Asked = Callable[..., tuple[Wiki, Callable[..., Resolved]]]


def test_nothing_found_asks_nobody(asked: Asked) -> None:
    with MessagesServer([]) as server:
        _, go = asked(server)
        assert go().state == "nothing"
    assert server.requests == []


def test_a_rehearsal_shows_what_would_be_asked_and_its_cost(asked: Asked) -> None:
    with MessagesServer([]) as server:
        wiki, go = asked(server)
        done = go(*BOTH, plan=True)
    assert (done.state, server.requests) == ("planned", [])
    assert "Settle 2 contradictions." in done.asked
    assert done.used is not None
    assert done.used.usd > 0
    assert store.all_runs(wiki.context()) == {}


def test_a_refusal_leaves_the_run_pending(asked: Asked) -> None:
    with MessagesServer([text("No.", "refusal")]) as server:
        wiki, go = asked(server)
        with pytest.raises(CannotRun, match="is pending"):
            go(PEOPLE)
    (run,) = store.all_runs(wiki.context()).values()
    assert run.status == "pending"


def test_both_claims_and_their_sources_are_given_as_data(asked: Asked) -> None:
    with MessagesServer([REPLACED, DONE]) as server:
        _, go = asked(server)
        go(*BOTH)
    told = json.dumps(server.bodies[0]["messages"][0], ensure_ascii=False)
    for words in (FORTY, SIXTY, EIGHTY, 'day_of_source=\\"2019-05-01\\"', 'day_of_source=\\"not known\\"'):
        assert words in told
    assert "It stands by the river." in told, "what stands around the cited words is given too"
    assert "settle contradictions" in json.dumps(server.bodies[0]["system"])


def test_what_it_writes_lands_by_its_verdict(asked: Asked) -> None:
    with MessagesServer([REPLACED, DONE]) as server:
        wiki, go = asked(server)
        done = go(PEOPLE)
    assert done.outcome is not None
    run = done.outcome.run
    assert (done.state, done.outcome.result) == ("finished", "landed")
    assert (run.record.run_type, run.record.triggered_by) == ("lint", "cli:lint --resolve-contradictions claude")
    assert DATED in wiki.show("wiki/mill.md")
    assert done.used is not None
    assert done.used.calls == 2
    (record,) = transcripts.of(wiki.context(), run)
    assert record.role == "writer"


def test_what_the_verifier_finds_goes_back_to_it(asked: Asked) -> None:
    more = "\n\nThe mill is said to be large."
    replaced = {"path": "wiki/mill.md", "old": "by the river.[^2]", "new": f"by the river.[^2]{more}"}
    mend = tool_uses([("str_replace", {"path": "wiki/mill.md", "old": more, "new": ""})])
    with MessagesServer([REPLACED, tool_uses([("str_replace", replaced)]), DONE, mend, DONE]) as server:
        wiki, go = asked(server)
        done = go(PEOPLE)
    assert done.outcome is not None
    assert done.outcome.result == "landed"
    assert "The mill is said to be large." in json.dumps(server.bodies[3]["messages"][-1])
    assert "said to be large" not in wiki.show("wiki/mill.md")
    assert DATED in wiki.show("wiki/mill.md")
