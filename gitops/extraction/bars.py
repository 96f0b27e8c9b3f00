"""The bars that a score is held to (dossier DEC-0009, 3): on the pooled, canonical numbers, whatever else is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from gitops.config import Bars
from gitops.extraction import metrics
from gitops.extraction.model import Scored
from gitops.runs.measurements import Bar

NAMES = ("atom_f1", "edge_f1", "validity", "graph_errors", "faithfulness")
"""The metrics that have a bar, in the order in which they are told."""
Status = Literal["pass", "fail", "not_measured"]
State = Literal["passed", "failed", "not_measured"]
_TOGETHER: dict[Status, State] = {"fail": "failed", "not_measured": "not_measured"}
"""What all come to as soon as one is so, the worst first."""


@dataclass(frozen=True, slots=True)
class Held:
    """A metric, its number if there is one, and the bar it is held to."""

    name: str
    value: float | None
    bar: Bar

    @property
    def status(self) -> Status:
        """Whether the bar is reached: no number reaches none."""
        if self.value is None:
            return "not_measured"
        reached = {
            ">=": self.value >= self.bar.value,
            "<=": self.value <= self.bar.value,
            "==": self.value == self.bar.value,
        }
        return "pass" if reached[self.bar.op] else "fail"


def of(bars: Bars) -> dict[str, Bar]:
    """The bars by metric; a share of which 0 is wanted has none, and so needs no number either.

    What can be no better than its bar has to equal it: validity of 1, no error of the graph.
    """
    wanted = bars.model_dump()
    found = {name: Bar(op=">=", value=wanted[name]) for name in NAMES if wanted[name] or name == "graph_errors"}
    if bars.validity == 1:
        found["validity"] = Bar(op="==", value=1.0)
    found["graph_errors"] = Bar(op="<=" if bars.graph_errors else "==", value=float(bars.graph_errors))
    return found


def held(value: Callable[[str], float | None], bars: Bars) -> list[Held]:
    """Each metric that has a bar, held to it; `value` gives a number by its metric's name."""
    return [Held(name, value(name), bar) for name, bar in of(bars).items()]


def whys(scored: Scored) -> dict[str, str]:
    """Why a metric that has a bar would have no number, by its name."""
    told = {name: f"there are no {metrics.BY_NAME[name].of}" for name in NAMES}
    return told | {"faithfulness": unjudged(scored)}


def unjudged(scored: Scored) -> str:
    """Of how many sentences of rationales the judge is not sure; or that there is none."""
    claims = sum(len(each.faithfulness.claims) for each in scored.cases)
    unsure = sum(each.faithfulness.count("unjudged") for each in scored.cases)
    if not claims:
        return "there is no sentence of a rationale, in the gold or extracted (faithfulness = 0 asks for none)"
    return f"the judge is not sure enough of {unsure:,} of {claims:,} sentences of rationales"


def state(statuses: Iterable[str]) -> State:
    """What several come to: failed where one failed, else not measured where one was not."""
    found = set(statuses)
    return next((state for status, state in _TOGETHER.items() if status in found), "passed")
