"""What makes a finding the same one though its words are typed differently."""

from __future__ import annotations

from dataclasses import replace

from gitops.verify.view import Draft
from gitops.wiki.dated import normalised


def subject(claim: str, path: str, words: str = "") -> str:
    """The stable text of a finding about a claim, the path that it cites, and the words or place it is about.

    Quotation marks, dashes, white space, case and Unicode form are left out: to type them differently is no new slip.
    """
    return "\0".join((normalised(claim), path, normalised(words)))


def settled(draft: Draft, quotation: str) -> Draft:
    """A finding about a quotation, with its subject.

    What is verified keeps the one it has: nobody accepts it as debt, and to normalise costs more than to verify.
    """
    if draft.result == "verified":
        return draft
    return replace(draft, subject=subject(draft.claim, draft.source, quotation))
