from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.config import Config
from gitops.errors import CannotRun
from gitops.verify.finding import Finding, Level
from gitops.verify.verifier import Judged, examine
from gitops.verify.view import Library, RunFacts, View
from gitops.wiki.graph import MemoryGraph
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import MemorySnapshot

Verify = Callable[..., Judged]
Results = Callable[..., list[tuple[str, str, str, int, bool]]]

BAD = 'Old.[^1]\n\n[^1]: raw/nope.md, "some words"\n'
WIKI = {"wiki/index.md": "[[a]]\n", "wiki/a.md": BAD}


def new(found: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    return [(one.check, one.result, one.path) for one in found if one.new and one.level is not Level.NONE]


def test_nothing_changed_nothing_found(judged: Verify) -> None:
    assert judged(WIKI, {}) == Judged((), 0)


def test_a_page_that_this_clone_lacks_is_no_page_that_passed(judged: Verify) -> None:
    with pytest.raises(CannotRun, match="this clone lacks") as told:
        judged(WIKI, {"wiki/b.md": b"\0absent"})
    assert told.value.hint == "git fetch --refetch"


def test_a_submodule_where_a_page_should_be_is_refused_and_not_read(judged: Verify) -> None:
    found = judged(WIKI, {"wiki/a.md": "0" * 40}, modes={"wiki/a.md": 0o160000}).findings
    assert ("path_acl", "mode", "wiki/a.md") in new(found)


def test_the_claims_of_touched_pages_are_counted(judged: Verify) -> None:
    assert judged(WIKI, {"wiki/b.md": BAD + "\nMore.[^1]\n"}).claims == 2


def test_what_stood_at_the_base_is_kept_and_not_new_when_lines_move(judged: Verify) -> None:
    found = judged(WIKI, {"wiki/a.md": "# Title\n\n" + BAD}).findings
    assert [(one.result, one.line, one.new) for one in found if one.check == "source_exists"] == [("missing", 5, False)]
    assert new(found) == []


def test_a_known_finding_does_not_pay_for_its_suggestion(judged: Verify) -> None:
    found = judged(WIKI, {"wiki/a.md": "# Title\n\n" + BAD}).findings
    assert [one.repair for one in found if one.check == "source_exists"] == [""]


def test_untouched_pages_show_only_what_is_new(judged: Verify) -> None:
    before = {"wiki/index.md": "[[a]] [[b]]\n", "wiki/a.md": BAD + "\nSee [[b]].\n", "wiki/b.md": "Words.\n"}
    found = judged(before, {"wiki/b.md": None}).findings
    assert {(one.check, one.path) for one in found} == {("links", "wiki/index.md"), ("links", "wiki/a.md")}


def test_a_plain_rename_makes_no_finding_new(judged: Verify) -> None:
    change = {"wiki/a.md": None, "wiki/b.md": BAD, "wiki/index.md": "[[b]]\n"}
    assert new(judged(WIKI, change).findings) == []


def test_a_rename_into_a_checked_role_is_new(judged: Verify) -> None:
    before = {"wiki/index.md": "Uncited words.\n"}
    found = judged(before, {"wiki/index.md": "[[b]]\n", "wiki/b.md": "Uncited words.\n"}).findings
    assert new(found) == [("uncited", "uncited", "wiki/b.md")]


def test_fixing_a_page_leaves_nothing(judged: Verify) -> None:
    before = WIKI | {"raw/a.md": "some words"}
    found = judged(before, {"wiki/a.md": BAD.replace("nope", "a")}).findings
    assert [one for one in found if one.level in (Level.ERROR, Level.WARNING)] == []


def test_findings_come_in_the_order_of_pages_and_lines(judged: Verify) -> None:
    found = judged({}, {"wiki/b.md": "One.\n\nTwo.\n", "wiki/a.md": "[[x]]\n\nThree.\n"}).findings
    places = [(one.path, one.line) for one in found]
    assert places == sorted(places)


def test_each_workspace_is_judged_by_itself(judged: Verify) -> None:
    before = {"alpha/wiki/index.md": "[[x]]\n", "beta/wiki/index.md": "Home.\n", "beta/raw/b.md": "words\n"}
    run = RunFacts(is_run=False)
    assert (
        judged(before, {"alpha/wiki/index.md": "[[y]]\n", "alpha/raw/a.md": "x"}, root="beta", run=run).findings == ()
    )


def test_examining_one_page_says_everything_about_it() -> None:
    files = {"wiki/a.md": BAD.encode(), "raw/nape.md": b"some words"}
    snapshot = MemorySnapshot(files)
    graph = MemoryGraph({}, lambda path: path in files)
    found = examine(View(snapshot, Layout(), Config(), Library(Config()), graph), "wiki/a.md")
    assert {(one.check, one.result) for one in found} == {("source_exists", "missing"), ("orphan", "orphan")}
    assert all(one.new for one in found)
