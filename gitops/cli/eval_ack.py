"""`git assay eval ack`: let work go on though a metric is broken, until it is measured again."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gitops.cli import surroundings
from gitops.cli.arguments import Commands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitops.evals.metric import Metric


def declare(inner: Commands) -> None:
    """Add the command."""
    help = "acknowledge what a broken metric says, which opens its gate until it is measured again"
    made = inner.add("ack", help, acknowledge)
    made.add_argument("metric", metavar="METRIC", help="the metric: M1, M2, …")
    reason = "why work may go on; it is recorded with your name"
    made.add_argument("--reason", required=True, metavar="TEXT", help=reason)
    made.add_argument("--json", action="store_true", help="print the ack as JSON")


def acknowledge(arguments: argparse.Namespace) -> int:
    """Acknowledge the measurement that the gate follows."""
    from gitops.errors import UsageError
    from gitops.evals.registry import chosen
    from gitops.git import snapshot
    from gitops.runs import feedback, gates

    [metric] = _one(chosen(arguments.metric), arguments.metric)
    if not arguments.reason.strip():
        raise UsageError("--reason is empty", 'say why work may go on: --reason "the source was withdrawn"')
    context = surroundings.context(arguments)
    workspace = surroundings.workspace(arguments, context, snapshot.resolve(context.repository, "HEAD"))
    gate = gates.gates(context, workspace.name).get(metric)
    if gate is None:
        raise UsageError(f"{metric} was never measured: there is nothing to acknowledge", "git assay eval run")
    is_frozen = metric in gates.FROZEN and not gate.was_healthy
    if not gate.would_block and not is_frozen:
        status = gate.status.replace("_", " ")
        raise UsageError(f"{metric} is {status}, which holds nothing up", "git assay eval report")
    made = feedback.acknowledge(context, metric, gate.counted or gate.newest, arguments.reason)
    if arguments.json:
        surroundings.print_json(made.record())
    else:
        at = made.commit[:10]
        print(
            f"{metric} of {at} is acknowledged by {made.by.name}: what it held up may go on until it is measured again"
        )
    return 0


def _one(metrics: Mapping[str, Metric], given: str) -> list[str]:
    from gitops.errors import UsageError

    if len(metrics) != 1:
        raise UsageError(f"'{given}' is not one metric", "acknowledge them one by one, each with its reason")
    return list(metrics)
