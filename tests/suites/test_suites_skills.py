"""Skills without benchmarks are told of, and hold nothing up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gitops.suites import skills
from tests.suites.suite_folders import POLICY, case, opened, suite, written


def test_skills_without_benchmarks_are_named(make_repository: Callable[..., Path]) -> None:
    measured = written("skills/greet/benchmarks", suite("greet"), case())
    files = {f"skills/{name}/SKILL.md": "# Skill\n" for name in ("greet", "shell", "mail")}
    half = {"skills/mail/benchmarks/README.md": "# To come\n", "skills/notes.md": "x", "skills/none/README.md": "x"}
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY, **files, **measured, **half}))
    assert skills.without_benchmarks(context, workspace, commit) == ["mail", "shell"]
    assert skills.without_benchmarks_in_worktree(context, workspace) == ["mail", "shell"]


def test_the_worktree_may_be_further(make_repository: Callable[..., Path]) -> None:
    repository = make_repository({"plant/assay.toml": POLICY, "plant/skills/shell/SKILL.md": "# Shell\n"})
    for name, text in written("plant/skills/shell/benchmarks", suite(), case()).items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text)
    context, workspace, commit = opened(repository)
    assert skills.without_benchmarks(context, workspace, commit) == ["shell"]
    assert skills.without_benchmarks_in_worktree(context, workspace) == []


def test_where_there_are_no_skills_none_is_without(make_repository: Callable[..., Path]) -> None:
    context, workspace, commit = opened(make_repository({"assay.toml": POLICY}))
    assert skills.without_benchmarks(context, workspace, commit) == []
