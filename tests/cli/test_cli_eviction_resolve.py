"""`git assay eviction propose` and `resolve`, as another harness calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import jsonschema
import pytest

from gitops.eviction import model
from gitops.runs import printed_eviction
from gitops.runs.schemas import schema_of
from tests.messages_server import MessagesServer, structured

Command = Callable[..., Any]
LINES = b"""\
{"ctx_id": "prompt", "zone": "system", "token_count": 900}
{"ctx_id": "a", "zone": "workspace", "token_count": 3000, "turn": 1, "snippet": "read wiki/a.md"}
{"ctx_id": "b", "zone": "chronicle", "token_count": 300, "turn": 9, "last_reference": 11}
{"ctx_id": "c,d", "zone": "memory", "token_count": 1200, "turn": 3, "references": 2}
"""


def _proposed(wiki: Path, assay: Command, *words: str) -> dict[str, Any]:
    done = assay(wiki, "eviction", "propose", *words, "--json", stdin=LINES)
    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    jsonschema.validate(found, schema_of("eviction-proposal", {}))
    return dict(found)


@pytest.mark.parametrize("name", ["EvictionCandidate", "EvictionExclusion"])
def test_what_is_printed_within_has_the_fields_of_its_model(name: str) -> None:
    shape, fields = getattr(printed_eviction, name), getattr(model, name).model_fields
    assert set(get_type_hints(shape)) == set(fields)
    assert {field for field in fields if fields[field].is_required()} <= set(shape.__required_keys__)


@pytest.mark.parametrize("name", ["EvictionProposal", "EvictionFeedback"])
def test_what_is_printed_has_the_fields_of_its_model_and_a_schema(name: str) -> None:
    shape, fields = getattr(printed_eviction, name), getattr(model, name).model_fields
    assert set(get_type_hints(shape)) == {"schema", *fields}


def test_items_are_valid_by_their_schema(wiki: Path, assay: Command) -> None:
    described = json.loads(assay(wiki, "schema", "context-item").out)
    assert described["$id"] == "assay/context-item/1"
    for line in LINES.splitlines():
        jsonschema.validate(json.loads(line), described)


def test_words_that_make_no_sense_are_refused(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "eviction", "propose", stdin=b"{}\n"), 2, "standard input:1: ctx_id: Field required")
    refused(assay(wiki, "eviction", "propose", "none.jsonl"), 2, "none.jsonl cannot be read")
    refused(assay(wiki, "eviction", "propose", stdin=LINES.splitlines()[0]), 1, "every item is the system prompt's")
    refused(assay(wiki, "eviction", "resolve", "ev-0123456789abcdef"), 2, "waits in workspace plant")
    wrong = assay(wiki, "eviction", "propose", "--limit", "1", "--need", "5")
    assert (wrong.code, "not allowed with" in wrong.err) == (2, True)


def test_a_proposal_is_shown_and_says_how_to_go_on(wiki: Path, assay: Command) -> None:
    (wiki / "items.jsonl").write_bytes(LINES)
    done = assay(wiki, "eviction", "propose", "items.jsonl", "--scope", "talk-1")
    head, columns, *rows, after = done.out.splitlines()
    proposal = head.partition(":")[0]
    assert head == f"{proposal}: 3 of 4 items, 4,500 tokens, by heuristic"
    assert columns.split() == ["ctx_id", "zone", "score", "age", "tokens", "snippet"]
    assert rows[0].split() == ["a", "workspace", "0.13", "10", "3,000", "read", "wiki/a.md"]
    assert after == f"git assay eviction resolve {proposal} --exclude ID,ID keeps some back"


def test_too_little_to_evict_is_told_and_proposed(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "eviction", "propose", "--need", "9000", stdin=LINES)
    assert (done.code, "3 of 4 items" in done.out) == (0, True)
    assert done.err == "note: all that may be evicted has 4,500 tokens, fewer than the 9,000 that are needed\n"


def test_what_is_kept_back_is_recorded_and_told(wiki: Path, assay: Command, refused: Command) -> None:
    proposal = _proposed(wiki, assay)["proposal_id"]
    words = ("eviction", "resolve", proposal)
    refused(assay(wiki, *words, "--exclude", "a,zz"), 2, "'zz' is no candidate")
    done = assay(wiki, *words, "--exclude", " a, b ", "--reason", "still needed", "--json")
    found = json.loads(done.out)
    jsonschema.validate(found, schema_of("eviction-feedback", {}))
    assert (found["evicted"], [one["ctx_id"] for one in found["excluded"]]) == (["c,d"], ["a", "b"])
    again = assay(wiki, *words, "--exclude", "b,a")
    assert again.out.splitlines() == [
        f"{proposal} was resolved so before, by llm",
        "evicted: c,d",
        "kept back: a: still needed",
        "kept back: b: still needed",
    ]
    refused(assay(wiki, *words), 1, "was resolved before, by llm; kept back: a, b")


def test_ids_with_commas_come_from_a_file(wiki: Path, assay: Command) -> None:
    proposal = _proposed(wiki, assay)["proposal_id"]
    done = assay(wiki, "eviction", "resolve", proposal, "--exclude-file", "-", "--by", "user", stdin=b"c,d\n\nb\n")
    assert done.out.splitlines() == [
        f"{proposal} is resolved, by user",
        "evicted: a",
        "kept back: c,d",
        "kept back: b",
    ]


def test_nobody_answered_is_said_so(wiki: Path, assay: Command, refused: Command) -> None:
    proposal = _proposed(wiki, assay, "--limit", "1")["proposal_id"]
    refused(assay(wiki, "eviction", "resolve", proposal, "--by", "auto", "--exclude", "a"), 2, "keeps nothing back")
    done = assay(wiki, "eviction", "resolve", proposal, "--by", "auto")
    assert done.out.splitlines() == [f"{proposal} is resolved, by auto", "evicted: a"]


def test_a_scorer_that_cannot_be_asked_is_told_and_the_heuristic_ranks(
    make_wiki: Callable[..., Path], assay: Command
) -> None:
    wiki = make_wiki({"assay.toml": '[workspace]\nname = "plant"\n\n[eviction]\nscorer = "scorer"\n'})
    done = assay(wiki, "eviction", "propose", "--limit", "1", stdin=LINES)
    assert (done.code, ", by heuristic\n" in done.out) == (0, True)
    assert done.err.startswith("note: what to leave out of a conversation is ranked without a model: claude-haiku-4-5")


def test_a_scorer_is_asked_and_named(
    make_wiki: Callable[..., Path], assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    rated = structured({"ratings": [{"ctx_id": name, "relevance_score": 0.1} for name in ("b", "prompt")]})
    with MessagesServer([rated]) as server:
        policy = '[workspace]\nname = "plant"\n\n[eviction]\nscorer = "cheap"\nguidance = "Plans are kept back."\n\n'
        wiki = make_wiki({"assay.toml": policy + server.toml("cheap", model="claude-haiku-4-5")})
        done = assay(wiki, "eviction", "propose", "--limit", "1", stdin=LINES)
    assert done.out.splitlines()[0].endswith(": 1 of 4 items, 300 tokens, by claude-haiku-4-5")
    assert server.bodies[0]["system"].endswith("Plans are kept back.\n")
    assert "prompt" not in [one["ctx_id"] for one in json.loads(server.bodies[0]["messages"][0]["content"])["items"]]
