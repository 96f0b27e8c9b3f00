"""The commands that others build on: what they print and how they exit is a promise."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGE = '# Solvents\n\nSolvent use fell by two fifths.[^1]\n\n[^1]: raw/report.md, "declined by two fifths"\n'
ALTERED = PAGE.replace('"declined by two fifths"', '"declined by three fifths"')
LINK = "Pages of this wiki.\n\n- [Solvents](solvents.md)"

Command = Callable[..., Any]

FINISH = {"schema", "result", "run_id", "status", "commit", "candidate", "verdict", "signed_by", "findings"}
SHOW = {
    "schema", "run_id", "workspace", "run_type", "triggered_by", "status", "verdict_decision", "reason", "started_at",
    "ended_at", "target", "base", "root", "head", "candidate", "commit", "branch", "sources", "loop_count",
    "unverified", "draft_only", "adopted", "used", "spent", "plan", "states", "verdict", "signed_by",
}  # fmt: skip
VERDICT = {
    "schema", "kind", "summary", "id", "run_id", "workspace", "target", "base", "head", "candidate", "tree", "policy",
    "verifier", "judge", "judges", "verdict", "reasoning", "per_claim_findings", "per_page_findings", "findings",
    "counts", "tokens_used", "created_at", "supersedes",
}  # fmt: skip
FINDING = {
    "check", "level", "result", "scope", "message", "path", "line", "column", "end_line", "claim", "source", "repair",
    "fingerprint", "new", "evidence",
}  # fmt: skip


def canonical(text: str) -> dict[str, Any]:
    """The one line of JSON that was printed, having seen that it is spelt canonically."""
    assert text.count("\n") == 1
    assert text.endswith("\n")
    value = json.loads(text)
    spelt = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert text == spelt + "\n"
    assert isinstance(value, dict)
    return value


@pytest.mark.slow
def test_a_page_lands_by_the_commands_as_they_are_promised(wiki: Path, process: Command, git: Command) -> None:
    started = process(wiki, "run", "start", "--type", "ingest", "--source", "raw/report.md")
    run = started.out.strip()
    assert (started.code, started.out) == (0, f"{run}\n")
    assert git(wiki, "rev-parse", "--verify", f"refs/heads/run/{run}")
    written = process(wiki, "run", "write", run, "wiki/solvents.md", stdin=PAGE.encode())
    assert (written.code, written.out, written.err) == (0, "", "")
    replaced = process(wiki, "run", "replace", run, "wiki/index.md", "--old", "Pages of this wiki.", "--new", LINK)
    assert (replaced.code, replaced.out, replaced.err) == (0, "", "")
    finished = process(wiki, "run", "finish", run, "--json")
    body = canonical(finished.out)
    assert finished.code == 0
    assert finished.err == ""
    assert set(body) == FINISH
    assert set(body["verdict"]) == VERDICT
    assert (body["schema"], body["result"], body["status"]) == ("assay/run-finish/1", "landed", "committed")
    assert body["commit"] == body["candidate"] == git(wiki, "rev-parse", "main")
    shown = process(wiki, "run", "show", run, "--json")
    assert shown.code == 0
    told = canonical(shown.out)
    assert set(told) == SHOW
    assert (told["schema"], told["status"], told["verdict_decision"]) == ("assay/run-show/1", "committed", "commit")
    assert told["verdict"] == body["verdict"]
    assert [step["path"] for step in told["plan"]] == ["wiki/index.md", "wiki/solvents.md"]
    assert (wiki / "wiki/solvents.md").read_text() == PAGE
    assert git(wiki, "status", "--porcelain") == ""


def test_a_rejected_run_exits_1_and_leaves_the_target(
    wiki: Path, assay: Command, staged: Command, git: Command
) -> None:
    before = git(wiki, "rev-parse", "main")
    run = staged(wiki, {"wiki/solvents.md": ALTERED, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    done = assay(wiki, "run", "finish", run, "--json")
    body = canonical(done.out)
    assert done.code == 1
    assert (body["result"], body["status"], body["commit"]) == ("rejected", "rejected", None)
    assert body["candidate"] == body["verdict"]["candidate"]
    assert all(set(finding) == FINDING for finding in body["findings"])
    [finding] = [each for each in body["findings"] if each["level"] == "error"]
    assert (finding["check"], finding["result"]) == ("quote_anchor", "altered")
    assert (finding["path"], finding["line"], finding["new"]) == ("wiki/solvents.md", 5, True)
    assert git(wiki, "rev-parse", "main") == before


@pytest.mark.slow
def test_a_run_to_be_revised_exits_1_and_is_pending(wiki: Path, assay: Command, staged: Command) -> None:
    page = PAGE + "\nA sentence that nobody cited.\n"
    run = staged(wiki, {"wiki/solvents.md": page, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    done = assay(wiki, "run", "finish", run, "--json")
    assert done.code == 1
    assert (canonical(done.out)["result"], canonical(done.out)["status"]) == ("revise", "pending")
    assay(wiki, "run", "write", run, "wiki/solvents.md", stdin=PAGE.encode())
    assert assay(wiki, "run", "finish", run).code == 0


def test_no_verdict_exits_3_and_the_run_is_pending(
    make_wiki: Command, assay: Command, staged: Command, refused: Command
) -> None:
    wiki = make_wiki({"assay.toml": "[verify]\njudge = 'none'\nmin_judged = 1.0\n"})
    run = staged(wiki)
    refused(assay(wiki, "run", "finish", run, "--json"), 3, "no verdict: 0 of 1 claims")
    assert canonical(assay(wiki, "run", "show", run, "--json").out)["status"] == "pending"


def test_a_text_that_does_not_stand_exactly_once_rejects_the_run(
    wiki: Path, assay: Command, staged: Command, refused: Command
) -> None:
    run = staged(wiki)
    done = assay(wiki, "run", "replace", run, "wiki/index.md", "--old", "e", "--new", "x")
    refused(done, 1, "times, not once")
    assert canonical(assay(wiki, "run", "show", run, "--json").out)["status"] == "rejected"


def test_verify_judges_without_landing(wiki: Path, assay: Command, staged: Command, state: Command) -> None:
    run = staged(wiki, {"wiki/solvents.md": ALTERED, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    before = state(wiki)
    done = assay(wiki, "verify", f"run/{run}", "--base", "main", "--json")
    body = canonical(done.out)
    assert done.code == 1
    assert set(body) == VERDICT
    assert (body["schema"], body["verdict"], body["run_id"]) == ("assay/verdict/1", "reject", run)
    assert state(wiki) == before


def test_verify_of_head_against_itself_says_yes(wiki: Path, assay: Command) -> None:
    done = assay(wiki, "verify", "HEAD", "--base", "main", "--json")
    assert (done.code, canonical(done.out)["verdict"]) == (0, "commit")


def test_verify_prints_sarif(wiki: Path, assay: Command, staged: Command) -> None:
    run = staged(wiki, {"wiki/solvents.md": ALTERED, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    done = assay(wiki, "verify", f"run/{run}", "--sarif")
    log = canonical(done.out)
    assert (done.code, log["version"]) == (1, "2.1.0")
    assert [result["baselineState"] for result in log["runs"][0]["results"]] == ["new"]


def test_verify_judges_what_is_staged(wiki: Path, assay: Command, git: Command) -> None:
    (wiki / "wiki/solvents.md").write_text(ALTERED)
    git(wiki, "add", ".")
    done = assay(wiki, "verify", "--staged", "--json")
    assert done.code == 1
    assert "altered" in {finding["result"] for finding in canonical(done.out)["findings"]}


def test_an_override_needs_its_reason(wiki: Path, assay: Command, staged: Command, refused: Command) -> None:
    run = staged(wiki, {"wiki/solvents.md": ALTERED, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    assay(wiki, "run", "finish", run)
    refused(assay(wiki, "verify", "override", run), 2, "--reason")
    refused(assay(wiki, "verify", "override", run, "--reason", " "), 1, "says why")


def test_an_override_lands_what_was_refused_and_says_who(
    wiki: Path, assay: Command, staged: Command, git: Command
) -> None:
    run = staged(wiki, {"wiki/solvents.md": ALTERED, "wiki/index.md": "# Index\n\n[Solvents](solvents.md)\n"})
    assert assay(wiki, "run", "finish", run).code == 1
    done = assay(wiki, "verify", "override", run, "--reason", "the scan is wrong", "--json")
    body = canonical(done.out)
    assert (done.code, body["result"], body["verdict"]["verdict"]) == (0, "landed", "commit_override")
    assert "Ada Writer" in body["verdict"]["reasoning"]
    assert git(wiki, "rev-parse", "main") == body["commit"]
    assert [each["run_id"] for each in canonical(assay(wiki, "status", "--json").out)["overrides"]] == [run]


def test_what_is_over_is_told_as_over(wiki: Path, assay: Command, staged: Command, refused: Command) -> None:
    run = staged(wiki)
    assert assay(wiki, "run", "finish", run).code == 0
    assert assay(wiki, "run", "finish", run).code == 0  # finishing is safe to repeat: it has landed, and says so
    refused(assay(wiki, "run", "write", run, "wiki/more.md", stdin=b"# More\n"), 1, "committed already")
    refused(assay(wiki, "run", "abandon", run), 1, "committed already")


def test_every_listing_has_canonical_json(wiki: Path, assay: Command, staged: Command) -> None:
    run = staged(wiki)
    assay(wiki, "run", "finish", run)
    for words in (("run", "list"), ("status",), ("log",), ("doctor",), ("hooks", "status"), ("explain",)):
        body = canonical(assay(wiki, *words, "--json").out)
        assert str(body["schema"]).startswith("assay/")
    for name in assay(wiki, "schema").out.split():
        canonical(assay(wiki, "schema", name).out)


@pytest.mark.usefixtures("git_assay")
@pytest.mark.slow
def test_git_itself_finds_the_command(wiki: Path, tmp_path: Path) -> None:
    started = subprocess.run(
        ["git", "-C", wiki, "assay", "run", "start", "--source", "raw/report.md"], capture_output=True, check=True
    )
    run = started.stdout.decode().strip()
    by_git_dir = ["git", f"--git-dir={wiki}/.git", "assay", "run", "show", run, "--json"]
    shown = subprocess.run(by_git_dir, capture_output=True, check=True, cwd=tmp_path)
    assert json.loads(shown.stdout)["run_id"] == run
