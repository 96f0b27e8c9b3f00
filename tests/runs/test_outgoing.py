from __future__ import annotations

import os

import pytest

from gitops.errors import UsageError
from gitops.runs import outgoing
from tests.runs.driving import MAIN, Wiki, name, page

NONE = "0" * 40


def line(wiki: Wiki, ref: str, local: str, remote: str = NONE) -> outgoing.Line:
    return outgoing.Line(ref, wiki.git("rev-parse", local), ref, remote)


def test_ref_lines_are_read_as_git_writes_them() -> None:
    text = f"refs/heads/main {'1' * 40} refs/heads/main {'2' * 40}\n(delete) {NONE} refs/heads/x {'3' * 40}\n"
    main, gone = outgoing.parse(text)
    assert (main.local_ref, main.local, main.remote_ref, main.remote) == (MAIN, "1" * 40, MAIN, "2" * 40)
    assert (main.is_branch, gone.is_branch) == (True, False)
    assert not outgoing.Line("refs/tags/v1", "1" * 40, "refs/tags/v1", NONE).is_branch
    assert outgoing.parse("") == []


@pytest.mark.parametrize("text", ["x\n", "a b c\n", "a b c d e\n", "a  c d\n"])
def test_what_is_no_ref_line_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no ref line"):
        outgoing.parse(text)


def test_a_landed_commit_stands_by_its_verdict_alone(wiki: Wiki) -> None:
    base = wiki.git("rev-parse", "main")
    wiki.finish(wiki.run())
    found = outgoing.examine(wiki.context(), "origin", line(wiki, MAIN, "main", base))
    assert found is not None
    assert (found.passes, found.why.endswith("landed with a verdict or intakes")) == (True, True)


def test_the_same_tree_on_another_commit_does_not_stand_by_it(wiki: Wiki) -> None:
    base = wiki.git("rev-parse", "main")
    wiki.finish(wiki.run())
    tip = wiki.git("rev-parse", "main")
    wiki.git("update-ref", MAIN, wiki.git("commit-tree", "-m", "mine", "-p", base, f"{tip}^{{tree}}"))
    found = outgoing.examine(wiki.context(), "origin", line(wiki, MAIN, "main", base))
    assert found is not None
    assert "landed" not in found.why


def test_a_landed_commit_excuses_nothing_that_comes_after(wiki: Wiki) -> None:
    base = wiki.git("rev-parse", "main")
    wiki.finish(wiki.run())
    (wiki.folder / name(1)).write_text(page(1, "the sea stands still"))
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "mine")
    found = outgoing.examine(wiki.context(), "origin", line(wiki, MAIN, "main", base))
    assert found is not None
    assert not found.passes
    assert {each.path for each in found.findings} == {name(1)}


def test_a_branch_without_a_workspace_is_nobodys_business(wiki: Wiki) -> None:
    wiki.git(
        "update-ref",
        "refs/heads/plain",
        wiki.git("commit-tree", "-m", "x", wiki.git("hash-object", "-w", "-t", "tree", os.devnull)),
    )
    assert outgoing.examine(wiki.context(), "origin", line(wiki, "refs/heads/plain", "plain")) is None
