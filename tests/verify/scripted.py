"""A judge that says what it is told to: by a word that the claim holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gitops.errors import AssayError
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote

ABSTAINS = Vote("abstained", 0.0, "Nothing was said.")


def sure(vote: ClaimVote, *unsupported: str) -> Vote:
    """A vote that may gate."""
    return Vote(vote, 0.99, f"It is so: {vote}.", unsupported, None, True)


def unsure(vote: ClaimVote) -> Vote:
    """A vote that may not."""
    return Vote(vote, 0.6, f"Perhaps: {vote}.")


@dataclass
class Scripted:
    """Votes by the first word of `says` that the claim, or its span, holds; else abstains. Keeps what it was asked."""

    says: Mapping[str, Vote] = field(default_factory=dict)
    id: str = "scripted"
    version: str = "1"
    digest: str = "d1"
    is_free: bool = False
    failure: AssayError | None = None
    used: Usage = NOTHING
    asked: list[Question] = field(default_factory=list)
    calls: int = 0

    def gate(self, vote: ClaimVote) -> float | None:
        return 0.9

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        if questions:
            self.calls += 1
            self.used = self.used + Usage(input=10, output=2, usd=0.001, calls=1)
        if self.failure is not None:
            raise self.failure
        self.asked += questions
        return [self._vote(one) for one in questions]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        return [PairVote("independent", 0.5, "Nothing was said.") for _ in questions]

    def _vote(self, asked: Question) -> Vote:
        said = f"{asked.claim}\n{asked.span}"
        return next((vote for word, vote in self.says.items() if word in said), ABSTAINS)
