from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.errors import CannotRun, Refused, UsageError
from gitops.runs import abandoning, overriding, staging, standing, store
from gitops.runs.candidate import Conflict
from gitops.runs.outcome import NotLanded, Outcome
from gitops.runs.records import Run
from tests.runs.driving import MAIN, Wiki, branch, candidate, kept, name, page

FORGED = {name(0): page(0, "the sea never falls back")}


def _override(wiki: Wiki, run: Run, reason: str = "the source is wrong") -> Outcome:
    return overriding.override(wiki.context(), run.id, reason)


def test_no_reason_is_no_override(wiki: Wiki) -> None:
    run = wiki.run(FORGED)
    wiki.finish(run)
    with pytest.raises(Refused, match="says why"):
        _override(wiki, run, "  ")


@pytest.mark.parametrize("ending", ["pending", "committed", "abandoned", "unknown"])
def test_what_was_not_refused_cannot_be_overridden(wiki: Wiki, ending: str) -> None:
    run = wiki.run()
    if ending == "committed":
        wiki.finish(run)
    elif ending == "abandoned":
        abandoning.abandon(wiki.context(), run.id, "")
    elif ending == "unknown":
        with pytest.raises(UsageError):
            overriding.override(wiki.context(), "nobody", "x")
        return
    with pytest.raises(Refused, match=ending):
        _override(wiki, run)


def test_a_run_that_a_replacement_broke_off_was_never_judged(wiki: Wiki) -> None:
    run = wiki.run()
    with pytest.raises(Refused):
        staging.replace(wiki.context(), run, wiki.workspace(), name(0), "not there", "x")
    with pytest.raises(Refused, match="rejected without a verdict to override: replace in"):
        _override(wiki, run)


@pytest.mark.parametrize("path", ["raw/tides.md", "assay.toml", "wiki/.hidden.md"])
def test_sealed_checks_cannot_be_overridden(wiki: Wiki, path: str) -> None:
    run = wiki.run({name(0): page(0), path: "x\n"})
    assert wiki.finish(run).result == "rejected"
    before = wiki.refs()
    with pytest.raises(Refused, match="cannot be overridden"):
        _override(wiki, run)
    assert wiki.refs() == before


def test_a_run_that_was_written_to_since_is_judged_anew_first(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0) + "\nNobody cites this sentence at all.\n"})
    assert wiki.finish(run).result == "revise"
    staging.write(wiki.context(), run, wiki.workspace(), name(1), page(1).encode())
    with pytest.raises(Refused, match="was written to since it was judged"):
        _override(wiki, run)


@pytest.mark.parametrize(("body", "hint"), [("", "git assay run start, then run write"), ("x", "git assay run rebase")])
@pytest.mark.slow
def test_a_conflict_hints_at_what_can_still_be_done(wiki: Wiki, body: str, hint: str) -> None:
    sent_back = {name(0): page(0) + "\nNobody cites this sentence at all.\n"}
    run = wiki.run(sent_back if body else FORGED)
    wiki.finish(run)
    wiki.finish(wiki.run({name(0): page(9)}))
    with pytest.raises(Conflict, match=name(0)) as caught:
        _override(wiki, run)
    assert caught.value.hint.startswith(hint)


def test_an_override_does_not_bring_back_what_a_rewritten_target_dropped(wiki: Wiki) -> None:
    run = wiki.run(FORGED)
    wiki.finish(run)
    wiki.git("commit", "--quiet", "--amend", "--allow-empty", "--message", "Amended")
    with pytest.raises(CannotRun, match="main was rewritten") as caught:
        _override(wiki, run)
    assert caught.value.hint == f"git assay run start --from {run.id}"


def test_an_override_that_a_worktree_holds_back_leaves_the_run_rejected(wiki: Wiki) -> None:
    run = wiki.run(FORGED)
    wiki.finish(run)
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(NotLanded):
        _override(wiki, run)
    assert wiki.find(run).status == "rejected"
    wiki.git("checkout", "--", "wiki/log.md")
    assert _override(wiki, run).result == "landed"


@pytest.mark.parametrize("style", ["merge", "squash"])
@pytest.mark.slow
def test_an_override_names_what_it_overrides_and_lands_on_the_present_tip(
    make_wiki: Callable[..., Wiki], style: str
) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    run = wiki.run(FORGED)
    refused = wiki.finish(run)
    other = wiki.finish(wiki.run({name(1): page(1)}))
    wiki.later(hours=1)
    outcome = _override(wiki, run)
    assert outcome.verdict is not None
    assert refused.verdict is not None
    assert outcome.verdict.supersedes == (refused.verdict.id,)
    assert outcome.verdict.reasoning == "overridden by Ada Writer <ada@example.org>: the source is wrong"
    assert wiki.git("rev-parse", "main", "main^1").splitlines() == [outcome.commit, other.commit]
    found = wiki.find(run)
    assert (found.status, found.state.verdict, found.state.candidate) == (
        "committed",
        "commit_override",
        outcome.commit,
    )
    assert wiki.ref(kept(run)) == refused.commit, "what was refused stays as it was refused"
    assert wiki.ref(candidate(run)) is wiki.ref(branch(run)) is None
    assert [verdict.run_id for verdict in standing.standing(wiki.context()).overrides] == [run.id]


def test_a_person_may_land_what_was_only_sent_back(wiki: Wiki) -> None:
    run = wiki.run({name(0): page(0) + "\nNobody cites this sentence at all.\n"})
    assert wiki.finish(run).result == "revise"
    assert _override(wiki, run).result == "landed"


def test_the_head_of_a_rejected_squash_run_is_held_through_a_collection(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki('[publish]\nstyle = "squash"\n')
    run = wiki.run(FORGED)
    wiki.finish(run)
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "--quiet", "--prune=now")
    assert _override(wiki, run).result == "landed"


@pytest.mark.slow
def test_an_override_survives_a_target_that_moves(wiki: Wiki) -> None:
    run = wiki.run(FORGED)
    wiki.finish(run)
    moved: list[str] = []

    def meanwhile(step: str) -> None:
        if step == "publish" and not moved:
            moved.append(wiki.finish(wiki.run({name(1): page(1)})).commit)

    outcome = overriding.override(wiki.context(meanwhile), run.id, "x")
    assert wiki.git("rev-parse", "main^1") == moved[0]
    assert wiki.ref(MAIN) == outcome.commit
    assert len([v for v in store.all_verdicts(wiki.context()) if v.verdict == "commit_override"]) == 2
