from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.accuracy import __main__ as command
from benchmarks.accuracy import labelled

pytestmark = pytest.mark.slow

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
has_wikis = pytest.mark.skipif(not WIKIS.exists(), reason="the labelled wikis are not here")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm-cache"))


def test_a_folder_without_wikis_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path)]) == 2
    assert "no wiki" in capsys.readouterr().err


@has_wikis
def test_other_pages_than_were_labelled_are_no_measurement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(WIKIS / "citadel-gazette", tmp_path / "citadel-gazette", copy_function=shutil.copyfile)
    page = tmp_path / "citadel-gazette" / next(o.path for o in labelled.labels() if o.wiki == "citadel-gazette")
    page.write_text(f"A line more.\n{page.read_text()}")
    assert command.main([str(tmp_path), "--only", "measured"]) == 3
    assert "not the pages that were labelled" in capsys.readouterr().err


@has_wikis
def test_a_wiki_is_measured_against_its_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(WIKIS / "citadel-gazette", tmp_path / "citadel-gazette", copy_function=shutil.copyfile)
    assert command.main([str(tmp_path), "--only", "measured", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    right = [one for one in labelled.labels() if one.wiki == "citadel-gazette" and not one.is_defect]
    assert (told["alarms"]["n"], told["alarms"]["hits"]) == (len(right), 0)
    assert told["wikis"] == ["citadel-gazette"]


@pytest.mark.slow
def test_defects_are_planted_into_made_up_wikis_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "small/wiki/index.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Index\n\nNothing yet.\n")
    assert command.main([str(tmp_path), "--only", "planted", "--each", "1", "--list"]) == 0
    told = capsys.readouterr().out
    assert "Planted defects by mutation" in told
    assert "Changes of form" in told


def test_what_cannot_be_compared_is_skipped_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "small/wiki/index.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Index\n\nNothing yet.\n")
    assert command.main([str(tmp_path), "--only", "compared", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["skipped"]) == ["compared"]


@has_wikis
@pytest.mark.slow
def test_every_error_in_the_real_wikis_was_read_by_somebody(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(WIKIS), "--only", "measured", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unread"] == 0
