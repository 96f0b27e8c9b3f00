"""`git assay hooks post-receive` and `hooks serve`: what a server does for runs that were pushed.

post-receive only notes them down and starts a worker; it imports nothing that takes long, since the push waits for it.
The worker answers for one run after the other, and writes what it does to a log of each.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.outcome import Outcome
    from gitops.runs.serving import Answer

_PATIENCE_S = 600


def post_receive(arguments: argparse.Namespace) -> int:
    """Note down the runs that came, and have a worker started; wait for their answers where the push asks for it."""
    from gitops.cli import serve_waiting
    from gitops.git import permissions
    from gitops.runs import pushed, workers

    folder = _folder(arguments)
    permissions.share(_setting(folder, "core.sharedRepository"))
    came = {each.run_id: each.new for each in pushed.arrivals(sys.stdin.read()) if each.run_id}
    waits = serve_waiting.Waiting(folder, list(came)) if came and pushed.wants_to_wait(os.environ) else None
    for run_id, head in came.items():
        pushed.put(folder, run_id, head)
    workers.start(folder, os.environ)
    if waits is not None:
        waits.stream(_number(folder, "assay.waitSeconds", _PATIENCE_S), lambda: workers.start(folder, os.environ))
    elif came and not arguments.quiet:
        serve_waiting.tell_where(list(came))
    return 0


def serve(arguments: argparse.Namespace) -> int:
    """Answer for every run that waits, and see to what came to the target; the runs that are named wait from now on."""
    from gitops.cli import one_line
    from gitops.runs import pushed, workers, worklog
    from gitops.runs.arrived import Arrived

    context = _on_a_server(arguments)
    folder = context.folder
    for text in arguments.run:
        run_id, head = _found(context, text)
        pushed.put(folder, run_id, head)
    worklog.prune(folder)
    target = worklog.path_of(folder, "target")
    arrived = Arrived(lambda: _quietly(arguments), lambda told: worklog.write(target, f"{_now()} {one_line(told)}"))
    most = _number(folder, "assay.workers", workers.MOST)
    done = workers.work(folder, most, lambda run_id: _answered(arguments, folder, run_id), arrived)
    if arguments.run and not arguments.quiet:
        told = f"answered for {done} {'run' if done == 1 else 'runs'}"
        print(f"{told}; what was done: {worklog.path_of(folder, 'RUN')}")
    return 0


def _answered(arguments: argparse.Namespace, folder: Path, run_id: str) -> None:
    """Answer for one run and strike it off. A fault of ours is told in its log, and holds up no other run."""
    from gitops.cli import one_line
    from gitops.cli.serve_words import in_words
    from gitops.runs import pushed, worklog
    from gitops.runs.serving import serve as answer

    log = worklog.path_of(folder, run_id)
    noted = pushed.head_of(folder, run_id)
    worklog.write(log, f"{_now()} run {run_id}: begun with {noted[:10]}, by process {os.getpid()}")

    def say(told: str) -> None:
        worklog.write(log, f"  {one_line(told)}")

    heads: tuple[str, ...] = ()
    given: Answer | None = None
    try:
        given = answer(_quietly(arguments, say), run_id, say)
        heads = given.heads
        worklog.write(log, in_words(given, _now()))
    except Exception as error:
        import traceback

        worklog.write(log, traceback.format_exc())
        told = f"run {run_id}: no verdict: this should not happen: {type(error).__name__}: {one_line(str(error))}"
        worklog.write(log, f"{told}\n  git assay hooks serve {run_id} on the server tries again")
    finally:
        pushed.answered(folder, run_id, [noted, *heads], lambda: _stands(arguments, run_id))
    if given is not None and given.outcome is not None and given.result == "landed":
        _measured(_quietly(arguments, say), given.outcome)


def _stands(arguments: argparse.Namespace, run_id: str) -> str | None:
    from gitops.git import refs
    from gitops.runs import names

    return refs.read(surroundings.repository(arguments), names.branch(run_id))


def _measured(context: Context, outcome: Outcome) -> None:
    """What is due after an ingest that landed is measured, as `run finish` does; it changes no answer."""
    record = outcome.run.record
    if record.run_type == "ingest":
        from gitops.evals import after_landing

        after_landing.ingested(context, record.workspace_root, record.target)


def _quietly(arguments: argparse.Namespace, say: Callable[[str], None] | None = None) -> Context:
    """A context for one run: nothing that was read for another is remembered, and remarks go to its log."""
    from dataclasses import replace

    made = surroundings.context(arguments, sweep=False)
    return replace(made, warn=say or _nothing, progress=surroundings.without_progress, triggered_by="push:")


def _nothing(told: str) -> None:
    """Say nothing."""


def _on_a_server(arguments: argparse.Namespace) -> Context:
    """UsageError in a repository that is no gate: what is pushed there is nobody's to land."""
    from gitops import server_hooks
    from gitops.errors import UsageError

    context = surroundings.context(arguments)
    if not server_hooks.is_server(context.repository):
        told = f"{context.repository.git_dir} is no server: git config assay.server is not true there"
        raise UsageError(told, "git assay init --server, in the bare repository; in a clone: git assay run finish RUN")
    return context


def _found(context: Context, text: str) -> tuple[str, str]:
    """The id and the head of a run that is named; UsageError where its branch is not there."""
    from gitops.errors import UsageError
    from gitops.git import refs
    from gitops.runs import names

    run_id = names.checked_id(text)
    head = refs.read(context.repository, names.branch(run_id))
    if head is None:
        raise UsageError(f"there is no branch run/{run_id} here", f"git push REMOTE run/{run_id}")
    return run_id, head


def _folder(arguments: argparse.Namespace) -> Path:
    """The folder of locks and logs, as git has it, without libgit2."""
    from pathlib import Path

    from gitops.git.process import git

    start = Path(arguments.directory or ".").absolute()
    env = {"GIT_DIR": os.environ["GIT_DIR"]} if "GIT_DIR" in os.environ else {}
    found = git(start, "rev-parse", "--path-format=absolute", "--git-common-dir", env=env).text
    return Path(found).resolve() / "assay"


def _number(folder: Path, key: str, usual: int) -> int:
    """A whole number from 1 on that git's configuration has; the usual one where it has none."""
    said = _setting(folder, key, "--type=int")
    if said is None:
        return usual
    if said.isdigit() and int(said) > 0:
        return int(said)
    print(f"git-assay: git config {key} is no whole number from 1 on: taken as {usual}", file=sys.stderr)
    return usual


def _setting(folder: Path, key: str, *kind: str) -> str | None:
    """What git's configuration has for a key, '' where it is not of its kind; None where it has nothing."""
    from gitops.git.process import git

    env = {"GIT_DIR": os.fspath(folder.parent)}
    done = git(folder.parent, "config", *kind, "--get", key, env=env, check=False)
    return None if done.code == 1 else done.text


def _now() -> str:
    from datetime import UTC, datetime

    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
