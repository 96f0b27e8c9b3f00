"""Signed verdicts as records: a line beside the verdict, in the same note, with the statement in a DSSE envelope.

It is a record of its own, so that a verdict's id does not hang on who signed it, a verdict can be signed again after a
rotation, and neither order nor duplicates of lines change anything: a verdict is signed where one line of them holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from gitops import canonical
from gitops.canonical import dumps, strict_json
from gitops.errors import CannotRun, UsageError
from gitops.git import notes, signing
from gitops.git.signing import Invalid
from gitops.index.cache import Cache
from gitops.runs import names, trusting
from gitops.runs.context import CACHE, Context, epoch_of
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import PASSES, NotAStatement, Opened, Signed
from gitops.verify.verdict import Verdict

SCHEMA = "assay/attestation/1"
KIND = "attestation"
_EARLY_S = 300
"""By how much the clock of who signed may be ahead of this one."""


class Standing(NamedTuple):
    """What a verdict is worth: who signed it, or why no signature of it holds; both empty where it never was.

    `envelope` is the one that was looked at.
    """

    signer: str = ""
    why: str = ""
    envelope: str = ""


def demand_key(context: Context, root: str, base: str) -> None:
    """CannotRun, before anything is spent, where the base's policy asks for signatures and there is no key."""
    if trusting.wants_signed(context, root, base):
        signing.demand_key(context.repository)


def attest(context: Context, root: str, verdict: Verdict) -> None:
    """Sign a verdict that is to let a change land, where the base's policy asks for it and nobody has yet.

    CannotRun where there is no key, or where the key is none that the base allows: then nothing may land.
    """
    if not trusting.wants_signed(context, root, verdict.base) or standing(context, root, verdict).signer:
        return
    key = signing.demand_key(context.repository)
    body = statement.payload(statement.statement(verdict, trusting.facts(context, root, verdict)))
    signature = signing.sign(key, statement.pae(body))
    keyid = signing.fingerprint(signature)
    envelope = dumps(statement.envelope(body, [Signed(keyid, signature)]))
    try:
        who = verified(context, root, verdict, envelope)
    except Invalid as error:
        path = trusting.signers_path(context, root, verdict.base)
        hint = f"use a key that {path} names at {verdict.base[:10]}, or let its owners commit this one there first"
        raise CannotRun(f"the verdict's signature would not count: {error}", hint) from error
    line = _line(verdict, envelope, f"signed by {who} with {keyid}")
    message = f"assay: sign {verdict.verdict} for run {verdict.run_id}"
    on = {verdict.candidate: [line]}
    notes.append(context.repository, names.VERDICTS, on, message, context.identity, context.epoch)


def counting(
    context: Context, root: str, base: str, verdicts: Iterable[Verdict], own: Verdict | None = None
) -> list[Verdict]:
    """The verdicts that count: where the base's policy wants signatures, a no always does, a yes only when signed.

    `own` is what was found here just now, and needs nobody's signature to be believed.
    """
    every = list(verdicts)
    doubted = [each for each in every if each != own and each.verdict in PASSES]
    if not doubted:
        return every
    try:
        if not trusting.wants_signed(context, root, base):
            return every
    except UsageError as error:  # nothing was ever judged by such a policy
        context.warn_once(f"verdicts on changes of {base[:10]} do not count: {error.message}")
        return [each for each in every if each not in doubted]
    return [each for each in every if each not in doubted or _holds(context, root, base, each)]


def _holds(context: Context, root: str, base: str, verdict: Verdict) -> bool:
    if verdict.base != base:  # whose policy and signers it would then be held to is not for it to say
        return False
    found = standing(context, root, verdict)
    if not found.signer:
        told = f"the verdict {verdict.id[:10]} on {verdict.candidate[:10]} does not count"
        context.warn_once(f"{told}: {found.why or 'it is not signed'}")
    return bool(found.signer)


def standing(context: Context, root: str, verdict: Verdict) -> Standing:
    """Whether one of the signatures beside a verdict holds. The order of the lines changes nothing."""
    found = sorted(envelopes(notes.read(context.repository, names.VERDICTS, verdict.candidate), verdict.id))
    refused = Standing()
    for envelope in found:
        try:
            return Standing(verified(context, root, verdict, envelope), "", envelope)
        except Invalid as error:
            refused = refused if refused.why else Standing("", str(error), envelope)
    return refused


def verified(context: Context, root: str, verdict: Verdict, envelope: str) -> str:
    """Who signed a verdict: its statement says what is so here, and the key was allowed to sign it. Else Invalid."""
    try:
        opened = statement.opened(envelope)
    except NotAStatement as error:
        raise Invalid(str(error)) from error
    expected = statement.statement(verdict, trusting.facts(context, root, verdict))
    if (found := statement.difference(opened.statement, expected)) is not None:
        raise Invalid(found)
    at = epoch_of(verdict.created_at)
    if at > context.epoch + _EARLY_S:
        raise Invalid(f"it is dated {verdict.created_at}, which is still to come")
    return _signer(context, opened, trusting.trusted(context, root, verdict), at)


def is_attested(context: Context, verdict: Verdict) -> bool:
    """Does anything beside a verdict say that it is signed, whether that holds or not?"""
    return bool(envelopes(notes.read(context.repository, names.VERDICTS, verdict.candidate), verdict.id))


def envelopes(lines: list[str], verdict_id: str) -> list[str]:
    """The envelopes among the lines of a note that are said to be of one verdict, as canonical text."""
    found = (parsed(line) for line in lines if f'"kind":"{KIND}"' in line)
    return [dumps(value["envelope"]) for value in found if value is not None and value["verdict_id"] == verdict_id]


def parsed(line: str) -> dict[str, Any] | None:
    """The record of a signature, or None: a line that was changed does not bear its own id and is none."""
    try:
        value = strict_json(line)
    except ValueError:
        return None
    fits = value.get("kind") == KIND and value.get("id") == id_of(value)
    return value if fits and isinstance(value.get("envelope"), dict) and "verdict_id" in value else None


def _line(verdict: Verdict, envelope: str, summary: str) -> str:
    body = {"envelope": strict_json(envelope), "kind": KIND, "schema": SCHEMA, "verdict_id": verdict.id}
    return canonical.line(summary, body | {"id": id_of(body)})


def _signer(context: Context, opened: Opened, trusted: signing.Trusted, at: int) -> str:
    """The first signer of an envelope whose signature holds; what held is remembered, by all that it hangs on."""
    data = statement.pae(opened.payload)
    refused: Invalid | None = None
    with Cache(context.folder / CACHE) as cache:
        for _, signature in opened.signatures:
            parts = [data, signature, trusted.allowed, *trusted.revoked]
            key = canonical.digest([*(canonical.sha256(part) for part in parts), at])
            if (kept := cache.get("signer", "1", key)) is not None:
                return kept.decode()
            try:
                who = signing.verify(data, signature, trusted, at)
            except Invalid as error:
                refused = refused or error
                continue
            cache.put("signer", "1", key, who.encode())
            return who
    raise refused or Invalid("the envelope bears no signature")
