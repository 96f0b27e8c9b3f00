"""From sources to atoms: by the extractor that needs no model, or by a model on the budget of extraction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from gitops.agents.extractors import given as reading_of
from gitops.agents.extractors import offline
from gitops.agents.extractors.given import Given
from gitops.errors import UsageError
from gitops.llm.ledger import Ledger
from gitops.okf.draft import Draft
from gitops.runs.context import Context
from gitops.runs.seating import left
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage

if TYPE_CHECKING:
    from gitops.agents.extractors.claude import ClaudeExtractor
    from gitops.runs.transcripts import Transcript

OPERATION = "extraction"
"""The operation whose budget pays, as the usage log names it."""
OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Extracted:
    """The atoms of some sources, in the order in which they were found.

    `dropped` says what a model handed over and is left out, because its source does not bear it; `model` is '' where
    none was asked.
    """

    drafts: tuple[Draft, ...] = ()
    sources: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    model: str = ""
    used: Usage = NOTHING
    transcripts: tuple[Transcript, ...] = field(default=(), repr=False)

    @property
    def empty(self) -> list[str]:
        """The sources from which no atom came."""
        cited = {name for draft in self.drafts for name in sources_of(draft)}
        return [name for name in self.sources if name not in cited]


def sources_of(draft: Draft) -> list[str]:
    """The sources that an atom cites, each once."""
    said = [*([draft.description] if draft.description else []), *draft.rationale]
    return list(dict.fromkeys(passage.path for one in said for passage in one.passages))


def _silent(message: str) -> None:
    """Say nothing."""


def extracted(
    context: Context | None,
    workspace: Workspace | None,
    sources: Sequence[tuple[str, str] | Given],
    preset: str = OFFLINE,
    *,
    run_id: str = "",
    say: Callable[[str], None] = _silent,
    spent: Usage = NOTHING,
    known: Sequence[Draft] = (),
) -> Extracted:
    """The atoms of sources, each a name by which it is cited and its text; those of one call are one bundle.

    A model is asked on the budget of extraction of the workspace, less what was `spent` of it. Atoms that are `known`
    are told only where something comes to them. UsageError for a preset that there is not, and for a model without a
    workspace; CannotRun and OutOfBudget where the model gives no answer.
    """
    given = [reading_of.plain(*one) if isinstance(one, tuple) else one for one in sources]
    if is_offline(workspace, preset):
        return Extracted(tuple(offline.drafts(given, known)), tuple(one.name for one in given))
    extractor = opened(context, workspace, preset, run_id=run_id, spent=spent)
    return taken(extractor, given, say, known)


def taken(
    extractor: ClaudeExtractor, given: Sequence[Given], say: Callable[[str], None], known: Sequence[Draft] = ()
) -> Extracted:
    """What a model extracts; the extractor keeps what was said, also where this raises."""
    drafts = extractor.drafts(given, say, known)
    return Extracted(
        tuple(drafts),
        tuple(one.name for one in given),
        tuple(extractor.dropped),
        extractor.messages.model,
        extractor.messages.used,
        tuple(extractor.transcripts),
    )


def opened(
    context: Context | None, workspace: Workspace | None, preset: str, *, run_id: str = "", spent: Usage = NOTHING
) -> ClaudeExtractor:
    """The extractor of a preset with a model. Nothing is asked yet; CannotRun where it could not be asked now."""
    from gitops.agents.extractors.claude import ClaudeExtractor
    from gitops.llm.opening import demand, open_messages

    if context is None or workspace is None:
        raise _no_workspace(preset)
    llm = workspace.config.llm
    demand(llm, preset)
    budget = left(llm.budgets.of(OPERATION), asdict(spent))
    ledger = Ledger(context.folder, context.clock, workspace.name, OPERATION, "writer", run_id, budget)
    messages = open_messages(llm, preset, ledger)
    if context.keeping is None:
        return ClaudeExtractor(messages)
    keeping = context.keeping
    return ClaudeExtractor(
        messages, lambda scope, asked: keeping(context, workspace, OPERATION, f"{run_id or OPERATION}/{scope}", asked)
    )


def estimate(workspace: Workspace | None, sources: Sequence[tuple[str, str] | Given], preset: str = OFFLINE) -> Usage:
    """About what extracting from these sources would use, if nothing of it were cached; nothing is asked."""
    if is_offline(workspace, preset) or workspace is None:
        return NOTHING
    from gitops.agents.extractors.claude import estimate as estimated

    given = [reading_of.plain(*one) if isinstance(one, tuple) else one for one in sources]
    return estimated(given, workspace.config.llm, preset)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model would be asked first of the first source, and about what all of it would use."""

    model: str
    sources: tuple[str, ...]
    system: str
    first_turn: str
    estimate: Usage


def rehearsed(workspace: Workspace | None, sources: Sequence[Given], preset: str) -> Asked:
    """What a model would be asked. UsageError where there is no workspace that says which model that is."""
    from gitops.agents.extractors import briefing, claude

    if workspace is None:
        raise _no_workspace(preset)
    found = workspace.config.llm.preset(preset)
    turn = "\n\n".join(claude.first_turn(sources[0], found.context_tokens)) if sources else ""
    used = claude.estimate(sources, workspace.config.llm, preset)
    return Asked(found.model, tuple(one.name for one in sources), briefing.SYSTEM, turn, used)


def _no_workspace(preset: str) -> UsageError:
    told = f"preset '{preset}' asks a model, and outside of a workspace nothing says what that may cost"
    return UsageError(told, "run it within a workspace, or with --preset offline")


def is_offline(workspace: Workspace | None, preset: str) -> bool:
    """Whether no model is asked. UsageError for a preset that there is not."""
    if workspace is not None:
        return workspace.config.llm.preset(preset).provider == OFFLINE
    from gitops.config import Llm

    if Llm().preset(preset).provider == OFFLINE:
        return True
    raise _no_workspace(preset)


def identity(workspace: Workspace | None, preset: str) -> dict[str, str]:
    """What tells one extractor from another: preset, model, version of the patterns or digest of the prompt."""
    if is_offline(workspace, preset) or workspace is None:
        return {"preset": preset, "model": "", "version": offline.VERSION}
    from gitops.agents.extractors import briefing
    from gitops.canonical import digest

    model = workspace.config.llm.preset(preset).model
    return {"preset": preset, "model": model, "version": digest(briefing.SYSTEM)[:12]}
