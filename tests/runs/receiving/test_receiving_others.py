"""Runs, other branches, and the refs that the tool keeps for itself, pushed to a real server."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gitops import hooks
from gitops.runs import abandoning, names
from tests.runs.driving import SOURCE, name, page
from tests.runs.receiving.pushes import ALTERED, NOTES, Served

pytestmark = pytest.mark.slow


def _on_a_run(served: Served, run_id: str = "mine-1") -> None:
    served.wiki.git("switch", "--quiet", "--create", f"run/{run_id}", "main")


# Runs


def test_a_run_whose_middle_commit_touches_a_source_is_refused(served: Served) -> None:
    _on_a_run(served)
    served.commit({name(0): page(0)})
    served.commit({"raw/tides.md": SOURCE + "More.\n"})
    served.commit({"raw/tides.md": SOURCE})
    told = served.refuses("run/mine-1")
    assert "raw_sealed" in told
    assert "git assay verify run/mine-1 --base REMOTE/main says there what is said here" in told


@pytest.mark.parametrize(
    "path",
    ["assay.toml", ".github/workflows/x.yml", "gold/queries.yaml", ".assay/allowed_signers", "wiki/.gitattributes"],
)
def test_a_run_that_writes_what_is_peoples_is_refused(served: Served, path: str) -> None:
    _on_a_run(served)
    served.commit({path: "mine\n"})
    assert "path_acl" in served.refuses("run/mine-1")


def test_a_run_that_writes_where_no_workspace_is_is_refused_all_the_same(served: Served) -> None:
    served.commit({"kb/assay.toml": served.wiki.show("assay.toml"), "kb/wiki/index.md": "# Index\n"})
    served.wiki.git("rm", "--quiet", "assay.toml")
    served.commit({})
    served.git("update-ref", "-d", "refs/heads/main")
    served.takes("main")
    _on_a_run(served)
    served.commit({"elsewhere.txt": "mine\n"})
    assert "path_acl outside_wiki" in served.refuses("run/mine-1")


def test_a_base_that_a_record_claims_is_not_believed(served: Served) -> None:
    """Else a run could be recorded to begin behind the commit that must not be seen."""
    run = served.wiki.run()
    served.wiki.git("switch", "--quiet", f"run/{run.id}")
    served.commit({"raw/tides.md": SOURCE + "More.\n"})
    bad = str(served.wiki.ref("HEAD"))
    served.commit({name(1): page(1)})
    from gitops.runs import store

    context = served.wiki.context()
    store.append(context, bad, [run.record.model_copy(update={"base": bad, "root": bad}), *run.states], "forged")
    assert "raw_sealed" in served.refuses(f"run/{run.id}", NOTES)


@pytest.mark.parametrize("called", ["run/UPPER", "run/a", "run/a/b", "run"])
def test_a_branch_that_can_be_no_run_is_refused_under_that_name(served: Served, called: str) -> None:
    served.commit({name(0): page(0)})
    assert "it can be no run" in served.refuses(f"main:refs/heads/{called}")


@pytest.mark.parametrize("ended", ["committed", "rejected", "abandoned"])
def test_a_run_that_has_ended_takes_nothing_more(served: Served, ended: str) -> None:
    run = served.wiki.run(ALTERED if ended == "rejected" else None)
    if ended == "abandoned":
        abandoning.abandon(served.wiki.context(), run.id, "no need")
    else:
        served.wiki.finish(run)
    served.takes(NOTES)
    _on_a_run(served, run.id)
    served.commit({name(2): page(2)})
    assert f"run {run.id} is {ended}" in served.refuses(f"run/{run.id}")


def test_a_run_without_a_past_here_is_refused(served: Served) -> None:
    served.wiki.git("switch", "--quiet", "--orphan", "run/alone")
    served.commit({name(0): page(0)})
    assert "shares no history" in served.refuses("run/alone")


def test_a_run_comes_in_is_rewritten_by_its_writer_and_is_taken_back(served: Served) -> None:
    _on_a_run(served)
    served.commit(ALTERED)
    assert "nothing sealed is touched" in served.takes("run/mine-1")
    served.wiki.git("commit", "--quiet", "--amend", "--message", "otherwise")
    served.takes("--force", "run/mine-1")
    served.takes(":run/mine-1")
    assert served.ref("run/mine-1") is None


# Other branches


def test_a_branch_beside_may_write_pages_and_no_sealed_ones(served: Served) -> None:
    served.wiki.git("switch", "--quiet", "--create", "side")
    served.commit(ALTERED)
    assert "nothing sealed is touched" in served.takes("side")
    served.commit({"raw/tides.md": SOURCE + "More.\n", name(1): page(1)})
    assert "raw_sealed" in served.refuses("side")


def test_tags_plain_branches_and_other_tools_notes_are_nobodys_business(served: Served) -> None:
    served.wiki.git("tag", "v1")
    served.wiki.git("notes", "add", "-m", "hello", "main")
    served.wiki.git("switch", "--quiet", "--orphan", "plain")
    served.wiki.git("rm", "-r", "-f", "--quiet", ".", check=False)
    served.commit({"readme.txt": "hello\n"})
    assert "assay:" not in served.takes("v1", "plain", "refs/notes/commits")
    assert "assay:" not in served.takes(":v1", ":plain")


def test_a_replacement_would_show_something_else_than_was_verified(served: Served) -> None:
    other = served.commit(ALTERED)
    served.wiki.git("replace", f"{other}^", other)
    assert "show something else" in served.refuses("refs/replace/*")


# What the tool keeps for itself


def test_nobody_pushes_a_candidate(served: Served) -> None:
    commit = served.commit({name(0): page(0)})
    assert "the tool alone writes it" in served.refuses(f"{commit}:{names.candidate('mine-1')}")
    assert "the tool alone writes it" in served.refuses(f"{commit}:refs/assay/upstream/main")


def test_what_is_kept_is_of_a_run_that_has_ended_with_these_commits(served: Served) -> None:
    run = served.wiki.run(ALTERED)
    assert served.wiki.finish(run).result == "rejected"
    kept = names.kept(run.id)
    assert "no record here says that" in served.refuses(kept)
    assert "no run is" in served.refuses(f"{kept}:{names.KEPT}NO-ID")
    served.takes(NOTES)
    assert "never had the commit" in served.refuses(f"main:{kept}")
    served.takes(kept)
    assert "stays as it is" in served.refuses("--force", f"main:{kept}")
    assert "stays as it is" in served.refuses(f":{kept}")


def test_sync_brings_notes_and_what_is_kept(served: Served) -> None:
    served.landed()
    run = served.wiki.run(ALTERED)
    assert served.wiki.finish(run).result == "rejected"
    done = served.wiki.assay("sync")
    assert done.returncode == 0, done.stderr
    assert served.ref(names.kept(run.id)) == served.wiki.ref(names.kept(run.id))
    assert served.ref(names.VERDICTS) == served.wiki.ref(names.VERDICTS)
    assert "does not take" not in done.stderr


# The hook itself


def test_without_git_assay_nothing_is_taken(served: Served) -> None:
    served.git("config", "assay.command", "/nowhere/git-assay")
    served.commit({name(0): page(0)})
    done = served.push("main", env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 1
    assert "not to be found here" in done.stderr
    assert "git config assay.command" in done.stderr


def test_the_hook_that_was_there_has_its_say_after_ours(served: Served) -> None:
    before = served.folder / "hooks" / f"{hooks.RECEIVE}.before-assay"
    before.write_text('#!/bin/sh\nwhile read -r old new ref; do echo "saw $ref" >&2; done\nexit 1\n')
    before.chmod(0o755)
    served.commit({name(0): page(0)})
    done = served.push("main")
    assert done.returncode == 1
    assert done.stderr.index("main: commit:") < done.stderr.index("saw refs/heads/main")
    served.wiki.git("reset", "--quiet", "--hard", "HEAD^")
    served.commit(ALTERED)
    assert "saw" not in served.refuses("main")


def test_a_shallow_push_is_judged_by_what_is_here_or_refused(served: Served, tmp_path: Path) -> None:
    served.git("config", "receive.shallowUpdate", "true")
    served.commit({"notes.txt": "more"})
    served.takes("main")
    served.wiki.git("fetch", "--quiet", "--depth=1", "origin", "main")
    shallow = tmp_path / "shallow"
    cloned = ["git", "clone", "--quiet", "--depth=1", f"file://{served.folder}", str(shallow)]
    subprocess.run(cloned, check=True, capture_output=True)
    (shallow / name(0)).write_text(ALTERED[name(0)])
    for words in (["add", "--all"], ["commit", "--quiet", "-m", "x"]):
        subprocess.run(["git", "-C", shallow, *words], check=True, capture_output=True)
    done = subprocess.run(["git", "-C", shallow, "push", "origin", "main"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "quote_anchor altered" in done.stderr


def test_the_hook_is_told_nonsense(served: Served) -> None:
    for text, said in (
        ("", "there is no ref line"),
        ("a b\n", "this is no ref line"),
        ("a  b\n", "this is no ref line"),
    ):
        done = served.wiki.assay("hooks", "pre-receive", input=text)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
