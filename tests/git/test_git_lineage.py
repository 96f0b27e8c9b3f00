from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git.lineage import Lineage, landings
from gitops.git.repository import Repository, open_repository

DAY = 86_400


class Story:
    """Commits on branches, a day apart, called by the names that the tests give them."""

    def __init__(self, folder: Path, git: Callable[..., str], commit_files: Callable[..., str]) -> None:
        self.folder, self._git, self._commit_files = folder, git, commit_files
        self.ids: dict[str, str] = {}

    def git(self, *arguments: str, check: bool = True) -> str:
        return self._git(self.folder, *arguments, check=check)

    def commit(self, name: str, **files: str | None) -> str:
        self.ids[name] = self._commit_files(self.folder, files, name, when=(len(self.ids) + 1) * DAY)
        return self.ids[name]

    def merge(self, name: str, branch: str, **files: str | None) -> str:
        self.git("merge", "--quiet", "--no-ff", "--no-commit", branch, check=False)
        return self.commit(name, **files)

    def names(self, ids: object) -> list[str]:
        back = {commit: name for name, commit in self.ids.items()}
        return [back[commit] for commit in ids]  # type: ignore[attr-defined]


@pytest.fixture
def story(make_repository: Callable[..., Path], git: Callable[..., str], commit_files: Callable[..., str]) -> Story:
    return Story(make_repository(), git, commit_files)


@pytest.fixture
def merged(story: Story) -> Story:
    """one - ours - both - last; theirs1 - theirs2 leave from one and are merged by both."""
    story.commit("one", f="1", g="1")
    story.git("branch", "side")
    story.commit("ours", g="2")
    story.git("checkout", "--quiet", "side")
    story.commit("theirs1", f="2")
    story.commit("theirs2", f="3")
    story.git("checkout", "--quiet", "main")
    story.merge("both", "side")
    story.commit("last", h="1")
    return story


def repository(story: Story) -> Repository:
    return open_repository(story.folder)


def read(story: Story, path: str, commit: str = "HEAD") -> list[tuple[str, list[str]]]:
    """Every touch from the latest down, each once, with the touches before it."""
    lineage = Lineage(repository(story), story.git("rev-parse", commit), path)
    found, edge = [], [touch] if (touch := lineage.latest()) is not None else []
    while edge:
        touch = edge.pop(0)
        found.append((story.names([touch.commit])[0], story.names(touch.before)))
        edge += [lineage.at(each) for each in touch.before]
    lineage.close()
    return found


def test_a_commit_that_never_touched_the_path_is_told(merged: Story) -> None:
    lineage = Lineage(repository(merged), merged.ids["last"], "f")
    with pytest.raises(CannotRun, match="as a parent"):
        lineage.at(merged.ids["ours"])


def test_a_path_where_nothing_stood_has_no_touches(merged: Story) -> None:
    assert read(merged, "nothing") == []


def test_a_merge_that_has_a_side_s_version_is_passed_over(merged: Story) -> None:
    assert read(merged, "f") == [("theirs2", ["theirs1"]), ("theirs1", ["one"]), ("one", [])]
    assert read(merged, "g") == [("ours", ["one"]), ("one", [])]


def test_a_merge_that_has_neither_version_follows_both(story: Story) -> None:
    story.commit("one", f="1\n2\n3\n4\n5\n")
    story.git("branch", "side")
    story.commit("ours", f="mine\n2\n3\n4\n5\n")
    story.git("checkout", "--quiet", "side")
    story.commit("theirs", f="1\n2\n3\n4\ntheirs\n")
    story.git("checkout", "--quiet", "main")
    story.merge("both", "side")
    assert dict(read(story, "f"))["both"] == ["ours", "theirs"]


def test_blobs_are_what_git_has_and_none_where_the_file_was_gone_or_no_file(story: Story) -> None:
    story.commit("one", f="1")
    story.commit("gone", f=None)
    os.symlink("elsewhere", story.folder / "f")
    story.commit("link")
    (story.folder / "f").unlink()
    (story.folder / "f").mkdir()
    (story.folder / "f" / "inner").write_text("a folder stood here\n")
    story.commit("folder")
    (story.folder / "f" / "inner").unlink()
    (story.folder / "f").rmdir()
    story.commit("again", f="2")
    lineage = Lineage(repository(story), story.ids["again"], "f")
    blobs = {name: lineage.at(story.ids[name]).blob for name in ("again", "folder", "link", "gone", "one")}
    assert blobs.pop("again") == story.git("rev-parse", "HEAD:f")
    assert blobs.pop("one") == story.git("rev-parse", f"{story.ids['one']}:f")
    assert set(blobs.values()) == {None}


def test_odd_names_are_followed(story: Story) -> None:
    for name in ("a b.md", "*.md", "é\t.md"):
        story.commit(name, **{name: "1"})
    for name in ("a b.md", "*.md", "é\t.md"):
        assert read(story, name) == [(name, [])]


def test_the_parents_that_lack_the_path_are_named(story: Story) -> None:
    story.commit("one", f="1")
    story.git("branch", "side")
    story.commit("moved", f=None, g="1")
    story.git("checkout", "--quiet", "side")
    story.commit("theirs", f="2")
    story.git("checkout", "--quiet", "main")
    story.merge("both", "side", g="3")
    lineage = Lineage(repository(story), story.ids["both"], "g")
    both = lineage.latest()
    assert both is not None
    assert story.names(lineage.parents_without(both)) == ["theirs"]
    assert story.names(lineage.parents_without(lineage.at(story.ids["moved"]))) == ["one"]


def test_the_user_s_settings_of_git_log_change_nothing(merged: Story) -> None:
    before = read(merged, "f")
    for key, value in {
        "log.showRoot": "false",
        "log.follow": "true",
        "color.ui": "always",
        "diff.renames": "copies",
    }.items():
        merged.git("config", key, value)
    assert read(merged, "f") == before


def path(story: Story, commit: str, tip: str = "HEAD") -> list[str]:
    tip = story.git("rev-parse", tip)
    return story.names(landings(repository(story), tip, [story.ids[commit]]).path(story.ids[commit]))


def test_a_commit_on_the_first_parent_line_came_in_by_itself(merged: Story) -> None:
    assert [path(merged, name) for name in ("one", "ours", "both", "last")] == [["one"], ["ours"], ["both"], ["last"]]


def test_a_merged_commit_came_in_by_its_merge(merged: Story) -> None:
    assert path(merged, "theirs1") == ["both", "theirs1"]
    assert path(merged, "theirs2") == ["both", "theirs2"]


def test_seen_from_its_own_branch_a_commit_came_in_by_itself(merged: Story) -> None:
    assert path(merged, "theirs1", "side") == ["theirs1"]


def test_a_branch_that_was_merged_into_a_branch_is_told_step_by_step(story: Story) -> None:
    story.commit("one", f="1")
    story.git("checkout", "--quiet", "-b", "develop")
    story.commit("start", a="1")
    story.git("checkout", "--quiet", "-b", "topic")
    story.commit("deep", b="1")
    story.commit("deeper", b="2")
    story.git("checkout", "--quiet", "develop")
    story.commit("beside", c="1")
    story.merge("inner", "topic")
    story.commit("after", d="1")
    story.git("checkout", "--quiet", "main")
    story.commit("meanwhile", e="1")
    story.merge("outer", "develop")
    assert path(story, "deep") == ["outer", "inner", "deep"]
    assert path(story, "beside") == ["outer", "beside"]


def test_of_two_merges_the_older_one_brought_it_in(merged: Story) -> None:
    merged.git("checkout", "--quiet", "side")
    merged.commit("more", k="1")
    merged.git("checkout", "--quiet", "main")
    merged.merge("again", "side")
    assert path(merged, "theirs1") == ["both", "theirs1"]
    assert path(merged, "more") == ["again", "more"]


def test_all_are_found_in_one_walk_that_goes_no_deeper_than_they_lie(merged: Story) -> None:
    for number in range(3):
        merged.commit(f"later{number}", n=str(number))
    wanted = [merged.ids[name] for name in ("later1", "later2")]
    found = landings(repository(merged), merged.ids["later2"], wanted)
    assert set(found.parents) == set(wanted)
    assert [found.path(each) for each in wanted] == [[each] for each in wanted]
    everything = landings(repository(merged), merged.ids["later2"], merged.ids.values())
    assert merged.names(everything.path(merged.ids["theirs2"])) == ["both", "theirs2"]
    assert landings(repository(merged), merged.ids["later2"], []).parents == {merged.ids["later2"]: []}


def test_histories_without_a_common_commit_are_read_whole(story: Story) -> None:
    story.commit("one", f="1")
    story.git("checkout", "--quiet", "--orphan", "other")
    story.commit("alone", f=None, g="1")
    story.git("checkout", "--quiet", "main")
    story.git("merge", "--quiet", "--no-ff", "--no-commit", "--allow-unrelated-histories", "other", check=False)
    story.commit("both")
    found = landings(repository(story), story.ids["both"], [story.ids["one"], story.ids["alone"]])
    assert story.names(found.path(story.ids["alone"])) == ["both", "alone"]
    assert story.names(found.path(story.ids["one"])) == ["one"]
