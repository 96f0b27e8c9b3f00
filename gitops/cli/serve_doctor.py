"""What `doctor` says of a server: whether its gate stands, and whether anybody is at what was pushed."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitops.runs.context import Context
    from gitops.runs.health import Symptom


def symptoms(context: Context, *, mend: bool) -> Iterator[Symptom]:
    """What is wrong with a repository that is a server; nothing of one that is none."""
    from gitops import server_hooks

    if server_hooks.is_server(context.repository):
        yield from _of_the_hooks(context, mend)
        yield from _of_the_runs(context, mend)


def _of_the_hooks(context: Context, mend: bool) -> Iterator[Symptom]:
    from gitops import hooks, server_hooks
    from gitops.runs.health import Symptom

    for place in server_hooks.places(context.repository):
        found = hooks.status(place)
        if found.state != "installed":
            if mend:
                hooks.install(place)
            told = f"the {hooks.ON_A_SERVER[place.name]} ({place.name}) is {found.state}"
            yield Symptom(told, "git assay init --server", mended=mend)
    command = context.repository.git_config(server_hooks.COMMAND, "path")
    if command and not os.access(command, os.X_OK):
        told = f"{server_hooks.COMMAND} is {command}, which cannot be run: PATH decides who looks at pushes"
        yield Symptom(told, "git assay init --server, by the git-assay that is to do it")
    elif not command and shutil.which("git-assay") is None:
        told = f"git-assay is not on PATH, and {server_hooks.COMMAND} does not say where it is: nothing is taken"
        yield Symptom(told, f"git config {server_hooks.COMMAND} /path/to/git-assay")


def _of_the_runs(context: Context, mend: bool) -> Iterator[Symptom]:
    """Runs that wait while nobody is at work. They are not answered here, which may take long: a worker is started."""
    from gitops.runs import pushed, serving, workers
    from gitops.runs.health import Symptom

    unheard = serving.unheard(context)
    if workers.anybody(context.folder):
        return
    for run_id, head in unheard.items() if mend else ():
        pushed.put(context.folder, run_id, head)
    waiting = [*dict.fromkeys([*pushed.waiting(context.folder), *unheard])]
    if not waiting:
        return
    if mend:
        workers.start(context.folder, os.environ)
    many = f"{len(waiting)} pushed runs wait" if len(waiting) > 1 else f"the pushed run {waiting[0]} waits"
    yield Symptom(f"{many}, and no worker was at it", "git assay hooks serve", mended=mend)
