"""Several judges as one: each is asked only what those before it were unsure of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from gitops.canonical import digest
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import Judge, PairQuestion, PairVote, Question, Vote

_Asked = TypeVar("_Asked", Question, PairQuestion)
_Given = TypeVar("_Given", Vote, PairVote)


@dataclass(frozen=True, slots=True)
class Voted(Generic[_Given]):
    """A vote, the id of the judge that gave it, and whether that judge needs no model."""

    vote: _Given
    judge: str
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges in the order in which they are asked.

    A later judge's answer takes the place of an earlier one's, also where it abstains: it was asked because the earlier
    was not sure enough.
    """

    judges: tuple[Judge, ...]

    @property
    def name(self) -> str:
        """Who sits on it, with versions: what a verdict names as its judge. `none` where nobody does."""
        return "+".join(f"{judge.id}/{judge.version}" for judge in self.judges) or "none"

    @property
    def digest(self) -> str:
        """The sha256 of all that decides its answers."""
        return digest([judge.digest for judge in self.judges])

    @property
    def seats(self) -> list[dict[str, str]]:
        """Who sits on it, as measurements record it: id, version, digest."""
        return [{"id": one.id, "version": one.version, "digest": one.digest} for one in self.judges]

    @property
    def used(self) -> Usage:
        """What its judges have spent since they were made."""
        return sum((judge.used for judge in self.judges), NOTHING)

    def free(self) -> Panel:
        """Those that cost nothing."""
        return Panel(tuple(judge for judge in self.judges if judge.is_free))

    def votes(self, questions: Sequence[Question]) -> list[Voted[Vote]]:
        """A vote for each question, in order. Raises what its judges raise."""
        given = self._asked(questions, lambda judge, asked: judge.votes(asked), lambda vote: vote.may_gate)
        return [one or Voted(Vote("abstained", 0.0, "Nobody was asked."), "none") for one in given]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[Voted[PairVote]]:
        """A vote for each pair, in order. Raises what its judges raise."""
        given = self._asked(questions, lambda judge, asked: judge.pair_votes(asked), lambda vote: vote.may_gate)
        return [one or Voted(PairVote("abstained", 0.0, "Nobody was asked."), "none") for one in given]

    def _asked(
        self,
        questions: Sequence[_Asked],
        ask: Callable[[Judge, Sequence[_Asked]], list[_Given]],
        is_sure: Callable[[_Given], bool],
    ) -> list[Voted[_Given] | None]:
        given: list[Voted[_Given] | None] = [None] * len(questions)
        open_ones = list(range(len(questions)))
        for judge in self.judges if questions else ():
            votes = ask(judge, [questions[at] for at in open_ones])
            for at, vote in zip(open_ones, votes, strict=True):
                given[at] = Voted(vote, judge.id, judge.is_free)
            open_ones = [at for at, vote in zip(open_ones, votes, strict=True) if not is_sure(vote)]
            if not open_ones:
                break
        return given
