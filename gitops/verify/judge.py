"""What a judge is asked and what it answers: whether a source supports a claim, whether two claims agree.

A judge is asked many questions at once and answers each, in order, with a vote or an abstention; it never raises
for what a text says. Who asks decides what a vote may do: only above `gate` may it hold a change up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from gitops.usage import Usage

ClaimVote = Literal["supports", "partially_supports", "does_not_support", "source_missing", "abstained"]
PairVoteName = Literal["supports", "independent", "partial_contradiction", "direct_contradiction", "abstained"]


@dataclass(frozen=True, slots=True)
class Question:
    """A claim and what is to support it.

    `before` and `after` are the sentences around the claim on its page. `span` is the cited stretch of the source,
    `context` what stands around it there, `title` what the source is called, `source` its whole text.
    """

    claim: str
    before: str = ""
    after: str = ""
    span: str = ""
    context: str = ""
    title: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a judge says of a claim.

    `confidence` in [0, 1] is how sure it is of its side: that the source supports the claim, or that it does not
    wholly. `support` in [0, 1] is how probable it finds support, also where it abstains; None where it did not look.
    `unsupported` are the claim's words that lack support, as written, in order. `may_gate` says that the vote is sure
    enough to decide: of its like 95 in 100 are right. It may then hold a change up, and no other judge need be asked.
    """

    vote: ClaimVote
    confidence: float
    reason: str
    unsupported: tuple[str, ...] = ()
    support: float | None = None
    may_gate: bool = False


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """Two claims about one topic."""

    a: str
    b: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class PairVote:
    """What a judge says of two claims. `contradiction` in [0, 1] is how probable it finds that they contradict.

    `may_gate` says that the vote is sure enough to decide, as with `Vote`.
    """

    vote: PairVoteName
    confidence: float
    reason: str
    contradiction: float | None = None
    may_gate: bool = False


class Judge(Protocol):
    """Votes on meaning.

    A judge that cannot answer (no key, no network, an answer that is none) raises CannotRun and gives no vote at all:
    a vote is never made up. OutOfBudget where it may spend no more.
    """

    @property
    def id(self) -> str:
        """What it is called: the stem of its file in `judges/`."""
        ...

    @property
    def version(self) -> str:
        """What its weights or its model are called."""
        ...

    @property
    def digest(self) -> str:
        """The sha256 of all that decides its answers: code and weights."""
        ...

    @property
    def is_free(self) -> bool:
        """Whether asking costs nothing: such a judge is asked even where the change is refused already."""
        ...

    @property
    def used(self) -> Usage:
        """What it has spent since it was made."""
        ...

    def gate(self, vote: ClaimVote) -> float | None:
        """The confidence from which on a vote is right 95 times in 100 in cross-validation; None where it never is."""
        ...

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """One vote for each question, in order."""
        ...

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """One vote for each pair, in order."""
        ...
