"""Signed verdicts as records: a line beside the verdict, in the same note, with the statement in a DSSE envelope.

It is a record of its own, so that a verdict's id does not hang on who signed it, a verdict can be signed again after a
rotation, and neither order nor duplicates of lines change anything: a verdict is signed where one line of them holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from gitops import canonical
from gitops.canonical import dumps, strict_json
from gitops.errors import AssayError, CannotRun, UsageError
from gitops.git import notes, signing
from gitops.git.signing import Invalid
from gitops.runs import checked_signatures, names, trusting
from gitops.runs.context import Context, epoch_of
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import PASSES, NotAStatement, Opened, Signed
from gitops.verify.verdict import Verdict

SCHEMA = "assay/attestation/1"
KIND = "attestation"
_FOUND_HERE = ("found-here", "1")
EARLY_S = 300
"""By how much the clock of who signed may be ahead of this one."""


class Attested(NamedTuple):
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

    CannotRun where there is no key, or where the key is none that the base allows: then nothing may land. Where only a
    server demands signatures, it signs what it verified if it has a key and somebody may sign; if not, it remembers it.
    """
    if not trusting.demands_signed(context, root, verdict.base) or attested(context, root, verdict).signer:
        return
    if not trusting.wants_signed(context, root, verdict.base) and not _can_sign(context, root, verdict.base):
        _remember(context, verdict)
        return
    key = signing.demand_key(context.repository)
    body = statement.payload(statement.statement(verdict, trusting.facts(context, root, verdict)))
    signature = signing.sign(key, statement.pae(body))
    keyid = signing.fingerprint(signature)
    envelope = dumps(statement.envelope(body, [Signed(keyid, signature)]))
    trusting.trusted(context, root, verdict.base, verdict.target)  # CannotRun where nobody is named
    try:
        who = verified(context, root, verdict, envelope)
    except Invalid as error:
        path = trusting.signers_path(context, root, verdict.base)
        hint = f"use a key that {path} names at {verdict.base[:10]}, or let its owners commit this one there first"
        raise CannotRun(f"the verdict's signature would not count: {error}", hint) from error
    text = line(verdict, envelope, f"signed by {who} with {keyid}")
    message = f"assay: sign {verdict.verdict} for run {verdict.run_id}"
    on = {verdict.candidate: [text]}
    notes.append(context.repository, names.VERDICTS, on, message, context.identity, context.epoch)


def counting(
    context: Context, root: str, base: str, verdicts: Iterable[Verdict], own: Verdict | None = None
) -> list[Verdict]:
    """The verdicts that count: where signatures are demanded, a yes only when signed; a no always, but on a server.

    There whoever may push notes could write one and hold a branch up. `own` is what was found here just now, and needs
    nobody's signature to be believed.
    """
    every, is_server = list(verdicts), trusting.is_server(context)
    doubted = [each for each in every if each != own and (is_server or each.verdict in PASSES)]
    if not doubted:
        return every
    try:
        if not trusting.demands_signed(context, root, base):
            return every
        return [each for each in every if each not in doubted or _holds(context, root, base, each)]
    except UsageError as error:  # nothing was ever judged by such a policy
        context.warn_once(f"verdicts on changes of {base[:10]} do not count: {error.message}")
        return [each for each in every if each not in doubted]


def _holds(context: Context, root: str, base: str, verdict: Verdict) -> bool:
    if verdict.base != base:  # whose policy and signers it would then be held to is not for it to say
        return False
    found = attested(context, root, verdict)
    if found.signer or is_remembered(context, root, verdict):
        return True
    told = f"the verdict {verdict.id[:10]} on {verdict.candidate[:10]} does not count"
    context.warn_once(f"{told}: {found.why or 'it is not signed'}")
    return False


def is_remembered(context: Context, root: str, verdict: Verdict) -> bool:
    """Did this server itself find it: an unsigned yes, to let a change land, or a no?

    Where a policy wants signatures, and of an override, no yes is found so.
    """
    is_yes = verdict.verdict in PASSES
    if is_yes and (verdict.verdict != "commit" or trusting.wants_signed(context, root, verdict.base)):
        return False
    with context.caching() as cache:
        return cache.get(*_FOUND_HERE, verdict.id) is not None


def remember_no(context: Context, verdict: Verdict) -> None:
    """Remember a no that was found here, on a server: a no of others counts there only when signed."""
    if verdict.verdict not in PASSES and trusting.is_server(context):
        _remember(context, verdict)


def no_counts(context: Context, root: str, verdict: Verdict) -> bool:
    """Does a no count here: signed, or found here; and wherever nobody else's notes are taken in, any."""
    if not trusting.is_server(context):
        return True
    return bool(attested(context, root, verdict).signer) or is_remembered(context, root, verdict)


def _remember(context: Context, verdict: Verdict) -> None:
    with context.caching() as cache:
        cache.put(*_FOUND_HERE, verdict.id, verdict.created_at.encode())


def _can_sign(context: Context, root: str, base: str) -> bool:
    return signing.configured_key(context.repository) is not None and trusting.has_signers(context, root, base)


def attested(context: Context, root: str, verdict: Verdict, lines: list[str] | None = None) -> Attested:
    """Whether one of the signatures beside a verdict holds. The order of the lines changes nothing.

    `lines` are those of the note that it stands in, where they have been read already.
    """
    there = notes.read(context.repository, names.VERDICTS, verdict.candidate) if lines is None else lines
    refused = Attested()
    for envelope in sorted(envelopes(there, verdict.id)):
        try:
            return Attested(verified(context, root, verdict, envelope), "", envelope)
        except Invalid as error:
            refused = refused if refused.why else Attested("", str(error), envelope)
    return refused


def warm(context: Context, asked: Iterable[tuple[str, Verdict, list[str]]]) -> None:
    """Verify the signatures beside many verdicts, several at once, so that `attested` finds them known.

    Each comes with the folder of its workspace and the lines of its note. What does not hold is left to be told there.
    """
    checked_signatures.warm(context, (_jobs(context, *each) for each in asked))


def _jobs(context: Context, root: str, verdict: Verdict, lines: list[str]) -> list[checked_signatures.Job]:
    try:
        return [
            job
            for envelope in sorted(envelopes(lines, verdict.id))
            for job in checked_signatures.jobs(*_known(context, root, verdict, envelope))
        ]
    except (Invalid, AssayError):  # told by whoever asks about this verdict alone
        return []


def verified(context: Context, root: str, verdict: Verdict, envelope: str) -> str:
    """Who signed a verdict: its statement says what is so here, and the key was allowed to sign it. Else Invalid."""
    opened, trusted, at = _known(context, root, verdict, envelope)
    if at > context.epoch + EARLY_S:
        raise Invalid(f"it is dated {verdict.created_at}, which is still to come")
    return checked_signatures.signer(context, opened, trusted, at)


def _known(context: Context, root: str, verdict: Verdict, envelope: str) -> tuple[Opened, signing.Trusted, int]:
    key = ("recomputed", root, verdict.id, envelope)
    return context.once(key, lambda: _recomputed(context, root, verdict, envelope))


def _recomputed(context: Context, root: str, verdict: Verdict, envelope: str) -> tuple[Opened, signing.Trusted, int]:
    """All but the signature: an envelope that says what is so here, with who may have signed it, and when."""
    try:
        opened = statement.opened(envelope)
    except NotAStatement as error:
        raise Invalid(str(error)) from error
    expected = statement.statement(verdict, trusting.facts(context, root, verdict))
    if opened.payload != statement.payload(expected):  # both canonical: the same bytes say the same
        raise Invalid(statement.difference(opened.statement, expected) or "it is no statement about this verdict")
    return opened, _trusted(context, root, verdict), epoch_of(verdict.created_at)


def _trusted(context: Context, root: str, verdict: Verdict) -> signing.Trusted:
    """Who may sign. Nobody is an error of the policy that asks for signatures; of no other it is one."""
    if not trusting.has_signers(context, root, verdict.base) and not trusting.wants_signed(context, root, verdict.base):
        raise Invalid("nobody may sign verdicts here")
    return trusting.trusted(context, root, verdict.base, verdict.target)


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


def line(verdict: Verdict, envelope: str, summary: str) -> str:
    """A line that says that a verdict is signed; `summary` is for people."""
    body = {"envelope": strict_json(envelope), "kind": KIND, "schema": SCHEMA, "verdict_id": verdict.id}
    return canonical.line(summary, body | {"id": id_of(body)})
