"""`git assay init --ci github`: writes the workflows, and says what is left to do on the host."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitops.runs.context import Context

_LEFT = """\
commit them, then set on GitHub (docs/ci.md says why):
  Settings, Branches: require the check "git-assay" before merging
  Settings, Environments, git-assay: only the default branch; secret ASSAY_SIGNING_KEY, where verdicts are signed
  Settings, Environments, git-assay-judge: a required reviewer; secret ANTHROPIC_API_KEY
  Settings, Actions, General: allow GitHub Actions to create pull requests, where the branch is protected
  Labels: benchmark:accept-regression, git-assay:judge"""


def write(arguments: argparse.Namespace, context: Context) -> None:
    """Write the workflows of the host that was named. CannotRun in a bare repository."""
    from gitops.ci import workflows
    from gitops.errors import CannotRun

    if context.repository.worktree is None:
        raise CannotRun("a bare repository has no files to write workflows to", "run it in a clone with a work tree")
    done = workflows.write(context.repository.worktree, force=arguments.force)
    kept = [each.path for each in done if each.state == "kept"]
    for path in kept:
        context.warn(f"{path} was changed and stays as it is; git assay init --ci github --force writes it anew")
    if arguments.quiet:
        return
    for each in done:
        if each.state != "kept":
            print(f"{each.path}: {each.state}")
    if any(each.state in ("written", "updated") for each in done):
        print(_LEFT)
