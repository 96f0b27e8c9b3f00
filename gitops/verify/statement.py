"""What is signed: a verdict as an in-toto Statement, in a DSSE envelope. Values only; nothing here signs.

The envelope's text is read strictly: what two readers could take for two different things is refused.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gitops.canonical import digest, dumps, strict_json
from gitops.verify.verdict import Verdict

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:git-assay:verdict:v1"
PAYLOAD = "application/vnd.in-toto+json"
"""The payload type of the envelope: in-toto's own."""
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


def record_digest(verdict: Verdict) -> str:
    """The sha256 of all that a verdict's record says; the untrusted summary is left out, as for its id."""
    body = verdict.record()
    return digest({key: value for key, value in body.items() if key not in ("id", "summary")})


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
        "measurements": [],
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


def opened(text: str) -> Opened:
    """Read one line of an envelope. NotAStatement says what is wrong with it."""
    whole = _strict(text, "the envelope")
    if set(whole) != {"payload", "payloadType", "signatures"}:
        raise NotAStatement("the envelope is none of DSSE: it has payload, payloadType and signatures, nothing else")
    if whole["payloadType"] != PAYLOAD:
        raise NotAStatement(f"the payload is of type {whole['payloadType']!r}, not {PAYLOAD}")
    body = _bytes(whole["payload"], "the payload")
    stated = _strict(_text(body), "the statement")
    for key, wanted in (("_type", STATEMENT), ("predicateType", PREDICATE)):
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


_FIRST = ("predicate", "repository", "target", "run", "from", "to", "head", "policy", "record")
_RANK = {key: number for number, key in enumerate(_FIRST)}
"""What a person wants to hear of first, where several things differ."""


def _signatures(value: Any) -> Iterator[Signed]:
    if not isinstance(value, list) or not value:
        raise NotAStatement("the envelope bears no signature")
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
