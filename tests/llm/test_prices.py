from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitops.config import Price
from gitops.llm import prices
from gitops.usage import Usage

MINE = Price(input=7, output=8, cache_write=9, cache_read=1, as_of="2026-01-01")


@pytest.mark.parametrize("model", ["", "gpt-7", "claude-opus-9", "claude-haiku-5", "claude-haiku-4-5-latest"])
def test_a_model_that_is_not_known_has_no_price(model: str) -> None:
    assert prices.price(model, {}) is None
    assert f'[llm.prices."{model}"]' in prices.unpriced(model, {})
    assert prices.dollars(Usage(input=10**6), None) == 0


def test_a_dated_model_has_the_price_of_its_alias() -> None:
    assert prices.price("claude-haiku-4-5-20251001", {}) == prices.DEFAULTS["claude-haiku-4-5"]


def test_a_configured_price_comes_first_and_has_one_tier() -> None:
    given = {"claude-haiku-5-5": MINE}
    assert prices.price("claude-haiku-5-5", given, 10) == MINE
    assert prices.price("claude-haiku-5-5", given, 10**6) == MINE
    assert prices.price("claude-haiku-5-5-20261001", given) == MINE


def test_a_price_of_a_dated_model_is_its_own() -> None:
    given = {"claude-opus-5-5-20261001": MINE}
    assert prices.price("claude-opus-5-5-20261001", given) == MINE
    assert prices.price("claude-opus-5-5", given) == prices.DEFAULTS["claude-opus-5-5"]


def test_haiku_5_5_costs_five_times_as_much_above_a_hundred_thousand_tokens() -> None:
    low, high = (prices.price("claude-haiku-5-5", {}, read) for read in (100_000, 100_001))
    assert low is not None
    assert high is not None
    for key in ("input", "output", "cache_write", "cache_read"):
        assert getattr(high, key) == pytest.approx(5 * getattr(low, key))


def test_every_default_is_dated_and_its_parts_stand_to_one_another_as_the_price_list_says() -> None:
    for model, price in prices.DEFAULTS.items():
        assert price.as_of == prices.AS_OF, model
        assert price.output == pytest.approx(5 * price.input), model
        assert price.cache_write == pytest.approx(1.25 * price.input), model
        assert price.cache_read <= 0.1 * price.input + 1e-12, model


def test_the_documentation_has_the_same_prices() -> None:
    text = (Path(__file__).parents[2] / "docs/models.md").read_text("utf-8")
    shown: dict[str, list[float]] = {}
    for names, *numbers in re.findall(r"^\| (`claude-[^|]*) \|" + r" ([\d.]+) \|" * 4 + "$", text, re.MULTILINE):
        first, *others = re.findall(r"`([^`]+)`", names)
        family = "-".join(first.split("-")[:2])
        for name in [first, *(f"{family}{other}" for other in others)]:
            shown.setdefault(name, [float(number) for number in numbers])
    known = {name: [one.input, one.output, one.cache_write, one.cache_read] for name, one in prices.DEFAULTS.items()}
    assert shown == known


def test_dollars_add_up_all_four_kinds_of_tokens() -> None:
    opus = prices.DEFAULTS["claude-opus-5-5"]
    million = Usage(input=10**6, output=10**6, cache_read=10**6, cache_write=10**6)
    assert prices.dollars(million, opus) == pytest.approx(4 + 20 + 0.20 + 5)


def test_no_note_where_the_price_is_known() -> None:
    assert prices.unpriced("claude-opus-5-5", {}) == ""
    assert prices.unpriced("local", {"local": MINE}) == ""
