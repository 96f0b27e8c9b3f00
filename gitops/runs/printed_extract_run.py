"""The shapes that `git assay extract run` prints with `--json`: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.okf.model import AtomType, EdgeType
from gitops.runs.printed import Finished


class ExtractedEdge(TypedDict):
    """An edge that an atom carries, by the id that it leads to."""

    rel: EdgeType
    target: str


class ExtractedAtom(TypedDict):
    """An atom and its file: `op` says what becomes of that, `keep` that somebody has worked on it.

    `rationale` is how many sentences say why it is so.
    """

    id: str
    type: AtomType
    title: str
    path: str
    op: Literal["create", "update", "none", "keep"]
    relationships: list[ExtractedEdge]
    rationale: int


class ExtractRun(TypedDict):
    """What was extracted and written, or with `--dry-run` would be; `run` is what came of a run into the wiki.

    `empty` are sources without an atom; `dropped` says what a model handed over and its source does not bear.
    """

    schema: Literal["assay/extract-run/1"]
    result: Literal["written", "would_write", "finished", "nothing_new", "nothing_found"]
    folder: str
    preset: str
    model: str
    sources: list[str]
    empty: list[str]
    atoms: list[ExtractedAtom]
    files: list[str]
    kept: list[str]
    dropped: list[str]
    used: dict[str, float]
    run: Finished | None


class ExtractAsked(TypedDict):
    """What a model would be asked first, and about what all of it would use (`--dry-run`)."""

    schema: Literal["assay/extract-run/1"]
    result: Literal["would_ask"]
    folder: str
    preset: str
    model: str
    sources: list[str]
    system: str
    first_turn: str
    estimate: dict[str, float]


class NotExtracted(TypedDict):
    """No run came to a verdict (exit 3, or 4 where a gate is closed): why, and what mends it."""

    schema: Literal["assay/extract-run/1"]
    result: Literal["no_verdict"]
    folder: str
    preset: str
    error: str
    hint: str
    run: Finished | None
