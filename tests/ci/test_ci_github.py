from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from gitops.ci import github as client
from gitops.ci import github_transport, pull_requests
from gitops.ci.github import GitHub, from_environment
from gitops.ci.github_answers import Forbidden, Invalid, Missing, Unsure
from gitops.errors import CannotRun, UsageError
from tests.ci.github_server import GitHubServer, Pull

HEAD = "a" * 40


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as made:
        yield made


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def github(server: GitHubServer, waited: list[float]) -> GitHub:
    token = server.token(pull_requests="write")
    return from_environment(server.environment(token), wait=waited.append)


@pytest.fixture
def pull(server: GitHubServer) -> Pull:
    return server.pull(HEAD)


def _environment(**changed: str) -> dict[str, str]:
    return {"GITHUB_REPOSITORY": "ada/wiki", "GITHUB_TOKEN": "ghs_secret", **changed}


@pytest.mark.parametrize(
    "address",
    ["http://api.github.com", "https://ada:pw@host", "https://host?x=1", "ftp://host", "https://host\\@evil", "host"],
)
def test_an_address_that_would_leak_the_token_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match=r"GITHUB_API_URL .* is not the https address") as caught:
        from_environment(_environment(GITHUB_API_URL=address))
    assert "ghs_secret" not in str(caught.value)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "wiki", "ada/wiki/more", "ada/../wiki", "ada/w iki", "ada/..", "ada/wiki?x"])
def test_a_repository_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="GITHUB_REPOSITORY"):
        from_environment(_environment(GITHUB_REPOSITORY=name))


@pytest.mark.parametrize("token", ["", "  ", "two words", "new\nline", "schlüssel"])
def test_a_token_that_is_none_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(CannotRun, match="GITHUB_TOKEN holds") as caught:
        from_environment(_environment(GITHUB_TOKEN=token))
    assert not token.strip() or token.strip() not in f"{caught.value} {caught.value.hint}"


def test_the_public_address_is_asked_where_none_is_named() -> None:
    assert from_environment(_environment()).host == "api.github.com"
    assert from_environment(_environment(GITHUB_API_URL="https://ghe.example.org/api/v3/")).host == "ghe.example.org"


def test_a_wrong_token_is_told_without_it(server: GitHubServer) -> None:
    github = from_environment(server.environment("ghs_wrong_and_secret"))
    with pytest.raises(CannotRun, match="does not accept the token in GITHUB_TOKEN: Bad credentials") as caught:
        github.get("/pulls/1")
    assert "ghs_wrong_and_secret" not in f"{caught.value} {caught.value.hint}"


def test_a_token_that_a_server_repeats_is_not_repeated(server: GitHubServer) -> None:
    token = server.token(pull_requests="write")
    github = from_environment(server.environment(token))
    server.next("GET", "", 400, {"message": f"what is {token}?"})
    with pytest.raises(CannotRun, match=r"400: what is \[token\]\?"):
        github.get("")


def test_a_permission_that_is_missing_is_named_as_a_workflow_spells_it(server: GitHubServer, pull: Pull) -> None:
    github = from_environment(server.environment(server.token(contents="write")))
    with pytest.raises(Forbidden, match="it lacks pull-requests: write: Resource not accessible") as caught:
        github.post(f"/issues/{pull.number}/comments", {"body": "hello"})
    assert caught.value.hint.startswith("permissions: pull-requests: write")


def test_a_permission_that_the_server_does_not_name_is_named_all_the_same(server: GitHubServer, github: GitHub) -> None:
    server.next("GET", "", 403, {"message": "no"})
    with pytest.raises(Forbidden, match="it lacks pull-requests: read"):
        github.get("/pulls")
    server.next("GET", "", 403, {"message": "no"}, headers={"x-accepted-github-permissions": "a=b; <c>=d"})
    with pytest.raises(Forbidden, match="it lacks pull-requests: read: no"):
        github.get("/pulls")


def test_what_is_not_there_and_what_does_not_do_are_told(github: GitHub, pull: Pull) -> None:
    with pytest.raises(Missing, match="has no /repos/ada/wiki/pulls/99"):
        github.get("/pulls/99")
    with pytest.raises(Invalid, match="Validation Failed; IssueComment body missing_field"):
        github.post(f"/issues/{pull.number}/comments", {"body": " "})


def test_words_of_a_server_stay_on_one_line_and_are_bounded(server: GitHubServer, github: GitHub) -> None:
    server.next("GET", "", 418, {"message": "one\ntwo\x1b[31m" + "x" * 5_000, "errors": [None, 3, {"message": "y"}]})
    with pytest.raises(CannotRun) as caught:
        github.get("")
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500


def test_a_redirect_to_another_host_gets_no_token(server: GitHubServer, github: GitHub) -> None:
    with GitHubServer() as other:
        server.next("GET", "", 301, {}, headers={"location": f"{other.url}/repos/ada/wiki"})
        with pytest.raises(CannotRun, match="which gets no token"):
            github.get("")
        assert other.requests == []


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1/x", "//evil.example/x", "https://127.0.0.1:1@evil/", "\\\\evil"]
)
def test_a_redirect_to_an_address_that_only_looks_alike_is_not_followed(
    server: GitHubServer, github: GitHub, location: str
) -> None:
    server.next("GET", "", 302, {}, headers={"location": location.format(url=server.url)})
    with pytest.raises(CannotRun, match="gets no token"):
        github.get("")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "to", ["//[", "http://[::1", "//\u2100.example/", "{url}/" + 9_000 * "x", "{url}/\x7f", "{url}/a b"]
)
def test_what_is_no_address_is_not_followed(server: GitHubServer, github: GitHub, to: str) -> None:
    given = to.format(url=server.url)
    server.next("GET", "", 302, {}, headers={"location": given})
    with pytest.raises(CannotRun, match=r"which is no address"):
        github.get("")
    server.next("GET", "", 200, [], headers={"link": f'<{given}>; rel="next"'})
    with pytest.raises(CannotRun, match=r"which is no address"):
        list(github.pages("/pulls"))
    assert len(server.requests) == 2


def test_a_write_is_not_sent_on_by_a_redirect_that_would_change_it(server: GitHubServer, github: GitHub) -> None:
    server.next("POST", "", 301, {}, headers={"location": f"{server.url}/repositories/4711/pulls"})
    with pytest.raises(CannotRun, match=r"sends POST .* on to another address"):
        github.post("/pulls", {"title": "x"})
    assert len(server.requests) == 1


def test_redirects_without_end_end(server: GitHubServer, github: GitHub) -> None:
    server.next("GET", "", 301, {}, headers={"location": f"{server.url}/repos/ada/wiki"}, times=99)
    with pytest.raises(CannotRun, match="sends GET /repos/ada/wiki on"):
        github.get("")
    assert len(server.requests) == 4


def test_a_repository_that_was_renamed_is_found(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    server.next("GET", "", 301, {}, headers={"location": f"/repositories/4711/pulls/{pull.number}"})
    assert github.get("/pulls/1")["number"] == 1


def test_the_next_page_of_another_host_gets_no_token(server: GitHubServer, github: GitHub) -> None:
    server.next("GET", "", 200, [], headers={"link": '<http://evil.example/pulls?page=2>; rel="next"'})
    with pytest.raises(CannotRun, match=r"sends requests on to evil\.example"):
        list(github.pages("/pulls"))


def test_pages_that_go_round_in_circles_end(server: GitHubServer, github: GitHub) -> None:
    again = f'<{server.url}/repos/ada/wiki/pulls?per_page=100>; rel="next"'
    server.next("GET", "", 200, [], headers={"link": again}, times=9)
    with pytest.raises(CannotRun, match="goes round in circles"):
        list(github.pages("/pulls"))
    assert len(server.requests) == 1


def test_pages_without_end_end(server: GitHubServer, github: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MOST_PAGES", 3)
    pull = server.pull(HEAD)
    for number in range(301):
        server.comment(pull, str(number))
    with pytest.raises(CannotRun, match="more than 3 pages of /issues/1/comments"):
        list(github.pages("/issues/1/comments"))


def test_every_page_is_read(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    for number in range(250):
        server.comment(pull, str(number))
    assert [each["body"] for each in github.pages("/issues/1/comments")] == [str(number) for number in range(250)]
    assert [each.query for each in server.requests] == [
        {"per_page": "100"},
        {"per_page": "100", "page": "2"},
        {"per_page": "100", "page": "3"},
    ]
    assert server.requests[1].path == "/repositories/4711/issues/1/comments"


def test_a_list_that_is_none_is_told(server: GitHubServer, github: GitHub) -> None:
    server.next("GET", "", 200, {"items": []})
    with pytest.raises(CannotRun, match="answered /pulls with no list"):
        list(github.pages("/pulls"))


@pytest.mark.parametrize("data", [b"<html>", b"", b"[" * 100_000, b'{"a":\xff}'])
def test_an_answer_that_is_no_json_is_told(server: GitHubServer, github: GitHub, data: bytes) -> None:
    server.next("GET", "", 200, data)
    with pytest.raises(CannotRun, match=r"no JSON|no list"):
        list(github.pages("/pulls"))


def test_an_answer_without_end_is_not_read_to_it(
    server: GitHubServer, github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_transport, "LARGEST", 1_000_000)
    server.next("GET", "", 200, b"[" + b" " * 3_000_000 + b"]", times=2)
    with pytest.raises(CannotRun, match="more than 1,000,000 bytes"):
        github.get("/pulls")


def test_an_answer_that_is_packed_small_is_no_way_round_that(
    server: GitHubServer, github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_transport, "LARGEST", 1_000_000)
    packed = gzip.compress(b" " * 30_000_000)
    server.next("GET", "", 200, packed, headers={"content-encoding": "gzip"})
    with pytest.raises(CannotRun, match="more than 1,000,000 bytes"):
        github.get("/pulls")


def test_an_answer_that_drips_is_not_waited_for(
    server: GitHubServer, github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_transport, "_WHOLE_S", -1.0)
    with pytest.raises(CannotRun, match="takes more than"):
        github.get("")


def test_what_is_not_as_github_writes_it_is_told(github: GitHub) -> None:
    class Told(BaseModel):
        number: int

    with pytest.raises(CannotRun, match="answered otherwise than GitHub does: number"):
        github.read(Told, {"number": "many"})
    with pytest.raises(CannotRun, match="answered otherwise"):
        github.read(Told, [])


def test_a_rate_limit_that_ends_late_is_told_with_its_hour(
    server: GitHubServer, github: GitHub, waited: list[float]
) -> None:
    server.limit(3_000)
    with pytest.raises(CannotRun, match=r"wants no more requests before \d\d:\d\d:\d\d UTC: API rate limit") as caught:
        github.get("")
    assert caught.value.hint.startswith("run it again in ")
    assert waited == []


@pytest.mark.parametrize(
    "headers",
    [
        {"retry-after": 400 * "9"},
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": 40 * "9"},
        {"x-ratelimit-remaining": "0", "x-ratelimit-reset": 40 * "9", "date": "Mon, 99 Jan 99999 99:99:99 GMT"},
    ],
)
def test_a_limit_that_ends_beyond_every_calendar_is_told(
    server: GitHubServer, github: GitHub, waited: list[float], headers: dict[str, str]
) -> None:
    server.next("GET", "", 429, {"message": "slower"}, headers=headers)
    with pytest.raises(CannotRun, match=r"wants no more requests before .*: slower"):
        github.get("")
    assert waited == []


def test_a_rate_limit_that_ends_soon_is_waited_for(server: GitHubServer, github: GitHub, waited: list[float]) -> None:
    server.limit(30)
    assert github.get("")["full_name"] == "ada/wiki"
    assert len(waited) == 1
    assert 29 <= waited[0] <= 32


def test_the_end_of_a_limit_is_reckoned_by_the_servers_clock(server: GitHubServer, waited: list[float]) -> None:
    environment = server.environment(server.token(pull_requests="write"))
    github = from_environment(environment, wait=waited.append, now=lambda: 0.0)
    server.limit(30)
    github.get("")
    assert 29 <= waited[0] <= 32


@pytest.mark.parametrize(("seconds", "waits"), [(7, 7.0), (None, 60.0)])
def test_a_secondary_limit_is_waited_for_also_by_writes(
    server: GitHubServer, github: GitHub, pull: Pull, waited: list[float], seconds: int | None, waits: float
) -> None:
    server.slow_down(seconds)
    github.post(f"/issues/{pull.number}/comments", {"body": "once"})
    assert [each.body for each in server.comments_on(pull)] == ["once"]
    assert waited == [waits]


def test_limits_one_after_the_other_are_not_waited_for_without_end(
    server: GitHubServer, github: GitHub, pull: Pull, waited: list[float]
) -> None:
    server.slow_down(100, times=99)
    with pytest.raises(CannotRun, match="secondary rate limit"):
        github.post(f"/issues/{pull.number}/comments", {"body": "once"})
    assert waited == [100.0, 100.0, 100.0]


@pytest.mark.parametrize("trouble", [{"status": 502}, {"dropped": True}])
def test_what_can_be_asked_again_is_asked_again(
    server: GitHubServer, github: GitHub, pull: Pull, waited: list[float], trouble: dict[str, Any]
) -> None:
    comment = server.comment(pull, "old")
    server.next("GET", times=3, **trouble)
    assert github.get("")["full_name"] == "ada/wiki"
    server.next("PATCH", times=2, **trouble)
    github.patch(f"/issues/comments/{comment.id}", {"body": "new"})
    server.next("DELETE", times=1, after=True, **trouble)
    github.delete(f"/issues/comments/{comment.id}")
    assert server.comments_on(pull) == []
    assert len(waited) == 6
    assert all(0.5 <= each <= 4 for each in waited)


@pytest.mark.parametrize("trouble", [{"status": 502}, {"dropped": True}])
def test_a_server_that_stays_broken_is_told(
    server: GitHubServer, github: GitHub, waited: list[float], trouble: dict[str, Any]
) -> None:
    server.next("GET", times=99, **trouble)
    with pytest.raises(CannotRun, match=r"no answer from|answered GET .* with 502"):
        github.get("")
    assert len(server.requests) == 4
    assert len(waited) == 3


@pytest.mark.parametrize("trouble", [{"status": 502}, {"dropped": True}])
def test_what_cannot_be_made_twice_is_not_asked_again(
    server: GitHubServer, github: GitHub, pull: Pull, trouble: dict[str, Any]
) -> None:
    server.next("POST", after=True, **trouble)
    with pytest.raises(Unsure):
        github.post(f"/issues/{pull.number}/comments", {"body": "once"})
    assert len(server.sent("POST")) == 1


def test_a_request_that_never_got_there_is_sent_again_whatever_it_is(waited: list[float]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        github = from_environment(_environment(GITHUB_API_URL=address), wait=waited.append)
        with pytest.raises(CannotRun, match="no answer from 127") as caught:
            github.post("/pulls", {})
    assert not isinstance(caught.value, Unsure)
    assert len(waited) == 3


def test_a_proxy_of_the_environment_does_not_read_what_is_for_this_machine(
    server: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY")
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    github = from_environment(server.environment(server.token()))
    assert github.get("")["full_name"] == "ada/wiki"


def test_whose_a_token_is(server: GitHubServer, github: GitHub) -> None:
    assert github.login() is None
    own = from_environment(server.environment(server.token("ada", is_installation=False)))
    assert own.login() == "ada"


def test_what_is_sent(server: GitHubServer, github: GitHub) -> None:
    github.get("/pulls", head="eve:topic & more", state="open")
    [request] = server.requests
    assert request.query == {"head": "eve:topic & more", "state": "open"}
    assert request.headers["accept"] == "application/vnd.github+json"
    assert request.headers["user-agent"].startswith("git-assay/")
    assert request.headers["x-github-api-version"] == "2022-11-28"
    assert request.headers["accept-encoding"] == "identity"


def test_a_server_of_ones_own_is_asked_below_its_prefix() -> None:
    with GitHubServer(prefix="/api/v3") as server:
        pull = server.pull(HEAD)
        for number in range(150):
            server.comment(pull, str(number))
        github = from_environment(server.environment(server.token()))
        assert len(list(github.pages("/issues/1/comments"))) == 150
        assert server.requests[1].path == "/api/v3/repositories/4711/issues/1/comments"


def test_a_pull_request_of_a_fork_by_the_same_owner_is_not_taken_for_ours(server: GitHubServer, github: GitHub) -> None:
    theirs = server.pull(HEAD, fork="ada/fork", head_ref="assay/x", title="Theirs")
    made, is_new = pull_requests.opened(github, "assay/x", "main", "Land run x", "ours")
    assert (made.number, is_new, theirs.title) == (2, True, "Theirs")
    again, is_new = pull_requests.opened(github, "assay/x", "main", "Land run x", "ours, later")
    assert (again.number, is_new, server.pulls[2].body) == (2, False, "ours, later")


def test_a_pull_request_that_was_closed_or_turned_elsewhere_is_left_so(server: GitHubServer, github: GitHub) -> None:
    first, _ = pull_requests.opened(github, "assay/x", "main", "Land run x", "ours")
    server.pulls[first.number].base_ref = "release"
    second, is_new = pull_requests.opened(github, "assay/x", "main", "Land run x", "ours")
    assert (second.number, is_new, server.pulls[first.number].base_ref) == (2, True, "release")
    server.pulls[second.number].state = "closed"
    third, is_new = pull_requests.opened(github, "assay/x", "main", "Land run x", "ours")
    assert (third.number, is_new, server.pulls[second.number].state) == (3, True, "closed")


def test_the_server_is_asked_by_many_at_once(server: GitHubServer, pull: Pull) -> None:
    token = server.token(pull_requests="write")

    def write(number: int) -> None:
        from_environment(server.environment(token)).post("/issues/1/comments", {"body": json.dumps(number)})

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(each.body for each in server.comments_on(pull)) == [str(number) for number in range(8)]
