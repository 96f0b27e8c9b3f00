"""`git assay eviction propose` and `resolve`: what another harness's conversation may leave out, and what it kept."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, count, seed

if TYPE_CHECKING:
    from gitops.eviction.harness import Answer, Came
    from gitops.eviction.model import EvictionProposal


_SHOWN = 60
"""Characters of a snippet that a table shows."""


def declare(inner: Commands) -> None:
    """Add the commands."""
    made = inner.add("propose", "rank items of context and propose which to leave out", propose)
    items = "items as JSON Lines (git assay schema context-item); '-' or none reads standard input"
    made.add_argument("file", nargs="?", default="-", metavar="FILE", help=items)
    scope = "the conversation that they are of (default: the workspace's name)"
    made.add_argument("--scope", default="", metavar="ID", help=scope)
    much = made.add_mutually_exclusive_group()
    much.add_argument("--limit", type=count, metavar="N", help="propose so many at most (default: all, ranked)")
    much.add_argument("--need", type=count, metavar="TOKENS", help="propose as many as have so many tokens together")
    made.add_argument("--turn", type=seed, metavar="N", help="the present turn (default: the last that an item names)")
    timeout = "how long the answer may take (default: [eviction] feedback_timeout_ms)"
    made.add_argument("--timeout", type=count, metavar="MS", help=timeout)
    made.add_argument("--json", action="store_true", help="print the proposal as JSON")

    made = inner.add("resolve", "record what was kept back of a proposal; all else is evicted", resolve)
    made.add_argument("proposal", metavar="PROPOSAL", help="its id, as propose prints it")
    kept = made.add_mutually_exclusive_group()
    kept.add_argument("--exclude", metavar="ID,ID", help="keep these items back")
    kept.add_argument("--exclude-file", metavar="FILE", help="the same, an id on each line; '-' reads standard input")
    made.add_argument("--reason", default="", metavar="TEXT", help="why they are still needed")
    who = "who answered; auto: nobody did in time, and all is evicted (default: llm)"
    made.add_argument("--by", choices=("llm", "user", "auto"), default="llm", help=who)
    made.add_argument("--json", action="store_true", help="print what is recorded as JSON")


def propose(arguments: argparse.Namespace) -> int:
    """Propose; 1 where nothing may be evicted."""
    from gitops import assembly
    from gitops.eviction import handed_in, harness, opening

    items = handed_in.read(_data(arguments, arguments.file), _name(arguments.file))
    context = surroundings.context(arguments)
    workspace = surroundings.workspace(arguments, context, "HEAD")
    wanted = harness.Wanted(arguments.scope, arguments.turn, arguments.need, arguments.limit, arguments.timeout)
    scorer = opening.scorer(context, workspace, opening.OUTSIDE, wanted.scope)
    weights = assembly.eviction_weights(context, workspace)
    made = harness.propose(context, workspace, items, wanted, scorer, weights)
    room = sum(one.token_count for one in made.candidates)
    if wanted.need is not None and room < wanted.need:
        context.warn(f"all that may be evicted has {room:,} tokens, fewer than the {wanted.need:,} that are needed")
    if arguments.json:
        surroundings.print_json({"schema": "assay/eviction-proposal/1", **made.model_dump(mode="json")})
    else:
        _show(made, len(items), room)
    return 0


def resolve(arguments: argparse.Namespace) -> int:
    """Record what became of a proposal; 1 where another answer counts already."""
    from gitops.eviction import harness

    answer = _answer(arguments)
    context = surroundings.context(arguments)
    workspace = surroundings.workspace(arguments, context, "HEAD")
    came = harness.resolve(context, workspace, arguments.proposal, answer)
    if arguments.json:
        surroundings.print_json({"schema": "assay/eviction-feedback/1", **came.feedback.model_dump(mode="json")})
    else:
        _tell(came)
    return 0


def _answer(arguments: argparse.Namespace) -> Answer:
    from gitops.eviction.harness import Answer
    from gitops.runs.bad_input import decoded

    named = arguments.exclude_file
    if named is not None:
        ids = decoded(_data(arguments, named), _name(named)).splitlines()
    else:
        ids = (arguments.exclude or "").split(",")
    return Answer(arguments.by, tuple(each.strip() for each in ids if each.strip()), arguments.reason)


def _data(arguments: argparse.Namespace, name: str) -> bytes:
    from gitops.errors import UsageError

    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return (surroundings.folder(arguments) / name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror or error}", "name a file that is there") from error


def _name(name: str) -> str:
    return "standard input" if name == "-" else name


def _show(made: EvictionProposal, items: int, room: int) -> None:
    from gitops.report.text import show, table
    from gitops.report.visible import inline

    head = f"{made.proposal_id}: {len(made.candidates):,} of {items:,} items, {room:,} tokens, by {made.scorer_model}"
    rows = [
        (
            inline(one.ctx_id),
            one.zone,
            f"{one.relevance_score:.2f}",
            str(one.age_turns),
            f"{one.token_count:,}",
            inline(one.snippet if len(one.snippet) <= _SHOWN else f"{one.snippet[: _SHOWN - 1]}…"),
        )
        for one in made.candidates
    ]
    after = f"git assay eviction resolve {made.proposal_id} --exclude ID,ID keeps some back"
    show(inline(head), table(("ctx_id", "zone", "score", "age", "tokens", "snippet"), rows), after)


def _tell(came: Came) -> None:
    from gitops.report.text import show
    from gitops.report.visible import inline

    feedback = came.feedback
    was = "was resolved so before" if came.is_repeated else "is resolved"
    show(f"{feedback.proposal_id} {was}, by {feedback.resolved_by}")
    show(inline(f"evicted: {', '.join(feedback.evicted) or 'nothing'}"))
    for one in feedback.excluded:
        show(inline(f"kept back: {one.ctx_id}{': ' + one.exclude_reason if one.exclude_reason else ''}"))
