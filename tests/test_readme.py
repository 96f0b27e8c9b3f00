"""The README's five minutes, played as they stand there, with a report of twelve pages."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from fpdf import FPDF

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def block(kind: str) -> str:
    """The first fenced block of a kind."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def report(path: Path) -> None:
    """A report whose twelfth page says what the README's page claims."""
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    for number in range(1, 14):
        pdf.add_page()
        said = (
            "Over the year solvent consumption declined by two fifths." if number == 12 else f"This is leaf {number}."
        )
        pdf.multi_cell(0, 6, f"{said} The plant in the valley ran on two shifts, and nobody was hurt.")
    pdf.output(os.fspath(path))


@pytest.fixture
def desk(tmp_path: Path, make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the report in it, an empty repository, and `git assay` on PATH."""
    report(tmp_path / "report.pdf")
    wiki = make_repository(name="my-wiki")
    (wiki / "solvents.md").write_text(block("markdown"), "utf-8")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin/git-assay"
    python = f"PYTHONPATH={shlex.quote(os.fspath(ROOT))} exec {shlex.quote(sys.executable)}"
    program.write_text(f'#!/bin/sh\n{python} -m gitops "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    return tmp_path


def shell(folder: Path, script: str, env: Mapping[str, str] = os.environ) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, env=dict(env), capture_output=True, text=True, check=False)


def session() -> str:
    """The README's console block without its prompts."""
    return "".join(line.removeprefix("$ ") for line in block("console").splitlines(keepends=True))


@pytest.mark.slow
def test_the_five_minutes_land_the_page(desk: Path, git: Callable[..., str]) -> None:
    done = shell(desk, session())
    assert done.returncode == 0, done.stdout + done.stderr
    wiki = desk / "my-wiki"
    assert re.search(r"^landed  run \S+ on main as [0-9a-f]{10}$", done.stdout, re.MULTILINE)
    assert "1 cited claim read against the sources" in done.stdout
    assert git(wiki, "show", "main:wiki/solvents.md") + "\n" == block("markdown")
    assert "- [Solvents](solvents.md)" in git(wiki, "show", "main:wiki/index.md")
    assert (wiki / "wiki/solvents.md").read_text("utf-8") == block("markdown")
    assert git(wiki, "diff", "HEAD", "--stat") == ""


def test_the_finding_that_is_shown_is_the_one_that_is_printed(desk: Path) -> None:
    altered = session().replace(
        "run write $RUN wiki/solvents.md < solvents.md", "run write $RUN wiki/solvents.md < altered.md"
    )
    (desk / "my-wiki/altered.md").write_text(block("markdown").replace("two fifths", "three fifths"), "utf-8")
    done = shell(desk, altered)
    assert done.returncode == 1, done.stdout + done.stderr
    # The README's lines are broken as by a terminal; and where the words stand depends on the pages before them.
    printed, shown = (" ".join(re.sub(r"@\d+", "@N", text).split()) for text in (done.stdout, block("text")))
    assert shown in printed


def test_the_second_command_of_the_readme_is_the_one_that_contributors_get() -> None:
    assert "python3 -m pip install '.[test]' && python3 -m pytest" in README
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert any(each.startswith("pytest") for each in extras["test"])
