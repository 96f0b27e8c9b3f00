"""The weights of the offline judge, read from the file that `benchmarks/judge/train.py` writes, and their sums."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "judges" / "offline_weights.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic regression: a weight for each feature, by passage and document where they differ, and a calibration.

    `slope` and `offset` turn the sum into a probability (Platt 1999), fitted on sums from folds that the weights had
    not seen, at even odds of the two sides.
    """

    passage: Mapping[str, float]
    document: Mapping[str, float]
    slope: float
    offset: float
    abstain_below: float
    gate: Mapping[str, float | None]

    def sum(self, features: Mapping[str, float], length: float = 0.0) -> float:
        """The weighted sum, above 0 for the one side; `length` is 0 for a passage, 1 for a document."""
        passage = self.passage["intercept"] + math.fsum(self.passage[name] * value for name, value in features.items())
        document = self.document["intercept"] + math.fsum(
            self.document[name] * value for name, value in features.items()
        )
        return (1.0 - length) * passage + length * document

    def probability(self, total: float) -> float:
        """What a sum stands for; it rises with the sum."""
        odds = max(-40.0, min(40.0, self.slope * total + self.offset))
        return 1.0 / (1.0 + math.exp(-odds))


@dataclass(frozen=True, slots=True)
class Level:
    """The closeness from which on a kind of evidence refuses a claim, and the share of such refusals that are right."""

    closeness: float
    precision: float


@dataclass(frozen=True, slots=True)
class Trained:
    """All that was trained: support, whether there is any at all, and contradiction."""

    version: str
    support: Weights
    any: Weights
    contradiction: Weights
    evidence: Mapping[str, Level | None]
    """For each kind of hard evidence from when on it refuses a claim; None where it never does."""


@cache
def trained() -> Trained:
    """The weights in use."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    evidence = {
        kind: None if level is None else Level(level["from"], level["precision"])
        for kind, level in kept["evidence"].items()
    }
    support, some, contradiction = (weights(kept[name]) for name in ("support", "any", "contradiction"))
    return Trained(kept["version"], support, some, contradiction, evidence)


def weights(kept: Mapping[str, Any]) -> Weights:
    """The weights of one question as the file has them: a number, or one for passages and one for documents."""
    passage, document = ({name: _of(value, side) for name, value in kept["weights"].items()} for side in (0, 1))
    slope, offset = kept["calibration"]
    return Weights(passage, document, slope, offset, kept["abstain_below"], kept["gate"])


def _of(value: float | list[float], side: int) -> float:
    return value[side] if isinstance(value, list) else value
