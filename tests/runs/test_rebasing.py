from __future__ import annotations

from typing import Literal

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import abandoning, names, rebasing, resuming, staging, store
from gitops.runs.records import Run
from tests.runs.driving import MAIN, Wiki, branch, candidate, kept, name, page

THEIRS, MINE = page(0).replace("# Page 0", "# Page nought"), page(0).replace("# Page 0", "# Page zero")


def _diverged(wiki: Wiki) -> Run:
    """A run whose page landed meanwhile by another run, in other words."""
    run = wiki.run({name(0): MINE, name(2): page(2)})
    assert wiki.finish(wiki.run({name(0): THEIRS, name(1): page(1)})).result == "landed"
    return run


@pytest.mark.slow
def test_a_conflict_changes_nothing_and_is_named(wiki: Wiki) -> None:
    run = _diverged(wiki)
    before = wiki.refs()
    with pytest.raises(CannotRun, match=f"both changed {name(0)}; nothing is changed") as caught:
        rebasing.rebase(wiki.context(), run)
    assert f"git assay run rebase {run.id} --take" in caught.value.hint
    assert wiki.refs() == before


@pytest.mark.parametrize(("take", "stands"), [("run", MINE), ("target", THEIRS)])
@pytest.mark.slow
def test_whose_page_stands_is_said_and_stands_whole(wiki: Wiki, take: Literal["run", "target"], stands: str) -> None:
    run = _diverged(wiki)
    assert f"{take}'s version of conflicting pages" in rebasing.rebase(wiki.context(), run, take)
    assert wiki.show(name(0), branch(run)) == stands.rstrip("\n")
    outcome = wiki.finish(run)
    assert outcome.result == "landed"
    assert [wiki.show(name(each)) for each in range(3)] == [text.rstrip("\n") for text in (stands, page(1), page(2))]
    assert wiki.show("wiki/log.md").count("(run ") == 2


@pytest.mark.parametrize("take", ["run", "target"])
@pytest.mark.slow
def test_a_page_that_one_side_removed_is_there_or_gone(wiki: Wiki, take: Literal["run", "target"]) -> None:
    wiki.finish(wiki.run())
    run = wiki.run({name(0): None, "wiki/index.md": wiki.show("wiki/index.md").replace("- [Page 0](p000.md)\n", "")})
    wiki.finish(wiki.run({name(0): THEIRS}))
    rebasing.rebase(wiki.context(), run, take)
    assert (wiki.ref(f"{branch(run)}:{name(0)}") is None) == (take == "run")


def _amended(wiki: Wiki, run_pages: dict[str, str | None]) -> Run:
    """A run begun on a commit by somebody else, which was amended since: what it dropped must not come back."""
    (wiki.folder / "wiki/dropped.md").write_text("# Dropped\n")
    (wiki.folder / "notes.txt").write_text("a slip\n")
    wiki.git("add", ".")
    wiki.git("commit", "--quiet", "--message", "Slip")
    run = wiki.run(run_pages)
    wiki.git("rm", "--quiet", "wiki/dropped.md")
    (wiki.folder / "notes.txt").write_text("no slip\n")
    wiki.git("commit", "--quiet", "--all", "--amend", "--message", "No slip")
    return run


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_run_whose_target_was_rewritten_is_not_judged(wiki: Wiki, dry_run: bool) -> None:
    run = _amended(wiki, {name(0): page(0)})
    before = wiki.refs()
    with pytest.raises(CannotRun, match=f"main was rewritten since run {run.id} began") as caught:
        wiki.finish(run, dry_run=dry_run)
    assert (caught.value.exit_code, caught.value.hint) == (3, f"git assay run rebase {run.id}")
    assert (wiki.find(run).status, wiki.refs()) == ("pending", before)


def test_a_target_that_is_rewritten_while_a_run_is_judged_leaves_it_pending(wiki: Wiki) -> None:
    run = wiki.run()

    def meanwhile(step: str) -> None:
        if step == "swap":
            wiki.git("commit", "--quiet", "--amend", "--allow-empty", "--message", "Amended")

    with pytest.raises(CannotRun, match="main was rewritten"):
        wiki.finish(run, meanwhile)
    assert (wiki.find(run).status, wiki.ref(candidate(run))) == ("pending", None)


def test_only_the_runs_own_pages_are_brought_to_a_rewritten_target(wiki: Wiki) -> None:
    run = _amended(wiki, {name(0): page(0), name(1): page(1)})
    head = wiki.ref(branch(run))
    rebasing.rebase(wiki.context(), run)
    assert wiki.git("rev-parse", f"run/{run.id}^@") == wiki.ref(MAIN)
    assert wiki.git("diff", "--name-only", "main", f"run/{run.id}").splitlines() == [name(0), name(1)]
    assert wiki.ref(f"{kept(run)}.{str(head)[:10]}") == head, "the commits that it was are held"
    assert wiki.find(run).record.root == run.record.root
    assert "stands on the tip of main already" in rebasing.rebase(wiki.context(), wiki.find(run))
    assert wiki.finish(run).result == "landed"
    assert wiki.show("notes.txt") == "no slip"


def test_what_a_run_may_not_write_stays_behind_when_it_is_made_again(wiki: Wiki) -> None:
    run = _amended(wiki, {name(0): page(0), "assay.toml": "[verify]\nmin_judged = 0\n"})
    rebasing.rebase(wiki.context(), run)
    assert wiki.told == ["assay.toml is left as it is: no run may write it"]
    assert wiki.git("diff", "--name-only", "main", f"run/{run.id}") == name(0)


@pytest.mark.parametrize(("take", "stands"), [("run", MINE), ("target", THEIRS), (None, "")])
@pytest.mark.slow
def test_a_rewritten_target_that_conflicts_is_told_or_decided(
    wiki: Wiki, take: Literal["run", "target"] | None, stands: str
) -> None:
    run = _amended(wiki, {name(0): MINE, name(1): page(1)})
    wiki.finish(wiki.run({name(0): THEIRS}))
    before = wiki.refs()
    if take is None:
        with pytest.raises(CannotRun, match=f"both changed {name(0)}; nothing is changed"):
            rebasing.rebase(wiki.context(), run)
        assert wiki.refs() == before
        return
    rebasing.rebase(wiki.context(), run, take)
    assert wiki.show(name(0), branch(run)) == stands.rstrip("\n")
    assert wiki.ref(f"{branch(run)}:wiki/dropped.md") is None


@pytest.mark.slow
def test_a_run_that_was_brought_up_to_what_was_rewritten_then_is_made_again_too(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0)})
    wiki.finish(wiki.run({name(1): page(1)}))
    rebasing.rebase(wiki.context(), run)
    wiki.git("reset", "--quiet", "--hard", "main~1")
    with pytest.raises(CannotRun, match="main was rewritten"):
        wiki.finish(run)
    rebasing.rebase(wiki.context(), wiki.find(run))
    assert wiki.git("diff", "--name-only", "main", f"run/{run.id}") == name(0)
    assert wiki.finish(run).result == "landed"


def test_only_the_own_pages_of_a_run_that_ended_are_taken_up_on_a_rewritten_target(wiki: Wiki) -> None:
    old = _amended(wiki, {name(0): page(0)})
    abandoning.abandon(wiki.context(), old.id, "")
    run = wiki.run({})
    resuming.take_up(wiki.context(), run, resuming.left_by(wiki.context(), old.id))
    assert wiki.git("diff", "--name-only", "main", f"run/{run.id}") == name(0)
    assert wiki.told == []


def test_a_run_on_the_tip_is_left_as_it_is(wiki: Wiki) -> None:
    run = wiki.run()
    before = wiki.refs()
    assert "stands on the tip of main already" in rebasing.rebase(wiki.context(), run)
    assert wiki.refs() == before


@pytest.mark.slow
def test_without_a_conflict_the_run_is_brought_up_and_its_records_stay(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0)})
    wiki.finish(wiki.run({name(1): page(1)}))
    rebasing.rebase(wiki.context(), run)
    found = wiki.find(run)
    assert (found.record.root, found.status, found.state.base) == (run.record.root, "pending", wiki.ref(MAIN))
    assert wiki.git("merge-base", "--is-ancestor", "main", branch(run)) == ""
    assert wiki.finish(run).result == "landed"


@pytest.mark.slow
def test_a_verdict_does_not_follow_a_run_to_another_head(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0) + "\nNobody cites this sentence at all.\n"})
    wiki.finish(run)
    wiki.finish(wiki.run({name(1): page(1)}))
    rebasing.rebase(wiki.context(), wiki.find(run))
    assert (wiki.find(run).state.verdict, len(wiki.find(run).revised_heads)) == ("", 1)


@pytest.mark.parametrize("ending", ["pending", "committed"])
def test_only_what_was_left_can_be_taken_up(wiki: Wiki, ending: str) -> None:
    run = wiki.run()
    if ending == "committed":
        wiki.finish(run)
    with pytest.raises(UsageError):
        resuming.left_by(wiki.context(), run.id)


@pytest.mark.parametrize("ending", ["rejected", "abandoned"])
@pytest.mark.slow
def test_what_was_left_is_taken_up_and_lands_once_it_is_mended(wiki: Wiki, ending: str) -> None:
    old = wiki.run({name(0): page(0, "the sea never falls back"), name(1): page(1)})
    if ending == "rejected":
        wiki.finish(old)
    else:
        abandoning.abandon(wiki.context(), old.id, "")
    run = wiki.run({})
    resuming.take_up(wiki.context(), run, resuming.left_by(wiki.context(), old.id))
    staging.write(wiki.context(), run, wiki.workspace(), name(0), page(0).encode())
    assert wiki.finish(run).result == "landed"
    assert wiki.show(name(1)) == page(1).rstrip("\n")
    assert wiki.show("wiki/log.md").count("(run ") == 1


def test_an_abandoned_run_is_kept_and_ended(wiki: Wiki) -> None:
    run = wiki.run()
    head = wiki.ref(branch(run))
    ended = abandoning.abandon(wiki.context(), run.id, "changed my mind")
    assert (ended.status, ended.state.reason, ended.state.head) == ("abandoned", "changed my mind", head)
    assert (wiki.ref(kept(run)), wiki.ref(branch(run))) == (head, None)


def test_an_abandoned_run_that_was_judged_keeps_what_was_judged(wiki: Wiki) -> None:
    run = wiki.run()
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(CannotRun):
        wiki.finish(run)
    judged = wiki.ref(candidate(run))
    abandoning.abandon(wiki.context(), run.id, "")
    assert (wiki.ref(kept(run)), wiki.ref(candidate(run))) == (judged, None)


def test_a_run_whose_commits_are_gone_can_still_be_ended(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.git("branch", "-D", f"run/{run.id}")
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "--quiet", "--prune=now")
    assert abandoning.abandon(wiki.context(), run.id, "lost").status == "abandoned"
    assert store.all_runs(wiki.context())[run.id].status == "abandoned"
    assert names.kept(run.id) not in wiki.refs()
