"""M3 by the real offline answerer, in a small wiki; by answerers that fail, and months apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.assembly import answered
from gitops.config import Budget
from gitops.errors import CannotRun, OutOfBudget
from gitops.evals.registry import chosen
from gitops.evals.running import Wanted, measured
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import measurements
from gitops.runs.answered import Answered
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement
from gitops.runs.workspace import find
from gitops.usage import Usage
from tests.messages_server import MessagesServer, tool_use

CLOCK = datetime(2024, 3, 1, 8, 0, 0, tzinfo=UTC)
ENTRY = """\
- id: {id}
  query: {query}
  expected_topics: [{topics}]
  expected_citations: [{citations}]
  authored_at: 2024-01-01
"""
SOLVENT = {"id": "solvent", "query": "How much solvent did the plant in Lindau use?", "topics": "plant"}
GENOA = {"id": "genoa", "query": "When was the harbour in Genoa dredged?", "topics": "docks"}
PARIS = {"id": "paris", "query": "Who founded the city of Paris?", "topics": "", "citations": ""}


def gold(*entries: Mapping[str, str]) -> str:
    sources = {"solvent": "raw/report.md", "genoa": "raw/harbour.md"}
    return "".join(ENTRY.format(**{"citations": sources.get(each["id"], ""), **each}) for each in entries)


@pytest.fixture
def wiki(make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]) -> Path:
    return make_repository({**wiki_files, "gold/queries.yaml": gold(SOLVENT, GENOA, PARIS)})


def measure(folder: Path, answering: Any = answered, days: int = 0, **wanted: Any) -> Measurement:
    """M3 of the tip, some days after the first day, kept."""
    context = Context(open_repository(folder), lambda: CLOCK + timedelta(days=days))
    commit = resolve(context.repository, "HEAD")
    workspace = find(context.repository, commit)
    [one] = measured(context, workspace, commit, Wanted(chosen("M3"), answering=answering, **wanted))
    return measurements.append(context, one.measurement)


def score(made: Measurement) -> tuple[float | None, str]:
    return made.metrics["M3"].value, made.metrics["M3"].status


@dataclass
class Scripted:
    """Answers by a rule, for so many dollars each, and writes down its budgets."""

    rule: Callable[[str], Answered]
    budgets: list[Budget] = field(default_factory=list)

    def __call__(
        self, context: Context, workspace: Any, commit: str, question: str, preset: str, budget: Budget
    ) -> Answered:
        self.budgets.append(budget)
        return self.rule(question)


def right(question: str) -> Answered:
    if "Paris" in question:
        return Answered((), (), True, 2, 10.0)
    topic, source = ("plant", "raw/report.md") if "solvent" in question else ("docks", "raw/harbour.md")
    return Answered((topic,), (source,), False, 4, 20.0, Usage(100, 10, usd=0.5, calls=1), "a-model")


def wrong(question: str) -> Answered:
    return Answered((), (), True, 1, 1.0, model="a-model")


# -- not measured ------------------------------------------------------------------------------------------------------


def test_without_gold_nothing_is_measured(make_repository: Callable[..., Path], wiki_files: Mapping[str, Any]) -> None:
    made = measure(make_repository(wiki_files))
    assert score(made) == (None, "not_measured")
    assert "git assay eval gold add" in made.reason


def test_gold_that_cannot_be_read_measures_nothing_and_is_told(wiki: Path, commit_files: Callable[..., str]) -> None:
    commit_files(wiki, {"gold/queries.yaml": "- query: How?\n"})
    made = measure(wiki)
    assert score(made) == (None, "not_measured")
    assert "gold/queries.yaml:1: 'authored_at' is missing (and 2 more)" in made.reason


def test_without_an_answerer_nothing_is_measured(wiki: Path) -> None:
    assert score(measure(wiki, None)) == (None, "not_measured")


def test_where_no_model_may_be_asked_none_is(wiki: Path) -> None:
    scripted = Scripted(right)
    made = measure(wiki, scripted, only_kept=True, preset="claude")
    assert (score(made), scripted.budgets) == ((None, "not_measured"), [])
    assert measure(wiki, scripted, only_kept=True).metrics["M3"].value == 1.0


def test_where_more_than_half_fail_nothing_is_measured_and_the_rest_is_not_asked(wiki: Path) -> None:
    def rule(question: str) -> Answered:
        raise CannotRun("the network is down")

    scripted = Scripted(rule)
    made = measure(wiki, scripted)
    assert score(made) == (None, "not_measured")
    assert made.reason == "2 of 3 queries failed, the first: the network is down"
    assert [sample.status for sample in made.samples] == ["error", "error", "skipped"]
    assert len(scripted.budgets) == 2


def test_where_the_budget_runs_out_nothing_is_measured_and_what_was_answered_is_kept(wiki: Path) -> None:
    def rule(question: str) -> Answered:
        if "Genoa" in question:
            raise OutOfBudget("the next call may cost too much")
        return right(question)

    made = measure(wiki, Scripted(rule))
    assert score(made) == (None, "not_measured")
    assert made.reason.startswith("the budget of [llm.budgets.eval] ran out after 1 of 3 queries: the next call")
    assert [sample.status for sample in made.samples] == ["pass", "skipped", "skipped"]
    assert made.used == {"input_tokens": 100, "output_tokens": 10, "usd": 0.5}
    assert made.metrics["M3"].counts["answered"] == 1


# -- measured ----------------------------------------------------------------------------------------------------------


def test_the_offline_answerer_answers_what_stands_there_and_refuses_the_rest(wiki: Path) -> None:
    made = measure(wiki)
    assert score(made) == (1.0, "healthy")
    assert {sample.id: sample.status for sample in made.samples} == dict.fromkeys(("solvent", "genoa", "paris"), "pass")
    assert made.metrics["M3"].counts == {
        "queries": 3,
        "answered": 3,
        "refused": 1,
        "errors": 0,
        "tool_calls": 3,
        "unfounded": 0,
    }
    assert (made.subject["preset"], made.subject["model"], made.instrument["queries"]) == ("offline", "", 3)
    assert "4,200 litres" in made.samples[0].details["answer"]["text"]


def test_the_score_is_the_product_of_the_means(wiki: Path, commit_files: Callable[..., str]) -> None:
    """By hand: topics 1/2, 1, 1 → 5/6; citations 1, 1/2, 1 → 5/6; together 25/36."""
    entries = [{**SOLVENT, "topics": "plant, docks"}, {**GENOA, "citations": "raw/harbour.md, raw/report.md"}, PARIS]
    commit_files(wiki, {"gold/queries.yaml": gold(*entries)})
    made = measure(wiki)
    assert score(made) == (round(25 / 36, 6), "degraded")
    number = made.metrics["M3"]
    assert (number.n, number.unit) == (3, "product")
    assert number.interval is not None
    assert number.interval[0] < 25 / 36 < number.interval[1]
    assert number.uncertain is not None
    assert number.uncertain.cut == 0.80
    # The end at the cut's side comes to the cut as the sample grows by the square of the two distances' ratio.
    wider = (number.interval[1] - 0.694444) / (0.80 - 0.694444)
    assert number.uncertain.settled_by == math.ceil(3 * wider**2)
    assert (made.details["topic_overlap"], made.details["citation_overlap"]) == (round(5 / 6, 6), round(5 / 6, 6))
    assert [worst["id"] for worst in made.details["worst"]] == ["genoa", "solvent"]
    assert made.details["worst"][1]["expected"]["topics"] == ["plant", "docks"]
    assert made.details["worst"][1]["got"]["topics"] == ["plant"]


def test_a_query_that_loses_its_source_brings_the_score_down(wiki: Path, commit_files: Callable[..., str]) -> None:
    assert score(measure(wiki)) == (1.0, "healthy")
    commit_files(wiki, {"raw/harbour.md": None, "wiki/docks.md": "# Docks\n\nNothing is known of them.\n"})
    made = measure(wiki, days=30)
    assert score(made) == (round(4 / 9, 6), "broken")  # 2/3 of topics, 2/3 of citations
    assert made.metrics["M3"].counts["unfounded"] == 1
    assert "there is no source 'raw/harbour.md'" in made.details["unfounded"][0]
    assert made.details["trend"]["drop"] == round(5 / 9, 6)


def test_the_gold_of_the_commit_is_asked_and_not_the_working_trees(wiki: Path) -> None:
    (wiki / "gold/queries.yaml").write_text("[]\n")
    assert measure(wiki).metrics["M3"].n == 3


def test_what_failed_is_counted_and_left_out_of_the_mean(wiki: Path) -> None:
    def rule(question: str) -> Answered:
        if "Genoa" in question:
            raise CannotRun("the model refused to answer")
        return right(question)

    made = measure(wiki, Scripted(rule))
    assert score(made) == (1.0, "healthy")
    assert (made.metrics["M3"].n, made.metrics["M3"].counts["errors"]) == (2, 1)
    assert made.samples[1].error == "the model refused to answer"


def test_each_query_has_what_those_before_it_left_of_the_budget(wiki: Path, commit_files: Callable[..., str]) -> None:
    policy = (wiki / "assay.toml").read_text() + "[llm.budgets.eval]\nusd = 2.0\ninput_tokens = 150\n"
    commit_files(wiki, {"assay.toml": policy})
    scripted = Scripted(right)
    made = measure(wiki, scripted)
    assert [(each.usd, each.input_tokens) for each in scripted.budgets] == [(2.0, 150), (1.5, 50), (1.0, 1)]
    assert made.used["usd"] == 1.0
    assert made.details["tool_calls"] == pytest.approx(10 / 3, abs=1e-6)


# -- month over month --------------------------------------------------------------------------------------------------


def mostly(question: str) -> Answered:
    return wrong(question) if "Genoa" in question else right(question)


def test_falling_in_a_month_is_broken_and_steady_and_low_is_degraded(wiki: Path) -> None:
    assert score(measure(wiki, Scripted(right))) == (1.0, "healthy")
    low = round(4 / 9, 6)
    assert score(measure(wiki, Scripted(mostly), days=7)) == (low, "degraded")  # no month has passed
    assert score(measure(wiki, Scripted(mostly), days=30)) == (low, "broken")
    assert score(measure(wiki, Scripted(mostly), days=60)) == (low, "degraded")
    assert score(measure(wiki, Scripted(right), days=90)) == (1.0, "healthy")


@pytest.mark.parametrize(
    ("first", "then", "status"),
    [
        (95, 90, "healthy"),
        (95, 89, "broken"),  # by 0.06, and still above 0.80
        (84, 79, "degraded"),
        (70, 75, "degraded"),
        (70, 64, "broken"),
        (75, 80, "healthy"),
    ],
)
def test_the_status_follows_the_score_and_the_fall(
    wiki: Path, commit_files: Callable[..., str], first: int, then: int, status: str
) -> None:
    """One query of a hundred sources, of which an answer cites so many: the score is that share."""
    sources = [f"raw/{number}.md" for number in range(100)]
    commit_files(wiki, {"gold/queries.yaml": gold({**SOLVENT, "citations": ", ".join(sources)})})

    def citing(count: int) -> Scripted:
        return Scripted(lambda question: Answered(("plant",), tuple(sources[:count]), False, 1, 1.0))

    assert measure(wiki, citing(first)).metrics["M3"].value == first / 100
    assert score(measure(wiki, citing(then), days=30)) == (then / 100, status)


def test_a_fall_is_seen_though_a_month_was_not_measured(wiki: Path) -> None:
    def rule(question: str) -> Answered:
        raise CannotRun("the network is down")

    assert score(measure(wiki, Scripted(right))) == (1.0, "healthy")
    assert score(measure(wiki, Scripted(rule), days=30)) == (None, "not_measured")
    made = measure(wiki, Scripted(mostly), days=60)
    assert score(made) == (round(4 / 9, 6), "broken")
    assert (made.details["trend"]["drop"], made.details["trend"]["months"]) == (round(5 / 9, 6), 2.0)


def test_another_answerer_or_gold_is_no_fall_and_is_told(wiki: Path, commit_files: Callable[..., str]) -> None:
    assert score(measure(wiki, Scripted(right))) == (1.0, "healthy")
    made = measure(wiki, Scripted(wrong), days=30, preset="claude")
    assert score(made) == (round(1 / 9, 6), "degraded")
    assert "another preset" in made.details["trend"]["reason"]
    commit_files(wiki, {"gold/queries.yaml": gold(SOLVENT, {**GENOA, "topics": "plant"})})
    made = measure(wiki, Scripted(right), days=30)
    assert made.details["trend"]["reason"] == "that of 2024-03-01 was measured with another gold: no trend"


# -- a model that answers ----------------------------------------------------------------------------------------------


def test_a_model_is_asked_through_the_query_workflow_and_paid_from_the_budget_of_evaluations(
    make_repository: Callable[..., Path], wiki_files: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    quote = "The harbour in Genoa was dredged in the spring of 1994"
    said = {"text": "In 1994.", "citations": [{"path": "wiki/docks.md", "quote": quote}], "refused": False}
    nothing = {"text": "Of Paris the wiki says nothing.", "citations": [], "refused": True}
    script = [tool_use("read", {"path": "wiki/docks.md"}), tool_use("answer", said), tool_use("answer", nothing)]
    with MessagesServer(script) as server:
        policy = f"{wiki_files['assay.toml']}\n{server.toml('claude')}"
        folder = make_repository({**wiki_files, "assay.toml": policy, "gold/queries.yaml": gold(GENOA, PARIS)})
        made = measure(folder, preset="claude")
    assert score(made) == (1.0, "healthy")
    assert (made.subject["preset"], made.subject["model"]) == ("claude", "claude-sonnet-5-5")
    asked, refused = made.samples
    assert (asked.details["topics"], asked.details["citations"]) == (["docks"], ["raw/harbour.md"])
    assert (refused.details["topics"], refused.status) == ([], "pass")
    assert made.used["usd"] > 0
    assert asked.tokens is not None
    assert asked.tokens > (refused.tokens or 0) > 0
    assert (asked.scores or {})["tool_calls"] > (refused.scores or {})["tool_calls"]
    assert '"run_type":"eval"' in "".join(path.read_text() for path in (folder / ".git/assay").glob("llm-usage-*"))
