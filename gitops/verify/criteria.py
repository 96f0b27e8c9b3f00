"""An output held to criteria: what a judge is asked of it, what it answers, and several judges one after the other.

A judge that cannot tell abstains: no score is ever made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gitops.errors import CannotRun
from gitops.usage import NOTHING, Usage


@dataclass(frozen=True, slots=True)
class Criteria:
    """An output and what it is held to.

    `text` says in free words what a good output is; `statements` are claims that the output has to make. `goal` is what
    was asked for.
    """

    output: str
    text: str = ""
    statements: tuple[str, ...] = ()
    goal: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a judge says of an output: from 0.0 (meets nothing of its criteria) to 1.0 (all); None where it abstains.

    `reason` is one line, `judge` the id of who says it.
    """

    score: float | None
    reason: str
    judge: str = ""


class CriteriaJudge(Protocol):
    """Scores outputs by criteria. It raises nothing where it cannot tell, be it for want of a key: it abstains."""

    @property
    def name(self) -> str:
        """Who judges, with versions; `none` where nobody does."""
        ...

    @property
    def used(self) -> Usage:
        """What it has spent since it was made."""
        ...

    def snapshot(self) -> list[dict[str, str]]:
        """Who judges, as measurements record it: id, version, digest of all that decides its answers."""
        ...

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        """One answer for each, in order."""
        ...


NOBODY = Scored(None, "nobody judges: [verify] judge names none")


@dataclass(frozen=True, slots=True)
class Bench:
    """Judges in the order in which they are asked; each is asked only where those before it abstained."""

    judges: tuple[CriteriaJudge, ...] = ()

    @property
    def name(self) -> str:
        """All their names."""
        return "+".join(judge.name for judge in self.judges) or "none"

    @property
    def used(self) -> Usage:
        """What they have spent together."""
        return sum((judge.used for judge in self.judges), NOTHING)

    @property
    def transcripts(self) -> list[Any]:
        """What was said to models and what they answered, as they hand it on (`runs/transcripts.py`)."""
        return [said for judge in self.judges for said in getattr(judge, "transcripts", ())]

    def snapshot(self) -> list[dict[str, str]]:
        """All of them."""
        return [one for judge in self.judges for one in judge.snapshot()]

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        """One answer for each, in order; where all abstain, the last one's, which was to decide.

        Equal outputs of equal criteria are one question.
        """
        given: dict[Criteria, Scored] = {}
        left = list(dict.fromkeys(asked))
        for judge in self.judges:
            if not left:
                break
            given |= zip(left, _asked(judge, left), strict=True)
            left = [one for one in left if given[one].score is None]
        return [given.get(one, NOBODY) for one in asked]


def _asked(judge: CriteriaJudge, asked: Sequence[Criteria]) -> list[Scored]:
    """A judge's answers. One that could not be reached is told in place of each of them."""
    try:
        return judge.scores(asked)
    except CannotRun as error:
        return [Scored(None, f"{judge.name} could not judge: {error.message}", judge.name)] * len(asked)


def instrument(judge: CriteriaJudge | None) -> dict[str, Any]:
    """A judge as the instrument of a measurement records it."""
    return {"judge": "none", "judges": []} if judge is None else {"judge": judge.name, "judges": judge.snapshot()}
