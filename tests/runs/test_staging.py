from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import AssayError, CannotRun, Refused, UsageError
from gitops.runs import abandoning, names, staging, targets
from gitops.runs.staging import Request
from tests.runs.driving import MAIN, Wiki, branch, kept, name, page

INDEX = "wiki/index.md"


def _start(wiki: Wiki, **request: object) -> None:
    staging.start(wiki.context(), wiki.workspace(), MAIN, Request(**request))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "run_id", ["ab", "-abc", "Abc", "a_b_c", "a/b/c", "../abc", "run/abc", "a" * 64, "abc.lock", "TURN"]
)
def test_an_id_that_is_none_is_refused(wiki: Wiki, run_id: str) -> None:
    with pytest.raises(UsageError, match="is no run id"):
        _start(wiki, run_id=run_id)


@pytest.mark.parametrize("ending", ["open", "landed", "rejected", "abandoned", "left"])
def test_an_id_is_used_once(wiki: Wiki, ending: str) -> None:
    run = wiki.run({name(0): page(0, "not in there")} if ending == "rejected" else None, run_id="only-once")
    if ending in ("landed", "rejected"):
        assert wiki.finish(run).result == ending
    elif ending == "abandoned":
        abandoning.abandon(wiki.context(), run.id, "")
    elif ending == "left":
        wiki.git("branch", "-D", "run/only-once")
    before = wiki.refs()
    with pytest.raises(UsageError, match="only-once"):
        _start(wiki, run_id="only-once")
    assert wiki.refs() == before


@pytest.mark.parametrize(
    "source", ["raw/nope.md", "wiki/index.md", "assay.toml", "../raw/tides.md", "/etc/passwd", "raw"]
)
def test_a_source_that_is_none_is_refused(wiki: Wiki, source: str) -> None:
    with pytest.raises(UsageError):
        _start(wiki, sources=(source,))


def test_who_began_a_run_is_said_in_a_known_way(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="does not say who began the run"):
        _start(wiki, triggered_by="me")


def test_an_unborn_target_is_told(make_repository: Callable[..., Path], wiki: Wiki) -> None:
    empty = Wiki(make_repository(name="empty"))
    with pytest.raises(CannotRun, match="the branch main has no commit yet"):
        staging.start(empty.context(), wiki.workspace(), MAIN, Request())


def test_a_detached_head_names_no_target(wiki: Wiki) -> None:
    wiki.git("switch", "--quiet", "--detach")
    with pytest.raises(UsageError, match="HEAD is detached"):
        targets.default_target(wiki.context().repository)
    wiki.git("config", "assay.target", "main")
    assert targets.default_target(wiki.context().repository) == MAIN


def test_a_run_is_no_target(wiki: Wiki) -> None:
    wiki.git("switch", "--quiet", f"run/{wiki.run().id}")
    with pytest.raises(UsageError, match="is a run and no target"):
        targets.default_target(wiki.context().repository)


def test_a_target_that_is_not_there_is_told_with_those_that_are(wiki: Wiki) -> None:
    wiki.run()
    with pytest.raises(UsageError, match="there is no branch 'mian'") as caught:
        targets.existing(wiki.context().repository, "mian")
    assert caught.value.hint == "branches: main"


def test_a_branch_called_run_is_in_the_way_and_named(wiki: Wiki) -> None:
    wiki.git("branch", "run")
    with pytest.raises(CannotRun, match="cannot be made while branch 'run' exists") as caught:
        _start(wiki)
    assert caught.value.hint.startswith("git branch -m run ")
    assert wiki.ref("refs/notes/assay/runs") is None


@pytest.mark.parametrize(
    "path",
    [
        "../out.md",
        "/etc/x.md",
        "wiki/../../x.md",
        ".git/config",
        "wiki/.GIT/x.md",
        "wiki/git~1/x",
        "wiki//x.md",
        "",
        "wiki/a\nb.md",
    ],
)
def test_a_path_that_escapes_is_refused(wiki: Wiki, path: str) -> None:
    run = wiki.run({})
    with pytest.raises(UsageError):
        staging.write(wiki.context(), run, wiki.workspace(), path, b"x")
    assert wiki.ref(branch(run)) == run.record.root


@pytest.mark.parametrize(
    ("old", "times"), [("Page 77", 0), ("Page", 40), ("\r\n", 0), ("[Page 0](p000.md) ", 0), ("# index", 0)]
)
def test_a_text_that_does_not_stand_exactly_once_rejects_the_run(wiki: Wiki, old: str, times: int) -> None:
    run = wiki.run()
    head = wiki.ref(branch(run))
    with pytest.raises(Refused, match=f"holds the text {times} times, not once"):
        staging.replace(wiki.context(), run, wiki.workspace(), INDEX, old, "x")
    assert (wiki.find(run).status, wiki.ref(kept(run)), wiki.ref(branch(run))) == ("rejected", head, None)
    with pytest.raises(Refused, match="rejected already"):
        wiki.finish(run)


def test_places_that_overlap_are_several(wiki: Wiki) -> None:
    run = wiki.run({name(0): "aaa\n"})
    with pytest.raises(Refused, match="holds the text 2 times"):
        staging.replace(wiki.context(), run, wiki.workspace(), name(0), "aa", "b")


def test_a_page_that_is_not_there_rejects_the_run(wiki: Wiki) -> None:
    run = wiki.run()
    with pytest.raises(Refused, match="the page is not in the run"):
        staging.replace(wiki.context(), run, wiki.workspace(), "wiki/nope.md", "a", "b")


def test_an_empty_text_is_a_wrong_command_and_rejects_nothing(wiki: Wiki) -> None:
    run = wiki.run()
    with pytest.raises(UsageError, match="--old is empty"):
        staging.replace(wiki.context(), run, wiki.workspace(), INDEX, "", "b")
    assert wiki.find(run).status == "pending"


def test_a_page_that_is_not_there_cannot_be_removed(wiki: Wiki) -> None:
    run = wiki.run()
    with pytest.raises(UsageError, match=r"there is no wiki/nope\.md"):
        staging.remove(wiki.context(), run, wiki.workspace(), "wiki/nope.md")


@pytest.mark.parametrize("ending", ["landed", "abandoned", "rejected"])
def test_a_run_that_has_ended_is_not_written_to(wiki: Wiki, ending: str) -> None:
    run = wiki.run({name(0): page(0, "not in there")} if ending == "rejected" else None)
    if ending == "abandoned":
        abandoning.abandon(wiki.context(), run.id, "")
    else:
        wiki.finish(run)
    wiki.git("branch", f"run/{run.id}", "main")
    steps: list[Callable[[], object]] = [
        lambda: staging.write(wiki.context(), run, wiki.workspace(), name(1), b"x"),
        lambda: staging.remove(wiki.context(), run, wiki.workspace(), INDEX),
        lambda: staging.replace(wiki.context(), run, wiki.workspace(), INDEX, "# Index", "x"),
    ]
    for step in steps:
        with pytest.raises(Refused, match=f"is {'committed' if ending == 'landed' else ending} already"):
            step()
    assert wiki.ref(branch(run)) == wiki.ref(MAIN)


def test_a_run_whose_branch_is_gone_says_how_to_get_it_back(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.git("branch", "-D", f"run/{run.id}")
    with pytest.raises(CannotRun, match=f"the branch run/{run.id} is gone"):
        staging.write(wiki.context(), run, wiki.workspace(), name(1), b"x")


def test_a_worktree_on_the_run_follows_what_is_written(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    linked = tmp_path / "linked"
    wiki.git("worktree", "add", "--quiet", str(linked), f"run/{run.id}")
    staging.write(wiki.context(), run, wiki.workspace(), name(1), page(1).encode())
    assert (linked / name(1)).read_text() == page(1)
    assert Wiki(linked).git("status", "--porcelain") == ""
    assert wiki.finish(run).result == "landed"
    assert wiki.ref(branch(run)) is not None, "a branch is not deleted under somebody's feet"


def test_a_dirty_worktree_on_the_run_refuses_to_be_overwritten(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    head = wiki.ref(branch(run))
    linked = tmp_path / "linked"
    wiki.git("worktree", "add", "--quiet", str(linked), f"run/{run.id}")
    (linked / name(0)).write_text("mine\n")
    with pytest.raises(CannotRun, match="cannot follow"):
        staging.write(wiki.context(), run, wiki.workspace(), name(0), b"theirs\n")
    assert (wiki.ref(branch(run)), (linked / name(0)).read_text()) == (head, "mine\n")


def test_what_is_staged_is_on_the_branch_alone(wiki: Wiki) -> None:
    before = wiki.ref(MAIN)
    run = wiki.run({name(0): page(0), name(1): page(1)})
    staging.remove(wiki.context(), run, wiki.workspace(), name(1))
    staging.replace(wiki.context(), run, wiki.workspace(), name(0), "turns", "returns")
    assert wiki.show(name(0), branch(run)) == page(0).replace("turns", "returns").rstrip("\n")
    assert wiki.git("diff", "--name-only", "main", branch(run)) == name(0)
    assert wiki.ref(MAIN) == before
    assert wiki.git("status", "--porcelain") == ""


def test_writing_the_same_again_makes_no_commit(wiki: Wiki) -> None:
    run = wiki.run()
    head = wiki.ref(branch(run))
    assert staging.write(wiki.context(), run, wiki.workspace(), name(0), page(0).encode()) == head


def test_a_start_is_an_empty_commit_that_says_what_it_is(wiki: Wiki) -> None:
    run = wiki.run({}, run_type="ingest", sources=("raw/tides.md", "raw/tides.md"), reason="a reason")
    assert wiki.git("diff", "--stat", "main", run.record.root) == ""
    assert wiki.git("log", "-1", "--format=%(trailers)", run.record.root).splitlines() == [
        f"Assay-Run: {run.id}",
        "Assay-Type: ingest",
        "Assay-Source: raw/tides.md",
    ]
    assert (run.status, run.record.sources, run.record.base) == ("pending", ("raw/tides.md",), wiki.ref(MAIN))


def test_ids_sort_by_time_and_are_their_own(wiki: Wiki) -> None:
    first = wiki.run({})
    wiki.later(seconds=1)
    second, third = wiki.run({}), wiki.run({})
    assert first.id < min(second.id, third.id)
    assert second.id != third.id
    assert all(names.is_id(run.id) for run in (first, second, third))


def test_bytes_are_staged_as_they_are(wiki: Wiki) -> None:
    run = wiki.run({})
    data = b"\xff\xfe\x00a\r\nno end"
    staging.write(wiki.context(), run, wiki.workspace(), name(0), data)
    assert wiki.context().tree(str(wiki.ref(branch(run)))).read(name(0)) == data


def test_every_error_says_how_to_mend_it(wiki: Wiki) -> None:
    steps: list[Callable[[], object]] = [
        lambda: _start(wiki, run_id="X"),
        lambda: _start(wiki, sources=("raw/x",)),
        lambda: wiki.finish("nope"),
    ]
    for step in steps:
        with pytest.raises(AssayError) as caught:
            step()
        assert caught.value.hint
