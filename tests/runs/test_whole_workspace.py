"""A workspace that is its own wiki, and one whose sources lie below the wiki."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.git.snapshot import TreeSnapshot
from gitops.git.treediff import changed
from gitops.runs import intake
from gitops.runs.judging import is_intake
from tests.runs.driving import MAIN, SOURCE, Wiki, page

Make = Callable[..., Path]


def whole(make_repository: Make) -> Wiki:
    files = {
        "assay.toml": '[workspace]\nname = "whole"\nwiki = "."\n',
        "raw/tides.md": SOURCE,
        "index.md": "# Index\n\n- [Page](tables/p.md)\n",
        "log.md": "# Log\n",
        "kb/assay.toml": '[workspace]\nname = "kb"\n',
        "kb/wiki/index.md": "# Index\n\n- [Gone](gone.md)\n",
    }
    return Wiki(make_repository(files, name="whole"))


def test_a_workspace_below_another_is_none_of_its_pages(make_repository: Make) -> None:
    workspace = whole(make_repository).workspace()
    assert workspace.layout.nested == ("kb",)
    assert not workspace.layout.is_page("kb/wiki/index.md")


@pytest.mark.parametrize("path", ["kb/wiki/p.md", "Makefile", "CLAUDE.md", "gold/p.md", "assay.debt.jsonl"])
def test_a_run_may_not_write_beside_the_pages(make_repository: Make, path: str) -> None:
    wiki = whole(make_repository)
    outcome = wiki.finish(wiki.run({path: "x\n"}))
    assert outcome.verdict is not None
    assert outcome.verdict.verdict == "reject"
    assert {(one.check, one.path) for one in outcome.verdict.findings if one.level == "error"} >= {("path_acl", path)}


def test_a_page_lands_and_the_log_has_its_line(make_repository: Make) -> None:
    wiki = whole(make_repository)
    wiki.finish(wiki.run({"tables/p.md": page(1)}))
    assert wiki.show("tables/p.md") == page(1).rstrip("\n")
    assert "+tables/p.md" in wiki.show("log.md")
    after = wiki.finish(wiki.run({"tables/p.md": page(1) + "\n[[gone]]\n"}))
    assert after.verdict is not None
    assert [one.path for one in after.verdict.findings if one.new] == ["tables/p.md"]


def test_sources_below_the_wiki_come_in_as_sources(make_repository: Make) -> None:
    files = {"assay.toml": '[workspace]\nraw = "wiki/raw"\n', "wiki/index.md": "# Index\n", "wiki/log.md": "# Log\n"}
    wiki = Wiki(make_repository(files, name="below"))
    workspace, context = wiki.workspace(), wiki.context()
    assert intake.place_of(workspace, Path("a.md"), None) == "wiki/raw/a.md"
    taken = intake.add(context, workspace, MAIN, {"wiki/raw/a.md": b"# A\n"})
    trees = [TreeSnapshot.at(context.repository, commit).tree_id for commit in (f"{taken.commit}^", taken.commit)]
    assert is_intake(workspace, changed(context.repository, *trees))
    outcome = wiki.finish(wiki.run({"wiki/raw/a.md": "changed\n"}))
    assert outcome.verdict is not None
    assert {one.check for one in outcome.verdict.findings if one.level == "error"} == {"raw_sealed"}
