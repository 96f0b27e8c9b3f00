"""The offline judge's reasons, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gitops.verify.judging import pairing
from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.features import Compared, denied, opposed
from gitops.verify.judging.refuting import Refutation

_EXCERPT, _LISTED = 120, 6


def unsupported(it: Compared, refuted: Sequence[Refutation] = ()) -> tuple[str, ...]:
    """The words of the claim that lack support, in order: what is refuted, numbers and names not found, words not
    nearby.
    """
    places = {at for number in it.numbers_missing for at in range(number.first, number.last)}
    places |= {at for number, _ in it.conflicts for at in range(number.first, number.last)}
    missing = {word.start for word in it.names_missing} | {word.start for word in opposed(it)}
    missing |= {one.start for one, _ in it.renamed}
    places |= {at for one in refuted for at in range(one.first, one.last)}
    mask = it.evidence.masks(it.evidence.chosen)[1]
    places |= {at for number, at in enumerate(it.claim.units) if not mask >> number & 1}
    return tuple(
        word.text
        for at, word in enumerate(it.claim.words)
        if at >= it.claim.lead and (at in places or word.start in missing)
    )


def reason(it: Compared, lacking: Sequence[str]) -> str:
    """Why a claim got its vote: what speaks against it, what was not found, and the sentence that comes closest."""
    against = [f"it says {one.said} where the source has {other.said}" for one, other in it.conflicts]
    against += [f"it says {one.text} where the source has {other.text}" for one, other in it.renamed]
    against += [f"only one of the two denies '{stem}'" for stem in denied(it)]
    against += [f"the source has the opposite of '{word.text}'" for word in opposed(it)]
    parts = against[:2]
    if lacking:
        parts.append(f"not found: {_listed(lacking)}")
    parts.append(f"closest: {_excerpt(it)}" if it.evidence.best >= 0 else "no sentence of the source speaks of it")
    return _sentence("; ".join(parts))


_AGAINST = {
    "negation": "only one of claim and source denies {said}",
    "quantifier": "claim and source say {said} of another part",
    "hedge": "the source is not sure of {said}",
    "absent": "hardly a word of it stands in the source",
}


def refused(found: Sequence[Refutation]) -> str:
    """Why a claim is refused: the evidence against it, word for word, and the sentence that it was found in."""
    parts = [
        _AGAINST.get(one.kind, "it says {said} where the source has {found}").format(
            said=f"'{one.said}'", found=f"'{one.found}'"
        )
        for one in found[:2]
    ]
    line = next((one.line for one in found if one.line), "")
    return _sentence("; ".join([*dict.fromkeys(parts), *([f"the source: {_quoted(line)}"] if line else [])]))


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
    return _quoted(it.source.lines[it.evidence.best].text)


def _quoted(text: str) -> str:
    said = " ".join(text.split())
    return f"“{said}”" if len(said) <= _EXCERPT else f"“{said[: _EXCERPT - 1].rstrip()}…”"
