"""Votes that came with the notes are believed where an allowed key signed their list, and from nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from gitops.errors import CannotRun
from gitops.git import notes
from gitops.runs import attesting_records, judgements, names, store
from gitops.runs.judgements import JudgementRecord
from tests.runs import vouched
from tests.runs.driving import Wiki, name, page
from tests.runs.signed import ALLOWED, OPTIONS, REVOKED, public, signer
from tests.runs.voted import JUDGED, Two, forged, otherwise, seating
from tests.runs.voted import two as two
from tests.runs.vouched import line
from tests.verify.scripted import Scripted, sure

Commit = Callable[..., str]


# Forgeries: the model is asked again.


def test_unsigned_votes_are_asked_for_again(two: Two) -> None:
    two.write(*(each for each in two.lines() if not attesting_records.is_one(each)))
    assert two.votes_again()
    assert any("the list of votes" in told and "it is not signed" in told for told in two.there.told)


def test_votes_without_a_list_are_asked_for_again(two: Two) -> None:
    two.write(*map(line, [*two.records("verdict"), *two.records("judgement")]))
    assert two.votes_again()


def test_a_vote_that_is_not_in_the_signed_list(two: Two) -> None:
    """A forged vote beside a list that is really signed."""
    listed = [each for each in two.lines() if attesting_records.is_one(each) or '"kind":"judgements"' in each]
    two.write(*listed, *(line(otherwise(vote, reason="trust me")) for vote in two.records("judgement")))
    assert two.votes_again()


@pytest.mark.slow
def test_a_list_by_a_key_that_is_not_allowed_or_revoked_or_expired(two: Two, commit_files: Commit) -> None:
    two.write(*forged(two, two.records("judgement"), two.other))
    assert two.votes_again()
    assert any("is none of the allowed signers'" in told for told in two.there.told)
    expired = signer(two.key, f'{OPTIONS},valid-before="20240101Z"') + signer(two.other)
    both = signer(two.key) + signer(two.other)
    two.there.git("config", "assay.signingkey", str(two.other))
    for files, why in (
        ({ALLOWED: expired}, "key has expired"),
        ({ALLOWED: both, REVOKED: f"{public(two.key)}\n"}, "is revoked"),
    ):
        two.begin_again()
        commit_files(two.there.folder, files, "Other keys")
        two.there.told.clear()
        assert two.votes_again()
        assert any(why in told for told in two.there.told)


@pytest.mark.slow
def test_a_list_of_another_workspace_or_repository(two: Two) -> None:
    two.write(*forged(two, two.records("judgement"), two.key, workspace="elsewhere"))
    assert two.votes_again()
    two.begin_again()
    two.there.git("config", "assay.repository", "https://example.org/fork.git")
    assert two.votes_again()


def test_a_list_that_was_moved_to_another_commit(two: Two) -> None:
    lines, commit = two.lines(), str(two.there.ref("main"))
    two.there.git("notes", f"--ref={names.VERDICTS}", "remove", two.commit)
    vouched.write(two.there, names.VERDICTS, commit, *(each for each in lines if '"kind":"verdict"' not in each))
    assert two.votes_again()
    assert any("commit.gitCommit is signed as" in told for told in two.there.told)


@pytest.mark.slow
def test_a_vote_that_was_replayed_or_is_of_another_judge_or_purpose(two: Two) -> None:
    votes = two.records("judgement")
    for changed in ({"replayed": True}, {"judge_digest": "d2"}, {"purpose": "eval"}, {"key": "0" * 64}):
        two.begin_again()
        two.write(*forged(two, [otherwise(vote, **changed) for vote in votes], two.key))
        assert two.votes_again(), changed


# What is believed.


def test_a_second_clone_asks_no_model_again(two: Two) -> None:
    assert not two.votes_again()
    assert not any("count" in told for told in two.there.told)
    mine = str(two.there.git("rev-parse", "main"))
    records = [json.loads(each) for each in notes.read(two.there.context().repository, names.VERDICTS, mine)]
    assert sorted(record["kind"] for record in records) == [
        *("attestation", "attestation"),
        *("judgement", "judgement"),
        *("judgements", "verdict"),
    ]


@pytest.mark.slow
def test_a_vote_that_was_believed_is_not_kept_as_one_s_own(two: Two, commit_files: Commit) -> None:
    """Whether it counts is asked of the policy each time: a key revoked since signs for nothing."""
    assert not two.votes_again()
    two.there.git("reset", "-q", "--hard", "origin/main")
    revoked = {REVOKED: f"{public(two.key)}\n", ALLOWED: signer(two.key) + signer(two.other)}
    commit_files(two.there.folder, revoked, "The key was stolen")
    two.there.git("config", "assay.signingkey", str(two.other))
    assert two.votes_again()


def test_fresh_asks_whatever_was_signed(two: Two) -> None:
    run = two.there.run({name(0): page(0)})
    assert two.there.finish(run, fresh=True).result == "landed"
    assert two.asked.calls == 1


@pytest.mark.slow
def test_votes_that_come_later_are_found(two: Two) -> None:
    """What was looked through is noted by the version of the notes: a later one is looked through from there."""
    lines, context = two.lines(), two.there.context()
    two.there.git("notes", f"--ref={names.VERDICTS}", "remove", two.commit)
    two.asked.says = {}
    with pytest.raises(CannotRun, match=r"0 of [12] claims? have a vote"):
        two.votes_again()
    assert two.asked.calls == 1
    (context.folder / "cache.sqlite3").unlink()  # in it the model's own abstention
    with pytest.raises(CannotRun, match=r"0 of [12] claims? have a vote"):
        two.there.finish(two.there.run({name(2): page(2)}))
    notes.append(context.repository, names.VERDICTS, {two.commit: lines}, "late", context.identity, context.epoch)
    assert not two.votes_again()


def test_where_nobody_signs_no_list_is_made(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki(JUDGED)
    wiki.seating = seating(Scripted({"": sure("supports")}))
    outcome = wiki.finish(wiki.run())
    kinds = {json.loads(each)["kind"] for each in notes.read(wiki.context().repository, names.VERDICTS, outcome.commit)}
    assert kinds == {"verdict", "judgement"}


def test_votes_that_cannot_be_signed_are_told_and_hold_nothing_up(two: Two) -> None:
    two.there.git("config", "assay.signingkey", str(two.other))
    commit = str(two.there.ref("main"))
    votes = [each for each in two.lines() if '"kind":"judgement"' in each]
    found = judgements.signed_list(two.there.context(), "tides", commit, commit, votes)
    assert found == []
    assert any("2 votes" in told and "are not signed, so that others ask again" in told for told in two.there.told)


def test_a_vote_says_all_that_the_judge_said(two: Two) -> None:
    [vote, _] = two.records("judgement")
    read = JudgementRecord.model_validate(vote)
    assert (read.may_gate, read.support, read.confidence) == (True, None, 0.99)
    assert [each.verdict for each in store.verdicts_on(two.there.context(), two.commit)] == ["commit"]
    assert two.there.told == []
