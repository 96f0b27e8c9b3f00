from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitops import hooks
from gitops.errors import CannotRun, UsageError

SHELLS = {"dash": "/bin/dash", "bash": "/bin/bash", "busybox": "/usr/bin/busybox sh"}
ODD = 'a "b" 100%s\\n/ü\n/'
WEIRD = ["two words", "tab\there", 'quo"te', "back\\slash", "line\nfeed", "müñ→日本", "%s%n", "-n", "*.md"]
FRAMEWORK = shutil.which("pre-commit")


@pytest.fixture(autouse=True)
def _nobodys_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    stamp = "@1704164645 +0000"
    settings = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_EDITOR": "true"}
    settings |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
    for who in ("AUTHOR", "COMMITTER"):
        settings |= {f"GIT_{who}_NAME": "Ada Writer", f"GIT_{who}_EMAIL": "ada@example.org"}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


@dataclass(frozen=True)
class Repository:
    path: Path

    def git(self, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", str(self.path), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | (env or {}))

    def do(self, *arguments: str) -> str:
        done = self.git(*arguments)
        assert done.returncode == 0, f"git {arguments}: {done.stderr}"
        return done.stdout.strip()

    def write(self, **files: str) -> None:
        for name, text in files.items():
            self.put(name, text)

    def put(self, name: str, text: str) -> None:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def stage(self, name: str, text: str) -> None:
        self.put(name, text)
        self.do("add", "--", f":(top,literal){name}")

    def intake(self, name: str, text: str) -> str:
        """A commit that only adds a source, made as `git assay raw add` makes it: no hook runs."""
        self.stage(name, text)
        self.do("commit", "--no-verify", "-qm", f"intake {name}")
        return self.do("rev-parse", "HEAD")

    def commit(self) -> subprocess.CompletedProcess[str]:
        return self.git("commit", "-qm", "a change")

    def passes(self) -> str:
        done = self.commit()
        assert done.returncode == 0, done.stderr
        assert self.git("status", "--porcelain", "--untracked-files=no").stdout == ""
        return done.stderr

    def refuses(self) -> str:
        before = self.git("rev-parse", "HEAD").stdout
        done = self.commit()
        assert done.returncode == 1, done.stderr
        assert self.git("rev-parse", "HEAD").stdout == before
        assert "git assay raw add" in done.stderr
        assert "git assay raw sync" in done.stderr
        assert "git restore --staged" in done.stderr
        return done.stderr


def new(path: Path) -> Repository:
    path.mkdir(parents=True)
    repository = Repository(path)
    repository.do("init", "-q", "-b", "main")
    return repository


def workspace(path: Path, policy: str = "[workspace]\n", root: str = "", raw: str = "raw") -> Repository:
    repository = new(path)
    files = {"assay.toml": policy, f"{raw}/a.md": "alpha\n", f"{raw}/b.md": "beta\n", "wiki/p.md": "p\n"}
    for name, text in files.items():
        repository.stage(root + name, text)
    repository.stage("notes.txt", "n\n")
    repository.do("commit", "-qm", "founding")
    hooks.install(hooks.locate(path), [raw])
    return repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return workspace(tmp_path / "repo")


def add(repo: Repository) -> None:
    repo.stage("raw/new.md", "new\n")


def change(repo: Repository) -> None:
    repo.stage("raw/a.md", "altered\n")


def delete(repo: Repository) -> None:
    repo.do("rm", "-q", "raw/a.md")


def delete_all(repo: Repository) -> None:
    repo.do("rm", "-rq", "raw")


def rename_within(repo: Repository) -> None:
    repo.do("mv", "raw/a.md", "raw/c.md")


def rename_out(repo: Repository) -> None:
    repo.do("mv", "raw/a.md", "wiki/a.md")


def rename_into(repo: Repository) -> None:
    repo.do("mv", "wiki/p.md", "raw/p.md")


def mode(repo: Repository) -> None:
    repo.do("update-index", "--chmod=+x", "raw/a.md")


def symlink(repo: Repository) -> None:
    (repo.path / "raw/link.md").symlink_to("a.md")
    repo.do("add", "raw/link.md")


def file_to_symlink(repo: Repository) -> None:
    (repo.path / "raw/a.md").unlink()
    (repo.path / "raw/a.md").symlink_to("b.md")
    repo.do("add", "raw/a.md")


def folder_to_symlink(repo: Repository) -> None:
    shutil.move(repo.path / "raw", repo.path / "elsewhere")
    (repo.path / "raw").symlink_to("elsewhere")
    repo.do("add", "-A")


def submodule(repo: Repository) -> None:
    repo.do("update-index", "--add", "--cacheinfo", f"160000,{repo.do('rev-parse', 'HEAD')},raw/sub")


def hidden_submodule(repo: Repository) -> None:
    repo.do("config", "diff.ignoreSubmodules", "all")
    submodule(repo)


def among_pages(repo: Repository) -> None:
    repo.stage("wiki/p.md", "changed\n")
    change(repo)


def with_a_loosened_policy(repo: Repository) -> None:
    repo.stage("assay.toml", '[workspace]\nraw = "elsewhere"\n')
    change(repo)


def with_the_policy_deleted(repo: Repository) -> None:
    repo.do("rm", "-q", "assay.toml")
    change(repo)


KINDS: list[Callable[[Repository], None]] = [
    add,
    change,
    delete,
    delete_all,
    rename_within,
    rename_out,
    rename_into,
    mode,
    symlink,
    file_to_symlink,
    folder_to_symlink,
    submodule,
    hidden_submodule,
    among_pages,
    with_a_loosened_policy,
    with_the_policy_deleted,
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_change_below_raw_is_refused(repo: Repository, kind: Callable[[Repository], None]) -> None:
    kind(repo)
    assert "raw" in repo.refuses().splitlines()[1]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_refuses_and_passes_alike(tmp_path: Path, shell: str) -> None:
    if not Path(SHELLS[shell].split()[0]).exists():
        pytest.skip(f"no {shell} here")
    repo = workspace(tmp_path / "repo", '[workspace]\nraw = "sour*ces"\n', root=ODD, raw="sour*ces")
    guard = repo.path / ".git/hooks/pre-commit"
    guard.write_bytes(guard.read_bytes().replace(b"#!/bin/sh", b"#!" + SHELLS[shell].encode(), 1))
    repo.stage(f"{ODD}wiki/p.md", "new\n")
    repo.stage("sources/free.md", "new\n")
    repo.passes()
    for name in WEIRD:
        repo.stage(f"{ODD}sour*ces/{name}", "new\n")
    said = repo.refuses()
    assert said.count("\n    ") - 2 == len(WEIRD)
    assert "sources/free.md" not in said


def test_the_script_is_sound_for_dash_and_shellcheck() -> None:
    script = hooks.hook_script("pre-commit")
    checkers = [["dash", "-n"], ["shellcheck", "-s", "sh", "-"]]
    found = [checker for checker in checkers if shutil.which(checker[0])]
    for checker in found:
        done = subprocess.run(checker, input=script, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout
    if len(found) < len(checkers):
        pytest.skip("dash or shellcheck is not here")


def test_both_names_of_a_rename_are_told(repo: Repository) -> None:
    rename_within(repo)
    assert repo.refuses().splitlines()[1:3] == ["    raw/a.md", "    raw/c.md"]


def test_at_most_ten_names_are_told(repo: Repository) -> None:
    for n in range(13):
        repo.stage(f"raw/{n:02}.md", "new\n")
    said = repo.refuses()
    assert "    raw/09.md\n" in said
    assert "raw/10.md" not in said
    assert "... and 3 more" in said


@pytest.mark.parametrize(
    "policy",
    [
        '[workspace]\nraw = "sources"\n',
        "\ufeff[ workspace ] # ours\r\nname = 'x'\r\n  'raw'='/sources/' # here\r\n",
        'workspace.raw = "sources"\n[verify]\nraw = "other"\n',
        'workspace = { name = "x", raw = "sources" }\n',
        '[verify]\nworkspace.raw = "other"\nworkspace = { raw = "other" }\n[workspace]\nraw = "sources"\n',
        '[verify]\nraw = "other"\n["workspace"]\n# raw = "no"\n"raw" = "sources"\n',
    ],
)
def test_a_raw_folder_of_another_name_is_guarded(tmp_path: Path, policy: str) -> None:
    repo = workspace(tmp_path / "repo", policy, raw="sources")
    repo.stage("raw/free.md", "not a source here\n")
    repo.stage("other/free.md", "neither\n")
    repo.passes()
    repo.stage("sources/a.md", "altered\n")
    assert "sources/a.md" in repo.refuses()


def test_a_spelling_the_guard_cannot_read_is_named_and_raw_is_guarded(tmp_path: Path) -> None:
    repo = workspace(tmp_path / "repo", '[workspace]\nraw = "s\\u006furces"\n')
    change(repo)
    assert "assay.toml: cannot read [workspace] raw" in repo.refuses()


def test_several_workspaces_are_guarded_each_by_its_own_policy(tmp_path: Path) -> None:
    repo = workspace(tmp_path / "repo")
    repo.stage("kb/assay.toml", '[workspace]\nraw = "in/put"\n')
    repo.stage("kb/in/put/x.md", "x\n")
    repo.stage("kb/raw/y.md", "y\n")
    repo.passes()
    repo.stage("kb/raw/y.md", "free\n")
    repo.stage("in/put/z.md", "free\n")
    repo.passes()
    repo.stage("kb/in/put/x.md", "altered\n")  # the commit that brought the workspace also told the guard its folder
    assert "kb/in/put/x.md" in repo.refuses()


def test_a_stale_list_still_guards_folders_called_raw(tmp_path: Path) -> None:
    repo = workspace(tmp_path / "repo")
    repo.stage("kb/assay.toml", "")
    repo.stage("kb/raw/x.md", "x\n")
    repo.do("commit", "--no-verify", "-qm", "as a pull would bring it")
    repo.stage("kb/raw/x.md", "altered\n")
    assert "kb/raw/x.md" in repo.refuses()


def test_case_counts_unless_the_file_system_ignores_it(repo: Repository) -> None:
    repo.stage("RAW/x.md", "x\n")
    repo.do("config", "core.ignoreCase", "true")
    assert "RAW/x.md" in repo.refuses()
    repo.do("config", "core.ignoreCase", "false")
    repo.passes()


@pytest.mark.parametrize("how", [["-a"], ["raw/a.md"], ["--include", "raw/a.md"], ["--amend", "-a"]])
def test_every_way_to_commit_is_guarded(repo: Repository, how: list[str]) -> None:
    repo.put("raw/a.md", "altered\n")
    assert repo.git("commit", "-qm", "x", *how).returncode == 1


def test_pathspec_settings_of_the_caller_do_not_disarm_the_guard(repo: Repository) -> None:
    change(repo)
    for setting in ("--literal-pathspecs", "--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs"):
        assert repo.git(setting, "commit", "-qm", "x").returncode == 1


def test_a_partial_commit_leaves_staged_sources_out_of_account(repo: Repository) -> None:
    change(repo)
    repo.stage("wiki/p.md", "changed\n")
    assert repo.git("commit", "-qm", "x", "wiki/p.md").returncode == 0
    assert repo.do("diff", "--cached", "--name-only") == "raw/a.md"


def test_a_subfolder_and_a_linked_worktree_are_guarded(tmp_path: Path) -> None:
    repo = workspace(tmp_path / "repo", '[workspace]\nraw = "in"\n', raw="in")
    repo.do("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = Repository(tmp_path / "linked")
    linked.stage("in/a.md", "altered\n")
    assert "in/a.md" in linked.refuses()
    assert "in/a.md" in Repository(linked.path / "wiki").refuses()


def test_a_workspace_committed_in_a_linked_worktree_is_known_in_all(repo: Repository, tmp_path: Path) -> None:
    repo.do("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = Repository(tmp_path / "linked")
    linked.stage("kb/assay.toml", '[workspace]\nraw = "in"\n')
    linked.stage("kb/in/x.md", "x\n")
    linked.passes()
    repo.do("merge", "-q", "linked")
    repo.stage("kb/in/x.md", "altered\n")
    assert "kb/in/x.md" in repo.refuses()


def test_a_git_folder_elsewhere_is_guarded(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo")
    repo.path.mkdir()
    repo.do("init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "store"))
    repo.stage("assay.toml", "")
    repo.stage("raw/a.md", "a\n")
    hooks.install(hooks.locate(repo.path))
    repo.passes()
    change(repo)
    repo.refuses()


def test_an_index_that_git_cannot_read_is_no_way_through(repo: Repository) -> None:
    change(repo)
    (repo.path / ".git/index").write_bytes(b"no index")
    done = subprocess.run([".git/hooks/pre-commit"], cwd=repo.path, capture_output=True, check=False)
    assert done.returncode not in (0, 126, 127)


def test_a_first_commit_founds_the_workspace(tmp_path: Path) -> None:
    repo = new(tmp_path / "repo")
    hooks.install(hooks.locate(repo.path))
    repo.stage("assay.toml", '[workspace]\nraw = "sources"\n')
    repo.stage("sources/a.md", "a\n")
    repo.passes()
    repo.stage("sources/a.md", "altered\n")
    repo.refuses()


def test_what_is_no_source_passes(repo: Repository) -> None:
    repo.stage("wiki/p.md", "changed\n")
    repo.stage("rawhide.md", "x\n")
    repo.stage("docs/raw/notes.md", "no workspace here\n")
    assert repo.passes() == ""
    repo.do("mv", "wiki/p.md", "wiki/q.md")
    assert repo.passes() == ""
    repo.put("raw/untracked.md", "not staged\n")
    repo.put("raw/a.md", "altered, not staged\n")
    repo.stage("wiki/q.md", "again\n")
    assert repo.commit().returncode == 0


def test_nothing_but_git_runs_while_no_source_is_staged(repo: Repository, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "git")
    repo.stage("wiki/p.md", "changed\n")
    done = subprocess.run(
        ["/bin/sh", ".git/hooks/pre-commit"],
        cwd=repo.path,
        env=os.environ | {"PATH": str(tools)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def diverged(repo: Repository) -> str:
    """On `theirs` an intake and a page that conflicts with main's; gives the intake's commit."""
    repo.do("switch", "-qc", "theirs")
    intake = repo.intake("raw/theirs.md", "theirs\n")
    repo.stage("wiki/p.md", "their page\n")
    repo.passes()
    repo.do("switch", "-q", "main")
    repo.intake("raw/ours.md", "ours\n")
    repo.stage("wiki/p.md", "our page\n")
    repo.passes()
    return intake


def test_a_merge_that_alters_what_it_brings_is_refused(repo: Repository) -> None:
    diverged(repo)
    assert repo.git("merge", "-q", "theirs").returncode == 1
    repo.stage("wiki/p.md", "both\n")
    repo.stage("raw/theirs.md", "altered in the merge\n")
    assert "raw/theirs.md" in repo.refuses()


def test_a_merge_cannot_take_back_our_own_intake(repo: Repository) -> None:
    diverged(repo)
    assert repo.git("merge", "-q", "theirs").returncode == 1
    repo.stage("wiki/p.md", "both\n")
    repo.do("rm", "-qf", "raw/ours.md")
    said = repo.refuses()
    assert "raw/ours.md" in said
    assert "raw/theirs.md" not in said


def test_a_merge_cannot_take_back_our_own_sync(repo: Repository) -> None:
    repo.do("branch", "theirs")
    repo.intake("raw/a.md", "synced\n")
    repo.do("switch", "-q", "theirs")
    repo.stage("wiki/q.md", "q\n")
    repo.passes()
    repo.do("switch", "-q", "main")
    repo.do("merge", "-q", "--no-commit", "theirs")
    repo.stage("raw/a.md", "alpha\n")
    assert "raw/a.md" in repo.refuses()


def test_a_merge_with_a_conflict_elsewhere_brings_the_intake_in(repo: Repository) -> None:
    diverged(repo)
    assert repo.git("merge", "-q", "theirs").returncode == 1
    repo.stage("wiki/p.md", "both\n")
    repo.passes()
    assert repo.do("rev-list", "--parents", "-1", "HEAD").count(" ") == 2


def test_a_merge_in_a_linked_worktree_brings_the_intake_in(repo: Repository, tmp_path: Path) -> None:
    diverged(repo)
    repo.do("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    linked = Repository(tmp_path / "linked")
    assert linked.git("merge", "-q", "theirs").returncode == 1
    linked.stage("wiki/p.md", "both\n")
    linked.passes()


def test_an_octopus_brings_every_intake_in(repo: Repository) -> None:
    for name in ("one", "two"):
        repo.do("switch", "-qc", name, "main")
        repo.intake(f"raw/{name}.md", f"{name}\n")
    repo.do("switch", "-q", "main")
    repo.stage("wiki/q.md", "q\n")
    repo.passes()
    repo.do("merge", "-q", "--no-commit", "one", "two")
    repo.passes()
    assert repo.do("ls-files", "raw") == "raw/a.md\nraw/b.md\nraw/one.md\nraw/two.md"


def test_a_pull_of_an_intake_passes_where_pre_merge_commit_runs_the_guard(repo: Repository, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", str(repo.path), str(tmp_path / "clone")], check=True)
    clone = Repository(tmp_path / "clone")
    hooks.install(hooks.locate(clone.path))
    hook = clone.path / ".git/hooks/pre-merge-commit"
    hook.write_text('#!/bin/sh\nexec "${0%/*}/pre-commit"\n')  # git's own sample does this
    hook.chmod(0o755)
    repo.intake("raw/new.md", "new\n")
    clone.stage("wiki/q.md", "q\n")
    clone.passes()
    clone.do("pull", "-q", "--no-rebase", "--no-edit")
    assert (clone.path / "raw/new.md").read_text() == "new\n"
    assert clone.do("rev-list", "--parents", "-1", "HEAD").count(" ") == 2


def test_a_squashed_merge_of_an_intake_is_refused(repo: Repository) -> None:
    repo.do("switch", "-qc", "theirs")
    repo.intake("raw/theirs.md", "theirs\n")
    repo.do("switch", "-q", "main")
    repo.do("merge", "-q", "--squash", "theirs")
    assert "raw/theirs.md" in repo.refuses()


def picking(repo: Repository) -> Repository:
    """Stopped in a cherry-pick of an intake of two sources, one of which main has otherwise."""
    repo.do("switch", "-qc", "theirs")
    repo.stage("raw/second.md", "second\n")
    repo.intake("raw/same.md", "theirs\n")
    repo.do("switch", "-q", "main")
    repo.intake("raw/same.md", "ours\n")
    assert repo.git("cherry-pick", "theirs").returncode == 1
    repo.stage("raw/same.md", "ours\n")
    return repo


def test_a_replayed_intake_that_was_altered_is_refused(repo: Repository) -> None:
    picking(repo).stage("raw/second.md", "altered\n")
    assert "raw/second.md" in repo.refuses()


def test_a_replayed_intake_that_overwrites_a_source_is_refused(repo: Repository) -> None:
    picking(repo).stage("raw/same.md", "theirs\n")
    assert "raw/same.md" in repo.refuses()


def test_a_replayed_intake_with_something_beside_it_is_refused(repo: Repository) -> None:
    picking(repo).stage("wiki/p.md", "beside\n")
    repo.refuses()


@pytest.mark.parametrize("beside", ["wiki/p.md", "wiki/new.md", "raw/a.md"])
def test_a_replayed_commit_that_is_no_intake_is_refused(repo: Repository, beside: str) -> None:
    repo.do("switch", "-qc", "theirs")
    repo.stage(beside, "theirs\n")
    repo.intake("raw/mixed.md", "mixed\n")
    repo.do("switch", "-q", "main")
    repo.intake(beside, "ours\n")
    assert repo.git("cherry-pick", "theirs").returncode == 1
    repo.stage(beside, "ours\n")
    assert "raw/mixed.md" in repo.refuses()


def test_a_replayed_symlink_is_refused(repo: Repository) -> None:
    repo.do("switch", "-qc", "theirs")
    symlink(repo)
    repo.intake("raw/same.md", "theirs\n")
    repo.do("switch", "-q", "main")
    repo.intake("raw/same.md", "ours\n")
    assert repo.git("cherry-pick", "theirs").returncode == 1
    repo.stage("raw/same.md", "ours\n")
    assert "raw/link.md" in repo.refuses()


def test_a_stopped_revert_of_an_intake_is_refused(repo: Repository) -> None:
    repo.stage("raw/second.md", "second\n")
    intake = repo.intake("raw/x.md", "x\n")
    repo.stage("raw/x.md", "synced\n")
    repo.do("commit", "--no-verify", "-qm", "sync")
    assert repo.git("revert", "--no-edit", intake).returncode == 1
    repo.stage("raw/x.md", "synced\n")
    assert "raw/second.md" in repo.refuses()


def test_a_replayed_intake_passes_and_says_so(repo: Repository) -> None:
    intake = picking(repo).do("rev-parse", "theirs")
    assert f"as in the intake {intake}" in repo.passes()


def test_a_clean_rebase_of_an_intake_passes(repo: Repository) -> None:
    repo.do("switch", "-qc", "theirs")
    repo.intake("raw/theirs.md", "theirs\n")
    repo.do("switch", "-q", "main")
    repo.stage("wiki/p.md", "ours\n")
    repo.passes()
    repo.do("rebase", "-q", "main", "theirs")
    assert (repo.path / "raw/theirs.md").exists()


# Installing


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = (0, os.readlink(path))
        elif path.is_file():
            found[str(path.relative_to(folder))] = (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
    return found


def own_hook(path: Path, says: str, exit_code: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nread -r line\necho "{says} [$*] [$line]" >>"$HOME/ran"\nexit {exit_code}\n')
    path.chmod(0o750)


def ran() -> str:
    log = Path.home() / "ran"
    return log.read_text() if log.exists() else ""


def test_outside_a_repository_nothing_is_located(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="not a git repository"):
        hooks.locate(tmp_path)


def test_a_hooks_path_that_is_no_folder_is_refused(repo: Repository) -> None:
    repo.do("config", "core.hooksPath", os.devnull)
    with pytest.raises(UsageError, match="runs no hooks"):
        hooks.install(hooks.locate(repo.path))


def test_a_folder_that_cannot_be_written_is_told(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("a file where a folder should be")
    repo.do("config", "core.hooksPath", str(tmp_path / "blocked/hooks"))
    with pytest.raises(CannotRun, match="blocked"):
        hooks.install(hooks.locate(repo.path))


def test_a_hook_is_not_overwritten_where_an_older_one_is_kept_already(repo: Repository) -> None:
    guard = repo.path / ".git/hooks/pre-commit"
    own_hook(repo.path / ".git/hooks/pre-commit.before-assay", "older")
    own_hook(guard, "newer")
    before = snapshot(guard.parent)
    with pytest.raises(UsageError, match="another tool"):
        hooks.install(hooks.locate(repo.path))
    assert snapshot(guard.parent) == before


def test_an_unknown_hook_is_refused() -> None:
    with pytest.raises(UsageError, match="post-merge"):
        hooks.hook_script("post-merge")


def test_the_hook_that_was_there_runs_after_the_guard_and_has_the_last_word(tmp_path: Path) -> None:
    repo = new(tmp_path / "repo")
    hook = repo.path / ".git/hooks/pre-commit"
    own_hook(hook, "own", exit_code=7)
    place = hooks.locate(repo.path)
    done = hooks.install(place)
    assert done.changed
    assert done.kept == repo.path / ".git/hooks/pre-commit.before-assay"
    assert stat.S_IMODE(done.kept.stat().st_mode) == 0o750
    direct = subprocess.run([hook, "one", "two words"], cwd=repo.path, input=b"typed\n", check=False)
    assert (direct.returncode, ran()) == (7, "own [one two words] [typed]\n")
    repo.stage("x", "x\n")
    assert repo.commit().returncode == 1
    assert ran().count("own") == 2


def test_the_hook_that_was_there_does_not_run_when_the_guard_refuses(repo: Repository) -> None:
    own_hook(repo.path / ".git/hooks/pre-commit.before-assay", "own")
    change(repo)
    repo.refuses()
    assert ran() == ""


def test_a_hook_that_git_would_not_run_is_not_run_by_the_guard(repo: Repository) -> None:
    own_hook(repo.path / ".git/hooks/pre-commit.before-assay", "own", exit_code=1)
    (repo.path / ".git/hooks/pre-commit.before-assay").chmod(0o640)
    repo.stage("wiki/p.md", "changed\n")
    repo.passes()


def test_installing_again_changes_nothing(tmp_path: Path) -> None:
    repo = new(tmp_path / "repo")
    own_hook(repo.path / ".git/hooks/pre-commit", "own")
    place = hooks.locate(repo.path)
    hooks.install(place, ["raw", "sources"])
    before = snapshot(repo.path / ".git")
    again = hooks.install(place, ["sources", "raw"])
    assert not again.changed
    assert snapshot(repo.path / ".git") == before


@pytest.mark.parametrize("hook", ["none", "file", "not executable", "symlink", "dangling"])
def test_uninstalling_puts_everything_back(tmp_path: Path, hook: str) -> None:
    repo = new(tmp_path / "repo")
    path = repo.path / ".git/hooks/pre-commit"
    if hook in ("file", "not executable"):
        own_hook(path, "own")
        path.chmod(0o755 if hook == "file" else 0o644)
    elif hook != "none":
        path.symlink_to("../../scripts/check" if hook == "symlink" else "nowhere")
        own_hook(repo.path / "scripts/check", "linked")
    before = snapshot(path.parent)
    place = hooks.locate(repo.path)
    hooks.install(place, ["sources"])
    repo.stage("x", "x\n")
    repo.passes()
    assert ("own" in ran(), "linked" in ran()) == (hook == "file", hook == "symlink")
    assert hooks.uninstall(place)
    assert snapshot(path.parent) == before
    assert not hooks.uninstall(place)
    assert snapshot(path.parent) == before


def test_an_interrupted_install_is_finished_by_the_next(tmp_path: Path) -> None:
    repo = new(tmp_path / "repo")
    own_hook(repo.path / ".git/hooks/pre-commit", "own")
    shutil.copy2(repo.path / ".git/hooks/pre-commit", repo.path / ".git/hooks/pre-commit.before-assay")
    hooks.install(hooks.locate(repo.path))
    assert hooks.status(hooks.locate(repo.path)).state == "installed"


def test_the_status_names_what_is_wrong(repo: Repository) -> None:
    place = hooks.locate(repo.path)
    assert hooks.status(place, ["raw"]) == hooks.Status("installed", place.guard, None, True)
    assert not hooks.status(place, ["raw", "kb/sources"]).names_current
    hooks.install(place, ["kb/sources"])
    assert hooks.status(place, ["raw", "kb/sources"]).names_current
    place.guard.chmod(0o644)
    assert hooks.status(place).state == "disabled"
    place.guard.write_bytes(place.guard.read_bytes() + b"# older\n")
    place.guard.chmod(0o755)
    assert hooks.status(place).state == "outdated"
    assert hooks.install(place).changed
    assert hooks.status(place).state == "installed"
    hooks.uninstall(place)
    assert hooks.status(place).state == "missing"


@pytest.mark.parametrize("form", ["absolute", "home"])
def test_a_hooks_path_outside_work_trees_is_installed_into(repo: Repository, form: str) -> None:
    folder = Path.home() / "my hooks"
    own_hook(folder / "pre-commit", "own")
    before = snapshot(folder)
    repo.do("config", "core.hooksPath", str(folder) if form == "absolute" else "~/my hooks")
    place = hooks.locate(repo.path)
    done = hooks.install(place)
    assert (done.shared, done.by_hand, done.guard) == (True, None, folder / "pre-commit")
    repo.stage("wiki/p.md", "changed\n")
    repo.passes()
    assert "own" in ran()
    change(repo)
    repo.refuses()
    hooks.uninstall(place)
    assert snapshot(folder) == before


@pytest.mark.parametrize("form", ["relative", "absolute"])
def test_a_hooks_path_in_the_work_tree_is_left_alone_and_the_line_is_named(repo: Repository, form: str) -> None:
    owned = repo.path / ".githooks/pre-commit"
    own_hook(owned, "own")
    repo.do("config", "core.hooksPath", ".githooks" if form == "relative" else str(owned.parent))
    before = snapshot(owned.parent)
    (repo.path / "wiki/deep").mkdir()
    place = hooks.locate(repo.path / "wiki/deep")
    done = hooks.install(place)
    assert done.by_hand == owned
    assert snapshot(owned.parent) == before
    assert hooks.status(place).state == "unwired"
    owned.write_text(f"#!/bin/sh\nset -e\n{hooks.LINE}\necho own >>$HOME/ran\n")
    assert hooks.install(place).by_hand is None
    assert hooks.status(place).state == "installed"
    change(repo)
    repo.refuses()
    assert ran() == ""
    repo.do("restore", "--staged", "--", "raw/a.md")
    repo.stage("wiki/p.md", "changed\n")
    assert repo.commit().returncode == 0
    assert ran() == "own\n"
    hooks.uninstall(place)
    assert repo.git("commit", "-qm", "a clone without git-assay", "--allow-empty").returncode == 0


def test_husky_is_wired_by_a_line_in_the_file_that_it_runs(repo: Repository) -> None:
    generated = repo.path / ".husky/_"
    generated.mkdir(parents=True)
    runner = '#!/usr/bin/env sh\nsh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n'
    (generated / "pre-commit").write_text(runner)
    (generated / "pre-commit").chmod(0o755)
    repo.put(".husky/pre-commit", "echo husky >>$HOME/ran\n")
    repo.do("config", "core.hooksPath", ".husky/_")
    place = hooks.locate(repo.path)
    done = hooks.install(place)
    assert done.by_hand == repo.path / ".husky/pre-commit"
    repo.put(".husky/pre-commit", f"{hooks.LINE}\necho husky >>$HOME/ran\n")
    change(repo)
    repo.refuses()
    repo.do("restore", "--staged", "--", "raw/a.md")
    repo.stage("wiki/p.md", "changed\n")
    assert repo.commit().returncode == 0
    assert ran() == "husky\n"


# The pre-commit framework

CONFIG = """\
repos:
- repo: local
  hooks:
  - {id: seen, name: seen, entry: sh -c 'echo framework >>"$HOME/ran"', language: system, always_run: true}
"""


@dataclass(frozen=True)
class Framework:
    command: str

    def __call__(self, repo: Repository, *arguments: str) -> None:
        done = subprocess.run([self.command, *arguments], cwd=repo.path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def framework() -> Framework:
    command = FRAMEWORK or shutil.which("pre-commit", path=str(Path(sys.executable).parent))
    if not command:
        pytest.skip("the pre-commit framework is not installed")
    return Framework(command)


def both_run(repo: Repository, *also: str) -> None:
    log = Path.home() / "ran"
    log.unlink(missing_ok=True)
    repo.stage("wiki/p.md", repo.do("rev-parse", "HEAD") + "\n")
    repo.passes()
    assert sorted(line.split()[0] for line in ran().splitlines()) == sorted(["framework", *also])
    add(repo)
    assert "raw/new.md" in repo.refuses()
    repo.do("rm", "-qf", "raw/new.md")
    repo.put("raw/a.md", "altered\n")
    assert repo.git("commit", "-qam", "x").returncode == 1
    repo.do("checkout", "-q", "raw/a.md")


def guarded(repo: Repository) -> None:
    repo.stage(".pre-commit-config.yaml", CONFIG)
    repo.passes()


def test_framework_after_the_guard(repo: Repository, framework: Framework) -> None:
    guarded(repo)
    own_hook(repo.path / ".git/hooks/pre-commit.before-assay", "own")
    framework(repo, "install")
    both_run(repo, "own")
    assert not hooks.install(hooks.locate(repo.path)).changed
    assert hooks.status(hooks.locate(repo.path)).state == "installed"
    framework(repo, "uninstall")
    change(repo)
    repo.refuses()


@pytest.mark.slow
def test_framework_before_the_guard_and_installed_again(tmp_path: Path, framework: Framework) -> None:
    repo = workspace(tmp_path / "repo")
    place = hooks.locate(repo.path)
    hooks.uninstall(place)
    guarded(repo)
    own_hook(repo.path / ".git/hooks/pre-commit", "own")
    framework(repo, "install")  # keeps the own hook as pre-commit.legacy
    before = snapshot(place.hooks)
    hooks.install(place)
    both_run(repo, "own")
    framework(repo, "install")
    both_run(repo, "own")
    hooks.uninstall(place)
    assert snapshot(place.hooks) == before


def test_the_frameworks_own_way_to_run_the_guard(repo: Repository, framework: Framework, tmp_path: Path) -> None:
    hooks.uninstall(hooks.locate(repo.path))
    project = Path(__file__).parents[1]
    published = new(tmp_path / "published")
    shutil.copytree(project / "hooks", published.path / "hooks")
    shutil.copy(project / ".pre-commit-hooks.yaml", published.path)
    published.do("add", ".")
    published.do("commit", "-qm", "release")
    revision = published.do("rev-parse", "HEAD")
    config = f"repos:\n- repo: {published.path}\n  rev: {revision}\n  hooks:\n  - id: assay-raw-guard\n"
    repo.stage(".pre-commit-config.yaml", config)
    repo.passes()
    framework(repo, "install")
    repo.stage("wiki/p.md", "changed\n")
    repo.passes()
    change(repo)
    assert "raw/a.md" in repo.refuses()
    framework(repo, "run", "--hook-stage", "pre-push", "--all-files")
