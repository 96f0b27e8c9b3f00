"""The verdicts on many commits in one go: what one at a time says, and a second time without any verifying."""

from __future__ import annotations

import json
import shutil
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops import canonical
from gitops.errors import CannotRun
from gitops.git import history, signing
from gitops.runs import examining, names, store
from gitops.runs.examining_many import Surveyed, survey
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.measuring import measure
from tests.runs.signed import ALLOWED, REVOKED, SignedWiki, public, record, signer
from tests.runs.signed import signed as signed

Commit = Callable[..., str]


def surveyed(wiki: Wiki, tip: str = MAIN, target: str | None = None) -> Surveyed:
    context = wiki.context()
    return survey(context, list(history.between(context.repository, None, str(wiki.ref(tip)))), target)


@pytest.fixture
def two(signed: SignedWiki) -> list[str]:
    """Two landings, one after the other."""
    first, _ = signed.landed()
    signed.wiki.later(minutes=1)
    return [first, signed.landed(pages={name(1): page(1)})[0]]


@pytest.fixture
def without_keygen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called on there is git and no ssh-keygen: who wants to verify a signature cannot."""

    def hide() -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "git").symlink_to(str(shutil.which("git")))
        monkeypatch.setenv("PATH", str(folder))

    return hide


@pytest.mark.slow
def test_what_does_not_hold_is_named_with_its_reason_and_the_oldest_first(signed: SignedWiki, two: list[str]) -> None:
    for commit in reversed(two):
        signed.replace_envelope(commit, signed.forged(commit, signed.other))
    found = surveyed(signed.wiki)
    assert [row.commit for row in found.wrong] == two
    assert all("is none of the allowed signers'" in row.problem for row in found.wrong)
    assert (dict(found.signers), found.unsigned) == ({}, 0)


def test_one_that_is_not_signed_does_not_hold_where_signatures_are_demanded(signed: SignedWiki, two: list[str]) -> None:
    signed.write(two[0], signed.lines(two[0])[0])
    [wrong] = [row for row in surveyed(signed.wiki).wrong if row.commit == two[0]]
    assert wrong.problem in ("the verdict is not signed", f"no verdict on {two[0][:10]} is known here")


@pytest.mark.slow
def test_a_verdict_for_another_branch_than_the_commit_stands_on_is_told(signed: SignedWiki, two: list[str]) -> None:
    signed.wiki.git("branch", "side", two[1])
    signed.wiki.git("update-ref", MAIN, two[0])
    found = surveyed(signed.wiki, "side")
    assert [(row.commit, row.problem) for row in found.wrong] == [
        (two[1], "the verdict is for main, and the commit is not in its history")
    ]
    assert surveyed(signed.wiki, "side", MAIN).wrong == ()
    assert len(surveyed(signed.wiki, "side", "refs/heads/side").wrong) == 2


def test_who_signed_how_many_and_which_commits_bear_no_verdict(
    signed: SignedWiki, two: list[str], commit_files: Commit
) -> None:
    own = commit_files(signed.wiki.folder, {"README.md": "By hand.\n"})
    founding = signed.wiki.git("rev-list", "--max-parents=0", "main")
    found = surveyed(signed.wiki)
    assert [row.commit for row in found.rows] == two
    assert dict(found.signers) == {"ada@example.org": 2}
    assert found.bare == (founding, own)  # and not the commits of the runs, which the landings brought in
    assert found.as_json("main")["valid"] == 2


def test_a_second_time_no_signature_is_verified(
    signed: SignedWiki, two: list[str], without_keygen: Callable[[], None]
) -> None:
    first = surveyed(signed.wiki)
    without_keygen()
    assert surveyed(signed.wiki) == first
    for file in (signed.wiki.folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    with pytest.raises(CannotRun, match="ssh-keygen cannot be run"):
        surveyed(signed.wiki)


@pytest.mark.slow
def test_what_held_holds_no_more_once_its_key_is_revoked_or_another_may_sign(
    signed: SignedWiki, two: list[str], commit_files: Commit, tmp_path: Path
) -> None:
    assert surveyed(signed.wiki).wrong == ()
    (tmp_path / "others").write_text(signer(signed.other))
    signed.wiki.git("config", "assay.allowedSignersFile", str(tmp_path / "others"))
    assert len(surveyed(signed.wiki).wrong) == 2
    signed.wiki.git("config", "--unset", "assay.allowedSignersFile")
    signed.wiki.git("config", "assay.repository", "https://example.org/fork.git")
    assert len(surveyed(signed.wiki).wrong) == 2
    signed.wiki.git("config", "--unset", "assay.repository")
    assert surveyed(signed.wiki).wrong == ()
    commit_files(signed.wiki.folder, {REVOKED: public(signed.key) + "\n"}, "Revoke")
    wrong = surveyed(signed.wiki).wrong
    assert len(wrong) == 2
    assert all("is revoked" in row.problem for row in wrong)


def test_what_held_holds_no_more_where_its_note_was_changed_or_the_clock_turned_back(
    signed: SignedWiki, two: list[str]
) -> None:
    assert surveyed(signed.wiki).wrong == ()
    lines = signed.lines(two[1])
    signed.replace_envelope(two[1], signed.envelope(two[0]))
    [wrong] = surveyed(signed.wiki).wrong
    assert wrong.commit == two[1]
    signed.write(two[1], *lines)
    assert surveyed(signed.wiki).wrong == ()
    signed.wiki.later(days=-1)
    assert all("still to come" in row.problem for row in surveyed(signed.wiki).wrong)
    assert len(surveyed(signed.wiki).wrong) == 2


def test_a_button_s_commit_counts_by_the_verdict_that_covers_it(signed: SignedWiki, two: list[str]) -> None:
    base = signed.wiki.git("rev-parse", f"{two[1]}^1")
    button = signed.wiki.git("commit-tree", f"{two[1]}^{{tree}}", "-p", base, "-m", "Squashed")
    signed.wiki.git("update-ref", MAIN, button)
    found = surveyed(signed.wiki)
    assert [(row.commit, row.signer, row.problem) for row in found.rows] == [
        (two[0], "ada@example.org", ""),
        (button, "ada@example.org", ""),
    ]
    signed.write(two[1], "{}")
    assert button in surveyed(signed.wiki).bare


def test_what_is_no_verdict_makes_no_commit_one_that_bears_a_verdict(signed: SignedWiki, two: list[str]) -> None:
    founding = signed.wiki.git("rev-list", "--max-parents=0", "main")
    signed.write(founding, '{"kind":"verdict"}')
    found = surveyed(signed.wiki)
    assert (found.wrong, found.bare) == ((), (founding,))


def test_where_nobody_has_to_sign_nothing_is_wrong_and_nothing_is_signed(wiki: Wiki) -> None:
    wiki.finish(wiki.run())
    for _ in range(2):
        found = surveyed(wiki)
        assert (found.wrong, dict(found.signers), found.unsigned) == ((), {}, 1)
    wiki.git("config", "assay.server", "true")
    assert [row.problem for row in surveyed(wiki).wrong] == ["the verdict is not signed"]


def test_refused_candidates_are_none_of_what_holds(signed: SignedWiki) -> None:
    run = signed.wiki.run({name(0): page(0, "the sea never moves")})
    signed.wiki.finish(run)
    candidate = signed.wiki.find(run).state.candidate
    [row] = survey(signed.wiki.context(), [candidate]).rows
    assert row.problem == "the verdict is reject"


def test_a_policy_that_names_nobody_any_more_is_told_for_each(signed: SignedWiki, commit_files: Commit) -> None:
    commit_files(signed.wiki.folder, {ALLOWED: None}, "Nobody")
    signed.wiki.git("config", "assay.allowedSignersFile", str(signed.wiki.folder / "allowed"))
    (signed.wiki.folder / "allowed").write_text(signer(signed.key))
    signed.landed()
    signed.wiki.git("config", "--unset", "assay.allowedSignersFile")
    [row] = surveyed(signed.wiki).wrong
    assert row.problem.startswith(f"nobody may sign verdicts: there is no {ALLOWED}")


def test_what_is_no_verdict_on_a_button_s_commit_hides_none_that_covers_it(signed: SignedWiki, two: list[str]) -> None:
    base = signed.wiki.git("rev-parse", f"{two[1]}^1")
    button = signed.wiki.git("commit-tree", f"{two[1]}^{{tree}}", "-p", base, "-m", "Squashed")
    signed.wiki.git("update-ref", MAIN, button)
    signed.write(button, '{"kind":"verdict"}')
    assert surveyed(signed.wiki).wrong == ()
    assert examining.examine(signed.wiki.context(), button).problem == ""


def test_a_measurement_that_is_gone_is_missed_also_a_second_time(signed: SignedWiki, two: list[str]) -> None:
    measure(signed.wiki, "M2", 0.95, "healthy")
    commit, _ = signed.landed(pages={name(2): page(2)})
    assert surveyed(signed.wiki).wrong == ()
    signed.wiki.git("update-ref", "-d", names.EVALS)
    [wrong] = surveyed(signed.wiki).wrong
    assert (wrong.commit, "which is not in the notes" in wrong.problem) == (commit, True)


def test_what_is_no_commit_s_id_in_a_verdict_stops_nothing(signed: SignedWiki, two: list[str]) -> None:
    [verdict] = store.verdicts_on(signed.wiki.context(), two[0])
    for base in ("zz", "", "../../etc/passwd", "Z" * 40):
        store.append_verdict(signed.wiki.context(), verdict.model_copy(update={"base": base}).named())
    assert surveyed(signed.wiki).wrong == ()


def test_of_the_signatures_beside_a_verdict_none_is_verified_after_one_that_holds(
    signed: SignedWiki, two: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may put a thousand beside it that only look as if the allowed key had made them."""
    [verdict] = store.verdicts_on(signed.wiki.context(), two[0])
    sound = signed.envelope(two[0])
    value = json.loads(sound)
    raw = b64decode(value["signatures"][0]["sig"])
    bad = []
    for number in range(20):
        value["signatures"][0]["sig"] = b64encode(raw[:-1] + bytes([number])).decode()
        bad.append(canonical.dumps(value))
    signed.write(two[0], *signed.lines(two[0]), *(record(verdict.id, each) for each in bad))
    for file in (signed.wiki.folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    verified: list[bytes] = []
    verify = signing.Checker.verify

    def told(self: signing.Checker, data: bytes, signature: bytes, trusted: signing.Trusted, at: int) -> str:
        verified.append(signature)
        return verify(self, data, signature, trusted, at)

    monkeypatch.setattr(signing.Checker, "verify", told)
    assert surveyed(signed.wiki).wrong == ()
    before = sorted({sound, *bad}).index(sound)
    assert len(verified) == before + 2  # up to the sound one, and the other landing's
