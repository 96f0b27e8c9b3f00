"""What of a change is the rule that it is judged by: policy, gold, suites, debt and keys. Those of the base hold."""

from __future__ import annotations

from collections.abc import Iterable

from gitops.git import commits, trees
from gitops.git.treediff import Entry
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites import places
from gitops.wiki.layout import joined
from gitops.wiki.paths import collision_key, within

BASELINE = "baseline.json"
"""The export of an accepted measurement, wherever it lies in the gold folder or beside the policy."""


def is_rule(workspace: Workspace, path: str) -> bool:
    """Is this a file that decides how a change is judged or measured?"""
    layout, trust = workspace.layout, workspace.config.trust
    beside = {layout.config, layout.debt, joined(layout.root, BASELINE)}
    beside |= {joined(layout.root, name) for name in (trust.allowed_signers, trust.revoked_keys)}
    is_named = collision_key(path) in {collision_key(name) for name in beside}
    return is_named or is_measure(workspace, path)


def is_measure(workspace: Workspace, path: str) -> bool:
    """Is this a file that something is measured by: gold, or a suite of benchmarks?"""
    gold, called = collision_key(workspace.layout.gold), collision_key(path)
    return called == gold or within(called, gold) or _is_of_skill(workspace, path)


def _is_of_skill(workspace: Workspace, path: str) -> bool:
    """Is this a file of a skill's benchmarks, or what stands where they would?"""
    top = collision_key(places.skills(workspace.layout))
    parts = collision_key(path).removeprefix(f"{top}/").split("/")
    return within(collision_key(path), top) and parts[1:2] == [places.BENCHMARKS]


def is_content(workspace: Workspace, path: str) -> bool:
    """Is this a file of the wiki or of its sources, or a rule: does a change to it concern the workspace?"""
    layout = workspace.layout
    is_folder = path in (layout.raw, layout.wiki)
    return is_folder or layout.is_wiki(path) or layout.is_source(path) or is_rule(workspace, path)


def changed(workspace: Workspace, touched: Iterable[Entry]) -> list[Entry]:
    """Of what a change touches, the rules."""
    return [entry for entry in touched if is_rule(workspace, entry.path)]


def ruled(context: Context, head: str, rules: Iterable[Entry]) -> str:
    """The commit to measure in place of `head`: the same with the base's rules, so that no change moves its own gold.

    Without a change to the rules it is the head itself. The commit hangs on no ref: git collects it as garbage.
    UsageError where the head holds a rule by a name that git does not allow.
    """
    undone = {entry.path: _before(entry) for entry in rules}
    if not undone:
        return head
    there = context.commit(head)
    brought = dict.fromkeys(path for path, before in undone.items() if before is None)
    # First out, then in: where the base has a file, the head may have a folder.
    tree = trees.edit(context.repository, there.tree, brought)
    tree = trees.edit(context.repository, tree, {path: before for path, before in undone.items() if before is not None})
    message = f"{head[:10]} by the rules of its base\n"
    return commits.write(context.repository, tree, [head], message, there.author, there.time, sign=False)


def _before(entry: Entry) -> tuple[str, int] | None:
    if entry.old_mode is None or entry.old_blob is None:
        return None
    return entry.old_blob, entry.old_mode
