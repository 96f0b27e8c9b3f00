"""The offline judge's reasons, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.verify.judging import pairing
from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.features import Compared, denied, opposed

_EXCERPT, _LISTED = 120, 6


def unsupported(it: Compared) -> tuple[str, ...]:
    """The words of the claim that lack support, in order: numbers and names not found, words not nearby."""
    places = {at for number in it.numbers_missing for at in range(number.first, number.last)}
    places |= {at for number, _ in it.conflicts for at in range(number.first, number.last)}
    missing = {word.start for word in it.names_missing} | {word.start for word in opposed(it)}
    missing |= {one.start for one, _ in it.renamed}
    mask = it.evidence.masks(it.evidence.chosen)[1]
    places |= {at for number, at in enumerate(it.claim.units) if not mask >> number & 1}
    return tuple(word.text for at, word in enumerate(it.claim.words) if at in places or word.start in missing)


def reason(it: Compared) -> str:
    """Why a claim got its vote: what speaks against it, what was not found, and the sentence that comes closest."""
    against = [f"it says {one.said} where the source has {other.said}" for one, other in it.conflicts]
    against += [f"it says {one.text} where the source has {other.text}" for one, other in it.renamed]
    against += [f"only one of the two denies '{stem}'" for stem in denied(it)]
    against += [f"the source has the opposite of '{word.text}'" for word in opposed(it)]
    lacking = unsupported(it)
    parts = against[:2]
    if lacking:
        parts.append(f"not found: {_listed(lacking)}")
    parts.append(f"closest: {_excerpt(it)}" if it.evidence.best >= 0 else "no sentence of the source speaks of it")
    return _sentence("; ".join(parts))


def pair_reason(a: Parsed, b: Parsed) -> str:
    """Why two claims got their vote."""
    parts = [f"{one.said} against {other.said}" for one, other in pairing.numbers_differ(a, b)]
    parts += [f"'{one.text}' against '{other.text}'" for one, other in pairing.opposed(a, b)]
    parts += [f"only one denies '{stem}'" for stem in pairing.denied(a, b)]
    if not parts:
        shared = sorted({word.text for word in a.words if word.is_content} & {word.text for word in b.words})
        parts = [f"both speak of {_listed(shared)}" if shared else "they share no word that says anything"]
    return _sentence("; ".join(parts[:3]))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return ", ".join(words[:_LISTED]) + more


def _excerpt(it: Compared) -> str:
    said = " ".join(it.source.lines[it.evidence.best].text.split())
    return f"“{said}”" if len(said) <= _EXCERPT else f"“{said[: _EXCERPT - 1].rstrip()}…”"
