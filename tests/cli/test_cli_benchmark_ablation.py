"""`git assay benchmark ablation`: variants side by side, reports that are kept, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.suites import ablation_wiki

Command = Callable[..., Any]
MakeRepository = Callable[..., Path]
CommitFiles = Callable[..., str]


@pytest.fixture
def wiki(make_repository: MakeRepository, commit_files: CommitFiles) -> Path:
    """HEAD knows a word less than HEAD~1, HEAD~1 one more than HEAD~2."""
    path = make_repository(ablation_wiki.files(20))
    commit_files(path, {"prompts/answer.md": ablation_wiki.prompt(21)})
    commit_files(path, {"prompts/answer.md": ablation_wiki.prompt(14)})
    return path


@pytest.mark.slow
def test_harm_is_told_with_1_and_none_with_0(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "benchmark", "ablation", "HEAD~2", "HEAD~1", "HEAD", "--runs", "4")
    assert done.code == 1
    assert "HEAD does harm." in done.out
    assert "passed and fails now: case-14" in done.out
    assert "prompts/answer.md" in done.out
    done = assay(wiki, "benchmark", "ablation", "HEAD~2", "HEAD~1", "--runs", "4")
    assert done.code == 0
    assert "Every treatment was shown to do no harm" in done.out
    few = assay(wiki, "benchmark", "ablation", "HEAD~2", "HEAD~1", "--runs", "2")
    assert few.code == 1
    assert "Whether HEAD~1 does harm cannot be told." in few.out
    assert "words: 2 repeats of 20 cases cannot show that there is no harm, 4 may (--runs 4)" in few.err


@pytest.mark.slow
def test_reports_are_kept_in_the_worktree_and_shown_again(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "benchmark", "ablation", "HEAD~1", "HEAD", "--runs", "1")
    [name] = [path.stem for path in (wiki / "data/ablation").glob("*.json")]
    assert f"written to data/ablation/{name}.md" in done.out
    told = json.loads((wiki / f"data/ablation/{name}.json").read_text("utf-8"))
    jsonschema.validate(told, json.loads(assay(wiki, "schema", "ablation").out))
    assert told["id"] == name
    assert told["files"] == [f"data/ablation/{name}.{kind}" for kind in ("md", "json", "svg")]
    picture = ElementTree.parse(wiki / f"data/ablation/{name}.svg").getroot()
    assert picture.tag.endswith("svg")
    text = (wiki / f"data/ablation/{name}.md").read_text("utf-8")
    assert text.startswith("# Ablation: HEAD\\~1 → HEAD\n")
    for word in (name, name[:17], f"data/ablation/{name}.json"):
        shown = assay(wiki, "benchmark", "ablation", "--show", word, "--markdown")
        assert (shown.code, shown.out) == (
            1,
            text.replace(f"\n![Means of the variants with their 95 % intervals](<{name}.svg>)\n", ""),
        )
    again = json.loads(assay(wiki, "benchmark", "ablation", "--show", name, "--json").out)
    assert again | {"files": told["files"]} == told
    page = wiki / "page.html"
    assert assay(wiki, "benchmark", "ablation", "--show", name, "--html", "page.html").code == 1
    assert "HEAD does harm." in page.read_text("utf-8")


def test_it_is_a_run_that_lists_show(wiki: Path, assay: Command) -> None:
    assay(wiki, "benchmark", "ablation", "HEAD~1", "HEAD", "--runs", "1")
    [name] = [path.stem for path in (wiki / "data/ablation").glob("*.json")]
    assert name in assay(wiki, "run", "list").out


def test_nothing_is_kept_where_that_is_asked_for(wiki: Path, assay: Command, git: Callable[..., str]) -> None:
    before = git(wiki, "for-each-ref")
    done = assay(wiki, "benchmark", "ablation", "HEAD~1", "HEAD", "--runs", "1", "--no-keep", "--json")
    told = json.loads(done.out)
    jsonschema.validate(told, json.loads(assay(wiki, "schema", "ablation").out))
    assert (told["is_kept"], told["files"]) == (False, [])
    assert git(wiki, "for-each-ref") == before
    assert not (wiki / "data").exists()


def test_a_file_says_what_targets_are_told_besides(wiki: Path, assay: Command) -> None:
    (wiki / "odd.toml").write_text('name = "odd"\nrev = "HEAD~2"\n[config_overrides]\nwrong_repeats = [0]\n')
    done = assay(wiki, "benchmark", "ablation", "HEAD~2", "odd.toml", "--suite", "words", "--runs", "2", "--json")
    told = json.loads(done.out)
    assert [one["name"] for one in told["variants"]] == ["HEAD~2", "odd"]
    assert [one["mean"] for one in told["scores"] if one["metric"] == "pass_rate"] == [1.0, 0.5]
    assert told["harm"][0]["held"] == "harm"


def test_suites_are_chosen_by_what_they_depend_on(wiki: Path, assay: Command, commit_files: CommitFiles) -> None:
    told = assay(wiki, "benchmark", "ablation", "HEAD", "HEAD", "--affected-by", "prompts/answer.md", "--dry-run")
    assert told.code == 0
    assert told.out == "HEAD → HEAD (2): words\n20 cases × 2 variants × 5 repeats: 200 trials\n"
    commit_files(wiki, {"wiki/a.md": "# A\n"})
    none = assay(wiki, "benchmark", "ablation", "HEAD~1", "HEAD")
    assert none.code == 3
    assert "nothing that a suite depends on differs between the variants" in none.err


def test_every_suite_is_run_where_nobody_can_tell_which_of_them_heed_a_file(
    wiki: Path, assay: Command, commit_files: CommitFiles
) -> None:
    (wiki / "odd.json").write_text('{"name": "odd", "config_overrides": {"a": 1}}')
    done = assay(wiki, "benchmark", "ablation", "HEAD", "odd.json", "--runs", "1", "--dry-run")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("HEAD → odd: words\n20 cases × 2 variants × 1 repeat: 40 trials\n")
    assert "words: 1 repeat of 20 cases cannot show" in done.out
    suite = json.loads((wiki / "gold/suites/words/suite.json").read_text("utf-8"))
    other = suite | {"suite_id": "more", "cases": suite["cases"][:1]}
    commit_files(wiki, {"gold/suites/more/suite.json": json.dumps(other)})
    done = assay(wiki, "benchmark", "ablation", "HEAD", "odd.json", "--runs", "1", "--dry-run")
    assert done.out.startswith("HEAD → odd: more, words\n21 cases × 2 variants × 1 repeat: 42 trials\n")
    assert "1 repeat of 1 case cannot show" in done.out
    assert "what odd is told besides may concern every suite: all 2 are run" in done.err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["HEAD"], 2, "an ablation takes a control and at least one treatment"),
        (["HEAD", "nowhere"], 2, "nowhere"),
        (["HEAD~1", "HEAD", "--suite", "gone"], 2, "no suite is called 'gone'"),
        (["HEAD~1", "HEAD", "--affected-by", "llm.presets.gone"], 2, "no suite depends on 'llm.presets.gone'"),
        (["--show", "2026"], 2, "no ablation is called '2026'"),
        (["--show", "odd.json"], 2, "odd.json is no report of an ablation"),
        (["--show", "2026", "HEAD"], 2, "--show runs nothing: HEAD is one too many"),
        (["HEAD~1", "HEAD", "--html", "gone/a.html"], 3, "cannot write gone/a.html"),
        (["HEAD~1", "HEAD", "--all", "--suite", "words"], 2, "not allowed with"),
    ],
)
def test_what_makes_no_sense_is_refused(wiki: Path, assay: Command, words: list[str], code: int, told: str) -> None:
    (wiki / "odd.json").write_text('{"name": "odd"}')
    done = assay(wiki, "benchmark", "ablation", *words)
    assert done.code == code
    assert told in done.err
    assert not (wiki / "data").exists()


def test_where_nobody_judges_it_says_so_with_3(make_repository: MakeRepository, assay: Command) -> None:
    cases = [each | {"expected": {"mode": "human"}} for each in ablation_wiki.cases(3)]
    wiki = make_repository(ablation_wiki.files(3, cases=cases))
    done = assay(wiki, "benchmark", "ablation", "HEAD", "HEAD", "--all", "--runs", "1")
    assert done.code == 3
    assert "no case was tried and judged on both sides" in done.err


def test_what_is_too_large_to_be_kept_is_told_at_least(
    wiki: Path, assay: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitops.runs.measurements.LARGEST", 1_000)
    done = assay(wiki, "benchmark", "ablation", "HEAD~1", "HEAD", "--runs", "1")
    assert done.code == 3
    assert "pass rate" in done.out
    assert "not kept: " in done.out
    assert "--no-keep" in done.err
    assert not (wiki / "data").exists()


def test_without_a_key_to_sign_with_nothing_is_run(make_repository: MakeRepository, assay: Command) -> None:
    signed = '[trust]\nsigned = true\nrepository = "https://example.org/words.git"\n'
    wiki = make_repository(ablation_wiki.files(2, ablation_wiki.POLICY + signed))
    done = assay(wiki, "benchmark", "ablation", "HEAD", "HEAD", "--all")
    assert (done.code, done.out) == (3, "")
    assert "key" in done.err
