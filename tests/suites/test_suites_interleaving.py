"""The order of an ablation: every trial once, side by side, places in turn, and what drifts does not count."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from gitops.suites.interleaving import Slot, interleaved

SIZES = st.tuples(st.integers(1, 6), st.integers(0, 13), st.integers(0, 9), st.integers(0, 2**32))


@given(SIZES)
def test_each_variant_case_and_repeat_comes_exactly_once(sizes: tuple[int, int, int, int]) -> None:
    variants, cases, repeats, seed = sizes
    expected = {Slot(v, c, r) for v in range(variants) for c in range(cases) for r in range(repeats)}
    plan = interleaved(variants, cases, repeats, seed)
    assert len(plan) == len(expected)
    assert set(plan) == expected


@given(SIZES)
def test_no_variant_is_ever_ahead_by_more_than_the_block_that_is_begun(sizes: tuple[int, int, int, int]) -> None:
    variants, cases, repeats, seed = sizes
    seen: Counter[int] = Counter(dict.fromkeys(range(variants), 0))
    for slot in interleaved(variants, cases, repeats, seed):
        seen[slot.variant] += 1
        assert max(seen.values()) - min(seen.values()) <= 1


@given(SIZES)
def test_a_block_is_one_case_of_one_repeat(sizes: tuple[int, int, int, int]) -> None:
    variants, cases, repeats, seed = sizes
    blocks = [
        list(block) for _, block in groupby(interleaved(variants, cases, repeats, seed), lambda s: (s.repeat, s.case))
    ]
    assert all(sorted(slot.variant for slot in block) == list(range(variants)) for block in blocks)


@given(SIZES)
def test_places_within_blocks_are_shared_out_over_repeats_and_over_cases(sizes: tuple[int, int, int, int]) -> None:
    variants, cases, repeats, seed = sizes
    for by in ("case", "repeat"):
        for place, counts in _places(interleaved(variants, cases, repeats, seed), variants, by).items():
            full = [counts[variant] for variant in range(variants)]
            assert max(full) - min(full) <= 1, (by, place)


def _places(plan: list[Slot], variants: int, by: str) -> dict[tuple[int, int], Counter[int]]:
    """How often each variant had each place within its block, for each case or for each repeat."""
    found: dict[tuple[int, int], Counter[int]] = {}
    for at, slot in enumerate(plan):
        found.setdefault((getattr(slot, by), at % variants), Counter())[slot.variant] += 1
    return found


def test_the_seed_says_who_begins_and_nothing_else_does() -> None:
    assert interleaved(3, 9, 4, seed=7) == interleaved(3, 9, 4, seed=7)
    assert len({interleaved(3, 9, 4, seed)[0].variant for seed in range(30)}) == 3


def test_a_drift_that_fools_one_after_the_other_does_not_fool_them_side_by_side() -> None:
    """Latency that grows by 1 ms with each trial, and variants that are alike: what each order says they differ by."""
    cases, repeats = 20, 5
    side_by_side = interleaved(2, cases, repeats, seed=1)
    one_by_one = sorted(side_by_side, key=lambda slot: (slot.variant, slot.repeat, slot.case))
    assert _difference(one_by_one) == cases * repeats  # as many ms as the whole of the first variant took
    assert abs(_difference(side_by_side)) < 0.05
    balanced = interleaved(2, cases, 4, seed=1)
    assert _difference(balanced) == 0  # where the repeats are a multiple of the variants, nothing is left of it


def test_what_is_left_of_a_drift_is_no_bias() -> None:
    """Over seeds the rest is as often above nought as below it, also where nothing comes out even."""
    left = [_difference(interleaved(2, 7, 3, seed)) for seed in range(2_000)]
    assert max(map(abs, left)) <= 1 / 21 + 1e-12
    assert abs(fmean(left)) < 0.005


def _difference(plan: list[Slot]) -> float:
    """The second variant's mean less the first's, of values that are the moment of the trial and nothing else."""
    means = [fmean(at for at, slot in enumerate(plan) if slot.variant == variant) for variant in (0, 1)]
    return means[1] - means[0]
