from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks import link_checkers, validate_links
from benchmarks.committing import commit_all
from benchmarks.timing import Unavailable
from gitops.cli import main


def test_without_npm_it_is_said_to_be_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm is not installed"):
        validate_links.install(tmp_path / "npm")


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed")
def test_without_a_network_it_is_said_to_be_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(Unavailable, match="cannot be fetched"):
        validate_links.install(tmp_path / "npm")


def test_the_pages_are_right_and_one_wrong_link_among_them_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert link_checkers.write(tmp_path, 12) == 12 + link_checkers.LISTS + 1
    commit_all(tmp_path)
    assert main(["-C", str(tmp_path), "lint", "--rev", "HEAD", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    page = tmp_path / "wiki/3/page-000003.md"
    page.write_text(page.read_text().replace("../4/page-000004.md)", "../4/page-none.md)"))
    subprocess.run(["git", "-C", str(tmp_path), "commit", "-qam", "A wrong link"], check=True)
    main(["-C", str(tmp_path), "lint", "--rev", "HEAD", "--json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [(one["check"], one["result"], one["path"]) for one in found] == [
        ("links", "broken", "wiki/3/page-000003.md")
    ]


def test_the_size_and_the_pages_are_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        link_checkers.write(tmp_path / name, 11)
    one, two = (sorted((tmp_path / name).rglob("*.md")) for name in ("one", "two"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]
    assert all(1_000 < file.stat().st_size < 2_500 for file in one if file.name.startswith("page-"))
