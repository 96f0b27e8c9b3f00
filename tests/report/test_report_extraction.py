"""A scored extraction in words: what is told first, what is cut, and that foreign text does nothing anywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from gitops.config import Bars
from gitops.extraction import emitted, gold, measuring, scoring
from gitops.report import benchmark_md, benchmark_page, extraction, extraction_values, text
from gitops.runs.measurements import Measurement
from gitops.verify import judges
from tests.extraction import planted_release as planted

HOSTILE = "\x1b[31m<script>alert(1)</script> | **x** [a](http://a.example) ##[error]"


def measured(folder: Path, files: dict[str, Any]) -> Measurement:
    cases = gold.in_folder(planted.gold(folder / "gold"), "gold")
    planted.write(folder / "out" / planted.CASE, files)
    found = emitted.in_folder(folder / "out", cases, "out")
    judge = judges.find("offline")
    setting = measuring.Setting(
        suite="extraction", digest="0" * 64, judge=judge, bars=Bars(), subject={"extractor": "mine"}, commit="c" * 40
    )
    return measuring.measurement(scoring.scored(cases, found.bundles, judge, found.stray), setting).named()


def printed(made: Measurement, width: int = 80) -> list[str]:
    console = Console(width=width, force_terminal=True, color_system=None, highlight=False, emoji=False, markup=False)
    with console.capture() as captured:
        text.show(extraction.words(made), console=console)
    return captured.get().split("\n")


@pytest.mark.parametrize("width", [80, 120])
def test_it_fits_the_terminal_and_says_first_what_counts(tmp_path: Path, width: int) -> None:
    lines = printed(measured(tmp_path, {"roles/auditor.md": planted.FILES["roles/auditor.md"]}), width)
    assert max(map(len, lines)) <= width
    [f1] = [line for line in lines if line.startswith("atom_f1 ")]
    assert re.fullmatch(r"atom_f1 +0\.2000 +\S+ +0\.2000 +0\.2000 +≥ 0\.6 +below *", f1)
    heads = [line.split("  ")[0] for line in lines if re.match(r"[A-Z]\w+( up)? \d", line)]
    assert heads == ["Missed 8", "Omitted 2"]


def test_long_lists_are_cut_and_say_how_to_see_all(tmp_path: Path) -> None:
    lines = printed(measured(tmp_path, {"roles/auditor.md": planted.FILES["roles/auditor.md"]}), 120)
    start = next(at for at, line in enumerate(lines) if line.startswith("Missed 8"))
    assert sum(line.startswith("  release  ") for line in lines[start : start + 20]) >= 6
    assert "  and 2 more: --json has them, --report FILE.md and --html FILE show them" in [
        one.rstrip() for one in lines
    ]


def test_what_files_say_steers_neither_terminal_nor_markdown_nor_page(tmp_path: Path) -> None:
    hostile = "---\ntype: role\nid: evil\ntitle: " + '"' + HOSTILE.replace("\x1b", "\\e") + '"\n---\n'
    made = measured(tmp_path, {**planted.FILES, "roles/evil.md": hostile})
    told = extraction_values.of_measurement(made)
    [wrong] = [each for each in told.sections if each.title.startswith("Spurious")]
    assert "<script>" in wrong.rows[0][1]
    assert "\x1b" not in "".join(printed(made))
    page = benchmark_page.page(told)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    [line] = [
        line for line in benchmark_md.markdown(told).splitlines() if "evil" in line and line.startswith("| release")
    ]
    assert "\\<script\\>" in line
    assert len(re.findall(r"(?<!\\)\|", line)) == len(wrong.columns) + 1


def test_a_warning_is_told_as_one(tmp_path: Path) -> None:
    orphan = planted.text("process", "build", "Build", planted.BUILD[:2])
    lines = printed(measured(tmp_path, {**planted.FILES, "processes/build.md": orphan}))
    assert any("warning: nothing produces 'changelog'" in line for line in lines)


def test_where_all_is_right_there_is_nothing_to_tell(tmp_path: Path) -> None:
    lines = [line.rstrip() for line in printed(measured(tmp_path, dict(planted.FILES)))]
    assert "Every bar is reached" in lines
    assert not any(line.startswith(tuple(extraction_values.TITLES.values())) for line in lines)
