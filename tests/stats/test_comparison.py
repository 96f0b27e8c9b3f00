from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.stats.comparison import Compared, compare
from gitops.stats.holm import holm
from gitops.stats.rules import AbsoluteDrop, Bar, StatusFlip
from gitops.stats.series import Differing, Series, Variant

TOOLS = {"metrics.M1": 1, "sample.seed": 0, "judges": "offline/3"}
VALUES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.5, 1.0]), min_size=1)


def series(rows: Mapping[str, float | bool], **fields: Any) -> Series:
    """A share or mean over rows; what is true or false is also a status."""
    known: dict[str, Any] = {
        "value": sum(rows.values()) / len(rows) if rows else None,
        "rows": {name: (float(value),) for name, value in rows.items()},
        "statuses": {name: "pass" if value == 1 else "fail" for name, value in rows.items()},
        "instrument": TOOLS,
    }
    return Series(**known | fields)


def passes(passed: int, of: int, start: int = 0) -> Series:
    return series({f"s{at:03}": at - start < passed for at in range(start, start + of)})


SIDES = (passes(18, 20), passes(8, 20))


def one(*repeats: tuple[Series, ...] | Series, **options: Any) -> Compared:
    """The comparison of two variants of one metric."""
    sides = [side if isinstance(side, tuple) else (side,) for side in repeats]
    variants = [Variant(name, {"M1": side}) for name, side in zip("AB", sides, strict=True)]
    [told] = compare(variants, **options)
    return told


@pytest.mark.parametrize("names", ["", "A"])
def test_one_variant_alone_is_refused(names: str) -> None:
    with pytest.raises(ValueError, match="no comparison"):
        compare([Variant(name, {"M1": (passes(1, 2),)}) for name in names])


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        ({**TOOLS, "judges": "claude/1"}, Differing("judges", "offline/3", "claude/1")),
        ({**TOOLS, "gold": "abc"}, Differing("gold", None, "abc")),
        ({"metrics.M1": 1, "sample.seed": 0}, Differing("judges", "offline/3", None)),
    ],
)
def test_another_instrument_is_named_and_not_compared(other: Mapping[str, Any], differs: Differing) -> None:
    told = one(passes(9, 10), series({"s000": 1.0}, instrument=other))
    assert told.reading == "not_compared"
    assert told.differing == (differs,)
    assert (told.difference, told.paired, told.adjusted_p) == (None, None, None)
    assert told.reference.value == 0.9


def test_all_that_differs_of_an_instrument_is_named() -> None:
    told = one(passes(9, 10), series({"s000": 1.0}, instrument={"metrics.M1": 2, "sample.seed": 7, "gold": ["x"]}))
    assert [each.name for each in told.differing] == ["gold", "judges", "metrics.M1", "sample.seed"]


def test_repeats_by_several_instruments_are_not_compared() -> None:
    other = series({"s000": 1.0}, instrument={**TOOLS, "judges": ["claude/1"]})
    told = one(passes(9, 10), (passes(9, 10), other))
    assert told.reading == "not_compared"
    assert told.differing == (Differing("judges", "offline/3", ["claude/1"]),)


def test_what_was_not_measured_is_not_compared_and_never_zero() -> None:
    told = one(passes(9, 10), Series(None, instrument=TOOLS, why="no gold"))
    assert (told.reading, told.why) == ("not_compared", "M1 has no score at B: no gold")
    assert (told.difference, told.other.value, told.other.repeats) == (None, None, 0)


def test_a_metric_that_one_variant_lacks_is_named() -> None:
    told = compare([Variant("A", {"M1": (passes(1, 2),)}), Variant("B", {"M3": (passes(1, 2),)})])
    assert [each.why for each in told] == ["M1 has no score at B", "M3 has no score at A"]


def test_another_subject_is_the_point() -> None:
    told = one(series({"s": 1.0}, subject={"commit": "a"}), series({"s": 1.0}, subject={"commit": "b"}))
    assert told.subject == (Differing("commit", "a", "b"),)
    assert told.reading == "no_difference_shown"


def test_a_value_that_is_not_of_samples_is_told_without_a_test() -> None:
    told = one(Series(12.0, "lower", instrument=TOOLS), Series(19.0, "lower", instrument=TOOLS))
    assert (told.reading, told.difference, told.paired) == ("not_tested", 7.0, None)
    assert "samples" in told.why


def test_other_samples_are_told_without_a_test() -> None:
    told = one(passes(9, 10), passes(8, 10, start=10))
    assert (told.reading, told.why) == ("not_tested", "no sample is in both")
    assert told.difference == pytest.approx(-0.1)
    assert (told.only_reference.samples, told.only_other.samples) == (10, 10)


def test_samples_that_are_scored_otherwise_are_not_paired() -> None:
    told = one(series({"s": 1.0}), Series(0.5, rows={"s": (1.0, 0.5)}, instrument=TOOLS))
    assert (told.reading, told.why) == ("not_tested", "their samples are not scored alike")


def test_worked_by_hand() -> None:
    # 20 samples; 8 of the 18 that passed fail now, none the other way: 2 / 2 ** 8.
    told = one(passes(18, 20), passes(10, 20))
    assert told.paired is not None
    assert (told.paired.pairs, told.paired.p, told.adjusted_p) == (20, 0.0078125, 0.0078125)
    assert told.difference == pytest.approx(-0.4)
    assert (told.reading, told.lost, told.won) == ("worse", tuple(f"s{at:03}" for at in range(10, 18)), ())


def test_the_same_is_better_where_lower_is() -> None:
    told = one(*(Series(each.value, "lower", each.rows) for each in (passes(18, 20), passes(10, 20))))
    assert told.reading == "better"


def test_what_both_have_is_compared_and_the_rest_counted_with_its_score() -> None:
    first = series({"a": 1, "b": 1, "gone": 1})
    second = series({"a": 1, "b": 0, "new": 0, "other": 0})
    told = one(first, second)
    assert told.paired is not None
    assert (told.paired.pairs, told.paired.first, told.paired.second) == (2, 1.0, 0.5)
    assert told.difference == pytest.approx(0.25 - 1.0)
    assert (told.only_reference.samples, told.only_reference.value) == (1, 1.0)
    assert (told.only_other.samples, told.only_other.value) == (2, 0.0)
    assert told.new_and_failing == ("new", "other")


def test_scores_that_were_rounded_alike_are_neither_better_nor_worse() -> None:
    first, second = ({f"s{at}": base + at / 1e6 for at in range(20)} for base in (0.5, 0.50001))
    told = one(series(first, value=0.5), series(second, value=0.5))
    assert told.p is not None
    assert told.p <= 0.05
    assert (told.difference, told.reading) == (0.0, "no_difference_shown")


def test_what_one_side_alone_has_counts_besides() -> None:
    # The 10 that both have did not move; 10 others were right, and the 10 that came for them are wrong.
    first, second = passes(20, 20), {f"s{at:03}": at < 10 for at in [*range(10), *range(30, 40)]}
    told = one(first, series(second))
    assert (told.reading, told.test, told.difference) == ("worse", "permutation", -0.5)
    assert told.paired is not None
    assert (told.paired.pairs, told.paired.p) == (10, 1.0)
    assert told.interval is not None
    assert told.interval[0] < -0.5 < told.interval[1] < 0
    assert told.detectable is not None


def test_where_both_have_all_samples_these_alone_decide() -> None:
    told = one(*SIDES)
    assert told.paired is not None
    assert (told.p, told.interval, told.test) == (told.paired.p, told.paired.interval, "mcnemar")


def test_samples_that_were_drawn_together_count_as_one() -> None:
    topics = {f"s{at:03}": f"topic {at // 10}" for at in range(20)}
    apart = one(*SIDES)
    told = one(*(series({name: row[0] for name, row in each.rows.items()}, clusters=topics) for each in SIDES))
    assert apart.reading == "worse"
    assert told.paired is not None
    assert (told.paired.units, told.paired.pairs, told.reading) == (2, 20, "no_difference_shown")


def test_repeats_are_averaged_sample_by_sample() -> None:
    repeats = (series({"a": 1, "b": 1}), series({"a": 0, "b": 1}), series({"a": 0, "b": 1}))
    told = one(series({"a": 1, "b": 1}), repeats)
    # a: 1/3, b: 1; the scores 1, 1/2, 1/2, their mean 2/3, their deviation 1 / (2 * sqrt(3)).
    assert (told.other.name, told.other.repeats, told.other.samples) == ("B", 3, 2)
    assert told.other.value == pytest.approx(2 / 3)
    assert told.other.spread == pytest.approx(0.288675, abs=1e-6)
    assert told.paired is not None
    assert told.paired.second == pytest.approx(2 / 3)
    assert told.paired.test == "permutation"
    assert told.lost == ("a",)


def test_a_sample_that_failed_half_of_the_time_neither_passed_nor_failed() -> None:
    told = one(series({"a": 1}), (series({"a": 1}), series({"a": 0})))
    assert (told.lost, told.won) == ((), ())


def test_a_sample_that_a_repeat_lacks_counts_by_the_others() -> None:
    told = one(series({"a": 1, "b": 1}), (series({"a": 0.5, "b": 0.25}), series({"a": 1.0})))
    assert told.paired is not None
    assert told.paired.second == pytest.approx((0.75 + 0.25) / 2)


def test_what_is_told_of_repeats_is_what_is_tested() -> None:
    # The mean of the scores is 0.7, but of five samples two passed, a both times.
    repeats = (series({"a": 1}), series({"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}))
    told = one(series({"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}), repeats)
    assert told.paired is not None
    assert told.difference == told.paired.difference == 0
    products = [Series(0.0, rows={"a": row}, instrument=TOOLS) for row in ((1.0, 0.0), (0.0, 1.0))]
    told = one(Series(0.25, rows={"a": (0.5, 0.5)}, instrument=TOOLS), tuple(products))
    assert told.paired is not None
    assert told.difference == told.paired.difference == 0


def test_a_repeat_that_was_not_measured_is_left_out() -> None:
    told = one(passes(9, 10), (passes(9, 10), Series(None, instrument=TOOLS, why="out of budget")))
    assert (told.other.value, told.other.repeats) == (0.9, 1)


def test_every_further_variant_is_compared_with_the_first_and_all_tests_adjusted_together() -> None:
    metrics = {"A": (18, 19), "B": (10, 12), "C": (9, 17)}
    variants = [Variant(name, {"M1": (passes(m, 20),), "M5": (passes(n, 20),)}) for name, (m, n) in metrics.items()]
    told = compare(variants)
    assert [(each.metric, each.reference.name, each.other.name) for each in told] == [
        ("M1", "A", "B"),
        ("M1", "A", "C"),
        ("M5", "A", "B"),
        ("M5", "A", "C"),
    ]
    raw = [each.p for each in told if each.p is not None]
    # 8, 9, 7 and 2 that moved one way.
    assert raw == [2 / 2**8, 2 / 2**9, 2 / 2**7, 0.5]
    # Two that moved could show nothing, whichever way they moved: that test is none of those that are counted.
    assert [each.moved for each in told] == [8, 9, 7, 2]
    assert [each.adjusted_p for each in told] == [*holm(raw[:3]), 0.5]


def test_what_one_test_shows_many_together_may_not() -> None:
    alone = one(passes(16, 20), passes(10, 20))
    told = several([10] * 5)
    assert alone.adjusted_p == 0.03125
    assert alone.reading == "worse"
    assert told[0].adjusted_p == pytest.approx(5 * 0.03125)
    assert told[0].reading == "no_difference_shown"


@pytest.mark.parametrize("other", [16, 15, 11])
def test_metrics_in_which_too_little_moved_to_show_anything_do_not_count(other: int) -> None:
    told = several([10, *[other] * 4])
    assert told[0].adjusted_p == 0.03125
    assert told[0].reading == "worse"
    assert {each.reading for each in told[1:]} == {"no_difference_shown"}


@pytest.mark.slow
def test_of_equal_systems_one_of_twenty_is_called_different_however_many_metrics_there_are() -> None:
    draw, called = Random(7), 0
    for _ in range(100):
        sides = [
            {f"M{at}": (series({name: draw.random() for name in "abcdefghijkl"}),) for at in range(20)} for _ in "AB"
        ]
        found = compare([Variant("A", sides[0]), Variant("B", sides[1])])
        called += any(each.reading in ("better", "worse") for each in found)
    assert called <= 10  # 5 are to be expected at most, and 64 without a correction


def several(passed: list[int]) -> list[Compared]:
    """As many metrics of two variants, of whose 20 samples 16 pass in the first and so many in the second."""
    first = {f"M{at}": (passes(16, 20),) for at, _ in enumerate(passed, 1)}
    second = {f"M{at}": (passes(n, 20),) for at, n in enumerate(passed, 1)}
    return compare([Variant("A", first), Variant("B", second)])


def test_alpha_says_what_counts_as_shown() -> None:
    assert one(passes(16, 20), passes(10, 20), alpha=0.01).reading == "no_difference_shown"
    assert one(passes(16, 20), passes(10, 20), alpha=0.05).reading == "worse"


def test_rules_are_judged_metric_by_metric() -> None:
    rules = {"M1": (StatusFlip(), AbsoluteDrop(0.2), Bar(">=", 0.9)), "M5": (AbsoluteDrop(0.0),)}
    told = one(passes(18, 20), passes(17, 20), rules=rules)
    assert [outcome.is_kept for outcome in told.rules] == [False, True, False]
    assert one(passes(18, 20), passes(17, 20)).rules == ()


@given(VALUES, VALUES)
@settings(max_examples=60)
def test_swapping_the_sides_turns_the_sign_and_nothing_else(first: dict[str, float], second: dict[str, float]) -> None:
    there, back = one(series(first), series(second)), one(series(second), series(first))
    assert back.difference == pytest.approx(-(there.difference or 0.0))
    assert back.adjusted_p == pytest.approx(there.adjusted_p)
    turned = {"better": "worse", "worse": "better"}
    assert back.reading == turned.get(there.reading, there.reading)
    assert (back.lost, back.won) == (there.won, there.lost)
    assert (back.only_reference, back.only_other) == (there.only_other, there.only_reference)


@given(VALUES, VALUES, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_the_samples_is_irrelevant(
    first: dict[str, float], second: dict[str, float], mixed: Random
) -> None:
    def shuffled(rows: dict[str, float]) -> dict[str, float]:
        return dict(mixed.sample(list(rows.items()), len(rows)))

    told, other = (one(series(a), series(b)) for a, b in [(first, second), (shuffled(first), shuffled(second))])
    assert (told.paired, told.adjusted_p, told.reading) == (other.paired, other.adjusted_p, other.reading)


@given(VALUES, VALUES, st.sampled_from(sorted(TOOLS)))
@settings(max_examples=30)
def test_nothing_is_compared_where_the_instrument_differs(
    first: dict[str, float], second: dict[str, float], name: str
) -> None:
    told = one(series(first), series(second, instrument={**TOOLS, name: "other"}))
    assert told.reading == "not_compared"
    assert (told.difference, told.paired, told.adjusted_p, told.lost, told.rules) == (None, None, None, (), ())


@given(st.lists(VALUES, min_size=1, max_size=4))
@settings(max_examples=40)
def test_equal_repeats_are_as_good_as_one(repeats: list[dict[str, float]]) -> None:
    once = one(series({"a": 0.5, "b": 0.5}), series(repeats[0]))
    often = one((series({"a": 0.5, "b": 0.5}),) * 2, (series(repeats[0]),) * len(repeats))
    assert often.difference == pytest.approx(once.difference)
    assert often.adjusted_p == pytest.approx(once.adjusted_p)
