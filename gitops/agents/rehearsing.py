"""What an ingest would do, with nothing written: the offline writer's plan, or what a model would be asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gitops.agents.ingesting import Request, demand_canonical
from gitops.agents.sourcing import Found
from gitops.agents.writers.ground import Ground, Plan
from gitops.agents.writers.offline import ground
from gitops.agents.writers.planning import plan
from gitops.git import refs
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.usage import Usage
from gitops.wiki.snapshot import MemorySnapshot, Snapshot

if TYPE_CHECKING:
    from gitops.agents.writers.briefing import Brief


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A plan, or the first request to a model with an estimate of what the whole ingest would use."""

    source: str
    plan: Plan | None = None
    system: str = ""
    first_turn: str = ""
    model: str = ""
    estimate: Usage | None = None


def rehearse(context: Context, workspace: Workspace, request: Request, source: Found) -> Rehearsed:
    """What ingesting the source would write or ask. CannotRun where the source has nothing to ingest."""
    demand_canonical(workspace)
    base = refs.read(context.repository, request.target) or ""
    preset = workspace.config.llm.preset(request.preset)
    with ground(context, workspace, base) as at:
        here = _with(at, source)
        if preset.provider == "offline":
            return Rehearsed(source.path, plan(here, source.path))
        return _asked(workspace, request.preset, here, source.path)


def _with(at: Ground, source: Found) -> Ground:
    """The ground as it is once the source has been added."""
    if source.data is None:
        return at
    added = Added(at.view.snapshot, MemorySnapshot({source.path: source.data}))
    return replace(at, view=replace(at.view, snapshot=added))


@dataclass(frozen=True, slots=True)
class Added:
    """A tree with more files in it, of which git has no objects: nothing is written for a rehearsal."""

    tree: Snapshot
    more: MemorySnapshot

    def paths(self, prefix: str = "") -> Iterable[str]:
        """Every path of either."""
        return sorted({*self.tree.paths(prefix), *self.more.paths(prefix)})

    def blob(self, path: str) -> str | None:
        """The blob's object id."""
        return self._of(path).blob(path)

    def mode(self, path: str) -> int | None:
        """The file mode."""
        return self.tree.mode(path) if self.tree.mode(path) is not None else self.more.mode(path)

    def read(self, path: str) -> bytes:
        """The bytes."""
        return self._of(path).read(path)

    def size(self, path: str) -> int:
        """Their number."""
        return self._of(path).size(path)

    def _of(self, path: str) -> Snapshot:
        return self.more if path in self.more.files else self.tree


def _asked(workspace: Workspace, name: str, at: Ground, source: str) -> Rehearsed:
    from gitops.agents.reading.shelf import Shelf
    from gitops.agents.tools import reading_tools
    from gitops.agents.writers.briefing import SYSTEM, brief
    from gitops.llm.estimate import estimate

    preset = workspace.config.llm.preset(name)
    told = brief(at, source, preset.context_tokens)
    tools = [tool.declared() for tool in reading_tools(Shelf.of(at.view))]
    bodies = _conversation({"system": SYSTEM, "tools": tools}, told, at.view.source(source).text)
    used = estimate(bodies, preset.model, workspace.config.llm, ANSWER)
    return Rehearsed(source, None, SYSTEM, told.text, preset.model, used)


ANSWER = 1_200
"""Tokens of one answer of a writer: a page of a dozen claims with its citations, or a call to read."""
_ROUNDS = 12
"""Answers of one ingest: some pages read, some written; each later request holds all that was said before."""
_READ_AT_ONCE = 30_000


def _conversation(head: Mapping[str, Any], told: Brief, source: str) -> list[Mapping[str, Any]]:
    """Requests as they would be sent: the conversation grows by an answer and a result each time."""
    parts = [] if told.is_whole else [source[at : at + _READ_AT_ONCE] for at in range(0, len(source), _READ_AT_ONCE)]
    rounds = _ROUNDS + len(parts)
    said = [told.text]
    bodies: list[Mapping[str, Any]] = []
    for number in range(rounds):
        bodies.append({**head, "messages": list(said)})
        said.append("x" * ANSWER * 3)
        said += parts[number : number + 1]
    return bodies
