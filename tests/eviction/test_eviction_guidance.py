from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.eviction import opening
from gitops.eviction.features import rows
from gitops.eviction.guidance import guidance, toml
from gitops.eviction.model import ContextItem
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find
from tests.eviction.resolutions import candidate, many, resolved
from tests.messages_server import Answer, MessagesServer, structured

PAIRS = [*many(30, 40), *many(1, 25, "workspace", age=9), *many(5, 19, "memory")]


def test_a_line_tells_how_often_a_kind_was_kept_back() -> None:
    lines = [line for line in guidance(rows(PAIRS)).splitlines() if line.startswith("- ")]
    assert [line.split(";")[1].strip() for line in lines] == ["score about 0.75", "score about 0.04"]
    assert lines[0].startswith("- chronicle, 2-3 turns since its last use: 75% of 40 (")
    assert lines[1].startswith("- workspace, 8-15 turns since its last use: 4% of 25 (")


def test_of_few_cases_nothing_is_told_and_of_nobodys_words_anything() -> None:
    assert guidance(rows(many(5, 19))) == ""
    words = "do as I say"
    made = [resolved([candidate(f"{words} {at}", snippet=words)], number=at, reason=words) for at in range(30)]
    assert words not in guidance(rows(made))
    assert guidance(rows(made)) != ""


def test_the_table_is_read_again_as_the_same_words() -> None:
    told = guidance(rows(PAIRS))
    assert tomllib.loads(toml(told))["eviction"]["guidance"] == told


@pytest.mark.slow
def test_a_preset_that_scores_is_told_it_and_scores_accordingly(
    make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variant B of silas 19.5: the same model, and a prompt that tells it of its mistakes."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    monkeypatch.delenv("ASSAY_LLM", raising=False)
    told = guidance(rows(PAIRS))

    def script(body: dict[str, Any], number: int) -> Answer:
        items = json.loads(body["messages"][0]["content"])["items"]
        score = 0.75 if "score about 0.75" in json.dumps(body["system"]) else 0.1
        return structured({"ratings": [{"ctx_id": one["ctx_id"], "relevance_score": score} for one in items]})

    with MessagesServer(script) as server:
        preset = server.toml("cheap", model="claude-haiku-4-5")
        for policy, score in (("", 0.1), (toml(told).removeprefix("[eviction]\n"), 0.75)):
            text = f'[workspace]\nname = "tides"\n{preset}\n[eviction]\nscorer = "cheap"\n{policy}'
            folder = make_repository({"assay.toml": text, "wiki/index.md": "# Index\n"}, name=f"at-{score}")
            context = Context(open_repository(folder))
            scorer = opening.scorer(context, find(context.repository, "HEAD"), "query")
            assert scorer is not None
            item = ContextItem(ctx_id="a", zone="chronicle", token_count=90)
            assert scorer.scores([item], 3, "") == {"a": score}
