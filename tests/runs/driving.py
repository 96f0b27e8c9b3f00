"""A wiki in a temporary folder, and the steps a writer takes in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gitops.git.repository import open_repository
from gitops.index import records as rows
from gitops.runs import landing, mirror, names, staging, store
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.records import Run
from gitops.runs.seating import Seating
from gitops.runs.workspace import Workspace, find

MAIN = "refs/heads/main"
CLOCK = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
QUOTE = "the sea falls back twice a day"
SOURCE = f"Tides\n\nOn most coasts {QUOTE}, and nobody has to tell it.\n"
LINKED = 40
"""How many pages the index links to before they are there."""

Nothing = Callable[[str], None]


def page(number: int, quote: str = QUOTE) -> str:
    """A page with one claim and its citation."""
    return f'# Page {number}\n\nThe tide turns, as page {number} knows.[^1]\n\n[^1]: raw/tides.md, "{quote}"\n'


def name(number: int) -> str:
    """The path of a page that the index links to."""
    return f"wiki/p{number:03}.md"


def first_files(policy: str = "", pages: int = LINKED) -> dict[str, str]:
    """What the wiki holds at its beginning."""
    links = "".join(f"- [Page {number}](p{number:03}.md)\n" for number in range(pages))
    return {
        "assay.toml": f'[workspace]\nname = "tides"\n{policy}',
        "raw/tides.md": SOURCE,
        "wiki/index.md": f"# Index\n\n{links}",
        "wiki/log.md": "# Log\n\n",
        "notes.txt": "nobody's business\n",
    }


@dataclass
class Wiki:
    """A repository with a wiki, driven in this process; what is told to a person collects in `told`."""

    folder: Path
    now: datetime = CLOCK
    told: list[str] = field(default_factory=list)
    seating: Seating | None = None
    triggered_by: str = "cli:"

    def context(self, at_step: Nothing | None = None) -> Context:
        context = Context(open_repository(self.folder), lambda: self.now, self.told.append)
        context = replace(context, seating=self.seating, triggered_by=self.triggered_by)
        return replace(context, at_step=at_step) if at_step else context

    def workspace(self, commit: str = MAIN) -> Workspace:
        return find(self.context().repository, commit)

    def later(self, **passed: float) -> None:
        self.now += timedelta(**passed)

    def run(self, pages: Mapping[str, str | None] | None = None, **request: Any) -> Run:
        """Start a run and stage pages in it; one sound page if none are given."""
        context, workspace = self.context(), self.workspace()
        started = staging.start(context, workspace, MAIN, staging.Request(**({"run_type": "cascade"} | request)))
        for path, content in ({name(0): page(0)} if pages is None else pages).items():
            if content is None:
                staging.remove(context, started, workspace, path)
            else:
                staging.write(context, started, workspace, path, content.encode())
        return started

    def finish(self, run: Run | str, at_step: Nothing | None = None, **options: Any) -> Outcome:
        run_id = run if isinstance(run, str) else run.id
        return landing.finish(self.context(at_step), run_id, Options(**options))

    def find(self, run: Run | str) -> Run:
        return store.find(self.context(), run if isinstance(run, str) else run.id)

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout.removesuffix("\n")

    def ref(self, ref: str) -> str | None:
        return self.git("rev-parse", "--verify", "--quiet", ref, check=False) or None

    def refs(self) -> str:
        return self.git("for-each-ref")

    def show(self, path: str, at: str = "main") -> str:
        return self.git("show", f"{at}:{path}")

    def index(self) -> dict[str, list[tuple[Any, ...]]]:
        """What the live index holds."""
        with mirror.opened(self.context()) as index:
            return rows.dump(index)

    def rebuilt_index(self, folder: Path) -> dict[str, list[tuple[Any, ...]]]:
        """What an index made anew beside the live one holds."""
        from gitops.index.database import open_index

        with closing(open_index(folder / f"rebuilt-{len(list(folder.iterdir()))}.sqlite3")) as index:
            assert mirror.fill(index, *store.everything(self.context())) == []
            return rows.dump(index)

    def assay(self, *arguments: str, input: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        """The command itself, in a process of its own, at the wiki's moment."""
        root = str(Path(__file__).parents[2])
        clock = {"ASSAY_CLOCK": str(int(self.now.timestamp())), "PYTHONPATH": root}
        return subprocess.run(
            [sys.executable, "-m", "gitops", *arguments],
            cwd=self.folder,
            env={**os.environ, **clock, **env},
            input=input,
            capture_output=True,
            text=True,
            check=False,
        )


def candidate(run: Run) -> str:
    return names.candidate(run.id)


def kept(run: Run) -> str:
    return names.kept(run.id)


def branch(run: Run) -> str:
    return names.branch(run.id)
