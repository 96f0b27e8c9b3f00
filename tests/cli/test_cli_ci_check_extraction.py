"""`git assay ci check` with gold for extraction: what it prints, writes and tells later steps, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ci.extraction_driving import EXTRACTED, GOLD, MADE_UP, OTHERS, told, without
from tests.ci.suites_driving import Brewery
from tests.runs.driving import Wiki


@pytest.fixture
def house(make_repository: Callable[..., Path]) -> Brewery:
    return Brewery(Wiki(make_repository(told())))


@pytest.mark.slow
def test_a_bar_that_is_not_reached_is_printed_written_and_told_to_later_steps(house: Brewery, tmp_path: Path) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({**without(*OTHERS), f"{EXTRACTED}/soft-water.md": MADE_UP})
    files = ("--result", str(tmp_path / "result.json"), "--summary", str(tmp_path / "summary.md"))
    done = house.wiki.assay("ci", "check", "--base", base, *files, GITHUB_OUTPUT=str(tmp_path / "out"))
    assert done.returncode == 1, done.stderr
    assert "failed  tides  extraction is below 2 bars: atom_f1 0.571 (>= 0.6; the base has 1.000), faith" in done.stdout
    assert f"+ missed tea: role brewer (Brewer)\n    {GOLD}/sources/water.md:8, " in done.stdout
    written = json.loads((tmp_path / "result.json").read_text())
    assert written["extraction"]["kinds"] == {"missed": 3, "made_up": 1}
    summary = (tmp_path / "summary.md").read_text()
    assert "| `atom_f1` | \\>=\N{NO-BREAK SPACE}0.6 | 1.000 | 0.571" in summary
    assert "\nextraction.atom_f1,extraction.faithfulness\n" in (tmp_path / "out").read_text()
    shown = house.wiki.assay("ci", "comment", "--result", str(tmp_path / "result.json"), "--pr", "7", "--dry-run")
    assert (shown.returncode, "**made up** `tea`: soft-water: Zebras gallop" in shown.stdout) == (0, True)


RUNS = """
import sys
from gitops.cli import main
main(sys.argv[1:])
heavy = ("gitops.extraction.scoring", "gitops.okf.reading")
print([each for each in heavy if each in sys.modules], file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("path", "loaded"), [("wiki/index.md", "[]"), (f"{EXTRACTED}/more.md", "scoring")])
def test_what_scores_is_not_even_loaded_where_nothing_decides_it(house: Brewery, path: str, loaded: str) -> None:
    base = house.wiki.git("rev-parse", "HEAD")
    house.commit({path: "# More\n"})
    words = ("-C", str(house.wiki.folder), "ci", "check", "--base", base, "--metric", "none")
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", RUNS, *words], cwd=root, capture_output=True, text=True, check=False)
    assert loaded in done.stderr.splitlines()[-1]
