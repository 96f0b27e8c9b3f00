from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import notes
from gitops.runs import names, provenance, store, sweep
from gitops.runs.overriding import override
from gitops.runs.provenance import Origin
from gitops.runs.records import Run
from tests.runs.driving import QUOTE, Wiki, branch, candidate, kept, name, page

WRONG = page(0, "the sea falls back thrice a day")
"""Its quotation is altered, so its run is rejected."""


def origin(wiki: Wiki, commit: str, tip: str = "main") -> Origin:
    commit = wiki.git("rev-parse", commit)
    return provenance.origins(wiki.context(), wiki.git("rev-parse", tip), [commit])[commit]


def wrote(wiki: Wiki, path: str, tip: str = "main") -> str:
    """The commit that git says wrote a page last."""
    return wiki.git("log", "-1", "--format=%H", "--no-merges", tip, "--", path)


def waiting(wiki: Wiki, run: Run) -> str:
    """Verify a run that cannot land for now; its candidate."""
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(CannotRun, match="verified, not landed"):
        wiki.finish(run)
    wiki.git("checkout", "--", "wiki/log.md")
    return str(wiki.ref(candidate(run)))


def by_hand(wiki: Wiki, path: str, content: str, *message: str) -> str:
    (wiki.folder / path).write_text(content)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", *(word for part in message or ("By hand",) for word in ("--message", part)))
    return wiki.git("rev-parse", "HEAD")


def brief(found: Origin) -> tuple[str | None, str | None, str]:
    return found.run_id, found.verdict.verdict if found.verdict else None, found.told


def test_a_commit_by_hand_is_not_by_a_run(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    found = origin(wiki, by_hand(wiki, name(1), page(1)))
    assert brief(found) == (None, None, "not by a run")
    assert found.landed is None


def test_a_message_that_names_a_run_proves_nothing(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    commit = by_hand(wiki, name(1), page(1), "By hand", f"Assay-Run: {run.id}")
    assert brief(origin(wiki, commit)) == (
        None, None, f"not by a run: run {run.id}, which its message names, does not hold it",
    )  # fmt: skip


def test_a_forged_landing_has_no_verdict(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    trailers = f"Assay-Run: {run.id}\nAssay-Base: {'1' * 40}\nAssay-Head: {'2' * 40}"
    commit = by_hand(wiki, name(1), page(1), "Land it", trailers)
    assert brief(origin(wiki, commit)) == (run.id, None, provenance.WITHOUT)


def test_a_landing_whose_records_are_elsewhere_is_told_with_what_fetches_them(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    wiki.finish(run)
    wiki.git("clone", "--quiet", str(wiki.folder), str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    assert brief(origin(clone, wrote(clone, name(0)))) == (run.id, None, provenance.WITHOUT)
    assert any("no record of run" in told and "refs/notes/assay/*" in told for told in clone.told)
    clone.git("fetch", "--quiet", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    assert brief(origin(clone, wrote(clone, name(0)))) == (run.id, "commit", "")


def test_a_landing_at_which_the_history_is_cut_off_has_its_verdict(wiki: Wiki, tmp_path: Path) -> None:
    run = wiki.run()
    wiki.finish(run)
    wiki.git("clone", "--quiet", "--depth=1", f"file://{wiki.folder}", str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    clone.git("fetch", "--quiet", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    assert brief(origin(clone, "main")) == (run.id, "commit", "")


@pytest.mark.parametrize("style", ["merge", "squash"])
@pytest.mark.slow
def test_a_claim_s_commit_belongs_to_the_landing_that_brought_it_in(make_wiki: Callable[..., Wiki], style: str) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    first, second = wiki.run(), wiki.run({name(1): page(1)})
    wiki.finish(first)
    wiki.finish(second)
    for path, run in ((name(0), first), (name(1), second)):
        commit = wrote(wiki, path)
        found = origin(wiki, commit)
        assert brief(found) == (run.id, "commit", "")
        assert found.landed == wiki.find(run).state.candidate
        assert found.verdict is not None
        assert found.verdict.id == wiki.find(run).state.verdict_id
        assert (found.landed == commit) == (style == "squash")


def test_a_run_that_landed_on_a_branch_that_was_then_merged_is_found(wiki: Wiki) -> None:
    wiki.git("checkout", "--quiet", "-b", "develop")
    run = wiki.run()
    wiki.git("checkout", "--quiet", "main")
    wiki.finish(run)
    wiki.git("branch", "--force", "develop", "main")
    wiki.git("reset", "--quiet", "--hard", "main~1")
    wiki.git("merge", "--quiet", "--no-ff", "-m", "Merge develop", "develop")
    found = origin(wiki, wrote(wiki, name(0)))
    assert brief(found) == (run.id, "commit", "")
    assert found.landed == wiki.git("rev-parse", "develop")


def test_an_override_is_told_as_one(wiki: Wiki) -> None:
    run = wiki.run({name(0): WRONG})
    assert wiki.finish(run).result == "rejected"
    refused = wiki.find(run).state.verdict_id
    override(wiki.context(), run.id, "the scan is wrong")
    found = origin(wiki, wrote(wiki, name(0)))
    assert brief(found) == (run.id, "commit_override", "")
    assert found.verdict is not None
    assert found.verdict.supersedes == (refused,)


def test_a_refused_candidate_that_somebody_forced_in_landed_against_its_verdict(wiki: Wiki) -> None:
    run = wiki.run({name(0): WRONG})
    wiki.finish(run)
    refused = wrote(wiki, name(0), kept(run))
    seen = origin(wiki, refused, kept(run))
    assert (*brief(seen), seen.landed) == (run.id, "reject", "not landed: the run is rejected", None)
    wiki.git("merge", "--quiet", "--ff-only", kept(run))
    assert brief(origin(wiki, refused)) == (run.id, "reject", provenance.AGAINST)


def test_a_rejection_of_the_same_candidate_wins_until_it_is_superseded(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    context = wiki.context()
    [yes] = store.verdicts_on(context, wiki.git("rev-parse", "main"))
    no = yes.model_copy(update={"verdict": "reject", "judge": "another"}).named()
    store.append_verdict(context, no)
    assert brief(origin(wiki, wrote(wiki, name(0)))) == (run.id, "reject", provenance.AGAINST)
    again = yes.model_copy(update={"judge": "a third", "supersedes": (no.id,)}).named()
    store.append_verdict(context, again)
    assert brief(origin(wiki, wrote(wiki, name(0)))) == (run.id, "commit", "")


@pytest.mark.parametrize("recorded", [True, False])
def test_a_squash_button_s_commit_is_covered_by_the_verdict_on_the_candidate(wiki: Wiki, recorded: bool) -> None:
    run = wiki.run()
    verified = waiting(wiki, run)
    wiki.git("merge", "--quiet", "--squash", verified)
    wiki.git("commit", "--quiet", "--message", "Squashed by a button")
    if recorded:
        context = wiki.context()
        assert sweep.full(context, store.all_runs(context).values())
    found = origin(wiki, "main")
    assert brief(found) == (run.id, "commit", "")
    assert found.landed == wiki.git("rev-parse", "main")
    assert found.verdict is not None
    assert found.verdict.candidate == verified


def test_a_button_s_commit_with_anything_else_in_it_is_not_covered(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.git("merge", "--quiet", "--squash", waiting(wiki, run))
    commit = by_hand(wiki, "notes.txt", "and a word of mine\n", "Squashed by a button")
    assert brief(origin(wiki, commit)) == (None, None, "not by a run")


def test_a_record_of_a_landing_without_its_verdict_is_told_so(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.git("merge", "--quiet", "--squash", waiting(wiki, run))
    wiki.git("commit", "--quiet", "--message", "Squashed by a button")
    context = wiki.context()
    sweep.full(context, store.all_runs(context).values())
    wiki.git("update-ref", "-d", names.VERDICTS)
    assert brief(origin(wiki, "main")) == (run.id, None, provenance.WITHOUT)


def test_a_line_that_was_changed_by_hand_is_no_verdict(wiki: Wiki) -> None:
    run = wiki.run({name(0): WRONG})
    wiki.finish(run)
    wiki.git("merge", "--quiet", "--ff-only", kept(run))
    refused, context = wiki.git("rev-parse", "main"), wiki.context()
    [line] = notes.read(context.repository, names.VERDICTS, refused)
    wiki.git("update-ref", "-d", names.VERDICTS)
    forged = line.replace('"verdict":"reject"', '"verdict":"commit"')
    assert forged != line
    notes.append(context.repository, names.VERDICTS, {refused: [forged]}, "forged", context.identity, context.epoch)
    assert brief(origin(wiki, wrote(wiki, name(0)))) == (run.id, None, provenance.WITHOUT)
    assert any("its id is not the digest" in told for told in wiki.told)


def test_an_open_run_seen_from_its_branch_is_not_landed(wiki: Wiki) -> None:
    run = wiki.run()
    found = origin(wiki, branch(run), branch(run))
    assert (*brief(found), found.landed) == (run.id, None, "not landed: the run is pending", None)
    assert brief(origin(wiki, "main", branch(run))) == (None, None, "not by a run")


def test_a_branch_that_somebody_pushed_is_a_run_s_once_it_is_adopted(wiki: Wiki) -> None:
    wiki.git("checkout", "--quiet", "-b", "run/pushed")
    commit = by_hand(wiki, name(0), page(0))
    wiki.git("checkout", "--quiet", "main")
    assert brief(origin(wiki, commit, "run/pushed")) == (None, None, "not by a run")
    wiki.finish("pushed", draft_only=True)
    assert brief(origin(wiki, commit, "run/pushed")) == ("pushed", None, "not landed: the run is pending")
    wiki.finish("pushed")
    assert brief(origin(wiki, commit)) == ("pushed", "commit", "")


@pytest.mark.parametrize("how", ["--ff-only", "--no-ff"])
def test_a_run_s_branch_that_was_merged_by_hand_landed_without_a_verdict(wiki: Wiki, how: str) -> None:
    run = wiki.run()
    wiki.git("merge", "--quiet", how, f"run/{run.id}")
    assert brief(origin(wiki, wrote(wiki, name(0)))) == (run.id, None, provenance.WITHOUT)
    assert brief(origin(wiki, by_hand(wiki, name(1), page(1)))) == (None, None, "not by a run")


@pytest.mark.slow
def test_many_are_answered_at_once_and_none_is_none(wiki: Wiki) -> None:
    runs = [wiki.run({name(number): page(number, QUOTE)}) for number in range(3)]
    for run in runs:
        wiki.finish(run)
    tip, context = wiki.git("rev-parse", "main"), wiki.context()
    commits = [wrote(wiki, name(number)) for number in range(3)]
    found = provenance.origins(context, tip, commits)
    assert [found[commit].run_id for commit in commits] == [run.id for run in runs]
    assert provenance.origins(context, tip, []) == {}
