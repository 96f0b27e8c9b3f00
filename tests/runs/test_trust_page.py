"""The commands of docs/trust.md run, in their order, and do what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.runs.examining import examine
from tests.runs.driving import Wiki, first_files, name, page

ROOT = Path(__file__).parents[2]


def sections() -> dict[str, str]:
    """The commands of each section, as a script."""
    parts = re.split(r"^## (.+)$", (ROOT / "docs/trust.md").read_text("utf-8"), flags=re.MULTILINE)
    blocks = {
        head: re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for head, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {head: re.sub(r"^\$ ", "", "".join(found), flags=re.MULTILINE) for head, found in blocks.items() if found}


@pytest.mark.slow
def test_a_key_is_made_rotated_and_revoked_as_the_page_says(
    make_repository: Callable[..., Path], tmp_path: Path
) -> None:
    wiki = Wiki(make_repository(first_files(), name="wiki"))
    (tmp_path / "git-assay").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gitops "$@"\n')
    (tmp_path / "git-assay").chmod(0o755)
    home = Path(os.environ["HOME"])
    (home / ".ssh").mkdir(mode=0o700)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "ASSAY_CLOCK": str(1_704_164_645)}

    def run(section: str) -> str:
        script = f"set -e\n{sections()[section]}"
        done = subprocess.run(
            ["bash", "-c", script], cwd=wiki.folder, env={**os.environ, **env}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def landed(number: int) -> str:
        outcome = wiki.finish(wiki.run({name(number): page(number)}))
        assert outcome.result == "landed"
        return outcome.commit

    def problem(commit: str) -> str:
        return examine(wiki.context(), commit).problem

    run("Turn it on")
    first = landed(0)
    assert f"valid  {first[:10]}: signed by ada@example.org" in run("Who signed what")
    run("Rotate a key")
    second = landed(1)
    assert (problem(first), problem(second)) == ("", "")
    run("Revoke a key")
    assert "is revoked" in problem(first)
    assert (problem(second), problem(landed(2))) == ("", "")
