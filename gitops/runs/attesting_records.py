"""Signed records that are no verdicts: acks, accepted regressions, renewed sources, measurements, votes.

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
from gitops.git import notes, objects, signing
from gitops.git.signing import Invalid
from gitops.runs import checked_signatures, trusting
from gitops.runs.attesting import EARLY_S, KIND, SCHEMA, Attested
from gitops.runs.authority import Authority
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import NotAStatement, Opened, Place, Signed

_MARK = f'"kind":"{KIND}"'
_MADE_HERE = "made here"


def demand_key(authority: Authority) -> None:
    """CannotRun, before anything is spent, where the policy asks for signatures and there is no key."""
    if authority.wants_signed:
        signing.demand_key(authority.context.repository)


def beside(authority: Authority, ref: str, commit: str, body: Mapping[str, Any], *, must: bool = False) -> list[str]:
    """The line with the signature of a record about to be written; none where nobody asks for one.

    Where the policy asks for one, there has to be one, and wherever records count by it if one `must` be: CannotRun
    where no key is there, or none that counts. On a server whose policy asks for none, one is made where it can be.
    """
    if not authority.is_strict:
        return []
    repository, demanded = authority.context.repository, must or authority.wants_signed
    if not demanded and signing.configured_key(repository) is None:
        return []
    try:
        return [_signed(authority, ref, commit, body, signing.demand_key(repository))]
    except CannotRun as error:
        if demanded:
            raise
        authority.context.warn_once(f"{body['kind']} {body['id'][:10]} is not signed: {error.message}")
        return []


def counts(authority: Authority, ref: str, commit: str, record_id: str, what: str) -> bool:
    """Whether a record counts: where signatures are demanded, if one of them holds. That it does not is told once.

    What was measured on a server whose policy asks for no signatures counts there: it need not be measured again.
    """
    if not authority.is_strict or (not authority.wants_signed and _is_made_here(authority, record_id)):
        return True
    found = attested(authority, ref, commit, record_id)
    if not found.signer:
        authority.context.warn_once(f"{what} does not count: {found.why or 'it is not signed'}")
    return bool(found.signer)


def remember(authority: Authority, record_id: str) -> None:
    """Remember that a record was made here, where that is what lets it count."""
    if authority.is_strict and not authority.wants_signed:
        with authority.context.caching() as cache:
            cache.put(_MADE_HERE, "1", record_id, b"")


def _is_made_here(authority: Authority, record_id: str) -> bool:
    with authority.context.caching() as cache:
        return cache.get(_MADE_HERE, "1", record_id) is not None


def attested(authority: Authority, ref: str, commit: str, record_id: str) -> Attested:
    """Who signed a record, or why no signature beside it holds; both empty where nobody did."""
    lines = notes.read(authority.context.repository, ref, commit)
    body = _body(lines, record_id)
    if body is None:
        return Attested("", "there is no such record")
    refused = Attested()
    for envelope in sorted(_envelopes(lines, record_id)):
        try:
            return Attested(_verified(authority, ref, commit, body, envelope), "", envelope)
        except Invalid as error:
            refused = refused if refused.why else Attested("", str(error), envelope)
    return refused


def objection(context: Context, ref: str, commit: str, text: str, lines: Iterable[str]) -> str:
    """Why a line with the signature of a record may not come into the note on a commit that would then hold `lines`.

    '' where it says what stands there and, as far as anybody is named who may sign, one of them did. Of a commit that
    is not here yet, that is asked where the record is to count, by the policy then.
    """
    value = parsed(text)
    if value is None:
        return "it is no signature of a record"
    body = _body(lines, value["record_id"])
    if body is None:
        return "the record that it signs does not stand beside it"
    authority = Authority(context, str(body["workspace"]))
    if authority.problem:  # a workspace that comes with the same push: nothing to hold it to, and it counts nowhere yet
        return ""
    try:
        opened, at = _read(authority, ref, commit, body, dumps(value["envelope"]))
        if objects.exists(context.repository, commit) and _are_named(authority):
            checked_signatures.signer(context, opened, _trusted(authority), at)
    except Invalid as error:
        return f"the signature does not hold: {error}"
    return ""


def signed_in(lines: Iterable[str]) -> set[str]:
    """The ids of the records that some lines are said to sign, whether that holds or not."""
    found = (parsed(line) for line in lines if _MARK in line)
    return {value["record_id"] for value in found if value is not None}


def is_one(line: str) -> bool:
    """Whether a line is the signature of a record."""
    return _MARK in line and parsed(line) is not None


def parsed(line: str) -> dict[str, Any] | None:
    """The signature of a record, read, or None: one that was changed does not bear its own id and is none."""
    try:
        value = strict_json(line)
    except ValueError:
        return None
    fits = value.get("kind") == KIND and value.get("id") == id_of(value) and isinstance(value.get("envelope"), dict)
    return value if fits and isinstance(value.get("record_id"), str) else None


def _signed(authority: Authority, ref: str, commit: str, body: Mapping[str, Any], key: str) -> str:
    stated = statement.payload(_stated(authority, ref, commit, body))
    signature = signing.sign(key, statement.pae(stated))
    keyid = signing.fingerprint(signature)
    envelope = statement.envelope(stated, [Signed(keyid, signature)])
    try:
        who = _verified(authority, ref, commit, body, dumps(envelope))
    except Invalid as error:
        hint = (
            f"use a key that {authority.signers_path} names at {authority.commit[:10]}, or let its owners add this one"
        )
        raise CannotRun(f"the signature would not count: {error}", hint) from error
    line: dict[str, Any] = {"envelope": envelope, "kind": KIND, "record_id": body["id"], "schema": SCHEMA}
    return canonical.line(f"signed by {who} with {keyid}", line | {"id": id_of(line)})


def _stated(authority: Authority, ref: str, commit: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return statement.record_statement(body, Place(authority.repository, ref, commit), moment(body))


def moment(body: Mapping[str, Any]) -> str:
    """When a record says that it was made: what the windows of keys are held against."""
    return str(body.get("at") or body.get("completed_at") or "")


def _verified(authority: Authority, ref: str, commit: str, body: Mapping[str, Any], envelope: str) -> str:
    """Who signed a record: the statement says what stands here, and the key was allowed to sign it. Else Invalid."""
    if body["workspace"] != authority.workspace:
        raise Invalid(f"it is of workspace {body['workspace']}, not {authority.workspace}")
    opened, at = _read(authority, ref, commit, body, envelope)
    return checked_signatures.signer(authority.context, opened, _trusted(authority), at)


def _read(authority: Authority, ref: str, commit: str, body: Mapping[str, Any], envelope: str) -> tuple[Opened, int]:
    """An envelope whose statement says what stands here, and the record's moment. Else Invalid."""
    if authority.problem:
        raise Invalid(authority.problem)
    try:
        opened = statement.opened(envelope, statement.RECORD)
        at = epoch_of(moment(body))
    except NotAStatement as error:
        raise Invalid(str(error)) from error
    except ValueError as error:
        raise Invalid(f"it bears no moment: {error}") from error
    if (found := statement.difference(opened.statement, _stated(authority, ref, commit, body))) is not None:
        raise Invalid(found)
    if at > authority.context.epoch + EARLY_S:
        raise Invalid(f"it is dated {moment(body)}, which is still to come")
    return opened, at


def _are_named(authority: Authority) -> bool:
    return trusting.has_signers(authority.context, authority.root, authority.commit)


def _trusted(authority: Authority) -> signing.Trusted:
    try:  # the keys that are revoked at the authority's own commit are the latest
        return trusting.trusted(authority.context, authority.root, authority.commit)
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
