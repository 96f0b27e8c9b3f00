"""`git assay run finish|override`: to the verdict, and on to the target if it says so."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings

if TYPE_CHECKING:
    from gitops.errors import AssayError
    from gitops.runs.context import Context
    from gitops.runs.landing import Outcome


def finish(arguments: argparse.Namespace) -> int:
    """Verify and land."""
    from gitops.errors import Blocked, CannotRun
    from gitops.runs import landing

    given = {"input_tokens": arguments.input_tokens, "output_tokens": arguments.output_tokens, "usd": arguments.usd}
    used = {name: amount for name, amount in given.items() if amount is not None}
    how = (arguments.dry_run, arguments.no_verify, arguments.draft_only, arguments.push, arguments.fresh)
    options = landing.Options(*how, used)
    context = surroundings.context(arguments)
    try:
        outcome = landing.finish(context, arguments.run, options)
    except landing.NotLanded as error:
        if arguments.json:
            surroundings.print_json(outcome_json(error.outcome))
        raise CannotRun(error.message, error.hint) from error
    except (Blocked, CannotRun) as error:
        if arguments.json:
            surroundings.print_json(_no_verdict(context, arguments.run, error))
        raise
    return _measured(context, outcome, _told(arguments, outcome))


def _measured(context: Context, outcome: Outcome, code: int) -> int:
    """What is due after an ingest that landed, is measured; gives the exit code, which that does not change."""
    if outcome.result == "landed" and outcome.run.record.run_type == "ingest":
        from gitops.evals import after_landing

        after_landing.ingested(context, outcome.run.record.workspace_root, outcome.run.record.target)
    return code


def _no_verdict(context: Context, text: str, error: AssayError) -> dict[str, Any]:
    """Nothing was decided; how the run stands now tells whether it waits or has come to its end."""
    from gitops.errors import AssayError
    from gitops.runs import store

    try:
        run = store.find(context, text)
    except AssayError:  # not even that can be told
        run = None
    result = "abandoned" if run is not None and run.status == "abandoned" else "no_verdict"
    stands = {"run_id": run.id if run else None, "status": run.status if run else None}
    return {"schema": "assay/run-finish/1", "result": result, "error": error.message, "hint": error.hint, **stands}


def override(arguments: argparse.Namespace) -> int:
    """Land what was refused."""
    from gitops.runs import overriding

    context = surroundings.context(arguments)
    outcome = overriding.override(context, arguments.run, arguments.reason)
    return _measured(context, outcome, _told(arguments, outcome))


def _told(arguments: argparse.Namespace, outcome: Outcome) -> int:
    if arguments.json:
        surroundings.print_json(outcome_json(outcome))
    else:
        from gitops.report.runs import outcome as words
        from gitops.report.text import show as print_text

        print_text(words(outcome.result, outcome.run, outcome.verdict, outcome.commit, outcome.signer))
    return 0 if outcome.result in ("landed", "would_land", "draft") else 1


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What came of finishing a run as `--json` has it (schema `assay/run-finish/1`)."""
    verdict = outcome.verdict
    return {
        "schema": "assay/run-finish/1",
        "result": outcome.result,
        "run_id": outcome.run.id,
        "status": outcome.run.status,
        "commit": outcome.commit if outcome.result == "landed" else None,
        "candidate": outcome.commit or None,
        "verdict": verdict.record() if verdict is not None else None,
        "signed_by": outcome.signer or None,
        "findings": [finding.model_dump(mode="json") for finding in verdict.findings] if verdict is not None else [],
    }
