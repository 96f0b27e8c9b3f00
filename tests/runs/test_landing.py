from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, Refused
from gitops.runs import landing, names, resuming, staging, store
from gitops.runs.candidate import Conflict, NothingToLand
from tests.runs.driving import MAIN, Wiki, branch, candidate, kept, name, page

WARNED = {name(0): page(0) + "\nA sentence that nobody cites, said with a straight face.\n"}
FORGED = {name(0): page(0, "the sea falls back thrice a day")}


def test_a_forged_quotation_is_rejected_and_kept(wiki: Wiki) -> None:
    before = wiki.ref(MAIN)
    run = wiki.run(FORGED)
    outcome = wiki.finish(run)
    assert (outcome.result, wiki.ref(MAIN)) == ("rejected", before)
    assert outcome.verdict is not None
    assert [finding.check for finding in outcome.verdict.findings if finding.level == "error"] == ["quote_anchor"]
    assert wiki.ref(kept(run)) == outcome.commit
    assert wiki.ref(branch(run)) is wiki.ref(candidate(run)) is None
    assert wiki.git("merge-base", "--is-ancestor", outcome.run.state.head, kept(run)) == ""


def test_a_rejected_run_is_not_finished_again(wiki: Wiki) -> None:
    run = wiki.run(FORGED)
    wiki.finish(run)
    with pytest.raises(Refused, match="rejected already") as caught:
        wiki.finish(run)
    assert f"--from {run.id}" in caught.value.hint


def test_a_run_that_changes_nothing_is_told(wiki: Wiki) -> None:
    run = wiki.run({})
    with pytest.raises(NothingToLand, match="changes nothing"):
        wiki.finish(run)
    assert wiki.find(run).status == "pending"


@pytest.mark.slow
def test_conflicts_are_told_before_anything_is_spent(wiki: Wiki) -> None:
    one, other = wiki.run({name(0): page(0)}), wiki.run({name(0): page(9)})
    wiki.finish(one)
    steps: list[str] = []
    with pytest.raises(Conflict, match=name(0)) as caught:
        wiki.finish(other, steps.append)
    assert (steps, caught.value.exit_code) == ([], 3)
    assert f"run rebase {other.id}" in caught.value.hint
    assert wiki.ref(candidate(other)) is None
    assert wiki.find(other).status == "pending"


@pytest.mark.parametrize(
    ("path", "content", "check"),
    [
        ("raw/tides.md", "nothing of the kind\n", "raw_sealed"),
        ("raw/new.md", "made up\n", "raw_sealed"),
        ("assay.toml", "[verify]\nmin_judged = 0\n", "path_acl"),
        ("gold/queries.yaml", "[]\n", "path_acl"),
        (".gitattributes", "* merge=ours\n", "path_acl"),
        ("wiki/log.md", "# Log\n\n\n", "path_acl"),
        ("wiki/log.md", "# Log\n\n- 2024-01-02 ingest: nothing to see\n", "path_acl"),
    ],
)
@pytest.mark.parametrize("no_verify", [False, True])
@pytest.mark.slow
def test_what_a_run_may_not_write_is_refused_verified_or_not(
    wiki: Wiki, path: str, content: str, check: str, no_verify: bool
) -> None:
    run = wiki.run({name(0): page(0), path: content})
    outcome = wiki.finish(run, no_verify=no_verify)
    assert outcome.result == "rejected"
    assert outcome.verdict is not None
    assert check in {finding.check for finding in outcome.verdict.findings if finding.level == "error"}


@pytest.mark.slow
def test_a_forbidden_write_that_is_taken_back_is_seen_all_the_same(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0), "raw/tides.md": "x\n"})
    staging.write(wiki.context(), run, wiki.workspace(), "raw/tides.md", wiki.show("raw/tides.md").encode() + b"\n")
    assert wiki.finish(run).result == "rejected"


def test_a_log_that_is_made_a_folder_is_refused(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0), "wiki/log.md": None})
    staging.write(wiki.context(), run, wiki.workspace(), "wiki/log.md/x.md", b"# x\n")
    assert wiki.finish(run).result == "rejected"


@pytest.mark.slow
def test_votes_that_the_policy_wants_and_nobody_gives_are_no_verdict(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[verify]\njudge = "none"\nmin_judged = 0.5\n')
    run = wiki.run()
    with pytest.raises(CannotRun, match="0 of 1 claims have a vote") as caught:
        wiki.finish(run)
    assert caught.value.exit_code == 3
    assert wiki.ref("refs/notes/assay/verdicts") is None
    assert wiki.finish(run, no_verify=True).result == "landed"


@pytest.mark.slow
def test_a_warning_sends_back_and_a_mended_run_lands(wiki: Wiki) -> None:
    run = wiki.run(WARNED)
    assert wiki.finish(run).result == "revise"
    found = wiki.find(run)
    assert (found.status, found.state.verdict, found.state.loop_count) == ("pending", "revise", 1)
    assert wiki.ref(candidate(run)) is None
    staging.write(wiki.context(), run, wiki.workspace(), name(0), page(0).encode())
    outcome = wiki.finish(run)
    assert outcome.result == "landed"
    assert outcome.run.state.loop_count == 1


def _sent_back(wiki: Wiki, times: int, **request: Any) -> list[str]:
    run = wiki.run(WARNED, **request)
    results: list[str] = []
    for loop in range(times):
        content = WARNED[name(0)] + "\n" * loop
        staging.write(wiki.context(), run, wiki.workspace(), name(0), content.encode())
        wiki.later(minutes=1)
        results.append(wiki.finish(run).result)
    return results


@pytest.mark.slow
def test_an_agent_is_sent_back_three_times_and_then_rejected(wiki: Wiki) -> None:
    assert _sent_back(wiki, 4, triggered_by="mcp:ingest") == ["revise", "revise", "revise", "rejected"]


def test_a_person_may_take_their_time(wiki: Wiki) -> None:
    assert _sent_back(wiki, 5) == ["revise"] * 5


@pytest.mark.slow
def test_loops_are_counted_per_head_not_per_try(wiki: Wiki) -> None:
    run = wiki.run(WARNED, triggered_by="daemon:nightly")
    for _ in range(5):
        wiki.later(minutes=1)
        assert wiki.finish(run).result == "revise"
    assert wiki.find(run).state.loop_count == 1


def test_a_head_that_was_never_judged_is_no_loop(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki("[verify]\nmax_loops = 1\n")
    run = wiki.run(WARNED, triggered_by="mcp:ingest")
    assert wiki.finish(run).result == "revise"
    staging.write(wiki.context(), run, wiki.workspace(), name(0), page(0).encode())
    wiki.finish(run, draft_only=True)
    assert wiki.find(run).revised_heads == {wiki.find(run).states[-2].head}


@pytest.mark.slow
def test_a_dry_run_leaves_no_trace(wiki: Wiki) -> None:
    run = wiki.run()
    before = wiki.refs()
    outcome = wiki.finish(run, dry_run=True)
    assert outcome.result == "would_land"
    assert wiki.refs() == before
    assert wiki.git("status", "--porcelain") == ""
    assert wiki.find(run).status == "pending"


def test_a_dry_run_of_a_pushed_branch_does_not_adopt_it(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.git("branch", "run/from-a-stranger", branch(run))
    before = wiki.refs()
    assert wiki.finish("from-a-stranger", dry_run=True).result == "would_land"
    assert wiki.refs() == before


@pytest.mark.parametrize(("pages", "result"), [(FORGED, "rejected"), (WARNED, "revise")])
def test_a_dry_run_says_no_as_the_real_one_would(wiki: Wiki, pages: dict[str, str], result: str) -> None:
    run = wiki.run(pages)
    before = wiki.refs()
    assert wiki.finish(run, dry_run=True).result == result
    assert wiki.refs() == before


def test_a_dry_run_counts_what_the_writer_says_it_used(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki("[llm.budgets.cascade]\nusd = 1.0\n")
    run = wiki.run()
    assert wiki.finish(run, dry_run=True, used={"usd": 1.5}).result == "rejected"
    assert wiki.finish(run, used={"usd": 0.5}).result == "landed"


@pytest.mark.parametrize(
    "pages", [FORGED, {"wiki/index.md": "# Index\n\nNothing is cited here, and nothing is said.\n"}]
)
def test_what_lands_unverified_is_recorded_as_such(wiki: Wiki, pages: dict[str, str]) -> None:
    outcome = wiki.finish(wiki.run(pages), no_verify=True)
    assert outcome.result == "landed"
    assert outcome.run.state.unverified
    assert outcome.verdict is not None
    assert (outcome.verdict.verifier, outcome.verdict.verdict) == ("none", "commit")
    assert wiki.show(next(iter(pages))) == next(iter(pages.values())).rstrip("\n")


def test_a_draft_stays_pending_and_lands_when_it_is_finished(wiki: Wiki) -> None:
    run = wiki.run()
    assert wiki.finish(run, draft_only=True).result == "draft"
    assert wiki.find(run).state.draft_only
    assert wiki.ref("refs/notes/assay/verdicts") is None
    outcome = wiki.finish(run)
    assert (outcome.result, outcome.run.state.draft_only) == ("landed", False)


def test_edits_in_the_way_hold_a_verified_run_back_until_they_are_gone(wiki: Wiki) -> None:
    run = wiki.run({"wiki/index.md": wiki.show("wiki/index.md") + "- [Log](log.md)\n"})
    (wiki.folder / "wiki/index.md").write_text("mine, unsaved\n")
    before = wiki.ref(MAIN)
    with pytest.raises(landing.NotLanded, match="verified, not landed") as caught:
        wiki.finish(run)
    waiting = wiki.find(run)
    assert (caught.value.exit_code, wiki.ref(MAIN)) == (3, before)
    assert (waiting.status, waiting.state.verdict) == ("pending", "commit")
    assert wiki.ref(candidate(run)) == waiting.state.candidate == caught.value.outcome.commit
    assert (wiki.folder / "wiki/index.md").read_text() == "mine, unsaved\n"
    wiki.git("checkout", "--", "wiki/index.md")
    wiki.later(hours=1)
    outcome = wiki.finish(run)
    assert (outcome.result, outcome.commit) == ("landed", waiting.state.candidate)
    assert len(store.all_verdicts(wiki.context())) == 1
    assert wiki.git("status", "--porcelain") == ""


def test_unrelated_edits_and_staged_files_stay_as_they_are(wiki: Wiki) -> None:
    (wiki.folder / "notes.txt").write_text("mine, unsaved\n")
    (wiki.folder / "staged.txt").write_text("staged\n")
    wiki.git("add", "staged.txt")
    assert wiki.finish(wiki.run()).result == "landed"
    assert wiki.git("status", "--porcelain").splitlines() == [" M notes.txt", "A  staged.txt"]


def test_a_linked_worktree_that_has_the_target_follows(wiki: Wiki, tmp_path: Path) -> None:
    wiki.git("switch", "--quiet", "--create", "elsewhere")
    linked = tmp_path / "linked"
    wiki.git("worktree", "add", "--quiet", str(linked), "main")
    run = wiki.run()
    assert wiki.finish(run).result == "landed"
    assert (linked / name(0)).read_text() == page(0)
    assert not (wiki.folder / name(0)).exists()
    assert Wiki(linked).git("status", "--porcelain") == ""


def test_a_dirty_linked_worktree_holds_the_landing_back(wiki: Wiki, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    wiki.git("switch", "--quiet", "--create", "elsewhere")
    wiki.git("worktree", "add", "--quiet", str(linked), "main")
    (linked / "wiki/log.md").write_text("mine\n")
    with pytest.raises(landing.NotLanded, match="linked has main checked out"):
        wiki.finish(wiki.run())


@pytest.mark.slow
def test_a_target_that_moves_while_it_is_judged_is_merged_and_judged_again(wiki: Wiki) -> None:
    run, other = wiki.run(), wiki.run({name(1): page(1)})
    moved: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "publish" and not moved:
            moved.append(wiki.finish(other).commit)

    outcome = wiki.finish(run, meanwhile)
    assert outcome.result == "landed"
    assert wiki.git("rev-parse", "main^1") == moved[0]
    assert [state.base for state in outcome.run.states if state.status == "verifying"][1:] == moved
    assert {v.candidate for v in store.all_verdicts(wiki.context())} >= {outcome.commit, moved[0]}
    assert len(wiki.show("wiki/log.md").splitlines()) == 4
    assert wiki.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_a_run_that_loses_again_and_again_gets_its_turn(wiki: Wiki) -> None:
    run = wiki.run()
    lost = 0

    def meanwhile(step: str) -> None:
        nonlocal lost
        if step == "swap" and lost < 5:
            lost += 1
            wiki.git("commit", "--quiet", "--allow-empty", "--message", f"meanwhile {lost}")

    assert wiki.finish(run, meanwhile).result == "landed"
    assert lost == 5


def test_another_verdict_on_the_same_candidate_counts_and_reject_wins(wiki: Wiki) -> None:
    run = wiki.run()

    def judged_elsewhere(step: str) -> None:
        if step == "verdict":
            commit = wiki.ref(candidate(run))
            assert commit is not None
            store.append_verdict(wiki.context(), _no(wiki, commit))

    outcome = wiki.finish(run, judged_elsewhere)
    assert outcome.result == "rejected"
    assert outcome.run.state.reason == "another machine says no"


def _no(wiki: Wiki, commit: str) -> Any:
    from gitops.verify.verdict import Verdict

    return Verdict(
        summary="no",
        workspace="tides",
        base=str(wiki.ref(MAIN)),
        head=commit,
        candidate=commit,
        tree=wiki.git("rev-parse", f"{commit}^{{tree}}"),
        policy="",
        verifier="another",
        verdict="reject",
        reasoning="another machine says no",
        created_at="2024-01-02T03:04:05Z",
    ).named()


def test_what_was_verified_is_exactly_what_lands(wiki: Wiki) -> None:
    run = wiki.run()
    outcome = wiki.finish(run)
    assert outcome.verdict is not None
    assert wiki.ref(MAIN) == outcome.commit == outcome.verdict.candidate
    assert wiki.git("rev-parse", "main^{tree}") == outcome.verdict.tree
    assert wiki.ref(branch(run)) is wiki.ref(candidate(run)) is None
    assert wiki.git("status", "--porcelain") == ""
    assert wiki.git("fsck", "--no-dangling") == ""


def test_a_run_that_has_landed_is_told_as_landed_again(wiki: Wiki) -> None:
    first = wiki.finish(wiki.run())
    again = wiki.finish(first.run)
    assert (again.result, again.commit, again.verdict) == ("landed", first.commit, first.verdict)
    assert len(again.run.states) == len(first.run.states)


@pytest.mark.slow
def test_what_was_written_after_the_landing_is_not_told_as_landed(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    place = tmp_path / "there"
    wiki.git("worktree", "add", "--quiet", str(place), f"run/{run.id}")
    assert wiki.finish(run).result == "landed"
    (place / name(1)).write_text(page(1))
    there = Wiki(place)
    there.git("add", ".")
    there.git("commit", "--quiet", "--message", "More")
    with pytest.raises(Refused, match=f"run {run.id} is committed already") as caught:
        wiki.finish(run)
    assert caught.value.hint.startswith(f"git branch -m run/{run.id} run/NEW-ID")
    wiki.git("branch", "-m", f"run/{run.id}", "run/what-came-later")
    assert wiki.finish("what-came-later").result == "landed"
    assert wiki.show(name(1)) == page(1).rstrip("\n")


@pytest.mark.parametrize("meanwhile", ["nothing", "another commit"])
@pytest.mark.slow
def test_a_landing_that_the_target_lost_is_told_and_can_be_had_again(wiki: Wiki, meanwhile: str) -> None:
    first = wiki.finish(wiki.run())
    wiki.git("reset", "--quiet", "--hard", "main~1")
    if meanwhile == "another commit":
        wiki.git("commit", "--quiet", "--allow-empty", "--message", "Meanwhile")
    with pytest.raises(CannotRun, match="is not in the history of main any more") as caught:
        wiki.finish(first.run)
    assert f"git assay run start --from {first.run.id}" in caught.value.hint
    assert (f"git merge --ff-only {first.commit[:10]}" in caught.value.hint) == (meanwhile == "nothing")
    if meanwhile == "nothing":
        wiki.git("merge", "--quiet", "--ff-only", first.commit)
        assert wiki.finish(first.run).commit == first.commit
        return
    run = wiki.run({})
    resuming.take_up(wiki.context(), run, resuming.left_by(wiki.context(), first.run.id))
    assert wiki.finish(run).result == "landed"
    assert wiki.show(name(0)) == page(0).rstrip("\n")


def test_a_landing_whose_target_is_gone_is_told(wiki: Wiki) -> None:
    first = wiki.finish(wiki.run())
    wiki.git("checkout", "--quiet", "-B", "elsewhere")
    wiki.git("branch", "--quiet", "-D", "main")
    with pytest.raises(CannotRun, match="but main is gone") as caught:
        wiki.finish(first.run)
    assert caught.value.hint == f"git branch main {first.commit}"


@pytest.mark.slow
def test_the_beginning_of_an_id_is_enough_and_locks_the_same_run(wiki: Wiki) -> None:
    run = wiki.run(run_id="the-only-one")

    def meanwhile(step: str) -> None:
        if step == "verify":
            with pytest.raises(CannotRun, match="by another process"):
                wiki.finish("the-only-one")

    assert wiki.finish("the-on", meanwhile).result == "landed"
    assert wiki.find(run).status == "committed"


def test_a_landing_that_is_not_pushed_says_so(wiki: Wiki, make_repository: Callable[..., Path]) -> None:
    bare = make_repository(bare=True, name="server")
    wiki.git("remote", "add", "origin", str(bare))
    wiki.git("push", "--quiet", "--set-upstream", "origin", "main")
    wiki.finish(wiki.run())
    assert wiki.told == ["main follows origin, which does not have this yet: git push origin main"]


def test_names_of_refs_are_not_guessed_from_the_beginning_of_an_id(wiki: Wiki) -> None:
    wiki.run(run_id="abc-longer")
    wiki.git("branch", "run/abc", branch(wiki.run(run_id="abc-other")))
    outcome = wiki.finish("abc")
    assert (outcome.run.id, outcome.run.record.adopted) == ("abc", True)
    assert wiki.find("abc-longer").status == "pending"
    assert wiki.ref(names.branch("abc")) is None
