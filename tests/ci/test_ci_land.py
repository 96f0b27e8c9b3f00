from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from gitops.ci import proposing
from gitops.ci.landing import Lander
from gitops.ci.taming import JOINER
from gitops.cli import main
from gitops.runs import endings, names, store, syncing
from gitops.runs.examining import examine
from tests.ci.comment_results import html, needs_cmark
from tests.ci.github_server import GitHubServer
from tests.runs.driving import CLOCK, MAIN, QUOTE, Wiki, first_files, name, page
from tests.runs.signed import ALLOWED, POLICY, make_key, signer
from tests.runs.test_kills import Killed, killing

PROJECT = Path(__file__).parents[2]
REFUSING = 'case "$1" in refs/heads/main) echo "GH006: Protected branch update failed." >&2; exit 1;; esac'
"""An `update` hook that protects main, as a code host does."""
VERDICT_FIRST = (
    'case "$1" in refs/heads/main) '
    'git notes --ref=refs/notes/assay/verdicts show "$3" >/dev/null || { echo "no verdict yet" >&2; exit 1; };; esac'
)


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@dataclass
class Place:
    """A bare repository with its GitHub, a laptop that pushes runs to it, and jobs that land them."""

    hub: GitHubServer
    server: Wiki
    laptop: Wiki
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]
    jobs: int = 0
    minutes: int = 0

    def hook(self, script: str) -> None:
        path = self.server.folder / "hooks" / "update"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def pushed(self, pages: Mapping[str, str | None] | None = None, **request: Any) -> str:
        """A run that was staged on the laptop and pushed, as a branch alone."""
        run = self.laptop.run(pages, **request)
        self.laptop.git("push", "--quiet", "origin", f"run/{run.id}")
        return run.id

    def clone(self) -> Path:
        """What `actions/checkout` leaves: the default branch, whole, and no notes."""
        self.jobs += 1
        to = self.folder / f"job-{self.jobs}"
        self.laptop.git("clone", "--quiet", str(self.server.folder), str(to))
        return to

    def job(
        self,
        *words: str,
        clone: Path | None = None,
        push_of: str = "",
        event: Mapping[str, Any] | None = None,
        key: Path | None = None,
        **environment: str,
    ) -> Done:
        """`git assay ci land` in a fresh clone, a minute later than the last."""
        where = clone or self.clone()
        if key is not None:
            subprocess.run(["git", "-C", where, "config", "assay.signingkey", str(key)], check=True)
        self.minutes += 1
        named = {"ASSAY_CLOCK": str(int(CLOCK.timestamp()) + 60 * self.minutes)}
        named["GITHUB_STEP_SUMMARY"] = str(self.folder / "summary.md")
        if push_of or event is not None:
            (self.folder / "event.json").write_text(json.dumps({"workflow_run": {**EVENT, **(event or {})}}))
            if push_of:
                told = {**EVENT, "head_branch": push_of if "/" in push_of else f"run/{push_of}"}
                (self.folder / "event.json").write_text(json.dumps({"workflow_run": told}))
            named |= {"GITHUB_EVENT_NAME": "workflow_run", "GITHUB_EVENT_PATH": str(self.folder / "event.json")}
        token = environment.pop("GITHUB_TOKEN", None) or self.hub.token(pull_requests="write", contents="write")
        with self.monkeypatch.context() as patch:
            for key_, value in {**self.hub.environment(token), **named, **environment}.items():
                patch.setenv(key_, value)
            self.capfd.readouterr()
            code = main(["-C", str(where), "ci", "land", *words])
            printed = self.capfd.readouterr()
        assert "should not happen" not in printed.err, printed.err
        return Done(code, printed.out, printed.err)

    @property
    def summary(self) -> str:
        return (self.folder / "summary.md").read_text()

    def fsck(self) -> None:
        self.server.git("fsck", "--strict", "--no-dangling")


EVENT = {
    "event": "push",
    "conclusion": "success",
    "head_sha": "a" * 40,
    "head_branch": "main",
    "head_repository": {"full_name": "ada/wiki"},
    "repository": {"full_name": "ada/wiki"},
    "run_started_at": "2024-01-02T03:04:05Z",
}


@pytest.fixture(autouse=True)
def _no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in [each for each in os.environ if each.startswith("GITHUB_")]:
        monkeypatch.delenv(variable)


@pytest.fixture
def make_place(
    make_repository: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Callable[..., Place]]:
    hubs: list[GitHubServer] = []

    def make(policy: str = "", files: Mapping[str, str] | None = None) -> Place:
        bare = make_repository({**first_files(policy), **(files or {})}, bare=True, name="server")
        hubs.append(GitHubServer(git=bare))
        hubs[-1].__enter__()
        server = Wiki(bare)
        server.git("clone", "--quiet", str(bare), str(tmp_path / "laptop"))
        return Place(hubs[-1], server, Wiki(tmp_path / "laptop"), tmp_path, monkeypatch, capfd)

    yield make
    for each in hubs:
        each.__exit__(None, None, None)


@pytest.fixture
def place(make_place: Callable[..., Place]) -> Place:
    return make_place()


def _unchanged(place: Place, before: str) -> None:
    assert place.server.refs() == before
    place.fsck()


@pytest.mark.parametrize(
    "event",
    [
        {"event": "pull_request"},
        {"event": "push", "head_repository": {"full_name": "eve/wiki"}},
        {"event": "push", "head_repository": None},
        {"event": "workflow_dispatch"},
    ],
)
def test_what_somebody_elses_workflow_set_off_lands_nothing(place: Place, event: dict[str, Any]) -> None:
    run = place.pushed()
    before = place.server.refs()
    done = place.job(event={"head_branch": f"run/{run}", **event})
    assert done.code == 1
    assert "only what was pushed to ada/wiki is landed" in done.err
    _unchanged(place, before)


ODD = ["run/../x", "run/-x", "run/UPPER", "run/a b c", "run/x\n", "--all", "run/" + 64 * "x", "run/"]


@pytest.mark.parametrize("branch", ["main", *ODD])
def test_a_branch_that_is_no_runs_name_lands_nothing(place: Place, branch: str) -> None:
    place.pushed()
    before = place.server.refs()
    done = place.job(event={"head_branch": branch})
    assert (done.code, done.out) == (2, "")
    assert "is no run" in done.err
    if branch in ODD:
        done = place.job("--", branch)
        assert (done.code, done.out) == (2, "")
        assert "is no run id" in done.err
    _unchanged(place, before)


def test_a_run_that_is_not_there_is_told(place: Place) -> None:
    before = place.server.refs()
    done = place.job("20240102-030405-deadbeef")
    assert (done.code, done.out.splitlines()[0]) == (
        2,
        "run 20240102-030405-deadbeef: refused: there is no run '20240102-030405-deadbeef'",
    )
    _unchanged(place, before)


def test_where_nothing_waits_that_is_said(place: Place) -> None:
    before = place.server.refs()
    done = place.job()
    assert (done.code, done.out) == (0, "no run waits to be landed\n")
    assert "No run waits to be landed." in place.summary
    _unchanged(place, before)


@pytest.mark.slow
def test_a_run_that_is_rejected_is_kept_and_told_by_place_and_mend(place: Place) -> None:
    main_before = place.server.ref(MAIN)
    run = place.pushed({name(0): page(0, QUOTE.replace("twice", "thrice"))})
    done = place.job(push_of=run)
    assert done.code == 1
    assert done.out.startswith(f"run {run}: rejected: ")
    assert re.search(r"^  error quote_anchor altered wiki/p000\.md:\d+: ", done.out, re.MULTILINE)
    assert f"git assay run start --from {run}" in done.out
    assert place.server.ref(MAIN) == main_before
    assert place.server.ref(names.branch(run)) is None
    assert place.server.ref(names.kept(run)) is not None
    assert f"`{run}`" in place.summary
    assert "rejected" in place.summary
    place.laptop.assay("sync")
    assert place.laptop.find(run).status == "rejected"
    place.fsck()


@pytest.mark.slow
def test_a_branch_whose_content_the_remote_does_not_keep_stays(place: Place) -> None:
    place.hook('case "$1" in refs/assay/kept/*) echo "not kept here" >&2; exit 1;; esac')
    run = place.pushed({name(0): page(0, QUOTE.replace("twice", "thrice"))})
    assert place.job(push_of=run).code == 1
    assert place.server.ref(names.branch(run)) is not None
    good = place.pushed({name(1): page(1)})
    assert place.job(good).code == 0
    assert place.server.ref(names.branch(good)) is None


@pytest.mark.slow
@needs_cmark
def test_names_of_a_page_do_nothing_in_the_summary(place: Place) -> None:
    odd = "wiki/a @eve #1 ]( <b>.md"
    run = place.pushed({odd: page(0, QUOTE.replace("twice", "thrice"))})
    assert place.job(push_of=run).code == 1
    assert f"wiki/a @{JOINER}eve #1 ]( <b>.md:5" in place.summary
    shown = LexborHTMLParser(html(place.summary))
    assert shown.css("b, a, img, script") == []
    assert len(shown.css("td")) == 4
    assert "@eve" not in shown.text()


@pytest.mark.slow
def test_a_branch_whose_middle_commit_touches_a_source_lands_nothing(place: Place) -> None:
    run = place.laptop.run({name(0): page(0)})
    place.laptop.git("switch", "--quiet", f"run/{run.id}")
    source = place.laptop.folder / "raw" / "tides.md"
    honest = source.read_text()
    for text in (honest + "And thrice on Sundays.\n", honest):
        source.write_text(text)
        place.laptop.git("commit", "--quiet", "--all", "--message", "Nothing to see")
    place.laptop.git("push", "--quiet", "origin", f"run/{run.id}")
    main_before = place.server.ref(MAIN)
    done = place.job(push_of=run.id)
    assert done.code == 1
    assert "raw_sealed" in done.out
    assert place.server.ref(MAIN) == main_before


@pytest.mark.slow
def test_a_run_by_somebody_whom_the_policy_does_not_name_lands_nothing(make_place: Callable[..., Place]) -> None:
    place = make_place('[runs]\nadopt_from = ["*@trusted.example"]\n')
    run = place.pushed()
    main_before = place.server.ref(MAIN)
    done = place.job(push_of=run)
    assert done.code == 1
    assert "whom [runs] adopt_from does not allow" in done.out
    assert (place.server.ref(MAIN), place.server.ref(names.branch(run)) is None) == (main_before, False)


@pytest.mark.slow
def test_records_that_say_otherwise_do_not_get_a_strangers_run_in(make_place: Callable[..., Place]) -> None:
    place = make_place('[runs]\nadopt_from = ["*@trusted.example"]\n')
    run = place.pushed()
    assert place.laptop.assay("sync").returncode == 0
    assert place.laptop.find(run).record.adopted is False
    main_before = place.server.ref(MAIN)
    done = place.job(push_of=run)
    assert done.code == 1
    assert "whom [runs] adopt_from does not allow" in done.out
    assert place.server.ref(MAIN) == main_before


@pytest.mark.slow
def test_a_run_for_another_branch_is_not_landed_on_it(place: Place) -> None:
    place.laptop.git("push", "--quiet", "origin", "main:release")
    place.laptop.git("branch", "release", "origin/release")
    began = place.laptop.assay("run", "start", "--type", "cascade", "--target", "release")
    run = began.stdout.strip()
    place.laptop.assay("run", "write", run, name(0), input=page(0))
    place.laptop.git("push", "--quiet", "origin", f"run/{run}")
    assert place.laptop.assay("sync").returncode == 0
    before = place.server.ref("refs/heads/release")
    done = place.job(push_of=run)
    assert done.code == 1
    assert f"run {run} is for release, and here runs land on main" in done.out
    assert place.server.ref("refs/heads/release") == before


@pytest.mark.slow
def test_a_run_that_is_to_be_revised_waits_and_is_not_judged_over_and_over(place: Place) -> None:
    run = place.pushed({name(0): f"{page(0)}\nNobody says why this is so.\n"})
    done = place.job(push_of=run)
    assert done.code == 1
    assert done.out.startswith(f"run {run}: to be revised: ")
    assert place.server.ref(names.branch(run)) is not None
    notes_before = place.server.refs()
    again = place.job()
    assert (again.code, again.out.startswith(f"run {run}: waiting: it waits to be mended")) == (0, True)
    _unchanged(place, notes_before)
    assert place.job(run).code == 1


@pytest.mark.slow
def test_where_the_remote_takes_no_notes_nothing_lands(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncing, "TRIES", 2)
    place.hook('case "$1" in refs/notes/*) echo "no notes here" >&2; exit 1;; esac')
    run = place.pushed()
    main_before = place.server.ref(MAIN)
    done = place.job(push_of=run)
    assert done.code == 3
    assert "verified, not landed" in done.out
    assert "did not take the notes" in done.err
    assert place.server.ref(MAIN) == main_before
    assert place.server.ref(names.branch(run)) is not None
    place.hook("exit 0")
    assert place.job(push_of=run).code == 0


@pytest.mark.slow
def test_a_protected_branch_without_a_token_is_not_landed_for_both_reasons(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    done = place.job(push_of=run, GITHUB_TOKEN=" ")
    assert done.code == 3
    assert "GH006: Protected branch update failed" in done.out
    assert "nor is it a pull request: GITHUB_TOKEN holds no token" in done.out
    assert place.server.ref(names.branch(run)) is not None


@pytest.mark.slow
def test_a_token_that_may_open_no_pull_request_is_told(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    done = place.job(push_of=run, GITHUB_TOKEN=place.hub.token(contents="write"))
    assert done.code == 3
    assert "it lacks pull-requests: write" in done.out
    assert place.job(push_of=run).code == 0


@pytest.mark.slow
def test_with_never_a_protected_branch_gets_no_pull_request(place: Place) -> None:
    place.hook(REFUSING)
    done = place.job("--pull-request", "never", push_of=place.pushed())
    assert done.code == 3
    assert "verified, not landed: " in done.out
    assert place.hub.sent("POST") == []


@pytest.mark.slow
def test_commits_of_somebody_else_on_the_pull_requests_branch_are_left_alone(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    place.laptop.git("push", "--quiet", "origin", f"main:refs/heads/assay/{run}")
    theirs = place.server.ref(proposing.branch(run))
    done = place.job(push_of=run)
    assert done.code == 3
    assert f"which is no candidate of run {run}" in done.out
    assert place.server.ref(proposing.branch(run)) == theirs
    assert place.hub.pulls == {}


@pytest.mark.slow
def test_a_run_lands_with_its_verdict_there_first_and_its_branch_is_taken_down(place: Place) -> None:
    place.hook(VERDICT_FIRST)
    base = place.server.ref(MAIN)
    run = place.pushed()
    clone = place.clone()
    done = place.job(push_of=run, clone=clone)
    assert (done.code, done.err) == (0, "")
    tip = place.server.ref(MAIN)
    assert tip is not None
    assert place.server.git("rev-parse", f"{tip}^1") == base
    assert done.out.startswith(f"run {run}: landed as {tip[:10]}: ")
    assert place.server.show(name(0)) == page(0).rstrip("\n")
    assert place.server.ref(names.branch(run)) is None
    assert Wiki(clone).ref(MAIN) == tip
    assert Wiki(clone).git("status", "--porcelain") == ""
    place.laptop.assay("sync")
    place.laptop.git("pull", "--quiet", "--ff-only")
    assert place.laptop.find(run).state.candidate == tip
    assert f"| `{run}` | landed | `{tip[:10]}` |" in place.summary
    assert place.hub.sent("POST") == []
    place.fsck()


@pytest.mark.slow
def test_landing_it_again_changes_nothing_and_says_the_same(place: Place) -> None:
    run = place.pushed()
    first = place.job(push_of=run)
    before = place.server.refs()
    again = place.job(push_of=run)
    assert (again.code, again.out.split(":")[:2]) == (0, first.out.split(":")[:2])
    _unchanged(place, before)


@pytest.mark.slow
def test_runs_whose_job_was_dropped_land_with_the_next(place: Place) -> None:
    runs = [place.pushed({name(number): page(number)}) for number in range(3)]
    place.laptop.git("push", "--quiet", "origin", "main:refs/heads/run/UPPER")
    done = place.job(push_of=runs[1])
    assert done.code == 0
    told = [line.split(":")[0] for line in done.out.splitlines()]
    assert told == [f"run {run}" for run in (runs[1], *sorted({runs[0], runs[2]}))]
    assert "run/UPPER at origin is no run's name; it is left alone" in done.err
    assert place.server.git("rev-list", "--count", "--first-parent", "main") == "4"
    assert [ref for ref in place.server.refs().split() if ref.startswith(names.BRANCHES)] == ["refs/heads/run/UPPER"]


@pytest.mark.slow
def test_named_runs_alone_land(place: Place) -> None:
    one, two = (place.pushed({name(number): page(number)}) for number in range(2))
    assert place.job(f"run/{two}").code == 0
    assert (place.server.ref(names.branch(one)) is None, place.server.ref(names.branch(two))) == (False, None)


@pytest.mark.slow
def test_of_a_good_and_a_bad_run_the_good_one_lands(place: Place) -> None:
    good = place.pushed()
    place.pushed({name(1): page(1, QUOTE.replace("twice", "thrice"))})
    done = place.job()
    assert done.code == 1
    assert f"run {good}: landed as " in done.out
    assert "rejected" in done.out


@pytest.mark.slow
def test_what_was_pushed_to_the_run_meanwhile_is_not_taken_down(place: Place) -> None:
    run = place.pushed()
    assert place.job(push_of=run).code == 0
    place.laptop.git("switch", "--quiet", f"run/{run}")
    place.laptop.git("commit", "--quiet", "--allow-empty", "--message", "One more thing")
    place.laptop.git("push", "--quiet", "origin", f"run/{run}")
    done = place.job()
    assert done.code == 1
    assert "is committed already, and what was pushed since is another run's" in done.out
    assert re.search(r"git push origin [0-9a-f]{10}:refs/heads/run/NEW-ID", done.out)
    assert place.server.ref(names.branch(run)) is not None


def _one_pull(place: Place) -> Any:
    [pull] = place.hub.pulls.values()
    return pull


@pytest.mark.slow
def test_a_protected_branch_gets_a_pull_request_with_just_what_was_verified(place: Place) -> None:
    place.hook(REFUSING)
    base = place.server.ref(MAIN)
    run = place.pushed()
    done = place.job(push_of=run)
    assert done.code == 0
    assert f"run {run}: verified; a pull request waits {place.hub.origin}/ada/wiki/pull/1: opened #1: " in done.out
    candidate = place.server.ref(proposing.branch(run))
    assert candidate is not None
    assert place.server.ref(MAIN) == base
    pull = _one_pull(place)
    assert (pull.title, pull.head_ref, pull.base_ref) == (f"Land run {run}", f"assay/{run}", "main")
    assert f"`{candidate[:10]}`" in pull.body
    assert "- create `wiki/p000.md`" in pull.body
    assert "`commit`" in pull.body
    place.laptop.assay("sync")
    assert store.verdicts_on(place.laptop.context(), candidate)[0].verdict == "commit"
    place.fsck()


@pytest.mark.slow
def test_a_pull_request_that_waits_is_opened_once_and_says_the_same(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    place.job(push_of=run)
    before = place.server.refs()
    idle = place.job()
    assert (idle.code, idle.out.splitlines()[0]) == (0, f"run {run}: waiting: it waits as assay/{run} to be merged")
    assert f"git assay run abandon {run}, if it is not to land" in idle.out
    _unchanged(place, before)
    again = place.job(push_of=run)
    assert again.code == 0
    assert "brought up to date #1" in again.out
    assert f"{place.server.ref(proposing.branch(run))} commit\t{proposing.branch(run)}" in before
    assert len(place.hub.pulls) == 1


@pytest.mark.slow
def test_when_the_base_has_moved_the_pull_request_shows_the_new_candidate(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    place.job(push_of=run)
    old = place.server.ref(proposing.branch(run))
    place.hook("exit 0")
    other = place.pushed({name(1): page(1)})
    assert place.job(other).code == 0
    place.hook(REFUSING)
    done = place.job()
    assert done.code == 0
    assert "brought up to date #1" in done.out
    new = place.server.ref(proposing.branch(run))
    assert new not in (None, old)
    assert place.server.git("rev-parse", f"{new}^1") == place.server.ref(MAIN)
    assert len(place.hub.pulls) == 1


@pytest.mark.slow
@pytest.mark.parametrize("how", ["merge", "squash"])
@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_pull_request_that_a_button_merged_is_recorded_as_landed(place: Place, how: str, is_deleted: bool) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    place.job(push_of=run)
    candidate = place.server.ref(proposing.branch(run))
    merged = place.hub.merge(_one_pull(place), how)
    if is_deleted:
        place.server.git("update-ref", "-d", proposing.branch(run))
    place.hook("exit 0")
    done = place.job()
    assert done.code == 0
    as_ = candidate if how == "merge" else merged
    assert done.out.startswith(f"run {run}: landed as {str(as_)[:10]}")
    assert place.server.ref(MAIN) == merged
    assert (place.server.ref(names.branch(run)), place.server.ref(proposing.branch(run))) == (None, None)
    place.laptop.assay("sync")
    place.laptop.git("pull", "--quiet", "--ff-only")
    assert place.laptop.find(run).status == "committed"
    assert store.landed_runs(place.laptop.context(), merged) == ([run] if how == "squash" else [])
    before = place.server.refs()
    assert place.job().out == "no run waits to be landed\n"
    _unchanged(place, before)


@pytest.mark.slow
def test_a_job_that_is_killed_before_it_opens_the_pull_request_is_taken_up_by_the_next(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    place.hub.next("POST", "/pulls", 500, times=1)
    assert place.job(push_of=run).code == 3
    candidate = place.server.ref(proposing.branch(run))
    assert (candidate is None, place.hub.pulls) == (False, {})
    blind = place.job(GITHUB_TOKEN=" ")
    assert (blind.code, f"run {run}: waiting: " in blind.out) == (0, True)
    assert "whether a pull request shows" in blind.err
    done = place.job()
    assert (done.code, "opened #1" in done.out) == (0, True)
    assert (place.server.ref(proposing.branch(run)), len(place.hub.pulls)) == (candidate, 1)


@pytest.mark.slow
def test_a_pull_request_that_somebody_closed_is_not_opened_over_and_over(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    assert place.job(push_of=run).code == 0
    _one_pull(place).state = "closed"
    done = place.job()
    assert (done.code, f"run {run}: waiting: " in done.out) == (0, True)
    assert len(place.hub.pulls) == 1


@pytest.mark.slow
def test_a_run_that_is_abandoned_while_its_pull_request_waits_does_not_come_again(place: Place) -> None:
    place.hook(REFUSING)
    run = place.pushed()
    assert place.job(push_of=run).code == 0
    assert place.laptop.assay("sync").returncode == 0
    assert place.laptop.assay("run", "abandon", run).returncode == 0
    assert place.laptop.assay("sync").returncode == 0
    done = place.job()
    assert (done.code, done.out) == (0, f"run {run}: ended before: it is abandoned already\n")
    assert (place.server.ref(names.branch(run)), place.server.ref(proposing.branch(run))) == (None, None)
    assert len(place.hub.pulls) == 1
    place.fsck()


@pytest.mark.slow
def test_an_ingest_that_a_button_merged_by_squash_is_measured_as_any_other(make_place: Callable[..., Place]) -> None:
    place = make_place("[eval]\non_ingest = true\n")
    run = place.pushed(run_type="ingest", sources=("raw/tides.md",))
    place.hook(REFUSING)
    assert place.job(push_of=run).code == 0
    clone = place.clone()
    merged = place.hub.merge(_one_pull(place), "squash")
    place.hook("exit 0")
    done = place.job(clone=clone)
    assert (done.code, done.out.startswith(f"run {run}: landed as {merged[:10]}")) == (0, True)
    assert Wiki(clone).ref(MAIN) == merged
    place.laptop.assay("sync")
    measured = place.laptop.git("notes", f"--ref={names.EVALS}", "show", merged)
    assert '"suite":"M2"' in measured


@pytest.mark.slow
def test_records_that_say_that_a_run_ended_take_nothing_down_that_is_not_held_elsewhere(place: Place) -> None:
    run = place.pushed()
    context, head = place.laptop.context(), place.server.ref(names.branch(run))
    found = place.laptop.find(run)
    endings.record(context, found, endings.next_state(context, found, "rejected", reason="says who?", head=head))
    assert place.laptop.assay("sync").returncode == 0
    done = place.job()
    assert done.out == f"run {run}: ended before: it is rejected already\n"
    assert place.server.ref(names.branch(run)) == head is not None


@pytest.mark.slow
def test_what_is_kept_otherwise_at_the_remote_holds_nothing(place: Place) -> None:
    run = place.pushed({name(0): page(0, QUOTE.replace("twice", "thrice"))})
    place.laptop.git("push", "--quiet", "origin", f"main:{names.kept(run)}")
    head = place.server.ref(names.branch(run))
    assert place.job(push_of=run).code == 1
    assert place.server.ref(names.branch(run)) == head is not None


@pytest.mark.slow
def test_a_run_that_was_written_anew_lands_where_nothing_of_the_old_one_is(place: Place) -> None:
    run = place.pushed()
    clone = place.clone()
    place.hook('case "$1" in refs/heads/main) exit 1;; esac')
    assert place.job("--pull-request", "never", push_of=run, clone=clone).code == 3
    place.laptop.git("switch", "--quiet", f"run/{run}")
    place.laptop.git("commit", "--quiet", "--amend", "--no-edit", "--message", "Said better")
    place.laptop.git("push", "--quiet", "--force", "origin", f"run/{run}")
    place.hook("exit 0")
    done = place.job(push_of=run, clone=clone)
    assert done.code == 3
    assert done.out.startswith(f"run {run}: no verdict: run/{run} was written anew at origin, and this clone has it")
    assert f"git fetch origin +run/{run}:run/{run} takes what is there" in done.out
    assert place.job(push_of=run).code == 0


@pytest.mark.slow
def test_with_always_a_branch_that_may_be_pushed_gets_a_pull_request_too(place: Place) -> None:
    base = place.server.ref(MAIN)
    done = place.job("--pull-request", "always", push_of=place.pushed())
    assert done.code == 0
    assert "opened #1: verified, not landed: a pull request is wanted" in done.out
    assert place.server.ref(MAIN) == base


@pytest.mark.slow
def test_with_squash_style_the_candidate_stands_alone(make_place: Callable[..., Place]) -> None:
    place = make_place('[publish]\nstyle = "squash"\n')
    run = place.pushed()
    assert place.job(push_of=run).code == 0
    assert len(place.server.git("rev-list", "--parents", "-n1", "main").split()) == 2
    assert place.server.ref(f"refs/assay/kept/{run}") is not None


@pytest.fixture
def signed(make_place: Callable[..., Place], tmp_path: Path) -> Place:
    key = make_key(tmp_path, "ci")
    make_key(tmp_path, "eve")
    return make_place(POLICY, {ALLOWED: signer(key)})


@pytest.mark.slow
def test_without_the_key_nothing_lands_where_verdicts_are_signed(signed: Place, tmp_path: Path) -> None:
    run = signed.pushed()
    base = signed.server.ref(MAIN)
    done = signed.job(push_of=run)
    assert (done.code, "no verdict" in done.out) == (3, True)
    other = signed.job(push_of=run, key=tmp_path / "eve")
    assert other.code == 3
    assert "verified, not landed: the verdict's signature would not count" in other.out
    assert signed.server.ref(MAIN) == base
    assert signed.hub.sent("POST") == []


@pytest.mark.slow
def test_with_the_key_a_run_lands_signed(signed: Place, tmp_path: Path) -> None:
    run = signed.pushed()
    assert signed.job(push_of=run, key=tmp_path / "ci").code == 0
    signed.laptop.assay("sync")
    signed.laptop.git("pull", "--quiet", "--ff-only")
    found = examine(signed.laptop.context(), str(signed.server.ref(MAIN)))
    assert (found.problem, found.attested.signer) == ("", "ci@example.org")


STEPS = ("verifying", "candidate", "verdict", "publish", "swap", "published", "committed", "recorded")


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_job_that_is_killed_is_taken_up_by_the_next(place: Place, step: str) -> None:
    run = place.pushed()
    base = place.server.ref(MAIN)
    killed = Wiki(place.clone())

    def nobody() -> Any:
        raise AssertionError("GitHub is not asked")

    with pytest.raises(Killed):
        Lander(killed.context(killing(step)), "origin", "auto", nobody).land([run], others=False)
    place.fsck()
    tip = place.server.ref(MAIN)
    assert tip == base or place.server.git("notes", f"--ref={names.VERDICTS}", "show", str(tip))
    done = place.job(push_of=run)
    assert done.code == 0
    assert place.server.git("rev-list", "--count", "--first-parent", "main") == "2"
    assert tip in (base, place.server.ref(MAIN))
    assert place.server.ref(names.branch(run)) is None


@pytest.mark.slow
def test_jobs_at_once_land_each_run_once(place: Place) -> None:
    runs = [place.pushed({name(number): page(number)}) for number in range(2)]
    token = place.hub.token(pull_requests="write")
    environment = {**os.environ, **place.hub.environment(token), "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "gitops", "ci", "land"]
    jobs = [
        subprocess.Popen(command, cwd=place.clone(), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(3)
    ]
    said = [job.communicate(timeout=120)[0].decode() for job in jobs]
    assert all("should not happen" not in each for each in said), said
    done = place.job()
    assert done.code == 0, (said, done)
    assert place.server.git("rev-list", "--count", "--first-parent", "main") == "3", said
    assert [ref for ref in place.server.refs().split() if ref.startswith(names.BRANCHES)] == []
    place.laptop.assay("sync")
    place.laptop.git("pull", "--quiet", "--ff-only")
    assert {place.laptop.find(run).status for run in runs} == {"committed"}
    place.fsck()


@pytest.mark.slow
def test_what_a_label_accepted_is_recorded_and_shared(place: Place) -> None:
    place.laptop.git("switch", "--quiet", "--create", "topic")
    (place.laptop.folder / "notes.txt").write_text("another\n")
    place.laptop.git("commit", "--quiet", "--all", "--message", "Change")
    place.laptop.git("push", "--quiet", "origin", "topic")
    pull = place.hub.pull(place.laptop.git("rev-parse", "topic"))
    place.hub.label(pull, "benchmark:accept-regression", "grace")
    commit = place.hub.merge(pull)
    assert place.job().code == 0
    assert "on #1, set by grace" in place.server.git("notes", f"--ref={names.FEEDBACK}", "show", commit)
    before = place.server.refs()
    assert place.job().code == 0
    assert place.server.refs() == before
    place.hub.next("GET", "/pulls", 422)
    done = place.job()
    assert (done.code, "what labels accepted is not recorded" in done.err) == (0, True)
