from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitops import hooks
from tests.cli.conftest import INDEX, LINKED, PAGE, SOURCE

pytestmark = pytest.mark.slow

Command = Callable[..., Any]
ALTERED = PAGE.replace('"declined by two fifths"', '"declined by three fifths"')
FRAMEWORK = shutil.which("pre-commit") or shutil.which("pre-commit", path=str(Path(sys.executable).parent))


@dataclass(frozen=True)
class Clone:
    """A clone with the hooks installed, and the bare server behind it."""

    folder: Path
    server: Path
    git: Command

    def commit(self, files: dict[str, str | None], message: str = "a change") -> str:
        """A commit on the branch that is checked out; no hook of ours looks at it."""
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
        self.git(self.folder, "add", "--all")
        self.git(self.folder, "commit", "--quiet", "--no-verify", "--message", message)
        return str(self.git(self.folder, "rev-parse", "HEAD"))

    def push(self, *words: str, folder: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "-C", os.fspath(folder or self.folder), *(words or ("push", "origin", "main"))]
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})

    def passes(self, *words: str, **options: Any) -> str:
        done = self.push(*words, **options)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def refused(self, *words: str, **options: Any) -> str:
        before = self.git(self.server, "for-each-ref")
        done = self.push(*words, **options)
        assert done.returncode == 1, done.stderr
        assert "Traceback" not in done.stderr
        assert self.git(self.server, "for-each-ref") == before
        return done.stderr

    def there(self, ref: str) -> str:
        """What the server has; '' for nothing."""
        return str(self.git(self.server, "rev-parse", "--verify", "--quiet", ref, check=False))


@pytest.fixture
def clone(wiki: Path, tmp_path: Path, git: Command, make_repository: Command, assay: Command, git_assay: None) -> Clone:
    server = make_repository(bare=True, name="server")
    git(wiki, "push", "--quiet", os.fspath(server), "main")
    git(tmp_path, "clone", "--quiet", f"file://{server}", os.fspath(tmp_path / "clone"))
    assert assay(tmp_path / "clone", "hooks", "install").code == 0
    return Clone(tmp_path / "clone", server, git)


def without_git_assay(tmp_path: Path) -> str:
    """A PATH with git and what a shell needs, and no git-assay."""
    folder = tmp_path / "bare-path"
    folder.mkdir()
    for name in ("git", "sh", "cat", "grep", "rm"):
        (folder / name).symlink_to(str(shutil.which(name)))
    return os.fspath(folder)


# Targets


def test_what_landed_goes_with_its_records(clone: Clone, assay: Command, staged: Command) -> None:
    assert assay(clone.folder, "run", "finish", staged(clone.folder)).code == 0
    told = clone.passes()
    assert "assay: main: 3 commits, landed with a verdict or intakes" in told or "landed with a verdict" in told
    for ref in ("refs/notes/assay/runs", "refs/notes/assay/verdicts"):
        assert clone.there(ref) == clone.git(clone.folder, "rev-parse", ref)
    assert clone.there("main") == clone.git(clone.folder, "rev-parse", "main")


def test_intakes_go_without_a_verdict(clone: Clone, assay: Command, tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text("New.\n")
    assert assay(clone.folder, "raw", "add", os.fspath(tmp_path / "new.md")).code == 0
    assert "landed with a verdict or intakes" in clone.passes()


def test_peoples_commits_are_verified(clone: Clone) -> None:
    clone.commit({"wiki/solvents.md": PAGE, "wiki/index.md": LINKED})
    assert "assay: main: commit: 1 cited claim" in clone.passes()
    assert "refs/notes/assay" not in clone.git(clone.server, "for-each-ref")


def test_a_false_quotation_is_refused_with_its_mend(clone: Clone) -> None:
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    told = clone.refused()
    assert "wiki/solvents.md" in told
    assert "quote_anchor altered" in told
    assert "error: not pushed: main" in told
    assert "hint:" in told
    clone.passes("push", "--no-verify", "origin", "main")


def test_the_commit_is_looked_at_and_not_the_work_tree(clone: Clone) -> None:
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    (clone.folder / "wiki/solvents.md").write_text(PAGE)
    clone.git(clone.folder, "add", "--all")
    clone.refused()
    clone.git(clone.folder, "commit", "--quiet", "--message", "mended")
    (clone.folder / "wiki/solvents.md").write_text(ALTERED)
    clone.git(clone.folder, "add", "--all")
    clone.passes()


def test_every_ref_line_is_looked_at(clone: Clone) -> None:
    clone.git(clone.folder, "branch", "fine")
    clone.git(clone.folder, "tag", "v1")
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    told = clone.refused("push", "origin", "v1", "fine", "main", ":refs/heads/none")
    assert "not pushed: main" in told
    assert clone.there("fine") == ""
    clone.passes("push", "origin", "v1", "fine")
    clone.passes("push", "origin", ":fine")


def test_a_source_that_a_commit_changes_among_pages_is_refused(clone: Clone) -> None:
    clone.commit({"raw/report.md": "Otherwise.\n", "wiki/index.md": INDEX + "\nMore.\n"})
    assert "raw_sealed" in clone.refused()


def test_what_lands_by_run_finish_push_passes_the_hook(clone: Clone, process: Command, staged: Command) -> None:
    done = process(clone.folder, "run", "finish", staged(clone.folder), "--push")
    assert done.code == 0, done.err
    assert clone.there("main") == clone.git(clone.folder, "rev-parse", "main")
    assert clone.there("refs/notes/assay/verdicts") != ""


def test_a_branch_behind_which_the_remote_has_moved_is_left_to_git(clone: Clone, tmp_path: Path) -> None:
    clone.git(tmp_path, "clone", "--quiet", os.fspath(clone.server), os.fspath(tmp_path / "other"))
    other = Clone(tmp_path / "other", clone.server, clone.git)
    other.commit({"notes.txt": "theirs\n"})
    other.git(other.folder, "push", "--quiet", "origin", "main")
    clone.commit({"notes.txt": "ours\n"})
    assert "rejected" in clone.refused()


def test_the_first_push_to_an_empty_server_passes_and_says_why(clone: Clone, make_repository: Command) -> None:
    empty = make_repository(bare=True, name="empty")
    clone.git(clone.folder, "remote", "add", "new", f"file://{empty}")
    assert "new has no policy yet to judge it by" in clone.passes("push", "new", "main")


# Runs and other branches


def test_a_run_whose_middle_commit_touches_a_source_is_refused(clone: Clone, staged: Command) -> None:
    run = staged(clone.folder)
    clone.git(clone.folder, "switch", "--quiet", f"run/{run}")
    clone.commit({"raw/report.md": "Otherwise.\n"}, "touch")
    clone.commit({"raw/report.md": SOURCE}, "take back")
    told = clone.refused("push", "origin", f"run/{run}")
    assert "raw_sealed" in told
    assert "raw/report.md" in told
    assert f"not pushed: run/{run}" in told


@pytest.mark.parametrize("path", ["assay.toml", ".github/workflows/x.yml", "gold/queries.yaml", "wiki/log.md"])
def test_a_run_that_writes_what_is_peoples_is_refused(clone: Clone, staged: Command, path: str) -> None:
    run = staged(clone.folder)
    clone.git(clone.folder, "switch", "--quiet", f"run/{run}")
    (clone.folder / path).parent.mkdir(parents=True, exist_ok=True)
    clone.commit({path: "# x\n"})
    assert "path_acl" in clone.refused("push", "origin", f"run/{run}")


def test_a_run_with_pages_alone_goes_whatever_they_say(clone: Clone, staged: Command) -> None:
    run = staged(clone.folder, {"wiki/solvents.md": ALTERED})
    clone.passes("push", "origin", f"run/{run}")
    assert clone.there(f"run/{run}")


def test_a_run_that_nobody_recorded_is_looked_at_too(clone: Clone) -> None:
    clone.git(clone.folder, "switch", "--quiet", "--create", "run/by-hand")
    clone.commit({"assay.toml": '[workspace]\nname = "plant"\n[verify]\njudge = "none"\n'})
    assert "path_acl" in clone.refused("push", "origin", "run/by-hand")
    assert "path_acl" in clone.refused("push", "origin", "HEAD:refs/heads/run/renamed")


def test_another_branch_may_hold_what_is_not_verified_but_no_altered_source(clone: Clone) -> None:
    clone.git(clone.folder, "switch", "--quiet", "--create", "draft")
    clone.commit({"wiki/solvents.md": ALTERED})
    clone.passes("push", "origin", "draft")
    clone.commit({"raw/report.md": "Otherwise.\n", "notes.txt": "x\n"})
    assert "raw_sealed" in clone.refused("push", "origin", "draft")


# The records


def test_records_stay_where_nobody_wants_them_to_go(clone: Clone, assay: Command, staged: Command) -> None:
    assay(clone.folder, "run", "finish", staged(clone.folder))
    clone.passes("-c", "assay.pushNotes=false", "push", "origin", "main")
    assert "refs/notes" not in clone.git(clone.server, "for-each-ref")


def test_a_server_that_takes_no_notes_holds_no_push_up(clone: Clone, assay: Command, staged: Command) -> None:
    hook = clone.server / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nif grep -q refs/notes; then echo 'no notes here' >&2; exit 1; fi\n")
    hook.chmod(0o755)
    assay(clone.folder, "run", "finish", staged(clone.folder))
    assert "no notes here" in clone.passes()


# Where the hook lies


def test_without_git_assay_only_what_holds_no_workspace_is_pushed(clone: Clone, tmp_path: Path) -> None:
    path = without_git_assay(tmp_path)
    clone.commit({"notes.txt": "x\n"})
    told = clone.refused(PATH=path)
    assert "git-assay: not on PATH" in told
    assert "--no-verify" in told
    clone.git(clone.folder, "switch", "--quiet", "--orphan", "plain")
    clone.git(clone.folder, "commit", "--quiet", "--allow-empty", "--message", "plain")
    clone.passes("push", "origin", "plain", PATH=path)


def test_a_branch_that_takes_the_policy_away_concerns_a_workspace(clone: Clone, tmp_path: Path) -> None:
    clone.commit({"assay.toml": None})
    assert "not on PATH" in clone.refused(PATH=without_git_assay(tmp_path))


def test_a_linked_worktree_is_guarded(clone: Clone, tmp_path: Path) -> None:
    clone.git(clone.folder, "worktree", "add", "--quiet", "-b", "draft", os.fspath(tmp_path / "linked"))
    linked = Clone(tmp_path / "linked", clone.server, clone.git)
    linked.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    assert "quote_anchor" in linked.refused("push", "origin", "HEAD:main")
    linked.passes("push", "origin", "draft")


def own_hook(path: Path, code: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "own [$1]" >>"$HOME/ran"\ncat >>"$HOME/ran"\nexit {code}\n')
    path.chmod(0o755)


def ran() -> str:
    log = Path.home() / "ran"
    return log.read_text() if log.exists() else ""


@pytest.mark.parametrize("code", [0, 1])
def test_a_hook_that_was_there_runs_after_with_the_same_input_and_has_the_last_word(
    clone: Clone, assay: Command, code: int
) -> None:
    assay(clone.folder, "hooks", "uninstall")
    own_hook(clone.folder / ".git/hooks/pre-push", code)
    assert "and after it pre-push.before-assay" in assay(clone.folder, "hooks", "install").out
    tip = clone.commit({"notes.txt": "x\n"})
    assert clone.push().returncode == code
    assert ran().startswith(f"own [origin]\nrefs/heads/main {tip} refs/heads/main ")
    (Path.home() / "ran").unlink()
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    clone.refused()
    assert ran() == ""
    assay(clone.folder, "hooks", "uninstall")
    assert "own [" in (clone.folder / ".git/hooks/pre-push").read_text()


def test_a_hooks_path_outside_work_trees_is_installed_into(clone: Clone, assay: Command) -> None:
    clone.git(clone.folder, "config", "core.hooksPath", "~/my hooks")
    assert assay(clone.folder, "hooks", "install").code == 0
    assert (Path.home() / "my hooks/pre-push").exists()
    assert assay(clone.folder, "hooks", "status").code == 0
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    clone.refused()


def test_the_line_to_add_by_hand_leaves_the_input_to_what_comes_after(clone: Clone, assay: Command) -> None:
    owned = clone.folder / ".githooks/pre-push"
    own_hook(owned)
    clone.git(clone.folder, "config", "core.hooksPath", ".githooks")
    assert hooks.PUSH_LINE in assay(clone.folder, "hooks", "install").out
    assert "push guard: unwired" in assay(clone.folder, "hooks", "status").out
    owned.write_text(f'#!/bin/sh\nset -e\n{hooks.PUSH_LINE}\ncat >>"$HOME/ran"\n')
    clone.git(clone.folder, "config", "--unset", "core.hooksPath")
    tip = clone.commit({"notes.txt": "x\n"})
    clone.git(clone.folder, "config", "core.hooksPath", ".githooks")
    assert hooks.status(hooks.locate(clone.folder, hooks.PUSH)).state == "installed"
    clone.passes()
    assert ran().startswith(f"refs/heads/main {tip} refs/heads/main ")
    assert not list((clone.folder / ".git/assay").glob("pre-push.*"))
    clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    clone.refused()
    assert not list((clone.folder / ".git/assay").glob("pre-push.*"))


def test_installing_and_removing_leave_what_was_there(clone: Clone, assay: Command) -> None:
    again = assay(clone.folder, "hooks", "install").out.splitlines()
    assert [line.endswith("is there already") for line in again] == [True, True]
    assert assay(clone.folder, "hooks", "status").out.splitlines()[1].startswith("push guard: installed: ")
    (clone.folder / ".git/hooks/pre-push").chmod(0o644)
    assert assay(clone.folder, "hooks", "status").code == 1
    assert "the push guard is disabled" in assay(clone.folder, "doctor", "--check").out
    assert assay(clone.folder, "doctor").code == 0
    assert assay(clone.folder, "hooks", "status").code == 0
    assert assay(clone.folder, "hooks", "uninstall").out.splitlines() == [
        "the raw guard is removed",
        "the push guard is removed",
    ]
    assert not (clone.folder / ".git/hooks/pre-push").exists()


@pytest.mark.parametrize("shell", ["/bin/dash", "/bin/bash", "/usr/bin/busybox sh"])
def test_any_shell_runs_it(clone: Clone, shell: str) -> None:
    words = shell.split()
    if not Path(words[0]).exists():
        pytest.skip(f"no {words[0]} here")
    head = clone.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    line = f"refs/heads/main {head} refs/heads/main {clone.there('main')}\n"

    def run(stdin: str) -> int:
        command = [*words, os.fspath(clone.folder / ".git/hooks/pre-push"), "origin", "url"]
        return subprocess.run(command, cwd=clone.folder, input=stdin, text=True, check=False).returncode

    assert (run(line), run("")) == (1, 0)


def test_what_is_no_ref_line_is_refused(clone: Clone, assay: Command, refused: Command) -> None:
    refused(assay(clone.folder, "hooks", "pre-push", "origin", stdin=b"nonsense\n"), 2, "no ref line")
    refused(assay(clone.folder, "hooks", "pre-push"), 2, "which remote", "pre-commit")


# The pre-commit framework


@pytest.fixture
def framework(clone: Clone, assay: Command, make_repository: Command, git: Command, tmp_path: Path) -> Clone:
    """A clone whose hooks are the framework's, from a release of this project; `git-assay` itself is the one on PATH.

    Released, the hooks are of language `python`: the framework then installs git-assay, for which it needs a network.
    """
    if FRAMEWORK is None:
        pytest.skip("the pre-commit framework is not installed")
    assay(clone.folder, "hooks", "uninstall")
    project = Path(__file__).parents[2]
    published = make_repository({".pre-commit-hooks.yaml": (project / ".pre-commit-hooks.yaml").read_text()}, name="p")
    shutil.copytree(project / "hooks", published / "hooks")
    git(published, "add", "--all")
    git(published, "commit", "--quiet", "--message", "release")
    hooks_yaml = "".join(f"  - {{id: {name}, language: system}}\n" for name in ("assay-verify", "assay-pre-push"))
    revision = git(published, "rev-parse", "HEAD")
    config = f"repos:\n- repo: {published}\n  rev: {revision}\n  hooks:\n  - id: assay-raw-guard\n{hooks_yaml}"
    clone.commit({".pre-commit-config.yaml": config})
    for stage in ("pre-commit", "pre-push"):
        subprocess.run([FRAMEWORK, "install", "--hook-type", stage], cwd=clone.folder, check=True, capture_output=True)
    return clone


def test_the_framework_looks_at_what_is_pushed(framework: Clone) -> None:
    framework.passes()
    framework.commit({"wiki/solvents.md": ALTERED, "wiki/index.md": LINKED})
    done = framework.push()
    assert (done.returncode, "quote_anchor altered" in done.stdout) == (1, True), done
    framework.git(framework.folder, "switch", "--quiet", "--create", "run/by-hand", "origin/main")
    framework.commit({"assay.toml": "[workspace]\n"})
    done = framework.push("push", "origin", "run/by-hand")
    assert (done.returncode, "path_acl" in done.stdout) == (1, True), done
    assert framework.there("run/by-hand") == ""


def test_the_framework_sends_the_records_along(framework: Clone, assay: Command, staged: Command) -> None:
    framework.passes()
    assay(framework.folder, "run", "finish", staged(framework.folder))
    framework.passes()
    assert framework.there("refs/notes/assay/verdicts")


def test_the_framework_guards_sources_and_judges_what_is_staged(framework: Clone) -> None:
    def commit(path: str, text: str) -> str:
        (framework.folder / path).write_text(text)
        framework.git(framework.folder, "add", path)
        done = framework.push("commit", "--quiet", "--message", "x")
        framework.git(framework.folder, "reset", "--quiet", "--hard", "HEAD")
        return f"{done.returncode}{done.stdout}{done.stderr}"

    framework.passes()
    assert "changes sources below a sealed raw folder" in commit("raw/report.md", "Otherwise.\n")
    assert "quote_anchor altered" in commit("wiki/solvents.md", ALTERED)
    assert commit("notes.txt", "x\n").startswith("0")
