"""How right the judges are, as it was published: what stands beside every score that rests on their votes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Asked = Literal["claims", "pairs"]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Balanced accuracy over `n` labelled cases of a set, with its 95 % bootstrap interval, cross-validated."""

    set: str
    n: int
    balanced_accuracy: float
    interval: tuple[float, float]

    def record(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "set": self.set,
            "n": self.n,
            "balanced_accuracy": self.balanced_accuracy,
            "interval": list(self.interval),
        }


PAGE = "docs/judges.md"
"""Where the figures come from: the table under *What it reaches*. A test holds the two together."""
PUBLISHED: Mapping[tuple[str, str, Asked], tuple[Accuracy, ...]] = {
    ("offline", "2", "claims"): (
        Accuracy("wice-dev", 349, 0.774, (0.725, 0.821)),
        Accuracy("begin-wow-dev", 430, 0.857, (0.821, 0.889)),
        Accuracy("faithdial-audit", 179, 0.701, (0.633, 0.770)),
    ),
    ("offline", "2", "pairs"): (Accuracy("contradictions-chatprotect", 702, 0.719, (0.679, 0.761)),),
}
"""By judge, version and what it is asked. Sets whose errors were planted are left out: they tell how planting is seen.

What is not named here has not been measured on labelled cases.
"""


def published(judge: str, version: str, asked: Asked) -> tuple[Accuracy, ...]:
    """The figures of a judge in a version; none where that was never measured."""
    return PUBLISHED.get((judge, version, asked), ())
