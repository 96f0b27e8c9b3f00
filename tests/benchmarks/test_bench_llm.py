"""What the Claude judge costs, measured where the wiki is; and how its time is."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import llm_concurrency, llm_tokens
from benchmarks.timing import Options, Unavailable

pytestmark = pytest.mark.slow

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"


def test_without_the_wiki_nothing_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(llm_tokens.WIKIS, str(tmp_path))
    with pytest.raises(Unavailable, match="citadel-beverages"):
        llm_tokens.run(Options(tmp_path, rounds=1))


@pytest.mark.skipif(not (WIKIS / "citadel-beverages").is_dir(), reason="the wiki is not here")
def test_fifty_claims_cost_at_most_twenty_thousand_tokens_and_nothing_the_second_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(llm_tokens.WIKIS, str(WIKIS))
    tokens, again = llm_tokens.run(Options(tmp_path, rounds=1))
    assert tokens.size == 50
    assert tokens.seconds[0] > 5
    assert tokens.within
    assert (again.seconds, again.within) == ((0,), True)
    asked = llm_tokens.questions(llm_tokens.wiki(), 50)
    assert len({question.source for question in asked}) == 14
    assert all(question.span for question in asked)


def test_every_source_is_a_request_of_its_own(tmp_path: Path) -> None:
    asked = llm_concurrency.questions(40)
    assert len({question.source for question in asked}) == 40
    [ratio] = llm_concurrency.run(Options(tmp_path, rounds=1, scale=0.02))
    assert (ratio.size, ratio.floor_seconds) == (4, (llm_concurrency.LATENCY_S,))
    assert ratio.seconds[0] >= llm_concurrency.LATENCY_S
