"""What a measurement of an ablation says of itself: which variant it is of how many, and what was calibrated in it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.runs.measurements import ABLATION, Measurement

NAME = "ablation"
"""Where a configuration's snapshot has it."""


class Arm(BaseModel):
    """One variant of an ablation. `place` is 0 for the control; `suite` the digest of the suite that all are asked.

    `calibrated` is the state of its commit, as far as the suite depends on it; `beside` are the blobs of other files
    that the suite names, as far as variants have them otherwise; `overrides` what its targets were told besides:
    nothing, where the variant is what the commit has.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    place: int = Field(ge=0)
    variants: tuple[str, ...] = Field(min_length=2)
    repeats: int = Field(ge=1)
    seed: int = Field(ge=0)
    suite: str
    calibrated: Mapping[str, str]
    beside: Mapping[str, str] = Field(default_factory=dict)
    overrides: Mapping[str, Any] = Field(default_factory=dict)

    @property
    def is_control(self) -> bool:
        """Whether the others are held against it."""
        return self.place == 0


def arm(measurement: Measurement) -> Arm | None:
    """What a measurement says of its variant; None where it is of no ablation, or does not say it."""
    snapshot = measurement.subject.get("config_snapshot")
    told = snapshot.get(NAME) if measurement.kind == ABLATION and isinstance(snapshot, Mapping) else None
    try:
        found = Arm.model_validate(told)
    except ValidationError:
        return None
    is_there = found.place < len(found.variants) and found.variants[found.place] == measurement.variant
    return found if is_there and 0 <= measurement.repeat < found.repeats else None


def draw_of(measurement: Measurement) -> Hashable:
    """What tells the chance of one repeat from that of another: its seed, with which a target may draw.

    None of answers that were replayed: these are the same in each repeat.
    """
    snapshot = measurement.subject.get("config_snapshot")
    told = snapshot if isinstance(snapshot, Mapping) else {}
    if told.get("llm") == "replay":
        return None
    seed = told.get("seed")
    return seed if isinstance(seed, int) else (measurement.run_id, measurement.repeat)
