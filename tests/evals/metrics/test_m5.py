from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.evals.metric import MetricResult
from gitops.evals.metrics.m5 import METRIC
from gitops.evals.registry import registry
from gitops.runs.seating import Asking
from gitops.stats.clustered import clustered
from gitops.stats.intervals import wilson
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote
from gitops.verify.judgements import Remembered
from tests.evals.subjects import subject

Make = Callable[..., Path]
POLICY = '[workspace]\nname = "mills"\n[citations]\nrequire = []\n'
CITED = "\n[^1]: raw/report.md\n"


@dataclass
class PairJudge:
    """A judge that votes as a rule has it; it costs something, so that its votes are remembered."""

    rule: Callable[[PairQuestion], PairVote]
    id: str = "scripted"
    version: str = "1"
    digest: str = "e" * 64
    is_free: bool = False
    asked: list[PairQuestion] = field(default_factory=list)

    @property
    def used(self) -> Usage:
        return Usage(input=100 * len(self.asked), calls=len(self.asked)) if self.asked else NOTHING

    def gate(self, vote: ClaimVote) -> float | None:
        return 0.0

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        raise AssertionError("nobody asks for claims here")

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        self.asked += questions
        return [self.rule(question) for question in questions]


def by_words(question: PairQuestion) -> PairVote:
    """Votes as either claim says; without such a word the two are independent. `perhaps` decides nothing."""
    words = f"{question.a} {question.b}"
    names: Any = ("direct_contradiction", "partial_contradiction", "supports", "abstained")
    vote: Any = next((name for name in names if name in words), "independent")
    return PairVote(vote, 0.9, f"it says {vote}", may_gate=vote != "abstained" and "perhaps" not in words)


def wiki(mill: str, **others: str) -> dict[str, str]:
    pages = {f"wiki/{name}.md": f"# {name.title()}\n\n{text}\n{CITED}" for name, text in others.items()}
    index = "# Index\n\n- [[mill]]\n"
    head = {"assay.toml": POLICY, "raw/report.md": "The mill.\n", "wiki/index.md": index, "wiki/log.md": "# Log\n"}
    return {**head, "wiki/mill.md": f"# Mill\n\n{mill}\n{CITED}", **pages}


def measured(folder: Path, judge: Any = None, **options: Any) -> MetricResult:
    with subject(folder, judge=judge, **options) as made:
        return METRIC.compute(made)


def lines(*words: str) -> str:
    return "\n\n".join(f"The mill {each} here.[^1]" for each in words)


def test_the_registry_finds_it() -> None:
    metric = registry()["M5"]
    assert (metric.when, metric.unit, metric.is_judged, metric.direction) == ("weekly", "share", True, "higher")
    assert metric.cuts is not None
    assert [metric.cuts.status(score) for score in (0.95, 0.9499, 0.85, 0.8499)] == [
        "healthy",
        "degraded",
        "degraded",
        "broken",
    ]


def test_a_wiki_without_an_index_is_not_measured(make_repository: Make) -> None:
    found = measured(make_repository({"assay.toml": POLICY, "wiki/mill.md": "# Mill\n"}))
    assert (found.score, found.status, found.n, found.interval) == (None, "not_measured", 0, None)
    assert found.reason == "there is no wiki/index.md to draw topics from"


def test_an_empty_wiki_is_not_measured(make_repository: Make) -> None:
    found = measured(make_repository({"assay.toml": POLICY, "wiki/index.md": "# Index\n"}))
    assert (found.score, found.reason) == (None, "wiki/index.md leads to no page that states anything")


def test_a_wiki_whose_pages_never_speak_of_the_same_is_not_measured(make_repository: Make) -> None:
    found = measured(make_repository(wiki(lines("is old"), town="The town is small.[^1]")))
    assert found.score is None
    assert found.reason == "of 1 topic drawn from wiki/index.md none is spoken of in different words on two pages"


def test_a_judge_that_abstains_on_everything_is_not_measured(make_repository: Make) -> None:
    folder = make_repository(wiki(lines("one", "two"), town=lines("abstained", "abstained too")))
    found = measured(folder, PairJudge(by_words))
    assert (found.score, found.status, found.n) == (None, "not_measured", 0)
    assert found.counts["unjudged"] == 4
    assert found.reason.startswith("4 of 4 pairs have no vote that may decide (scripted); for one, wiki/")
    assert {one.status for one in found.samples} == {"abstained"}


@pytest.mark.parametrize(("unsure", "score"), [(2, None), (1, 1.0)])
def test_votes_that_decide_nothing_count_as_none(make_repository: Make, unsure: int, score: float | None) -> None:
    """Of three pairs two, or one: more than half unjudged is not measured."""
    town = lines(*["perhaps one", "perhaps two"][:unsure], *["is new", "is red"][: 3 - unsure])
    found = measured(make_repository(wiki(lines("is old"), town=town)), PairJudge(by_words))
    assert (found.score, found.n, found.counts["unjudged"]) == (score, 3 - unsure, unsure)


def test_a_judge_that_fails_leaves_no_number(make_repository: Make) -> None:
    def rule(question: PairQuestion) -> PairVote:
        raise CannotRun("the network is down", "wait")

    with pytest.raises(CannotRun, match="network"):
        measured(make_repository(wiki(lines("is old"), town=lines("is new"))), PairJudge(rule))


def test_by_hand(make_repository: Make) -> None:
    """Five statements against four of another page: 20 pairs. One says `direct_contradiction`: its 4 pairs; one of the
    other page `partial_contradiction`: 4 more of the rest; one `supports`: its 3 left. M5 = (3 + 9) / 20.
    """
    mill = lines("direct_contradiction", "supports", "is old", "is red", "is tall")
    town = lines("partial_contradiction", "is new", "is small", "is round")
    found = measured(make_repository(wiki(mill, town=town)), PairJudge(by_words))
    assert (found.n, found.score, found.status) == (20, 0.6, "broken")
    votes = ("supports", "independent", "direct_contradiction", "partial_contradiction")
    assert [found.counts[vote] for vote in votes] == [3, 9, 4, 4]
    bounds = wilson(12, 20)
    assert bounds is not None
    assert found.interval == pytest.approx(bounds, abs=1e-6)
    assert found.details["of_the_same"] == {"supports": 3, "contradictions": 8}
    assert [one.status for one in found.samples].count("fail") == 8


def test_the_interval_knows_that_pairs_of_a_topic_go_together(make_repository: Make) -> None:
    files = wiki(lines("is old"), town=f"{lines('is red')}\n\nThe forge is direct_contradiction here.[^1]")
    files["wiki/forge.md"] = f"# Forge\n\nIt is hot in the forge.[^1]\n{CITED}"
    files["wiki/index.md"] += "- [[forge]]\n"
    found = measured(make_repository(files), PairJudge(by_words))
    assert (found.score, found.n) == (0.5, 2)
    assert found.details["design_effect"] == 2
    expected = clustered([(1, 1), (0, 1)])
    assert expected is not None
    assert found.interval == pytest.approx(expected, abs=1e-6)


def test_contradictions_are_shown_with_both_places_the_flat_ones_first(make_repository: Make) -> None:
    mill = "It stands in Lindau.[^1]"
    town = lines("partial_contradiction", "direct_contradiction")
    found = measured(make_repository(wiki(mill, town=town)), PairJudge(by_words))
    first, second = found.details["contradictions"]
    assert [first["vote"], second["vote"]] == ["direct_contradiction", "partial_contradiction"]
    assert {key: first[key] for key in ("topic", "confidence", "judge")} == {
        "topic": "Mill",
        "confidence": 0.9,
        "judge": "scripted",
    }
    assert first["reason"] == "it says direct_contradiction"
    places = sorted((first["a"], first["b"]), key=lambda place: str(place["page"]))
    assert places == [
        {
            "page": "wiki/mill.md",
            "line": 3,
            "claim": "It stands in Lindau.",
            "citation": "raw/report.md",
            "sources": ["raw/report.md"],
        },
        {
            "page": "wiki/town.md",
            "line": 5,
            "claim": "The mill direct_contradiction here.",
            "citation": "raw/report.md",
            "sources": ["raw/report.md"],
        },
    ]
    (fail, *_) = [one for one in found.samples if one.id == first["id"]]
    assert (fail.status, fail.scores, fail.details["vote"]) == ("fail", {"M5": 0.0}, "direct_contradiction")


def test_it_asks_with_the_topic_and_no_pair_twice(make_repository: Make) -> None:
    folder = make_repository(wiki(lines("is old"), town=lines("is new")))
    judge = PairJudge(by_words)
    first = measured(folder, judge)
    assert [question.topic for question in judge.asked] == ["Mill"]
    assert first.used.calls == 1
    assert measured(folder, again := PairJudge(by_words)).score == first.score
    assert again.asked == []


def test_a_rehearsal_asks_nobody_and_tells_what_would_be_asked(make_repository: Make) -> None:
    asking, judge = Asking(only_kept=True), PairJudge(by_words)
    found = measured(make_repository(wiki(lines("is old"), town=lines("is new"))), judge, asking=asking)
    assert (found.score, judge.asked) == (None, [])
    (remembered,) = asking.panel.judges
    assert isinstance(remembered, Remembered)
    assert len(remembered.unasked) == 1


def test_the_same_again_is_the_same_and_another_seed_or_size_says_so(make_repository: Make) -> None:
    folder = make_repository(wiki(lines("is old"), town=lines("is new")))
    one, again = measured(folder), measured(folder)
    assert one == again
    assert one.instrument["sample"]["seed"] == 0
    other = measured(folder, seed=3, size=7)
    assert other.instrument["sample"] == {**one.instrument["sample"], "seed": 3, "size": 7}


def test_offline_a_page_that_contradicts_another_makes_it_fall(make_repository: Make) -> None:
    mill = "The mill employs 40 people in two halls.[^1]\n\nThe mill stands on the left bank of the river.[^1]"
    sound = measured(make_repository(wiki(mill, town="The mill burned down once.[^1]"), name="sound"))
    assert (sound.score, sound.status) == (1.0, "healthy")
    wrong = measured(make_repository(wiki(mill, town="The mill employs 60 people in two halls.[^1]"), name="wrong"))
    assert (wrong.score, wrong.status) == (0.5, "broken")
    (only,) = wrong.details["contradictions"]
    assert only["vote"] == "direct_contradiction"
    assert only["judge"] == "offline"
    assert "'40 people' and '60 people'" in only["reason"] or "'60 people' and '40 people'" in only["reason"]


def test_offline_dated_survivors_are_no_contradiction(make_repository: Make) -> None:
    mill = "As of 2019-05-01, the mill employs 40 people in two halls.[^1] The mill stands by the river.[^1]"
    found = measured(make_repository(wiki(mill, town="The mill employs 60 people in two halls.[^1]")))
    assert (found.score, found.counts["direct_contradiction"]) == (1.0, 0)
