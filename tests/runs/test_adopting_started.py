"""Branches whose runs were started elsewhere, or that somebody else went on with."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Refused
from gitops.runs import adopting, names, store
from gitops.runs.records import Run
from tests.runs.driving import CLOCK, Wiki, name, page


def pushed_to(wiki: Wiki, place: Path, run: Run) -> Wiki:
    """Another clone that has the run's branch, and none of its records."""
    wiki.git("clone", "--quiet", f"file://{wiki.folder}", os.fspath(place))
    other = Wiki(place, wiki.now)
    other.git("branch", "--quiet", f"run/{run.id}", f"origin/run/{run.id}")
    other.later(days=3)
    return other


def united(one: Wiki, other: Wiki) -> None:
    one.git("fetch", "--quiet", os.fspath(other.folder), "+refs/notes/assay/*:refs/notes/theirs/*")
    for ref in one.git("for-each-ref", "--format=%(refname)", "refs/notes/theirs").splitlines():
        own = ref.replace("refs/notes/theirs/", "refs/notes/assay/")
        if one.ref(own) is None:
            one.git("update-ref", own, ref)
        else:
            one.git("notes", f"--ref={own}", "merge", "--quiet", "--strategy=cat_sort_uniq", ref)


def test_its_records_are_one_runs_with_those_of_who_started_it(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run(run_type="ingest", sources=("raw/tides.md",))
    server = pushed_to(wiki, tmp_path / "server", run)
    outcome = server.finish(run.id)
    assert outcome.result == "landed"
    adopted = server.find(run.id)
    assert (adopted.record.root, adopted.record.started_at) == (run.record.root, run.record.started_at)
    assert adopted.record.started_at == f"{CLOCK:%Y-%m-%dT%H:%M:%SZ}"
    united(wiki, server)
    known = wiki.find(run.id)
    assert (known.status, known.state.candidate) == ("committed", outcome.commit)
    assert not [told for told in wiki.told if "begun twice" in told]


def test_the_line_in_the_log_is_the_same_for_both(wiki: Wiki, tmp_path: Path) -> None:
    from gitops.runs import logsync

    run = wiki.run(run_type="ingest", sources=("raw/tides.md",))
    server = pushed_to(wiki, tmp_path / "server", run)
    commit = server.finish(run.id).commit
    united(wiki, server)
    assert logsync.line_of(wiki.find(run.id)) in server.show("wiki/log.md", at=commit)


@pytest.mark.parametrize(("given", "adopted"), [("lint", "cascade"), ("synthesis", "synthesis")])
def test_a_type_that_may_do_more_is_not_taken_from_a_trailer(
    wiki: Wiki, tmp_path: Path, given: str, adopted: str
) -> None:
    run = wiki.run(run_type=given, reason="because")
    server = pushed_to(wiki, tmp_path / "server", run)
    assert adopting.adopt(server.context(), run.id).record.run_type == adopted


def test_a_root_commit_that_changes_something_is_none(wiki: Wiki) -> None:
    wiki.git("switch", "--quiet", "--create", "run/made-up")
    (wiki.folder / name(0)).write_text(page(0))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "Start\n\nAssay-Run: made-up\nAssay-Type: synthesis")
    head = wiki.git("rev-parse", "HEAD")
    wiki.git("switch", "--quiet", "main")
    run = wiki.find(adopting.adopt(wiki.context(), "made-up"))
    assert (run.record.root, run.record.run_type) == (head, "cascade")


def test_a_stranger_who_goes_on_with_an_adopted_run_is_refused(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[runs]\nadopt_from = ["*@example.org"]\n')
    wiki.git("switch", "--quiet", "--create", "run/shared")
    (wiki.folder / name(0)).write_text(page(0))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "By a friend")
    wiki.git("switch", "--quiet", "main")
    adopting.adopt(wiki.context(), "shared")
    wiki.git("switch", "--quiet", "run/shared")
    author = ("-c", "user.name=Eve", "-c", "user.email=eve@elsewhere.example")
    (wiki.folder / name(1)).write_text(page(1))
    wiki.git("add", "--all")
    wiki.git(*author, "commit", "--quiet", "--author=Eve <eve@elsewhere.example>", "--message", "By a stranger")
    wiki.git("switch", "--quiet", "main")
    with pytest.raises(Refused, match=r"eve@elsewhere\.example"):
        wiki.finish("shared")
    assert wiki.find("shared").status == "pending"


def test_what_is_only_noted_down_lets_nobody_in(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[runs]\nadopt_from = ["*@elsewhere.example"]\n')
    wiki.git("branch", "run/mine")
    wiki.git("switch", "--quiet", "run/mine")
    (wiki.folder / name(0)).write_text(page(0))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "Mine")
    wiki.git("switch", "--quiet", "main")
    adopting.adopt(wiki.context(), "mine", allowed=True)
    assert store.exact(wiki.context(), "mine") is not None
    with pytest.raises(Refused, match="adopt_from does not allow"):
        wiki.finish("mine")
    assert wiki.ref(names.branch("mine")) is not None
