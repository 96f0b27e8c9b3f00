"""`git assay eviction report`, `export` and `calibrate`, in real repositories."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gitops.eviction import storing, trying
from gitops.eviction.heuristic import Weights
from gitops.eviction.replaying import Pair
from gitops.eviction.simulating import RETURNING
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find
from tests.eviction.resolutions import candidate, many, resolved
from tests.suites import ablation_wiki

Command = Callable[..., Any]
OTHER = {"other/assay.toml": '[workspace]\nname = "other"\n', "other/wiki/index.md": "# Index\n"}


def keep(folder: Path, pairs: Sequence[Pair], workspace: str = "plant") -> None:
    context = Context(open_repository(folder))
    for proposal, feedback in pairs:
        storing.keep(context, find(context.repository, "HEAD", workspace), proposal, feedback)


@pytest.fixture
def learned_from(wiki: Path) -> Path:
    """A wiki with the feedback of three simulated conversations: some 60 proposals."""
    keep(wiki, trying.feedback(RETURNING, range(3)))
    return wiki


@pytest.fixture
def told(wiki: Path) -> Path:
    """A wiki with a little feedback, some of it by nobody."""
    secret = [resolved([candidate("x", snippet="secret"), candidate("y")], ["x"], number=99, reason="secret")]
    keep(wiki, [*many(6, 10), *secret, resolved([candidate("z")], by="auto", scope="late")])
    return wiki


def valid(assay: Command, folder: Path, name: str, body: Any) -> None:
    schema = json.loads(assay(folder, "schema", name).out)
    jsonschema.validate(body, schema)
    assert schema["$id"] == body["schema"]


def test_without_feedback_each_says_so(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "eviction", "report"), 3, "no proposal to evict anything was resolved yet")
    refused(assay(wiki, "eviction", "export"), 3, "nobody decided on any proposal yet")
    refused(assay(wiki, "eviction", "calibrate"), 3, "too little feedback to fit 8 weights: 0 items kept back")
    refused(assay(wiki, "eviction", "calibrate", "--prompt"), 3, "too little feedback to tell a scorer anything")


def test_the_report_counts_and_says_who_resolved(told: Path, assay: Command, refused: Command) -> None:
    done = assay(told, "eviction", "report")
    assert done.code == 0
    assert "12 proposals resolved: 11 by llm, 1 by auto" in done.out
    assert "chronicle  58%" in done.out
    body = json.loads(assay(told, "eviction", "report", "--json").out)
    valid(assay, told, "eviction-report", body)
    assert (body["resolved"], body["overall"]["n"], body["overall"]["excluded"]) == (
        {"llm": 11, "user": 0, "auto": 1},
        12,
        7,
    )
    alone = json.loads(assay(told, "eviction", "report", "--scope", "late", "--json").out)
    assert (alone["overall"]["n"], alone["overall"]["rate"], alone["resolved"]["auto"]) == (0, None, 1)
    assert assay(told, "eviction", "report", "--scope", "late").code == 0
    refused(assay(told, "eviction", "report", "--scope", "tlak"), 2, "'tlak'", "did you mean 'talk'?")


def test_the_feedback_of_another_workspace_is_not_this_ones(make_wiki: Command, assay: Command) -> None:
    folder = make_wiki(OTHER)
    keep(folder, many(1, 3))
    keep(folder, many(2, 2, "memory", scope="chat"), "other")
    both = {
        name: json.loads(assay(folder, "--workspace", name, "eviction", "report", "--json").out)["overall"]["n"]
        for name in ("plant", "other")
    }
    assert both == {"plant": 3, "other": 2}


def test_the_export_is_a_labelled_data_set_without_anybodys_words(told: Path, assay: Command, tmp_path: Path) -> None:
    lines = assay(told, "eviction", "export").out.splitlines()
    assert [json.loads(line)["excluded"] for line in lines].count(1) == 7
    assert len(lines) == 12
    assert "secret" not in "".join(lines)
    file = tmp_path / "set.csv"
    done = assay(told, "eviction", "export", "--format", "csv", "--output", str(file), "--snippets")
    assert (done.code, done.out, done.err) == (0, "", f"wrote {file}: 12 candidates\n")
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf-8"))))
    assert {row["ctx_id"]: row["exclude_reason"] for row in rows}["x"] == "secret"


@pytest.mark.slow
def test_calibrated_weights_are_printed_as_the_table_that_a_person_commits(
    learned_from: Path, assay: Command, state: Command, tmp_path: Path
) -> None:
    before = state(learned_from)
    done = assay(learned_from, "eviction", "calibrate", "--offline", "--by-time")
    assert done.code == 0, done.err
    table = done.out[done.out.index("[eviction.weights]") : done.out.index("put it into assay.toml")]
    weights = Weights.of(tomllib.loads(table)["eviction"]["weights"])
    assert "AUROC        present" in done.out
    assert "what came last, no proposal in both" in done.out
    file = tmp_path / "weights.toml"
    body = json.loads(assay(learned_from, "eviction", "calibrate", "--by-time", "--write", str(file), "--json").out)
    valid(assay, learned_from, "eviction-calibration", body)
    assert file.read_text("utf-8") == table == body["toml"]
    assert Weights.of(body["weights_after"]) == weights
    assert [each["name"] for each in body["measures"]] == ["auroc", "log_loss", "brier"]
    assert state(learned_from) == before  # nothing is in force that nobody committed


@pytest.mark.slow
def test_the_guidance_of_a_scorer_is_printed_as_a_table_too(learned_from: Path, assay: Command) -> None:
    done = assay(learned_from, "eviction", "calibrate", "--prompt")
    assert done.code == 0
    told = tomllib.loads(done.out)["eviction"]["guidance"]
    assert "- workspace, 2-3 turns since its last use: " in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--online", "--seed", "1"), "--seed is for --offline"),
        (("--by-time", "--seed", "1"), "--by-time draws none"),
        (("--prompt", "--json"), "--json is for --offline and --online"),
        (("--online", "--write", "x.toml"), "--write is for --offline and --prompt"),
        (("--write", "assay.toml"), "would be written over"),
        (("--holdout", "1"), "not a number between 0 and 1"),
    ],
)
def test_what_does_not_fit_is_refused(
    wiki: Path, assay: Command, refused: Command, words: Sequence[str], said: str
) -> None:
    refused(assay(wiki, "eviction", "calibrate", *words), 2, said)


def test_online_is_refused_where_the_policy_does_not_ask_for_it(wiki: Path, assay: Command, refused: Command) -> None:
    refused(assay(wiki, "eviction", "calibrate", "--online"), 1, "online is not true", "benchmark ablation main BRANCH")


def test_online_is_refused_where_no_suite_could_show_harm(make_wiki: Command, assay: Command, refused: Command) -> None:
    folder = make_wiki({"assay.toml": '[workspace]\nname = "plant"\n[eviction]\nonline = true\n'})
    refused(assay(folder, "eviction", "calibrate", "--online"), 1, "no suite", '"component": "eviction"')


def dozen(number: int) -> Pair:
    """A proposal of twelve items, nine of which were kept back."""
    ids = [f"{number}-{at}" for at in range(12)]
    return resolved([candidate(each) for each in ids], ids[:9], number=number)


ONLINE = ablation_wiki.POLICY + "[eviction]\nonline = true\n"


@pytest.fixture
def switched(make_repository: Command, commit_files: Command) -> tuple[Path, str, str]:
    """A wiki with a suite of 40 cases about eviction: the commit before online was switched on, and that after."""
    files = ablation_wiki.files(40, metadata={"component": "eviction"})
    folder = make_repository(files)
    base = commit_files(folder, {"wiki/a.md": "# A\n"})
    head = commit_files(folder, {"assay.toml": ONLINE})
    keep(folder, [dozen(number) for number in range(10)], "wiki")
    return folder, base, head


@pytest.mark.slow
def test_online_is_refused_before_an_ablation_shows_no_harm_and_works_after_it(
    switched: tuple[Path, str, str], assay: Command, refused: Command
) -> None:
    folder, base, head = switched
    online = ("eviction", "calibrate", "--online")
    hint = f"git assay benchmark ablation REV {head[:10]} --suite words"
    refused(assay(folder, *online), 1, "of the suite words, no ablation of it was kept", hint)
    done = assay(folder, "benchmark", "ablation", base, head, "--suite", "words", "--runs", "2")
    assert done.code == 0, done.err
    done = assay(folder, *online)
    assert done.code == 0, done.err
    assert "no harm is shown on words" in done.out
    body = json.loads(assay(folder, *online, "--json").out)
    valid(assay, folder, "eviction-online", body)
    assert body["shown_on"] == ["words"]
    assert body["weights_now"]["chronicle"] > body["weights_policy"]["chronicle"]  # what was kept back scored low
    assert body["weights_now"]["memory"] == body["weights_policy"]["memory"]


@pytest.mark.slow
def test_an_ablation_of_other_weights_switches_nothing_on(
    switched: tuple[Path, str, str], assay: Command, refused: Command, commit_files: Command
) -> None:
    folder, base, head = switched
    assert assay(folder, "benchmark", "ablation", base, head, "--suite", "words", "--runs", "2").code == 0
    commit_files(folder, {"assay.toml": f"{ONLINE}[eviction.weights]\nmemory = 9.0\n"})
    refused(assay(folder, "eviction", "calibrate", "--online"), 1, "no ablation has what the base has as its control")


@pytest.mark.slow
def test_where_it_is_refused_conversations_have_the_weights_of_the_policy_and_are_told_so(
    switched: tuple[Path, str, str], assay: Command
) -> None:
    from gitops import assembly

    folder, base, head = switched
    told: list[str] = []
    context = Context(open_repository(folder), warn=told.append)
    workspace = find(context.repository, head)
    assert assembly.eviction_weights(context, workspace) == Weights()
    assert [each.split(":")[0] for each in told] == ["online calibration is refused"]
    assert assay(folder, "benchmark", "ablation", base, head, "--suite", "words", "--runs", "2").code == 0
    again = Context(open_repository(folder), warn=told.append)
    assert assembly.eviction_weights(again, workspace).chronicle > Weights().chronicle
    assert len(told) == 1
