"""What is signed: a verdict or another record as an in-toto Statement, in a DSSE envelope. Values only, nothing signs.

The envelope's text is read strictly: what two readers could take for two different things is refused.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gitops.canonical import digest, dumps, strict_json
from gitops.verify.verdict import Verdict

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:git-assay:verdict:v1"
RECORD = "urn:git-assay:record:v1"
"""The predicate about a record that is no verdict: an ack, an accepted regression, a measurement, a list of votes."""
PAYLOAD = "application/vnd.in-toto+json"
"""The payload type of the envelope: in-toto's own."""
MOST_SIGNATURES = 16
"""More nobody needs, and each may cost a process: who wants to sign once more adds an envelope."""
PASSES = ("commit", "commit_override")


class NotAStatement(ValueError):
    """The text is no statement of ours, or could be read in two ways; the message says which."""


class Signed(NamedTuple):
    """One signature of an envelope: whose key, and the signature's own bytes."""

    keyid: str
    signature: bytes


class Opened(NamedTuple):
    """An envelope, read: the bytes that are signed, the statement in them, and by whom."""

    payload: bytes
    statement: dict[str, Any]
    signatures: tuple[Signed, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a statement says beyond the verdict's own record. All of it can be recomputed from the repository."""

    repository: str
    """What the repository is called, by the base commit's policy or the server's configuration."""
    tree_sha256: str
    """The id that git would give the tree in a repository of sha256 format."""
    policy_path: str
    policy_sha256: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands that is no verdict: what the repository is called, which notes, on which commit."""

    repository: str
    notes: str
    commit: str


def body_digest(body: Mapping[str, Any]) -> str:
    """The sha256 of all that a record says; the untrusted summary is left out, as for its id."""
    return digest({key: value for key, value in body.items() if key not in ("id", "summary")})


def record_digest(verdict: Verdict) -> str:
    """The sha256 of all that a verdict's record says."""
    return body_digest(verdict.record())


def record_statement(body: Mapping[str, Any], place: Place, at: str) -> dict[str, Any]:
    """The in-toto Statement about a record that is no verdict, as it stands in its note; `at` is the record's moment.

    Kind and workspace are the record's own, so that it passes for no other kind and in no other workspace.
    """
    predicate = {
        "repository": place.repository,
        "workspace": body["workspace"],
        "notes": place.notes,
        "commit": {"gitCommit": place.commit},
        "kind": body["kind"],
        "record": body["id"],
        "time": at,
    }
    subject = {"name": f"{body['kind']} {body['id']}", "digest": {"sha256": body_digest(body)}}
    return {"_type": STATEMENT, "subject": [subject], "predicateType": RECORD, "predicate": predicate}


def statement(verdict: Verdict, facts: Facts) -> dict[str, Any]:
    """The in-toto Statement about one verdict: the same verdict and facts always make the same statement."""
    tree = {"gitTree": verdict.tree, "gitTreeSha256": facts.tree_sha256}
    policy = {"gitBlob": verdict.policy, "sha256": facts.policy_sha256}
    predicate = {
        "verifier": {"id": verdict.verifier},
        "timeVerified": verdict.created_at,
        "repository": facts.repository,
        "workspace": verdict.workspace,
        "run": verdict.run_id,
        "target": verdict.target,
        "from": {"gitCommit": verdict.base},
        "to": tree,
        "head": {"gitCommit": verdict.head},
        "policy": {"uri": facts.policy_path, "digest": policy},
        "judge": verdict.judge,
        "judges": [judge.model_dump() for judge in verdict.judges],
        "measurements": [each.model_dump() for each in verdict.measurements],
        "supersedes": list(verdict.supersedes),
        "verdict": verdict.verdict,
        "verificationResult": "PASSED" if verdict.verdict in PASSES else "FAILED",
        "reasoning": verdict.reasoning,
        "record": {"sha256": record_digest(verdict)},
    }
    subject = {"name": verdict.target or verdict.candidate, "digest": {"gitCommit": verdict.candidate, **tree}}
    return {"_type": STATEMENT, "subject": [subject], "predicateType": PREDICATE, "predicate": predicate}


def payload(stated: dict[str, Any]) -> bytes:
    """The bytes of a statement: canonical JSON."""
    return dumps(stated).encode()


def pae(body: bytes, payload_type: str = PAYLOAD) -> bytes:
    """DSSE's pre-authentication encoding of a payload: what the key signs."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def envelope(body: bytes, signatures: list[Signed]) -> dict[str, Any]:
    """A payload and its signatures as a DSSE envelope."""
    signed = [{"keyid": keyid, "sig": base64.b64encode(signature).decode()} for keyid, signature in signatures]
    return {"payload": base64.b64encode(body).decode(), "payloadType": PAYLOAD, "signatures": signed}


def opened(text: str, predicate: str = PREDICATE) -> Opened:
    """Read one line of an envelope with a statement of one kind. NotAStatement says what is wrong with it."""
    whole = _strict(text, "the envelope")
    if set(whole) != {"payload", "payloadType", "signatures"}:
        raise NotAStatement("the envelope is none of DSSE: it has payload, payloadType and signatures, nothing else")
    if whole["payloadType"] != PAYLOAD:
        raise NotAStatement(f"the payload is of type {whole['payloadType']!r}, not {PAYLOAD}")
    body = _bytes(whole["payload"], "the payload")
    stated = _strict(_text(body), "the statement")
    for key, wanted in (("_type", STATEMENT), ("predicateType", predicate)):
        if stated.get(key) != wanted:
            raise NotAStatement(f"the statement's {key} is {stated.get(key)!r}, not {wanted}")
    return Opened(body, stated, tuple(_signatures(whole["signatures"])))


def difference(stated: Any, expected: Any, where: str = "") -> str | None:
    """The first place at which what was signed differs from what is so; None where nothing does."""
    if isinstance(stated, dict) and isinstance(expected, dict):
        for key in sorted({*stated, *expected}, key=lambda key: (_RANK.get(key, len(_RANK)), key)):
            place = f"{where}.{key}" if where else key
            if key not in stated or key not in expected:
                return f"{place} is {'missing' if key in expected else 'one too many'}"
            if (found := difference(stated[key], expected[key], place)) is not None:
                return found
        return None
    if stated == expected and type(stated) is type(expected):
        return None
    return f"{where.removeprefix('predicate.')} is signed as {dumps(stated)}, and here it is {dumps(expected)}"


_FIRST = ("predicate", "repository", "workspace", "target", "run", "from", "to", "head", "policy", "kind", "record")
_RANK = {key: number for number, key in enumerate(_FIRST)}
"""What a person wants to hear of first, where several things differ."""


def _signatures(value: Any) -> Iterator[Signed]:
    if not isinstance(value, list) or not value:
        raise NotAStatement("the envelope bears no signature")
    if len(value) > MOST_SIGNATURES:
        raise NotAStatement(f"the envelope bears {len(value):,} signatures, more than {MOST_SIGNATURES}")
    for each in value:
        if not isinstance(each, dict) or set(each) != {"keyid", "sig"} or not isinstance(each["keyid"], str):
            raise NotAStatement("a signature of the envelope is none of DSSE: it has keyid and sig")
        yield Signed(each["keyid"], _bytes(each["sig"], "a signature"))


def _strict(text: str, what: str) -> dict[str, Any]:
    try:
        value = strict_json(text)
        if dumps(value) != text:
            raise NotAStatement(f"{what} is not canonical JSON")
    except NotAStatement:
        raise
    except ValueError as error:
        raise NotAStatement(f"{what} cannot be read: {error}") from error
    return value


def _bytes(value: Any, what: str) -> bytes:
    try:
        data = base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error) as error:
        raise NotAStatement(f"{what} is not base64: {error}") from error
    if base64.b64encode(data).decode() != value:
        raise NotAStatement(f"{what} is not canonical base64")
    return data


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise NotAStatement(f"the payload is not UTF-8 at byte {error.start}") from error
