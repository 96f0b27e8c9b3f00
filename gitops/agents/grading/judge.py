"""Scores outputs by asking a model, one request for each output, so that none can speak for another.

An output is hostile text: it stands behind a fence that it cannot hold, and nothing but one score, within its bounds,
is taken for an answer. Where there is none (no key, no network, an empty purse, an output too long to be read whole),
the judge abstains, and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.agents import fencing
from gitops.agents.grading import prompts
from gitops.agents.judging import families
from gitops.agents.judging.overheard import Overheard
from gitops.canonical import digest, dumps, sha256
from gitops.config import Llm
from gitops.errors import AssayError
from gitops.llm import structured
from gitops.llm.ledger import Ledger
from gitops.llm.messages import Messages
from gitops.llm.opening import open_messages
from gitops.runs.keeping import Kept
from gitops.runs.transcripts import Transcript
from gitops.usage import NOTHING, Usage
from gitops.verify.criteria import Criteria, Scored

ID = "claude"
KIND = "criteria"
"""What scores are kept as, in the cache."""
_BYTES_PER_TOKEN = 3.5
_SHARE = 0.7
"""How much of what a model reads at once may be criteria and output."""


class Answer(BaseModel):
    """What a model answers, read strictly."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    reason: str = Field(min_length=1)
    vote: Literal["scored", "abstained"]
    score: float = Field(ge=0, le=1, allow_inf_nan=False)


Keeping = Callable[[], AbstractContextManager[Kept | None]]
"""Opens where answers are kept, as long as some are asked for."""


class Claude:
    """Scores by asking a model; see the module. No key is needed before there is a question."""

    def __init__(self, llm: Llm, preset: str, ledger: Ledger, keeping: Keeping = nullcontext) -> None:
        self.transcripts: list[Transcript] = []
        """What it asked and was answered."""
        self._llm = llm
        self._preset = preset
        self._ledger = ledger
        self._keeping = keeping
        self._opened: Messages | None = None

    @property
    def name(self) -> str:
        """Its id, its model and the version of what that is told."""
        return f"{ID}/{self._version}"

    @property
    def used(self) -> Usage:
        """What its calls have used."""
        return self._opened.used if self._opened is not None else NOTHING

    def snapshot(self) -> list[dict[str, str]]:
        """Its id, version and digest."""
        return [{"id": ID, "version": self._version, "digest": self.digest}]

    @cached_property
    def digest(self) -> str:
        """The sha256 over the code and the prompt, and the model with how hard it is to think."""
        files = [*sorted(Path(__file__).parent.glob("*.py")), Path(str(fencing.__file__))]
        code = {path.name: sha256(path.read_bytes()) for path in files}
        preset = self._llm.preset(self._preset)
        return digest({"code": code, "model": preset.model, "effort": preset.effort, "base_url": preset.base_url})

    def scores(self, asked: Sequence[Criteria]) -> list[Scored]:
        """One answer for each, in order; so many at once as the preset allows."""
        if not asked:
            return []
        try:
            messages = self._messages()
        except AssayError as error:
            return [_prevented(error)] * len(asked)
        with self._keeping() as kept:
            jobs = [[partial(self._scored, messages, kept, one)] for one in asked]
            return [scored for [scored] in families.run(jobs, messages.concurrency)]

    @property
    def _version(self) -> str:
        return f"{self._llm.preset(self._preset).model}/prompt-{prompts.VERSION}"

    def _scored(self, messages: Messages, kept: Kept | None, asked: Criteria) -> Scored:
        """The score of one output. What stands in the way of it is said in place of it, and spoils no other."""
        content = prompts.content(asked)
        room = int(messages.context_tokens * _BYTES_PER_TOKEN * _SHARE)
        size = sum(len(block["text"].encode()) for block in content)
        if size > room:
            return Scored(None, f"criteria and output are {size:,} bytes, and {room:,} are read at once", ID)
        key = digest([prompts.SYSTEM, content])
        if kept is not None and (known := _read(kept.get(KIND, self.digest, key))) is not None:
            return _said(known)
        try:
            answer = structured.ask(messages, prompts.SYSTEM, content, Answer)
        except AssayError as error:
            return _prevented(error)
        if kept is not None:
            kept.put(KIND, self.digest, key, dumps(answer.model_dump()).encode())
        return _said(answer)

    def _messages(self) -> Messages:
        if self._opened is None:
            self._opened = Overheard(open_messages(self._llm, self._preset, self._ledger), "judge", self.transcripts)
        return self._opened


def _read(kept: bytes | None) -> Answer | None:
    """What was answered to the very same before; None too for what another version wrote."""
    try:
        return Answer.model_validate_json(kept) if kept is not None else None
    except ValidationError:
        return None


def _prevented(error: AssayError) -> Scored:
    return Scored(None, f"{ID} could not judge: {error.message}", ID)


def _said(answer: Answer) -> Scored:
    reason = " ".join(answer.reason.split())
    return Scored(answer.score if answer.vote == "scored" else None, reason, ID)
