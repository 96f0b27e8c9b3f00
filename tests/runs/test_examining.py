"""Where a commit has to stand for its verdict to hold, and what commits made elsewhere stand by."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops import canonical
from gitops.errors import UsageError
from gitops.git import refs
from gitops.runs import examining, landing, names, steps, store
from gitops.runs.examining import examine_on
from gitops.verify.verdict import Verdict
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.signed import POLICY, SignedWiki
from tests.runs.signed import signed as signed


class Stopped(Exception):
    """Where a test stops the world."""


def waiting(wiki: Wiki) -> tuple[str, str]:
    """A candidate with its verdict, verified and signed and not landed; and the base that it is for."""

    def stop(step: str) -> None:
        if step == "swap":
            raise Stopped

    run = wiki.run()
    with pytest.raises(Stopped):
        wiki.finish(run, at_step=stop)
    return wiki.find(run).state.candidate, str(wiki.ref("main"))


def squashed(wiki: Wiki, tree: str, *parents: str) -> str:
    """The commit that a button would make."""
    words = [word for parent in parents for word in ("-p", parent)]
    return wiki.git("commit-tree", f"{tree}^{{tree}}", *words, "-m", "Squashed by a button")


def test_a_verdict_for_main_on_a_commit_that_stands_on_another_branch_alone_is_told(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.wiki.git("branch", "release", commit)
    signed.wiki.git("update-ref", MAIN, f"{commit}^")
    found = signed.examine(commit)
    assert found.problem == "the verdict is for main, and the commit is not in its history"
    assert not found.is_open
    assert signed.examine(commit, MAIN).problem == ""  # who asks for a branch has it there, or puts it there
    context = signed.wiki.context()
    assert "not in its history" in examine_on(context, commit, MAIN).problem
    assert "for another target" in examine_on(context, commit, "refs/heads/release").problem


def test_a_branch_that_a_remote_was_seen_to_have_counts(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.wiki.git("switch", "--quiet", "--detach")
    signed.wiki.git("update-ref", "refs/remotes/origin/main", commit)
    signed.wiki.git("update-ref", "-d", MAIN)
    assert signed.examine(commit).problem == ""
    signed.wiki.git("update-ref", "-d", "refs/remotes/origin/main")
    signed.wiki.git("update-ref", "refs/remotes/origin/old/main", commit)
    assert signed.examine(commit).problem == "the verdict is for main, and no branch of that name is here"


def test_in_an_open_wiki_too_a_commit_has_to_stand_where_it_was_let_land(wiki: Wiki) -> None:
    commit = wiki.finish(wiki.run()).commit
    assert examining.examine(wiki.context(), commit).is_open
    wiki.git("update-ref", MAIN, f"{commit}^")
    found = examining.examine(wiki.context(), commit)
    assert not found.is_open
    assert "not in its history" in found.problem


def test_a_refused_candidate_is_told_as_refused_wherever_it_stands(signed: SignedWiki) -> None:
    run = signed.wiki.run({name(0): page(0, "the sea never moves")})
    signed.wiki.finish(run)
    assert signed.examine(signed.wiki.find(run).state.candidate).problem == "the verdict is reject"


def test_a_button_s_commit_is_covered_before_any_record_says_that_it_landed(signed: SignedWiki) -> None:
    candidate, base = waiting(signed.wiki)
    button = squashed(signed.wiki, candidate, base)
    context = signed.wiki.context()
    verdict = examining.covering(context, button, MAIN)
    assert verdict is not None
    assert verdict.candidate == candidate
    assert examining.candidate_of(context, button) == candidate
    assert signed.examine(button, MAIN).attested.signer == "ada@example.org"
    assert "for another target" in signed.examine(button, "refs/heads/release").problem
    assert examining.covering(context, button, "refs/heads/release") is None


def test_another_step_is_not_covered(signed: SignedWiki) -> None:
    candidate, base = waiting(signed.wiki)
    context = signed.wiki.context()
    for other in (
        squashed(signed.wiki, base, base),  # the same parent, another tree
        squashed(signed.wiki, candidate, candidate),  # the same tree, another parent
        squashed(signed.wiki, candidate),  # no parent
    ):
        assert examining.covering(context, other) is None


def test_an_unsigned_yes_covers_nothing_where_signatures_are_demanded(signed: SignedWiki) -> None:
    signed.use(signed.other)
    run = signed.wiki.run()
    with pytest.raises(landing.NotLanded):
        signed.wiki.finish(run)
    candidate, base = signed.wiki.find(run).state.candidate, str(signed.wiki.ref("main"))
    button = squashed(signed.wiki, candidate, base)
    assert examining.covering(signed.wiki.context(), button) is None
    assert examining.candidate_of(signed.wiki.context(), button) == candidate
    assert signed.examine(button, MAIN).problem == "the verdict is not signed"


def test_in_an_open_wiki_an_unsigned_yes_covers(wiki: Wiki) -> None:
    candidate, base = waiting(wiki)
    button = squashed(wiki, candidate, base)
    assert examining.covering(wiki.context(), button) is not None
    wiki.git("config", "assay.server", "true")  # where whoever may push notes can write a yes
    assert examining.covering(wiki.context(), button) is None


def test_what_a_stranger_writes_on_a_button_s_commit_hides_no_verdict_that_covers_it(signed: SignedWiki) -> None:
    candidate, base = waiting(signed.wiki)
    button = squashed(signed.wiki, candidate, base)
    [verdict] = store.verdicts_on(signed.wiki.context(), candidate)
    forged = verdict.model_copy(update={"candidate": button, "base": candidate}).named()
    store.append_verdict(signed.wiki.context(), forged)
    assert signed.examine(button, MAIN).problem == ""
    no = verdict.model_copy(update={"candidate": button, "verdict": "reject"}).named()
    store.append_verdict(signed.wiki.context(), no)
    refused = signed.examine(button, MAIN)
    assert refused.problem
    assert refused.verdict.verdict == "reject"


@pytest.mark.slow
def test_the_steps_are_read_on_from_where_they_were_known(signed: SignedWiki) -> None:
    context = signed.wiki.context()
    assert steps.known(context) == {}
    first, verdict = signed.landed()
    assert steps.known(signed.wiki.context()) == {(verdict.base, verdict.tree): {first}}
    signed.wiki.later(minutes=1)
    second, later = signed.landed(pages={name(1): page(1)})
    known = steps.known(signed.wiki.context())
    assert known == {(verdict.base, verdict.tree): {first}, (later.base, later.tree): {second}}
    for file in (signed.wiki.folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    assert steps.known(signed.wiki.context()) == known


def test_a_branch_s_places_are_looked_up_by_its_whole_name(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki()
    tip = str(wiki.ref("main"))
    wiki.git("update-ref", "refs/remotes/origin/feature/main", tip)
    context = wiki.context()
    assert examining.standing_at(context, MAIN) == [tip]
    assert examining.standing_at(context, "refs/heads/feature/main") == [tip]
    assert examining.standing_at(context, "refs/heads/feature") == []
    assert refs.read(context.repository, names.VERDICTS) is None


def test_a_verdict_of_a_workspace_that_is_not_there_hides_none_that_holds(signed: SignedWiki) -> None:
    commit, verdict = signed.landed()
    nowhere = verdict.model_copy(update={"workspace": "a-nowhere"}).named()
    body = nowhere.record()
    signed.write(commit, canonical.line(body.pop("summary"), body), *signed.lines(commit))
    assert signed.examine(commit).attested.signer == "ada@example.org"
    signed.write(commit, canonical.line(nowhere.summary, body))
    with pytest.raises(UsageError, match="a-nowhere"):
        signed.examine(commit)


def test_a_candidate_that_makes_no_sense_hides_no_other_that_covers(signed: SignedWiki) -> None:
    candidate, base = waiting(signed.wiki)
    button = squashed(signed.wiki, candidate, base)
    for number in range(3):  # wherever they come among the candidates of this step
        stray = squashed(signed.wiki, base, candidate, base) if number else squashed(signed.wiki, base, base)
        [verdict] = store.verdicts_on(signed.wiki.context(), candidate)
        forged = verdict.model_copy(update={"candidate": stray, "workspace": f"nowhere-{number}"}).named()
        store.append_verdict(signed.wiki.context(), forged)
    context = signed.wiki.context()
    assert len(steps.candidates(context, base, signed.wiki.git("rev-parse", f"{button}^{{tree}}"))) > 1
    found = examining.covering(context, button, MAIN)
    assert found is not None
    assert found.candidate == candidate
    assert signed.examine(button, MAIN).problem == ""


def test_a_verdict_of_one_workspace_says_nothing_of_another_s_files(
    make_wiki: Callable[..., Wiki], commit_files: Callable[..., str]
) -> None:
    """Beside a wiki that wants signatures lies one that wants none: what is written in its name lets nothing pass."""
    wiki = make_wiki(POLICY)
    commit_files(wiki.folder, {"open/assay.toml": '[workspace]\nname = "open"\n', "open/wiki/one.md": "# One\n"}, "Two")
    base = str(wiki.ref(MAIN))
    commit = commit_files(wiki.folder, {name(0): page(0, "the sea never moves")}, "Mine")
    policy, tree = (wiki.git("rev-parse", each) for each in (f"{base}:open/assay.toml", f"{commit}^{{tree}}"))
    run, head = {"run_id": "mine", "workspace": "open", "target": MAIN}, {"Assay-Run": "mine", "Assay-Head": base}
    message = "Mine\n\n" + "\n".join(f"{key}: {value}" for key, value in head.items())
    commit = wiki.git("commit-tree", tree, "-p", base, "-m", message)
    wiki.git("update-ref", MAIN, commit)
    made = {"summary": "", "base": base, "head": base, "candidate": commit, "tree": tree, "policy": policy}
    told = {"verifier": "git-assay/1", "verdict": "commit", "reasoning": "yes", "created_at": "2024-01-02T03:04:05Z"}
    store.append_verdict(wiki.context(), Verdict.model_validate(run | made | told).named())
    found = examining.examine(wiki.context(), commit)
    assert found.problem == f"the verdict is for workspace open, and the commit changes {name(0)}"
    assert not found.holds
