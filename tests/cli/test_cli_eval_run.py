from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import INDEX, Done
from tests.runs.driving import Wiki
from tests.runs.measuring import measure

Assay = Callable[..., Done]
Git = Callable[..., str]
PAGE = """# Solvents

Solvent consumption declined by two fifths in 2019.[^1]

[^1]: raw/report.md, "Solvent consumption declined by two fifths in 2019"
"""


@pytest.fixture
def solvents(make_wiki: Callable[..., Path]) -> Path:
    return make_wiki({"wiki/solvents.md": PAGE, "wiki/index.md": f"{INDEX}\n- [Solvents](solvents.md)\n"})


def rows(assay: Assay, folder: Path, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    done = assay(folder, "eval", "run", *words, "--json")
    assert done.code == code, done
    told = json.loads(done.out)
    assert told["schema"] == "assay/eval-run/1"
    return {one["suite"]: one for one in told["measurements"]}


def test_a_metric_that_there_is_not(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "eval", "run", "--metric", "M11"), 2, "there is no metric 'M11'", "did you mean M1?")


def test_due_keeps_what_it_measures(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "eval", "run", "--due", "--no-keep"), 2, "not with --no-keep", "leave one out")
    refused(assay(solvents, "eval", "run", "--due", "--at", "HEAD"), 2, "not with --at", "leave one out")


def test_an_unknown_revision_and_preset(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "eval", "run", "--at", "nowhere"), 2, "nowhere", "")
    refused(assay(solvents, "eval", "run", "--preset", "gpt"), 2, "there is no preset 'gpt'", "offline")


def test_nothing_that_could_be_measured_is_exit_3(assay: Assay, solvents: Path) -> None:
    found = rows(assay, solvents, "--metric", "M2,M3", code=3)
    assert [one["metrics"][name]["value"] for name, one in found.items()] == [None, None]
    assert all(one["reason"] for one in found.values())


def test_an_empty_wiki_measures_nothing(assay: Assay, make_wiki: Callable[..., Path]) -> None:
    found = rows(assay, make_wiki({"wiki/index.md": "# Index\n"}), code=3)
    statuses = {one["metrics"][name]["status"] for name, one in found.items()}
    assert statuses == {"not_measured"}


def test_all_metrics_each_with_a_run_of_its_own(assay: Assay, solvents: Path, git: Git) -> None:
    before = git(solvents, "rev-parse", "main")
    found = rows(assay, solvents)
    assert sorted(found) == ["M1", "M2", "M3", "M4", "M5", "M6"]
    listed = json.loads(assay(solvents, "run", "list", "--json").out)
    runs = {one["run_id"]: one for one in listed["runs"]}
    assert {one["run_id"] for one in found.values()} == set(runs)
    assert {(one["run_type"], one["status"]) for one in runs.values()} == {("eval", "committed")}
    assert git(solvents, "rev-parse", "main") == before
    assert found["M1"]["metrics"]["M1"]["value"] == 1.0
    assert "index" not in assay(solvents, "doctor").out


def test_nothing_is_kept_where_that_is_asked(assay: Assay, solvents: Path, state: Callable[[Path], str]) -> None:
    before = state(solvents)
    done = assay(solvents, "eval", "run", "--metric", "M1", "--no-keep")
    assert (done.code, "not kept (--no-keep)" in done.out) == (0, True)
    rehearsed = assay(solvents, "eval", "run", "--dry-run")
    assert (rehearsed.code, rehearsed.out) == (0, "no judge needs a model: nothing to pay\n")
    assert state(solvents) == before


@pytest.mark.slow
def test_what_is_due_is_measured_once_and_its_lines_land(assay: Assay, solvents: Path, git: Git) -> None:
    first = assay(solvents, "eval", "run", "--due")
    assert "M1  citation fidelity" in first.out
    log = git(solvents, "show", "main:wiki/log.md")
    assert log.count(" eval: ") == 6
    assert git(solvents, "status", "--porcelain") == ""
    again = assay(solvents, "eval", "run", "--due")
    assert (again.code, again.out.splitlines()[0]) == (0, "nothing is due")
    assert "next due: M1 " in again.out
    assert git(solvents, "show", "main:wiki/log.md") == log


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GITHUB_EVENT_NAME", "pull_request"),
        ("GITHUB_EVENT_NAME", "pull_request_target"),
        ("CI_MERGE_REQUEST_IID", "7"),
        ("CI_EXTERNAL_PULL_REQUEST_IID", "7"),
    ],
)
def test_a_pull_request_gets_no_line(
    assay: Assay, solvents: Path, git: Git, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    before = git(solvents, "rev-parse", "main")
    assert assay(solvents, "eval", "run", "--due").code == 0
    assert git(solvents, "rev-parse", "main") == before
    monkeypatch.delenv(variable)
    assay(solvents, "eval", "run", "--due")
    assert git(solvents, "rev-parse", "main") == before  # nor later: those were measured for the request


def test_the_past_is_measured_and_moves_no_gate(assay: Assay, solvents: Path, git: Git) -> None:
    git(solvents, "commit", "-q", "--allow-empty", "-m", "later")
    found = rows(assay, solvents, "--metric", "M1", "--at", "HEAD~1")
    assert found["M1"]["commit"] == git(solvents, "rev-parse", "HEAD~1")
    assert found["M1"]["subject"]["is_past"] is True
    assert "M1" not in assay(solvents, "status").out
    assert assay(solvents, "eval", "run", "--due").code == 0
    assert " eval: M1" in git(solvents, "show", "main:wiki/log.md")


def test_options_that_would_do_nothing_or_another_thing(
    assay: Assay, solvents: Path, refused: Callable[..., None], git: Git
) -> None:
    refused(assay(solvents, "eval", "run", "--push"), 2, "alone it pushes nothing", "--due --push")
    refused(assay(solvents, "eval", "run", "--at", ""), 2, "", "")
    git(solvents, "switch", "-q", "-c", "run/some-run")
    refused(assay(solvents, "eval", "run", "--metric", "M1"), 2, "which is a run and no target", "assay.target")


def test_a_detached_head_is_measured_and_queues_no_line(assay: Assay, solvents: Path, git: Git) -> None:
    git(solvents, "switch", "-q", "--detach")
    before = git(solvents, "rev-parse", "main")
    assert rows(assay, solvents, "--due")["M1"]["metrics"]["M1"]["value"] == 1.0
    git(solvents, "switch", "-q", "main")
    assert assay(solvents, "eval", "run", "--due").code == 0
    assert git(solvents, "rev-parse", "main") == before


def test_a_bare_repository_gets_its_lines(assay: Assay, make_wiki: Callable[..., Path], git: Git) -> None:
    bare = make_wiki({"wiki/solvents.md": PAGE}, bare=True)
    assert assay(bare, "eval", "run", "--due").code == 0
    assert git(bare, "show", "main:wiki/log.md").count(" eval: ") == 6


@pytest.mark.slow
def test_two_jobs_at_once_measure_once(process: Callable[..., Done], solvents: Path, git: Git) -> None:
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: process(solvents, "eval", "run", "--due", "--metric", "M1,M4,M6"), range(2)))
    assert [each.code for each in done] == [0, 0], done
    assert sorted("nothing is due" in each.out for each in done) == [False, True]
    assert git(solvents, "show", "main:wiki/log.md").count(" eval: ") == 3
    assert git(solvents, "for-each-ref", "refs/heads/run") == ""


def test_an_ack_of_nothing(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "eval", "ack", "M2", "--reason", "x"), 2, "never measured", "git assay eval run")
    measure(Wiki(solvents), "M2", 0.97, "healthy")
    refused(assay(solvents, "eval", "ack", "M2", "--reason", "x"), 2, "M2 is healthy", "git assay eval report")
    refused(assay(solvents, "eval", "ack", "M2", "--reason", " "), 2, "--reason is empty", "say why")
    measure(Wiki(solvents), "M5", 0.9, "degraded")
    refused(assay(solvents, "eval", "ack", "M5", "--reason", "x"), 2, "M5 is degraded", "git assay eval report")
    refused(assay(solvents, "eval", "ack", "all", "--reason", "x"), 2, "'all' is not one metric", "one by one")


def test_a_broken_metric_stops_an_ingest_with_4_and_an_ack_lets_it_pass(
    assay: Assay, solvents: Path, state: Callable[[Path], str]
) -> None:
    measure(Wiki(solvents), "M2", 0.5, "broken")
    before = state(solvents)
    for words in (("ingest", "raw/report.md"), ("run", "start", "--type", "ingest", "--source", "raw/report.md")):
        done = assay(solvents, *words)
        assert (done.code, done.out) == (4, "")
        assert "M2 is broken (0.50), and every ingest waits until it is mended" in done.err
        assert "git assay eval report --details M2 shows why" in done.err
    assert state(solvents) == before
    told = assay(solvents, "status").out
    assert "M2  0.50  broken" in told
    assert "blocks ingest, cascade, synthesis: git assay eval report --details M2" in told
    assert "git assay lint --cascade-backfill" in told
    acked = json.loads(assay(solvents, "eval", "ack", "m2", "--reason", "two sources only", "--json").out)
    assert (acked["schema"], acked["kind"], acked["metric"]) == ("assay/feedback/1", "ack", "M2")
    assert "acknowledged by" in assay(solvents, "status").out
    assert assay(solvents, "run", "start", "--type", "ingest", "--source", "raw/report.md").code == 0


def test_what_a_closed_gate_stops_is_a_line_of_json_too(
    assay: Assay, solvents: Path, staged: Callable[..., str], git: Git
) -> None:
    run = staged(solvents)
    measure(Wiki(solvents), "M2", 0.5, "broken")
    (solvents / "new.md").write_text("Solvents evaporate.\n")
    before = git(solvents, "rev-parse", "main")
    for words in (("ingest", "raw/report.md"), ("ingest", "new.md"), ("run", "finish", run), ("synthesize", "--due")):
        done = assay(solvents, *words, "--json")
        assert done.code == 4, done
        told = json.loads(done.out)
        told = told["runs"][0] if "runs" in told else told
        assert told.get("result", told.get("state")) == "no_verdict"
        assert "M2 is broken (0.50)" in told["error"]
        assert "git assay eval report --details M2" in told["hint"]
    assert git(solvents, "rev-parse", "main") == before  # a source that waits is not committed either
    rehearsed = assay(solvents, "ingest", "raw/report.md", "--dry-run")
    assert (rehearsed.code, "note: M2 is broken (0.50)" in rehearsed.err) == (0, True)


def test_an_ingest_that_is_told_again_is_not_measured_again(
    assay: Assay, wiki: Path, staged: Callable[..., str]
) -> None:
    run = staged(wiki)
    assert assay(wiki, "run", "finish", run).code == 0
    assert assay(wiki, "run", "finish", run).code == 0
    listed = json.loads(assay(wiki, "run", "list", "--json").out)
    assert sorted(one["run_type"] for one in listed["runs"]) == ["eval", "ingest"]


def test_an_ingest_that_lands_by_override_is_measured(assay: Assay, solvents: Path, staged: Callable[..., str]) -> None:
    false = '# Solvents\n\nSolvent use doubled.[^1]\n\n[^1]: raw/report.md, "Solvent use doubled"\n'
    run = staged(solvents, {"wiki/solvents.md": false})
    assert assay(solvents, "run", "finish", run).code == 1
    assert assay(solvents, "run", "override", run, "--reason", "it says so on paper").code == 0
    listed = json.loads(assay(solvents, "run", "list", "--json").out)
    assert sorted(one["run_type"] for one in listed["runs"]) == ["eval", "ingest"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show",), 0),
        (("show", "--json"), 0),
        (("show", "--transcript"), 0),
        (("diff",), 0),
        (("finish",), 2),
        (("rebase",), 1),
        (("abandon",), 1),
        (("override", "--reason", "x"), 1),
    ],
)
def test_what_is_done_with_runs_is_answered_of_an_eval_run(
    assay: Assay, solvents: Path, words: tuple[str, ...], code: int
) -> None:
    kept = measure(Wiki(solvents), "M1", 0.97, "healthy", "refs/heads/main")
    name, *options = words
    done = assay(solvents, "run", name, kept.run_id, *options)
    assert done.code == code, done
    assert "should not happen" not in done.err


def test_an_eval_run_left_nothing_to_take_up(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    kept = measure(Wiki(solvents), "M1", 0.97, "healthy", "refs/heads/main")
    refused(assay(solvents, "run", "start", "--from", kept.run_id), 2, "nothing to take up")


def test_cascade_coverage_is_measured_after_every_ingest(assay: Assay, solvents: Path, git: Git) -> None:
    assert assay(solvents, "ingest", "raw/report.md").code == 0
    listed = json.loads(assay(solvents, "run", "list", "--json").out)
    landed = [one["run_type"] for one in listed["runs"] if one["status"] == "committed"]
    assert sorted(landed) == ["eval", "ingest"]


def test_the_policy_may_leave_that_to_the_schedule(assay: Assay, solvents: Path, git: Git) -> None:
    policy = solvents / "assay.toml"
    policy.write_text(policy.read_text() + "\n[eval]\non_ingest = false\n")
    git(solvents, "commit", "-q", "-a", "-m", "policy")
    assert assay(solvents, "ingest", "raw/report.md").code == 0
    listed = json.loads(assay(solvents, "run", "list", "--json").out)
    assert [one["run_type"] for one in listed["runs"]] == ["ingest"]


def test_the_workspace_may_be_named_where_the_specification_has_it(
    assay: Assay, solvents: Path, refused: Callable[..., None]
) -> None:
    found = rows(assay, solvents, "--metric", "M1", "--workspace", "plant")
    assert found["M1"]["workspace"] == "plant"
    assert assay(solvents, "eval", "gold", "list", "--workspace", "plant").code == 0
    refused(assay(solvents, "eval", "run", "--workspace", "plan"), 2, "no workspace is called 'plan'", "'plant'")


def test_status_says_where_a_sample_is_too_small_to_tell(assay: Assay, solvents: Path) -> None:
    rows(assay, solvents, "--metric", "M1")
    assert "M1  1.00  healthy, uncertain" in assay(solvents, "status").out
    [told] = json.loads(assay(solvents, "status", "--json").out)["metrics"]
    assert (told["metric"], told["status"], told["uncertain"]) == ("M1", "healthy", True)
