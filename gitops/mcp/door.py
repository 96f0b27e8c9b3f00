"""What one call of a tool works with: the repository as it stands now, the workspace, the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from gitops import assembly
from gitops.agents.seating import refuse_unknown
from gitops.config import FREE_JUDGES
from gitops.errors import CannotRun, UsageError
from gitops.git import refs, snapshot
from gitops.git.repository import Repository, open_repository
from gitops.runs import adopting, deciding, sweep
from gitops.runs.context import Context, Progress
from gitops.runs.names import BRANCHES, CANDIDATES
from gitops.runs.records import Run
from gitops.runs.targets import default_target, existing
from gitops.runs.workspace import Workspace, find

HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Door:
    """Where the server was started: in which folder (None: the present one), for which workspace if one was named."""

    folder: Path | None
    workspace: str | None
    clock: Callable[[], datetime]
    log: Callable[[str], None]
    """Takes what is told beside results: standard output is the protocol's."""

    def repository(self) -> Repository:
        """The repository, opened anew: other processes may have changed it. CannotRun where there is none."""
        return open_repository(self.folder)


@dataclass
class Call:
    """One call of a tool. What the tool gives besides its words goes to `structured`, remarks to `remarks`."""

    door: Door
    tool: str
    progress: Progress
    structured: dict[str, Any] | None = None
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def context(self) -> Context:
        """What flows need around them; puts right first what a killed process left behind."""
        made = Context(
            self.door.repository(),
            clock=self.door.clock,
            warn=self._remark,
            progress=self.progress,
            triggered_by=f"mcp:{self.tool}",
            seating=assembly.seated,
            keeping=assembly.keeping,
        )
        if refs.listed(made.repository, CANDIDATES):
            for told in sweep.quick(made):
                made.warn(told)
        return made

    def target(self, named: str = "") -> str:
        """The full name of the branch to land on: as said, else the default. UsageError for any other kind of ref."""
        repository = self.context.repository
        if not named:
            return default_target(repository)
        ref = existing(repository, named)
        if not ref.startswith(HEADS) or ref.startswith(BRANCHES):
            raise UsageError(f"'{named}' is no branch to land on", "name one such as main")
        return ref

    def tip(self, target: str) -> str:
        """The commit at the tip of a branch. CannotRun for one that has none."""
        commit = refs.read(self.context.repository, target)
        if commit is None:
            short = target.removeprefix(HEADS)
            raise CannotRun(f"the branch {short} has no commit yet", "git assay init, or make a first commit")
        return commit

    def landed(self) -> str:
        """The commit whose pages are read where no run is named: the target's tip; HEAD where no target is decided."""
        try:
            return self.tip(self.target())
        except UsageError:  # HEAD is detached: there is nothing to land on, and all the same something to read
            return snapshot.resolve(self.context.repository, "HEAD")

    def workspace(self, commit: str, named: str = "") -> Workspace:
        """The workspace that the call names, else the server's. UsageError where its policy names unknown judges."""
        repository = self.context.repository
        found = find(repository, commit, named or self.door.workspace, repository.prefix)
        refuse_unknown(sorted(set(found.config.verify.judge) - FREE_JUDGES), found.layout.config)
        return found

    def opened(self, text: str) -> tuple[Run, Workspace]:
        """A run that may still be written to, and its workspace. Refused where it has come to its end."""
        run = adopting.open_run(self.context, text)
        return run, deciding.base_of(self.context, run)[1]

    def _remark(self, told: str) -> None:
        self.remarks.append(told)
        self.door.log(told)
