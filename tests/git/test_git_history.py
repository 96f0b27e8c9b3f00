from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent, CannotRun
from gitops.git import history
from gitops.git.repository import Repository, open_repository

DAY = 86_400


class Story:
    """Commits on branches, a day apart, by the names the tests give them."""

    def __init__(self, folder: Path, git: Callable[..., str], commit_files: Callable[..., str]) -> None:
        self.folder, self._git, self._commit_files = folder, git, commit_files
        self.ids: dict[str, str] = {}

    def git(self, *arguments: str, check: bool = True) -> str:
        stamp = f"@{(len(self.ids) + 1) * DAY} +0000"
        env = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        return self._git(self.folder, *arguments, check=check, env=env)

    def commit(self, name: str, **files: str | None) -> str:
        when = (len(self.ids) + 1) * DAY
        self.ids[name] = self._commit_files(self.folder, files, name, when=when)
        return self.ids[name]

    def merge(self, name: str, *branches: str, **resolved: str | None) -> str:
        self.git("merge", "-q", "--no-ff", "--no-commit", *branches, check=False)
        return self.commit(name, **resolved)

    def names(self, ids: object) -> list[str]:
        back = {commit: name for name, commit in self.ids.items()}
        return [back[commit] for commit in ids]  # type: ignore[attr-defined]


@pytest.fixture
def story(make_repository: Callable[..., Path], git: Callable[..., str], commit_files: Callable[..., str]) -> Story:
    """one - two - ours - evil(ours, theirs); theirs leaves from one; evil writes f and e that neither side had."""
    told = Story(make_repository(), git, commit_files)
    told.commit("one", f="1", same="1")
    told.git("branch", "side")
    told.commit("two", f="2")
    told.commit("ours", g="ours")
    told.git("checkout", "-q", "side")
    told.commit("theirs", f="3", h="theirs")
    told.git("checkout", "-q", "main")
    told.merge("evil", "side", f="4", e="evil")
    return told


@pytest.fixture
def repository(story: Story) -> Repository:
    return open_repository(story.folder)


def test_commits_that_are_not_here_are_told(repository: Repository, story: Story) -> None:
    missing = "1" * 40
    with pytest.raises(CannotRun):
        history.is_ancestor(repository, missing, story.ids["one"])
    with pytest.raises(CannotRun):
        history.between(repository, None, missing)
    with pytest.raises(Absent):
        history.introduced(repository, missing)
    with pytest.raises(CannotRun):
        list(history.versions(repository, missing, "f"))


def test_ancestors_are_what_git_says(repository: Repository, story: Story) -> None:
    for one, one_id in story.ids.items():
        for other, other_id in story.ids.items():
            by_git = one_id in story.git("rev-list", other_id).split()
            assert history.is_ancestor(repository, one_id, other_id) == by_git, (one, other)


def test_the_merge_base_is_where_they_parted(repository: Repository, story: Story) -> None:
    assert history.merge_base(repository, story.ids["ours"], story.ids["theirs"]) == story.ids["one"]
    story.git("checkout", "-q", "--orphan", "alone")
    assert history.merge_base(repository, story.ids["ours"], story.commit("alone", z="1")) is None


def test_commits_between_come_oldest_first(repository: Repository, story: Story) -> None:
    found = story.names(history.between(repository, story.ids["two"], story.ids["evil"]))
    assert set(found) == {"ours", "theirs", "evil"}
    assert found[-1] == "evil"
    whole = story.names(history.between(repository, None, story.ids["evil"]))
    assert (whole[0], whole[-1], len(whole)) == ("one", "evil", 5)
    assert whole.index("two") < whole.index("ours")
    assert list(history.between(repository, story.ids["evil"], story.ids["two"])) == []


def test_the_first_parents_are_the_line_of_the_branch(repository: Repository, story: Story) -> None:
    assert story.names(history.first_parent(repository, story.ids["evil"])) == ["evil", "ours", "two", "one"]
    assert story.names(history.first_parent(repository, story.ids["evil"], story.ids["two"])) == ["evil", "ours"]


def test_an_evil_merge_is_charged_with_what_no_parent_had(repository: Repository, story: Story) -> None:
    found = {entry.path: entry for entry in history.introduced(repository, story.ids["evil"])}
    assert sorted(found) == ["e", "f"]
    assert found["e"].old_blob is None
    assert found["f"].old_blob == story.git("rev-parse", f"{story.ids['ours']}:f")


def test_an_evil_merge_is_charged_with_what_it_removes(repository: Repository, story: Story) -> None:
    story.git("checkout", "-qb", "more")
    story.commit("more", x="1")
    story.git("checkout", "-q", "main")
    story.commit("again", y="1")
    story.merge("dropping", "more", same=None, f="4")
    entries = history.introduced(repository, story.ids["dropping"])
    assert [(entry.path, entry.new_blob) for entry in entries] == [("same", None)]


def test_a_clean_merge_brings_in_nothing(repository: Repository, story: Story) -> None:
    for name in ("left", "right", "third"):
        story.git("checkout", "-qb", name, story.ids["evil"])
        story.commit(name, **{name: "1"})
    story.git("checkout", "-q", "main")
    story.commit("meanwhile", m="1")
    story.merge("octopus", "left", "right", "third")
    assert story.git("rev-list", "--parents", "-1", story.ids["octopus"]).count(" ") == 4
    assert history.introduced(repository, story.ids["octopus"]) == []


def test_a_root_brings_in_everything(repository: Repository, story: Story) -> None:
    assert [entry.path for entry in history.introduced(repository, story.ids["one"])] == ["f", "same"]
    assert [entry.path for entry in history.introduced(repository, story.ids["two"])] == ["f"]


def _told(story: Story, repository: Repository, path: str, commit: str = "HEAD") -> list[tuple[str, str]]:
    found = list(history.versions(repository, story.git("rev-parse", commit), path))
    for version in found:
        assert version.blob == story.git("rev-parse", f"{version.commit}:{path}")
    return list(zip(story.names(version.commit for version in found), [v.read().decode() for v in found], strict=True))


def test_versions_come_newest_first_across_merges(repository: Repository, story: Story) -> None:
    assert _told(story, repository, "f") == [("evil", "4"), ("theirs", "3"), ("two", "2"), ("one", "1")]
    assert _told(story, repository, "h") == [("theirs", "theirs")]
    assert _told(story, repository, "none") == []
    dates = [version.date for version in history.versions(repository, story.ids["evil"], "f")]
    assert dates == ["1970-01-06", "1970-01-05", "1970-01-03", "1970-01-02"]


def test_versions_of_a_side_that_a_merge_threw_away_are_still_history(repository: Repository, story: Story) -> None:
    story.git("checkout", "-qb", "lost")
    story.commit("lost", f="5")
    story.git("checkout", "-q", "main")
    story.commit("meanwhile", m="1")
    story.git("merge", "-q", "-s", "ours", "lost")
    assert _told(story, repository, "f")[:2] == [("lost", "5"), ("evil", "4")]


def test_removals_modes_and_folders_are_no_versions(repository: Repository, story: Story) -> None:
    (story.folder / "same").chmod(0o755)
    story.commit("mode")
    story.commit("gone", same=None)
    story.commit("folder", **{"same/inner": "folder"})
    story.commit("cleared", **{"same/inner": None})
    (story.folder / "same").rmdir()
    story.commit("back", same="2")
    story.commit("again", same="1")
    assert _told(story, repository, "same") == [("again", "1"), ("back", "2"), ("one", "1")]


def test_versions_are_not_disturbed_by_what_a_person_configured(repository: Repository, story: Story) -> None:
    settings = {"log.showRoot": "false", "log.follow": "true", "log.showSignature": "true", "diff.renames": "copies"}
    settings |= {"log.diffMerges": "off", "color.ui": "always", "diff.noprefix": "true", "format.pretty": "oneline"}
    for name, value in settings.items():
        story.git("config", name, value)
    assert [name for name, _ in _told(story, repository, "f")] == ["evil", "theirs", "two", "one"]


@pytest.mark.parametrize("name", ["a b/ü*.txt", ":(glob)x", "caf\udce9.md", "new\nline"])
def test_paths_are_taken_literally(repository: Repository, story: Story, name: str) -> None:
    (story.folder / os.path.dirname(name)).mkdir(exist_ok=True)
    story.commit("odd", **{name: "odd", "a b/übung.txt": "other"})
    assert _told(story, repository, name) == [("odd", "odd")]


def test_a_caller_who_stops_early_pays_no_more(repository: Repository, story: Story) -> None:
    newest = history.versions(repository, story.ids["evil"], "f")
    assert next(newest).read() == b"4"
    newest.close()  # type: ignore[attr-defined]


def test_versions_work_in_bare_and_shallow_and_partial_clones(
    story: Story, git: Callable[..., str], tmp_path: Path
) -> None:
    git(story.folder, "config", "uploadpack.allowFilter", "true")
    url = f"file://{story.folder}"
    git(tmp_path, "clone", "-q", "--bare", url, "bare")
    git(tmp_path, "clone", "-q", "--depth=2", url, "shallow")
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", url, "partial")
    found = {name: open_repository(tmp_path / name) for name in ("bare", "shallow", "partial")}
    assert len(list(history.versions(found["bare"], story.ids["evil"], "f"))) == 4
    shallow = list(history.versions(found["shallow"], story.ids["evil"], "f"))
    assert story.names(version.commit for version in shallow) == ["evil", "theirs", "ours"]
    partial = list(history.versions(found["partial"], story.ids["evil"], "f"))
    assert len(partial) == 4
    with pytest.raises(Absent):
        partial[0].read()
