"""Defects planted one at a time into references that are right, and changes of form that are none.

Each is judged as a change against the wiki as it stands, by the verifier itself. A defect is found when a check that
answers for its kind says something that it did not say before; a change of form is spared when nothing new is an error
or a warning.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.accuracy import breaking, sparing
from benchmarks.accuracy.ground import Ground
from benchmarks.accuracy.memory import Workspace
from benchmarks.accuracy.mutations import Mutation
from benchmarks.accuracy.quoted import Texts
from gitops.verify.finding import Finding

SEED = 20261122
EACH = 10
"""How many of a kind, form and workspace are drawn."""
_GATES = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was said of one mutation, by checks that answer for it, or by any if nothing may be said."""

    wiki: str
    mutation: Mutation
    said: tuple[Finding, ...]

    @property
    def is_defect(self) -> bool:
        """Whether it had to be found."""
        return bool(self.mutation.checks)

    @property
    def is_right(self) -> bool:
        """Whether a defect was found, or a change of form spared."""
        return bool(self.said) == self.is_defect

    @property
    def gates(self) -> bool:
        """Whether an error or a warning is among what was said."""
        return any(one.level in _GATES for one in self.said)


def run(workspaces: Iterable[Workspace], *, each: int = EACH, seed: int = SEED) -> list[Outcome]:
    """Draw mutations of every workspace and judge them."""
    return [outcome for one in workspaces for outcome in _run(one, each, seed)]


def draw(found: Iterable[Mutation], each: int, chance: random.Random) -> Iterator[Mutation]:
    """So many of every kind and form, at random."""
    groups: dict[tuple[str, str], list[Mutation]] = defaultdict(list)
    for one in found:
        groups[one.kind, one.form].append(one)
    for _, group in sorted(groups.items()):
        yield from chance.sample(group, min(each, len(group)))


def _run(workspace: Workspace, each: int, seed: int) -> Iterator[Outcome]:
    ground, chance = Ground(workspace, Texts()), random.Random(f"{seed} {workspace.layout.root}")
    found = [*breaking.every(ground, chance), *sparing.every(ground, chance)]
    for one in draw(found, each, chance):
        yield Outcome(workspace.name, one, _said(one, workspace.judged(one.edits(workspace))))


def _said(mutation: Mutation, new: Sequence[Finding]) -> tuple[Finding, ...]:
    if mutation.checks:
        return tuple(one for one in new if one.check in mutation.checks and one.level != "none")
    return tuple(one for one in new if one.level in _GATES and one.check != "uncited")
