"""What `git assay extract eval` scores: files that are there, or what an extractor writes now; and who judges it."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitops.cli import surroundings
from gitops.usage import NOTHING, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from gitops.cli.extract_ground import Ground, Kept
    from gitops.extraction.emitted import Emitted
    from gitops.extraction.model import Case
    from gitops.runs.transcripts import Transcript
    from gitops.runs.workspace import Workspace
    from gitops.verify.judge import Judge, Question

SOURCES, ATOMS = "sources", "atoms"
OFFLINE = "offline"
"""The preset that asks no model."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What is scored, who extracted it, what that used, and what was said to a model for it.

    `folder` is where the run leaves its files and its report; None where it leaves none.
    """

    emitted: Emitted
    subject: dict[str, Any]
    used: Usage = NOTHING
    said: Sequence[Transcript] = ()
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is going to be scored: what is `there`, or what `preset` writes now; and who judges rationales."""

    ground: Ground
    run_id: str
    started_at: str
    preset: str
    there: Emitted | None
    judge: Judge
    """Who judges as far as is known before anything is spent."""

    @property
    def now(self) -> str:
        """The present moment as records write it."""
        return _now(self.ground)

    @property
    def cases(self) -> list[Case]:
        """The cases that are scored."""
        return list(self.ground.gold.cases)

    @property
    def sources(self) -> dict[str, list[tuple[str, str]]]:
        """The sources of each case by the names that its gold cites them by."""
        return {case.id: [(f"{SOURCES}/{one.name}", one.text) for one in case.sources] for case in self.cases}

    @property
    def workspace(self) -> Workspace | None:
        """Whose presets and budgets count."""
        return self.ground.kept.workspace if self.ground.kept is not None else None

    @property
    def asks_to_extract(self) -> bool:
        """Whether a model is going to extract."""
        if self.there is not None or self.workspace is None:
            return False
        return self.workspace.config.llm.preset(self.preset).provider != OFFLINE

    def questions(self) -> list[Question]:
        """What the judge is asked of files that are there, else about what it will be asked."""
        from gitops.extraction import faithfulness, scoring

        if self.there is None:
            return faithfulness.foreseen(self.cases)
        return faithfulness.questions(scoring.matched(self.cases, self.there.bundles))

    @contextmanager
    def extracted(self, arguments: argparse.Namespace) -> Iterator[Extracted]:
        """What is scored; files that nobody is to keep are gone afterwards."""
        from gitops.extraction import artifacts

        kept = self.ground.kept
        if kept is None or arguments.no_keep:
            with tempfile.TemporaryDirectory(prefix="assay-extraction-") as scratch:
                yield self._extracted(arguments, Path(scratch), "")
            return
        folder = artifacts.opened(kept.context.folder, self.run_id)
        artifacts.prune(kept.context.folder)
        atoms = folder / artifacts.ATOMS
        try:
            yield self._extracted(arguments, atoms, self.ground.told(atoms), folder)
        except BaseException:
            if artifacts.abandon(folder):  # a model may have been paid for them
                there = os.path.relpath(atoms, self.ground.folder)
                kept.context.warn(f"what was extracted stays, to be scored by --emitted {there}")
            raise

    def _extracted(
        self, arguments: argparse.Namespace, atoms: Path, called: str, folder: Path | None = None
    ) -> Extracted:
        from gitops import assembly
        from gitops.extraction import emitted

        if self.there is not None:
            named = arguments.emitted
            name = (self.ground.folder / named).resolve().name if named is not None else self.ground.emitted_folder
            return Extracted(self.there, {"extractor": name, "emitted": self.there.digest[:12]}, folder=folder)
        context = self.ground.kept.context if self.ground.kept is not None else None
        used, said = assembly.extract(
            context,
            self.workspace,
            self.sources,
            self.preset,
            atoms,
            run_id=self.run_id,
            say=surroundings.sayer(arguments),
        )
        found = emitted.in_folder(atoms, self.cases, called or ATOMS, self.ground.gold.known)
        who = {"extractor": "git-assay", **assembly.extractor(self.workspace, self.preset)}
        return Extracted(found, who, used, said, folder)


def plan(arguments: argparse.Namespace, ground: Ground) -> Plan:
    """Find out what is scored and by whom. CannotRun, before anything is asked, where a model is to be and cannot."""
    from gitops.runs import names

    run_id, begun = names.new_id(_clock(ground)()), _now(ground)
    preset = _preset(arguments, ground)
    there = None if preset else ground.emitted(arguments)
    if ground.kept is None:
        from gitops.verify import judges

        return Plan(ground, run_id, begun, preset, there, judges.find("offline"))
    if arguments.live and not arguments.dry_run:
        _demand(ground.kept, [preset, ground.policy.judge])
    return Plan(ground, run_id, begun, preset, there, judge_of(arguments, ground.kept, run_id))


def judge_of(arguments: argparse.Namespace, kept: Kept, run_id: str, spent: Usage = NOTHING) -> Judge:
    """Who judges rationales; `spent` is what extracting has used of the same budget."""
    from gitops import assembly

    return assembly.rationale_judge(
        kept.context, kept.workspace, live=arguments.live, run_id=run_id, fresh=arguments.fresh, spent=spent
    )


def _clock(ground: Ground) -> Callable[[], datetime]:
    if ground.kept is not None:
        return ground.kept.context.clock
    from gitops.runs.context import system_clock

    return surroundings.fixed_clock() or system_clock


def _now(ground: Ground) -> str:
    return f"{_clock(ground)():%Y-%m-%dT%H:%M:%SZ}"


def _preset(arguments: argparse.Namespace, ground: Ground) -> str:
    """Who extracts; '' where files that are there are scored."""
    from gitops.config import Llm
    from gitops.errors import UsageError

    if arguments.emitted is not None or (ground.emitted_folder and arguments.preset is None):
        return ""
    preset: str = arguments.preset or (ground.policy.preset if arguments.live else OFFLINE)
    llm = ground.kept.workspace.config.llm if ground.kept is not None else Llm()
    if llm.preset(preset).provider != "offline" and not arguments.live:
        raise UsageError(f"preset '{preset}' asks a model, which costs something", "add --live, or --preset offline")
    return preset


def _demand(kept: Kept, presets: list[str]) -> None:
    from gitops.llm import opening

    llm = kept.workspace.config.llm
    for name in presets:
        if name and llm.preset(name).provider != "offline":
            opening.demand(llm, name)
