from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import wikis
from gitops.cli import main
from gitops.git.repository import open_repository
from gitops.git.snapshot import TreeSnapshot
from gitops.wiki import page


def verified(wiki: wikis.Wiki, run_id: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    code = main(["-C", str(wiki.folder), "verify", f"run/{run_id}", "--base", "main", "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_a_run_lands_only_because_its_quotations_are_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], git: Callable[..., str]
) -> None:
    wiki = wikis.build(tmp_path / "wiki", 40)
    run_id = wikis.begin(wiki, 0)
    assert verified(wiki, run_id, capsys)[0] == 0
    source = (wiki.folder / "raw/source-00000.md").read_text()
    (wiki.folder / "raw/source-00000.md").write_text(source.replace(" in 19", " about 19"))
    git(wiki.folder, "commit", "--quiet", "--all", "--message", "Spoil a source")
    code, told = verified(wiki, run_id, capsys)
    assert (code, told["verdict"]) == (1, "reject")


def test_a_run_changes_ten_pages_with_twenty_citations(tmp_path: Path, git: Callable[..., str]) -> None:
    wiki = wikis.build(tmp_path / "wiki", 40)
    run_id = wikis.begin(wiki, 1)
    changed = git(wiki.folder, "diff", "--name-only", "main", f"run/{run_id}").split()
    assert len(changed) == wikis.CHANGED
    head = TreeSnapshot.at(open_repository(wiki.folder), f"run/{run_id}")
    cites = [{cite for claim in page.parse(head.read(path)).claims for cite in claim.cites} for path in changed]
    assert [len(each) for each in cites] == [2] * wikis.CHANGED


@pytest.mark.slow
def test_no_two_runs_share_a_page(tmp_path: Path, git: Callable[..., str]) -> None:
    wiki = wikis.build(tmp_path / "wiki", 60)
    runs = [wikis.begin(wiki, number) for number in range(4)]
    changed = [path for run in runs for path in git(wiki.folder, "diff", "--name-only", "main", f"run/{run}").split()]
    assert len(set(changed)) == len(changed) == 4 * wikis.CHANGED


def test_every_page_has_a_text_of_its_own_four_links_and_a_citation(tmp_path: Path, git: Callable[..., str]) -> None:
    wiki = wikis.build(tmp_path / "wiki", 120)
    files = list((wiki.folder / "wiki").glob("*/page-*.md"))
    assert len(files) == wiki.pages == len({file.read_bytes() for file in files})
    assert all(1_000 < file.stat().st_size < 2_500 for file in files)
    parsed = [page.parse(file.read_bytes()) for file in files]
    assert {len(each.links) for each in parsed} == {4}
    assert {len(each.claims) for each in parsed} == {1}
    assert not any(each.problems or each.schema_problems for each in parsed)
    assert git(wiki.folder, "status", "--porcelain") == ""


def test_the_same_size_is_the_same_wiki(tmp_path: Path, git: Callable[..., str]) -> None:
    trees = [git(wikis.build(tmp_path / name, 30).folder, "rev-parse", "main^{tree}") for name in ("one", "two")]
    assert trees[0] == trees[1]
