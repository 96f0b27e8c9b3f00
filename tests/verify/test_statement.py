from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from gitops import canonical
from gitops.verify import statement
from gitops.verify.statement import Facts, NotAStatement, Place, Signed
from gitops.verify.verdict import Verdict

FACTS = Facts("https://example.org/w.git", "5" * 64, "assay.toml", "6" * 64)


def verdict(**fields: Any) -> Verdict:
    known = {"workspace": "w", "base": "b" * 40, "head": "d" * 40, "tree": "e" * 40, "candidate": "c" * 40}
    told = {"policy": "a" * 40, "verifier": "git-assay/1", "verdict": "commit", "reasoning": "fine", "run_id": "r01"}
    made: dict[str, Any] = {"summary": "x", "created_at": "2024-01-02T03:04:05Z", **known, **told, **fields}
    return Verdict(**made).named()


def envelope(**fields: Any) -> dict[str, Any]:
    body = statement.payload(statement.statement(verdict(), FACTS))
    return statement.envelope(body, [Signed("SHA256:x", b"signature")]) | fields


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def test_what_is_signed_is_dsse_s_own_encoding() -> None:
    # The example of the DSSE protocol's own text.
    assert statement.pae(b"hello world", "http://example.com/HelloWorld") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_a_statement_comes_back_as_it_was() -> None:
    stated = statement.statement(verdict(), FACTS)
    found = statement.opened(canonical.dumps(envelope()))
    assert (found.statement, found.signatures) == (stated, (Signed("SHA256:x", b"signature"),))
    assert found.payload == statement.payload(stated)
    assert stated["_type"] == "https://in-toto.io/Statement/v1"
    assert "\n" not in canonical.dumps(envelope())


ACK = {"kind": "ack", "id": "1" * 40, "workspace": "w", "reason": "known", "at": "2024-01-02T03:04:05Z", "summary": "x"}
PLACE = Place("https://example.org/w.git", "refs/notes/assay/feedback", "c" * 40)


def test_a_record_that_is_no_verdict_is_stated_with_its_place_and_without_its_summary() -> None:
    stated = statement.record_statement(ACK, PLACE, ACK["at"])
    assert stated["predicateType"] == statement.RECORD
    assert stated["subject"] == [{"name": f"ack {'1' * 40}", "digest": {"sha256": statement.body_digest(ACK)}}]
    assert stated["predicate"] == {
        "repository": PLACE.repository,
        "workspace": "w",
        "notes": PLACE.notes,
        "commit": {"gitCommit": PLACE.commit},
        "kind": "ack",
        "record": "1" * 40,
        "time": "2024-01-02T03:04:05Z",
    }
    assert statement.record_statement({**ACK, "summary": "y"}, PLACE, ACK["at"]) == stated
    assert statement.record_statement({**ACK, "reason": "z"}, PLACE, ACK["at"]) != stated


def test_a_statement_of_one_kind_is_none_of_the_other() -> None:
    body = statement.payload(statement.record_statement(ACK, PLACE, ACK["at"]))
    text = canonical.dumps(statement.envelope(body, [Signed("SHA256:x", b"signature")]))
    assert statement.opened(text, statement.RECORD).payload == body
    with pytest.raises(NotAStatement, match="predicateType is 'urn:git-assay:record:v1'"):
        statement.opened(text)
    with pytest.raises(NotAStatement, match="predicateType is 'urn:git-assay:verdict:v1'"):
        statement.opened(canonical.dumps(envelope()), statement.RECORD)


def test_every_field_of_a_verdict_s_record_is_bound_and_the_summary_is_not() -> None:
    one = statement.record_digest(verdict())
    assert statement.record_digest(verdict(reasoning="not so fine")) != one
    assert statement.record_digest(verdict(tokens_used={"input": 1, "output": 0, "usd": 0.0})) != one
    assert statement.record_digest(verdict(summary="another")) == one


@pytest.mark.parametrize(
    ("decision", "result"),
    [("commit", "PASSED"), ("commit_override", "PASSED"), ("reject", "FAILED"), ("revise", "FAILED")],
)
def test_only_what_may_land_has_passed(decision: str, result: str) -> None:
    stated = statement.statement(verdict(verdict=decision), FACTS)
    assert stated["predicate"]["verificationResult"] == result


BODY = canonical.dumps(statement.statement(verdict(), FACTS))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the envelope cannot be read"),
        (canonical.dumps(envelope())[:-9], "the envelope cannot be read"),
        (json.dumps(envelope()), "the envelope is not canonical JSON"),
        (canonical.dumps(envelope())[:-1] + ',"payload":"e30="}', "a name occurs twice"),
        ("[" * 100_000, "nested too deeply"),
        (canonical.dumps(envelope(more=1)), "none of DSSE"),
        (canonical.dumps(envelope(payloadType="text/plain")), "of type 'text/plain'"),
        (canonical.dumps(envelope(payload=7)), "the payload is not base64"),
        (canonical.dumps(envelope(payload=encoded(BODY) + "\n")), "base64"),
        (canonical.dumps(envelope(payload="e31=")), "not canonical base64"),
        (canonical.dumps(envelope(payload="/w==")), "not UTF-8"),
        (canonical.dumps(envelope(payload=encoded(BODY[:-4]))), "the statement cannot be read"),
        (canonical.dumps(envelope(payload=encoded(BODY + " "))), "the statement is not canonical JSON"),
        (canonical.dumps(envelope(payload=encoded(BODY[:-1] + ',"_type":"x"}'))), "a name occurs twice"),
        (canonical.dumps(envelope(payload=encoded(BODY.replace("Statement/v1", "Statement/v0")))), "_type is"),
        (canonical.dumps(envelope(payload=encoded(BODY.replace("verdict:v1", "verdict:v2")))), "predicateType is"),
        (canonical.dumps(envelope(signatures=[])), "bears no signature"),
        (canonical.dumps(envelope(signatures=[{"sig": "eA=="}])), "keyid and sig"),
        (canonical.dumps(envelope(signatures=[{"keyid": "x", "sig": "?"}])), "a signature is not base64"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotAStatement, match=why):
        statement.opened(text)


def test_the_first_difference_is_told_with_both_sides() -> None:
    one, other = ({"predicate": {"from": {"gitCommit": value}, "z": value}} for value in ("a", "b"))
    assert statement.difference(one, one) is None
    assert statement.difference(one, other) == 'from.gitCommit is signed as "a", and here it is "b"'
    assert statement.difference({"a": 1}, {"a": True}) == "a is signed as 1, and here it is true"
    assert statement.difference({}, {"a": 1}) == "a is missing"
