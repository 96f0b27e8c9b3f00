"""The shape that `git assay okf validate` prints with `--json`: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on


class OkfFault(TypedDict):
    """Something wrong. `path` is within the bundle; `line` counts from 1, 0 is the file as a whole."""

    standard: Literal["okf", "profile", "graph"]
    level: Literal["error", "warning", "note"]
    result: str
    message: str
    path: str
    line: int
    mend: str


class OkfAnswer(TypedDict):
    """What one standard finds. `kept` is null where there was no concept to ask it of (`asked` 0)."""

    kept: bool | None
    asked: int
    errors: int
    warnings: int
    notes: int
    faults: list[OkfFault]


class OkfBundle(TypedDict):
    """One folder or file, called as it was asked for. `types` counts its concepts by type.

    A standard that was not asked is null; faults of how atoms hang together (`graph`) are the profile's.
    """

    path: str
    files: int
    unread: list[str]
    types: dict[str, int]
    okf: OkfAnswer | None
    profile: OkfAnswer | None


class OkfValidated(TypedDict):
    """What `okf validate` found, in the order in which paths were named."""

    schema: Literal["assay/okf-validated/1"]
    only: Literal["okf", "profile"] | None
    bundles: list[OkfBundle]
