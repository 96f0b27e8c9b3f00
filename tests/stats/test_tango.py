"""The score interval for no less a share of the same samples (Tango 1998)."""

from __future__ import annotations

from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from gitops.stats.intervals import Z95
from gitops.stats.matched import tango, tango_score


def likeliest(lost: int, won: int, of: int, difference: float) -> float:
    """The share that only the first passes, of all those that differ by so much from that of the second, by search."""

    def against(alone: float) -> float:
        shares = ((lost, alone), (won, alone + difference), (of - lost - won, 1 - 2 * alone - difference))
        return -sum(count * log(max(share, 1e-300)) for count, share in shares if count)

    bounds = (max(0.0, -difference), (1 - difference) / 2)
    return float(optimize.minimize_scalar(against, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x)


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 40), st.floats(-0.9, 0.9))
def test_the_score_is_by_the_likeliest_shares(lost: int, won: int, same: int, difference: float) -> None:
    of = lost + won + same
    alone = likeliest(lost, won, of, difference)
    variance = of * (2 * alone + difference - difference**2)
    if variance > 1e-3:
        expected = (won - lost - of * difference) / sqrt(variance)
        assert tango_score(lost, won, of, difference) == pytest.approx(expected, rel=1e-3, abs=1e-3)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 60))
def test_the_ends_are_where_the_test_refuses(lost: int, won: int, same: int) -> None:
    of = lost + won + same
    if not of:
        return
    low, high = tango(lost, won, of)
    assert -1 <= low <= (won - lost) / of <= high <= 1
    for end in (low, high):
        if abs(end) < 0.999:
            assert abs(tango_score(lost, won, of, end)) == pytest.approx(Z95, abs=1e-4)
    assert tango(won, lost, of) == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("of", [10, 40, 73, 200])
def test_of_samples_none_of_which_moved_it_is_as_wide_as_wilsons_of_none(of: int) -> None:
    reach = Z95**2 / (of + Z95**2)
    assert tango(0, 0, of) == pytest.approx((-reach, reach), abs=1e-9)
