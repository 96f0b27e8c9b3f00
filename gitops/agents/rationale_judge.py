"""The judge of rationales where a model is to read them: the Claude judge on the preset that `[extraction]` names.

What it votes is kept for extraction alone: it serves no landing and no other measurement, nor do theirs serve it
(`PROTOCOL.md` 8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from gitops.agents.judges.claude import Claude
from gitops.errors import UsageError
from gitops.runs.keeping import Kept
from gitops.runs.seating import Purpose, Seat
from gitops.usage import NOTHING, Usage
from gitops.verify.around import Around
from gitops.verify.judgements import Remembered

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.transcripts import Transcript
    from gitops.runs.workspace import Workspace
    from gitops.verify.judge import PairQuestion, PairVote, Question, Vote

PURPOSE: Purpose = "extraction"


class RationaleJudge(Around):
    """The Claude judge with its memory, which is opened when it is asked. No key is needed before there is a question.

    `recalled` counts the questions that it had answered before.
    """

    def __init__(self, context: Context, seat: Seat, preset: str, *, fresh: bool) -> None:
        llm = seat.workspace.config.llm
        super().__init__(Claude(llm, preset, seat.ledger))
        self._context, self._fresh = context, fresh
        self._asked: list[Claude] = []
        self._opened: Callable[[Kept | None], Claude] = lambda kept: Claude(llm, preset, seat.ledger, kept)
        self.recalled = 0

    @property
    def used(self) -> Usage:
        """What its calls have used."""
        return sum((one.used for one in self._asked), NOTHING)

    @property
    def transcripts(self) -> list[Transcript]:
        """What it asked and was answered."""
        return [said for one in self._asked for said in one.transcripts]

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question, in order; what it has answered before is not asked again."""
        with self._context.caching() as cache:
            kept = Kept(cache, PURPOSE, self._fresh)
            remembered = Remembered(self._claude(kept), kept)
            votes = remembered.votes(questions)
            self.recalled += remembered.recalled
            return votes

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """A vote for each pair, in order; none is kept."""
        return self._claude(None).pair_votes(questions)

    def estimate(self, questions: Sequence[Question]) -> Usage:
        """About what asking would take, with nothing sent; what was answered before is reckoned as well."""
        return self._opened(None).estimate(questions)

    def _claude(self, kept: Kept | None) -> Claude:
        claude = self._opened(kept)
        self._asked.append(claude)
        return claude


def seated(context: Context, workspace: Workspace, *, run_id: str, fresh: bool, spent: Usage) -> RationaleJudge:
    """The judge on the preset `[extraction] judge`, paid from what `spent` leaves of `[llm.budgets.extraction]`.

    UsageError where that preset is unknown or has no model.
    """
    name = workspace.config.extraction.judge
    if not workspace.config.llm.preset(name).model:
        told = f"rationales take a model to judge, and [extraction] judge = '{name}' has none"
        raise UsageError(told, "choose a preset whose provider is 'anthropic', or leave out --live")
    seat = Seat(
        workspace=workspace,
        folder=context.folder,
        clock=context.clock,
        operation=PURPOSE,
        run_id=run_id,
        purpose=PURPOSE,
        spent=asdict(spent),
    )
    return RationaleJudge(context, seat, name, fresh=fresh)
