from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.evals.metric import MetricResult
from gitops.evals.metrics.m1 import METRIC
from gitops.evals.registry import registry
from gitops.runs import overriding
from gitops.stats.intervals import wilson
from gitops.verify.judge import Question, Vote
from tests.evals.subjects import subject
from tests.runs.driving import Wiki, first_files, name, page

Judge = Callable[..., Any]
Make = Callable[..., Path]
NO_QUOTES = '[workspace]\nname = "tides"\n[citations]\nrequire = []\n'


def claims(*words: str, source: str = "raw/tides.md") -> str:
    listed = "\n\n".join(f"{each} is what it says.[^1]" for each in words)
    return f"# Page\n\n{listed}\n\n[^1]: {source}\n"


def wiki(*words: str, **more: str) -> dict[str, str]:
    files = {"assay.toml": NO_QUOTES, "raw/tides.md": "The tide turns.\n", "wiki/a.md": claims(*words)}
    return files | {path.replace("__", "/") + ".md": text for path, text in more.items()}


def by_name(question: Question) -> Vote:
    """Votes as the claim's first word says; a claim that begins with `perhaps` gets a vote that decides nothing."""
    named: Any = question.claim.split()[0].rstrip("0123456789").lower()
    if named == "perhaps":
        return Vote("supports", 0.7, "perhaps")
    return Vote(named, 0.9, f"it {named}", may_gate=True)


def measured(folder: Path, judge: Any = None, **options: Any) -> MetricResult:
    with subject(folder, judge=judge, **options) as made:
        return METRIC.compute(made)


def named(vote: str, number: int) -> list[str]:
    return [f"{vote}{at}" for at in range(number)]


def test_a_wiki_without_a_cited_claim_is_not_measured(make_repository: Make) -> None:
    found = measured(make_repository({"assay.toml": NO_QUOTES, "wiki/a.md": "# A\n\nNothing is cited.\n"}))
    assert (found.score, found.status, found.n) == (None, "not_measured", 0)
    assert "no page of tides has a claim that cites a source" in found.reason


def test_a_judge_that_abstains_on_everything_is_not_measured(make_repository: Make, make_judge: Judge) -> None:
    found = measured(make_repository(wiki(*named("abstained", 4))), make_judge(by_name))
    assert (found.score, found.status, found.n, found.interval) == (None, "not_measured", 0, None)
    assert found.counts["unjudged"] == 4
    assert found.reason.startswith(
        "4 of 4 claims have no vote that may decide; for one, wiki/a.md:3: the scripted judge"
    )
    assert {sample.status for sample in found.samples} == {"abstained"}


def test_more_than_half_without_a_vote_is_not_measured_and_exactly_half_is(
    make_repository: Make, make_judge: Judge
) -> None:
    more = measured(make_repository(wiki(*named("supports", 3), *named("perhaps", 4))), make_judge(by_name))
    assert (more.score, more.status, more.n) == (None, "not_measured", 3)
    half = measured(
        make_repository(wiki(*named("supports", 4), *named("perhaps", 4)), name="half"), make_judge(by_name)
    )
    assert (half.score, half.status, half.n) == (1.0, "healthy", 4)


def test_no_judge_at_all_is_not_measured(make_repository: Make) -> None:
    files = wiki("supports") | {"assay.toml": NO_QUOTES + '[verify]\njudge = "none"\n'}
    found = measured(make_repository(files))
    assert found.status == "not_measured"
    assert found.reason.endswith("there is no judge")


def test_a_judge_that_gives_no_answer_is_no_number(make_repository: Make, make_judge: Judge) -> None:
    def silent(question: Question) -> Vote:
        raise CannotRun("the network is down", "wait")

    with pytest.raises(CannotRun, match="the network is down"):
        measured(make_repository(wiki("supports")), make_judge(silent))


def test_the_score_is_that_of_the_specification(make_repository: Make, make_judge: Judge) -> None:
    """Worked out by hand: 7 supports / (7 + 1 partly + 1 not + 1 missing) = 0.7; two without a vote count nowhere."""
    words = [*named("supports", 7), "partially_supports", "does_not_support", *named("perhaps", 2)]
    files = wiki(*words, wiki__gone=claims("supports", source="raw/gone.md"))
    found = measured(make_repository(files), make_judge(by_name))
    assert found.score == 0.7
    assert (found.status, found.n) == ("broken", 10)
    assert found.interval == pytest.approx(wilson(7, 10), abs=1e-6)
    assert found.interval == pytest.approx((0.396778, 0.892209), abs=1e-6)
    assert found.counts == {
        "claims": 12,
        "sampled": 12,
        "supports": 7,
        "partially_supports": 1,
        "does_not_support": 1,
        "source_missing": 1,
        "unjudged": 2,
        "unverified": 0,
        "overridden": 0,
    }
    assert sorted(one["vote"] for one in found.details["failing"]) == [
        "does_not_support",
        "partially_supports",
        "source_missing",
    ]
    assert found.details["overrides"] is None
    assert found.used.calls == 11  # all but the claim whose source is missing


@pytest.mark.parametrize(
    ("right", "wrong", "status"), [(19, 1, "healthy"), (18, 2, "degraded"), (17, 3, "degraded"), (16, 4, "broken")]
)
def test_the_cuts_are_those_of_the_specification(
    make_repository: Make, make_judge: Judge, right: int, wrong: int, status: str
) -> None:
    words = [*named("supports", right), *named("does_not_support", wrong)]
    assert measured(make_repository(wiki(*words)), make_judge(by_name)).status == status


def test_fifty_claims_are_drawn_unless_another_number_is_asked_for(make_repository: Make, make_judge: Judge) -> None:
    folder = make_repository(wiki(*named("supports", 70)))
    assert measured(folder, make_judge(by_name)).n == 50
    assert measured(folder, make_judge(by_name), size=7).n == 7


def test_it_says_by_what_it_was_measured_and_of_which_topics(make_repository: Make, make_judge: Judge) -> None:
    files = wiki(*named("supports", 3), wiki__rivers__b=claims("does_not_support"))
    found = measured(make_repository(files), make_judge(by_name), seed=5)
    assert found.instrument["judges"] == [{"id": "scripted", "version": "1", "digest": "d" * 64}]
    sample = found.instrument["sample"]
    assert (sample["seed"], sample["size"], sample["strata"]) == (5, 50, {"": 3, "rivers": 1})
    assert found.details["strata"] == {
        "": {"claims": 3, "sampled": 3, "judged": 3, "supports": 3},
        "rivers": {"claims": 1, "sampled": 1, "judged": 1, "supports": 0},
    }
    wrong = next(one for one in found.samples if one.status == "fail")
    assert (wrong.tags, wrong.scores) == (("rivers",), {"M1": 0.0})
    assert wrong.details["page"] == "wiki/rivers/b.md"


def test_a_second_measurement_of_the_same_asks_no_model(make_repository: Make, make_judge: Judge) -> None:
    folder = make_repository(wiki(*named("supports", 5)))
    first, second = make_judge(by_name), make_judge(by_name)
    found = measured(folder, first)
    assert len(first.asked) == 1
    again = measured(folder, second)
    assert second.asked == []
    assert (again.score, again.samples) == (found.score, found.samples)


@pytest.mark.slow
def test_claims_that_landed_without_the_verifiers_yes_are_counted_apart(
    make_repository: Make, make_judge: Judge
) -> None:
    made = Wiki(make_repository({**first_files(), **sound(range(6))}))
    assert made.finish(made.run({name(6): page(6)}), no_verify=True).result == "landed"
    bad = made.run({name(7): page(7, "the sea stands still for ever and ever")})
    assert made.finish(bad).result == "rejected"
    overriding.override(made.context(), bad.id, "the source is wrong")
    found = measured(made.folder, make_judge(lambda question: Vote("supports", 1.0, "yes", may_gate=True)))
    # Six sound claims, one unverified and right, one overridden and misquoted: 7 of 8.
    assert found.score == 0.875
    assert (found.counts["unverified"], found.counts["overridden"]) == (1, 1)
    apart = found.details["unverified"]
    assert (apart["n"], apart["share"], apart["n_without"]) == (1, 1.0, 7)
    assert apart["share_without"] == pytest.approx(6 / 7)
    overrides = found.details["overrides"]
    assert (overrides["runs"], overrides["share"], overrides["share_without"]) == ([bad.id], 0.0, 1.0)
    assert overrides["phi"] == -1.0  # the one overridden claim is wrong, and no other is
    assert sorted(tag for sample in found.samples for tag in sample.tags) == ["overridden", "unverified"]


def sound(numbers: Sequence[int]) -> dict[str, str]:
    return {name(number): page(number) for number in numbers}


def test_the_registry_knows_it() -> None:
    assert registry()["M1"] is METRIC
    assert (METRIC.when, METRIC.unit, METRIC.is_judged) == ("weekly", "share", True)
    assert METRIC.cuts is not None
    assert (METRIC.cuts.healthy, METRIC.cuts.degraded) == (0.95, 0.85)
