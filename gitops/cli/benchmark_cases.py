"""`git assay benchmark import` and `from-run`: where cases come from, besides those that people write."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.cli.arguments import Commands, Parser

if TYPE_CHECKING:
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace
    from gitops.suites.loading import Loaded
    from gitops.suites.model import BenchmarkCase
    from gitops.suites.scrubbing import Scrubber

READ_IT = "no machine finds every name: read them before anybody else does"


def declare(inner: Commands) -> None:
    """Add the commands."""
    made = inner.add("import", "make cases of the logs of real sessions, without personal data", import_log)
    made.add_argument("file", metavar="LOG", help="JSON Lines of goal and outcome")
    made.add_argument("--suite", required=True, metavar="NAME", help="the suite that they are cases of")
    modes = ("llm_judge", "contains", "exact", "human")
    held = "how an output is held to a session's outcome (default: llm_judge)"
    made.add_argument("--mode", choices=modes, default="llm_judge", help=held)
    _scrubbing(made)
    made = inner.add("from-run", "make a regression case of a run that was refused, or of a case that failed", from_run)
    made.add_argument("run", metavar="RUN", help="a run, or a benchmark run")
    made.add_argument("--suite", required=True, metavar="NAME", help="the suite that gets the case")
    made.add_argument("--case", default="", metavar="ID", help="which case of a benchmark run")
    made.add_argument("--case-id", default="", metavar="ID", help="what the new case is called")
    bare = "leave the texts as this repository has them, and tag the case not-anonymised"
    made.add_argument("--no-scrub", action="store_true", help=bare)
    _scrubbing(made)


def _scrubbing(made: Parser) -> None:
    named = "a person's name to take out; may be given again (authors of commits are known)"
    made.add_argument("--hide", action="append", default=[], metavar="NAME", help=named)
    made.add_argument("--json", action="store_true", help="print JSON")


def import_log(arguments: argparse.Namespace) -> int:
    """Keep the sessions of a log as cases below data/benchmarks/."""
    from gitops.cli.retrieval_files import data_of
    from gitops.suites import datasets, loading, places

    context, workspace = _here(arguments)
    suite = loading.suite_in_worktree(context, workspace, arguments.suite, organic=False, is_begun=True).suite.suite_id
    folder = datasets.folder(context, workspace, suite)
    scrubber = _scrubber(arguments, context)
    log = datasets.read(data_of(arguments, arguments.file), arguments.file)
    sessions = context.progress("taking out personal data", log.sessions, len(log.sessions))
    kept = datasets.keep(folder, [datasets.case_of(one, arguments.mode, scrubber) for one in sessions])
    where = folder.relative_to(places.worktree(context)).as_posix()
    if arguments.json:
        body: dict[str, Any] = {"schema": "assay/benchmark-import/1", "workspace": workspace.name, "suite": suite}
        body |= {"folder": where, "added": list(kept.added), "there": list(kept.there), "left_out": log.left_out}
        body |= {"overlooked": list(log.overlooked), "removed": dict(scrubber.removed)}
        surroundings.print_json(body)
    elif not arguments.quiet:
        again = f", {len(kept.there)} were there" if kept.there else ""
        left = f", {log.left_out} left out without an accepted outcome" if log.left_out else ""
        _say(f"{where}: {len(kept.added)} added{again}{left}")
        _tell_scrubbed(scrubber.removed)
        if log.overlooked:
            _say(f"overlooked fields: {', '.join(log.overlooked)}")
        _say(f"next: {READ_IT}")
    return 0


def from_run(arguments: argparse.Namespace) -> int:
    """Write a regression case into a suite's folder in the worktree."""
    from gitops.errors import UsageError
    from gitops.suites import loading, places, writing

    writing.checked_id(arguments.case_id)
    if arguments.no_scrub and arguments.hide:
        raise UsageError("--no-scrub takes nothing out, and --hide names what to take out", "leave out one of them")
    context, workspace = _here(arguments)
    loaded = loading.suite_in_worktree(context, workspace, arguments.suite, organic=False, is_begun=True)
    scrubber = None if arguments.no_scrub else _scrubber(arguments, context)
    run, case, not_shown = _made(arguments, context, loaded, scrubber)
    if case.case_id in loaded.case_digests:
        told = f"{loaded.folder} has a case {case.case_id} already"
        raise UsageError(told, "--case-id NAME gives the new one another name")
    name = f"{loaded.folder}/{places.CASES}/{case.case_id}.json"
    writing.write_new(places.worktree(context) / name, case)
    removed = dict(scrubber.removed) if scrubber is not None else {}
    if arguments.json:
        body: dict[str, Any] = {"schema": "assay/benchmark-from-run/1", "workspace": workspace.name, "run": run}
        body |= {"suite": loaded.suite.suite_id, "file": name, "case": case.model_dump(mode="json")}
        body |= {"is_anonymised": scrubber is not None, "removed": removed, "not_shown": list(not_shown)}
        surroundings.print_json(body)
    elif not arguments.quiet:
        _say(name)
        _tell_made(context, case, removed, not_shown, is_scrubbed=scrubber is not None)
    return 0


def _made(
    arguments: argparse.Namespace, context: Context, loaded: Loaded, scrubber: Scrubber | None
) -> tuple[str, BenchmarkCase, tuple[str, ...]]:
    """The id of the run, its case, and what of the failure the case does not show."""
    from gitops.errors import UsageError
    from gitops.runs import store
    from gitops.suites import from_case, from_run, replaying

    run = store.find(context, arguments.run)
    if run.record.run_type == "benchmark":
        caught = from_case.case_of(context, run.id, arguments.case, scrubber, arguments.case_id)
        for told in caught.strange_to(loaded):
            context.warn(told)
        return run.id, caught.case, ()
    if arguments.case:
        raise UsageError(f"{run.id} is no benchmark run, so it has no case '{arguments.case}'", "leave out --case")
    made = from_run.case_of(context, run, scrubber, arguments.case_id)
    if getattr(loaded.suite.runs, "callable", "") != replaying.CALLABLE:
        told = f"{loaded.path} asks its target in another way than such cases are for"
        context.warn(f'{told}: "runs": {{"kind": "python", "callable": "{replaying.CALLABLE}"}}')
    return run.id, made.case, made.not_shown


def _here(arguments: argparse.Namespace) -> tuple[Context, Workspace]:
    """What is written to the worktree goes by the policy of HEAD."""
    from gitops.git import snapshot
    from gitops.suites import places

    context = surroundings.context(arguments, sweep=False)
    places.worktree(context)
    return context, surroundings.workspace(arguments, context, snapshot.resolve(context.repository, "HEAD"))


def _scrubber(arguments: argparse.Namespace, context: Context) -> Scrubber:
    from gitops.suites.scrubbing import Scrubber, persons

    return Scrubber([*persons(context.repository), *arguments.hide])


def _tell_made(
    context: Context, case: BenchmarkCase, removed: Mapping[str, int], not_shown: Iterable[str], *, is_scrubbed: bool
) -> None:
    _say(f"it expects: {case.expected.mode} {_briefly(case.expected.value)}")
    for told in not_shown:
        context.warn(f"it does not show {told}, which takes more than a few files")
    if is_scrubbed:
        _tell_scrubbed(removed)
        _say(f"next: {READ_IT.replace('them', 'it')}; then git add it")
    else:
        context.warn("nothing was taken out of its texts: whoever reads the suite reads them as they are")


def _briefly(value: Any) -> str:
    from gitops.canonical import dumps

    told = dumps(value) if value is not None else ""
    return told if len(told) <= 160 else f"{told[:159]}…"


def _say(message: str) -> None:
    """One line, whatever stands in names and texts."""
    from gitops.cli import one_line

    print(one_line(message))


def _tell_scrubbed(removed: Mapping[str, int]) -> None:
    told = ", ".join(f"{count} {label}" for label, count in sorted(removed.items()))
    _say(f"taken out: {told or 'nothing was found'}")
