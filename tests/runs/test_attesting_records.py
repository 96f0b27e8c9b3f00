"""What opens a gate counts only when signed, and whatever is forged about it is refused with its reason."""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest

from gitops.errors import Blocked, CannotRun
from gitops.git import notes
from gitops.runs import attesting_records, evalruns, feedback, gates, latest, measurements, names, sweep
from gitops.runs.authority import Authority
from gitops.verify import statement
from tests.runs import vouched
from tests.runs.driving import MAIN
from tests.runs.measuring import made as measured
from tests.runs.measuring import measure
from tests.runs.signed import ALLOWED, OPTIONS, REVOKED, SignedWiki, public, signer
from tests.runs.signed import signed as signed
from tests.runs.vouched import Vouched, beside, line, reenveloped, sealed

Commit = Callable[..., str]
Make = Callable[[SignedWiki], Vouched]
MAKERS: dict[str, Make] = {"ack": vouched.ack, "measurement": vouched.healthy}


@pytest.fixture(params=MAKERS)
def record(request: pytest.FixtureRequest, signed: SignedWiki) -> Vouched:
    """A record that opens the gate of ingests, signed by a key that may."""
    made = MAKERS[request.param](signed)
    assert made.opens()
    assert signed.wiki.told == []
    return made


# Forgeries: each opens nothing, and says why.


def test_unsigned(record: Vouched) -> None:
    record.write(*record.bare)
    assert record.refused("it is not signed")
    record.wiki.told.clear()
    context = record.wiki.context()
    for _ in range(2):
        with pytest.raises(Blocked):
            gates.demand_open(context, "tides", "ingest")
    assert len(record.wiki.told) == 1


def test_another_namespace(record: Vouched) -> None:
    envelope = record.envelope
    pae = statement.pae(b64decode(envelope["payload"]))
    words = ["ssh-keygen", "-Y", "sign", "-n", "git", "-f", str(record.signed.key)]
    done = subprocess.run(words, input=pae, capture_output=True, check=True)
    [signature] = envelope["signatures"]
    sig = "".join(done.stdout.decode().split("\n")[1:-2])
    record.reseal(reenveloped(envelope, signatures=[signature | {"sig": sig}]))
    assert record.refused("another namespace than git-assay-verdict")


def test_a_key_that_is_not_allowed(record: Vouched) -> None:
    record.reseal(record.forged(record.signed.other))
    assert record.refused("is none of the allowed signers'")


@pytest.mark.slow
def test_a_key_outside_its_window_or_namespace(record: Vouched, commit_files: Commit) -> None:
    for options, why in (
        (f'{OPTIONS},valid-before="20240101Z"', "key has expired"),
        (f'{OPTIONS},valid-after="20250101Z"', "key is not yet valid"),
        ('namespaces="git"', "not permitted for use in signature namespace"),
    ):
        commit_files(record.wiki.folder, {ALLOWED: signer(record.signed.key, options)}, "Narrow the key")
        assert record.refused(why), options


def test_a_revoked_key(record: Vouched, commit_files: Commit) -> None:
    commit_files(record.wiki.folder, {REVOKED: f"{public(record.signed.key)}\n"}, "The key was stolen")
    assert record.refused("of ada@example.org is revoked")


def test_nobody_is_named(record: Vouched, commit_files: Commit) -> None:
    commit_files(record.wiki.folder, {ALLOWED: None}, "Nobody signs")
    assert record.refused("nobody may sign")


OTHERWISE: list[tuple[dict[str, Any], str]] = [
    ({"repository": "https://example.org/other.git"}, "repository is signed as"),
    ({"workspace": "other"}, "workspace is signed as"),
    ({"notes": names.VERDICTS}, "notes is signed as"),
    ({"commit": {"gitCommit": "1" * 40}}, "commit.gitCommit is signed as"),
    ({"kind": "verdict"}, "kind is signed as"),
    ({"record": "1" * 40}, "record is signed as"),
    ({"time": "2020-01-01T00:00:00Z"}, "time is signed as"),
    ({"extra": True}, "extra is one too many"),
]


@pytest.mark.slow
def test_a_statement_about_something_else(record: Vouched) -> None:
    for changed, why in OTHERWISE:
        record.reseal(record.forged(record.signed.key, **changed))
        assert record.refused(why), changed


def test_for_another_repository(record: Vouched) -> None:
    record.wiki.git("config", "assay.repository", "https://example.org/fork.git")
    assert record.refused("repository is signed as")


def test_a_changed_record_keeps_no_signature(record: Vouched) -> None:
    changed = record.changed(reason="trust me")
    others = [each for each in record.bare if record.record["id"] not in each]
    record.write(*others, line(changed), beside(changed["id"], json.dumps(record.envelope)))
    assert record.refused("is signed as")


def test_the_signature_of_another_record(record: Vouched) -> None:
    other = record.changed(reason="another")
    record.reseal(record.forged(record.signed.key, other))
    assert record.refused("record is signed as")


def test_moved_to_another_workspace(record: Vouched) -> None:
    """Whoever may sign for one workspace of a repository has signed for no other."""
    authority = Authority(record.wiki.context(), "elsewhere", str(record.wiki.ref("main")))
    there = attesting_records.attested(authority, record.ref, record.commit, str(record.record["id"]))
    assert (there.signer, there.why) == ("", "it is of workspace tides, not elsewhere")
    moved = record.changed(workspace="elsewhere")
    record.write(line(moved), beside(moved["id"], json.dumps(record.envelope)))
    assert not attesting_records.attested(authority, record.ref, record.commit, moved["id"]).signer


@pytest.mark.slow
def test_moved_to_another_commit(record: Vouched) -> None:
    """An ack of a measurement of one commit, and a measurement of one, are none of another."""
    record.wiki.git("commit", "-q", "--allow-empty", "-m", "another commit")
    record.wiki.later(days=7)
    broken = measure(record.wiki, "M2", 0.5, "broken")
    assert not record.opens()
    record.write(
        *notes.read(record.wiki.context().repository, record.ref, broken.commit), *record.lines(), commit=broken.commit
    )
    assert not record.opens()
    later = {"at": broken.completed_at, "measurement": broken.id}
    later = later if "measurement" in record.record else {"completed_at": "2024-01-10T00:00:00Z"}
    moved = record.changed(commit=broken.commit, **later)
    there = notes.read(record.wiki.context().repository, record.ref, broken.commit)
    forged = beside(moved["id"], json.dumps(record.envelope))
    record.write(*there, line(moved), forged, commit=broken.commit)
    assert record.refused("record is signed as")


def test_a_verdict_s_envelope_passes_for_no_record(record: Vouched) -> None:
    stated = statement.record_statement(record.record, statement.Place("", "", ""), "")
    record.reseal(sealed(stated | {"predicateType": statement.PREDICATE}, record.signed.key))
    assert record.refused("predicateType is 'urn:git-assay:verdict:v1'")


def test_one_kind_passes_for_no_other(signed: SignedWiki) -> None:
    """A signed measurement's envelope beside an ack, and the other way round."""
    made = vouched.ack(signed)
    [other] = measurements.measurements_on(signed.wiki.context(), made.commit)
    place = statement.Place("https://example.org/tides.git", names.EVALS, made.commit)
    made.reseal(sealed(statement.record_statement(other.record(), place, other.completed_at), signed.key))
    assert made.refused("kind is signed as")


READ_IN_TWO_WAYS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "truncated": (lambda body: body[:-1], "the statement cannot be read"),
    "a name twice": (lambda body: body.replace(b"{", b'{"_type":"x",', 1), "occurs twice"),
    "not canonical": (lambda body: body.replace(b":", b": ", 1), "is not canonical JSON"),
    "not UTF-8": (lambda body: body + b"\xff", "the payload is not UTF-8"),
}


@pytest.mark.slow
def test_an_envelope_that_two_could_read_in_two_ways(record: Vouched) -> None:
    good = record.envelope
    record.reseal(reenveloped(good, payload=good["payload"][:-3]))
    assert record.refused("not base64")
    for name, (change, why) in READ_IN_TWO_WAYS.items():
        payload = b64encode(change(b64decode(good["payload"]))).decode()
        record.reseal(reenveloped(good, payload=payload))
        assert record.refused(why), name


def test_dated_in_the_future(record: Vouched) -> None:
    key = "at" if "at" in record.record else "completed_at"
    later = record.changed(**{key: "2031-01-01T00:00:00Z"})
    others = [each for each in record.bare if record.record["id"] not in each]
    record.write(*others, line(later), beside(later["id"], record.forged(record.signed.key, later)))
    assert record.refused("which is still to come")


def test_a_line_that_was_changed_vouches_for_nothing(record: Vouched) -> None:
    record.write(*(each.replace('"record_id"', '"recordid"') for each in record.lines()))
    assert record.refused("it is not signed")


# What counts.


def test_order_and_duplicates_of_lines_change_nothing(record: Vouched) -> None:
    lines = record.lines()
    bad = beside(str(record.record["id"]), sealed({"_type": "nonsense"}, record.signed.other))
    for some in (lines[::-1], [*lines, *lines], [bad, *lines], [*lines, bad]):
        record.write(*some)
        assert record.opens()
    assert record.wiki.told == []


def test_what_is_signed_stays_so_after_a_rotation(record: Vouched, commit_files: Commit) -> None:
    until = signer(record.signed.key, f'{OPTIONS},valid-before="20240201Z"') + signer(record.signed.other)
    commit_files(record.wiki.folder, {ALLOWED: until}, "Rotate")
    record.wiki.later(days=60)
    assert record.opens()


def test_ssh_keygen_is_asked_once_for_each_signature(record: Vouched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", git_alone(record))
    assert record.opens()


def test_nobody_is_asked_where_nobody_has_to_sign(
    signed: SignedWiki, monkeypatch: pytest.MonkeyPatch, commit_files: Commit
) -> None:
    policy = signed.wiki.show("assay.toml").replace("signed = true", "signed = false")
    commit_files(signed.wiki.folder, {"assay.toml": policy}, "Solo")
    measure(signed.wiki, "M2", 0.5, "broken")
    signed.wiki.later(hours=1)
    made = measure(signed.wiki, "M2", 0.95, "healthy")
    record = Vouched(signed, names.EVALS, made.commit, made.record())
    assert not any(map(attesting_records.is_one, record.lines()))
    monkeypatch.setenv("PATH", git_alone(record))
    assert record.opens()


def git_alone(record: Vouched) -> str:
    """A PATH with git on it, and without ssh-keygen."""
    folder = record.wiki.folder.parent / "bin"
    folder.mkdir()
    found = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    (folder / "git").symlink_to(found)
    return str(folder)


def test_a_no_counts_from_anybody(signed: SignedWiki) -> None:
    opening = vouched.healthy(signed)
    assert opening.opens()
    signed.wiki.later(hours=1)
    measurements.append(signed.wiki.context(), measured(signed.wiki, "M2", 0.4, "broken", run_id="forged"))
    assert not opening.opens()


def test_an_unsigned_yes_where_nothing_was_closed_holds_nothing_up(signed: SignedWiki) -> None:
    measurements.append(signed.wiki.context(), measured(signed.wiki, "M2", 0.95, "healthy"))
    gates.demand_open(signed.wiki.context(), "tides", "ingest")
    assert signed.wiki.told == []


def test_only_what_is_signed_thaws_scheduled_synthesis(signed: SignedWiki) -> None:
    context = signed.wiki.context()
    for metric in gates.FROZEN:
        measurements.append(context, measured(signed.wiki, metric, 0.97, "healthy", run_id=f"forged-{metric.lower()}"))
    with pytest.raises(Blocked, match="until M1 is healthy, and nobody who may has signed that it is"):
        gates.demand_open(context, "tides", "synthesis")
    signed.wiki.later(hours=1)
    for metric in gates.FROZEN:
        measure(signed.wiki, metric, 0.97, "healthy")
    gates.demand_open(signed.wiki.context(), "tides", "synthesis")


def test_a_signature_that_comes_after_its_record_counts(signed: SignedWiki) -> None:
    record = vouched.healthy(signed)
    lines = record.lines()
    record.write(*record.bare)
    assert not record.opens()  # and what was found is kept for this version of the notes
    context = signed.wiki.context()
    notes.append(context.repository, names.EVALS, {record.commit: lines}, "late", context.identity, context.epoch)
    assert record.opens()


@pytest.mark.slow
def test_what_is_kept_of_older_notes_comes_to_the_same_as_reading_all(signed: SignedWiki) -> None:
    kept: dict[str, latest.Latest] = {}
    for metric, value, status in (("M2", 0.5, "broken"), ("M1", 0.97, "healthy"), ("M2", 0.95, "healthy")):
        measure(signed.wiki, metric, value, status)
        signed.wiki.later(hours=1)
        kept = latest.latest(signed.wiki.context(), "tides")
        (signed.wiki.context().folder / "cache.sqlite3").unlink()
        assert latest.latest(signed.wiki.context(), "tides") == kept
    assert {name: len(each.signed) for name, each in kept.items()} == {"M1": 1, "M2": 2}


def test_only_what_is_closing_holds_anything_up() -> None:
    """So that what must be signed to be believed is all that is not."""
    assert {status for _, status in gates.BLOCKS} == {latest.CLOSING}


def test_a_signature_beside_a_measurement_is_no_mistake(signed: SignedWiki) -> None:
    record = vouched.healthy(signed)
    assert len(measurements.everything(signed.wiki.context())) == 2
    assert signed.wiki.told == []
    assert len(record.lines()) == 4


# Making them.


def test_an_ack_without_a_key_is_not_recorded(signed: SignedWiki) -> None:
    broken = measure(signed.wiki, "M2", 0.5, "broken")
    signed.use(None)
    with pytest.raises(CannotRun, match="no signing key is configured"):
        feedback.acknowledge(signed.wiki.context(), "M2", broken, "known")
    signed.use(signed.other)
    with pytest.raises(CannotRun, match=r"would not count: the key SHA256:\S+ is none of the allowed") as error:
        feedback.acknowledge(signed.wiki.context(), "M2", broken, "known")
    assert ALLOWED in error.value.hint
    assert signed.wiki.ref(names.FEEDBACK) is None


def test_a_measurement_that_cannot_be_signed_is_kept_and_opens_nothing(signed: SignedWiki) -> None:
    measure(signed.wiki, "M2", 0.5, "broken")
    signed.wiki.later(hours=1)
    signed.use(signed.other)
    with pytest.raises(CannotRun, match="M2 is measured and kept, but unsigned it opens no gate"):
        measure(signed.wiki, "M2", 0.95, "healthy")
    assert len(measurements.everything(signed.wiki.context())) == 2
    with pytest.raises(Blocked):
        gates.demand_open(signed.wiki.context(), "tides", "ingest")


@pytest.mark.slow
def test_nothing_is_measured_without_a_key(signed: SignedWiki) -> None:
    signed.use(None)
    done = signed.wiki.assay("eval", "run", "--metric", "M6")
    assert (done.returncode, signed.wiki.ref(names.EVALS)) == (3, None)
    assert "no signing key is configured" in done.stderr
    assert signed.wiki.assay("eval", "run", "--metric", "M6", "--no-keep").returncode in (0, 3)


@pytest.mark.slow
def test_the_commands_sign_and_the_report_says_who(signed: SignedWiki) -> None:
    broken = measure(signed.wiki, "M2", 0.5, "broken")
    done = signed.wiki.assay("eval", "ack", "M2", "--reason", "known")
    assert done.returncode == 0, done.stderr
    told = json.loads(signed.wiki.assay("eval", "report", "--json").stdout)
    [ack] = told["acks"]
    assert told["ack_signers"] == {ack["id"]: "ada@example.org"}
    by = {one["id"]: one["signed_by"] for one in told["metrics"] if one["measurement"] is not None}
    assert by == {"M2": "ada@example.org"}
    said = signed.wiki.assay("eval", "report").stdout
    assert "signed by ada@example.org" in said
    forged = measured(signed.wiki, "M2", 0.99, "healthy", run_id="forged", completed_at="2024-01-02T04:00:00Z")
    signed.wiki.later(hours=2)
    measurements.append(signed.wiki.context(), forged)
    vouched.write(
        signed.wiki,
        names.FEEDBACK,
        broken.commit,
        line(feedback.acks_on(signed.wiki.context(), broken.commit)[0].record()),
    )
    after = signed.wiki.assay("eval", "report")
    assert "not signed: it does not count" in after.stdout
    assert "does not count: it is not signed" in after.stderr
    assert signed.wiki.assay("status").returncode == 0


def test_what_speaks_of_no_gate_needs_no_signature(signed: SignedWiki) -> None:
    signed.use(None)
    for fields in ({"kind": "verifier"}, {"subject": {"is_past": True, "moment": "2020-01-01T00:00:00Z"}}):
        evalruns.record(
            signed.wiki.context(), signed.wiki.workspace(), measured(signed.wiki, "M2", 0.9, "healthy", **fields)
        )
    evalruns.record(signed.wiki.context(), signed.wiki.workspace(), measured(signed.wiki, "M2", None, "not_measured"))
    assert not any(
        map(
            attesting_records.is_one,
            notes.read(signed.wiki.context().repository, names.EVALS, str(signed.wiki.ref(MAIN))),
        )
    )


# Accepted regressions.


def accepted(signed: SignedWiki, **how: Any) -> tuple[str, str]:
    """The head of a change that somebody accepts, and its base."""
    head = str(signed.wiki.ref(MAIN))
    base = signed.wiki.ref("main~1") or head
    feedback.accept_regression(signed.wiki.context(), signed.wiki.workspace(), head, "it is worth it", base=base, **how)
    return head, base


def test_an_accepted_regression_counts_where_it_is_signed(signed: SignedWiki) -> None:
    signed.wiki.git("commit", "-q", "--allow-empty", "-m", "a change")
    head, base = accepted(signed, metrics=("M1", "M1", "M5"), label="benchmark:accept-regression")
    [found] = feedback.accepted_on(signed.wiki.context(), head, base)
    assert (found.metrics, found.reason, found.by.name) == (("M1", "M5"), "it is worth it", "Ada Writer")
    assert (found.base, found.label) == (base, "benchmark:accept-regression")
    assert feedback.acks_on(signed.wiki.context(), head) == []
    context = signed.wiki.context()
    there = notes.read(context.repository, names.FEEDBACK, head)
    vouched.write(signed.wiki, names.FEEDBACK, head, *(each for each in there if not attesting_records.is_one(each)))
    assert feedback.accepted_on(context, head, base) == []
    assert any("the accepted regression" in told and "it is not signed" in told for told in signed.wiki.told)


def test_the_change_itself_does_not_say_who_may_accept(signed: SignedWiki, commit_files: Commit) -> None:
    """Accepted under the policy of the change, which asks for no signature, it counts for nothing under its base's."""
    base = str(signed.wiki.ref(MAIN))
    weak = signed.wiki.show("assay.toml").replace("signed = true", "signed = false")
    head = commit_files(signed.wiki.folder, {"assay.toml": weak}, "Weaken")
    signed.use(None)
    context = signed.wiki.context()
    feedback.accept_regression(context, signed.wiki.workspace(), head, "trust me", base=head)
    assert len(feedback.accepted_on(context, head, head)) == 1
    assert feedback.accepted_on(context, head, base) == []


# On a server, whatever the policy says.


@pytest.fixture
def server(signed: SignedWiki, commit_files: Commit) -> SignedWiki:
    policy = signed.wiki.show("assay.toml").replace("signed = true", "signed = false")
    commit_files(signed.wiki.folder, {"assay.toml": policy, ALLOWED: None}, "Solo")
    signed.use(None)
    return signed


def test_on_a_server_an_unsigned_record_opens_nothing(server: SignedWiki) -> None:
    record = vouched.ack(server)
    assert record.opens()
    server.wiki.git("config", "assay.server", "true")
    assert record.refused("it is not signed")
    with pytest.raises(CannotRun, match="no signing key"):
        vouched.ack(server)


def test_on_a_server_what_was_measured_there_counts(server: SignedWiki) -> None:
    server.wiki.git("config", "assay.server", "true")
    made = vouched.healthy(server)
    assert made.opens()
    server.wiki.later(hours=1)
    measurements.append(server.wiki.context(), measured(server.wiki, "M2", 0.5, "broken"))
    server.wiki.later(hours=1)
    forged = measurements.append(server.wiki.context(), measured(server.wiki, "M2", 0.99, "healthy"))
    assert Vouched(server, names.EVALS, forged.commit, forged.record()).refused("it is not signed")


def test_on_a_server_a_key_that_may_not_sign_hinders_no_measurement(server: SignedWiki) -> None:
    server.wiki.git("config", "assay.server", "true")
    server.use(server.other)
    made = vouched.healthy(server)
    assert any("is not signed: the signature would not count" in told for told in server.wiki.told)
    assert made.opens()


def test_a_server_s_own_signers_are_believed(server: SignedWiki) -> None:
    allowed = server.wiki.folder.parent / "allowed"
    allowed.write_text(signer(server.key))
    server.wiki.git("config", "assay.server", "true")
    server.wiki.git("config", "assay.allowedSignersFile", str(allowed))
    server.use(server.key)
    assert vouched.ack(server).opens()
    assert server.wiki.told == []


def test_a_policy_that_cannot_be_read_lets_nothing_unsigned_count(signed: SignedWiki, commit_files: Commit) -> None:
    record = vouched.ack(signed)
    commit_files(signed.wiki.folder, {"assay.toml": "[trust\n"}, "Break the policy")
    assert not record.opens()


# On their way into a repository.


def test_a_line_of_a_push_that_vouches_for_what_is_not_there_or_is_not_so_is_told(record: Vouched) -> None:
    context, lines = record.wiki.context(), record.lines()
    [mine] = [each for each in lines if record.record["id"] in attesting_records.signed_in([each])]

    def said(text: str, *there: str) -> str:
        return attesting_records.objection(context, record.ref, record.commit, text, there)

    assert said(mine, *lines) == ""
    assert said(mine) == "the record that it signs does not stand beside it"
    assert said(mine.replace("assay/attestation/1", "assay/attestation/2"), *lines) == "it is no signature of a record"
    wrong = beside(str(record.record["id"]), record.forged(record.signed.key, time="2020-01-01T00:00:00Z"))
    assert said(wrong, *lines).startswith("the signature does not hold: ")


def test_sweeping_tells_nothing_of_signatures(record: Vouched) -> None:
    assert sweep.full(record.wiki.context(), []) == []
    assert record.wiki.told == []
