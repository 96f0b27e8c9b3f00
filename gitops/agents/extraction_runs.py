"""Sources into atoms of the wiki, as one run of type extraction: extract, stage, verify, land (alexandria 13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitops.agents import atom_files, atom_pages, extracting, revising
from gitops.agents.atom_writer import AtomWriter, less
from gitops.agents.extracting import Extracted
from gitops.agents.extractors.given import Given
from gitops.agents.ingesting import demand_canonical, refused_claims
from gitops.agents.sourcing import Found
from gitops.agents.writers import passages
from gitops.agents.writers.offline import ground
from gitops.config import RunType
from gitops.runs import landing, staging, targets, transcripts
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace, rooted
from gitops.wiki.sources import extract

if TYPE_CHECKING:
    from gitops.agents.extractors.claude import ClaudeExtractor

RUN_TYPE: RunType = "extraction"
TRIGGER = "cli:extract"


@dataclass(frozen=True, slots=True)
class Request:
    """How to extract into a wiki. `folder` is the repository path of the bundle, `target` a branch's full name."""

    target: str
    folder: str
    preset: str = "offline"
    options: Options = landing.AS_USUAL


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of it: no outcome where nothing was found, or where all that was found is there already."""

    extracted: Extracted
    planned: atom_files.Planned = field(default_factory=atom_files.Planned)
    outcome: Outcome | None = None

    @property
    def is_refused(self) -> bool:
        """Was something written that may not land as it is?"""
        return self.outcome is not None and self.outcome.result in ("rejected", "revise")


def given(context: Context, workspace: Workspace, commit: str, sources: Sequence[str]) -> list[Given]:
    """Sources of a commit, by their repository paths, as they are given to an extractor. Unreadable without text."""
    found = []
    with ground(context, workspace, commit) as at:
        for path in sources:
            text = at.view.source(path)
            passages.demand_text(text, path)
            cited = workspace.layout.cited(path)
            passages.demand_name(cited)
            found.append(Given(cited, text, at.view.snapshot.read(path)))
    return found


def given_of(context: Context, workspace: Workspace, target: str, found: Sequence[Found]) -> list[Given]:
    """The same of sources of which the target may lack some: these are read from where they are."""
    known = given(
        context, workspace, targets.tip(context.repository, target), [one.path for one in found if one.data is None]
    )
    new = []
    for one in found:
        if one.data is not None:
            text = extract(one.path, one.data)
            passages.demand_text(text, one.path)
            new.append(Given(workspace.layout.cited(one.path), text, one.data))
    return [*known, *new]


def run(
    context: Context, workspace: Workspace, sources: Sequence[str], request: Request, say: Callable[[str], None]
) -> Ran:
    """Extract from sources at repository paths of the target, and land what comes of it on its verdict.

    Where judges refuse sentences of it, it is written again in a new run without them; no model is asked twice.
    CannotRun and OutOfBudget as `revising.carry_through` has them. A preset without a model begins no run where there
    is nothing to write.
    """
    base = targets.tip(context.repository, request.target)
    workspace = rooted(context.repository, base, workspace.layout.root)
    demand_canonical(workspace)
    first = _first(context, workspace, sources, request, base, say)
    wrong = refused_claims(first.outcome)
    rest = less(first.extracted, wrong)
    if first.outcome is None or not wrong or not rest.drafts:
        return first
    say(f"run {first.outcome.run.id} is rejected for {len(wrong)} claims; writing again without them")
    return _again(context, workspace, sources, request, rest, say) or first


def _first(
    context: Context,
    workspace: Workspace,
    sources: Sequence[str],
    request: Request,
    base: str,
    say: Callable[[str], None],
) -> Ran:
    every = given(context, workspace, base, sources)
    if extracting.is_offline(workspace, request.preset):
        done = extracting.extracted(context, workspace, every, known=atom_pages.known(context, base, request.folder))
        planned = atom_pages.plan(context, workspace, base, request.folder, done.drafts)
        if not planned.files:
            return Ran(done, planned)
        begun = _begun(context, workspace, sources, request)
        writer = AtomWriter(context, begun, workspace, request.folder, lambda: done)
    else:
        extracting.opened(context, workspace, request.preset)  # what cannot be asked now begins no run
        begun = _begun(context, workspace, sources, request)
        extractor = extracting.opened(context, workspace, request.preset, run_id=begun.id)
        writer = AtomWriter(
            context,
            begun,
            workspace,
            request.folder,
            lambda: _asked(context, begun, extractor, every, request.folder, say),
            extractor,
        )
    say(f"extracting into {request.folder} in run {begun.id}")
    outcome = revising.carry_through(context, begun, writer, request.options, say)
    return Ran(replace(writer.extracted, used=writer.used), writer.planned, outcome)


def _again(
    context: Context,
    workspace: Workspace,
    sources: Sequence[str],
    request: Request,
    rest: Extracted,
    say: Callable[[str], None],
) -> Ran | None:
    """Write what is left of an extraction in a run of its own; None where nothing new is left."""
    planned = atom_pages.plan(
        context, workspace, targets.tip(context.repository, request.target), request.folder, rest.drafts
    )
    if not planned.files:
        return None
    begun = _begun(context, workspace, sources, request)
    writer = AtomWriter(context, begun, workspace, request.folder, lambda: rest)
    outcome = revising.carry_through(context, begun, writer, request.options, say)
    return Ran(writer.extracted, writer.planned, outcome)


def _asked(
    context: Context,
    run: Run,
    extractor: ClaudeExtractor,
    every: Sequence[Given],
    folder: str,
    say: Callable[[str], None],
) -> Extracted:
    """Let the model extract; what was said is kept with the run, however it ended."""
    try:
        return extracting.taken(extractor, every, say, atom_pages.known(context, run.record.base, folder))
    finally:
        transcripts.keep_all(context, run, extractor.transcripts)


def _begun(context: Context, workspace: Workspace, sources: Sequence[str], request: Request) -> Run:
    """Begin the run. Its trigger says which preset extracts, and so that a program answers for it."""
    cited = tuple(workspace.layout.cited(path) for path in sources)
    asked = staging.Request(RUN_TYPE, cited, triggered_by=f"{TRIGGER} {request.preset}")
    return staging.start(context, workspace, request.target, asked)
