"""The commands of docs/server.md run, in their order, and do what the page says."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.runs.driving import Wiki, first_files, name, page
from tests.serving.conftest import PROJECT, Clone, Server, ran

pytestmark = pytest.mark.slow


def sections() -> dict[str, list[str]]:
    """The console blocks of each section, as scripts."""
    parts = re.split(r"^## (.+)$", (PROJECT / "docs/server.md").read_text("utf-8"), flags=re.MULTILINE)
    blocks = {
        head: re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for head, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {head: [re.sub(r"^\$ ", "", each, flags=re.MULTILINE) for each in found] for head, found in blocks.items()}


def run(folder: Path, script: str) -> str:
    done = ran(folder, "sh", "-eu", "-c", script)
    assert done.code == 0, done.err
    return done.out + done.err


@pytest.fixture
def place(tmp_path: Path, make_repository: object, git_assay: Path) -> Path:
    """A folder with a wiki that is a repository, and a page to be written."""
    assert callable(make_repository)
    make_repository(first_files(), name="wiki")
    (tmp_path / "tides.md").write_text(page(0))
    return tmp_path


def test_a_server_is_set_up_signs_and_is_looked_after_as_the_page_says(place: Path) -> None:
    told = sections()
    setting_up, cloning, writing = told["Five minutes"]
    assert "left to do" in run(place, setting_up)
    server = Server(place / "wiki.git", place)
    run(server.folder, told["Keys"][0])
    assert "left to do" not in run(server.folder, "git assay init --server")
    run(place, cloning)
    ours = Clone(place / "ours")
    shown = run(ours.folder, writing.replace("wiki/tides.md", name(0)))
    assert "landed on main" in shown
    assert "status     committed" in shown
    tip = server.git("rev-parse", "main")
    verified = server.assay("verdict", "verify", "main", "--json")
    assert verified.code == 0, verified.err
    assert json.loads(verified.out)["signed_by"] == "wiki@example.org"
    ours.git("pull", "--quiet")
    assert ours.git("rev-parse", "HEAD") == tip
    after = run(server.folder, told["When it stops"][0])
    assert "nothing is wrong" in after
    assert "run server: installed" in after
    server.settle()


def test_the_log_is_brought_up_as_the_page_says(place: Path) -> None:
    told = sections()
    setting_up, cloning, _ = told["Five minutes"]
    run(place, setting_up)
    run(place, cloning)
    ours = Wiki(place / "ours")
    started = ours.run()
    outcome = ours.finish(started, draft_only=True)
    assert outcome.result == "draft"
    shown = run(ours.folder, told["The log"][0])
    assert "the log has every landing on main" in shown


def test_the_page_has_no_command_that_was_left_out() -> None:
    found = {head for head, blocks in sections().items() if blocks}
    assert found == {"Five minutes", "Keys", "When it stops", "The log"}
    assert os.linesep.join(block for blocks in sections().values() for block in blocks).count("git assay") >= 10
