"""Signed records that are no verdicts: acks, accepted regressions, measurements, lists of votes.

A signature is a line of its own beside the record, in the same note, as that of a verdict is: a record's id does not
hang on who signed it, and neither order nor duplicates of lines change anything. It is about this record alone: of
this kind, on this commit, in these notes, of this workspace and repository.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gitops import canonical
from gitops.canonical import dumps, strict_json
from gitops.errors import CannotRun
from gitops.git import notes, signing
from gitops.git.signing import Invalid
from gitops.runs import trusting
from gitops.runs.attesting import KIND, SCHEMA, Standing
from gitops.runs.context import Context, epoch_of
from gitops.runs.grounds import Ground
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import NotAStatement, Opened, Place, Signed
from gitops.verify.verdict import Verdict

_MARK = f'"kind":"{KIND}"'
_MADE_HERE = "made here"
_EARLY_S = 300
"""By how much the clock of who signed may be ahead of this one."""


def demand_key(ground: Ground) -> None:
    """CannotRun, before anything is spent, where the policy asks for signatures and there is no key."""
    if ground.wants_signed:
        signing.demand_key(ground.context.repository)


def beside(ground: Ground, ref: str, commit: str, body: Mapping[str, Any], *, must: bool = False) -> list[str]:
    """The line that vouches for a record about to be written; none where nobody asks for one.

    Where the policy asks for one, there has to be one, and wherever records count by it if one `must` be: CannotRun
    where no key is there, or none that counts. On a server whose policy asks for none, one is made where it can be.
    """
    if not ground.is_strict:
        return []
    repository, demanded = ground.context.repository, must or ground.wants_signed
    if not demanded and signing.configured_key(repository) is None:
        return []
    try:
        return [_signed(ground, ref, commit, body, signing.demand_key(repository))]
    except CannotRun as error:
        if demanded:
            raise
        ground.context.warn_once(f"{body['kind']} {body['id'][:10]} is not signed: {error.message}")
        return []


def counts(ground: Ground, ref: str, commit: str, record_id: str, what: str) -> bool:
    """Whether a record counts: where signatures are demanded, if one of them holds. That it does not is told once.

    What was measured on a server whose policy asks for no signatures counts there: it need not be measured again.
    """
    if not ground.is_strict or (not ground.wants_signed and _is_made_here(ground, record_id)):
        return True
    found = standing(ground, ref, commit, record_id)
    if not found.signer:
        ground.context.warn_once(f"{what} does not count: {found.why or 'it is not signed'}")
    return bool(found.signer)


def remember(ground: Ground, record_id: str) -> None:
    """Remember that a record was made here, where that is what lets it count."""
    if ground.is_strict and not ground.wants_signed:
        with ground.context.caching() as cache:
            cache.put(_MADE_HERE, "1", record_id, b"")


def _is_made_here(ground: Ground, record_id: str) -> bool:
    with ground.context.caching() as cache:
        return cache.get(_MADE_HERE, "1", record_id) is not None


def standing(ground: Ground, ref: str, commit: str, record_id: str) -> Standing:
    """Who signed a record, or why no signature beside it holds; both empty where nobody did."""
    lines = notes.read(ground.context.repository, ref, commit)
    body = _body(lines, record_id)
    if body is None:
        return Standing("", "there is no such record")
    refused = Standing()
    for envelope in sorted(_envelopes(lines, record_id)):
        try:
            return Standing(_verified(ground, ref, commit, body, envelope), "", envelope)
        except Invalid as error:
            refused = refused if refused.why else Standing("", str(error), envelope)
    return refused


def objection(context: Context, ref: str, commit: str, text: str, lines: Iterable[str]) -> str:
    """Why a line that vouches for a record may not come into the note on a commit that would then hold `lines`.

    '' where it says what stands there. Whose key signed it is asked where the record is to count, by the policy then.
    """
    value = parsed(text)
    if value is None:
        return "it is no signature of a record"
    body = _body(lines, value["record_id"])
    if body is None:
        return "the record that it signs does not stand beside it"
    ground = Ground(context, str(body["workspace"]))
    if ground.problem:  # a workspace that comes with the same push: nothing to hold it to, and it counts nowhere yet
        return ""
    try:
        _read(ground, ref, commit, body, dumps(value["envelope"]))
    except Invalid as error:
        return f"the signature does not hold: {error}"
    return ""


def vouched_in(lines: Iterable[str]) -> set[str]:
    """The ids of the records that some lines are said to vouch for, whether that holds or not."""
    found = (parsed(line) for line in lines if _MARK in line)
    return {value["record_id"] for value in found if value is not None}


def is_one(line: str) -> bool:
    """Whether a line vouches for a record."""
    return _MARK in line and parsed(line) is not None


def parsed(line: str) -> dict[str, Any] | None:
    """The line that vouches for a record, or None: one that was changed does not bear its own id and is none."""
    try:
        value = strict_json(line)
    except ValueError:
        return None
    fits = value.get("kind") == KIND and value.get("id") == id_of(value) and isinstance(value.get("envelope"), dict)
    return value if fits and isinstance(value.get("record_id"), str) else None


def _signed(ground: Ground, ref: str, commit: str, body: Mapping[str, Any], key: str) -> str:
    stated = statement.payload(_stated(ground, ref, commit, body))
    signature = signing.sign(key, statement.pae(stated))
    keyid = signing.fingerprint(signature)
    envelope = statement.envelope(stated, [Signed(keyid, signature)])
    try:
        who = _verified(ground, ref, commit, body, dumps(envelope))
    except Invalid as error:
        hint = f"use a key that {ground.signers_path} names at {ground.commit[:10]}, or let its owners add this one"
        raise CannotRun(f"the signature would not count: {error}", hint) from error
    line: dict[str, Any] = {"envelope": envelope, "kind": KIND, "record_id": body["id"], "schema": SCHEMA}
    return canonical.line(f"signed by {who} with {keyid}", line | {"id": id_of(line)})


def _stated(ground: Ground, ref: str, commit: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return statement.record_statement(body, Place(ground.repository, ref, commit), moment(body))


def moment(body: Mapping[str, Any]) -> str:
    """When a record says that it was made: what the windows of keys are held against."""
    return str(body.get("at") or body.get("completed_at") or "")


def _verified(ground: Ground, ref: str, commit: str, body: Mapping[str, Any], envelope: str) -> str:
    """Who signed a record: the statement says what stands here, and the key was allowed to sign it. Else Invalid."""
    if body["workspace"] != ground.workspace:
        raise Invalid(f"it is of workspace {body['workspace']}, not {ground.workspace}")
    return _signer(ground, *_read(ground, ref, commit, body, envelope))


def _read(ground: Ground, ref: str, commit: str, body: Mapping[str, Any], envelope: str) -> tuple[Opened, int]:
    """An envelope whose statement says what stands here, and the record's moment. Else Invalid."""
    if ground.problem:
        raise Invalid(ground.problem)
    try:
        opened = statement.opened(envelope, statement.RECORD)
        at = epoch_of(moment(body))
    except NotAStatement as error:
        raise Invalid(str(error)) from error
    except ValueError as error:
        raise Invalid(f"it bears no moment: {error}") from error
    if (found := statement.difference(opened.statement, _stated(ground, ref, commit, body))) is not None:
        raise Invalid(found)
    if at > ground.context.epoch + _EARLY_S:
        raise Invalid(f"it is dated {moment(body)}, which is still to come")
    return opened, at


def _signer(ground: Ground, opened: Opened, at: int) -> str:
    """The first signer whose signature holds. What came of it is remembered, by all that it hangs on."""
    data, refused = statement.pae(opened.payload), ""
    trusted = _trusted(ground)
    with ground.context.caching() as cache:
        for _, signature in opened.signatures:
            parts = [data, signature, trusted.allowed, *trusted.revoked]
            key = canonical.digest([*(canonical.sha256(part) for part in parts), at])
            kept = cache.get("voucher", "1", key)
            told = strict_json(kept.decode()) if kept is not None else _looked_up(data, signature, trusted, at)
            if kept is None:
                cache.put("voucher", "1", key, dumps(told).encode())
            if told["who"]:
                return str(told["who"])
            refused = refused or str(told["why"])
    raise Invalid(refused)


def _looked_up(data: bytes, signature: bytes, trusted: signing.Trusted, at: int) -> dict[str, Any]:
    try:
        return {"who": signing.verify(data, signature, trusted, at), "why": ""}
    except Invalid as error:
        return {"who": "", "why": str(error)}


def _trusted(ground: Ground) -> signing.Trusted:
    # No more of a verdict is asked than its base and its target; the keys revoked at the base itself are the latest.
    asked = Verdict.model_construct(base=ground.commit, target="")
    try:
        return trusting.trusted(ground.context, ground.root, asked)
    except CannotRun as error:  # nobody is named: then nothing is signed by one who may
        raise Invalid(error.message) from error


def _body(lines: Iterable[str], record_id: str) -> dict[str, Any] | None:
    """The record of that id among the lines of a note, whole."""
    for line in lines:
        if record_id not in line or _MARK in line:
            continue
        try:
            value = strict_json(line)
        except ValueError:
            continue  # who reads the records names such a line
        if value.get("id") == record_id == id_of(value) and "workspace" in value and "kind" in value:
            return value
    return None


def _envelopes(lines: Iterable[str], record_id: str) -> list[str]:
    """The envelopes among the lines of a note that are said to be of one record, as canonical text."""
    found = (parsed(line) for line in lines if _MARK in line and record_id in line)
    return [dumps(value["envelope"]) for value in found if value is not None and value["record_id"] == record_id]
