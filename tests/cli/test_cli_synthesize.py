from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.wiki.citation import parse as parse_citation
from tests.cli.conftest import INDEX, PAGE, Done
from tests.runs.driving import Wiki
from tests.runs.measuring import measure

Assay = Callable[..., Done]
WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"
TODAY = "wiki/synthesis/2024-01-02.md"


@pytest.fixture
def solvents(make_wiki: Callable[..., Path]) -> Path:
    return make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": f"{INDEX}\n- [Solvents](solvents.md)\n"})


def test_a_preset_that_is_none(
    assay: Assay, solvents: Path, refused: Callable[..., None], state: Callable[[Path], str]
) -> None:
    before = state(solvents)
    refused(assay(solvents, "synthesize", "--preset", "gpt"), 2, "there is no preset 'gpt'", "offline")
    assert state(solvents) == before


def test_an_address_that_only_the_repository_vouches_for(
    assay: Assay,
    make_wiki: Callable[..., Path],
    refused: Callable[..., None],
    state: Callable[[Path], str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ASSAY_LLM")
    preset = '[llm.presets.claude]\nmodel = "m"\nbase_url = "https://evil.example"\n'
    folder = make_wiki({"assay.toml": f'[workspace]\nname = "plant"\n{preset}', "wiki/solvents.md": PAGE})
    before = state(folder)
    refused(assay(folder, "synthesize", "--preset", "claude"), 2, "would be sent your key")
    assert state(folder) == before


def test_another_word_than_review(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "synthesize", "revue"), 2, "'revue' is not a value of review", "did you mean 'review'?")


def test_a_second_one_while_a_draft_waits(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    assert assay(solvents, "synthesize", "--draft-only").code == 0
    refused(assay(solvents, "synthesize"), 1, "one synthesis at a time", "git assay run finish 20240102-")


def test_a_model_that_nobody_may_ask(
    assay: Assay, solvents: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., None]
) -> None:
    monkeypatch.setenv("ASSAY_LLM", "off")
    done = assay(solvents, "synthesize", "--preset", "claude", "--json")
    refused(done, 3, "ASSAY_LLM=off forbids it", "unset ASSAY_LLM")
    assert json.loads(assay(solvents, "run", "list", "--json").out)["runs"] == []
    assert json.loads(done.out)["state"] == "no_verdict"


def test_nothing_new_is_said_and_is_no_failure(assay: Assay, make_wiki: Callable[..., Path]) -> None:
    done = assay(make_wiki(), "synthesize")
    assert (done.code, done.out) == (0, "no claim came in so far: nothing to synthesize\n")


def test_a_dry_run_prints_the_page_and_moves_nothing(
    assay: Assay, solvents: Path, state: Callable[[Path], str]
) -> None:
    before = state(solvents)
    done = assay(solvents, "synthesize", "--dry-run")
    assert done.code == 0
    assert f"would write {TODAY}:" in done.out
    assert "- Solvent use fell by two fifths.[^1]" in done.out
    assert state(solvents) == before


def test_a_dry_run_with_a_model_says_what_it_would_cost(assay: Assay, solvents: Path) -> None:
    done = assay(solvents, "synthesize", "--preset", "claude", "--dry-run")
    assert done.code == 0
    assert f"would give a model 1 of 1 claim to write {TODAY}" in done.out
    assert "$" in done.out


@pytest.mark.slow
def test_it_lands_and_then_is_not_due(assay: Assay, solvents: Path, git: Callable[..., str]) -> None:
    frozen = assay(solvents, "synthesize", "--due")
    assert (frozen.code, frozen.out) == (4, "")
    assert "scheduled synthesis stays off until M1 is healthy" in frozen.err
    for metric in ("M1", "M2"):
        measure(Wiki(solvents), metric, 1.0, "healthy")
    done = assay(solvents, "synthesize", "--due")
    assert done.code == 0
    assert f"{TODAY}: 1 of 1 claim so far" in done.out
    assert "landed  run 20240102-" in done.out
    assert "Solvent use fell by two fifths.[^1]" in git(solvents, "show", f"main:{TODAY}")
    again = assay(solvents, "synthesize", "--due")
    assert (again.code, again.out) == (
        0,
        "not due before 2024-01-09 03:04 UTC; git assay synthesize does it now\n",
    )


def test_json(assay: Assay, solvents: Path) -> None:
    planned = json.loads(assay(solvents, "synthesize", "--dry-run", "--json").out)
    assert (planned["schema"], planned["state"], planned["page"]) == ("assay/synthesize/1", "planned", TODAY)
    assert set(planned["pages"]) == {TODAY, "wiki/index.md"}
    landed = json.loads(assay(solvents, "synthesize", "--json").out)
    assert (landed["state"], landed["claims"], landed["run"]["result"]) == ("finished", 1, "landed")
    assert (landed["since"], landed["due"], landed["pages"]) == (None, None, {})
    waits = json.loads(assay(solvents, "synthesize", "--due", "--json").out)
    assert (waits["state"], waits["due"], waits["run"]) == ("not_due", "2024-01-09T03:04:05Z", None)


@pytest.mark.slow
def test_review_names_what_waits_and_how_to_go_on(assay: Assay, solvents: Path) -> None:
    assert assay(solvents, "synthesize", "review").out.startswith("no synthesis is pending")
    assay(solvents, "synthesize", "--draft-only")
    done = assay(solvents, "synthesize", "review")
    assert done.code == 0
    assert "  draft, begun 2024-01-02T03:04:05Z" in done.out
    assert f"wrote {TODAY}" in done.out
    (run,) = json.loads(assay(solvents, "synthesize", "review", "--json").out)["runs"]
    for command in run["next"]:
        assert command in done.out
    assert assay(solvents, *run["next"][2].split()[2:]).code == 0
    assert assay(solvents, "synthesize", "review").out.startswith("no synthesis is pending")


REAL = [
    ("citadel-beverages", "../objects/coffee.md"),
    ("citadel-gazette", "../objects/tardigrade.md"),
    ("llm-wiki-bootstrap", "[[open-knowledge-format|"),
]


@pytest.mark.slow
@pytest.mark.skipif(not WIKIS.exists(), reason="the real wikis are not here")
@pytest.mark.parametrize(("name", "linked"), REAL)
def test_a_real_wiki_in_its_own_dialects(
    assay: Assay, git: Callable[..., str], tmp_path: Path, name: str, linked: str
) -> None:
    folder = tmp_path / name
    shutil.copytree(WIKIS / name, folder)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", os.fspath(folder))
    git(folder, "add", "--all", "--force", ".")
    git(folder, "commit", "--quiet", "--message", "As it was")
    assert assay(folder, "adopt").code == 0
    done = assay(folder, "synthesize", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["run"]["result"] == "landed"
    text = git(folder, "show", f"main:{told['page']}")
    assert linked in text
    bodies = [line.partition("]: ")[2] for line in text.splitlines() if line.startswith("[^")]
    assert len(bodies) >= 8
    assert all(body.startswith("[raw/") or isinstance(parse_citation(body), tuple) for body in bodies)
    found = json.loads(assay(folder, "lint", "--json").out)["findings"]
    wrong = [one for one in found if one["path"] == told["page"] and one["level"] in ("error", "warning")]
    assert wrong == []
    assert json.loads(assay(folder, "synthesize", "--json").out)["state"] == "nothing"


@pytest.mark.slow
@pytest.mark.skipif(not WIKIS.exists(), reason="the real wikis are not here")
def test_of_beverages_it_tells_the_disagreements_first(assay: Assay, git: Callable[..., str], tmp_path: Path) -> None:
    folder = tmp_path / "beverages"
    shutil.copytree(WIKIS / "citadel-beverages", folder)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", os.fspath(folder))
    git(folder, "add", "--all", "--force", ".")
    git(folder, "commit", "--quiet", "--message", "As it was")
    assert assay(folder, "adopt").code == 0
    page = json.loads(assay(folder, "synthesize", "--dry-run", "--json").out)["pages"][TODAY]
    settled = page.partition("## To be settled")[2].partition("\n## ")[0]
    assert "first brought tea to England in 1657" in settled
    assert "first brought tea to English shores in 1650" in settled
    assert "## Caffeine, Coffee, Coffee Roasting, Arabica, Robusta" in page
