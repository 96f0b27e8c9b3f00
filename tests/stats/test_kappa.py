"""Cohen's kappa against published tables, scikit-learn, and a simulation."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.stats.intervals import Z95
from gitops.stats.kappa import kappa

_RATED = st.lists(st.tuples(st.sampled_from("pf"), st.sampled_from("pf")), min_size=1, max_size=60)


def pairs(table: dict[tuple[str, str], int]) -> list[tuple[str, str]]:
    return [pair for pair, count in table.items() for _ in range(count)]


def test_the_table_of_fleiss_levin_and_paik() -> None:
    """Statistical Methods for Rates and Proportions, 3rd ed., table 18.1: kappa 0.68, its standard error 0.088."""
    found = kappa(
        pairs(
            {
                ("psychotic", "psychotic"): 75,
                ("psychotic", "neurotic"): 1,
                ("psychotic", "organic"): 4,
                ("neurotic", "psychotic"): 5,
                ("neurotic", "neurotic"): 4,
                ("neurotic", "organic"): 1,
                ("organic", "organic"): 10,
            }
        )
    )
    assert (found.n, found.agreed) == (100, 89)
    assert found.value == pytest.approx(0.676, abs=5e-4)
    assert found.value is not None
    assert found.interval is not None
    assert (found.interval[1] - found.value) / Z95 == pytest.approx(0.088, abs=5e-4)


def test_a_table_by_hand() -> None:
    """po = 0.7; pe = 0.5 · 0.6 + 0.5 · 0.4 = 0.5; kappa = 0.2 / 0.5."""
    found = kappa(pairs({("p", "p"): 20, ("p", "f"): 5, ("f", "p"): 10, ("f", "f"): 15}))
    assert found.value == pytest.approx(0.4)
    assert found.expected == pytest.approx(0.5)


@pytest.fixture(scope="module")
def cohen() -> Callable[..., float]:
    score: Callable[..., float] = pytest.importorskip("sklearn.metrics").cohen_kappa_score
    return score


@pytest.mark.slow
@settings(deadline=None)
@given(_RATED)
def test_it_is_what_scikit_learn_says(cohen: Callable[..., float], rated: list[tuple[str, str]]) -> None:
    found = kappa(rated)
    if found.value is not None:
        one, other = zip(*rated, strict=True)
        assert found.value == pytest.approx(cohen(one, other), abs=1e-12)


@given(_RATED)
def test_it_lies_in_its_interval_and_does_not_care_who_is_first(rated: list[tuple[str, str]]) -> None:
    found, swapped = kappa(rated), kappa([(other, one) for one, other in rated])
    assert found.value == pytest.approx(swapped.value) if found.value is not None else swapped.value is None
    assert (found.n, found.agreed) == (len(rated), sum(one == other for one, other in rated))
    if found.interval is not None:
        assert found.value is not None
        assert -1 <= found.interval[0] <= found.value <= found.interval[1] <= 1


def test_what_is_not_defined_is_none_and_it_is_said_why() -> None:
    assert (kappa([]).value, kappa([]).why) == (None, "nothing was rated by both")
    alike = kappa([("pass", "pass")] * 9)
    assert (alike.value, alike.interval, alike.why) == (None, None, "both say pass of everything")


def test_full_agreement_has_no_interval() -> None:
    found = kappa([("p", "p"), ("f", "f")] * 5)
    assert (found.value, found.interval, found.why) == (1.0, None, "too much alike for an interval")


def test_the_interval_holds_the_truth_about_95_times_in_100() -> None:
    """Two raters who both say what is so 85 times in 100, of things half of which pass: kappa is 0.49."""
    drawn = random.Random(7)

    def said(truth: bool) -> str:
        return "p" if (drawn.random() < 0.85) == truth else "f"

    truth = 2 * (0.85**2 + 0.15**2) - 1
    hits = 0
    for _ in range(400):
        things = [drawn.random() < 0.5 for _ in range(200)]
        found = kappa((said(each), said(each)) for each in things)
        assert found.interval is not None
        hits += found.interval[0] <= truth <= found.interval[1]
    assert 0.92 <= hits / 400 <= 0.98
