"""`git assay blame`: how a page and its lines are named, and what is printed."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gitops.cli import blame
from tests.cli.conftest import PAGE, PROJECT

Command = Callable[..., Any]


@pytest.fixture
def landed(wiki: Path, assay: Command, staged: Command) -> Path:
    run = staged(wiki)
    assert assay(wiki, "run", "finish", run).code == 0
    return wiki


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("wiki/solvnts.md", "git assay blame wiki/solvents.md"),
        ("wiki/", "is a folder"),
        (".", "is a folder"),
        ("../elsewhere.md", "is outside the repository"),
        ("/elsewhere.md", "is outside the repository"),
        ("raw/report.md", "is no page of the wiki"),
        ("wiki/log.md", "git assay log"),
    ],
)
def test_what_cannot_be_blamed_is_refused_with_its_mend(
    landed: Path, assay: Command, refused: Command, page: str, said: str
) -> None:
    refused(assay(landed, "blame", page), 2, said)


@pytest.mark.parametrize("lines", ["", ",", "0", "x", "5,x", "5,+", "5,+0", ",0", "-1", "1,2,3", "/re/"])
def test_what_is_no_range_of_lines_is_refused(landed: Path, assay: Command, refused: Command, lines: str) -> None:
    refused(assay(landed, "blame", f"-L{lines}" if lines else "-L=", "wiki/solvents.md"), 2, "-L")


def test_lines_behind_the_end_are_refused(landed: Path, assay: Command, refused: Command) -> None:
    refused(assay(landed, "blame", "-L", "50,60", "wiki/solvents.md"), 2, "-L 1,5")


def test_a_revision_that_is_not_there_and_one_without_the_page(landed: Path, assay: Command, refused: Command) -> None:
    refused(assay(landed, "blame", "--rev", "nothing", "wiki/solvents.md"), 2, "names no commit")
    refused(assay(landed, "blame", "--rev", "HEAD~1", "wiki/solvents.md"), 2, "there is no wiki/solvents.md")


def test_a_repository_without_a_workspace_is_told(make_repository: Command, assay: Command, refused: Command) -> None:
    refused(assay(make_repository({"wiki/a.md": PAGE}), "blame", "wiki/a.md"), 2, "git assay init")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("5", (5, None)),
        ("5,", (5, None)),
        ("5,9", (5, 9)),
        (",9", (1, 9)),
        ("5,+3", (5, 7)),
        ("9,5", (5, 9)),
        ("5,5", (5, 5)),
    ],
)
def test_lines_are_named_as_git_blame_takes_them(text: str, lines: tuple[int, int | None]) -> None:
    assert blame._lines(text) == lines


def test_the_page_is_told_claim_by_claim(landed: Path, assay: Command) -> None:
    done = assay(landed, "blame", "wiki/solvents.md")
    assert (done.code, done.err) == (0, "")
    told = done.out.splitlines()
    assert told[:3] == [
        "wiki/solvents.md",
        "    3  Solvent use fell by two fifths.",
        '       verified      raw/report.md, "declined by two fifths" @20',
    ]
    assert told[3].startswith("       Ada Writer, 2024-01-02T03:04:05Z, ")
    assert told[4].startswith("       verdict commit ")
    assert told[5:] == ["verdicts here are unsigned: tamper-evident at best"]


def test_the_example_in_the_documentation_is_what_is_printed(
    landed: Path, assay: Command, commit_files: Command
) -> None:
    more = PAGE.replace("[^1]\n\n", "[^1] Emissions rose.[^2]\n\n", 1) + "[^2]: raw/audit.md\n"
    commit_files(landed, {"wiki/solvents.md": more})
    document = (PROJECT / "docs/blame.md").read_text("utf-8")
    [example] = re.findall(r"^```text\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    printed = assay(landed, "blame", "wiki/solvents.md").out
    assert _masked(printed) == _masked(example)


def _masked(text: str) -> str:
    """The text without the ids that differ from time to time."""
    return re.sub(r"\b(\d{8}-\d{6}-[0-9a-f]{8}|[0-9a-f]{10})\b", "…", text)


def test_the_documentation_names_every_field(landed: Path, assay: Command) -> None:
    [claim] = json.loads(assay(landed, "blame", "--json", "wiki/solvents.md").out)["claims"]
    told = (PROJECT / "docs/blame.md").read_text("utf-8").partition("## JSON")[2]
    assert [name for name in (*claim, *claim["sources"][0], *claim["verdict"]) if f"`{name}`" not in told] == []


def test_the_json_is_canonical(landed: Path, assay: Command, git: Command) -> None:
    done = assay(landed, "blame", "--json", "wiki/solvents.md")
    body = json.loads(done.out)
    assert done.out == json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
    assert (body["schema"], body["rev"]) == ("assay/blame/1", git(landed, "rev-parse", "main"))
    [claim] = body["claims"]
    assert (claim["line"], claim["sources"][0]["result"], claim["verdict"]["verdict"]) == (3, "verified", "commit")


def test_a_page_without_claims_says_so(landed: Path, assay: Command) -> None:
    done = assay(landed, "blame", "wiki/index.md")
    assert done.code == 0
    assert done.out.startswith("no claims on wiki/index.md at ")
    assert assay(landed, "blame", "-L", "1,2", "wiki/solvents.md").out.startswith("no claims on these lines of ")
    assert json.loads(assay(landed, "blame", "--json", "wiki/index.md").out)["claims"] == []


@pytest.mark.slow
def test_a_page_is_named_from_the_current_folder_as_in_git(landed: Path, assay: Command, process: Command) -> None:
    expected = assay(landed, "blame", "wiki/solvents.md").out
    assert assay(landed / "wiki", "blame", "solvents.md").out == expected
    assert assay(landed / "raw", "blame", "../wiki/./solvents.md").out == expected
    assert assay(landed, "blame", str(landed / "wiki/solvents.md")).out == expected
    assert process(landed / "wiki", "blame", "solvents.md").out == expected


def test_the_workspace_is_the_page_s_own(make_wiki: Command, assay: Command) -> None:
    other = {
        "other/assay.toml": '[workspace]\nname = "other"\n',
        "other/raw/r.md": "declined by two fifths\n",
        "other/wiki/index.md": "# Index\n",
        "other/wiki/a.md": PAGE.replace("report.md", "r.md"),
    }
    [claim] = json.loads(assay(make_wiki(other), "blame", "--json", "other/wiki/a.md").out)["claims"]
    assert [(each["path"], each["result"]) for each in claim["sources"]] == [("raw/r.md", "verified")]


def test_changes_that_are_not_committed_are_told(landed: Path, assay: Command) -> None:
    (landed / "wiki/solvents.md").write_text("# Nothing\n")
    done = assay(landed, "blame", "wiki/solvents.md")
    assert "has changes that are not committed" in done.err
    assert "Solvent use fell" in done.out
    assert assay(landed, "blame", "--rev", "HEAD", "wiki/solvents.md").err == ""
    assert assay(landed, "-q", "blame", "wiki/solvents.md").err == ""


def test_a_bare_repository_is_blamed(landed: Path, assay: Command, git: Command, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--mirror", os.fspath(landed), "bare.git")
    done = assay(tmp_path / "bare.git", "blame", "--rev", "main", "--json", "wiki/solvents.md")
    [claim] = json.loads(done.out)["claims"]
    assert (done.code, claim["verdict"]["verdict"]) == (0, "commit")


def _slowly(count: int) -> Iterator[int]:
    for number in range(count):
        time.sleep(0.02)
        yield number


@pytest.mark.parametrize("shown", [blame._progress, blame._counted])
def test_progress_loses_and_repeats_nothing(
    shown: Callable[..., Iterable[int]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(blame, "_SOON_S", 0.05)
    arguments = ("reading", _slowly(8), 0) if shown is blame._progress else ("reading", _slowly(8))
    assert list(shown(*arguments)) == list(range(8))
    assert capsys.readouterr().err.startswith("reading: ")


def test_a_moment_s_work_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(blame._progress("reading", range(9), 0)) == list(range(9))
    assert list(blame._progress("reading", range(9), 9)) == list(range(9))
    assert capsys.readouterr().err == ""
