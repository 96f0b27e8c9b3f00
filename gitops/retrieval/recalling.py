"""Recalls a run of retrieval: by its id, of a revision, or as a file has its measurement."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from gitops.comparing import newest
from gitops.comparing.newest import Wanted
from gitops.retrieval.measuring import runs
from gitops.retrieval.results import SCHEMA
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import RETRIEVAL, Measurement

_COMMIT = re.compile(r"[0-9a-f]{40}")
_OF_RESULTS = "results are scored by golden queries: git assay retrieval score --gold FILE --results FILE"
_WANTED = Wanted(
    kind="retrieval",
    is_one=lambda one: one.kind == RETRIEVAL and one.is_indexed,
    command="git assay retrieval run",
    listing="git assay retrieval list",
    others=((SCHEMA, _OF_RESULTS),),
)


def recall(
    context: Context | None, folder: Path, word: str, workspace_at: Callable[[str], str], only: str | None = None
) -> Measurement:
    """The newest measurement of retrieval that a word of the command line means; see `comparing.newest`."""
    return newest.recall(context, folder, word, workspace_at, _WANTED, only)


def history(context: Context, named: Measurement) -> list[Measurement]:
    """All measurements of the run of one, oldest first: the first holds its results, each further one scored it again.

    [] where the notes have no measurement of it: it came in a file.
    """
    there = measurements.measurements_on(context, named.commit, RETRIEVAL) if _COMMIT.fullmatch(named.commit) else []
    return runs(there).get(named.run_id, [])
