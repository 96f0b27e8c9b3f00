"""What was extracted on one side of a change, and what it scores: a folder of a commit, or what a preset writes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gitops import assembly
from gitops.canonical import digest
from gitops.ci.extraction_touched import emitted_folder
from gitops.ci.suite_answers import How
from gitops.ci.suite_guards import TELL
from gitops.config import PRESETS, Config, Preset
from gitops.errors import AssayError, CannotRun, UsageError
from gitops.extraction import emitted, gold, scoring
from gitops.extraction.aggregate import Aggregate, aggregate
from gitops.extraction.emitted import Emitted
from gitops.extraction.model import Case, Scored
from gitops.llm.opening import SWITCH
from gitops.runs.context import Context
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.verify.judge import Judge

_ASK = f"git assay extract eval --live where the key is; or have CI replay what was recorded, by {SWITCH}=replay"


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold of one commit: its cases, or why there are none that count. Without either there is none at all."""

    cases: tuple[Case, ...] = ()
    broken: str = ""
    mend: str = ""

    @property
    def digest(self) -> str:
        """What is measured by; '' of none."""
        return gold.digest(self.cases) if self.cases else ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Who extracted, by a policy: what lies in a folder of a commit, or a preset that is asked now."""

    commit: str
    folder: str
    preset: str

    @property
    def told(self) -> str:
        """It in words."""
        return f"{self.folder}/" if self.folder else f"what the preset {self.preset} writes"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was extracted for some cases, or why nothing was and what mends that; what models used for it."""

    cases: Sequence[Case] = ()
    found: Emitted | None = None
    why: str = ""
    mend: str = ""
    used: Usage = NOTHING


NOTHING_DRAWN = Drawn()
"""Where there is no gold to extract for."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one side scores, or why it has no score and what mends that."""

    scored: Scored | None = None
    numbers: Aggregate | None = None
    why: str = ""
    mend: str = ""


def gold_at(context: Context, commit: str, folder: str) -> Gold:
    """The gold in a folder of a commit."""
    tree = context.tree(commit)
    if tree.folder_id(folder) is None:
        return Gold()
    try:
        return Gold(tuple(gold.cases(tree, folder)))
    except UsageError as error:
        return Gold(broken=error.message, mend=error.hint)


def extracted(workspace: Workspace, commit: str, policy: Config) -> Extracted:
    """Who extracted at a commit, by a policy."""
    return Extracted(commit, emitted_folder(workspace, policy), policy.extraction.preset)


@dataclass(slots=True)
class Drawer:
    """Reads what was extracted, or has it extracted: a model is asked only where `how` says so or answers are replayed,
    and where there is a key, only as the base's policy has it: a change could have the key sent elsewhere.

    The same preset is not asked for the same documents twice: what it answers to both sides would be told as a change.
    """

    context: Context
    base: Config
    how: How
    _known: dict[str, Drawn] = field(default_factory=dict)

    def drawn(self, workspace: Workspace, by: Extracted, cases: Sequence[Case], others: Sequence[Case] = ()) -> Drawn:
        """What was extracted; `workspace` has the presets of that side. `others` are cases that it may hold besides."""
        if not cases:
            return NOTHING_DRAWN
        try:
            if by.folder:
                known = {case.id for case in others}
                return Drawn(cases, emitted.in_tree(self.context.tree(by.commit), by.folder, cases, known))
            sources = {case.id: [(source.name, source.text) for source in case.sources] for case in cases}
            key = digest([workspace.config.llm.preset(by.preset).model_dump(), sources])
            if key not in self._known:
                self._known[key] = self._written(workspace, by.preset, cases, sources)
            return replace(self._known[key], cases=cases)
        except AssayError as error:
            return Drawn(cases, why=error.message, mend=error.hint)

    def _written(
        self, workspace: Workspace, name: str, cases: Sequence[Case], sources: Mapping[str, Sequence[tuple[str, str]]]
    ) -> Drawn:
        """What a preset writes of the gold's documents, as files that are parsed back, as everybody's are."""
        self._demand(workspace.config.llm.preset(name), name)
        with TemporaryDirectory(prefix="assay-extraction-") as folder:
            used, _ = assembly.extract(self.context, workspace, sources, name, Path(folder))
            return Drawn(cases, emitted.in_folder(Path(folder), cases, name), used=used)

    def _demand(self, preset: Preset, name: str) -> None:
        """CannotRun where a preset may not be asked."""
        if preset.provider == "offline" or os.environ.get(SWITCH, "").strip() == "replay":
            return
        if not self.how.asks:
            told = f"{preset.model} would have to be asked, and a check asks no model that costs something"
            raise CannotRun(told, _ASK)
        if not self.how.is_told and preset != self.base.llm.presets.get(name, PRESETS.get(name)):
            raise CannotRun(f"the change's own preset {name} would be handed the key of this environment", TELL)

    @property
    def used(self) -> Usage:
        """What models used for it so far."""
        return sum((each.used for each in self._known.values()), NOTHING)


def scored(drawn: Drawn, judge: Judge) -> Side:
    """What was extracted, scored by its cases."""
    if drawn.found is None:
        return Side(why=drawn.why, mend=drawn.mend)
    try:
        made = scoring.scored(drawn.cases, drawn.found.bundles, judge, drawn.found.stray)
    except AssayError as error:
        return Side(why=error.message, mend=error.hint)
    return Side(made, aggregate(made))
