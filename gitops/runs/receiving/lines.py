"""The ref lines that git tells a pre-receive hook, and what refuses one in words."""

from __future__ import annotations

from dataclasses import dataclass

from gitops.errors import UsageError
from gitops.runs.reflines import Examined

HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Line:
    """One ref that a push would move: from which object to which; all noughts where there is none."""

    old: str
    new: str
    ref: str

    @property
    def makes(self) -> bool:
        """Whether the ref is not there yet."""
        return not set(self.old) - {"0"}

    @property
    def deletes(self) -> bool:
        """Whether the ref would be gone."""
        return not set(self.new) - {"0"}


def parse(text: str) -> list[Line]:
    """The ref lines on a pre-receive hook's standard input. UsageError for anything else, and for none at all."""
    lines = [line.split(" ", 2) for line in text.split("\n") if line]  # a ref may hold what else ends a line
    wrong = next((fields for fields in lines if len(fields) != 3 or not all(fields)), None)
    if wrong is not None or not lines:
        told = f"this is no ref line: {' '.join(wrong)[:60]!r}" if wrong else "there is no ref line"
        raise UsageError(told, "git itself calls this hook: a line is the old object, the new object, the ref")
    return [Line(*fields) for fields in lines]


def refused(line: Line, why: str, mend: str) -> Examined:
    """A ref that may not move so, and what to do instead."""
    return Examined(line.ref, False, why, (), mend)


def short(ref: str) -> str:
    """What a person calls a ref: a branch by its name, another in full."""
    return ref.removeprefix(HEADS)
