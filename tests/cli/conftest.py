"""The command line, run in this process or as one of its own, in small real wikis.

assay(folder, *words, stdin=b"") -> Done                    in this process, as `git assay -C folder …`
process(folder, *words, stdin=b"", env={}) -> Done          a process of its own, started in the folder
refused(done, code, *said)                                  one line that says why, one that mends, nothing else
make_wiki(files={}, *, bare=False, name="wiki") -> Path     a repository with a workspace, two sources, its index
state(repository) -> str                                    refs, HEAD, index and work tree: what must not change
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitops.cli import main

PROJECT = Path(__file__).parents[2]
SOURCE = "Solvent consumption declined by two fifths in 2019.\nEmissions rose by 3 % in the same year.\n"
PAGE = '# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n[^1]: raw/report.md, "declined by two fifths"\n'
INDEX = "# Index\n\nPages of this wiki.\n"
LINKED = "# Index\n\nPages of this wiki.\n\n- [Solvents](solvents.md)\n"
WIKI = {
    "assay.toml": '[workspace]\nname = "plant"\n',
    "raw/report.md": SOURCE,
    "raw/other.md": "Nothing of the kind.\n",
    "wiki/index.md": INDEX,
    "wiki/log.md": "# Log\n",
}


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_CLOCK", "1704164645")


@pytest.fixture
def assay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    def run(folder: Path, *words: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main(["-C", os.fspath(folder), *words])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture
def process() -> Callable[..., Done]:
    def run(folder: Path, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "gitops", *words],
            cwd=folder,
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": os.fspath(PROJECT), **(env or {})},
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def git_assay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executable `git-assay` on PATH, which is all that git needs for `git assay`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "git-assay"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {os.fspath(PROJECT)!r})\n"
        "from gitops.cli import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def make_wiki(make_repository: Callable[..., Path]) -> Callable[..., Path]:
    def make(files: Mapping[str, str | bytes] | None = None, *, bare: bool = False, name: str = "wiki") -> Path:
        return make_repository({**WIKI, **(files or {})}, bare=bare, name=name)

    return make


@pytest.fixture
def wiki(make_wiki: Callable[..., Path]) -> Path:
    return make_wiki()


@pytest.fixture
def staged(assay: Callable[..., Done]) -> Callable[..., str]:
    """A run with a sound page (or the pages given) staged; its id."""

    def stage(folder: Path, pages: Mapping[str, str | bytes] | None = None, *words: str) -> str:
        started = assay(folder, *words, "run", "start", "--type", "ingest", "--source", "raw/report.md")
        assert started.code == 0, started.err
        run = started.out.strip()
        for path, content in ({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED} if pages is None else pages).items():
            data = content.encode() if isinstance(content, str) else content
            written = assay(folder, *words, "run", "write", run, path, stdin=data)
            assert written.code == 0, written.err
        return run

    return stage


@pytest.fixture
def refused() -> Callable[..., None]:
    def check(done: Done, code: int, *said: str) -> None:
        lines = [line for line in done.err.splitlines() if not line.startswith("note: ")]
        assert "Traceback" not in done.err
        assert done.code == code, done
        assert len(lines) == 2, done.err
        assert re.fullmatch(r"error: \S.*", lines[0])
        assert re.fullmatch(r"hint:  \S.*", lines[1])
        assert "should not happen" not in done.err
        for words in said:
            assert words in done.err

    return check


@pytest.fixture
def state(git: Callable[..., str]) -> Callable[[Path], str]:
    def of(repository: Path) -> str:
        refs = git(repository, "for-each-ref", "--format=%(refname) %(objectname)")
        head = git(repository, "symbolic-ref", "-q", "HEAD", check=False)
        bare = git(repository, "rev-parse", "--is-bare-repository") == "true"
        return "\n".join(
            [refs, head, "" if bare else git(repository, "status", "--porcelain", "--untracked-files=all")]
        )

    return of
