from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs import linting, onboarding, surveying
from gitops.runs.context import Context
from gitops.runs.workspace import find
from gitops.verify import debt

MAIN = "refs/heads/main"
FILES = {
    "raw/report.md": "# Report\n\nSolvent use declined by two fifths in 2019.\n",
    "wiki/index.md": "# Index\n\n- [a](a.md)\n- [gone](gone.md)\n",
    "wiki/a.md": "# A\n\nSolvent use fell.[^1] See [[nowhere]].\n\n[^1]: [raw/report.md](../raw/report.md), line 3\n",
    "wiki/log.md": "# Log\n\n## [2026-01-01] ingest | report\n",
}
Make = Callable[..., Path]


def adopted(folder: Path, renew: bool = False) -> tuple[Context, str, list[onboarding.Adopted]]:
    context = Context(open_repository(folder))
    tip = snapshot.resolve(context.repository, "HEAD")
    plans = [onboarding.plan(context, tip, each, renew=renew) for each in surveying.look(context, tip)]
    files = {path: data for each in plans for path, data in each.files.items()}
    return context, onboarding.commit(context, MAIN, tip, files, "Adopt it"), plans


def commit_all(folder: Path, message: str = "change") -> None:
    for words in (("add", "-A"), ("commit", "-q", "--no-verify", "-m", message)):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


def test_nothing_but_other_files_is_no_wiki(make_repository: Make) -> None:
    with pytest.raises(CannotRun, match="no Markdown file"):
        adopted(make_repository({"raw/a.pdf": "x"}))


def test_the_branch_that_moved_meanwhile_is_left_alone(make_repository: Make) -> None:
    folder = make_repository(FILES)
    context = Context(open_repository(folder))
    tip = snapshot.resolve(context.repository, "HEAD")
    (folder / "other.txt").write_text("x")
    commit_all(folder)
    with pytest.raises(CannotRun):
        onboarding.commit(context, MAIN, tip, {"assay.toml": b""}, "Adopt it")
    assert not (folder / "assay.toml").exists()


def test_a_file_that_is_not_committed_is_never_overwritten(make_repository: Make) -> None:
    folder = make_repository(FILES)
    (folder / "assay.toml").write_text("# mine\n")
    with pytest.raises(CannotRun):
        adopted(folder)
    assert (folder / "assay.toml").read_text() == "# mine\n"


def test_policy_and_debt_are_committed_and_nothing_gates_that_stood_there(make_repository: Make) -> None:
    folder = make_repository(FILES)
    (folder / "wiki/a.md").write_text("edited, not staged\n")
    context, made, (plan,) = adopted(folder)
    workspace = find(context.repository, made)
    assert workspace.config.citations.dialects == ("canonical", "footnote_link", "remark")
    assert workspace.layout.log == "wiki/assay-log.md"
    kept = debt.read((folder / "assay.debt.jsonl").read_bytes()).entries
    assert {(one.path, one.check, one.result) for one in kept.values()} >= {("wiki/index.md", "links", "broken")}
    assert kept.keys() == debt.of(plan.findings).keys()
    assert (folder / "wiki/a.md").read_text() == "edited, not staged\n"
    assert plan.surveyed.draft.survey.links["markdown"] == 3


def test_adopted_twice_nothing_is_written(make_repository: Make) -> None:
    folder = make_repository(FILES)
    adopted(folder)
    _, made, (plan,) = adopted(folder)
    assert (made, plan.files) == ("", {})


def test_debt_is_renewed_only_when_asked(make_repository: Make) -> None:
    folder = make_repository(FILES)
    adopted(folder)
    (folder / "wiki/a.md").write_text("# A\n\n[new](new.md)\n")
    commit_all(folder)
    assert adopted(folder)[2][0].files == {}
    _, made, (plan,) = adopted(folder, renew=True)
    assert made
    assert list(plan.files) == ["assay.debt.jsonl"]


def test_what_is_mended_is_pruned_and_what_is_new_is_not_added(make_repository: Make) -> None:
    folder = make_repository(FILES)
    context, _, _ = adopted(folder)
    before = debt.read((folder / "assay.debt.jsonl").read_bytes()).entries
    (folder / "wiki/index.md").write_text("# Index\n\n- [a](a.md)\n- [other](other.md)\n")
    commit_all(folder)
    tip = snapshot.resolve(context.repository, "HEAD")
    workspace, tree = find(context.repository, tip), context.tree(tip)
    files = onboarding.pruned(tree, workspace, linting.findings(context, workspace, tree, tip))
    left = debt.read(files["assay.debt.jsonl"]).entries
    assert left.keys() < before.keys()
    assert not [one for one in left.values() if one.path == "wiki/index.md"]


def test_without_a_debt_there_is_nothing_to_prune(make_repository: Make) -> None:
    folder = make_repository({**FILES, "assay.toml": '[workspace]\nname = "w"\n'})
    context = Context(open_repository(folder))
    tip = snapshot.resolve(context.repository, "HEAD")
    with pytest.raises(UsageError, match="no debt"):
        onboarding.pruned(context.tree(tip), find(context.repository, tip), [])


def test_several_wikis_of_one_repository_are_adopted_together(make_repository: Make) -> None:
    folder = make_repository({f"wikis/{name}/{path}": text for name in "ab" for path, text in FILES.items()})
    _, made, plans = adopted(folder)
    assert made
    assert [plan.surveyed.workspace.layout.root for plan in plans] == ["wikis/a", "wikis/b"]
    assert all(
        (folder / f"wikis/{name}/{file}").exists() for name in "ab" for file in ("assay.toml", "assay.debt.jsonl")
    )


def test_folders_may_be_given(make_repository: Make) -> None:
    folder = make_repository({"notes/home.md": "# Home\n", "notes/a.md": "# A\n", "papers/p.md": "words\n"})
    context = Context(open_repository(folder))
    tree = context.tree(snapshot.resolve(context.repository, "HEAD"))
    found = surveying.given_folders(tree, "", "notes", "papers/")
    assert (found.wiki, found.raw, found.index, found.has_raw) == ("notes", "papers", "home.md", True)
    with pytest.raises(UsageError, match="no folder nope"):
        surveying.given_folders(tree, "", "nope", "raw")
