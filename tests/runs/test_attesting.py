"""Verdicts are signed before anything lands, and whatever is forged about them is refused with its reason."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitops import canonical
from gitops.errors import CannotRun
from gitops.git import signing
from gitops.runs import attesting, examining, landing, names, overriding, proof, store, sweep
from gitops.verify import statement
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.signed import ALLOWED, OPTIONS, POLICY, REVOKED, SignedWiki, record, sealed, signer
from tests.runs.signed import public as public_half
from tests.runs.signed import signed as signed

Commit = Callable[..., str]


def test_what_lands_is_signed_by_an_allowed_key_and_says_what_is_so(signed: SignedWiki) -> None:
    base = signed.wiki.ref("main")
    commit, verdict = signed.landed()
    found = signed.examine(commit)
    assert (found.problem, found.is_open, found.attested.signer) == ("", False, "ada@example.org")
    assert found.statement is not None
    told = found.statement["predicate"]
    assert told["from"] == {"gitCommit": base}
    assert told["to"]["gitTree"] == signed.wiki.git("rev-parse", f"{commit}^{{tree}}")
    assert (told["repository"], told["target"], told["run"]) == ("https://example.org/tides.git", MAIN, verdict.run_id)
    assert told["policy"]["digest"]["gitBlob"] == signed.wiki.git("rev-parse", f"{base}:assay.toml")
    assert [judge["id"] for judge in told["judges"]] == ["offline"]
    assert (told["measurements"], told["verificationResult"]) == ([], "PASSED")
    assert found.statement["subject"][0]["digest"]["gitCommit"] == commit


def test_ssh_keygen_itself_verifies_what_was_signed(signed: SignedWiki, tmp_path: Path) -> None:
    commit, _ = signed.landed()
    value = json.loads(signed.envelope(commit))
    raw = b64decode(value["signatures"][0]["sig"])
    text = b64encode(raw).decode()
    armour = "\n".join(["-----BEGIN SSH SIGNATURE-----", text, "-----END SSH SIGNATURE-----", ""])
    (tmp_path / "sig").write_text(armour)
    (tmp_path / "allowed").write_text(signer(signed.key))
    files = ["-f", str(tmp_path / "allowed"), "-s", str(tmp_path / "sig")]
    words = ["-n", signing.NAMESPACE, "-I", "ada@example.org", *files]
    body = b64decode(value["payload"])
    pae = b"DSSEv1 28 application/vnd.in-toto+json %d %b" % (len(body), body)
    assert subprocess.run(["ssh-keygen", "-Y", "verify", *words], input=pae, capture_output=True).returncode == 0


def test_nothing_lands_without_a_key_and_nothing_is_spent_on_it(signed: SignedWiki) -> None:
    signed.use(None)
    run, before = signed.wiki.run(), signed.wiki.refs()
    with pytest.raises(CannotRun, match="no signing key is configured") as error:
        signed.wiki.finish(run)
    assert "ssh-keygen -t ed25519" in error.value.hint
    assert error.value.exit_code == 3
    assert signed.wiki.refs() == before
    signed.use(signed.key)
    assert signed.wiki.finish(run).result == "landed"


@pytest.mark.slow
def test_a_key_that_the_base_does_not_name_lands_nothing_and_the_verdict_is_kept(signed: SignedWiki) -> None:
    signed.use(signed.other)
    run, before = signed.wiki.run(), signed.wiki.ref("main")
    with pytest.raises(landing.NotLanded, match=r"would not count: the key SHA256:\S+ is none of the allowed") as error:
        signed.wiki.finish(run)
    assert signed.wiki.ref("main") == before
    assert ALLOWED in error.value.hint
    assert signed.wiki.find(run).status == "pending"
    signed.use(signed.key)
    done = signed.wiki.finish(run)
    assert done.result == "landed"
    assert signed.examine(done.commit).problem == ""


def test_a_key_that_is_not_there_cannot_sign(signed: SignedWiki, tmp_path: Path) -> None:
    signed.use(tmp_path / "nowhere")
    with pytest.raises(landing.NotLanded, match="cannot sign"):
        signed.wiki.finish(signed.wiki.run())


def test_an_override_is_signed_too(signed: SignedWiki) -> None:
    run = signed.wiki.run({name(0): page(0, "the sea never moves")})
    assert signed.wiki.finish(run).result == "rejected"
    done = overriding.override(signed.wiki.context(), run.id, "we know better")
    found = signed.examine(done.commit)
    assert (found.problem, found.verdict.verdict) == ("", "commit_override")
    assert found.statement is not None
    assert "we know better" in found.statement["predicate"]["reasoning"]
    assert "Ada Writer" in found.statement["predicate"]["reasoning"]


def test_an_override_without_a_key_lands_nothing(signed: SignedWiki) -> None:
    run = signed.wiki.run({name(0): page(0, "the sea never moves")})
    signed.wiki.finish(run)
    signed.use(None)
    before = signed.wiki.ref("main")
    with pytest.raises(landing.NotLanded, match="no signing key"):
        overriding.override(signed.wiki.context(), run.id, "we know better")
    assert signed.wiki.ref("main") == before


def test_order_and_duplicates_of_lines_change_nothing(signed: SignedWiki) -> None:
    commit, verdict = signed.landed()
    lines = signed.lines(commit)
    bad = record(verdict.id, sealed({"_type": "nonsense"}, signed.other))
    for some in (lines[::-1], [*lines, *lines], [bad, *lines], [*lines, bad]):
        signed.write(commit, *some)
        assert signed.examine(commit).problem == ""
        assert {each.id for each in store.verdicts_on(signed.wiki.context(), commit)} == {verdict.id}
    assert signed.wiki.told == []


# Forgeries: each is refused, and says why.


def test_unsigned(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.write(commit, *(line for line in signed.lines(commit) if attesting.parsed(line) is None))
    found = signed.examine(commit)
    assert (found.problem, found.is_open) == ("the verdict is not signed", False)
    run = signed.wiki.find(found.verdict.run_id)
    assert proof.let_through(signed.wiki.context(), run, commit) is None
    assert any("does not count: it is not signed" in told for told in signed.wiki.told)


def test_another_namespace(signed: SignedWiki, tmp_path: Path) -> None:
    commit, _ = signed.landed()
    value = json.loads(signed.envelope(commit))
    pae = statement.pae(b64decode(value["payload"]))
    words = ["ssh-keygen", "-Y", "sign", "-n", "git", "-f", str(signed.key)]
    done = subprocess.run(words, input=pae, capture_output=True, check=True)
    value["signatures"][0]["sig"] = "".join(done.stdout.decode().split("\n")[1:-2])
    signed.replace_envelope(commit, canonical.dumps(value))
    assert signed.examine(commit).problem == "it was made in another namespace than git-assay-verdict"


def test_a_key_that_is_not_allowed(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.replace_envelope(commit, signed.forged(commit, signed.other))
    assert "is none of the allowed signers'" in signed.examine(commit).problem


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (f'{OPTIONS},valid-before="20240101Z"', "key has expired"),
        (f'{OPTIONS},valid-after="20250101Z"', "key is not yet valid"),
        ('namespaces="git"', "not permitted for use in signature namespace"),
    ],
)
def test_a_key_outside_its_window_or_namespace(
    signed: SignedWiki, commit_files: Commit, options: str, why: str
) -> None:
    commit_files(signed.wiki.folder, {ALLOWED: signer(signed.key, options)}, "Narrow the key")
    with pytest.raises(landing.NotLanded, match=why):
        signed.wiki.finish(signed.wiki.run())


@pytest.mark.slow
def test_what_was_signed_within_the_window_holds_after_it(signed: SignedWiki, commit_files: Commit) -> None:
    until = f'{OPTIONS},valid-before="20240201Z"'
    rotated = signer(signed.key, until) + signer(signed.other)
    commit_files(signed.wiki.folder, {ALLOWED: rotated}, "Rotate")
    commit, _ = signed.landed()
    signed.wiki.later(days=60)
    assert signed.examine(commit).attested.signer == "ada@example.org"
    signed.use(signed.other)
    after, _ = signed.landed(pages={name(1): page(1)})
    assert signed.examine(after).attested.signer == "eve@example.org"


def test_a_revoked_key(signed: SignedWiki, commit_files: Commit) -> None:
    commit, _ = signed.landed()
    assert signed.examine(commit).problem == ""
    commit_files(signed.wiki.folder, {REVOKED: f"{public_half(signed.key)}\n"}, "The key was stolen")
    assert signed.examine(commit).problem.endswith("of ada@example.org is revoked")
    with pytest.raises(landing.NotLanded, match="is revoked"):
        signed.wiki.finish(signed.wiki.run({name(1): page(1)}))


def test_what_a_revoked_key_signed_is_not_just_called_unsigned(signed: SignedWiki, commit_files: Commit) -> None:
    commit, verdict = signed.landed()
    told: list[str] = []
    context = replace(signed.wiki.context(), warn=told.append)
    assert examining.signers(context, [verdict]) == {verdict.id: "ada@example.org"}
    commit_files(signed.wiki.folder, {REVOKED: f"{public_half(signed.key)}\n"}, "The key was stolen")
    context = replace(signed.wiki.context(), warn=told.append)
    assert examining.signers(context, [verdict]) == {}
    [said] = told
    assert said.startswith(f"1 signature does not hold on {commit[:10]}: the key ")
    assert said.endswith("of ada@example.org is revoked")


def test_a_key_that_a_krl_revokes(signed: SignedWiki, commit_files: Commit, tmp_path: Path) -> None:
    commit, _ = signed.landed()
    krl = tmp_path / "krl"
    subprocess.run(["ssh-keygen", "-q", "-k", "-f", krl, signed.key.with_suffix(".pub")], check=True)
    commit_files(signed.wiki.folder, {REVOKED: krl.read_bytes()}, "The key was stolen")
    assert signed.examine(commit).problem.endswith("is revoked")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"from": {"gitCommit": "1" * 40}}, "from.gitCommit is signed as"),
        ({"repository": "https://example.org/other.git"}, "repository is signed as"),
        ({"target": "refs/heads/release"}, "target is signed as"),
        ({"run": "another-run"}, "run is signed as"),
        ({"to": {"gitTree": "1" * 40}}, "to.gitTree is signed as"),
        ({"head": {"gitCommit": "1" * 40}}, "head.gitCommit is signed as"),
        ({"policy": {}}, "policy.digest is missing"),
        ({"measurements": [1]}, "measurements is signed as"),
        ({"extra": True}, "extra is one too many"),
        ({"verdict": "commit_override"}, "verdict is signed as"),
        ({"record": {"sha256": "0" * 64}}, "record.sha256 is signed as"),
    ],
)
def test_a_statement_about_something_else(signed: SignedWiki, changed: dict[str, Any], why: str) -> None:
    commit, _ = signed.landed()
    signed.replace_envelope(commit, signed.forged(commit, signed.key, **changed))
    assert signed.examine(commit).problem.removeprefix("predicate.").startswith(why)


@pytest.mark.slow
def test_replayed_on_another_commit_and_on_a_reverted_tree(signed: SignedWiki) -> None:
    first, verdict = signed.landed()
    second, own = signed.landed(pages={name(1): page(1)})
    signed.replace_envelope(second, signed.envelope(first))
    assert "is signed as" in signed.examine(second).problem
    signed.write(second, *signed.lines(first))
    with pytest.raises(CannotRun, match="no verdict"):
        signed.examine(second)
    signed.wiki.git("revert", "--no-edit", "-m1", second)
    reverted = str(signed.wiki.ref("main"))
    assert signed.wiki.git("rev-parse", f"{reverted}^{{tree}}") == verdict.tree
    moved = verdict.model_copy(update={"candidate": reverted}).named()
    body = moved.record()
    signed.write(reverted, canonical.line(body.pop("summary"), body), record(moved.id, signed.envelope(first)))
    assert "for another base" in signed.examine(reverted).problem
    assert own.run_id != verdict.run_id


def test_for_another_ref(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    assert "for another target" in signed.examine(commit, "refs/heads/release").problem


def test_for_another_repository(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.wiki.git("config", "assay.repository", "https://example.org/fork.git")
    assert signed.examine(commit).problem.startswith("repository is signed as")


def test_a_changed_verdict_keeps_no_signature(signed: SignedWiki) -> None:
    commit, verdict = signed.landed()
    changed = verdict.model_copy(update={"judge": "claude/opus"}).named()
    body = changed.record()
    envelope = signed.envelope(commit)
    signed.write(commit, canonical.line(body.pop("summary"), body), record(changed.id, envelope))
    assert "is signed as" in signed.examine(commit).problem
    [line] = [line for line in signed.lines(commit) if attesting.parsed(line) is None]
    signed.write(commit, line)
    assert signed.examine(commit).problem == "the verdict is not signed"


def test_a_yes_pushed_by_somebody_else_is_not_signed_for_them(signed: SignedWiki) -> None:
    """A forged verdict that would outrank the one found here is neither landed by nor signed."""
    signed.use(signed.other)
    run = signed.wiki.run()
    with pytest.raises(landing.NotLanded) as stopped:
        signed.wiki.finish(run)
    mine = stopped.value.outcome.verdict
    assert mine is not None
    forged = mine.model_copy(update={"reasoning": "trust me", "created_at": "2024-01-02T03:05:00Z"}).named()
    body = forged.record()
    signed.write(mine.candidate, *signed.lines(mine.candidate), canonical.line(body.pop("summary"), body))
    signed.use(signed.key)
    done = signed.wiki.finish(run)
    assert done.result == "landed"
    assert done.verdict is not None
    assert done.verdict.id == mine.id
    assert signed.examine(done.commit).verdict.id == mine.id


def test_dated_in_the_future(signed: SignedWiki) -> None:
    commit, _ = signed.landed()
    signed.wiki.later(days=-1)
    assert "still to come" in signed.examine(commit).problem


def test_a_policy_that_the_change_itself_weakens(signed: SignedWiki, commit_files: Commit) -> None:
    """Who pushes a commit that turns signing off, and a change on top, is held to the policy before, and to its own."""
    signed.use(None)
    weak = signed.wiki.show("assay.toml").replace("signed = true", "signed = false")
    signed.wiki.git("switch", "--quiet", "-c", "run/weaken")
    commit_files(signed.wiki.folder, {"assay.toml": weak, ALLOWED: signer(signed.other)}, "Weaken")
    signed.wiki.git("switch", "--quiet", "main")
    with pytest.raises(CannotRun, match="no signing key"):
        signed.wiki.finish("weaken")
    signed.use(signed.key)
    assert signed.wiki.finish("weaken").result == "rejected"


def test_signers_that_the_server_names_stand_above_the_tree(signed: SignedWiki, tmp_path: Path) -> None:
    commit, _ = signed.landed()
    (tmp_path / "server").write_text(signer(signed.other))
    signed.wiki.git("config", "assay.allowedSignersFile", str(tmp_path / "server"))
    assert "is none of the allowed signers'" in signed.examine(commit).problem
    (tmp_path / "server").unlink()
    with pytest.raises(CannotRun, match="cannot be read"):
        signed.examine(commit)


def test_no_signers_at_all(make_wiki: Callable[..., Wiki], tmp_path: Path, signed: SignedWiki) -> None:
    wiki = make_wiki(POLICY, name="bare-trust")
    wiki.git("config", "assay.signingkey", str(signed.key))
    with pytest.raises(landing.NotLanded, match="nobody may sign verdicts") as error:
        wiki.finish(wiki.run())
    assert ALLOWED in error.value.hint


def test_unsigned_where_nobody_asks_is_open_and_not_valid(make_wiki: Callable[..., Wiki]) -> None:
    wiki = make_wiki(name="open")
    done = wiki.finish(wiki.run())
    from gitops.runs.examining import examine

    found = examine(wiki.context(), done.commit)
    assert found.is_open
    assert found.problem
    assert found.as_json()["valid"] is None
    assert names.VERDICTS in wiki.refs()


@pytest.mark.parametrize("style", ["literal", "public"])
@pytest.mark.slow
def test_the_agent_signs_with_a_key_whose_private_half_it_holds(
    signed: SignedWiki, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, style: str
) -> None:
    socket = tmp_path_factory.mktemp("a") / "s"
    agent = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        # The socket's file is there before anybody listens: 2 is "no agent", 1 one without keys.
        while subprocess.run(["ssh-add", "-l"], capture_output=True, check=False).returncode == 2:
            assert agent.poll() is None
        subprocess.run(["ssh-add", "-q", signed.key], check=True)
        signed.key.unlink()
        text = f"key::{public_half(signed.key)}" if style == "literal" else str(signed.key.with_suffix(".pub"))
        signed.wiki.git("config", "assay.signingkey", text)
        commit, _ = signed.landed()
        assert signed.examine(commit).problem == ""
    finally:
        agent.terminate()
        agent.wait()


class Stopped(Exception):
    """Where a test stops the world."""


def test_stopped_before_the_swap_the_same_verdict_is_taken_up_and_signed_once(signed: SignedWiki) -> None:
    def stop(step: str) -> None:
        if step == "swap":
            raise Stopped

    run = signed.wiki.run()
    with pytest.raises(Stopped):
        signed.wiki.finish(run, at_step=stop)
    candidate = signed.wiki.find(run).state.candidate
    lines = signed.lines(candidate)
    done = signed.wiki.finish(run)
    assert (done.result, done.commit) == ("landed", candidate)
    assert signed.lines(candidate) == lines
    assert len(lines) == 2


def test_a_commit_made_elsewhere_stands_by_the_verdict_that_covers_it(signed: SignedWiki) -> None:
    def stop(step: str) -> None:
        if step == "swap":
            raise Stopped

    run = signed.wiki.run()
    with pytest.raises(Stopped):
        signed.wiki.finish(run, at_step=stop)
    candidate, base = signed.wiki.find(run).state.candidate, str(signed.wiki.ref("main"))
    squashed = signed.wiki.git("commit-tree", f"{candidate}^{{tree}}", "-p", base, "-m", "Squashed by a button")
    signed.wiki.git("reset", "--quiet", "--hard", squashed)
    sweep.full(signed.wiki.context(), list(store.all_runs(signed.wiki.context()).values()))
    assert signed.wiki.find(run).status == "committed"
    found = signed.examine(squashed)
    assert (found.problem, found.attested.signer) == ("", "ada@example.org")


def test_an_unsigned_verdict_covers_no_commit_made_elsewhere(signed: SignedWiki) -> None:
    signed.use(signed.other)
    run = signed.wiki.run()
    with pytest.raises(landing.NotLanded):
        signed.wiki.finish(run)
    candidate, base = signed.wiki.find(run).state.candidate, str(signed.wiki.ref("main"))
    squashed = signed.wiki.git("commit-tree", f"{candidate}^{{tree}}", "-p", base, "-m", "Squashed by a button")
    signed.wiki.git("reset", "--quiet", "--hard", squashed)
    sweep.full(signed.wiki.context(), list(store.all_runs(signed.wiki.context()).values()))
    assert signed.wiki.find(run).status == "pending"


def test_a_verdict_on_a_base_without_a_policy_stops_nothing(signed: SignedWiki) -> None:
    commit, verdict = signed.landed()
    empty = signed.wiki.git("commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", "No policy")
    child = signed.wiki.git("commit-tree", f"{commit}^{{tree}}", "-p", empty, "-m", "A child")
    stray = verdict.model_copy(update={"candidate": child, "base": empty}).named()
    body = stray.record()
    signed.write(child, canonical.line(body.pop("summary"), body))
    run = signed.wiki.find(verdict.run_id)
    assert proof.let_through(signed.wiki.context(), run, child) is None
    assert any("do not count: there is no assay.toml" in told for told in signed.wiki.told)


def test_on_a_server_a_no_counts_that_was_found_there_and_no_other_that_nobody_signed(signed: SignedWiki) -> None:
    signed.wiki.git("config", "assay.server", "true")
    outcome = signed.wiki.finish(signed.wiki.run({name(0): page(0, "the sea never falls back")}))
    assert outcome.result == "rejected"
    own = outcome.verdict
    assert own is not None
    foreign = own.model_copy(update={"reasoning": "because"}).named()
    context = signed.wiki.context()
    assert attesting.counting(context, "", own.base, [own, foreign]) == [own]
    signed.wiki.git("config", "assay.server", "false")
    assert attesting.counting(signed.wiki.context(), "", own.base, [own, foreign]) == [own, foreign]
