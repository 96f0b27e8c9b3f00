"""Whole wikis of real repositories: what is found is the verifier's own, whoever does the work, kept or made anew."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.canonical import dumps
from gitops.errors import CannotRun
from gitops.git.listing import ListedSnapshot
from gitops.runs import linting, revisions
from gitops.runs.chunks import Row, links_by_page
from gitops.runs.linters import Linter
from gitops.runs.linting import Linted
from gitops.verify.registry import registry
from tests.runs.driving import SOURCE, Wiki, name, page

WRONG = {
    "wiki/bad.md": page(7, "the sea falls back thrice a day"),
    "wiki/gone.md": page(8).replace("raw/tides.md", "raw/tide.md"),
    "wiki/links.md": "# Links\n\n[a](nowhere.md) [[Quite a title]] [[index#No such heading]]\n",
    "wiki/titled.md": "---\ntitle: Quite a title\n---\n\n[[bad]] ![x](../raw/none.png)\n",
    "wiki/alone.md": "---\ntitle: [\n---\n\nNobody links here.[^9]\n",
    "wiki/one.md": "[[two]]\n",
    "wiki/two.md": "[[one]]\n",
}
SEEDS = {name(number): page(number) for number in range(40)}


def lint(wiki: Wiki, rev: str = "main") -> Linted:
    context = wiki.context()
    commit = wiki.git("rev-parse", rev)
    return linting.lint(context, context.tree(commit), "", commit, rev=commit)


def cache_of(wiki: Wiki) -> Path:
    return wiki.folder / ".git/assay/cache.sqlite3"


@pytest.fixture
def wrong(make_wiki: Callable[..., Wiki], commit_files: Callable[..., str]) -> Wiki:
    wiki = make_wiki()
    commit_files(wiki.folder, {"raw/tides.md": SOURCE.replace("falls back", "draws back")})
    commit_files(wiki.folder, {**SEEDS, **WRONG})
    return wiki


def test_a_wiki_without_pages_is_an_error(make_repository: Callable[..., Path]) -> None:
    wiki = Wiki(make_repository({"assay.toml": "", "raw/a.md": "a", "wiki/log.md": "# Log\n"}))
    with pytest.raises(CannotRun, match="no page"):
        lint(wiki)


def test_it_finds_what_verify_finds_on_the_same_pages(wrong: Wiki) -> None:
    context, head = wrong.context(), wrong.git("rev-parse", "main")
    verdict = revisions.judge_revision(context, wrong.workspace(), wrong.git("rev-parse", "main~1"), head, head)
    asked = {name for name, one in registry().items() if one.check.page is not None and not one.check.of_additions}
    found = [*verdict.per_claim_findings, *verdict.per_page_findings]
    verified = {one.fingerprint: one.message for one in found if one.check in asked and one.level != "none"}
    linted = {one.fingerprint: one.message for one in lint(wrong).findings()}
    assert linted == verified
    assert len({one.check for one in lint(wrong).findings()}) >= 4
    assert lint(wrong).counts["verified"] == sum(one.level == "none" for one in found)


@pytest.mark.parametrize("workers", [2, 3])
def test_several_processes_find_what_one_finds(wrong: Wiki, workers: int) -> None:
    context, commit = wrong.context(), wrong.git("rev-parse", "main")

    def rows(count: int) -> list[Row]:
        workspace = wrong.workspace()
        tree = ListedSnapshot(context.repository, context.tree(commit).tree_id, ("wiki", "raw"))
        linter = Linter(context, workspace, tree, commit, {}, of_additions=False)
        chunks = list(linter.chunks(count))
        assert sum(chunk.pages for chunk in chunks) == len(linter.paths)
        links = links_by_page((chunk.links for chunk in chunks), len(linter.paths))
        return sorted([*(row for chunk in chunks for row in chunk.rows), *linter.of_links(links).rows])

    assert rows(workers) == rows(1)


def test_the_whole_is_canonical_json(wrong: Wiki) -> None:
    told = lint(wrong).json()
    body = json.loads(told)
    assert told == dumps(body)
    assert body["schema"] == "assay/lint/1"
    assert body["rev"] == wrong.git("rev-parse", "main")
    assert body["tree"] == wrong.git("rev-parse", "main^{tree}")
    assert set(body["counts"]) == set(linting.COUNTED)
    levels = [one["level"] for one in body["findings"]]
    assert {level: levels.count(level) for level in ("error", "warning", "note")} == {
        level: body["counts"][level] for level in ("error", "warning", "note")
    }
    places = [(one["path"], one["line"], one["column"], one["check"]) for one in body["findings"]]
    assert places == sorted(places)


def test_what_was_kept_is_told_without_reading_a_page(wrong: Wiki) -> None:
    before = lint(wrong)
    for blob in wrong.git("ls-tree", "-r", "--format=%(objectname)", "main", "wiki").splitlines():
        file = wrong.folder / ".git/objects" / blob[:2] / blob[2:]
        file.unlink(missing_ok=True)
    assert lint(wrong) == before
    cache_of(wrong).unlink()
    with pytest.raises(CannotRun, match="lacks"):
        lint(wrong)


def test_a_damaged_result_is_made_anew(wrong: Wiki) -> None:
    before = lint(wrong)
    with sqlite3.connect(cache_of(wrong)) as conn:
        assert conn.execute("UPDATE entries SET value = zeroblob(200) WHERE kind = 'lint'").rowcount == 1
    assert lint(wrong) == before


def test_a_result_kept_for_another_policy_is_not_told(wrong: Wiki, commit_files: Callable[..., str]) -> None:
    assert lint(wrong).counts["warning"]
    commit_files(wrong.folder, {"assay.toml": '[workspace]\nname = "tides"\n[checks.links]\nlevel = "off"\n'})
    assert not any(one.check == "links" for one in lint(wrong).findings())


def test_a_drift_depends_on_the_past_and_is_kept_for_its_commit_alone(
    make_wiki: Callable[..., Wiki], commit_files: Callable[..., str]
) -> None:
    wiki = make_wiki()
    commit_files(wiki.folder, SEEDS)
    commit_files(wiki.folder, {"raw/tides.md": "Tides\n\nNothing of the kind any more.\n"})
    drifted = {one.result for one in lint(wiki).findings() if one.check == "quote_anchor"}
    assert drifted == {"drifted"}
    tree = wiki.git("rev-parse", "main^{tree}")
    orphan = wiki.git("commit-tree", tree, "-m", "No past")
    wiki.git("branch", "pastless", orphan)
    found = {one.result for one in lint(wiki, "pastless").findings() if one.check == "quote_anchor"}
    assert found == {"not_found"}


def test_accepted_findings_are_marked_and_counted_apart(wrong: Wiki, commit_files: Callable[..., str]) -> None:
    from gitops.verify import debt

    found = lint(wrong).findings()
    errors = lint(wrong).counts["error"]
    data = debt.written(debt.of(found).values())
    commit_files(wrong.folder, {"assay.debt.jsonl": data, "wiki/new.md": "[x](gone/away.md)\n"})
    after = lint(wrong)
    assert after.counts["debt"] >= errors
    open_ones = [one.path for one in after.findings() if not getattr(one, "debt", False) and one.level != "note"]
    assert open_ones == ["wiki/new.md", "wiki/new.md"]


def test_a_file_name_that_is_not_utf8_is_told(make_wiki: Callable[..., Wiki], git: Callable[..., str]) -> None:
    wiki = make_wiki()
    (Path(os.fsdecode(os.fsencode(wiki.folder) + b"/wiki/\xff.md"))).write_text("[x](y.md)\n")
    git(wiki.folder, "add", "-A")
    git(wiki.folder, "commit", "-qm", "odd")
    paths = {one["path"] for one in json.loads(lint(wiki).json())["findings"]}
    assert "wiki/\udcff.md" in paths
