"""`git assay init --ci github`: writes the workflows, and says what is left to do on the host."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitops.runs.context import Context

_LEFT = """\
what is left, in this order (docs/ci.md, "What to set", says why); what you have no use for, delete before
  1. Settings, Environments: make git-assay, for the default branch only; then, where verdicts are signed, give it
     the secret ASSAY_SIGNING_KEY, and ANTHROPIC_API_KEY where a model is asked
  2. Settings, Environments: make git-assay-judge, with a required reviewer; then its secret ANTHROPIC_API_KEY
  3. Settings, Actions, General: allow GitHub Actions to create pull requests, where the branch is protected
  4. Issues, Labels: benchmark:accept-regression, git-assay:judge
  5. commit .github/workflows, push it to the default branch, and the records after it: git assay sync
  6. offer a change; once it was checked, Settings, Branches: require the check "git-assay", of GitHub Actions"""


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
