"""`[extraction]`: what is scored against the gold in `gold/extraction/`, by whom, and the bars it is held to."""

from __future__ import annotations

from pydantic import Field, field_validator

from gitops.config.tables import Table, inner_folder


class Bars(Table):
    """`[extraction.bars]`: what a score must reach, on the pooled numbers (dossier DEC-0009, 3)."""

    atom_f1: float = Field(default=0.6, ge=0, le=1)
    edge_f1: float = Field(default=0.5, ge=0, le=1)
    validity: float = Field(default=1.0, ge=0, le=1)
    graph_errors: int = Field(default=0, ge=0)
    faithfulness: float = Field(default=0.8, ge=0, le=1)


class Extraction(Table):
    """`[extraction]`: `emitted` is a folder of the workspace that holds what was extracted, a folder for each case; ''
    is what the preset writes now. `preset` extracts, and `judge` is the preset that judges rationales with `--live`;
    without that no model is asked.
    """

    emitted: str = ""
    preset: str = "claude"
    judge: str = "escalate"
    bars: Bars = Bars()

    @field_validator("emitted")
    @classmethod
    def _inside_or_none(cls, value: str) -> str:
        return inner_folder(value) if value else ""
