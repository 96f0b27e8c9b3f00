from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from gitops.ci import sticky
from gitops.ci.comment import marker
from gitops.ci.github import GitHub, from_environment
from gitops.ci.github_answers import Forbidden
from gitops.ci.sticky import WORKFLOWS, Kept, Stamp, stamped
from gitops.errors import CannotRun
from tests.ci.github_server import GitHubServer, Pull

OLD, NEW = "a" * 40, "c" * 40
EARLY, LATE = "2024-01-02T03:04:05Z", "2024-01-02T03:14:05Z"


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as made:
        yield made


@pytest.fixture
def pull(server: GitHubServer) -> Pull:
    return server.pull(NEW)


@pytest.fixture
def github(server: GitHubServer) -> GitHub:
    return _client(server, server.token(pull_requests="write"))


def _client(server: GitHubServer, token: str) -> GitHub:
    return from_environment(server.environment(token), wait=lambda seconds: None)


def _body(text: str = "Passed.", suite: str = "wiki") -> str:
    return f"{marker(suite)}\n{text}\n"


def _kept(github: GitHub, pull: Pull, body: str, stamp: Stamp, login: str = WORKFLOWS) -> Kept:
    return sticky.keep(github, pull.number, login, body, stamp, sticky.ours(github, pull.number, login))


def _bodies(server: GitHubServer, pull: Pull) -> list[str]:
    return [each.body for each in server.comments_on(pull)]


def test_a_body_without_the_mark_is_written_nowhere(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    with pytest.raises(CannotRun, match="bears no mark"):
        _kept(github, pull, f"\n{_body()}", Stamp(NEW, LATE))
    with pytest.raises(CannotRun, match="65,536 are the most"):
        _kept(github, pull, _body("x" * 65_500), Stamp(NEW, LATE))
    assert _bodies(server, pull) == []


@pytest.mark.parametrize(
    "line",
    [
        "<!-- git-assay:ci suite=Wiki v=1 -->",
        "<!-- git-assay:ci suite= v=1 -->",
        "<!-- git-assay:ci suite=wiki v=2 -->",
        "<!-- git-assay:ci suite=wiki v=1 --> ",
        " <!-- git-assay:ci suite=wiki v=1 -->",
        "<!-- git-assay:ci suite=wiki\tv=1 -->",
        "> <!-- git-assay:ci suite=wiki v=1 -->",
        "<!-- git-assay:ci suite=" + "w" * 64 + " v=1 -->",
    ],
)
def test_a_mark_is_read_strictly(line: str) -> None:
    assert sticky.suite_of(f"{line}\nPassed.\n") is None


@pytest.mark.parametrize(
    "line",
    [
        f"<!-- git-assay:ci head={NEW} -->",
        f"<!-- git-assay:ci head={NEW[:39]} at={LATE} -->",
        f"<!-- git-assay:ci head={NEW.upper()} at={LATE} -->",
        f"<!-- git-assay:ci head={NEW} at=tomorrow -->",
        f"<!-- git-assay:ci head={NEW} at={LATE} --> and more",
    ],
)
def test_a_stamp_is_read_strictly(line: str) -> None:
    assert sticky.stamp_of(f"{_body()}\n{line}\n") is None
    assert sticky.stamp_of(f"{_body()}\n<!-- git-assay:ci head={NEW} at={LATE} -->\n{line}") is None


@pytest.mark.parametrize("login", ["eve", "eve[bot]", "github-actions", "GitHub-Actions[bot]"])
def test_another_authors_comment_with_our_mark_is_left_alone(
    server: GitHubServer, github: GitHub, pull: Pull, login: str
) -> None:
    theirs = server.comment(pull, stamped(_body("All is well."), Stamp(NEW, "9999-12-31T23:59:59Z")), login)
    assert _kept(github, pull, _body("Failed."), Stamp(NEW, LATE)).action == "made"
    assert server.comments[theirs.id].edits == 0
    assert len(_bodies(server, pull)) == 2
    assert server.sent("DELETE") == server.sent("PATCH") == []


def test_a_person_called_like_the_bot_is_not_the_bot(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    theirs = server.comment(pull, _body("All is well."))
    theirs.kind = "User"
    assert _kept(github, pull, _body("Failed."), Stamp(NEW, LATE)).action == "made"
    assert server.comments[theirs.id].body == _body("All is well.")


def test_a_comment_that_only_quotes_ours_is_left_alone(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    server.comment(pull, f"> quoted\n\n{_body()}")
    server.comment(pull, "nothing of ours")
    assert _kept(github, pull, _body(), Stamp(NEW, LATE)).action == "made"
    assert len(_bodies(server, pull)) == 3


def test_a_token_that_may_not_write_is_told_as_that(server: GitHubServer, pull: Pull) -> None:
    reader = _client(server, server.token(pull_requests="read"))
    with pytest.raises(Forbidden, match="it lacks pull-requests: write"):
        _kept(reader, pull, _body(), Stamp(NEW, LATE))
    assert _bodies(server, pull) == []


def test_what_an_older_check_says_does_not_take_a_newer_ones_place(
    server: GitHubServer, github: GitHub, pull: Pull
) -> None:
    made = _kept(github, pull, _body("Failed."), Stamp(NEW, LATE))
    late = _kept(github, pull, _body("Passed."), Stamp(OLD, EARLY))
    assert (made.action, late.action) == ("made", "newer stands")
    assert late.address == made.address
    assert _bodies(server, pull) == [stamped(_body("Failed."), Stamp(NEW, LATE))]


def test_it_is_renewed_in_place_and_left_where_it_says_the_same(
    server: GitHubServer, github: GitHub, pull: Pull
) -> None:
    first = _kept(github, pull, _body("Failed."), Stamp(OLD, EARLY))
    second = _kept(github, pull, _body("Passed."), Stamp(NEW, LATE))
    third = _kept(github, pull, _body("Passed."), Stamp(NEW, LATE))
    assert [first.action, second.action, third.action] == ["made", "renewed", "same"]
    assert first.address == second.address == third.address
    assert [(each.body, each.edits) for each in server.comments_on(pull)] == [
        (stamped(_body("Passed."), Stamp(NEW, LATE)), 1)
    ]


def test_a_comment_whose_stamp_was_edited_away_is_renewed(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    server.comment(pull, _body("Whatever somebody made of it."))
    assert _kept(github, pull, _body("Passed."), Stamp(OLD, EARLY)).action == "renewed"
    assert _bodies(server, pull) == [stamped(_body("Passed."), Stamp(OLD, EARLY))]


def test_line_breaks_as_browsers_send_them_are_line_breaks(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    server.comment(pull, stamped(_body("Passed."), Stamp(NEW, LATE)).replace("\n", "\r\n"))
    assert _kept(github, pull, _body("Passed."), Stamp(NEW, LATE)).action == "same"
    assert _kept(github, pull, _body("Failed."), Stamp(OLD, EARLY)).action == "newer stands"


def test_duplicates_go_and_the_newest_stays(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    server.comment(pull, stamped(_body("1"), Stamp(OLD, EARLY)))
    newest = server.comment(pull, stamped(_body("2"), Stamp(NEW, LATE)))
    server.comment(pull, _body("3"))
    theirs = server.comment(pull, _body("4"), "eve")
    other = server.comment(pull, stamped(_body("5", "notes"), Stamp(OLD, EARLY)))
    assert _kept(github, pull, _body("late"), Stamp(OLD, EARLY)).action == "newer stands"
    assert [each.id for each in server.comments_on(pull)] == [newest.id, theirs.id, other.id]
    assert server.comments[newest.id].edits == 0


def test_each_suite_has_its_own(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    _kept(github, pull, _body("1"), Stamp(NEW, LATE))
    _kept(github, pull, _body("2", "notes"), Stamp(NEW, LATE))
    _kept(github, pull, _body("3", "notes"), Stamp(NEW, LATE))
    assert [sticky.suite_of(each) for each in _bodies(server, pull)] == ["wiki", "notes"]


def test_it_is_found_behind_hundreds_of_others(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    for number in range(230):
        server.comment(pull, f"comment {number}", "eve")
    ours = server.comment(pull, stamped(_body("old"), Stamp(OLD, EARLY)))
    assert _kept(github, pull, _body("new"), Stamp(NEW, LATE)).action == "renewed"
    assert server.comments[ours.id].body == stamped(_body("new"), Stamp(NEW, LATE))


def test_one_that_somebody_deletes_in_between_is_made_again(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    ours = server.comment(pull, stamped(_body("old"), Stamp(OLD, EARLY)))
    stands = sticky.ours(github, pull.number, WORKFLOWS)
    del server.comments[ours.id]
    kept = sticky.keep(github, pull.number, WORKFLOWS, _body("new"), Stamp(NEW, LATE), stands)
    assert kept.action == "made"
    assert _bodies(server, pull) == [stamped(_body("new"), Stamp(NEW, LATE))]


def test_what_a_newer_check_wrote_since_it_was_looked_at_stays(
    server: GitHubServer, github: GitHub, pull: Pull
) -> None:
    ours = server.comment(pull, stamped(_body("old"), Stamp(OLD, EARLY)))
    stands = sticky.ours(github, pull.number, WORKFLOWS)
    newer = stamped(_body("newer"), Stamp(NEW, LATE))
    server.comments[ours.id].body = newer
    kept = sticky.keep(github, pull.number, WORKFLOWS, _body("late"), Stamp(OLD, EARLY), stands)
    assert (kept.action, _bodies(server, pull)) == ("newer stands", [newer])


@pytest.mark.parametrize("is_first", [True, False])
def test_of_two_that_two_jobs_make_at_once_the_newer_stays(
    server: GitHubServer, github: GitHub, pull: Pull, is_first: bool
) -> None:
    nothing = sticky.ours(github, pull.number, WORKFLOWS)
    theirs, mine = Stamp(NEW, LATE), Stamp(OLD, EARLY)
    if is_first:
        theirs, mine = mine, theirs
    assert sticky.keep(github, pull.number, WORKFLOWS, _body("theirs"), theirs, nothing).action == "made"
    kept = sticky.keep(github, pull.number, WORKFLOWS, _body("mine"), mine, nothing)
    assert kept.action == ("made" if is_first else "newer stands")
    assert _bodies(server, pull) == [stamped(_body("mine" if is_first else "theirs"), Stamp(NEW, LATE))]


def test_jobs_at_once_leave_one_comment_of_the_newest_check(server: GitHubServer, pull: Pull) -> None:
    token = server.token(pull_requests="write")
    nothing: list[sticky.Sticky] = []
    barrier = threading.Barrier(4)

    def write(number: int) -> None:
        client = _client(server, token)
        barrier.wait()
        stamp = Stamp(NEW, f"2024-01-02T03:04:0{number}Z")
        sticky.keep(client, pull.number, WORKFLOWS, _body(str(number)), stamp, nothing)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert _bodies(server, pull) == [stamped(_body("3"), Stamp(NEW, "2024-01-02T03:04:03Z"))]


def test_a_comment_of_another_app_than_ours_is_taken_back_and_told(server: GitHubServer, pull: Pull) -> None:
    app = _client(server, server.token("our-app[bot]", pull_requests="write"))
    with pytest.raises(CannotRun, match=r"the token comments as our-app\[bot\]") as caught:
        _kept(app, pull, _body(), Stamp(NEW, LATE))
    assert caught.value.hint == "export ASSAY_COMMENT_AUTHOR=our-app[bot]"
    assert _bodies(server, pull) == []


@pytest.mark.parametrize("after", [True, False])
@pytest.mark.parametrize("trouble", [{"status": 502}, {"dropped": True}])
def test_one_whose_answer_got_lost_is_made_once(
    server: GitHubServer, github: GitHub, pull: Pull, trouble: dict[str, Any], after: bool
) -> None:
    server.next("POST", after=after, **trouble)
    assert _kept(github, pull, _body(), Stamp(NEW, LATE)).action == "made"
    assert _bodies(server, pull) == [stamped(_body(), Stamp(NEW, LATE))]


def test_whose_comments_are_ours(server: GitHubServer, github: GitHub, pull: Pull) -> None:
    assert sticky.author(github) == WORKFLOWS
    assert sticky.author(github, "our-app[bot]") == "our-app[bot]"
    ada = _client(server, server.token("ada", is_installation=False, pull_requests="write"))
    assert sticky.author(ada) == "ada"
    assert _kept(ada, pull, _body("1"), Stamp(OLD, EARLY), "ada").action == "made"
    assert _kept(ada, pull, _body("2"), Stamp(NEW, LATE), "ada").action == "renewed"
    assert [each.login for each in server.comments_on(pull)] == ["ada"]
