"""Failures that are told to a person: what and why in one line, the mend in another.

    AssayError            message, hint, exit_code
    ├── Refused       1   the answer is no: a verdict or a gate said so
    ├── UsageError    2   the command, the configuration or a path was wrong
    ├── CannotRun     3   the question could not be answered: no repository, no object, no space
    │   └── OutOfBudget    the next call to a model would have spent more than was allowed
    └── Blocked       4   a metric of the wiki is broken, and what was asked waits until it is mended or acknowledged

Adapters translate foreign exceptions into these at their border; only the doors print them.
"""

from __future__ import annotations


class AssayError(Exception):
    """A failure with its own words: `message` says what, where and why; `hint` mends it."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Refused(AssayError):
    """The question was answered, and the answer is no."""

    exit_code = 1


class UsageError(AssayError):
    """What was asked makes no sense as asked: a flag, a path, a configuration key."""

    exit_code = 2


class CannotRun(AssayError):
    """The question could not be answered here and now; nothing was decided."""

    exit_code = 3


class OutOfBudget(CannotRun):
    """The next call would spend more than the operation may, and is not made; or the budget cut an answer off."""


class Blocked(AssayError):
    """A metric is broken, and what was asked would build on it: alexandria 14's gates."""

    exit_code = 4


class Absent(LookupError):
    """A tree names an object that this clone does not hold (partial clone, pruned): told as a finding."""
