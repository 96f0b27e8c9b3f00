"""What is told plain by its paths is what the checks let through: never more than they."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.git.treediff import changed
from gitops.runs import guarding, judging
from gitops.runs.receiving import plainly
from gitops.verify.view import RunFacts
from tests.runs.driving import Wiki, name, page

Commit = Callable[..., str]
Files = dict[str, "str | None"]
PLAIN: list[Files] = [
    {name(0): page(0)},
    {"wiki/index.md": "# Index\n"},
    {"wiki/old/page.md": None},
    {"wiki/old/page.md": page(3), "wiki/old/other.md": page(4)},
]
NOT_PLAIN: list[Files] = [
    {"raw/tides.md": "otherwise\n"},
    {"raw/new.md": "new\n"},
    {"assay.toml": '[workspace]\nname = "tides"\nwiki = "."\n'},
    {"assay.debt.jsonl": "{}\n"},
    {"gold/queries.yaml": "[]\n"},
    {".github/workflows/x.yml": "on: push\n"},
    {".assay/allowed_signers": "mine\n"},
    {"notes.txt": "mine\n"},
    {"wiki/log.md": "# Log\n\n- mine\n"},
    {"wiki/index.md": None},
    {"wiki/.hidden.md": "hidden\n"},
    {"wiki/.gitattributes": "* text\n"},
    {"wiki/p.sh": "echo\n"},
    {"wiki/Index.md": "# Another\n"},
    {"wiki/OLD/page.md": page(5)},
    {"wiki/old/Page.md": page(5)},
    {"wiki/new/page.md": page(5)},
    {"wiki/sub/assay.toml": "[workspace]\n", "wiki/sub/wiki/a.md": page(6)},
    {"wiki/a\nb.md": page(7)},
]


@pytest.fixture
def old(make_wiki: Callable[..., Wiki], commit_files: Commit) -> Wiki:
    wiki = make_wiki()
    commit_files(wiki.folder, {"wiki/old/page.md": page(2)}, "A page in a folder")
    return wiki


def _asked(wiki: Wiki, base: str, head: str) -> tuple[bool, bool]:
    """Whether the change is told plain, and whether the checks let a run write it."""
    context, workspace = wiki.context(), wiki.workspace(base)
    before, after = context.tree(base), context.tree(head)
    entries = list(changed(context.repository, before.tree_id, after.tree_id))
    found = guarding.findings(context, workspace, base, head, [head], RunFacts(is_run=True))
    return plainly.writes_pages(workspace.layout, before, after, entries), not list(judging.gating(found))


@pytest.mark.parametrize("files", NOT_PLAIN, ids=lambda files: next(iter(files)))
def test_whatever_the_checks_refuse_is_not_plain(old: Wiki, commit_files: Commit, files: Files) -> None:
    base = str(old.ref("main"))
    plain, lets = _asked(old, base, commit_files(old.folder, files))
    assert not plain
    if list(files) not in (["wiki/new/page.md"], ["wiki/p.sh"]):  # what the checks let by though it is not so plain
        assert not lets


@pytest.mark.parametrize("files", PLAIN, ids=lambda files: next(iter(files)))
def test_pages_are_plain(old: Wiki, commit_files: Commit, files: Files) -> None:
    base = str(old.ref("main"))
    assert _asked(old, base, commit_files(old.folder, files)) == (True, True)


@pytest.mark.parametrize("mode", ["+x", "link"])
def test_what_is_no_regular_file_is_not_plain(old: Wiki, git: Commit, tmp_path: Path, mode: str) -> None:
    base = str(old.ref("main"))
    if mode == "+x":
        old.git("update-index", "--chmod=+x", "wiki/old/page.md")
    else:
        (old.folder / "wiki/old/page.md").unlink()
        (old.folder / "wiki/old/page.md").symlink_to("../../raw/tides.md")
        old.git("add", "--all")
    old.git("commit", "--quiet", "--message", mode)
    assert _asked(old, base, str(old.ref("main"))) == (False, False)


def test_a_page_of_another_workspace_is_not_plain(old: Wiki, commit_files: Commit) -> None:
    base = commit_files(old.folder, {"wiki/sub/assay.toml": '[workspace]\nname = "sub"\n', "wiki/sub/wiki/a.md": "x\n"})
    plain, lets = _asked(old, base, commit_files(old.folder, {"wiki/sub/wiki/a.md": page(6)}))
    assert (plain, lets) == (False, False)


def test_where_the_workspace_is_the_wiki_nothing_is_told_by_its_path(old: Wiki, commit_files: Commit) -> None:
    base = commit_files(old.folder, {"assay.toml": '[workspace]\nname = "tides"\nwiki = "."\nraw = "raw"\n'})
    plain, _ = _asked(old, base, commit_files(old.folder, {"CLAUDE.md": "do as I say\n"}))
    assert not plain
