"""What is not about kills: stale runs, commits made elsewhere, candidates without a run, other clones' runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import notes
from gitops.runs import health, names, revisions, standing, store, sweep
from gitops.runs.records import Run
from tests.runs.driving import MAIN, Wiki, branch, candidate, kept, name, page


def _full(wiki: Wiki) -> list[str]:
    context = wiki.context()
    return sweep.full(context, store.all_runs(context).values())


def _waiting(wiki: Wiki, run: Run) -> str:
    """Verify a run that cannot land for now; its candidate."""
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(CannotRun, match="verified, not landed"):
        wiki.finish(run)
    wiki.git("checkout", "--", "wiki/log.md")
    return str(wiki.ref(candidate(run)))


def test_stale_is_off_unless_the_policy_says_when(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.later(weeks=500)
    assert _full(wiki) == []
    assert wiki.find(run).status == "pending"


@pytest.mark.parametrize(("after", "passed"), [("12h", {"hours": 13}), ("2d", {"hours": 49}), ("1w", {"days": 8})])
def test_a_stale_run_is_abandoned_and_kept(
    make_wiki: Callable[..., Wiki], after: str, passed: dict[str, float]
) -> None:
    wiki = make_wiki(f'[runs]\nstale_after = "{after}"\n')
    run = wiki.run()
    head = wiki.ref(branch(run))
    wiki.later(**{unit: amount - 1.5 for unit, amount in passed.items()})
    assert _full(wiki) == []
    wiki.later(**passed)
    assert _full(wiki) == [f"run {run.id} was stale and is abandoned; its head is kept"]
    assert (wiki.find(run).status, wiki.ref(kept(run)), wiki.ref(branch(run))) == ("abandoned", head, None)


def test_runs_of_which_only_the_records_are_here_are_left_to_their_clone(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    _waiting(wiki, run)
    wiki.git("clone", "--quiet", str(wiki.folder), str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    clone.git("fetch", "--quiet", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    before = clone.refs()
    assert _full(clone) == []
    assert [each.id for each in standing.standing(clone.context()).open] == [run.id]
    assert [s.what for s in health.examine(clone.context(), mend=False) if "git config" not in s.what] == [
        "the index does not say what the notes say"
    ]
    assert clone.refs() == before


def test_a_candidate_without_a_run_is_kept_off_the_list(wiki: Wiki) -> None:
    wiki.git("update-ref", names.candidate("nobodys"), "main")
    assert sweep.quick(wiki.context()) == ["candidate nobodys has no run; it is kept as refs/assay/kept/nobodys"]
    assert wiki.ref(names.kept("nobodys")) == wiki.ref(MAIN)
    assert wiki.ref(names.candidate("nobodys")) is None


def test_a_candidate_whose_name_is_no_id_stops_nothing_and_doctor_names_it(wiki: Wiki) -> None:
    wiki.git("update-ref", names.CANDIDATES + "Not_An_Id", "main")
    assert sweep.quick(wiki.context()) == _full(wiki) == []
    told = [s.what for s in health.examine(wiki.context(), mend=False)]
    assert any("Not_An_Id is no run's" in what for what in told)


@pytest.mark.parametrize("style", ["merge", "squash"])
def test_a_squash_button_that_made_the_verified_tree_landed_the_run(
    make_wiki: Callable[..., Wiki], tmp_path: Path, style: str
) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    run = wiki.run()
    verified = _waiting(wiki, run)
    wiki.git("merge", "--quiet", "--squash", verified)
    wiki.git("commit", "--quiet", "--message", "Squashed by a button")
    wiki.git("commit", "--quiet", "--allow-empty", "--message", "And something after it")
    base, made = wiki.git("rev-parse", "main~2", "main~1").splitlines()
    assert made != verified
    assert _full(wiki) == [f"run {run.id} had landed as {made[:10]}, a commit made elsewhere that its verdict covers"]
    found = wiki.find(run)
    assert (found.status, found.state.candidate) == ("committed", made)
    assert found.landed is not None
    assert found.landed.commit == made
    assert found.landed.line() in notes.read(wiki.context().repository, names.RUNS, made)
    assert wiki.ref(kept(run)) == found.state.head, "the run's own commits are held, since the button dropped them"
    assert wiki.ref(branch(run)) is wiki.ref(candidate(run)) is None
    assert wiki.told == []
    assert wiki.index() == wiki.rebuilt_index(tmp_path)
    verdict = revisions.judge_revision(wiki.context(), wiki.workspace(base), base, made, made)
    assert verdict.verdict == "commit", "the log's line is known from the record on the commit"


@pytest.mark.parametrize("change", ["another tree", "another parent"])
def test_a_button_that_made_anything_else_landed_nothing(wiki: Wiki, change: str) -> None:
    run = wiki.run()
    verified = _waiting(wiki, run)
    if change == "another parent":
        wiki.git("commit", "--quiet", "--allow-empty", "--message", "In between")
    wiki.git("merge", "--quiet", "--squash", verified)
    if change == "another tree":
        (wiki.folder / "notes.txt").write_text("and a word of mine\n")
        wiki.git("add", ".")
    wiki.git("commit", "--quiet", "--message", "Squashed by a button")
    assert _full(wiki) == []
    assert wiki.find(run).status == "pending"


def test_a_candidate_that_somebody_merged_by_hand_landed_the_run(wiki: Wiki) -> None:
    run = wiki.run()
    verified = _waiting(wiki, run)
    wiki.git("merge", "--quiet", "--ff-only", verified)
    assert sweep.quick(wiki.context()) == [f"run {run.id} had landed as {verified[:10]}; its record now says so"]
    assert wiki.find(run).status == "committed"


@pytest.mark.parametrize("forgery", ["for another run", "another tree", "none"])
def test_a_candidate_in_the_history_without_its_verdict_is_no_landing(wiki: Wiki, forgery: str) -> None:
    run = wiki.run({name(0): page(0, "the sea never falls back")})
    rejected = wiki.finish(run)
    if forgery != "none":
        assert rejected.verdict is not None
        other = {"run_id": "another"} if forgery == "for another run" else {"tree": "e" * 40}
        yes = {"verdict": "commit", "supersedes": (rejected.verdict.id,), **other}
        store.append_verdict(wiki.context(), rejected.verdict.model_copy(update=yes).named())
    wiki.git("merge", "--quiet", "--ff-only", rejected.commit)
    wiki.git("update-ref", candidate(run), rejected.commit)
    sweep.quick(wiki.context())
    assert wiki.find(run).status == "rejected"


def test_a_branch_that_a_killed_ending_left_is_taken_down(wiki: Wiki) -> None:
    run = wiki.run()
    head = str(wiki.ref(branch(run)))
    wiki.finish(run)
    wiki.git("update-ref", branch(run), head)
    assert _full(wiki) == [f"run {run.id} is committed; what it left is taken down"]
    assert wiki.ref(branch(run)) is None


def test_a_branch_that_went_on_after_its_run_ended_stays(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    wiki.git("update-ref", branch(run), "main")
    assert _full(wiki) == []
    assert wiki.ref(branch(run)) == wiki.ref(MAIN)


@pytest.mark.slow
def test_a_landing_that_the_target_lost_is_named(wiki: Wiki) -> None:
    stays, lost = wiki.finish(wiki.run()), wiki.finish(wiki.run({name(1): page(1)}))
    wiki.git("reset", "--quiet", "--hard", stays.commit)
    found = standing.standing(wiki.context())
    assert [run.id for run in found.undone] == [lost.run.id]
    assert [each["run_id"] for each in found.as_json()["undone"]] == [lost.run.id]
    told = f"run {lost.run.id} landed as {lost.commit[:10]}, which is not in the history of main"
    assert wiki.told == [f"{told}: git assay run finish {lost.run.id} says what mends it"]


@pytest.mark.slow
def test_what_stands_is_counted_and_what_needs_eyes_is_named(wiki: Wiki) -> None:
    landed = wiki.finish(wiki.run())
    unverified = wiki.finish(wiki.run({name(1): page(1, "never")}), no_verify=True)
    open_run = wiki.run({name(2): page(2)})
    wiki.finish(wiki.run({name(3): page(3, "never")}))
    found = standing.standing(wiki.context())
    assert found.counts == {"committed": 2, "pending": 1, "rejected": 1}
    assert [run.id for run in found.unverified] == [unverified.run.id]
    assert [run.id for run in found.open] == [open_run.id]
    assert found.last is not None
    assert found.last.id in (landed.run.id, unverified.run.id)
    assert found.as_json()["schema"] == "assay/status/1"
    assert standing.standing(wiki.context(), "elsewhere").counts == {}
