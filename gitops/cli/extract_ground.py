"""What `git assay extract eval` stands on: a workspace at a commit, its gold, what was extracted; or folders alone."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gitops.cli import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitops.config import Extraction
    from gitops.extraction.emitted import Emitted
    from gitops.extraction.running import Gold
    from gitops.runs.context import Context
    from gitops.runs.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Kept:
    """A workspace at the commit that is measured: where a measurement may be kept."""

    context: Context
    workspace: Workspace
    commit: str


@dataclass(frozen=True, slots=True)
class Ground:
    """`kept` is None where gold is measured by that lies in no workspace: by the default bars, and kept nowhere."""

    folder: Path
    policy: Extraction
    gold: Gold
    kept: Kept | None = None

    def emitted(self, arguments: argparse.Namespace) -> Emitted:
        """What was extracted: in the folder that is named, else in the policy's, as the commit has it."""
        from gitops.errors import UsageError
        from gitops.extraction import emitted

        cases, known = self.gold.cases, self.gold.known
        if arguments.emitted is not None:
            return emitted.in_folder(self.folder / arguments.emitted, cases, arguments.emitted.rstrip("/"), known)
        assert self.kept is not None  # only a policy leaves it unnamed
        tree, folder = self.kept.context.tree(self.kept.commit), self.emitted_folder
        if tree.folder_id(folder) is None:
            told = f"[extraction] emitted names {folder}/, and there is none at {self.kept.commit[:10]}"
            raise UsageError(told, "commit what was extracted, or: --emitted DIR")
        return emitted.in_tree(tree, folder, cases, known)

    @property
    def emitted_folder(self) -> str:
        """The folder of the repository that the policy names; '' where a preset extracts."""
        from gitops.extraction import places

        return "" if self.kept is None else places.emitted(self.kept.workspace.layout, self.policy)

    def refuse_to_write(self, arguments: argparse.Namespace) -> None:
        """UsageError where a report would be written among the gold, or among what was extracted."""
        from gitops.errors import UsageError

        for name in (arguments.report, arguments.html):
            if name is None:
                continue
            written = Path(os.path.realpath(self.folder / name))
            for what, folder in self._read(arguments):
                if written.is_relative_to(os.path.realpath(folder)):
                    raise UsageError(f"{name} would be written among {what}", "write it to another folder")

    def _read(self, arguments: argparse.Namespace) -> Iterator[tuple[str, Path]]:
        """The folders of the disk that hold what is scored and what it is scored by."""
        from gitops.extraction import places

        if arguments.gold is not None:
            yield "the gold", self.folder / arguments.gold
        if arguments.emitted is not None:
            yield "what was extracted", self.folder / arguments.emitted
        if self.kept is not None and (worktree := self.kept.context.repository.worktree) is not None:
            yield "the gold", worktree / places.gold(self.kept.workspace.layout)
            if self.emitted_folder:
                yield "what was extracted", worktree / self.emitted_folder

    def told(self, path: Path) -> str:
        """A path below the git folder as it is called from the top of the worktree."""
        assert self.kept is not None
        repository = self.kept.context.repository
        return os.path.relpath(path, repository.worktree or Path(repository.common_dir))


def ground(arguments: argparse.Namespace) -> Ground:
    """Find it. UsageError for gold that is broken; CannotRun where there is no repository and one is needed."""
    from gitops.config import Extraction
    from gitops.extraction import running

    kept = None if _is_apart(arguments) else _kept(arguments)
    folder = surroundings.folder(arguments)
    if arguments.gold is not None:
        gold = running.gold_in(folder / arguments.gold, arguments.gold)
    else:
        assert kept is not None  # without a workspace the gold is named
        gold = running.gold_at(kept.context, kept.workspace, kept.commit)
    gold = running.some_of(gold, arguments.case) if arguments.case else gold
    policy = kept.workspace.config.extraction if kept is not None else Extraction()
    return Ground(folder, policy, gold, kept)


def _is_apart(arguments: argparse.Namespace) -> bool:
    """Whether the gold is a folder, nothing else asks for a workspace, and there is none around it."""
    from gitops.git import snapshot
    from gitops.git.repository import NoRepository
    from gitops.runs.roots import roots

    if arguments.gold is None or arguments.live or arguments.rev or arguments.workspace:
        return False
    try:
        repository = surroundings.repository(arguments)
    except NoRepository:
        return True
    return repository.is_unborn or not list(roots(snapshot.TreeSnapshot.at(repository, "HEAD")))


def _kept(arguments: argparse.Namespace) -> Kept:
    from gitops.git import snapshot

    context = surroundings.context(arguments)
    commit = snapshot.resolve(context.repository, arguments.rev or "HEAD")
    return Kept(context, surroundings.workspace(arguments, context, commit), commit)
