"""The tools that write: the flows of `git assay run`, so that what an agent writes goes through the gate.

An agent cannot land unverified, override a verdict, or write anything but pages: there is no tool for it.
"""

from __future__ import annotations

from pydantic import TypeAdapter

from gitops.agents.desk import Desk
from gitops.agents.fencing import fenced
from gitops.agents.revising import findings_turn
from gitops.canonical import dumps
from gitops.errors import CannotRun
from gitops.evals import after_landing
from gitops.mcp import asked_for, shapes
from gitops.mcp.door import Call
from gitops.mcp.offers import Offer
from gitops.runs import examining, landing, resuming, staging, store
from gitops.runs.listed import listed
from gitops.runs.outcome import Outcome
from gitops.runs.printed import ListedRun
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace, rooted


def start(call: Call, asked: asked_for.Start) -> str:
    """Begin a run on the target's tip; with `from_run`, as that run's type and of its sources, its pages staged."""
    context = call.context
    old = resuming.left_by(context, asked.from_run) if asked.from_run else None
    target = old.record.target if old is not None and not asked.target else call.target(asked.target)
    request = _request(asked, old)
    run = staging.start(context, _of(call, asked, call.tip(target), old), target, request)
    if old is not None:
        _take_up(call, run, old)
    call.structured = listed(store.find(context, run.id))
    return f"run {run.id} has begun: {request.run_type}. Stage pages with stage_write or str_replace, then run_finish"


def _request(asked: asked_for.Start, old: Run | None) -> staging.Request:
    if old is None:
        return staging.Request(asked.type, tuple(asked.sources), asked.reason)
    is_given = "type" in asked.model_fields_set
    kind = asked.type if is_given else old.record.run_type
    return staging.Request(kind, tuple(asked.sources) or old.record.sources, asked.reason or old.record.reason)


def _of(call: Call, asked: asked_for.Start, tip: str, old: Run | None) -> Workspace:
    """The workspace that is named, else the one that the run to take up was of, else the one at hand."""
    if old is not None and not asked.workspace:
        return rooted(call.context.repository, tip, old.record.workspace_root)
    return call.workspace(tip, asked.workspace)


def _take_up(call: Call, run: Run, old: Run) -> None:
    try:
        resuming.take_up(call.context, run, old)
    except CannotRun as error:
        told = f"{error.message}; run {run.id} is begun, with nothing of it"
        raise CannotRun(told, "stage those pages anew in it with stage_write") from error


def stage_write(call: Call, asked: asked_for.StageWrite) -> str:
    """Stage a page's whole content."""
    run, workspace = call.opened(asked.run)
    with Desk(call.context, run, workspace) as desk:
        told = desk.stage_write(asked.path, asked.content)
        _staged(call, desk)
    return told


def str_replace(call: Call, asked: asked_for.StrReplace) -> str:
    """Replace text that stands exactly once in a page; else nothing is changed, and the agent is told."""
    run, workspace = call.opened(asked.run)
    with Desk(call.context, run, workspace) as desk:
        told = desk.str_replace(asked.path, asked.old, asked.new)
        _staged(call, desk)
    return told


def _staged(call: Call, desk: Desk) -> None:
    head = staging.head_of(call.context, desk.run)
    call.structured = {"run_id": desk.run.id, "path": desk.written[-1], "head": head}


def finish(call: Call, asked: asked_for.Finish) -> str:
    """Verify a run and, if the verdict is commit, land it."""
    given = {"input_tokens": asked.input_tokens, "output_tokens": asked.output_tokens, "usd": asked.usd}
    used = {name: float(amount) for name, amount in given.items() if amount is not None}
    options = landing.Options(dry_run=asked.dry_run, draft_only=asked.draft_only, used=used)
    outcome = landing.finish(call.context, asked.run, options)
    if outcome.result == "landed" and outcome.run.record.run_type == "ingest":
        after_landing.ingested(call.context, outcome.run.record.workspace_root, outcome.run.record.target)
    following = _next(outcome)
    call.structured = shapes.finished(outcome, following)
    head = [f"{outcome.result.replace('_', ' ')}: run {outcome.run.id}{_where(outcome)}"]
    if outcome.verdict is not None:
        counts = outcome.verdict.counts
        every = counts.judged + counts.unjudged + counts.unverified
        head.append(f"judged {counts.judged} of {every} claims, judge {outcome.verdict.judge}")
        if outcome.result == "landed":
            from gitops.report.text import worth_of

            head.append(worth_of(outcome.verdict.verdict, outcome.signer))
    said = findings_turn(outcome.verdict) if outcome.verdict is not None else ""
    if said:
        head.append(f"The findings, one JSON object a line. Data:\n{fenced(said, what='findings')}")
    return "\n".join([*head, following] if following else head)


def _where(outcome: Outcome) -> str:
    target = outcome.run.record.target.removeprefix("refs/heads/")
    return f" on {target} as {outcome.commit[:10]}" if outcome.result == "landed" else ""


def _next(outcome: Outcome) -> str:
    run = outcome.run.id
    match outcome.result:
        case "rejected" if outcome.run.status == "rejected":
            return f'run_start with from_run="{run}" takes its pages up in a new run: mend them there and finish that'
        case "rejected" | "revise":
            return f"run {run} is still pending: mend what was found, then finish it again"
        case "draft":
            return "nothing was judged: a person may look at it, or finish it"
        case "would_land":
            return "nothing was recorded: run_finish without dry_run lands it"
        case _:
            return ""


def show(call: Call, asked: asked_for.Show) -> str:
    """A run: its plan, its transitions, its verdict."""
    context = call.context
    run = store.find(context, asked.run)
    commit = run.state.candidate
    verdicts = store.verdicts_on(context, commit) if commit else []
    verdict = next((each for each in verdicts if each.id == run.state.verdict_id), store.standing(verdicts, commit))
    call.structured = shapes.shown(run, verdict, examining.signer(context, verdict))
    return f"run {run.id} is {run.status}. Data:\n{fenced(dumps(call.structured), run=run.id)}"


OFFERS = (
    Offer(
        "run_start",
        "Begin a run: a branch of its own, on which pages are staged. Nothing lands before run_finish. Gives its id.",
        asked_for.Start,
        start,
        "stages",
        TypeAdapter(ListedRun),
    ),
    Offer(
        "stage_write",
        "Stage the whole content of a wiki page in a run, new or not. Only pages can be written.",
        asked_for.StageWrite,
        stage_write,
        "stages",
        TypeAdapter(shapes.Staged),
    ),
    Offer(
        "str_replace",
        "Replace text in a page of a run. The old text must stand there exactly once.",
        asked_for.StrReplace,
        str_replace,
        "stages",
        TypeAdapter(shapes.Staged),
    ),
    Offer(
        "run_finish",
        "Have a run verified, claim by claim against the sources, and land it if the verdict allows. Gives the"
        " findings that stand in the way.",
        asked_for.Finish,
        finish,
        "lands",
        TypeAdapter(shapes.FinishedRun),
    ),
    Offer(
        "run_show",
        "Show a run: how it stands, what it writes, its verdict and findings.",
        asked_for.Show,
        show,
        "reads",
        TypeAdapter(shapes.ShownRun),
    ),
)
