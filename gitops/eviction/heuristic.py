"""How relevant an item of context still is, by its zone, age, size and use alone: no model is asked (silas 19.1).

The score is a logistic model's, `1 / (1 + exp(-Σ weight · feature))`, so that it reads as the chance that the item is
still needed, and so that weights can be fitted to what was kept back (silas 19.4). Ages count by their logarithm: an
item is forgotten by a power of its age, as recency of use is in Anderson and Schooler (Psychological Science 2 (1991),
396-408). Each zone has its own level and its own decay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import exp, isfinite, log1p
from operator import attrgetter

from gitops.errors import UsageError
from gitops.eviction.model import ContextItem, ContextZone

MOST = 50.0
"""No weight is larger: beyond it a score is 0 or 1 whatever the others say."""
_TOKENS = 100
"""Items count as larger by the logarithm of how many times so many tokens they are."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature counts for: a level for each zone, a decay with age for each, tokens, references.

    The built-in ones say: what was remembered is worth most, what tools showed least and for the shortest time; what is
    large is dear to keep; what was used again will be used again.
    """

    chronicle: float = 1.0
    memory: float = 1.5
    workspace: float = 0.8
    chronicle_age: float = -0.9
    memory_age: float = -0.7
    workspace_age: float = -1.0
    tokens: float = -0.1
    references: float = 0.6

    @classmethod
    def of(cls, named: Mapping[str, float]) -> Weights:
        """The built-in weights, but for those that are named. UsageError for a name or a number that is none."""
        for name, value in named.items():
            if name not in FEATURES:
                known = ", ".join(FEATURES)
                raise UsageError(f"there is no weight '{name}' in [eviction.weights]", f"there are: {known}")
            if not isfinite(value) or abs(value) > MOST:
                raise UsageError(
                    f"the weight {name} = {value:g} in [eviction.weights] is out of bounds",
                    f"from -{MOST:g} to {MOST:g}",
                )
        return cls(**{name: float(value) for name, value in named.items()})

    def named(self) -> dict[str, float]:
        """The weights by name, in the order of `FEATURES`."""
        return dict(zip(FEATURES, self.values, strict=True))

    @property
    def values(self) -> tuple[float, ...]:
        """The weights in the order of `FEATURES`."""
        found: tuple[float, ...] = _VALUES(self)
        return found


FEATURES: tuple[str, ...] = tuple(each.name for each in fields(Weights))
"""The names of the weights, and of the features that they are of."""
_VALUES = attrgetter(*FEATURES)
BUILT_IN = Weights()


def features(zone: ContextZone, age: int, tokens: int, references: int = 0) -> tuple[float, ...]:
    """The features of an item in the order of `FEATURES`; `age` is in turns since it was last referenced."""
    old = log1p(max(age, 0))
    zones = [float(zone == name) for name in ("chronicle", "memory", "workspace")]
    return (*zones, *(is_of * old for is_of in zones), log1p(tokens / _TOKENS), log1p(references))


def relevance(row: Sequence[float], weights: Weights) -> float:
    """The score of an item by its features: 0 is irrelevant, 1 critical."""
    total = sum(value * weight for value, weight in zip(row, weights.values, strict=True))
    return 1 / (1 + exp(-total)) if total >= 0 else exp(total) / (1 + exp(total))


def score(item: ContextItem, turn: int, weights: Weights) -> float:
    """How relevant an item is in a turn, from 0 to 1; what the prompt says stays whatever it weighs."""
    if item.zone == "system":
        return 1.0
    age = turn - max(item.last_reference, item.turn)
    return relevance(features(item.zone, age, item.token_count, item.references), weights)
