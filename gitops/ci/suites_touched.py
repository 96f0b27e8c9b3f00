"""Which benchmark suites of a workspace a change affects: those of its base, and those that it brings in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitops.ci import rules
from gitops.ci.findings import clipped
from gitops.ci.result import UnablatedRow
from gitops.ci.spans import Span
from gitops.ci.suite_subject import configured, merge
from gitops.errors import AssayError
from gitops.git.treediff import Entry
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.suites import affected, loading, unablated
from gitops.suites.affected import Affected
from gitops.suites.loading import Loaded


@dataclass(frozen=True, slots=True)
class Touched:
    """The suites of the base that are affected, and those that only the head has; what was calibrated and not ablated.

    `faults` are of suites of the base that cannot be read, `broken` of those that the change leaves so. `missing` is
    why it could not be told what is affected, `mend` what to do about it.
    """

    base: tuple[Affected, ...] = ()
    new: tuple[Affected, ...] = ()
    unablated: tuple[UnablatedRow, ...] = ()
    faults: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    missing: str = ""
    mend: str = ""

    @property
    def is_any(self) -> bool:
        """Whether the change concerns a suite, or what only an ablation lets through."""
        return bool(self.base or self.new or self.unablated or self.broken or self.missing)


def touched(context: Context, workspace: Workspace, span: Span, entries: Sequence[Entry]) -> Touched:
    """What a change affects of a workspace as its base has it; `entries` is all that it touches."""
    try:
        return _touched(context, workspace, span, entries)
    except AssayError as error:
        return Touched(missing=f"which benchmarks it affects is not known: {error.message}", mend=error.hint)


def _touched(context: Context, workspace: Workspace, span: Span, entries: Sequence[Entry]) -> Touched:
    there = loading.every_at(context, workspace, span.base)
    paths = [entry.path for entry in entries]
    after = workspace
    if workspace.layout.config in paths:
        after = configured(context, workspace, merge(context, span))
    hit = affected.affected(there.loaded, paths, workspace.config, after.config)
    brought, broken = _brought(context, workspace, span, there, paths)
    return Touched(
        tuple(hit),
        tuple(Affected(one, "new in this change") for one in brought),
        _hard(context, workspace, span, paths, there.loaded),
        tuple(there.faults),
        broken,
    )


def _brought(
    context: Context, workspace: Workspace, span: Span, there: loading.Every, paths: Sequence[str]
) -> tuple[list[Loaded], tuple[str, ...]]:
    """The suites that only the head has, and the faults that the base's have not."""
    if not any(rules.is_measure(workspace, path) for path in paths):
        return [], ()
    head = loading.every_at(context, workspace, span.head)
    known = {one.suite.suite_id for one in there.loaded}
    new = [one for one in head.loaded if one.suite.suite_id not in known]
    return new, tuple(told for told in head.faults if told not in there.faults)


def _hard(
    context: Context, workspace: Workspace, span: Span, paths: Sequence[str], suites: Sequence[Loaded]
) -> tuple[UnablatedRow, ...]:
    """The findings of the hard rule (silas 20.6), by the base's suites and policy.

    A policy is looked at as it would be merged: what the base has changed since is none of the change's doing.
    """
    head = merge(context, span) if workspace.layout.config in paths else span.head
    found = unablated.unablated(context, workspace, span.base, head, paths, suites)
    return tuple(
        UnablatedRow(
            key=clipped(each.key),
            suite=clipped(each.suite_id),
            why=clipped(each.why),
            mend=clipped(each.mend.replace(head[:10], span.head[:10])),
        )
        for each in found[:100]
    )
