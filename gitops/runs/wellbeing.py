"""How each wiki is doing by its last measurements: what `status` tells of metrics, without reading them all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gitops.runs import latest, measurements
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.feedback import Ack
from gitops.runs.gates import BLOCKS, MENDS, Operation, ack_of, believed
from gitops.runs.latest import Latest

SHOWN = 3
"""So many contradictions are told in `status` (alexandria 14, M5: "Surface top contradictions")."""


@dataclass(frozen=True, slots=True)
class Wellbeing:
    """What one metric says of one workspace. `examples` are its worst cases, as `status` tells them."""

    latest: Latest
    ack: Ack | None
    examples: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Metric and status: what gates are looked up by."""
        return self.latest.metric, self.latest.decides.status

    @property
    def blocks(self) -> tuple[Operation, ...]:
        """What is held up now: nothing where it is acknowledged."""
        return () if self.ack is not None else BLOCKS.get(self.key, ())

    @property
    def mend(self) -> str:
        """The command that mends or shows it; '' where there is nothing to mend."""
        return MENDS.get(self.key, "")

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        told = self.latest.decides
        return {
            "workspace": self.latest.workspace,
            "metric": self.latest.metric,
            "score": told.value,
            "status": told.status,
            "uncertain": told.is_uncertain,
            "measured_at": told.at,
            "commit": told.commit,
            "blocks": list(self.blocks),
            "mend": self.mend or None,
            "ack": {"by": self.ack.by.name, "at": self.ack.at, "reason": self.ack.reason} if self.ack else None,
        }


def wellbeing(context: Context, workspace: str | None = None) -> list[Wellbeing]:
    """What every metric says that was ever measured, of one workspace or of all."""
    told = [each for each in latest.everywhere(context) if workspace in (None, each.workspace)]
    grounds = {each.workspace: Authority(context, each.workspace) for each in told}
    found = [believed(grounds[each.workspace], each, and_once=False) for each in told]
    return [Wellbeing(each, _ack(grounds[each.workspace], each), _examples(context, each)) for each in found]


def _ack(authority: Authority, of: Latest) -> Ack | None:
    return ack_of(authority.context, of.decides, authority) if (of.metric, of.decides.status) in BLOCKS else None


def _examples(context: Context, of: Latest) -> tuple[str, ...]:
    told = of.decides
    if of.metric != "M5" or told.status not in ("degraded", "broken"):
        return ()
    every = measurements.measurements_on(context, told.commit)
    details = next((one.details for one in every if one.id == told.id), {})
    return tuple(_places(each) for each in list(details.get("contradictions", []))[:SHOWN])


def _places(contradiction: Any) -> str:
    """`wiki/a.md:3 and wiki/b.md:7`; anybody may have written the record, so nothing of its form is taken on trust."""
    sides: Iterable[Any] = (contradiction.get(side) for side in ("a", "b")) if isinstance(contradiction, dict) else ()
    places = [f"{side.get('page')}:{side.get('line')}" for side in sides if isinstance(side, dict)]
    return " and ".join(places)
