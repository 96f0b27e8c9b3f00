"""The verifier agent as a judge: it reads around in the change and its sources, and votes on every claim.

A fresh conversation for each batch of claims, reading tools only, and votes that are either complete or none
(alexandria 13, "Contract the default verifier honors").
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.agents.loop import Conversation, Tool
from gitops.agents.reading.shelf import Shelf
from gitops.agents.tools import reading_tools
from gitops.agents.verifying import asking, plan, prompts
from gitops.agents.verifying.ballots import Ballot, Cast, ClaimCast, PairCast
from gitops.canonical import digest, sha256
from gitops.errors import CannotRun
from gitops.llm.messages import Messages
from gitops.llm.opening import open_messages
from gitops.runs.shortening import Kept
from gitops.runs.transcripts import Transcript
from gitops.usage import Usage
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote

if TYPE_CHECKING:
    from gitops.runs.seating import Seat

ID = "claude_agent"
_REMINDERS = 2
_SHARE = 2
"""Characters of claims in one conversation for each token that the model reads: the rest is for what it looks at."""


class ClaudeAgent:
    """Votes after looking around; see the module. `transcripts` are its conversations, also those that failed."""

    id = ID
    is_free = False

    def __init__(
        self, messages: Messages, effort: str = "", shelf: Shelf | None = None, keeping: Kept | None = None
    ) -> None:
        self.transcripts: list[Transcript] = []
        self._messages = messages
        self._effort = effort
        self._shelf = shelf
        self._keeping = keeping

    @property
    def version(self) -> str:
        """The version of its prompt and the model that it speaks through."""
        return f"{prompts.VERSION}/{self._messages.model}"

    @cached_property
    def digest(self) -> str:
        """The sha256 over its code, its prompts, the model and its effort."""
        agents = Path(__file__).parents[1]
        inside = [file for folder in ("reading", "verifying") for file in (agents / folder).glob("*.py")]
        alone = [agents / f"{name}.py" for name in ("calling", "fencing", "flushing", "loop", "tools")]
        files = {file.relative_to(agents).as_posix(): file for file in (*inside, *alone, Path(__file__))}
        code = {name: sha256(file.read_bytes()) for name, file in files.items()}
        return digest({"code": code, "model": self._messages.model, "effort": self._effort, "looks": bool(self._shelf)})

    @property
    def used(self) -> Usage:
        """What it has spent."""
        return self._messages.used

    def gate(self, vote: ClaimVote) -> float | None:
        """Every vote may gate; an abstention is none."""
        return None if vote == "abstained" else 0.0

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """One vote for each question. CannotRun where the agent did not give exactly that."""
        shows_sources = self._shelf is None
        groups = asking.batches(questions, self._most_characters, shows_sources=shows_sources)
        return [_vote(cast) for group in groups for cast in self._claims(group)]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """One vote for each pair; there is nothing to look around in."""
        found = []
        for group in asking.batches(questions, self._most_characters):
            ballot = Ballot(PairCast, [""] * len(group))
            found += self._held(prompts.PAIRS, [], asking.pairs(group), ballot)
        return [_pair_vote(cast) for cast in found]

    @property
    def _most_characters(self) -> int:
        return self._messages.context_tokens * _SHARE

    def _claims(self, group: Sequence[Question]) -> list[ClaimCast]:
        ballot = Ballot(ClaimCast, [one.claim for one in group])
        shelf = self._shelf
        if shelf is None:
            return self._held(prompts.SYSTEM, [], asking.without_tools(group), ballot)
        most = min(plan.DIFFED, self._messages.context_tokens)
        change = plan.shown(shelf.base, shelf.now(), most) if shelf.base is not None else ""
        opening = asking.with_tools(group, change, plan.spots(shelf.base, shelf.now()))
        return self._held(prompts.SYSTEM, reading_tools(shelf), opening, ballot)

    def _held(self, system: str, looking: Sequence[Tool], opening: str, ballot: Ballot[Cast]) -> list[Cast]:
        """One conversation from its beginning to a complete list of votes."""
        keeper = self._keeping(str(len(self.transcripts) + 1), self._messages) if self._keeping is not None else None
        conversation = Conversation(self._messages, system, [*looking, ballot.tool()], keeper=keeper)
        before = self._messages.used
        try:
            conversation.say(opening)
            for _ in range(_REMINDERS):
                if ballot.votes is None:
                    conversation.say(prompts.REMINDER.format(count=ballot.count))
        finally:
            spent = self._messages.used - before
            self.transcripts.append(
                Transcript("verifier", self._messages.model, system, conversation.transcript, spent)
            )
        if ballot.votes is None:
            raise CannotRun(
                "the verifier ended without submitting its votes", "there is no verdict; finish the run again"
            )
        return ballot.votes


def judge(seat: Seat) -> ClaudeAgent:
    """The verifier agent of a seat, on the policy's verifier preset and within the verifier's budget."""
    llm = seat.workspace.config.llm
    shelf = Shelf.of(seat.head, seat.base) if seat.head is not None else None
    messages, effort = open_messages(llm, llm.verifier, seat.ledger), llm.preset(llm.verifier).effort
    return ClaudeAgent(messages, effort, shelf, seat.keeping)


def _vote(cast: ClaimCast) -> Vote:
    if cast.vote == "abstained":
        return Vote("abstained", 0.0, cast.reason)
    support = cast.confidence if cast.vote == "supports" else 1.0 - cast.confidence
    return Vote(cast.vote, cast.confidence, cast.reason, tuple(cast.unsupported), round(support, 4), may_gate=True)


def _pair_vote(cast: PairCast) -> PairVote:
    if cast.vote == "abstained":
        return PairVote("abstained", 0.0, cast.reason)
    contradicts = cast.vote in ("partial_contradiction", "direct_contradiction")
    likely = cast.confidence if contradicts else 1.0 - cast.confidence
    return PairVote(cast.vote, cast.confidence, cast.reason, round(likely, 4), may_gate=True)
