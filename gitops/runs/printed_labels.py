"""What `--json` prints of labels of persons: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.feedback import HumanLabel


class Labelled(TypedDict):
    """What was labelled of a run (`benchmark label`), and how many of its cases still wait for a person."""

    schema: Literal["assay/benchmark-label/1"]
    run: str
    waiting: int
    labels: list[HumanLabel]
