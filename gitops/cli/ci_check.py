"""`git assay ci check` and `ci verify-run`: what is judged and measured, told wherever it was asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings, unwinding

if TYPE_CHECKING:
    from gitops.ci.outcome import Checked
    from gitops.ci.spans import Span
    from gitops.ci.suite_answers import How
    from gitops.errors import AssayError
    from gitops.runs.context import Context


def check(arguments: argparse.Namespace) -> int:
    """Check a change: 0 it passes, 1 it fails, 3 it could not be told."""
    with unwinding.unwinding():  # what benchmarks started is ended with us
        checked = _or_nothing(arguments, lambda: _checked(arguments))
    return _told(arguments, checked, fail_on_neutral=arguments.fail_on_neutral)


def verify_run(arguments: argparse.Namespace) -> int:
    """Judge a run's branch: 0 commit, 1 reject or revise, 3 no verdict."""
    return _told(arguments, _or_nothing(arguments, lambda: _verified(arguments)), fail_on_neutral=True)


def _or_nothing(arguments: argparse.Namespace, answer: Callable[[], list[Checked]]) -> list[Checked]:
    """What a check gives. Where it could not run, that is told where people and later steps look, and then raised."""
    from gitops.errors import Absent, CannotRun
    from gitops.git.failure import FETCH_MORE

    try:
        return answer()
    except CannotRun as error:
        _tell_nothing(arguments, error)
        raise
    except Absent as error:
        lacking = CannotRun(f"this clone lacks an object that is needed here: {error}", FETCH_MORE)
        _tell_nothing(arguments, lacking)
        raise lacking from error


def _verified(arguments: argparse.Namespace) -> list[Checked]:
    from gitops.ci import events, pushed

    context = surroundings.context(arguments, sweep=False)
    span = pushed.span(context, events.read(os.environ), arguments.run, os.environ)
    return pushed.verified(context, span, arguments.workspace)


def _checked(arguments: argparse.Namespace) -> list[Checked]:
    from gitops.ci import events, spans
    from gitops.ci.checking import Asked, check

    context = surroundings.context(arguments, sweep=False)
    if arguments.judge:
        from gitops.agents.seating import refuse_unknown

        refuse_unknown([arguments.judge], "--judge")
    event = events.read(os.environ)
    span = spans.span(context, event, arguments.base, arguments.head)
    _refuse_unknown_judges(context, span)
    asked = Asked(
        arguments.metric,
        arguments.judge or "",
        arguments.workspace,
        _reason(arguments),
        event,
        _how(arguments),
        _flags(arguments),
    )
    return check(context, span, asked)


def _how(arguments: argparse.Namespace) -> How:
    """How benchmarks are run. Where a judge is paid there is a key, and then a change's own code runs only if told."""
    from gitops.ci.suite_answers import How
    from gitops.config import FREE_JUDGES

    asks = bool(arguments.judge) and arguments.judge not in FREE_JUDGES
    is_on = not asks if arguments.benchmarks is None else arguments.benchmarks
    return How(is_on, arguments.jobs or 0, asks, arguments.benchmarks is True)


def _flags(arguments: argparse.Namespace) -> tuple[str, ...]:
    if arguments.benchmarks is None:
        return ()
    return ("--benchmarks",) if arguments.benchmarks else ("--no-benchmarks",)


def _refuse_unknown_judges(context: Context, span: Span) -> None:
    from gitops.runs.roots import roots

    tree = context.tree(span.base)
    surroundings.refuse_unknown_judges(tree, roots(tree), span.base)


def _reason(arguments: argparse.Namespace) -> str:
    from gitops.errors import UsageError

    if arguments.accept is not None and not arguments.accept.strip():
        raise UsageError("--accept needs a reason: it is recorded", 'git assay ci check --accept "why it is worth it"')
    return arguments.accept or ""


def _told(arguments: argparse.Namespace, checked: Sequence[Checked], *, fail_on_neutral: bool) -> int:
    """Write what was asked for, print, and give the exit code. CannotRun last of all, so that all is written."""
    from gitops.ci import outcome, outputs

    results = [each.result for each in checked]
    files = outputs.result_files(_path(arguments, arguments.result), results) if arguments.result else {}
    for path, result in files.items():
        outputs.write_result(path, result)
    if (summary := _summary(arguments)) is not None:
        outputs.append_summary(summary, results)
    if told := os.environ.get("GITHUB_OUTPUT"):
        outputs.append_outputs(Path(told), outputs.outputs(checked, files))
    _print(arguments, checked)
    code = outcome.exit_code(checked, fail_on_neutral=fail_on_neutral)
    if code == outcome.COULD_NOT:
        _tell_missing(checked)
    return code


def _tell_missing(checked: Sequence[Checked]) -> None:
    from gitops.cli import tell

    missing = next((each for each in checked if each.missing), None)
    if missing is not None:
        tell(missing.missing, missing.mend)
    else:
        neutral = next(each.result for each in checked if each.result.outcome == "neutral")
        tell(neutral.cause, "without --fail-on-neutral this is no failure")


def _print(arguments: argparse.Namespace, checked: Sequence[Checked]) -> None:
    if getattr(arguments, "annotations", False):
        from gitops.ci.outputs import annotated

        # GitHub reads commands from either stream; beside JSON they would spoil it.
        print("\n".join(annotated(checked)), file=sys.stderr if arguments.json else sys.stdout)
    if arguments.json:
        records = [each.result.record() for each in checked]
        surroundings.print_json(records[0] if len(records) == 1 else {"schema": "assay/cis/1", "results": records})
        return
    from gitops.ci.words import words
    from gitops.report.github import as_text
    from gitops.report.text import show

    with as_text(os.environ):
        for each in checked:
            show(words(each))


def _tell_nothing(arguments: argparse.Namespace, error: AssayError) -> None:
    """Nothing was checked: say so where people and later steps look, before the command ends with 3."""
    from gitops.ci import outputs

    if (summary := _summary(arguments)) is not None:
        outputs.append_failure(summary, error.message, error.hint)
    if told := os.environ.get("GITHUB_OUTPUT"):
        nothing = {"verdict": "none", "outcome": "neutral", "regressions": "", "result-path": ""}
        outputs.append_outputs(Path(told), nothing)
    if arguments.json:
        surroundings.print_json({"schema": "assay/ci-nothing/1", "error": error.message, "hint": error.hint})


def _summary(arguments: argparse.Namespace) -> Path | None:
    if arguments.summary:
        return _path(arguments, arguments.summary)
    named = os.environ.get("GITHUB_STEP_SUMMARY", "")
    return Path(named) if named else None


def _path(arguments: argparse.Namespace, name: str) -> Path:
    return surroundings.folder(arguments) / name
