"""Extraction by a model in a check: a Messages server on loopback stands for it. Who is asked, and who never."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gitops.ci.suite_answers import How
from tests.ci.extraction_driving import GOLD, WHY, told
from tests.ci.suites_driving import Brewery
from tests.messages_server import Answer, MessagesServer, tool_use
from tests.runs.driving import Wiki

ASKED = How(is_on=False, asks=True)
"""What `--judge claude` comes to."""
DECIDED = "The house brews tea with soft water."
DECISION = {
    "type": "decision",
    "id": "soft-water",
    "title": "Soft water",
    "description": {"sentence": DECIDED, "quote": DECIDED},
    "relationships": [],
    "rationale": [{"sentence": WHY, "quote": WHY}],
}


def answered(body: dict[str, Any], number: int) -> Answer:
    """One atom, and that this is all."""
    given = any(message["role"] == "assistant" for message in body["messages"])
    return tool_use("done", {"nothing_found": False}) if given else tool_use("record_atoms", {"atoms": [DECISION]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesServer]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "the-key")
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    with MessagesServer(answered) as running:
        yield running


def policy(server: MessagesServer, model: str = "claude-sonnet-5-5", url: str = "") -> str:
    preset = f'[llm.presets.claude]\nmodel = "{model}"\nbase_url = "{url or server.url}"\nmax_retries = 0\n'
    return f"{preset}[extraction.bars]\natom_f1 = 0.3\nedge_f1 = 0.0\n"


@pytest.fixture
def house(make_repository: Callable[..., Path], server: MessagesServer) -> Brewery:
    return Brewery(Wiki(make_repository(told(policy(server), more={}))))


@pytest.mark.slow
def test_a_preset_is_asked_once_for_both_sides_and_what_it_used_is_told(house: Brewery, server: MessagesServer) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({f"{GOLD}/case.yaml": "description: more\n"})
    found = house.checked(base, benchmarks=ASKED).result
    assert found.extraction is not None
    assert found.extraction.extracted == "what the preset claude writes"
    [row] = [row for row in found.extraction.bars if row.metric == "atom_f1"]
    assert (row.before, row.verdict) == (row.after, "met")
    assert row.after == pytest.approx(1 / 3)
    assert len(server.requests) == 2, "one conversation"
    assert found.tokens > 0


@pytest.mark.slow
def test_a_preset_that_the_change_edits_is_handed_no_key_unless_somebody_says_so(
    house: Brewery, server: MessagesServer
) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    changed = told(policy(server, model="claude-opus-5-5"), more={})["assay.toml"]
    house.commit({"assay.toml": changed})
    found = house.checked(base, benchmarks=ASKED)
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert "the change's own preset claude would be handed the key" in found.result.cause
    assert {request.body["model"] for request in server.requests} == {"claude-sonnet-5-5"}
    allowed = house.checked(base, benchmarks=How(asks=True, is_told=True))
    assert allowed.result.outcome == "passed"
    assert {request.body["model"] for request in server.requests} == {"claude-sonnet-5-5", "claude-opus-5-5"}


@pytest.mark.slow
def test_where_models_are_wanted_and_none_answers_nothing_is_green(
    house: Brewery, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({f"{GOLD}/case.yaml": "description: more\n"})
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    found = house.checked(base, benchmarks=ASKED)
    assert (found.result.outcome, found.exit_code()) == ("neutral", 3)
    assert found.missing.startswith("extraction could not be scored: ")
