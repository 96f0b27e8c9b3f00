from __future__ import annotations

from random import Random

import pytest

from gitops.eviction.model import EvictionFeedback, EvictionProposal
from gitops.eviction.rates import age_band, rates, score_band
from gitops.stats.intervals import wilson
from gitops.stats.student import student
from tests.eviction.resolutions import candidate, many, resolved

Pairs = list[tuple[EvictionProposal, EvictionFeedback]]


def kinds(pairs: Pairs) -> list[tuple[str, str]]:
    return [(each.kind, each.of) for each in rates(pairs).remarks]


def test_rates_count_what_was_kept_back_by_zone_age_score_and_scope() -> None:
    pairs = many(3, 10) + many(1, 4, "workspace", 0.05, age=20, scope="other")
    found = rates(pairs)
    assert (found.overall.kept, found.overall.n) == (4, 14)
    assert found.overall.rate == pytest.approx(4 / 14)
    assert [(each.name, each.kept, each.n) for each in found.zones] == [("chronicle", 3, 10), ("workspace", 1, 4)]
    assert [(each.name, each.n) for each in found.ages] == [("2-3", 10), ("16-31", 4)]
    assert [(each.name, each.n) for each in found.scores] == [("0-0.1", 4), ("0.2-0.3", 10)]
    assert [(each.name, each.kept, each.proposals) for each in found.scopes] == [("other", 1, 4), ("talk", 3, 10)]
    assert found.zones[0].score == pytest.approx(0.2)


def test_what_was_resolved_by_itself_is_counted_and_in_no_rate() -> None:
    pairs = [*many(1, 2), resolved([candidate("x")], number=50, by="auto")]
    found = rates(pairs)
    assert found.resolved == {"llm": 2, "user": 0, "auto": 1}
    assert found.overall.n == 2
    alone = rates(pairs[2:])
    assert (alone.overall.n, alone.overall.rate, alone.overall.interval) == (0, None, None)


def test_an_interval_is_wilsons_of_independent_candidates_and_wider_of_proposals_that_fall_together() -> None:
    single = rates(many(10, 40)).overall
    assert single.interval == wilson(10 / 40 * 39, 39, student(39))  # one degree of freedom goes to the share
    together = [
        resolved(
            [candidate(f"{number}-{at}") for at in range(10)], [f"{number}-{at}" for at in range(10)], number=number
        )
        if number == 0
        else resolved([candidate(f"{number}-{at}") for at in range(10)], number=number)
        for number in range(4)
    ]
    clustered = rates(together).overall
    assert (clustered.kept, clustered.n) == (10, 40)
    assert clustered.interval is not None
    assert single.interval is not None
    assert clustered.interval[0] < single.interval[0]
    assert clustered.interval[1] > single.interval[1]


def test_one_proposal_tells_nothing_of_the_next_however_many_items_it_has() -> None:
    pair = resolved([candidate(str(at)) for at in range(60)], [str(at) for at in range(45)])
    found = rates([pair])
    assert (found.overall.rate, found.overall.interval, found.remarks) == (0.75, None, ())
    [low] = [each for each in found.scores if each.n]
    assert low.interval is None


def test_bands_hold_both_their_ends() -> None:
    assert [age_band(age) for age in (0, 1, 2, 15, 16, 31, 32, 5_000)] == [
        "0-1", "0-1", "2-3", "8-15", "16-31", "16-31", "32+", "32+",
    ]  # fmt: skip
    assert [score_band(score) for score in (0.0, 0.1, 0.299, 0.3, 1.0)] == [
        "0-0.1", "0.1-0.2", "0.2-0.3", "0.3-0.5", "0.5-1",
    ]  # fmt: skip


def test_a_zone_whose_low_scores_are_kept_back_is_told_where_the_interval_says_so() -> None:
    assert kinds(many(60, 100)) == [("zone", "chronicle")]
    assert kinds(many(3, 5)) == []  # the same rate of few
    assert kinds(many(60, 100, score=0.6)) == []  # what scored high was meant to be needed
    assert kinds(many(25, 100)) == []
    [remark] = rates(many(60, 100)).remarks
    assert remark.told.startswith("chronicle items scored below 0.3 were kept back in 60 of 100 cases (")


def test_old_items_that_are_kept_back_more_than_their_scores_say_are_told() -> None:
    assert kinds(many(70, 100, score=0.4, age=20)) == [("age", "")]
    assert kinds(many(40, 100, score=0.4, age=20)) == []
    assert kinds(many(70, 100, score=0.4, age=15)) == []  # they are not old


def test_a_scope_with_needs_of_its_own_is_told_whichever_way() -> None:
    pairs = many(5, 100, score=0.5, scope="short") + many(70, 100, score=0.5, scope="long")
    assert kinds(pairs) == [("scope", "long"), ("scope", "short")]
    assert [remark.told.split(":")[0] for remark in rates(pairs).remarks] == [
        "long keeps back more than the others",
        "short keeps back less than the others",
    ]
    assert rates(pairs, "long").remarks == ()


@pytest.mark.slow
@pytest.mark.parametrize(("proposals", "alike"), [(60, 0.0), (10, 0.0), (4, 0.5), (2, 0.5), (1, 0.5), (30, 0.5)])
def test_where_scores_are_true_hardly_any_report_sees_a_pattern(proposals: int, alike: float) -> None:
    """500 reports of 5 scopes whose items are kept back just as often as they were scored: at most 5 % remark on it.

    Also of few proposals, and where half of these keep back nothing at all and the others twice as much.
    """
    seen = 0
    for seed in range(500):
        draw = Random(seed)
        pairs = []
        for number in range(proposals):
            times = 2 * draw.randrange(2) if draw.random() < 2 * alike else 1
            made = [
                candidate(f"{number}-{at}", draw.choice(("chronicle", "memory", "workspace")), draw.random() * 0.5,
                          age=draw.choice((1, 5, 20)))
                for at in range(5)
            ]  # fmt: skip
            kept = [each.ctx_id for each in made if draw.random() < times * each.relevance_score]
            pairs.append(resolved(made, kept, number=number, scope=f"talk-{number % 5}"))
        seen += bool(rates(pairs).remarks)
    assert seen <= 25 + 3 * 5  # three standard deviations of 500 tosses of 0.05
