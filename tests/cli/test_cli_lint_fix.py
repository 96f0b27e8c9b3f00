"""`git assay lint --fix`: what is certain is mended on a run, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import PAGE, WIKI

Command = Callable[..., Any]

BODY = "".join(f"Line {number} of a page that is renamed.\n" for number in range(9))
REPAIRABLE = PAGE.replace("declined by two", "Declined  by TWO")


@pytest.fixture
def mendable(make_repository: Command, commit_files: Command) -> Path:
    index = "# Index\n\n- [Solvents](solvents.md)\n- [Old](old.md)\n- [Gone](gone.md)\n"
    files = {**WIKI, "wiki/index.md": index, "wiki/solvents.md": REPAIRABLE, "wiki/old.md": f"# Old\n\n{BODY}"}
    folder: Path = make_repository(files)
    commit_files(folder, {"wiki/old.md": None, "wiki/new.md": f"# Old\n\n{BODY}"})
    return folder


def test_an_uncommitted_change_on_a_page_to_mend_stops_the_landing(
    mendable: Path, assay: Command, refused: Command, git: Command
) -> None:
    tip = git(mendable, "rev-parse", "main")
    (mendable / "wiki/index.md").write_text("# Mine\n")
    refused(assay(mendable, "lint", "--fix"), 3, "verified, not landed", "stash")
    assert git(mendable, "rev-parse", "main") == tip
    assert (mendable / "wiki/index.md").read_text() == "# Mine\n"


def test_on_a_detached_head_there_is_no_branch_to_land_on(
    mendable: Path, assay: Command, refused: Command, git: Command
) -> None:
    git(mendable, "switch", "--detach", "--quiet")
    refused(assay(mendable, "lint", "--fix"), 2, "detached")


def test_nothing_certain_is_said_and_the_exit_code_is_the_lints(
    make_repository: Command, assay: Command, git: Command
) -> None:
    folder = make_repository({**WIKI, "wiki/index.md": "[x](nowhere.md)\n", "wiki/a.md": "# A\n"})
    done = assay(folder, "lint", "--fix")
    assert done.code == 1
    assert done.out.startswith("plant: nothing can be mended for certain\n")
    assert git(folder, "rev-list", "--count", "main") == "1"


def test_what_is_certain_is_mended_on_a_run_and_nothing_else(mendable: Path, assay: Command, git: Command) -> None:
    done = assay(mendable, "lint", "--fix")
    assert done.code == 0
    assert "landed as" in done.out
    assert ": 2 mends on 2 pages" in done.out
    assert "'gone.md' leads to no page" in done.out
    changed = git(mendable, "diff", "-U0", "main~1", "main", "--", "wiki/index.md", "wiki/solvents.md")
    lines = [line for line in changed.splitlines() if line[0] in "+-" and not line.startswith(("+++", "---"))]
    assert lines == [
        "-- [Old](old.md)",
        "+- [Old](new.md)",
        '-[^1]: raw/report.md, "Declined  by TWO fifths"',
        '+[^1]: raw/report.md, "declined by two fifths" @20',
    ]
    assert "lint" in git(mendable, "log", "-1", "--format=%s", "main")
    assert git(mendable, "status", "--porcelain") == ""


@pytest.mark.slow
def test_the_second_time_nothing_is_left_to_mend(mendable: Path, assay: Command, git: Command) -> None:
    assay(mendable, "lint", "--fix")
    tip = git(mendable, "rev-parse", "main")
    done = assay(mendable, "lint", "--fix", "--json")
    assert "nothing can be mended for certain" in done.err
    assert done.out.startswith('{"counts":')
    assert git(mendable, "rev-parse", "main") == tip


def test_line_ends_and_a_byte_order_mark_stay(make_repository: Command, assay: Command, git: Command) -> None:
    page = b"\xef\xbb\xbf" + REPAIRABLE.replace("\n", "\r\n").encode()
    folder = make_repository({**WIKI, "wiki/index.md": "[a](a.md)\n", "wiki/a.md": page})
    git(folder, "config", "core.autocrlf", "false")
    assert "1 mend on 1 page" in assay(folder, "lint", "--fix").out
    after = (folder / "wiki/a.md").read_bytes()
    assert after == page.replace(b'Declined  by TWO fifths"', b'declined by two fifths" @20')


def test_a_page_whose_bytes_are_no_text_is_left(make_repository: Command, assay: Command) -> None:
    page = REPAIRABLE.encode() + b"\xff\n"
    folder = make_repository({**WIKI, "wiki/index.md": "[a](a.md)\n", "wiki/a.md": page})
    assert "nothing can be mended" in assay(folder, "lint", "--fix").out
    assert (folder / "wiki/a.md").read_bytes() == page
