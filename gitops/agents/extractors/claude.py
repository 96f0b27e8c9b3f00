"""The extractor with a model: one conversation for each source, or part of one, with two tools to hand atoms over.

The interface forces a call where the model lets it; of one that always thinks, what it says in words is sent back.
Either way nothing is taken but arguments that validate, with quotations that stand in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitops.agents.extractors import briefing
from gitops.agents.extractors.given import Given
from gitops.agents.extractors.merging import merged
from gitops.agents.extractors.recording import Recorder
from gitops.agents.loop import Conversation
from gitops.config import Llm
from gitops.errors import CannotRun
from gitops.llm.estimate import estimate as estimated
from gitops.llm.messages import Messages
from gitops.okf.draft import Draft
from gitops.runs.shortening import Kept
from gitops.runs.transcripts import Transcript
from gitops.usage import NOTHING, Usage

MAX_TURNS = 24
"""Answers of one conversation: a part of a source has so many atoms, forty a call."""
_REMINDERS = 2
ANSWER = 2_500
"""Tokens of an answer that hands over a dozen atoms with their quotations."""
_ANSWERS = 3
"""Answers of a usual conversation: atoms, what was mended of them, the end."""


@dataclass
class ClaudeExtractor:
    """Extracts by one model. What it has said and left out is kept, however a conversation ended."""

    messages: Messages
    keeping: Kept | None = None
    """Who keeps a conversation (called as it says) within what the model reads."""
    operation: str = "extraction"
    transcripts: list[Transcript] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    _is_forced: bool = True
    """Whether the model is to be forced to call a tool: until the interface refuses it."""

    def drafts(self, sources: Sequence[Given], say: Callable[[str], None], known: Iterable[Draft] = ()) -> list[Draft]:
        """The atoms of some sources, one read after the other, so that each knows what the others hold.

        Edges may lead to atoms that are `known` before, too.
        CannotRun where the model refuses, is cut off or never ends; OutOfBudget before a call that may not be made.
        """
        found: dict[str, Draft] = {}
        before = {one.id: one for one in known}
        for source in sources:
            parts = briefing.parts(source, self.messages.context_tokens)
            for number, part in enumerate(parts, 1):
                say(f"{self.messages.model} reads {source.name}, part {number} of {len(parts)}")
                ground = briefing.ground(source, part, number, len(parts))
                taken = self._conversation(source, ground, {**before, **found}, f"{source.name} {number}", say)
                found = {one.id: one for one in merged([*found.values(), *taken])}
        return list(found.values())

    def _conversation(
        self, source: Given, ground: str, known: Mapping[str, Draft], scope: str, say: Callable[[str], None]
    ) -> list[Draft]:
        recorder = Recorder(source, known)
        keeper = self.keeping(f"{self.operation}/{scope}", self.messages) if self.keeping is not None else None
        tools = recorder.tools()
        speaking = Conversation(
            self.messages, briefing.SYSTEM, tools, max_turns=MAX_TURNS, keeper=keeper, forced=self._is_forced
        )
        self._is_forced = speaking.is_forced
        before = self.messages.used
        try:
            _spoken(speaking, recorder, ground, briefing.task(source, known.values()))
        finally:
            used = self.messages.used - before
            said = Transcript("writer", self.messages.model, briefing.SYSTEM, speaking.transcript, used)
            self.transcripts.append(said)
            self.dropped += [f"{source.name}: {one}" for one in recorder.dropped]
            if self._is_forced and not speaking.is_forced:
                self._is_forced = False
                say(f"{self.messages.model} cannot be forced to call a tool; it is asked for it in words")
        return recorder.atoms


def _spoken(speaking: Conversation, recorder: Recorder, ground: str, task: str) -> None:
    """Let the model work until it says that it is done. CannotRun where it never does."""
    told = task
    for number in range(_REMINDERS + 1):
        speaking.say(told, ground="" if number else ground)
        if recorder.is_done:
            return
        told = briefing.REMINDER
    raise CannotRun(
        f"the model did not end by the tool that is there for it ({len(recorder.taken)} atoms were recorded)",
        "try again, or use --preset offline",
    )


def first_turn(source: Given, context_tokens: int) -> tuple[str, str]:
    """What the model would be shown of a source first, and what it would be asked."""
    parts = briefing.parts(source, context_tokens) or [""]
    return briefing.ground(source, parts[0], 1, len(parts)), briefing.task(source, ())


def estimate(sources: Sequence[Given], llm: Llm, preset: str) -> Usage:
    """What extracting from these sources would use: a conversation of three answers for each part, nothing cached."""
    found = llm.preset(preset)
    used = NOTHING
    for source in sources:
        tools = [tool.declared() for tool in Recorder(source, {}).tools()]
        parts = briefing.parts(source, found.context_tokens)
        for number, part in enumerate(parts, 1):
            ground = briefing.ground(source, part, number, len(parts))
            said = [ground, briefing.task(source, ())]
            bodies: list[dict[str, Any]] = []
            for _ in range(_ANSWERS):
                bodies.append({"system": briefing.SYSTEM, "tools": tools, "messages": list(said)})
                said.append("x" * ANSWER * 3)
            used += estimated(bodies, found.model, llm, ANSWER)
    return used
