from __future__ import annotations

from typing import Any

import pytest

from gitops.comparing.measured import Comparison, compared, told
from gitops.comparing.recalling import Recalled, key
from gitops.errors import UsageError
from gitops.runs.measurements import Bar, Measurement, Sample
from tests.evals.scores import JUDGES, passing, product, scored, share

SAMPLE = {"seed": 0, "size": 50, "digest": "d"}


def side(name: str, *measurements: Measurement) -> Recalled:
    found: dict[str, tuple[Measurement, ...]] = {}
    for one in measurements:
        for metric in one.metrics:
            found[key(one, metric)] = (*found.get(key(one, metric), ()), one)
    return Recalled(name, found)


def of(*measurements: Measurement, **options: Any) -> Comparison:
    """The comparison of sides that have one measurement each."""
    return compared([side(name, one) for name, one in zip("ABC", measurements, strict=False)], **options)


def instrument(**changed: Any) -> dict[str, Any]:
    return {"metrics": {"M1": 1}, "sample": SAMPLE, "judges": JUDGES} | changed


def test_one_side_alone_is_no_comparison() -> None:
    with pytest.raises(UsageError, match="A alone is no comparison"):
        of(passing(9, 10))


@pytest.mark.parametrize(("wanted", "hint"), [("M11", "did you mean M1?"), ("recall", "there are: M1, all")])
def test_a_metric_that_no_side_has_is_refused(wanted: str, hint: str) -> None:
    with pytest.raises(UsageError) as refused:
        of(passing(9, 10), passing(8, 10), wanted=wanted)
    assert refused.value.hint == hint


@pytest.mark.parametrize(
    ("changed", "name", "one", "other"),
    [
        (
            {"judges": [{"id": "claude", "version": "1", "digest": "f" * 64}]},
            "judges",
            ["offline/3 1f2e3d4c5b6a"],
            ["claude/1 ffffffffffff"],
        ),
        ({"metrics": {"M1": 2}}, "metrics.M1", 1, 2),
        ({"sample": SAMPLE | {"seed": 7}}, "sample.seed", 0, 7),
        ({"sample": SAMPLE | {"size": 20}}, "sample.size", 50, 20),
        ({"gold": "a" * 64}, "gold", None, "a" * 64),
    ],
)
def test_another_instrument_is_named_with_both_values(changed: dict[str, Any], name: str, one: Any, other: Any) -> None:
    made = of(passing(9, 10), passing(9, 10, instrument=instrument(**changed)))
    [found] = made.compared
    assert found.reading == "not_compared"
    assert [(each.name, each.reference, each.other) for each in found.differing] == [(name, one, other)]
    assert made.is_empty


@pytest.mark.parametrize("drawn", [{"digest": "e"}, {"digest": "e", "strata": {"tea": 9}}, {"sound_claims": 12}])
def test_what_came_of_drawing_a_sample_hinders_nothing(drawn: dict[str, Any]) -> None:
    [found] = of(passing(9, 10), passing(9, 10, instrument=instrument(sample=SAMPLE | drawn))).compared
    assert found.reading == "no_difference_shown"


def test_another_unit_is_another_instrument() -> None:
    [found] = of(scored("M4", 3.0, unit="week"), scored("M4", 21.0, unit="day")).compared
    assert [each.name for each in found.differing] == ["unit"]


def test_another_commit_is_the_point() -> None:
    one, other = passing(9, 10, commit="a" * 40), passing(9, 10, commit="b" * 40, subject={"model": "m"})
    [found] = of(one, other).compared
    assert [each.name for each in found.subject] == ["commit", "config_snapshot", "model", "verifier"]


def test_when_it_was_measured_is_no_difference() -> None:
    one, other = passing(9, 10), passing(9, 10, subject=passing(9, 10).subject | {"moment": "2024-02-02T03:04:05Z"})  # type: ignore[operator]
    assert of(one, other).compared[0].subject == ()


def test_a_metric_that_was_not_measured_says_why() -> None:
    made = of(passing(9, 10), scored("M1", None, reason="no judge had a vote"))
    assert made.compared[0].why == "M1 has no score at B: no judge had a vote"
    assert made.is_empty


def test_a_share_is_compared_on_the_claims_that_both_have() -> None:
    first = share({"old": True, "a": True, "b": True, "c": None})
    second = share({"a": True, "b": False, "c": False, "new": False})
    [found] = of(first, second).compared
    assert found.paired is not None
    assert (found.paired.pairs, found.paired.difference) == (2, -0.5)
    assert found.difference == pytest.approx(0.25 - 1.0)
    assert (found.only_reference.samples, found.only_other.samples) == (1, 2)
    assert found.lost == ("b",)


def test_a_product_is_tested_as_one() -> None:
    queries = {f"q{at}": (1.0, 0.5 + at / 20) for at in range(8)}
    worse = {name: (one / 2, other) for name, (one, other) in queries.items()}
    [found] = of(product(queries), product(worse)).compared
    assert found.reading == "worse"
    assert found.paired is not None
    assert (found.paired.test, found.paired.p) == ("permutation", 2 / 2**8)
    assert found.paired.difference == pytest.approx(-0.5 * (0.5 + 3.5 / 20))


def test_a_bar_that_a_metric_records_is_held_to() -> None:
    held = Bar(op=">=", value=0.9)
    [found] = of(passing(9, 10, bar=held), passing(8, 10, bar=held)).compared
    assert [(outcome.rule, outcome.is_kept) for outcome in found.rules] == [(">= 0.9", False)]


def test_metrics_come_in_their_order_those_of_other_kinds_last() -> None:
    names = [scored("loss", 1.0, kind="extraction"), scored("M10", 1.0), passing(1, 2), scored("M4", 2.0, unit="week")]
    made = compared([side("A", *names), side("B", *names)])
    assert [one.metric for one in made.compared] == ["M1", "M4", "M10", "extraction.loss"]


def test_metrics_of_another_kind_are_ordered_by_the_numbers_in_them() -> None:
    names = [scored(f"hit@{k}", 1.0, kind="retrieval") for k in (1, 10, 3)]
    made = compared([side("A", *names), side("B", *names)])
    assert [one.metric for one in made.compared] == ["retrieval.hit@1", "retrieval.hit@3", "retrieval.hit@10"]


@pytest.mark.parametrize("wanted", ["all", "mrr,hit@10,hit@3"])
def test_metrics_of_one_kind_may_be_named_without_it_and_keep_their_order(wanted: str) -> None:
    one = scored("mrr", 1.0, kind="retrieval")
    one = one.model_copy(update={"metrics": dict.fromkeys(("mrr", "hit@10", "hit@3"), one.metrics["mrr"])})
    plain = [Recalled(name, dict.fromkeys(one.metrics, (one,))) for name in "AB"]
    made = compared(plain, wanted)
    assert [each.metric for each in made.compared] == ["mrr", "hit@10", "hit@3"]
    assert made.record()["compared"][0]["other"]["status"] == "healthy"


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (None, ["M1", "verifier_test.loss"]),
        ("all", ["M1", "extraction.atom_f1", "retrieval.mrr", "verifier_test.loss"]),
        ("extraction", ["extraction.atom_f1"]),
        ("retrieval", ["retrieval.mrr"]),
        ("mrr,M1", ["retrieval.mrr", "M1"]),
    ],
)
def test_metrics_of_kinds_that_have_many_are_compared_beside_others_when_they_are_asked_for(
    wanted: str | None, found: list[str]
) -> None:
    many = [scored("mrr", 1.0, kind="retrieval"), scored("atom_f1", 1.0, kind="extraction")]
    names = [*many, scored("loss", 1.0, kind="verifier_test"), passing(1, 2)]
    made = compared([side("A", *names), side("B", *names)], wanted)
    assert [one.metric for one in made.compared] == found


def test_metrics_of_retrieval_alone_are_compared_unasked() -> None:
    made = compared([side(name, scored("mrr", 1.0, kind="retrieval")) for name in "AB"], None)
    assert [one.metric for one in made.compared] == ["retrieval.mrr"]


def test_a_name_that_two_kinds_have_means_both() -> None:
    names = [scored("usd", 1.0, kind=kind) for kind in ("extraction", "verifier_test")]
    made = compared([side("A", *names), side("B", *names)], "usd")
    assert [one.metric for one in made.compared] == ["extraction.usd", "verifier_test.usd"]


def of_suites(*suites: str) -> list[Measurement]:
    """A pass rate by each of some benchmark suites."""
    return [scored("pass_rate", 1.0, kind="benchmark", suite=suite, samples=()) for suite in suites]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (None, ["M1"]),
        ("pass_rate", ["benchmark.a.pass_rate", "benchmark.b.c.pass_rate"]),
        ("benchmark", ["benchmark.a.pass_rate", "benchmark.b.c.pass_rate"]),
        ("benchmark.b.c", ["benchmark.b.c.pass_rate"]),
        ("b.c.pass_rate", ["benchmark.b.c.pass_rate"]),
    ],
)
def test_those_of_a_benchmark_bear_the_name_of_its_suite_and_are_compared_when_they_are_asked_for(
    wanted: str | None, found: list[str]
) -> None:
    names = [*of_suites("a", "b.c"), passing(1, 2)]
    made = compared([side("A", *names), side("B", *names)], wanted)
    assert [one.metric for one in made.compared] == found


def test_no_name_between_two_commas_is_no_metric() -> None:
    with pytest.raises(UsageError, match="a metric ''"):
        of(passing(9, 10), passing(8, 10), wanted="M1,")


@pytest.mark.parametrize(
    "wanted", ["extraction", "extraction.loss", "Extraction.LOSS", "loss", "extraction,extraction.loss"]
)
def test_metrics_of_another_kind_are_chosen_by_kind_or_name(wanted: str) -> None:
    names = [scored("loss", 1.0, kind="extraction"), passing(1, 2)]
    made = compared([side("A", *names), side("B", *names)], wanted)
    assert [one.metric for one in made.compared] == ["extraction.loss"]


def test_repeats_are_compared_as_one() -> None:
    made = compared([side("A", passing(10, 10)), side("B", passing(6, 10), passing(8, 10, repeat=1))])
    assert made.compared[0].other.value == pytest.approx(0.7)
    assert made.compared[0].other.repeats == 2


def test_the_record_has_everything_as_plain_json() -> None:
    made = of(share({"a": True, "b": True}), share({"a": True, "b": False}), passing(2, 4)).record()
    assert made["schema"] == "assay/eval-compare/1"
    assert [each["name"] for each in made["sides"]] == ["A", "B", "C"]
    first, second = made["compared"]
    assert (first["reference"]["name"], first["other"]["name"], first["other"]["status"]) == ("A", "B", "healthy")
    assert first["lost"] == [{"id": "b", "told": "wiki/b.md:3 Claim b."}]
    assert (second["other"]["name"], second["paired"], second["why"]) == ("C", None, "no sample is in both")


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"page": "wiki/a.md", "line": 3, "claim": "It rains."}, "wiki/a.md:3 It rains."),
        ({"path": "wiki/a.md", "line": 3, "claim": "It rains."}, "wiki/a.md:3 It rains."),
        ({"page": "wiki/a.md", "terms": ["rain", "snow"]}, "wiki/a.md rain, snow"),
        ({"a": "wiki/a.md:3", "b": "wiki/b.md:9"}, "wiki/a.md:3 and wiki/b.md:9"),
        ({"query": "Does it rain?"}, "Does it rain?"),
        ({"page": "wiki/a.md", "terms": 5}, "wiki/a.md"),
        ({}, ""),
    ],
)
def test_a_sample_is_told_by_its_place_and_its_words(details: dict[str, Any], said: str) -> None:
    assert told(Sample(id="a", status="fail", details=details)) == said
    assert told(None) == ""
