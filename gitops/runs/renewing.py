"""Sources that commits of their own renew or remove: where verdicts are signed, somebody who may sign says so.

The record stands in the notes of the commit and is written before any branch has it. The trailer in the commit's
message is for people: whoever makes a commit writes it.
"""

from __future__ import annotations

from collections.abc import Collection

from gitops.runs import attesting_records, feedback, names, trusting
from gitops.runs.attesting import Attested
from gitops.runs.authority import Authority
from gitops.runs.feedback import RawSync


def is_demanded(authority: Authority) -> bool:
    """Does it take a signature: where the policy asks for them, and on a server where anybody is named who may sign?

    Where nobody may sign, nobody could renew a source, and whoever may move the branch may.
    """
    if not authority.is_strict or authority.wants_signed or authority.problem:
        return authority.is_strict
    return trusting.has_signers(authority.context, authority.root, authority.commit)


def vouch(authority: Authority, commit: str, paths: Collection[str]) -> str:
    """Record that a commit renews or removes these sources, signed; who signed it. '' where nobody has to.

    CannotRun where there is no key, or none that counts: then no branch may move there.
    """
    if not is_demanded(authority):
        return ""
    context = authority.context
    who, what = feedback.person(context), f"raw sync of {len(paths)} in {commit[:10]}"
    made = RawSync(
        summary=f"{', '.join(sorted(paths)[:3])} renewed by {who.name}",
        workspace=authority.workspace,
        commit=commit,
        paths=tuple(sorted(paths)),
        by=who,
        at=context.now,
    )
    kept = feedback.keep(authority, made, what)
    return attesting_records.attested(authority, names.FEEDBACK, commit, kept.id).signer


def attested(authority: Authority, commit: str, paths: Collection[str]) -> Attested:
    """Who signed that a commit may renew these sources; or why it may not. Both empty where nobody has to."""
    if not is_demanded(authority):
        return Attested()
    refused = Attested("", "nobody signed it")
    for said in feedback.syncs_on(authority.context, commit):
        found = attesting_records.attested(authority, names.FEEDBACK, commit, said.id)
        if found.signer and said.workspace == authority.workspace and set(paths) <= set(said.paths):
            return found
        if found.why:
            refused = Attested("", found.why)
    return refused
