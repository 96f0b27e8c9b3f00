"""Which suites an ablation runs: those that are named, or those that depend on what its variants have otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.errors import CannotRun, UsageError
from gitops.git.treediff import changed
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace, rooted
from gitops.suites import calibrated, loading
from gitops.suites.affected import affected
from gitops.suites.configured import Configured
from gitops.suites.loading import Loaded

_NAME_THEM = "--suite NAME runs one, --all all of them"


def named(context: Context, workspace: Workspace, control: Configured, names: Sequence[str]) -> list[Loaded]:
    """The suites of some names, as the control has them. UsageError where there is none of one."""
    found = [loading.suite_at(context, workspace, control.commit, name, organic=False) for name in names]
    return list({one.suite.suite_id: one for one in found}.values())


def every(context: Context, workspace: Workspace, control: Configured) -> list[Loaded]:
    """All suites of the control. CannotRun where it has none."""
    found = loading.suites_at(context, workspace, control.commit, organic=False)
    if not found:
        raise CannotRun(f"{workspace.name} has no suite at {control.name}", "docs/benchmark-cases.md shows one")
    return found


def of_key(context: Context, workspace: Workspace, control: Configured, key: str) -> list[Loaded]:
    """Those that depend on a calibrated key. UsageError where none does."""
    there = every(context, workspace, control)
    found = [one for one in there if calibrated.depends(workspace, one, key)]
    if not found:
        known = ", ".join(sorted(calibrated.of_policy(workspace.config, there)))
        raise UsageError(f"no suite depends on '{key}'", f"keys are {known}, and prompts by their paths")
    return found


def of_difference(context: Context, workspace: Workspace, variants: Sequence[Configured]) -> list[Loaded]:
    """Those that depend on what any treatment has otherwise than the control.

    All of them, which is told, where a variant's targets are told something besides: nobody can tell which of them heed
    it. CannotRun where no suite depends on what differs.
    """
    control, *treatments = variants
    there = every(context, workspace, control)
    if told := next((one for one in variants if one.overrides), None):
        if len(there) > 1:
            context.warn(f"what {told.name} is told besides may concern every suite: all {len(there):,} are run")
        return there
    found = {one.suite.suite_id for each in treatments for one in _between(context, workspace, control, each, there)}
    if not found:
        raise CannotRun("nothing that a suite depends on differs between the variants", _NAME_THEM)
    return [one for one in there if one.suite.suite_id in found]


def _between(
    context: Context, workspace: Workspace, control: Configured, treatment: Configured, there: Sequence[Loaded]
) -> list[Loaded]:
    trees = (context.commit(one.commit).tree for one in (control, treatment))
    paths = [entry.path for entry in changed(context.repository, *trees)]
    other = rooted(context.repository, treatment.commit, workspace.layout.root).config
    return [one.loaded for one in affected(there, paths, workspace.config, other)]
