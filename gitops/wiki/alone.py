"""A claim as a sentence that can be read alone."""

from __future__ import annotations

from gitops.wiki.model import Claim


def in_words(claim: Claim) -> str:
    """What a claim says wherever it stands: a cell behind its row's and column's heads."""
    if claim.block != "cell":
        return claim.text
    heads = claim.context[: len(claim.context) - bool(claim.before) - bool(claim.after)]
    return f"{', '.join(heads)}: {claim.text}" if heads else claim.text
