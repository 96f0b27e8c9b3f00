from __future__ import annotations

import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitops.ci.sticky import WORKFLOWS, Stamp, stamped
from gitops.cli import main
from tests.ci.comment_results import BASE, HEAD, finding, metric, result
from tests.ci.github_server import GitHubServer, Pull

STARTED = "2024-01-02T03:04:05Z"
OTHER = "d" * 40


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as made:
        yield made


@pytest.fixture
def pull(server: GitHubServer) -> Pull:
    return server.pull(HEAD, fork="eve/wiki", base_sha=BASE)


@pytest.fixture
def job(
    server: GitHubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Runs the command in an empty folder, with the environment of a job that follows the check of a change."""

    def run(*words: str, event: Mapping[str, Any] | None = None, **environment: str) -> Done:
        named = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_RUN_ID": "7"}
        if event is not None:
            (tmp_path / "event.json").write_text(json.dumps({"workflow_run": event}))
            named |= {"GITHUB_EVENT_NAME": "workflow_run", "GITHUB_EVENT_PATH": str(tmp_path / "event.json")}
        token = environment.pop("GITHUB_TOKEN", None) or server.token(pull_requests="write")
        for name, value in {**server.environment(token), **named, **environment}.items():
            monkeypatch.setenv(name, value)
        empty = tmp_path / "empty"
        empty.mkdir(exist_ok=True)
        capfd.readouterr()
        code = main(["-C", str(empty), "ci", "comment", *words])
        printed = capfd.readouterr()
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture(autouse=True)
def _no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GITHUB_")]:
        monkeypatch.delenv(name)


def _event(**changed: Any) -> dict[str, Any]:
    return {
        "id": 7,
        "event": "pull_request",
        "conclusion": "failure",
        "head_sha": HEAD,
        "head_branch": "topic",
        "head_repository": {"full_name": "eve/wiki"},
        "repository": {"full_name": "ada/wiki"},
        "pull_requests": [],
        "html_url": "https://github.example/ada/wiki/actions/runs/6",
        "run_started_at": STARTED,
        **changed,
    }


OF_NOTES = stamped("<!-- git-assay:ci suite=notes v=1 -->\nFailed.", Stamp(OTHER, "2024-01-01T00:00:00Z"))
FAILED: dict[str, Any] = {"outcome": "failed", "cause": "1 quotation is altered", "decision": "reject"}


def _file(folder: Path, name: str = "result.json", **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(result(**{**FAILED, "findings": [finding()], **changes}).record()))
    return path


def _bodies(server: GitHubServer, pull: Pull) -> list[str]:
    return [each.body for each in server.comments_on(pull)]


def _bad(done: Done, code: int, *said: str) -> None:
    lines = [line for line in done.err.splitlines() if not line.startswith("note: ")]
    assert (done.code, len(lines)) == (code, 2), done
    assert lines[0].startswith("error: ")
    assert lines[1].startswith("hint:  ")
    assert "should not happen" not in done.err
    for each in said:
        assert each in done.err


def test_without_a_token_nothing_is_asked(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    _bad(job("--result", str(_file(tmp_path)), event=_event(), GITHUB_TOKEN=" "), 3, "GITHUB_TOKEN holds no token")
    assert server.requests == []


@pytest.mark.parametrize(
    "payload",
    ["{", "[]", '{"workflow_run":{}}', '{"workflow_run":{"head_sha":1}}', '{"workflow_run":1,"workflow_run":2}', ""],
)
def test_an_event_that_is_none_is_told(pull: Pull, job: Any, tmp_path: Path, payload: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(payload)
    said = {"GITHUB_EVENT_NAME": "workflow_run", "GITHUB_EVENT_PATH": str(path)}
    _bad(job("--result", str(_file(tmp_path)), **said), 2, "GITHUB_EVENT_PATH")
    _bad(job("--result", str(_file(tmp_path)), **said | {"GITHUB_EVENT_PATH": str(tmp_path)}), 2, "Is a directory")


@pytest.mark.parametrize(
    "changed",
    [
        {"head_sha": "HEAD"},
        {"head_sha": HEAD + "\n"},
        {"head_repository": {"full_name": "eve/../ada/wiki"}},
        {"head_branch": "x" * 2_000},
        {"run_started_at": "now"},
    ],
)
def test_an_event_with_odd_values_is_told(pull: Pull, job: Any, tmp_path: Path, changed: dict[str, Any]) -> None:
    _bad(job("--result", str(_file(tmp_path)), event=_event(**changed)), 2, "GITHUB_EVENT_PATH", "workflow_run.")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"event": "merge_group"}, "the check ran for merge_group"),
        ({"event": "push\n::error::x"}, "the check ran for push ::error::x: there is"),
        ({"head_repository": None}, "the fork that it ran for is gone"),
    ],
)
def test_where_there_is_no_pull_request_that_is_said(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, changed: dict[str, Any], why: str
) -> None:
    done = job("--result", str(_file(tmp_path)), event=_event(**changed))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("::notice title=git-assay::")
    assert why in done.out
    assert len(done.out.splitlines()) == 1
    assert server.requests == []


@pytest.mark.parametrize("gone", ["closed", "moved", "another fork's", "another base"])
def test_a_pull_request_that_is_not_there_any_more_is_left_alone(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, gone: str
) -> None:
    match gone:
        case "closed":
            pull.state = "closed"
        case "moved":
            pull.head_sha = OTHER
        case "another fork's":
            pull.head_repo = "mallory/wiki"
        case _:
            pull.head_repo = None
    done = job("--result", str(_file(tmp_path)), event=_event())
    assert (done.code, done.err) == (0, "")
    assert "no open pull request has 0f9e8d7c6b as its head" in done.out
    assert _bodies(server, pull) == []


def test_a_result_of_another_head_is_refused_and_that_is_told_on_the_pull_request(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    done = job("--result", str(_file(tmp_path, head=OTHER)), event=_event())
    _bad(done, 1, "what the check left behind does not count: the result of wiki is of dddddddddd")
    [body] = _bodies(server, pull)
    assert body.startswith("<!-- git-assay:ci suite=git-assay.check v=1 -->\n> [!WARNING]\n> **Neutral")
    assert "does not count" in body
    assert "altered" not in body


def test_one_of_several_results_of_another_head_spoils_them_all(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "artifact"
    _file(folder, "a.json", suite="one")
    _file(folder, "b.json", suite="two", head=OTHER)
    _bad(job("--result", str(folder), event=_event()), 1, "the result of two")
    assert ["Neutral" in each for each in _bodies(server, pull)] == [True]


def _link(path: Path) -> None:
    path.symlink_to(path.parent / "secret")
    (path.parent / "secret").write_text(json.dumps(result().record()))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1024**3)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.write_text("{"), "no result: "),
        (lambda path: path.write_bytes(b"\xff\xfe"), "no result: "),
        (lambda path: path.write_text("[" * 100_000), "no result: "),
        (lambda path: path.write_text('{"schema":"assay/ci/1","schema":"assay/ci/1"}'), "a name occurs twice"),
        (lambda path: path.write_text('{"schema":"assay/ci/2"}'), "schema"),
        (lambda path: path.write_text(json.dumps({**result().record(), "more": 1})), "more"),
        (lambda path: path.write_text(json.dumps({**result().record(), "suite": "../../x"})), "suite"),
        (_sparse, "1,073,741,824 bytes"),
        (_link, "is a symbolic link"),
        (os.mkfifo, "is no plain file"),
    ],
)
def test_what_is_no_result_is_refused_before_it_is_read(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, make: Callable[[Path], Any], why: str
) -> None:
    folder = tmp_path / "artifact"
    folder.mkdir()
    make(folder / "result.json")
    _bad(job("--result", str(folder), event=_event()), 1, why)
    [body] = _bodies(server, pull)
    assert "does not count" in body


def _zip(path: Path, entries: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def _lying(path: Path) -> None:
    """A zip whose list says that a file is small, which is not."""
    _zip(path, {"result.json": b" " * 20_000_000})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02") + 24
    data[at : at + 4] = (100).to_bytes(4, "little")
    path.write_bytes(data)


def _encrypted(path: Path) -> None:
    _zip(path, {"result.json": b"{}"}, zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: _zip(path, {"result.json": b" " * 20_000_000}), "a result has at most 4,194,304"),
        (_lying, "zip"),
        (_encrypted, "no zip that can be read"),
        (_sparse, "an artifact has at most 8,388,608"),
        (lambda path: path.write_bytes(b"PK\x03\x04 and nothing else"), "no zip that can be read"),
        (lambda path: _zip(path, {f"{n}.txt": b"" for n in range(1_001)}), "more than 1,000 files"),
        (lambda path: _zip(path, {"result.json": b"{}"}, zipfile.ZIP_LZMA), "packed in a way"),
        (lambda path: _zip(path, {f"{n}/r.json": b"{}" for n in range(2)}), "schema|version|no result"),
    ],
)
def test_a_zip_that_is_not_what_it_should_be_is_refused(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, make: Callable[[Path], Any], why: str
) -> None:
    path = tmp_path / "artifact.zip"
    make(path)
    done = job("--result", str(path), event=_event())
    _bad(done, 1, "does not count")
    assert re.search(why, done.err)
    assert len(_bodies(server, pull)) == 1


def test_a_zip_that_was_damaged_is_refused(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"result.json": _file(tmp_path).read_bytes()})
    data = bytearray(path.read_bytes())
    data[60] ^= 0xFF
    path.write_bytes(data)
    _bad(job("--result", str(path), event=_event()), 1, "does not count")


def test_results_by_the_dozen_are_refused(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    folder = tmp_path / "artifact"
    for number in range(21):
        _file(folder, f"{number}.json", suite=f"suite-{number}")
    _bad(job("--result", str(folder), event=_event()), 1, "more than 20 results")
    assert len(_bodies(server, pull)) == 1


def test_two_results_of_one_suite_are_refused(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    folder = tmp_path / "artifact"
    _file(folder, "a.json")
    _file(folder, "b.json")
    _bad(job("--result", str(folder), event=_event()), 1, "two results of suite wiki")


def test_a_check_that_failed_and_left_nothing_is_told_as_neutral(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    done = job("--result", str(tmp_path / "artifact"), event=_event())
    assert (done.code, done.err) == (0, "")
    [body] = _bodies(server, pull)
    assert "> [!WARNING]\n> **Neutral, which is not green.**" in body
    assert "ended as failure, and left no result behind" in body
    assert "[the check's log](https://github.example/ada/wiki/actions/runs/6)" in body
    assert "First run" not in body
    assert "there is no such file" in done.out


def test_a_check_that_passed_and_left_nothing_is_told_where_something_stands(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    (tmp_path / "artifact").mkdir()
    event = _event(conclusion="success")
    assert job("--result", str(tmp_path / "artifact"), event=event).code == 0
    assert _bodies(server, pull) == []
    server.comment(
        pull, stamped("<!-- git-assay:ci suite=notes v=1 -->\nFailed.", Stamp(OTHER, "2024-01-01T00:00:00Z"))
    )
    assert job("--result", str(tmp_path / "artifact"), event=event).code == 0
    [body] = _bodies(server, pull)
    assert body.startswith("<!-- git-assay:ci suite=notes v=1 -->\n> [!WARNING]")


def test_a_suite_of_which_nothing_is_told_any_more_does_not_stay_as_it_was(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    server.comment(
        pull, stamped("<!-- git-assay:ci suite=notes v=1 -->\nFailed.", Stamp(OTHER, "2024-01-01T00:00:00Z"))
    )
    assert job("--result", str(_file(tmp_path)), event=_event()).code == 0
    notes, wiki = _bodies(server, pull)
    assert "tells nothing of this suite" in notes
    assert "altered" in wiki


def test_nothing_is_checked_out_or_asked_for_beside_the_pull_request(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    assert job("--result", str(_file(tmp_path)), event=_event()).code == 0
    assert list((tmp_path / "empty").iterdir()) == []
    asked = [(each.method, each.path.removeprefix("/repos/ada/wiki")) for each in server.requests]
    assert asked == [
        ("GET", "/pulls"),
        ("GET", "/user"),
        ("GET", "/issues/1/comments"),
        ("POST", "/issues/1/comments"),
        ("GET", "/issues/1/comments"),
    ]
    assert server.requests[0].query == {"state": "open", "head": "eve:topic", "per_page": "100"}


def test_what_was_told_where_no_result_came_is_taken_back_when_one_does(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    assert job("--result", str(tmp_path / "artifact"), event=_event(run_started_at="2024-01-02T03:10:00Z")).code == 0
    [nothing] = server.comments_on(pull)
    late = job("--result", str(_file(tmp_path, suite="tides")), event=_event())
    assert late.code == 0
    assert nothing.id in server.comments
    later = _event(run_started_at="2024-01-02T03:14:05Z")
    done = job("--result", str(_file(tmp_path, suite="tides")), event=later)
    assert f"#1: taken back, since a result came: {server.origin}/ada/wiki/pull/1#issuecomment-101" in done.out
    assert [body.split("\n")[0] for body in _bodies(server, pull)] == ["<!-- git-assay:ci suite=tides v=1 -->"]


@pytest.mark.parametrize(
    ("conclusion", "changes", "told", "headline"),
    [
        (
            "failure",
            {"outcome": "passed"},
            "the check itself ended as failure, and its result says that it passed",
            "Neutral",
        ),
        ("timed_out", {"outcome": "passed"}, "ended as timed_out, and its result says that it passed", "Neutral"),
        ("failure", {"outcome": "neutral", "is_touched": False}, "1 quotation is altered", "Neutral"),
        ("success", {"outcome": "failed"}, "ended as success, and its result says that it failed", "Failed"),
    ],
)
def test_a_result_that_says_otherwise_than_its_job_ended_is_told_as_that(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, conclusion: str, changes: dict[str, Any],
    told: str, headline: str,
) -> None:  # fmt: skip
    path = _file(tmp_path, decision="commit", findings=[], **changes)
    assert job("--result", str(path), event=_event(conclusion=conclusion)).code == 0
    [body] = _bodies(server, pull)
    assert told in body.replace("\\_", "_")
    assert f"> **{headline}" in body
    assert "[!TIP]" not in body


def test_of_several_suites_one_that_passed_stays_so_where_another_says_why_the_check_failed(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "artifact"
    _file(folder, "a.json", suite="one")
    _file(folder, "b.json", suite="two", outcome="passed", decision="commit", findings=[])
    assert job("--result", str(folder), "--mode", "always", event=_event()).code == 0
    assert ["**Passed" in body for body in _bodies(server, pull)] == [False, True]


def test_of_more_suites_than_any_wiki_has_no_comments_are_made(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    for number in range(19):
        server.comment(pull, stamped(f"<!-- git-assay:ci suite=old-{number} v=1 -->\n", Stamp(OTHER, STARTED)))
    folder = tmp_path / "artifact"
    for number in range(3):
        _file(folder, f"{number}.json", suite=f"new-{number}")
    done = job("--result", str(folder), event=_event())
    assert done.code == 0
    assert "new-1 on #1: no comment: there are 20 of ours already" in done.out
    assert len(_bodies(server, pull)) == 20


def test_where_the_comments_are_is_an_output_of_the_step(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    outputs = tmp_path / "outputs"
    assert job("--result", str(_file(tmp_path)), event=_event(), GITHUB_OUTPUT=str(outputs)).code == 0
    address = re.escape(f"{server.origin}/ada/wiki/pull/1#issuecomment-101")
    assert re.fullmatch(rf"comment-url<<(end-[0-9a-f]{{32}})\n{address}\n\1\n", outputs.read_text())


def test_a_summary_that_cannot_be_written_is_told(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    token = server.token(pull_requests="read")
    words = ("--result", str(_file(tmp_path)))
    done = job(*words, event=_event(), GITHUB_TOKEN=token, GITHUB_STEP_SUMMARY=str(tmp_path))
    _bad(done, 3, "cannot be written: Is a directory")


def test_a_file_called_like_a_command_to_the_runner_is_none(pull: Pull, job: Any, tmp_path: Path) -> None:
    path = _zip(tmp_path / "a.zip", {"##[stop-commands]x.json": b"{"})
    done = job("--result", str(path), event=_event())
    _bad(done, 1, "## [stop-commands]x.json")
    assert "##[" not in done.out + done.err


@pytest.mark.parametrize("form", ["file", "folder", "deep folder", "zip", "zip with a folder", "folder with a zip"])
def test_a_result_is_told_in_whatever_it_comes(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, form: str
) -> None:
    file = _file(tmp_path / "artifact" / "deep" if form == "deep folder" else tmp_path / "artifact")
    (file.parent / "other.txt").write_text("nothing of ours")
    match form:
        case "file":
            path = file
        case "zip":
            path = _zip(tmp_path / "a.zip", {"result.json": file.read_bytes(), "other.txt": b"\xff"})
        case "folder with a zip":
            path = tmp_path / "downloaded"
            path.mkdir()
            _zip(path / "git-assay-result", {"result.json": file.read_bytes()})
        case "zip with a folder":
            path = _zip(tmp_path / "a.zip", {"x/result.json": file.read_bytes()}, zipfile.ZIP_STORED)
        case _:
            path = tmp_path / "artifact"
    done = job("--result", str(path), event=_event())
    assert (done.code, done.err) == (0, "")
    assert done.out == f"wiki on #1: made: {server.origin}/ada/wiki/pull/1#issuecomment-101\n"
    [comment] = server.comments_on(pull)
    assert comment.login == WORKFLOWS
    assert comment.body.startswith("<!-- git-assay:ci suite=wiki v=1 -->\n> [!CAUTION]\n")
    assert comment.body.endswith(f"\n<!-- git-assay:ci head={HEAD} at={STARTED} -->\n")
    assert "https://github.example/ada/wiki/actions/runs/6" in comment.body


def test_a_branch_of_this_repository_is_found_too(server: GitHubServer, job: Any, tmp_path: Path) -> None:
    pull = server.pull(HEAD, base_sha=BASE)
    mine = {"full_name": "ada/wiki"}
    assert job("--result", str(_file(tmp_path)), event=_event(head_repository=mine)).code == 0
    assert len(_bodies(server, pull)) == 1
    renamed = _event(head_repository=mine, head_branch="renamed", run_started_at="2024-01-02T03:14:05Z")
    assert job("--result", str(_file(tmp_path)), event=renamed).code == 0
    assert server.sent("GET", f"/commits/{HEAD}/pulls")
    assert server.comments_on(pull)[0].edits == 1


def test_a_pull_request_is_found_behind_hundreds_of_others(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    for number in range(120):
        server.pull(OTHER, fork="eve/wiki", base_ref=f"release-{number}")
    assert job("--result", str(_file(tmp_path)), event=_event()).code == 0
    assert len(_bodies(server, pull)) == 1


def test_of_several_with_one_head_it_is_the_one_that_left_its_base_there(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    other = server.pull(HEAD, fork="eve/wiki", base_ref="release", base_sha="e" * 40)
    assert job("--result", str(_file(tmp_path)), event=_event()).code == 0
    assert len(_bodies(server, pull)) == 1
    assert "altered" in _bodies(server, pull)[0]
    assert ["tells nothing of this suite" in each for each in _bodies(server, other)] == [True]


def test_it_is_kept_up_to_date_and_ends_as_resolved(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    assert job("--result", str(_file(tmp_path)), event=_event()).code == 0
    fixed: dict[str, Any] = {
        "outcome": "passed",
        "cause": "nothing new was found",
        "decision": "commit",
        "findings": [],
        "head": OTHER,
    }
    pull.head_sha = OTHER
    later = _event(head_sha=OTHER, conclusion="success", run_started_at="2024-01-02T03:14:05Z")
    done = job("--result", str(_file(tmp_path, **fixed)), event=later)
    assert done.out.startswith("wiki on #1: renewed: ")
    [body] = _bodies(server, pull)
    assert "Resolved" in body
    assert job("--result", str(_file(tmp_path, **fixed)), event=later).out.startswith("wiki on #1: same: ")


def test_an_older_check_that_ends_later_does_not_have_the_last_word(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    late = _event(run_started_at="2024-01-02T03:14:05Z")
    assert job("--result", str(_file(tmp_path)), event=late).code == 0
    done = job("--result", str(_file(tmp_path, cause="old news")), event=_event())
    assert done.out.startswith("wiki on #1: newer stands: ")
    assert "old news" not in _bodies(server, pull)[0]


@pytest.mark.parametrize(
    ("mode", "outcome", "is_told"),
    [
        ("on-change", "passed", False),
        ("always", "passed", True),
        ("on-failure", "neutral", False),
        ("on-failure", "failed", True),
        ("off", "failed", False),
    ],
)
def test_when_there_is_a_comment(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path, mode: str, outcome: str, is_told: bool
) -> None:
    path = _file(tmp_path, outcome=outcome, decision="commit", findings=[], metrics=[metric()])
    ended = "success" if outcome == "passed" else "failure"
    done = job("--result", str(path), "--mode", mode, event=_event(conclusion=ended))
    assert done.code == 0
    assert bool(_bodies(server, pull)) is is_told
    assert is_told or done.out == f"wiki on #1: no comment: {outcome}, and the mode is {mode}\n"


def test_a_forks_token_gives_a_notice_and_the_comment_in_the_summary(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    done = job("--result", str(_file(tmp_path)), event=_event(), GITHUB_TOKEN=server.token(pull_requests="read"))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("::notice title=git-assay::wiki on #1: the token in GITHUB_TOKEN may not POST")
    assert "it lacks pull-requests: write" in done.out
    assert (tmp_path / "summary.md").read_text().startswith("<!-- git-assay:ci suite=wiki v=1 -->\n> [!CAUTION]")
    assert _bodies(server, pull) == []


def test_a_server_that_answers_otherwise_than_github_is_told(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    server.next("GET", "/pulls", 200, [{"number": -1}])
    _bad(job("--result", str(_file(tmp_path)), event=_event()), 3, "answered otherwise than GitHub does: number")


def test_by_hand_it_needs_a_result(pull: Pull, job: Any, tmp_path: Path) -> None:
    _bad(job("--result", str(tmp_path / "none.json"), "--pr", "1"), 2, "there is no such file", "--result FILE")


def test_by_hand_a_result_of_another_head_is_refused(pull: Pull, job: Any, tmp_path: Path) -> None:
    path = str(_file(tmp_path))
    pull.head_sha = OTHER
    _bad(job("--result", path, "--pr", "1"), 2, "the result is of 0f9e8d7c6b, and pull request #1 has dddddddddd")
    pull.head_sha, pull.state = HEAD, "closed"
    _bad(job("--result", path, "--pr", "1"), 2, "pull request #1 is closed")
    _bad(job("--result", path, "--pr", "7"), 2, "ada/wiki has no pull request 7")
    _bad(job("--result", path, "--pr", "0"), 2, "ada/wiki has no pull request 0")
    _bad(job("--result", path), 2, "no open pull request with 0f9e8d7c6b as its head")


def test_by_hand_it_is_the_persons_own_comment(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    token = server.token("ada", is_installation=False, pull_requests="write")
    for _ in range(2):
        assert job("--result", str(_file(tmp_path)), "--pr", "1", GITHUB_TOKEN=token).code == 0
    assert [(each.login, each.edits) for each in server.comments_on(pull)] == [("ada", 0)]


def test_by_hand_the_pull_request_is_found_by_the_head_or_the_jobs_ref(
    server: GitHubServer, pull: Pull, job: Any, tmp_path: Path
) -> None:
    assert job("--result", str(_file(tmp_path)), GITHUB_REF="refs/pull/1/merge").code == 0
    assert len(_bodies(server, pull)) == 1
    own = server.pull(HEAD)
    assert job("--result", str(_file(tmp_path)), GITHUB_REF="refs/heads/topic").code == 0
    assert len(_bodies(server, own)) == 1


def test_an_app_of_ones_own_is_named(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    token = server.token("our-app[bot]", pull_requests="write")
    for _ in range(2):
        done = job(
            "--result", str(_file(tmp_path)), "--pr", "1", GITHUB_TOKEN=token, ASSAY_COMMENT_AUTHOR="our-app[bot]"
        )
        assert done.code == 0
    assert [each.login for each in server.comments_on(pull)] == ["our-app[bot]"]


def test_dry_run_prints_the_comment_and_asks_nobody(server: GitHubServer, pull: Pull, job: Any, tmp_path: Path) -> None:
    done = job("--result", str(_file(tmp_path, cause="steered \x1b[2J")), "--dry-run", GITHUB_TOKEN=" ")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("<!-- git-assay:ci suite=wiki v=1 -->\n> [!CAUTION]\n")
    assert "\x1b" not in done.out
    assert server.requests == []


def test_the_zip_that_lies_does_lie(tmp_path: Path) -> None:
    _lying(tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.infolist()[0].file_size == 100
