from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.git.locks import held
from gitops.runs import pushed, workers

A, B = "a" * 40, "b" * 40


class Nothing:
    """Nothing to do besides runs."""

    def is_due(self) -> bool:
        return False

    def do(self) -> None:
        pass


def gone() -> None:
    """No branch."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "assay"


def answering(folder: Path, done: list[str]) -> Callable[[str], None]:
    def do(run_id: str) -> None:
        done.append(run_id)
        pushed.answered(folder, run_id, [pushed.head_of(folder, run_id)], gone)

    return do


def test_nothing_of_the_push_goes_along() -> None:
    brought = {
        "GIT_DIR": ".",
        "GIT_QUARANTINE_PATH": "objects/tmp",
        "GIT_OBJECT_DIRECTORY": "objects/tmp",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "objects",
        "GIT_PUSH_OPTION_COUNT": "1",
        "GIT_PUSH_OPTION_0": "assay.wait",
        "GIT_COMMITTER_NAME": "mallory",
        "GIT_AUTHOR_EMAIL": "mallory@example.org",
    }
    kept = {"PATH": "/bin", "ANTHROPIC_API_KEY": "k", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_SSH_COMMAND": "ssh"}
    assert workers.scrubbed(brought | kept) == kept


def test_nothing_of_a_request_goes_along() -> None:
    request = {
        "REQUEST_METHOD": "POST",
        "HTTP_AUTHORIZATION": "Basic YWRhOnNlY3JldA==",
        "HTTP_PROXY": "http://proxy.elsewhere.example",
        "REMOTE_USER": "mallory",
        "PATH_INFO": "/wiki.git/git-receive-pack",
    }
    kept = {"PATH": "/bin", "HOME": "/home/git", "HTTPS_PROXY": "http://proxy.example.org"}
    assert workers.scrubbed(request | kept) == kept
    own = {"HTTP_PROXY": "http://proxy.example.org"}
    assert workers.scrubbed(own) == own


def test_where_nothing_waits_nothing_is_done(folder: Path) -> None:
    assert workers.work(folder, 4, pytest.fail, Nothing()) == 0


def test_where_as_many_work_as_may_it_is_left_to_them(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    with held(folder.parent, "WORKER-0"):
        assert workers.anybody(folder)
        assert workers.work(folder, 1, pytest.fail, Nothing()) == 0
    assert pushed.waiting(folder) == {"abc": A}
    assert not workers.anybody(folder)


def test_a_run_that_another_worker_is_at_is_left_to_it(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    with held(folder.parent, "abc.SERVED"):
        assert workers.is_at_work(folder, "abc")
        assert workers.work(folder, 4, pytest.fail, Nothing()) == 0
    assert not workers.is_at_work(folder, "abc")


def test_all_that_waits_is_done_the_longest_waiting_first(folder: Path) -> None:
    for run_id in ("zzz", "aaa"):
        pushed.put(folder, run_id, A)
    done: list[str] = []
    assert workers.work(folder, 4, answering(folder, done), Nothing()) == 2
    assert done == ["zzz", "aaa"]


def test_a_run_that_is_pushed_again_while_it_is_done_is_done_again(folder: Path) -> None:
    pushed.put(folder, "abc", A)
    done: list[str] = []

    def do(run_id: str) -> None:
        head = pushed.head_of(folder, run_id)
        done.append(head)
        if head == A:
            pushed.put(folder, "abc", B)
        pushed.answered(folder, run_id, [head], gone)

    assert workers.work(folder, 4, do, Nothing()) == 2
    assert done == [A, B]


def test_what_is_noted_down_while_a_worker_leaves_is_not_forgotten(folder: Path) -> None:
    """Whoever notes it down finds every place taken, so the worker that takes it has to look once more."""

    class Late(Nothing):
        asked = 0

        def is_due(self) -> bool:
            self.asked += 1
            if self.asked == 1:  # the place is free again, and nothing waited a moment ago
                pushed.put(folder, "late", A)
                return True
            return False

    done: list[str] = []
    assert workers.work(folder, 1, answering(folder, done), Late()) == 1
    assert done == ["late"]


def test_many_at_once_do_each_run_once(folder: Path) -> None:
    for number in range(30):
        pushed.put(folder, f"run-{number:02}", A)
    done: list[str] = []
    threads = [
        threading.Thread(target=workers.work, args=(folder, 4, answering(folder, done), Nothing())) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [f"run-{number:02}" for number in range(30)]
    assert pushed.waiting(folder) == {}
