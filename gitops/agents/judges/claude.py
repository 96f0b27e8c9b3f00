"""The Claude judge: a model is told to find the error in the write, and has to vote on every claim.

It asks about the claims of one source together, shows what of the source they need, and takes no answer that is not
one explicit vote for each. `docs/judges.md` says what is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitops.canonical import digest, sha256
from gitops.config import Llm
from gitops.errors import UsageError
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote

if TYPE_CHECKING:
    from gitops.agents.judging.answers import More
    from gitops.llm.ledger import Ledger
    from gitops.llm.messages import Messages
    from gitops.runs.keeping import Kept
    from gitops.runs.seating import Seat
    from gitops.runs.transcripts import Transcript


class Claude:
    """Votes by asking a model; see the module. Nothing is opened, and no key is needed, before there is a question."""

    id = "claude"
    is_free = False

    def __init__(self, llm: Llm, preset: str, ledger: Ledger, kept: Kept | None = None) -> None:
        self._kept = kept
        self._opened: Messages | None = None
        self.transcripts: list[Transcript] = []
        """What it asked and was answered."""
        self._llm = llm
        self._preset = preset
        self._ledger = ledger
        self._model = llm.preset(preset).model

    @property
    def version(self) -> str:
        """The model, and the version of what it is told."""
        from gitops.agents.judging import prompts

        return f"{self._model}/prompt-{prompts.VERSION}"

    @cached_property
    def digest(self) -> str:
        """The sha256 over the code and the prompts, file by file, and the model with how hard it is to think."""
        here = Path(__file__)
        agents = here.parents[1]
        files = sorted([*(agents / "judging").glob("*.py"), agents / "fencing.py", here])
        preset = self._llm.preset(self._preset)
        asked = {"model": preset.model, "effort": preset.effort, "base_url": preset.base_url}
        code = {file.relative_to(agents).as_posix(): sha256(file.read_bytes()) for file in files}
        return digest({"code": code, **asked})

    @property
    def used(self) -> Usage:
        """What its calls have used: others may spend from the same ledger."""
        return self._opened.used if self._opened is not None else NOTHING

    def gate(self, vote: ClaimVote) -> float | None:
        """Every vote of which it is more sure than not; below that it abstains."""
        return None if vote == "abstained" else 0.5

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        """A vote for each question. CannotRun, and no vote at all, where any of them got none."""
        from gitops.agents.judging import asking, keeping, voting
        from gitops.agents.judging.planning import Room

        messages = self._messages
        room = Room.of(messages.context_tokens)
        ask = asking.claims(messages)
        if self._kept is not None:
            ask = keeping.kept(ask, self._kept, self.digest)
        return voting.votes(ask, questions, room, messages.concurrency)

    def estimate(self, questions: Sequence[Question]) -> Usage:
        """About what asking would take: the requests as they would be sent, with nothing sent."""
        from gitops.agents.judging import voting
        from gitops.agents.judging.planning import Request, Room
        from gitops.llm.estimate import estimate

        bodies: list[dict[str, Any]] = []

        def count(request: Request) -> list[Vote | More]:
            content = list(request.content)
            bodies.append({"system": request.system, "messages": [{"role": "user", "content": content}]})
            return [Vote("abstained", 0.0, "Not asked.") for _ in request.claims]

        preset = self._llm.preset(self._preset)
        voting.votes(count, questions, Room.of(preset.context_tokens), 1)
        return estimate(bodies, self._model, self._llm)

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        """A vote for each pair. CannotRun, and no vote at all, where any of them got none."""
        from gitops.agents.judging import asking, pairing
        from gitops.agents.judging.planning import Room

        messages = self._messages
        room = Room.of(messages.context_tokens)
        return pairing.votes(asking.pairs(messages), questions, room, messages.concurrency)

    @property
    def _messages(self) -> Messages:
        from gitops.agents.judging.overheard import Overheard
        from gitops.llm.opening import open_messages

        if self._opened is None:
            self._opened = Overheard(open_messages(self._llm, self._preset, self._ledger), "judge", self.transcripts)
        return self._opened


def judge(seat: Seat) -> Claude:
    """The judge as a run seats it: the workspace's verifier preset, paid from the verifier's share of the budget.

    UsageError where that preset has no model.
    """
    llm = seat.workspace.config.llm
    if not llm.preset(llm.verifier).model:
        told = f"the judge 'claude' needs a model, and [llm] verifier = '{llm.verifier}' has none"
        raise UsageError(told, "choose a preset whose provider is 'anthropic', or the offline judge")
    return Claude(llm, llm.verifier, seat.ledger, seat.kept)
