"""What a run changes, as git itself shows it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from gitops.git import history, refs
from gitops.git.process import environment
from gitops.runs import names, store
from gitops.runs.context import Context


def show_diff(context: Context, text: str, *, stat: bool, show: Callable[[str], None] | None = None) -> int:
    """Print the diff from where the run left its target to its head (or what was kept of it).

    Byte for byte as git prints it, without colour; or, with `show`, by handing it over line by line: what a page
    holds is not for a terminal to obey.
    """
    run = store.find(context, text)
    ref = names.branch(run.id)
    head = refs.read(context.repository, ref) or run.state.head or run.record.root
    start = run.state.base or run.record.base
    base = history.merge_base(context.repository, start, head) or start
    command = ["git", "diff", "--no-color", *(["--stat"] if stat else []), base, head, "--"]
    sys.stdout.flush()
    folder = context.repository.worktree or context.repository.git_dir
    env = environment(context.repository)
    if show is None:
        return subprocess.run(command, cwd=folder, env=env, check=False).returncode
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE) as child:
        for line in child.stdout or ():
            show(line.decode("utf-8", "surrogateescape").removesuffix("\n"))
    return child.returncode
