"""What a measurement of an ablation says of itself: which variant it is of how many, and what was calibrated in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.runs.measurements import ABLATION, Measurement

NAME = "ablation"
"""Where a configuration's snapshot has it."""


class Arm(BaseModel):
    """One variant of an ablation. `place` is 0 for the control; `suite` the digest of the suite that all are asked.

    `calibrated` is the state of its commit, as far as the suite depends on it; `overrides` what its targets were told
    besides: nothing, where the variant is what the commit has.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    place: int = Field(ge=0)
    variants: tuple[str, ...] = Field(min_length=2)
    repeats: int = Field(ge=1)
    seed: int = Field(ge=0)
    suite: str
    calibrated: Mapping[str, str]
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
