"""A model that is measured: one conversation for each case, under the system prompt and with the tools of its suite.

What it is given is fenced as data; the tools only read, and only the measured tree. It is paid from
`[llm.budgets.benchmark]`, and recorded and replayed like every other call (`ASSAY_LLM`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from difflib import get_close_matches
from time import perf_counter
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.loop import Conversation
from gitops.agents.reading.shelf import Shelf
from gitops.agents.tools import reading_names, reading_tools
from gitops.canonical import digest, dumps
from gitops.config import Llm
from gitops.errors import AssayError, OutOfBudget, UsageError
from gitops.llm import opening
from gitops.llm.client import Client
from gitops.llm.ledger import Ledger
from gitops.runs import shortening
from gitops.runs.context import Context
from gitops.runs.replied import Reply
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace

PURPOSE = "benchmark"
"""The operation whose budget pays, as the usage log names it."""


class Overrides(BaseModel):
    """What a variant or a case may have otherwise than its suite says."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    preset: str = ""
    model: str = ""
    system: str = ""
    effort: str = ""
    max_tokens: int = Field(default=0, ge=0)
    max_turns: int = Field(default=0, ge=0, le=200)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a suite asks of a model: where it reads (a commit or a tree), the preset, prompt and tools, how long."""

    suite: str
    revision: str
    preset: str
    system: str
    tools: Sequence[str] = ()
    max_turns: int = 20
    timeout_s: float = 60.0


class Benchmarked:
    """Asks the model of a preset. Usable from several threads.

    UsageError for a preset, or a tool, that there is not; CannotRun where it could not be asked now.
    """

    def __init__(self, context: Context, workspace: Workspace, asked: Asked) -> None:
        self._context, self._workspace, self._asked = context, workspace, asked
        self._llm = workspace.config.llm
        self._preset = asked.preset or self._llm.writer
        _refuse_unknown(asked.tools)
        if self._llm.preset(self._preset).provider == "offline":
            raise UsageError(
                f"the suite {asked.suite} asks a model, and preset '{self._preset}' has none", '"preset": "claude"'
            )
        opening.demand(self._llm, self._preset)
        budget = self._llm.budgets.of(PURPOSE)
        self._ledger = Ledger(context.folder, context.clock, workspace.name, PURPOSE, "writer", "", budget)
        self._clients: dict[str, Client] = {}
        self.is_timed = not opening.is_replaying()

    def snapshot(self) -> dict[str, Any]:
        """The model, the preset with all it says, the digest of the prompt, the tools."""
        preset = self._llm.preset(self._preset)
        return {
            "preset": self._preset,
            "model": preset.model,
            "model_settings": preset.model_dump(mode="json", include={"effort", "max_tokens", "context_tokens"}),
            "prompt": digest(self._asked.system),
            "tools": list(self._asked.tools),
            "llm": os.environ.get(opening.SWITCH, "").strip() or "live",
        }

    def reply(self, case: Mapping[str, Any], config: Mapping[str, Any]) -> Reply:
        """Ask the model one case. What goes wrong is the reply's error."""
        begun = perf_counter()
        try:
            wanted = Overrides.model_validate(dict(config))
            messages = self._client(wanted).apart()
        except (AssayError, ValidationError) as error:
            return Reply(error=_why(error), category="config")
        try:
            said, calls = self._said(messages, wanted, case)
        except OutOfBudget as error:
            return Reply(error=error.message, category="budget", latency_ms=_since(begun), used=messages.used)
        except AssayError as error:
            return Reply(error=error.message, category="model", latency_ms=_since(begun), used=messages.used)
        metrics = {"tool_calls": float(calls), "model_calls": float(messages.used.calls)}
        return Reply(said, latency_ms=_since(begun), used=messages.used, metrics=metrics)

    def _client(self, wanted: Overrides) -> Client:
        """The connection for a configuration: one for all cases that have the same."""
        name = wanted.preset or self._preset
        key = digest([name, wanted.model, wanted.effort, wanted.max_tokens])
        found = self._clients.get(key)
        if found is None:
            found = opening.open_messages(self._with(name, wanted), name, self._ledger)
            found = self._clients.setdefault(key, found)
        return found

    def _with(self, name: str, wanted: Overrides) -> Llm:
        preset = self._llm.preset(name)
        told: dict[str, Any] = {"timeout_s": min(preset.timeout_s, self._asked.timeout_s)}
        told |= {key: value for key in ("model", "effort", "max_tokens") if (value := getattr(wanted, key))}
        changed = type(preset).model_validate(preset.model_dump() | told)
        return self._llm.model_copy(update={"presets": {**self._llm.presets, name: changed}})

    def _said(self, messages: Client, wanted: Overrides, case: Mapping[str, Any]) -> tuple[str, int]:
        """The model's last words, and how many tools it called."""
        system = f"{(wanted.system or self._asked.system).rstrip()}\n\n{DATA_NOTICE}\n"
        scope = f"{PURPOSE}-{self._asked.suite}-{case['case_id']}"
        with ExitStack() as stack:
            tools = [one for one in self._tools(stack) if one.name in self._asked.tools] if self._asked.tools else []
            keeper = shortening.keeper(self._context, self._workspace, PURPOSE, scope, messages) if tools else None
            turns = wanted.max_turns or self._asked.max_turns
            conversation = Conversation(messages, system, tools, max_turns=turns, keeper=keeper)
            said = conversation.say(question(case))
        calls = [block for turn in conversation.transcript for block in turn["content"] if turn["role"] == "assistant"]
        return said, sum(block.get("type") == "tool_use" for block in calls)

    def _tools(self, stack: ExitStack) -> list[Any]:
        """The reading tools over the measured revision, by caches that this thread alone has open."""
        bench = stack.enter_context(Bench(self._context, self._workspace, self._asked.revision))
        return reading_tools(Shelf.of(bench.base_view()))


def question(case: Mapping[str, Any]) -> str:
    """What the model is told of a case: its goal in the suite's words, all that comes with it as data."""
    given = case["input"]
    parts = [str(given["goal"])]
    if given.get("context"):
        parts.append(fenced("\n".join(dumps(item) for item in given["context"]), what="context"))
    if given.get("skill_args"):
        parts.append(fenced(dumps(given["skill_args"]), what="arguments"))
    return "\n\n".join(parts)


def _refuse_unknown(tools: Sequence[str]) -> None:
    known = reading_names()
    for name in tools:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
            raise UsageError(f"there is no tool '{name}' that a benchmark may give", hint)


def _why(error: AssayError | ValidationError) -> str:
    if isinstance(error, AssayError):
        return error.message
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"config_overrides: a prompt has no '{name}'; known: {', '.join(Overrides.model_fields)}"
    return f"config_overrides: {name}: {first['msg']}"


def _since(begun: float) -> float:
    return (perf_counter() - begun) * 1000
