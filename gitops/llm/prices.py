"""What a million tokens cost, by model: dated defaults, and what `[llm.prices]` says instead.

The defaults were read on 2026-11-22 from the price list at platform.claude.com/docs/en/about-claude/pricing: US dollars
of the plain interface, cache writes for five minutes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitops.config import Price
from gitops.usage import Usage

AS_OF = "2026-11-22"
MILLION = 1_000_000
_DATED = re.compile(r"-20\d{6}$")


def _price(input: float, output: float, cache_write: float, cache_read: float) -> Price:
    return Price(input=input, output=output, cache_write=cache_write, cache_read=cache_read, as_of=AS_OF)


_OPUS = _price(5, 25, 6.25, 0.5)
_SONNET_4 = _price(3, 15, 3.75, 0.30)
DEFAULTS: Mapping[str, Price] = {
    "claude-fable-5-1": _price(10, 50, 12.5, 0.25),
    "claude-fable-5": _price(10, 50, 12.5, 1.0),
    "claude-opus-5-5": _price(4, 20, 5, 0.20),
    "claude-opus-5": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-sonnet-5-5": _price(2, 10, 2.5, 0.10),
    "claude-sonnet-5": _price(2, 10, 2.5, 0.20),
    "claude-sonnet-4-6": _SONNET_4,
    "claude-sonnet-4-5": _SONNET_4,
    "claude-haiku-5-5": _price(0.10, 0.50, 0.125, 0.01),
    "claude-haiku-4-5": _price(1, 5, 1.25, 0.10),
}
_DEARER_ABOVE: Mapping[str, tuple[int, Price]] = {"claude-haiku-5-5": (100_000, _price(0.50, 2.50, 0.625, 0.05))}
"""Prompts of more tokens than these, cached ones counted, cost another price, all of them."""


def price(model: str, given: Mapping[str, Price], read: int = 0) -> Price | None:
    """What a call costs that reads so many tokens; None where the model's price is not known.

    A price in the configuration comes first. `claude-haiku-4-5-20251001` has its price under its own name or its alias.
    """
    alias = _DATED.sub("", model)
    own = given.get(model) or given.get(alias)
    if own is not None:
        return own
    threshold, dearer = _DEARER_ABOVE.get(alias, (0, None))
    return dearer if dearer is not None and read > threshold else DEFAULTS.get(alias)


def dollars(usage: Usage, price: Price | None) -> float:
    """What the tokens of a call cost in US dollars; 0 where the price is not known."""
    if price is None:
        return 0.0
    cached = usage.cache_write * price.cache_write + usage.cache_read * price.cache_read
    return (usage.input * price.input + usage.output * price.output + cached) / MILLION


def how_to_price(model: str) -> str:
    """The mend where a model's price is not known."""
    return f'give its dollars for a million tokens: [llm.prices."{model}"] input, output, cache_write, cache_read'


def unpriced(model: str, given: Mapping[str, Price]) -> str:
    """A note that calls to this model are counted as free; '' where its price is known."""
    if price(model, given) is not None:
        return ""
    return f"the price of {model} is not known, so its dollars are counted as 0; {how_to_price(model)}"
