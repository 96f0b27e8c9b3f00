"""Signed records that are no verdicts, pushed: taken where the signature says what stands there, and counted there."""

from __future__ import annotations

import pytest

from gitops.errors import Blocked
from gitops.runs import attesting_records, gates, names
from gitops.runs.records import id_of
from tests.runs import vouched
from tests.runs.driving import Wiki
from tests.runs.measuring import measure
from tests.runs.receiving.pushes import NOTES, Served
from tests.runs.signed import SignedWiki
from tests.runs.vouched import Vouched, beside

pytestmark = pytest.mark.slow
VERDICTS, EVALS, RUNS = (f"{ref}:{ref}" for ref in (names.VERDICTS, names.EVALS, names.RUNS))


def test_a_signature_of_a_record_that_is_said_otherwise_is_refused(served: Served) -> None:
    record: Vouched = vouched.ack(served.signed)
    record.reseal(record.forged(served.signed.key, time="2020-01-01T00:00:00Z"))
    assert "the signature does not hold: time is signed as" in served.refuses(NOTES)


@pytest.mark.parametrize("kind", ["ack", "measurement", "votes"])
def test_a_record_by_a_key_that_may_not_sign_is_refused(served: Served, kind: str) -> None:
    """In the same push as the commit that it is on, or after it."""
    record = {"ack": vouched.ack, "measurement": vouched.healthy, "votes": _votes}[kind](served.signed)
    record.reseal(record.forged(served.signed.other))
    assert "none of the allowed signers'" in served.refuses("main", NOTES)
    assert "none of the allowed signers'" in served.refuses(NOTES)
    record.reseal(record.forged(served.signed.key))
    served.takes(NOTES)


def test_a_record_that_nobody_signed_is_taken_and_opens_nothing(served: Served) -> None:
    record = vouched.ack(served.signed)
    record.write(*record.bare)
    served.takes(NOTES)
    with pytest.raises(Blocked):
        gates.demand_open(Wiki(served.folder, now=served.wiki.now).context(), "tides", "ingest")


def test_a_signature_without_its_record_is_refused(served: Served) -> None:
    record = vouched.healthy(served.signed)
    record.write(*(each for each in record.lines() if attesting_records.is_one(each)))
    assert "the record that it signs does not stand beside it" in served.refuses(EVALS)


def test_a_landing_that_rests_on_a_measurement_which_is_not_there_is_refused(served: Served) -> None:
    measure(served.wiki, "M2", 0.95, "healthy")
    served.unverified()
    assert "which is not in the notes" in served.refuses("main", VERDICTS, RUNS)
    served.takes("main", VERDICTS, RUNS, EVALS)


def test_what_is_signed_counts_on_the_server_and_what_is_not_does_not(served: Served) -> None:
    opening = vouched.ack(served.signed)
    served.takes(NOTES)
    server = Wiki(served.folder, now=served.wiki.now)
    gates.demand_open(server.context(), "tides", "ingest")
    assert server.told == []
    vouched.write(server, names.FEEDBACK, opening.commit, *opening.bare)
    with pytest.raises(Blocked):
        gates.demand_open(server.context(), "tides", "ingest")
    forged = beside(str(opening.record["id"]), opening.forged(served.signed.other))
    vouched.write(server, names.FEEDBACK, opening.commit, *opening.bare, forged)
    with pytest.raises(Blocked):
        gates.demand_open(server.context(), "tides", "ingest")


def _votes(signed: SignedWiki) -> Vouched:
    """A list of votes, as a landing leaves one beside its verdict."""
    commit = str(signed.wiki.ref("main"))
    body: dict[str, object] = {
        "kind": "judgements",
        "schema": "assay/judgements/1",
        "summary": "2 votes",
        "workspace": "tides",
    }
    body |= {"at": signed.wiki.context().now, "candidate": commit, "votes": ["1" * 64, "2" * 64]}
    made = Vouched(signed, names.VERDICTS, commit, body | {"id": id_of(body)})
    made.write(vouched.line(made.record))
    return made
