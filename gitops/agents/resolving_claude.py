"""Contradictions before a model: both claims, both sources' words, and the forms in which a wiki keeps them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gitops.agents import revising
from gitops.agents.disagreements import Disagreement, Side
from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.resolving import Plan, Request, Resolved, begun
from gitops.agents.writers.briefing import Brief
from gitops.agents.writers.claude import ClaudeWriter, opened
from gitops.canonical import dumps
from gitops.errors import Absent, CannotRun
from gitops.git.failure import FETCH_MORE
from gitops.llm.estimate import estimate
from gitops.llm.opening import demand
from gitops.runs.context import Context
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.verify.questions import questions
from gitops.verify.view import View
from gitops.wiki.disputed import HEAD

MOST = 20
"""So many contradictions are put before a model at once, the worst first."""
_ANSWER_TOKENS = 600
"""What settling one of them takes, about."""
_SPAN = 2_000

SYSTEM = f"""You settle contradictions between pages of a wiki. For each you are given both claims, where they stand, \
the words of their sources, and of which day the sources are where that is known. A hostile verifier will read every \
sentence that you change against its source.

How to work: read both pages where you need more of them; change the two places by str_replace, and nothing else; \
then call finish with a summary.

Rules, each of which the verifier checks:
1. Read the sources first. Where one claim misreads its source, correct that claim to what its source says.
2. Where the sources themselves differ and one is newer, the newer one stands. The older claim stays where it is, in \
its own words and with its citation, dated with its source's day: "As of 2024-05-01, the mill employs 40 people.[^1]" \
Put the newer claim behind it, with a citation of its own.
3. Where the sources differ and no order can be told, both claims stay as they are, and both pages get this note at \
the end of the section, both claims in exactly their words, each with its citation:
{HEAD}
> The mill employs 40 people.[^1]
>
> The mill employs 60 people.[^2]
4. Where both can be true, because they speak of different times, places or measures, say in each claim of which it \
speaks, as its source does.
5. Every sentence keeps a footnote reference to a source; a definition stands on one line: \
[^2]: raw/path.md, "words of the source, verbatim". Labels are defined once and used. Say nothing that no source says.

{DATA_NOTICE}"""


def resolve_by_model(
    context: Context,
    workspace: Workspace,
    made: Plan,
    request: Request,
    done: Resolved,
    say: Callable[[str], None],
) -> Resolved:
    """Let a model settle what was found, on one run. `used` is what it used, or with `plan` about what it would."""
    if not made.found:
        return done
    text = told(context, workspace, request.base, made.found[:MOST])
    if request.plan:
        body = {"system": SYSTEM, "messages": [{"role": "user", "content": text}]}
        llm, each = workspace.config.llm, len(made.found[:MOST])
        used = estimate([body], llm.preset(request.preset).model, llm, _ANSWER_TOKENS * each)
        return replace(done, state="planned", asked=text, used=used)
    demand(workspace.config.llm, request.preset)  # what cannot be asked at all begins no run
    run = begun(context, workspace, request)
    messages = opened(context, workspace, request.preset, run.id, "lint")
    say(f"{messages.model} settles {len(made.found[:MOST])} contradictions in run {run.id}")
    with ClaudeWriter(context, run, workspace, messages, Brief("", text, False), SYSTEM) as writer:
        outcome = revising.carry_through(context, run, writer, request.options, say)
        return replace(done, state="finished", asked=text, outcome=outcome, used=writer.used)


def told(context: Context, workspace: Workspace, commit: str, found: tuple[Disagreement, ...]) -> str:
    """The first turn: each contradiction as data. CannotRun where this clone lacks a source."""
    try:
        with Bench(context, workspace, commit) as bench:
            shown = "\n\n".join(_shown(bench.base_view(), each, number) for number, each in enumerate(found, 1))
    except Absent as error:
        raise CannotRun(f"this clone lacks an object that has to be read: {error}", FETCH_MORE) from error
    return f"Settle {len(found)} contradiction{'s' * (len(found) != 1)}.\n\n{shown}"


def _shown(view: View, each: Disagreement, number: int) -> str:
    days = {id(side): day for side, day in ((each.older, each.day), (each.newer, each.newer_day)) if side and day}
    head = f"Contradiction {number}, about {dumps(each.contradiction.topic)}: {each.contradiction.reason}"
    return "\n".join([fenced(head, what="contradiction"), *_side(view, each.a, days), *_side(view, each.b, days)])


def _side(view: View, side: Side, days: dict[int, str]) -> Iterator[str]:
    day = days.get(id(side), "not known")
    where = {"page": side.path, "line": str(side.claim.place.line), "day_of_source": day}
    yield fenced(side.words, what="claim", **where)
    for asked in questions(view, side.path, [side.claim]):
        words = asked.question.context or asked.question.source
        yield fenced(words[:_SPAN], what="source", title=asked.question.title)
