"""What the parts of a check's result are made of: texts, numbers and moments, each within bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Outcome = Literal["passed", "failed", "neutral"]
"""`neutral`: nothing was wrong, and something that should have been looked at was not. It is never green."""
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Text = Annotated[str, Field(max_length=2_000)]
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Number = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    """A part of a result: frozen, and nothing in it but what is declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)
