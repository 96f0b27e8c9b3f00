"""A judge that is asked in batches though its questions come one change at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gitops.verify.around import Around
from gitops.verify.judge import PairQuestion, PairVote, Question, Vote

_PROVISIONAL = Vote("supports", 1.0, "not asked yet", may_gate=True)
"""What ends a question for the time being: no judge further on is asked, and no second question is."""


@dataclass
class Foretold(Around):
    """Answers what its judge has answered; anything else is noted, to be asked with all that comes together.

    Where `provisional` has grown, what was answered is not to be believed: ask, and put the questions again.
    """

    known: dict[Question, Vote] = field(default_factory=dict)
    open: dict[Question, None] = field(default_factory=dict)
    provisional: int = 0
    """How many answers were given that are not to be believed."""

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """What is known; of the rest a provisional vote, or the judge's own at once where asking costs nothing."""
        unknown = [question for question in questions if question not in self.known]
        if self.is_free:
            self.known.update(zip(unknown, self.judge.votes(unknown), strict=True))
            unknown = []
        self.open.update(dict.fromkeys(unknown))
        self.provisional += len(unknown)
        return [self.known.get(question, _PROVISIONAL) for question in questions]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """The judge's: no change is verified by them."""
        return self.judge.pair_votes(questions)

    def ask(self) -> None:
        """Have all that is open answered; questions about one source come together. Raises what the judge raises."""
        questions = sorted(self.open, key=lambda question: (question.title, question.source, question.claim))
        self.open.clear()
        for question, vote in zip(questions, self.judge.votes(questions), strict=True):
            self.known[question] = vote
