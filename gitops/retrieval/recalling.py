"""Recalls a run of retrieval: by its id, of a revision, or as a file has its measurement."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from gitops.comparing import recalling
from gitops.comparing.recalling import Recalled
from gitops.errors import CannotRun, UsageError
from gitops.retrieval.measuring import runs
from gitops.retrieval.results import SCHEMA
from gitops.runs import measurements
from gitops.runs.context import Context
from gitops.runs.measurements import RETRIEVAL, Measurement

_COMMIT = re.compile(r"[0-9a-f]{40}")
_LIST = "git assay retrieval list shows the runs that were kept"
_OF_RESULTS = "results are scored by golden queries: git assay retrieval score --gold FILE --results FILE"
_RECORD = "git assay retrieval run --json > FILE writes one"


def recall(
    context: Context | None, folder: Path, word: str, workspace_at: Callable[[str], str], only: str | None = None
) -> Measurement:
    """The newest measurement of retrieval that a word of the command line means, as `comparing.recalling` reads it.

    That is of a run, by its id or its only beginning; of a file; of a revision. `context` is None outside of any
    repository: then only files can be meant. UsageError for what is none of them; CannotRun where retrieval was never
    measured there.
    """
    if context is None:
        if not os.path.isfile(folder / word):
            raise UsageError(f"'{word}' is no file, and here is no repository that may know it", _RECORD)
        try:
            return _newest(recalling.of_file(word, folder / word, only), word, _RECORD)
        except UsageError as error:
            raise _in_our_words(error) from error
    try:
        sides = recalling.recall(context, folder, word, workspace_at, only)
    except CannotRun as error:
        raise CannotRun(error.message, f"git assay retrieval run --rev {word}") from error
    except UsageError as error:
        raise _in_our_words(error) from error
    is_revision = any(side.commit for side in sides)
    return _newest(sides, word, f"git assay retrieval run --rev {word}" if is_revision else _LIST)


def _in_our_words(error: UsageError) -> UsageError:
    """The same as it is told of retrieval, whose runs are others, and whose files may be confused with one another."""
    hint = error.hint.replace("git assay eval run", "git assay retrieval run")
    if "is no revision" in error.message:
        hint = _LIST
    elif SCHEMA in error.message:
        hint = _OF_RESULTS
    return UsageError(error.message.replace("no eval run", "no run"), hint)


def _newest(sides: Iterable[Recalled], word: str, hint: str) -> Measurement:
    """The measurement that counts: the last of those of retrieval, of whatever metric they were recalled by."""
    found = [one for side in sides for repeats in side.metrics.values() for one in repeats if one.kind == RETRIEVAL]
    indexed = [one for one in found if one.is_indexed]
    if not indexed:
        raise CannotRun(f"{word} holds no measurement of retrieval", hint)
    return max(indexed, key=lambda one: (one.completed_at, one.id))


def history(context: Context, named: Measurement) -> list[Measurement]:
    """All measurements of the run of one, oldest first: the first holds its results, each further one scored it again.

    [] where the notes have no measurement of it: it came in a file.
    """
    there = measurements.measurements_on(context, named.commit, RETRIEVAL) if _COMMIT.fullmatch(named.commit) else []
    return runs(there).get(named.run_id, [])
