"""The one agent loop: a conversation with a model that may use tools, for whoever reads, writes or verifies.

The SDK has a tool runner of its own, but that one talks to the SDK's client, past the budget, the recordings and the
transcript that hang on our `Messages`, and it keeps on with a model that goes round in circles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitops.agents import flushing
from gitops.agents.calling import Arguments as Arguments
from gitops.agents.calling import Result, call
from gitops.agents.calling import Tool as Tool
from gitops.agents.calling import ToolError as ToolError
from gitops.agents.fencing import storable
from gitops.canonical import dumps
from gitops.errors import CannotRun
from gitops.llm.forcing import Unforceable, always_thinks
from gitops.llm.messages import Messages
from gitops.runs.shortening import ContextKeeper

MAX_MISUSES = 5
"""So many calls in a row may be of no tool that there is, or with arguments that are none."""
MAX_REPEATS = 4
"""The same call with the same arguments, so many times in a row, is a model going round in circles."""
MAX_AT_ONCE = 32
"""So many calls of one answer are run; of what is beyond, the model is told that it was not."""
_CACHED = {"cache_control": {"type": "ephemeral"}}
_SHOWN = 300

_CUT_OFF = {
    "max_tokens": (
        "the model's answer was cut off at max_tokens",
        "raise max_tokens in its [llm.presets] table, or give it less to do at once",
    ),
    "refusal": ("the model refused to answer", "read what it was given; another preset may answer"),
    "model_context_window_exceeded": (
        "the conversation grew longer than the model can read",
        "give it less to do at once, or a preset whose model reads more",
    ),
}
_TOO_MANY = Result(f"this call was not run: one answer may call {MAX_AT_ONCE} tools at most", is_error=True)
_ENDS = ("end_turn", "stop_sequence")
_GOES_ON = ("tool_use", "pause_turn")


class Conversation:
    """A conversation from its first word: nothing is known of any other. `transcript` holds both sides, whole.

    A `keeper` decides what of it is sent, where it is more than the model reads at once, or where the model asks for
    room by the tool that it then has. With `forced`, every answer has to call a tool, where the model can be forced:
    one that always thinks cannot, and whoever needs a call has to ask for it in words. `is_forced` says whether it is;
    a model of which the interface refuses it is asked again without, and so for the rest of the conversation.
    """

    def __init__(
        self,
        messages: Messages,
        system: str,
        tools: Sequence[Tool],
        *,
        max_turns: int = 40,
        keeper: ContextKeeper | None = None,
        forced: bool = False,
    ) -> None:
        self.messages = messages
        self.system = storable(system)
        self.transcript: list[dict[str, Any]] = []
        every = [*tools, *flushing.tools(keeper)]
        self._tools = {tool.name: tool for tool in every}
        self._declared = [tool.declared() for tool in every]
        self._max_turns = max_turns
        self._keeper = keeper
        self.is_forced = forced and bool(self._declared) and not always_thinks(messages.model)
        self._has_ground = False
        self._misuses = 0
        self._last_call = ""
        self._repeats = 0

    def say(self, text: str, *, ground: str = "") -> str:
        """Tell the model something and let it work until its turn ends; its last words, or the ending tool's result.

        `ground` is what the whole conversation is about: told before everything else, and cached for itself, so that
        another conversation about the same reads it from the cache.
        CannotRun where it refuses, is cut off, misuses its tools again and again, goes round in circles or needs more
        than `max_turns` answers; OutOfBudget before a call that may not be made. The transcript is kept all the same.
        """
        if ground and not self.transcript:
            self._has_ground = True
            self._listen([{"type": "text", "text": storable(ground)}])
        self._listen([*self._unanswered(), {"type": "text", "text": storable(text)}])
        self._misuses = self._repeats = 0
        for _ in range(self._max_turns):
            answer = self._asked_as_it_may_be()
            content = _said(answer)
            if content:
                self.transcript.append({"role": "assistant", "content": content})
            stopped = _checked(answer.get("stop_reason"))
            if stopped in _ENDS:
                return _words(content)
            if stopped == "tool_use" and (ended := self._answered(_calls(content))) is not None:
                return ended.text
        raise CannotRun(
            f"the model did not come to an end in {self._max_turns} answers", "give it less to do, or try again"
        )

    def _asked_as_it_may_be(self) -> dict[str, Any]:
        try:
            return self._asked()
        except Unforceable:
            if not self.is_forced:
                raise
            self.is_forced = False
            return self._asked()

    def _asked(self) -> dict[str, Any]:
        """The model's answer to all that was said, or to what its keeper shows of it."""
        if self._keeper is None:
            return self.messages.create(self._body(self.transcript))
        body = self._body(self._keeper.shown(self.transcript, self._body))
        answer = self.messages.create(body)
        self._keeper.heard(body, answer)
        return answer

    def _answered(self, calls: Sequence[Mapping[str, Any]]) -> Result | None:
        """Run all calls of one answer and put their results into one message; the one that ends the turn, if any."""
        if not calls:
            raise CannotRun("the model said that it calls a tool, and called none", "try again")
        results = [self._called(block) for block in calls[:MAX_AT_ONCE]]
        results += [_TOO_MANY] * (len(calls) - len(results))
        replies = [_reply(block, one.text, one.is_error) for block, one in zip(calls, results, strict=True)]
        self._listen(replies)
        if any(result.is_error for result in results):
            return None
        return next((result for result in reversed(results) if result.ends), None)

    def _unanswered(self) -> list[dict[str, Any]]:
        """Results for calls of an answer that was cut short: each call must have one before anything else is said."""
        if not self.transcript or self.transcript[-1]["role"] != "assistant":
            return []
        return [_reply(block, "this call was not run", True) for block in _calls(self.transcript[-1]["content"])]

    def _listen(self, blocks: list[dict[str, Any]]) -> None:
        """Add blocks to the user's side; two messages of one side in a row are one."""
        if self.transcript and self.transcript[-1]["role"] == "user":
            self.transcript[-1] = {"role": "user", "content": [*self.transcript[-1]["content"], *blocks]}
        else:
            self.transcript.append({"role": "user", "content": blocks})

    def _body(self, turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "system": [{"type": "text", "text": self.system, **_CACHED}],
            "messages": list(_with_breakpoints(turns, self._has_ground)),
        }
        if self._declared:
            body["tools"] = self._declared
        if self.is_forced:
            body["tool_choice"] = {"type": "any"}
        return body

    def _called(self, block: Mapping[str, Any]) -> Result:
        name, given = str(block.get("name")), block.get("input")
        self._count_repeats(name, given)
        result = call(self._tools, name, given)
        self._misuses = self._misuses + 1 if result.is_misuse else 0
        if self._misuses >= MAX_MISUSES:
            last = result.text.split("\n", 1)[0][:_SHOWN]
            raise CannotRun(
                f"the model misused its tools {MAX_MISUSES} times in a row; last: {last}",
                "try again, or choose a preset with another model",
            )
        return result

    def _count_repeats(self, name: str, given: Any) -> None:
        made = f"{name} {dumps(given)}"
        self._repeats = self._repeats + 1 if made == self._last_call else 1
        self._last_call = made
        if self._repeats >= MAX_REPEATS:
            raise CannotRun(
                f"the model goes round in circles: it called {name[:_SHOWN]} {MAX_REPEATS} times in a row with equal"
                " arguments",
                "try again, or choose a preset with another model",
            )


def _with_breakpoints(transcript: Sequence[dict[str, Any]], has_ground: bool = False) -> Iterator[dict[str, Any]]:
    """The messages with cache breakpoints on the last two of the user's: what was sent before is read from the cache.

    The last but one is marked as well, because the interface looks only 20 blocks back for what it has cached, and one
    answer may call more tools than that. With the system prompt's these are three of the four that are allowed; the
    fourth is for the ground of a conversation, which is the first block of all.
    """
    users = [at for at, message in enumerate(transcript) if message["role"] == "user"]
    for at, message in enumerate(transcript):
        blocks = list(message["content"])
        if at in users[-2:]:
            blocks[-1] = {**blocks[-1], **_CACHED}
        if has_ground and at == 0:
            blocks[0] = {**blocks[0], **_CACHED}
        yield {**message, "content": blocks} if blocks != message["content"] else message


def _checked(stop_reason: Any) -> str:
    """Why an answer stopped, where that is no reason to stop altogether."""
    if stop_reason in _CUT_OFF:
        raise CannotRun(*_CUT_OFF[stop_reason])
    if stop_reason not in (*_ENDS, *_GOES_ON):
        raise CannotRun(f"the model's answer ended with {stop_reason!r}, which means nothing here", "try again")
    return str(stop_reason)


def _said(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of an answer. CannotRun for what cannot be sent back: a number beyond all numbers (1e999)."""
    content = [block for block in answer.get("content") or [] if not _is_blank(block)]
    try:
        dumps(content)
    except ValueError as error:
        raise CannotRun(f"the model's answer is not JSON that can be sent back: {error}", "try again") from error
    return content


def _is_blank(block: Mapping[str, Any]) -> bool:
    """A text of nothing, which models send and the interface does not take back."""
    return block.get("type") == "text" and not str(block.get("text", "")).strip()


def _calls(content: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [block for block in content if block.get("type") == "tool_use"]


def _reply(called: Mapping[str, Any], text: str, is_error: bool) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": called.get("id"), "content": text or "(nothing)"}
    return {**block, "is_error": True} if is_error else block


def _words(content: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(str(block.get("text", "")) for block in content if block.get("type") == "text")
