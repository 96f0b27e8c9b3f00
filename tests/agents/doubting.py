"""A judge of claims that tests sit down in a verifier's seat: it finds fault with whatever names some word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitops.usage import NOTHING
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote


@dataclass
class Doubter:
    """A judge that finds fault with whatever names some word, and none with the rest."""

    word: str
    says: ClaimVote
    id = "offline"
    version = "1"
    digest = "0" * 64
    is_free = True
    used = NOTHING

    def gate(self, vote: ClaimVote) -> float | None:
        return 0.5

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        return [self._vote(question) for question in questions]

    def _vote(self, question: Question) -> Vote:
        vote: ClaimVote = self.says if self.word in question.claim else "supports"
        return Vote(vote, 0.99, f"it says {vote}", may_gate=True)

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        return [PairVote("independent", 1.0, "") for _ in questions]
