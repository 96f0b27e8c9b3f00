from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.ignored import ignored_by


def told(files: Mapping[str, str], path: str) -> str | None:
    return ignored_by(path, lambda name: files[name].encode() if name in files else None)


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ("", "raw/a.pdf"),
        ("# *.pdf\n", "raw/a.pdf"),
        ("*.pdf\n!keep.pdf\n", "raw/keep.pdf"),
        ("/a.pdf\n", "raw/a.pdf"),
        ("raw/*.pdf\n", "raw/x/a.pdf"),
        ("a.pdf/\n", "raw/a.pdf"),
        ("*.pdf\n", "raw/a.md"),
        ("*.pdf\n", "../a.pdf"),
        ("[z-a].pdf\n", "a.pdf"),
        ("[^a].pdf\n", "a.pdf"),
    ],
)
def test_what_is_not_left_out(rules: str, path: str) -> None:
    assert told({".gitignore": rules}, path) is None


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ("*.pdf\n", "raw/a.pdf"),
        ("*.pdf   \r\n", "raw/a.pdf"),
        ("a.pdf\n", "raw/x/a.pdf"),
        ("raw/\n", "raw/x/a.pdf"),
        ("/raw/private\n", "raw/private/a.pdf"),
        ("raw/*.pdf\n", "raw/a.pdf"),
        ("raw/**/big\n", "raw/x/y/big/a.pdf"),
        ("raw/**\n", "raw/a.pdf"),
        ("!a.pdf\n*.pdf\n", "a.pdf"),
        ("[0-9]?.pdf\n", "raw/1a.pdf"),
        ("raw/\n!raw/a.pdf\n", "raw/a.pdf"),
        ("\\!a.pdf\n", "!a.pdf"),
        ("[!b-d].pdf\n", "a.pdf"),
        ("[]-].pdf\n", "].pdf"),
    ],
)
def test_what_is_left_out(rules: str, path: str) -> None:
    assert told({".gitignore": rules}, path) == ".gitignore"


def test_the_file_of_a_folder_counts_from_there_and_decides_before_those_above() -> None:
    files = {".gitignore": "*.pdf\n", "raw/.gitignore": "/a.txt\n!b.pdf\n"}
    assert told(files, "raw/a.txt") == "raw/.gitignore"
    assert told(files, "raw/x/a.txt") is None
    assert told(files, "raw/b.pdf") is None
    assert told(files, "raw/c.pdf") == ".gitignore"


@pytest.mark.parametrize(
    "rules", ["*.pdf\n!b.pdf\n", "raw/\n", "/raw/x\n**/y/*\n", "x/**/a*\n", "[ab].*\n!/raw/a.md\n"]
)
def test_it_is_what_git_says(tmp_path: Path, rules: str) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text(rules)
    paths = ["a.md", "raw/a.md", "raw/b.pdf", "raw/x/a.pdf", "raw/x/y/b.md", "x/q/ab", "y/c", "a.md/x"]
    asked = ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", *paths]
    said = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False).stdout.split()
    assert [path for path in paths if told({".gitignore": rules}, path)] == said


@given(st.text(alphabet="ab*?[]!\\/.#^- \n", max_size=40))
def test_no_file_of_rules_raises(rules: str) -> None:
    told({".gitignore": rules}, "a/b.a")
