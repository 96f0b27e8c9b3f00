from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agents.mills import EIGHTY, FILES, FORTY, NINETY, SIXTY

RESOLVE = ("lint", "--resolve-contradictions")


@pytest.fixture
def mills(make_repository: Callable[..., Path]) -> Path:
    return make_repository(FILES, name="mills")


def score(assay: Callable[..., Any], folder: Path) -> float:
    done = assay(folder, "eval", "run", "--metric", "M5", "--no-keep", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    (only,) = found.get("measurements", [found])
    value: float = only["metrics"]["M5"]["value"]
    return value


@pytest.mark.parametrize("words", [("--check", "links"), ("wiki/mill.md",)])
def test_it_mends_a_whole_workspace(assay: Any, mills: Path, refused: Any, words: tuple[str, ...]) -> None:
    refused(assay(mills, *RESOLVE, *words), 2, "mends a whole workspace")


def test_not_together_with_another_mend(assay: Any, mills: Path) -> None:
    assert assay(mills, *RESOLVE, "--fix").code == 2


def test_an_unknown_preset_is_refused_before_anything_is_measured(assay: Any, mills: Path, refused: Any) -> None:
    refused(assay(mills, *RESOLVE, "--preset", "nobody"), 2, "nobody")


def test_nothing_found_says_so(assay: Any, make_repository: Callable[..., Path], state: Any) -> None:
    files = {**FILES, "wiki/town.md": "# Town\n\nThe mill burned down once.[^1]\n\n[^1]: raw/b.md\n"}
    files["assay.toml"] += "[citations]\nrequire = []\n"
    folder = make_repository(files, name="sound")
    before = state(folder)
    done = assay(folder, *RESOLVE)
    assert (done.code, done.out.strip()) == (0, "nothing to settle  M5 finds no contradiction")
    assert state(folder) == before


def test_where_nothing_can_be_measured_it_cannot_be_said_that_there_is_nothing(
    assay: Any, make_repository: Callable[..., Path], refused: Any
) -> None:
    folder = make_repository({"assay.toml": "", "wiki/index.md": "# Index\n"}, name="empty")
    refused(assay(folder, *RESOLVE), 3, "M5 is not measured: wiki/index.md leads to no page that states anything")


def test_a_rehearsal_shows_both_places_and_changes_nothing(assay: Any, mills: Path, state: Any) -> None:
    before = state(mills)
    done = assay(mills, *RESOLVE, "--dry-run")
    assert done.code == 0
    told = " ".join(done.out.split())
    assert "would settle 2 of 2 contradictions" in told
    for words in (FORTY, SIXTY, EIGHTY, NINETY, "as of 2019-05-01", "sources disagree"):
        assert words in told
    assert state(mills) == before


@pytest.mark.slow
def test_what_it_settles_m5_counts_no_more(assay: Any, mills: Path) -> None:
    assert score(assay, mills) < 0.85
    done = assay(mills, *RESOLVE, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert (found["schema"], found["state"], found["contradictions"]) == ("assay/resolve/1", "finished", 2)
    assert [one["how"] for one in found["mends"]] == ["dated", "disputed"]
    assert found["mends"][0]["older"] == {"page": "wiki/mill.md", "claim": FORTY, "day": "2019-05-01"}
    assert found["run"]["result"] == "landed"
    assert score(assay, mills) == 1
    again = assay(mills, *RESOLVE)
    assert again.out.strip() == "nothing to settle  M5 finds no contradiction"
    assert assay(mills, "lint").code == 0


def test_words(assay: Any, mills: Path) -> None:
    done = assay(mills, *RESOLVE)
    told = " ".join(done.out.split())
    assert "landed" in told
    assert "git assay eval run --metric M5 measures it anew" in told
    assert "~ wiki/mill.md and wiki/town.md: sources disagree" in told


def test_a_draft_waits_and_lands_nothing(assay: Any, mills: Path, git: Any) -> None:
    before = git(mills, "rev-parse", "main")
    done = assay(mills, *RESOLVE, "--draft-only")
    assert done.code == 0
    assert "git assay run finish" in done.out
    assert git(mills, "rev-parse", "main") == before
