"""Puts agents where evaluations and doors need them: those floors do not know each other.

What is here takes and gives values of both: who judges, who answers gold queries, who ingests a source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from gitops.errors import AssayError, Refused
from gitops.usage import NOTHING, Usage

if TYPE_CHECKING:
    from gitops.agents.answers import Answer
    from gitops.config import Budget
    from gitops.eviction.heuristic import Weights
    from gitops.llm.messages import Messages
    from gitops.runs.answered import Answered
    from gitops.runs.context import Context
    from gitops.runs.outcome import Options, Outcome
    from gitops.runs.seating import Seat
    from gitops.runs.shortening import ContextKeeper
    from gitops.runs.transcripts import Transcript
    from gitops.runs.workspace import Workspace
    from gitops.suites.loading import Loaded
    from gitops.suites.model import PromptTarget
    from gitops.suites.opening import Prompting
    from gitops.suites.target import Place, Target
    from gitops.verify.criteria import Bench
    from gitops.verify.judge import Judge


def seated(name: str, seat: Seat) -> Judge:
    """A judge of the policy, be it one that needs a model."""
    from gitops.agents.seating import seat as find

    return find(name, seat)


def keeping(context: Context, workspace: Workspace, operation: str, scope: str, messages: Messages) -> ContextKeeper:
    """Who keeps a conversation within what its model reads, as `[eviction]` of the policy says."""
    from gitops.eviction.opening import keeper

    weights = eviction_weights(context, workspace)
    return keeper(context, workspace, operation, scope, messages, weights)


def eviction_weights(context: Context, workspace: Workspace) -> Weights:
    """The weights of the policy, or those that feedback has moved them to, where it says so and may (silas 19.5)."""
    from gitops.eviction import features, online, storing
    from gitops.eviction.heuristic import Weights
    from gitops.runs.authority import Authority

    policy = Weights.of(workspace.config.eviction.weights)
    if not workspace.config.eviction.online:
        return policy

    def followed() -> Weights:
        try:
            refuse_online(context, workspace, Authority(context, workspace.name).commit)
        except AssayError as error:
            context.warn_once(f"{error.message}: the weights of the policy count")
            return policy
        return online.followed(features.rows(storing.feedback(context, workspace.name)), policy)

    return context.once(("eviction weights", workspace.name, workspace.policy), followed)


def refuse_online(context: Context, workspace: Workspace, commit: str) -> list[str]:
    """The suites on which an ablation shows that online calibration does no harm.

    Refused where the policy of the commit does not ask for it, and where nothing shows it: one that counts, of all
    suites that depend on eviction, whose control was the same policy but for `online` (silas 19.5, variant C).
    """
    from gitops.runs.authority import Authority
    from gitops.suites import calibrated, unablated
    from gitops.suites.evidence import Change, shown
    from gitops.suites.loading import suites_at

    policy = workspace.config.eviction
    if not policy.online:
        raise Refused(
            f"online calibration is off: [eviction] online is not true in {workspace.layout.config} at {commit[:10]}",
            "commit online = true on a branch, then: git assay benchmark ablation main BRANCH",
        )
    off = workspace.config.model_copy(update={"eviction": policy.model_copy(update={"online": False})})
    change = Change(calibrated.of_policy(off, []), calibrated.of_policy(workspace.config, []))
    every = suites_at(context, workspace, commit)
    suites = [one for one in every if calibrated.depends(workspace, one, calibrated.EVICTION)]
    if not suites:
        told = (
            f"online calibration is refused: no suite at {commit[:10]} depends on eviction, so that nothing shows harm"
        )
        raise Refused(told, 'a suite does whose metadata has "component": "eviction"')
    studies = unablated.kept(Authority(context, workspace.name, commit))
    for one in suites:
        found = shown(studies, workspace, one, change, workspace.config.benchmarks.margin)
        if found.why:
            name = one.suite.suite_id
            command = f"git assay benchmark ablation REV {commit[:10]} --suite {name}{found.options}"
            raise Refused(
                f"online calibration is refused: of the suite {name}, {found.why}",
                f"REV being a commit without it: {command}",
            )
    return [one.suite.suite_id for one in suites]


def answered(
    context: Context,
    workspace: Workspace,
    commit: str,
    question: str,
    preset: str,
    budget: Budget,
    limit: int | None = None,
) -> Answered:
    """The wiki's answer to a gold query: what `git assay query` does, paid from the budget of evaluations.

    `limit` is how many of the chunks that were found are told; None: as many as `git assay query` tells.
    """
    from gitops.agents import querying
    from gitops.runs.answered import Answered

    told = querying.LIMIT if limit is None else limit
    asking = querying.Asking(context, workspace, commit, question, preset, told, operation="eval", budget=budget)
    begun = perf_counter()
    found = querying.answer(asking)
    took = (perf_counter() - begun) * 1000
    said = found.said
    sources = (workspace.layout.source(each.path) for citation in said.citations for each in citation.sources)
    return Answered(
        topics=said.topics,
        sources=tuple(dict.fromkeys(sources)),
        is_refused=said.refused,
        tool_calls=_tool_calls(found),
        latency_ms=took,
        used=said.used,
        model=found.model,
        record=found.record(),
    )


def prompt_version(workspace: Workspace, preset: str) -> str:
    """What tells one prompt of who answers from another: the beginning of its digest; '' where no model is asked.

    UsageError for a preset that there is not; '' is the policy's writer.
    """
    llm = workspace.config.llm
    if llm.preset(preset or llm.writer).provider == "offline":
        return ""
    from gitops.agents.answerers import claude
    from gitops.canonical import digest

    return digest(claude.SYSTEM)[:12]


def _tool_calls(found: Answer) -> int:
    """How many primitives were used: what the model called, or the one search of who needs no model.

    Calls that find nothing are none: the one that gives the answer, and those that ask for room.
    """
    from gitops.agents import flushing

    transcript = found.said.transcript
    if transcript is None:
        return 1
    others = ("answer", flushing.NAME)
    called = [block.get("name") for block in _blocks(transcript.turns) if block.get("type") == "tool_use"]
    return sum(name not in others for name in called)


def _blocks(turns: Sequence[object]) -> Iterator[dict[str, object]]:
    for turn in turns:
        content = turn.get("content") if isinstance(turn, dict) else None
        yield from (block for block in content if isinstance(block, dict)) if isinstance(content, list) else ()


def _silent(message: str) -> None:
    """Say nothing."""


def ingested(
    context: Context,
    workspace: Workspace,
    target: str,
    file: Path,
    preset: str,
    options: Options,
    say: Callable[[str], None] = _silent,
) -> Outcome | None:
    """Bring one file in as a source and ingest it, as `git assay ingest` does; None where it added nothing."""
    from gitops.agents import sourcing
    from gitops.agents.ingesting import Request, ingest

    [source] = sourcing.find(context, workspace, target, file.parent, [file.name], "")
    sourcing.bring_in(context, workspace, target, source)
    return ingest(context, workspace, source.path, Request(target, preset, options), say).outcome


def criteria_judge(
    context: Context, workspace: Workspace, *, preset: str = "", run_id: str = "", fresh: bool = False
) -> Bench:
    """The judges of the policy, with criteria in place of claims; with a preset, its model alone."""
    from gitops.agents.grading.seating import seated

    return seated(context, workspace, preset=preset, run_id=run_id, fresh=fresh)


def extract(
    context: Context | None,
    workspace: Workspace | None,
    case_sources: Mapping[str, Sequence[tuple[str, str]]],
    preset: str,
    folder: Path,
    *,
    run_id: str = "",
    say: Callable[[str], None] = _silent,
) -> tuple[Usage, list[Transcript]]:
    """Extract from the sources of each case, by name and text, into a folder of its name; what that used in all, and
    what was said to a model.

    Each case is extracted by itself, and cites `sources/NAME`. Without a workspace no model can be asked. UsageError,
    CannotRun and OutOfBudget as `agents.extracting.extracted` has them; what is written before stays.
    """
    from gitops.agents import atom_files, extracting
    from gitops.runs.context import system_clock

    used = NOTHING
    said: list[Transcript] = []
    at = (context.clock if context is not None else system_clock)()
    for case, sources in case_sources.items():
        named = [(f"sources/{name.removeprefix('sources/')}", text) for name, text in sources]
        done = extracting.extracted(context, workspace, named, preset, run_id=run_id, say=say, spent=used)
        if context is not None:
            for told in done.dropped:
                context.warn(f"{case}: {told}")
        used += done.used
        said += done.transcripts
        (folder / case).mkdir(parents=True, exist_ok=True)  # a case in which nothing is found was extracted as well
        atom_files.write(atom_files.in_folder(done.drafts, folder / case, at), folder / case)
    return used, said


def extraction_estimate(
    workspace: Workspace | None, case_sources: Mapping[str, Sequence[tuple[str, str]]], preset: str
) -> Usage:
    """About what `extract` would use, if nothing of it were cached; nothing is asked."""
    from gitops.agents import extracting

    every = (extracting.estimate(workspace, sources, preset) for sources in case_sources.values())
    return sum(every, NOTHING)


def extractor(workspace: Workspace | None, preset: str) -> dict[str, str]:
    """What tells one extractor from another: preset, model, and the version of its patterns or of its prompt."""
    from gitops.agents import extracting

    return extracting.identity(workspace, preset)


def rationale_judge(
    context: Context,
    workspace: Workspace,
    *,
    live: bool,
    run_id: str = "",
    fresh: bool = False,
    spent: Usage = NOTHING,
) -> Judge:
    """Who judges rationales: the judge that needs no model; `live`, Claude on the preset `[extraction] judge`.

    That is paid from `[llm.budgets.extraction]`, less what was `spent` of it; `fresh` asks anew what was answered
    before. It can tell what asking would cost (`runs.seating.would_ask`). UsageError where the preset has no model.
    """
    if not live:
        from gitops.verify import judges

        return judges.find("offline")
    from gitops.agents.rationale_judge import seated as seat_model

    return seat_model(context, workspace, run_id=run_id, fresh=fresh, spent=spent)


def prompted(context: Context, workspace: Workspace, revision: str) -> Prompting:
    """Who gives the target of a suite that asks a model, reading a commit or a tree."""

    def target(loaded: Loaded, place: Place, spec: PromptTarget) -> Target:
        from gitops.agents.benchmarked import Asked, Benchmarked  # most suites ask no model, and it loads a lot
        from gitops.suites.opening import system_of
        from gitops.suites.targets.prompt import Prompt

        limits = loaded.suite.limits
        asked = Asked(
            suite=loaded.suite.suite_id,
            revision=revision,
            preset=spec.preset,
            system=system_of(loaded, place, spec),
            tools=spec.tools,
            max_turns=spec.max_turns,
            timeout_s=limits.timeout_ms / 1000,
        )
        return Prompt(Benchmarked(context, workspace, asked), limits)

    return target
