"""Recalls the newest measurement of one kind: by its run, of a revision, or as a file has it."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gitops.comparing import recalling
from gitops.comparing.recalling import Recalled
from gitops.errors import CannotRun, UsageError
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which measurements are wanted, and what to tell whoever names another.

    `is_one` knows them, `kind` is their kind in words, `command` makes one, and `listing` shows those that there are.
    `others` are schemas of files that look like measurements and are none, with what mends it.
    """

    kind: str
    is_one: Callable[[Measurement], bool]
    command: str
    listing: str
    others: tuple[tuple[str, str], ...] = ()

    @property
    def record(self) -> str:
        """What writes a file of one."""
        return f"{self.command} --json > FILE writes one"

    @property
    def shown(self) -> str:
        """Where to look for those that were kept."""
        return f"{self.listing} shows the runs that were kept"

    def at(self, word: str) -> str:
        """What measures a revision."""
        return f"{self.command} --rev {word}"


def recall(
    context: Context | None,
    folder: Path,
    word: str,
    workspace_at: Callable[[str], str],
    wanted: Wanted,
    only: str | None = None,
) -> Measurement:
    """The newest measurement of a kind that a word of the command line means, as `recalling.recall` reads it.

    That is of a run, by its id or its only beginning; of a file; of a revision. `context` is None outside of any
    repository: then only files can be meant. UsageError for what is none of them; CannotRun where nothing of that kind
    was measured there.
    """
    if context is None:
        if not os.path.isfile(folder / word):
            raise UsageError(f"'{word}' is no file, and here is no repository that may know it", wanted.record)
        try:
            return _newest(recalling.of_file(word, folder / word, only), word, wanted, wanted.record)
        except UsageError as error:
            raise _in_words_of(error, wanted) from error
    try:
        sides = recalling.recall(context, folder, word, workspace_at, only)
    except CannotRun as error:
        raise CannotRun(error.message, wanted.at(word)) from error
    except UsageError as error:
        raise _in_words_of(error, wanted) from error
    is_revision = any(side.commit for side in sides)
    return _newest(sides, word, wanted, wanted.at(word) if is_revision else wanted.shown)


def _in_words_of(error: UsageError, wanted: Wanted) -> UsageError:
    """The same as it is told of this kind, whose runs are others, and whose files may be confused with one another."""
    hint = error.hint.replace("git assay eval run", wanted.command)
    if "is no revision" in error.message:
        hint = wanted.shown
    hint = next((mend for schema, mend in wanted.others if schema in error.message), hint)
    return UsageError(error.message.replace("no eval run", "no run"), hint)


def _newest(sides: Iterable[Recalled], word: str, wanted: Wanted, hint: str) -> Measurement:
    """The measurement that counts: the last of that kind, of whatever metric it was recalled by."""
    every = (one for side in sides for repeats in side.metrics.values() for one in repeats)
    found = [one for one in every if wanted.is_one(one)]
    if not found:
        raise CannotRun(f"{word} holds no measurement of {wanted.kind}", hint)
    return max(found, key=lambda one: (one.completed_at, one.id))
