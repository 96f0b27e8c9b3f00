from __future__ import annotations

import json
from collections.abc import Callable
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


def test_a_pull_request_gets_no_line(assay: Assay, solvents: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    before = git(solvents, "rev-parse", "main")
    assert assay(solvents, "eval", "run", "--due").code == 0
    assert git(solvents, "rev-parse", "main") == before
    monkeypatch.delenv("GITHUB_EVENT_NAME")
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


def test_an_ack_of_nothing(assay: Assay, solvents: Path, refused: Callable[..., None]) -> None:
    refused(assay(solvents, "eval", "ack", "M2", "--reason", "x"), 2, "never measured", "git assay eval run")
    measure(Wiki(solvents), "M2", 0.97, "healthy")
    refused(assay(solvents, "eval", "ack", "M2", "--reason", "x"), 2, "M2 is healthy", "git assay eval report")
    refused(assay(solvents, "eval", "ack", "M2", "--reason", " "), 2, "--reason is empty", "say why")
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
