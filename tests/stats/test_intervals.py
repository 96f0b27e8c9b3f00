from __future__ import annotations

import pytest

from gitops.stats.intervals import wilson


@pytest.mark.parametrize(("hits", "of"), [(3, 2), (-1, 4)])
def test_what_is_no_share_is_refused(hits: int, of: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(hits, of)


def test_of_nothing_nothing_is_known() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_that_of_the_literature(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)
