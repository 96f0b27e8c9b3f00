"""Many clients at once, over the transports that servers are reached by: every sound run lands once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from gitops.runs import standing, store
from tests.runs.driving import name, page
from tests.serving import transports
from tests.serving.conftest import ALTERED, Clone, Server, ran

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _more_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "file:git:http")


def pushed_at_once(server: Server, url: str, clients: int, false: int = 0) -> tuple[list[str], list[str]]:
    """So many clients push a run each, some of them with a false quotation; the ids of the sound and of the others."""
    clones = [server.clone(f"clone-{number}", url) for number in range(clients)]
    pages = [page(number) if number >= false else ALTERED for number in range(clients)]
    runs = [clone.run({name(number): pages[number]}) for number, clone in enumerate(clones)]

    def push(work: tuple[Clone, str]) -> None:
        clone, run_id = work
        clone.push("origin", f"run/{run_id}")

    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(push, zip(clones, runs, strict=True)))
    server.settle(300)
    return runs[false:], runs[:false]


def assert_landed_once_each(server: Server, sound: list[str], false: list[str], tmp_path: Path) -> None:
    wiki = server.wiki
    runs = store.all_runs(wiki.context())
    assert {run_id: runs[run_id].status for run_id in sound} == dict.fromkeys(sound, "committed")
    assert {run_id: runs[run_id].status for run_id in false} == dict.fromkeys(false, "rejected")
    commits = {runs[run_id].state.candidate for run_id in sound}
    on_the_way = server.git("rev-list", "--first-parent", "main").splitlines()
    assert len(commits) == len(sound)
    assert set(on_the_way[: len(sound)]) == commits
    assert len(on_the_way) == len(sound) + 1
    lines = [line for line in wiki.show("wiki/log.md").splitlines() if line.startswith("- ")]
    assert sorted(line.rpartition("(run ")[2].rstrip(")") for line in lines) == sorted(sound)
    assert commits <= {
        verdict.candidate for verdict in store.all_verdicts(wiki.context()) if verdict.verdict == "commit"
    }
    assert server.git("for-each-ref", "refs/heads/run") == ""
    assert standing.standing(wiki.context()).open == ()
    assert wiki.index() == wiki.rebuilt_index(tmp_path)
    server.is_sound()


def test_ten_clients_land_ten_runs_over_git_daemon(server: Server, tmp_path: Path) -> None:
    with transports.daemon(server.folder) as url:
        sound, false = pushed_at_once(server, url, 10)
    assert_landed_once_each(server, sound, false, tmp_path)


def test_sound_and_false_runs_at_once_over_http(server: Server, tmp_path: Path) -> None:
    server.git("config", "http.receivepack", "true")
    with transports.http(server.folder) as url:
        sound, false = pushed_at_once(server, url, 4, false=1)
    assert_landed_once_each(server, sound, false, tmp_path)


def test_one_worker_alone_does_the_work_of_many(server: Server, tmp_path: Path) -> None:
    server.git("config", "assay.workers", "1")
    sound, false = pushed_at_once(server, "", 4)
    assert_landed_once_each(server, sound, false, tmp_path)


def test_a_push_over_http_waits_and_is_told(server: Server) -> None:
    server.git("config", "http.receivepack", "true")
    with transports.http(server.folder) as url:
        clone = server.clone(url=url)
        run_id = clone.run()
        told = clone.push("-o", "assay.wait", "origin", f"run/{run_id}")
    assert f"outcome: run/{run_id} landed on main as" in told


@pytest.mark.parametrize("way", [transports.daemon, transports.http], ids=["git", "http"])
def test_what_is_refused_is_refused_over_these_too(
    server: Server, way: Callable[[Path], AbstractContextManager[str]]
) -> None:
    server.git("config", "http.receivepack", "true")
    before, held = server.git("for-each-ref"), server.git("count-objects", "-v")
    with way(server.folder) as url:
        clone = server.clone(url=url)
        (clone.folder / name(0)).write_text(ALTERED)
        clone.git("add", "--all")
        clone.git("commit", "--quiet", "--no-verify", "--message", "By hand")
        done = ran(clone.folder, "git", "push", "--no-verify", "origin", "main")
    assert done.code == 1, done.err
    assert "quote_anchor altered" in done.err
    assert "mend: " in done.err
    assert "not taken: main" in done.err
    assert (server.git("for-each-ref"), server.git("count-objects", "-v")) == (before, held)
    server.is_sound()


def test_who_pushes_lends_the_servers_commits_no_name(server: Server) -> None:
    server.git("config", "http.receivepack", "true")
    with transports.http(server.folder, user="mallory") as url:
        clone = server.clone(url=url)
        run_id = clone.run()
        clone.push("origin", f"run/{run_id}")
        server.settle()
    assert server.wiki.find(run_id).status == "committed"
    names = server.git("log", "--format=%cn <%ce>", "refs/notes/assay/runs", "refs/notes/assay/verdicts").splitlines()
    own = f"{server.git('config', 'user.name')} <{server.git('config', 'user.email')}>"
    assert set(names) == {own}


def test_runs_land_in_squash_style(make_server: Callable[..., Server], tmp_path: Path) -> None:
    server = make_server('[publish]\nstyle = "squash"\n')
    sound, false = pushed_at_once(server, "", 2)
    assert_landed_once_each(server, sound, false, tmp_path)
    assert server.git("rev-list", "--merges", "main") == ""
