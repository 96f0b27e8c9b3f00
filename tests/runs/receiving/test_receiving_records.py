"""Signed records that are no verdicts, pushed: taken where the signature says what stands there, and counted there."""

from __future__ import annotations

import pytest

from gitops.errors import Blocked
from gitops.runs import gates, names, vouching
from tests.runs import vouched
from tests.runs.driving import Wiki
from tests.runs.measuring import measure
from tests.runs.receiving.pushes import NOTES, Served
from tests.runs.vouched import Vouched, beside

pytestmark = pytest.mark.slow
VERDICTS, EVALS, RUNS = (f"{ref}:{ref}" for ref in (names.VERDICTS, names.EVALS, names.RUNS))


def test_a_signature_of_a_record_that_is_said_otherwise_is_refused(served: Served) -> None:
    record: Vouched = vouched.ack(served.signed)
    record.reseal(record.forged(served.signed.key, time="2020-01-01T00:00:00Z"))
    assert "the signature does not hold: time is signed as" in served.refuses(NOTES)


def test_a_signature_without_its_record_is_refused(served: Served) -> None:
    record = vouched.healthy(served.signed)
    record.write(*(each for each in record.lines() if vouching.is_one(each)))
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
