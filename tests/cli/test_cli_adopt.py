from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
FILES = {
    "raw/report.md": "# Report\n\nSolvent use declined by two fifths in 2019.\n",
    "wiki/index.md": "# Index\n\n- [[a]]\n- [[gone]]\n",
    "wiki/a.md": '---\ntitle: A\n---\n\nIt "declined by two fifths in 2019" (source: raw/report.md#report).\n',
}


@pytest.fixture
def plain(make_repository: Command) -> Path:
    folder: Path = make_repository(FILES)
    return folder


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_nothing_committed_is_told_with_the_command_that_mends_it(
    make_repository: Command, assay: Command, refused: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    refused(assay(folder, "adopt"), 2, "nothing is committed", "git add -A && git commit")


def test_a_repository_without_pages_and_a_folder_that_is_not_there(
    make_repository: Command, assay: Command, refused: Command
) -> None:
    folder = make_repository({"a.txt": "x"})
    refused(assay(folder, "adopt"), 3, "no Markdown file", "git assay init")
    refused(assay(folder, "adopt", "--wiki", "pages"), 2, "no folder pages")


def test_a_detached_head_has_no_branch_to_commit_on(plain: Path, assay: Command, refused: Command) -> None:
    git(plain, "checkout", "-q", "--detach")
    refused(assay(plain, "adopt"), 2, "detached", "--dry-run")
    assert assay(plain, "adopt", "--dry-run").code == 0


def test_a_dry_run_writes_nothing_and_shows_the_policy(plain: Path, assay: Command) -> None:
    before = git(plain, "rev-parse", "HEAD")
    done = assay(plain, "adopt", "--dry-run")
    assert (done.code, git(plain, "rev-parse", "HEAD"), git(plain, "status", "--short")) == (0, before, "")
    assert '"inline_source",' in done.out
    assert not (plain / ".git/hooks/pre-commit").exists()


def test_it_prints_what_it_found_commits_it_and_guards_the_sources(plain: Path, assay: Command) -> None:
    done = assay(plain, "adopt")
    assert done.code == 0
    for told in (
        "wiki/ with 2 pages; raw/ with 1 source",
        "inline_source 1 on 1 page",
        "title (text) 1",
        "2 wiki-links",
    ):
        assert told in done.out
    assert git(plain, "log", "-1", "--format=%s") == f"Adopt {plain.name} as it stands"
    assert git(plain, "show", "--format=", "--name-only", "HEAD").split() == ["assay.debt.jsonl", "assay.toml"]
    assert git(plain, "status", "--short") == ""
    assert (plain / ".git/hooks/pre-commit").exists()
    again = assay(plain, "adopt")
    assert "adopted already" in again.out


def test_then_lint_is_clean_and_only_what_a_change_adds_gates(plain: Path, assay: Command) -> None:
    assay(plain, "adopt")
    assert assay(plain, "lint", "--strict").code == 0
    page = plain / "wiki/a.md"
    page.write_text(page.read_text() + "\nMore words.\n")
    git(plain, "commit", "-qam", "words")
    assert assay(plain, "verify").code == 0
    page.write_text(page.read_text().replace("two fifths", "three fifths"))
    git(plain, "commit", "-qam", "bend it")
    done = assay(plain, "verify", "--json")
    assert done.code == 1
    (found,) = [one for one in json.loads(done.out)["findings"] if one["level"] == "error"]
    assert (found["check"], found["result"]) == ("quote_anchor", "altered")
    assert assay(plain, "lint").code == 1


def test_json_has_the_survey_the_policy_and_the_files(plain: Path, assay: Command) -> None:
    body = json.loads(assay(plain, "adopt", "--json").out)
    (wiki,) = body["wikis"]
    assert body["schema"] == "assay/adoption/1"
    assert body["commit"] == git(plain, "rev-parse", "HEAD")
    assert wiki["dialects"] == {"inline_source": {"citations": 1, "pages": 1}}
    assert wiki["sentences"] == {"owing": 1, "cited": 1, "checkable": 1}
    assert wiki["files"] == ["assay.debt.jsonl", "assay.toml"]
    assert wiki["policy"] == (plain / "assay.toml").read_text()


def test_folders_may_be_named_and_quiet_is_quiet(make_repository: Command, assay: Command) -> None:
    folder = make_repository({"notes/home.md": "# Home\n", "papers/p.md": "words\n", "README.md": "# Read\n"})
    done = assay(folder, "-q", "adopt", "--wiki", "notes", "--raw", "papers", "--no-hook")
    assert (done.code, done.out) == (0, "")
    assert 'wiki = "notes"' in (folder / "assay.toml").read_text()
    assert not (folder / ".git/hooks/pre-commit").exists()


def test_debt_that_is_mended_is_pruned_by_lint(plain: Path, assay: Command) -> None:
    assay(plain, "adopt")
    assert "gone" in (plain / "assay.debt.jsonl").read_text()
    (plain / "wiki/index.md").write_text("# Index\n\n- [[a]]\n")
    git(plain, "commit", "-qam", "mend")
    done = assay(plain, "lint", "--debt", "--prune")
    assert done.code == 0
    assert (plain / "assay.debt.jsonl").read_text() == ""
    assert git(plain, "show", "--format=", "--name-only", "HEAD") == "assay.debt.jsonl"
    assert assay(plain, "lint", "--debt", "--prune").code == 0


def test_one_of_several_is_adopted_from_its_folder(make_repository: Command, assay: Command) -> None:
    folder = make_repository({f"wikis/{name}/{path}": text for name in "ab" for path, text in FILES.items()})
    assert assay(folder / "wikis/a", "adopt").code == 0
    assert (folder / "wikis/a/assay.toml").exists()
    assert not (folder / "wikis/b/assay.toml").exists()
    assert assay(folder, "adopt").code == 0
    assert (folder / "wikis/b/assay.toml").exists()


def test_a_bare_repository_is_adopted_without_a_guard(plain: Path, assay: Command, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--bare", str(plain), str(tmp_path / "bare.git")], check=True)
    done = assay(tmp_path / "bare.git", "adopt")
    assert (done.code, done.err) == (0, "")
    assert "1 finding of today is debt: it gates nothing" in done.out
    assert "assay.toml" in git(tmp_path / "bare.git", "ls-tree", "--name-only", "main")


def test_pages_of_sources_and_sources_linked_by_name_are_learnt(make_repository: Command, assay: Command) -> None:
    files = {f"wiki/digests/{name}.md": "---\ntype: source\nsource_file: raw/report.md\n---\n" for name in "abc"}
    files |= {f"raw/t/ticket-{number}.md": f"Ticket {number} says that solvent use fell.\n" for number in (1, 2, 3)}
    files["wiki/p.md"] = (
        'It fell ([[digests/a]]). It "says that solvent use fell" ([[ticket-1]], [[ticket-2]], [[ticket-3]]).\n'
    )
    folder = make_repository(FILES | files)
    done = assay(folder, "adopt")
    assert done.code == 0
    assert '"digests", "ticket-[0-9]*"]' in (folder / "assay.toml").read_text()
    assert "source_link 4 on 1 page" in done.out


def test_what_was_accepted_on_a_page_is_accepted_where_it_moves(plain: Path, assay: Command) -> None:
    assay(plain, "adopt")
    (plain / "wiki/b.md").write_text("[x](nowhere.md)\n\n[[a]]\n")
    (plain / "wiki/a.md").write_text((plain / "wiki/a.md").read_text() + "\n[[b]]\n")
    git(plain, "add", "-A")
    git(plain, "commit", "-qm", "a page with a broken link")
    assay(plain, "adopt", "--renew")
    assert assay(plain, "lint", "--strict").code == 0
    git(plain, "mv", "wiki/b.md", "wiki/c.md")
    (plain / "wiki/a.md").write_text((plain / "wiki/a.md").read_text().replace("[[b]]", "[[c]]"))
    git(plain, "commit", "-qam", "move it")
    assert assay(plain, "lint", "--strict").code == 0
    (plain / "wiki/c.md").write_text("[x](nowhere.md)\n\n[y](elsewhere.md)\n\n[[a]]\n")
    assert assay(plain, "lint", "--strict").code == 1
