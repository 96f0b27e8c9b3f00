"""A bare repository made a server by `git assay init --server`, and clones that push to it: real git all the way.

server -> Server                 a wiki with forty pages to write, bare, guarded
server.clone(name="clone")       a clone of it, whose records travel by `git assay sync`
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitops.runs import pushed, staging, syncing, workers
from gitops.runs.records import Run
from tests.runs.driving import Wiki, first_files, page

PROJECT = Path(__file__).parents[2]
HOLDS = """
import sys
from pathlib import Path
from gitops.git.locks import held
with held(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""
Once = Callable[[str, Path, Callable[[], object]], None]
ALTERED = page(0, "the sea falls back thrice a day")


@dataclass(frozen=True)
class Ended:
    """What a process printed, on both of its outputs together where git shows them so."""

    code: int
    out: str
    err: str


def ran(folder: Path, *command: str, input: str | None = None, **env: str) -> Ended:
    done = subprocess.run(
        command, cwd=folder, input=input, capture_output=True, text=True, check=False, env={**os.environ, **env}
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@dataclass
class Clone:
    """A clone, and who works in it."""

    folder: Path

    def git(self, *words: str, **env: str) -> str:
        done = ran(self.folder, "git", *words, **env)
        assert done.code == 0, done.err
        return done.out.removesuffix("\n")

    def assay(self, *words: str, input: str | None = None, **env: str) -> str:
        done = ran(self.folder, sys.executable, "-m", "gitops", *words, input=input, PYTHONPATH=str(PROJECT), **env)
        assert done.code == 0, done.err
        return done.out.removesuffix("\n")

    def run(self, pages: Mapping[str, str] | None = None, run_id: str = "") -> str:
        """Start a run and stage pages in it; one sound page if none are given."""
        return self.wiki.run(pages, run_id=run_id).id

    @property
    def wiki(self) -> Wiki:
        """The same clone, worked in from this process."""
        return Wiki(self.folder, datetime.now(UTC).replace(microsecond=0))

    def write(self, run_id: str, path: str, text: str) -> None:
        """Stage one page more."""
        staging.write(self.wiki.context(), self.wiki.find(run_id), self.wiki.workspace(), path, text.encode())

    def sync(self) -> None:
        """Bring the records in step with the server."""
        syncing.sync(self.wiki.context(), "origin")

    def branch(self, run_id: str, pages: Mapping[str, str], message: str = "A change", **env: str) -> str:
        """A branch run/ID as git alone makes it, on what is checked out; its head."""
        self.git("switch", "--quiet", "--create", f"run/{run_id}")
        for path, text in pages.items():
            (self.folder / path).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message, **env)
        head = self.git("rev-parse", "HEAD")
        self.git("switch", "--quiet", "main")
        return head

    def push(self, *words: str, **env: str) -> str:
        """Push; what git printed, which must not have failed."""
        done = ran(self.folder, "git", "push", *words, **env)
        assert done.code == 0, done.err
        assert "Traceback" not in done.err
        return done.err

    def shown(self, run_id: str) -> str:
        """What `run show` says once the notes were fetched as git alone fetches them."""
        self.git("fetch", "--quiet", "origin", "+refs/notes/assay/*:refs/notes/remotes/origin/assay/*")
        return self.assay("run", "show", run_id)

    def answer(self, run_id: str) -> Run:
        """The run as it is known here after a sync."""
        self.sync()
        return self.wiki.find(run_id)


class Held:
    """A process of its own that is at work on a run, so that a worker waits for it."""

    def __init__(self, server: Server, run_id: str) -> None:
        self._server, self._run_id = server, run_id

    def __enter__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDS, os.fspath(self._server.folder), self._run_id],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.fspath(PROJECT)},
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"held\n"

    def __exit__(self, *_: object) -> None:
        self._process.communicate(b"")


@dataclass
class Server:
    """The bare repository, and how it stands."""

    folder: Path
    place: Path

    def clone(self, called: str = "clone", url: str = "") -> Clone:
        made = self.place / called
        done = ran(self.place, "git", "clone", "--quiet", url or f"file://{self.folder}", str(made))
        assert done.code == 0, done.err
        return Clone(made)

    def git(self, *words: str, check: bool = True) -> str:
        done = ran(self.folder, "git", *words)
        assert not check or done.code == 0, done.err
        return done.out.removesuffix("\n")

    def assay(self, *words: str, **env: str) -> Ended:
        return ran(self.folder, sys.executable, "-m", "gitops", *words, PYTHONPATH=str(PROJECT), **env)

    @property
    def wiki(self) -> Wiki:
        """The same repository, to be looked into from this process."""
        return Wiki(self.folder)

    def settle(self, patience: float = 60.0) -> None:
        """Wait until nothing waits, and every worker has gone."""
        folder, until = self.folder / "assay", time.monotonic() + patience
        while pushed.waiting(folder) or workers.anybody(folder) or self._has_news():
            assert time.monotonic() < until, (pushed.waiting(folder), self.log("worker"))
            time.sleep(0.05)

    def _has_news(self) -> bool:
        """Has the target moved since a worker looked?"""
        return (self.folder / "assay" / "arrived").read_text() != self.git("rev-parse", "main")

    def log(self, called: str) -> str:
        path = self.folder / "assay" / "log" / f"{called}.log"
        return path.read_text() if path.exists() else ""

    def kill_workers(self) -> None:
        """End every worker as a crash would; each names itself at the head of its run's log."""
        until = time.monotonic() + 30
        while not (found := self._working()):
            assert time.monotonic() < until, "no worker came"
            time.sleep(0.05)
        for process in found:
            os.kill(process, signal.SIGKILL)
        while workers.anybody(self.folder / "assay"):
            time.sleep(0.02)

    def _working(self) -> list[int]:
        logs = (self.folder / "assay" / "log").glob("*.log")
        lines = (line for log in logs for line in log.read_text().splitlines() if ", by process " in line)
        return [int(line.rpartition(" ")[2]) for line in lines]

    def is_sound(self) -> None:
        """git finds nothing wrong, and no lock or half-written ref is left."""
        assert self.git("fsck", "--no-dangling") == ""
        assert self.git("for-each-ref", "refs/assay/candidate") == ""
        assert not list(self.folder.rglob("refs/**/*.lock"))


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An executable `git-assay`, as an installation has one."""
    script = tmp_path_factory.mktemp("installed") / "git-assay"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {os.fspath(PROJECT)!r})\n"
        "from gitops.cli import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    return script


@pytest.fixture
def git_assay(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, on PATH."""
    monkeypatch.setenv("PATH", f"{installed.parent}{os.pathsep}{os.environ['PATH']}")
    return installed


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Folders that are made once, and copied to where a test wants one of its own."""
    made: dict[str, Path] = {}

    def copy(called: str, folder: Path, make: Callable[[], object]) -> None:
        if called not in made:
            make()
            made[called] = tmp_path_factory.mktemp("made") / folder.name
            shutil.copytree(folder, made[called], symlinks=True)
        elif not folder.exists():
            shutil.copytree(made[called], folder, symlinks=True)

    return copy


@pytest.fixture
def make_server(
    tmp_path: Path, make_repository: Callable[..., Path], git_assay: Path, once: Once
) -> Callable[..., Server]:
    def make(policy: str = "", files: Mapping[str, str] | None = None) -> Server:
        content = {**first_files(policy), **(files or {})}

        def install() -> None:
            folder = make_repository(content, bare=True, name="server.git")
            done = ran(folder, os.fspath(git_assay), "init", "--server")
            assert done.code == 0, done.err

        once(repr(content), tmp_path / "server.git", install)
        return Server(tmp_path / "server.git", tmp_path)

    return make


@pytest.fixture
def server(make_server: Callable[..., Server]) -> Server:
    return make_server()
