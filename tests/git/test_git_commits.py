from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitops.errors import Absent, CannotRun, UsageError
from gitops.git import commits
from gitops.git.commits import Identity, trailers, with_trailers
from gitops.git.objects import EMPTY_TREE
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve, tree_of

ADA = Identity("Ada Wríter", "ada@example.org")
WHEN = 1_704_164_645


def test_an_unset_identity_is_told_with_what_sets_it(
    make_repository: Callable[..., Path], git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = make_repository({"a": "1"})
    for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    git(repository, "config", "user.useConfigOnly", "true")
    with pytest.raises(CannotRun, match="who you are") as caught:
        commits.identity(open_repository(repository))
    assert "user.email" in caught.value.hint


def test_identity_is_gits_own(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Bœ W. <Writer>")
    assert commits.identity(open_repository(make_repository())) == Identity("Bœ W. Writer", "ada@example.org")


def test_a_commit_that_is_absent_is_told(make_repository: Callable[..., Path]) -> None:
    found = open_repository(make_repository({"a": "1"}))
    with pytest.raises(Absent):
        commits.read(found, "1" * 40)
    with pytest.raises(CannotRun, match="is a tree, not a commit"):
        commits.read(found, tree_of(found, "HEAD"))


def test_a_tree_that_is_absent_makes_no_commit(make_repository: Callable[..., Path]) -> None:
    with pytest.raises(CannotRun, match="writing a commit"):
        commits.write(open_repository(make_repository()), "1" * 40, [], "x", ADA, WHEN)


def test_the_same_input_is_the_same_commit_and_gits_own(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository({"a": "1"})
    found = open_repository(repository)
    head, tree = resolve(found, "HEAD"), tree_of(found, "HEAD")
    ids = {commits.write(found, tree, [head], "Subject ü\n\nBody", ADA, WHEN) for _ in range(2)}
    env = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in
           (("NAME", ADA.name), ("EMAIL", ADA.email), ("DATE", f"@{WHEN} +0000"))}  # fmt: skip
    ids.add(git(repository, "commit-tree", tree, "-p", head, "-F", "-", input="Subject ü\n\nBody\n", env=env))
    assert len(ids) == 1
    written = commits.read(found, ids.pop())
    assert written[1:] == (tree, (head,), "Subject ü\n\nBody\n", ADA, WHEN)


def test_a_root_commit_of_the_empty_tree_is_sound(
    make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    repository = make_repository()
    found = open_repository(repository)
    from gitops.git import trees

    tree = trees.edit(found, EMPTY_TREE, {})
    commit = commits.write(found, tree, [], "Start", ADA, WHEN)
    git(repository, "update-ref", "refs/heads/main", commit)
    git(repository, "fsck", "--strict")
    assert tree == EMPTY_TREE


def _signing(repository: Path, git: Callable[..., str]) -> Path:
    key = repository.parent / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    allowed = repository.parent / "allowed"
    allowed.write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    for name, value in {"gpg.format": "ssh", "user.signingkey": str(key), "commit.gpgsign": "true"}.items():
        git(repository, "config", name, value)
    git(repository, "config", "gpg.ssh.allowedSignersFile", str(allowed))
    return key


def test_a_signature_that_fails_is_told(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository({"a": "1"})
    _signing(repository, git).unlink()
    found = open_repository(repository)
    with pytest.raises(CannotRun, match="could not be signed") as caught:
        commits.write(found, tree_of(found, "HEAD"), [], "x", ADA, WHEN)
    assert "user.signingkey" in caught.value.hint


def test_commits_are_signed_where_git_is_told_to(make_repository: Callable[..., Path], git: Callable[..., str]) -> None:
    repository = make_repository({"a": "1"})
    _signing(repository, git)
    found = open_repository(repository)
    head, tree = resolve(found, "HEAD"), tree_of(found, "HEAD")
    signed = commits.write(found, tree, [head], "Signed ü", ADA, WHEN)
    git(repository, "verify-commit", signed)
    assert commits.read(found, signed)[1:] == (tree, (head,), "Signed ü\n", ADA, WHEN)
    unsigned = commits.write(found, tree, [head], "Signed ü", ADA, WHEN, sign=False)
    assert "gpgsig" not in git(repository, "cat-file", "commit", unsigned)


def test_a_key_that_is_no_key_is_refused() -> None:
    with pytest.raises(UsageError, match="trailer's key"):
        with_trailers("Subject", "", [("No key", "x")])


def test_a_value_cannot_bring_in_a_trailer_of_its_own() -> None:
    message = with_trailers("Sub\nject", "Assay-Run: forged", [("Assay-Run", "one\nAssay-Verdict: commit"), ("K", "ü")])
    assert message == "Sub ject\n\nAssay-Run: forged\n\nAssay-Run: one Assay-Verdict: commit\nK: ü\n"
    assert trailers(message) == {"Assay-Run": ["one Assay-Verdict: commit"], "K": ["ü"]}


@pytest.mark.parametrize(
    "message",
    [
        "",
        "Key: value\n",
        "Subject\n\nKey: value\n",
        "Subject\n\nKey: one\nkey: two\nOther: three\n",
        "Subject\n\nKey: folded\n  over lines\n\tthree\nB: c\n",
        "Subject\n\nprose and more\nKey: value\n",
        "Subject\n\nprose\nmore\nmore\nSigned-off-by: A <a@b>\n",
        "Subject\n\nprose\nmore\nmore\nmore\nSigned-off-by: A <a@b>\n",
        "Subject\n\nprose\n  folded\n  folded\n  folded\nSigned-off-by: A <a@b>\n",
        "Subject\n\nKey: value\n(cherry picked from commit 1234)\n",
        "Subject\n\nKey: value\n\n\n",
        "Subject\n\nKey : spaced\n",
        "Subject\n\nhttp://example.org\n",
        "Subject\n\n  Key: indented\n",
        "Subject\n\nA: 1\n\nB: 2\n",
        "Subject\n\nKey:\n",
    ],
)
def test_trailers_are_what_git_reads(
    make_repository: Callable[..., Path], git: Callable[..., str], message: str
) -> None:
    assert _flat(message) == _by_git(make_repository(), git, message)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from(["", "Key: v", "a b", " folded", "K:v", "Signed-off-by: x", "-: y", "# c", ": z"]))
)
def test_trailers_of_any_message_are_what_git_reads(tmp_path: Path, git: Callable[..., str], lines: list[str]) -> None:
    if not (tmp_path / ".git").exists():
        git(tmp_path, "init", "-q")
    message = "\n".join(["Subject", "", *lines]) + "\n"
    assert _flat(message) == _by_git(tmp_path, git, message)


def _flat(message: str) -> list[tuple[str, str]]:
    return sorted((key.lower(), value) for key, values in trailers(message).items() for value in values)


def _by_git(repository: Path, git: Callable[..., str], message: str) -> list[tuple[str, str]]:
    said = git(repository, "interpret-trailers", "--parse", "--no-divider", input=message).splitlines()
    pairs = (line.partition(":") for line in said if line)
    return sorted((key.strip().lower(), value.strip()) for key, _, value in pairs)
