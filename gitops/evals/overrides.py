"""Which claims landed without the verifier's yes: by an unverified run, or by an override; and whether those are worse.

Only the pages that such a run wrote are asked for their history, and of those only the ones that are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from gitops.evals.claim_sample import Drawn
from gitops.git import history, notes, objects
from gitops.runs import judging, names, store
from gitops.runs.context import Context
from gitops.runs.dating import Dated, Dating, Key, asserted
from gitops.runs.garbage import uncollected
from gitops.runs.provenance import Origin, origins
from gitops.runs.records import Run
from gitops.runs.workspace import Workspace
from gitops.wiki.model import Claim

OVERRIDE = "commit_override"
_MARKS = ('"unverified":true', f'"verdict":"{OVERRIDE}"')


@dataclass(frozen=True, slots=True)
class Brought:
    """The ids of claims that runs without the verifier's yes brought in, each with its run."""

    unverified: dict[str, str]
    overridden: dict[str, str]


def brought(context: Context, workspace: Workspace, commit: str, drawn: Sequence[Drawn]) -> Brought:
    """Which of some claims an unverified or overridden run brought in, as the history of a commit has it.

    `Absent` where this clone lacks a version that has to be read.
    """
    written = {path for run in _without_a_yes(context, workspace) for path in _pages(context, run)}
    found = Brought({}, {})
    for path in sorted({one.path for one in drawn} & written):
        mine = [one for one in drawn if one.path == path]
        for one, origin in _origins(context, workspace, commit, path, mine):
            if origin.verdict is None or origin.run_id is None:
                continue
            if origin.verdict.verdict == OVERRIDE:
                found.overridden[one.id] = origin.run_id
            elif judging.is_unverified(origin.verdict):
                found.unverified[one.id] = origin.run_id
    return found


def _without_a_yes(context: Context, workspace: Workspace) -> Iterator[Run]:
    for root, lines in notes.read_all(context.repository, names.RUNS):
        # Looked at as text first: to read thousands of records for the few that are meant would take seconds.
        if any(mark in line for line in lines for mark in _MARKS):
            for run in store.begun_on(context, root, lines).values():
                is_let_in = run.state.unverified or run.state.verdict == OVERRIDE
                if is_let_in and run.status == "committed" and run.record.workspace == workspace.name:
                    yield run


def _pages(context: Context, run: Run) -> Iterator[str]:
    """The paths that a run wrote: by its plan, else by what its commit brought in."""
    if run.plan is not None:
        yield from (operation.path for operation in run.plan.operations)
    elif run.state.candidate and objects.exists(context.repository, run.state.candidate):
        yield from (entry.path for entry in history.introduced(context.repository, run.state.candidate))


def _origins(
    context: Context, workspace: Workspace, commit: str, path: str, drawn: Sequence[Drawn]
) -> Iterator[tuple[Drawn, Origin]]:
    keys: dict[Key, Claim] = {key: each for key, each in asserted(drawn[0].page).items() if isinstance(each, Claim)}
    wanted = {key: one for key, each in keys.items() for one in drawn if one.claim == each}
    dated: dict[Key, Dated] = {}
    with uncollected():
        for some in Dating(context, workspace.config, commit, path, wanted):
            dated |= some
    came = origins(context, commit, (each.commit for each in dated.values()))
    yield from ((wanted[key], came[each.commit]) for key, each in dated.items())


def phi(both: int, first: int, second: int, neither: int) -> float | None:
    """The phi coefficient of two yes-or-no properties (Yule 1912): -1 to 1, None where one of them never varies.

    How many have both, only the first, only the second, and neither.
    """
    rows, columns = (both + first) * (second + neither), (both + second) * (first + neither)
    if rows * columns == 0:
        return None
    return (both * neither - first * second) / sqrt(rows * columns)
