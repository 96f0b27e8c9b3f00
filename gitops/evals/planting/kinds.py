"""The kinds of errors there are, and how one is planted in a claim."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gitops.evals.planting import citing, dates, names, numbers, quotations, wordings
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.pages import cites_instead, in_page, quotes_instead, says_instead, written
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, spliced
from gitops.verify.resolution import resolve
from gitops.wiki import conventions
from gitops.wiki import page as pages
from gitops.wiki.model import Page

Change = Callable[[Sound, Ground, random.Random], Iterator[Splice]]
"""What may be replaced in a claim's words, at random, the first that can be planted is."""
PageChange = Callable[[Sound, Ground, random.Random], Iterator[tuple[Splice, ...]]]
"""What may be replaced on a claim's page."""

IN_CLAIM: Mapping[str, Change] = {
    "digit": numbers.digit,
    "unit": numbers.unit,
    "date": dates.date,
    "name": names.name,
    "negation": wordings.negation,
    "quantifier": wordings.quantifier,
    "dropped_hedge": wordings.hedge,
}
IN_CITATION: Mapping[str, PageChange] = {
    "page_number": citing.page_number,
    "swapped_source": citing.swapped_source,
}
IN_QUOTATION: Mapping[str, PageChange] = {
    "invented_quotation": quotations.invented,
    "altered_quotation": quotations.altered,
}
KINDS: tuple[str, ...] = (*IN_CLAIM, *IN_CITATION, *IN_QUOTATION)
VERSION = 1
"""Rises when the same claim of the same wiki could be given another error."""
_REFERS = re.compile(r"\bsee\b[^.;:)]*$", re.IGNORECASE)
_TRIES = 24
"""So many changes of one claim are tried before it is passed over: pages are parsed to see what came of each."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A claim made wrong: the bytes of its page with one thing changed, and what that was."""

    kind: str
    sound: Sound
    data: bytes
    was: str
    now: str


def plant(kind: str, sound: Sound, ground: Ground, seed: str) -> Mutant | None:
    """One error of a kind in a claim, the same for the same seed; None where none can be planted."""
    chance = random.Random("\0".join((seed, kind, *map(str, sound.name))))
    candidates = _in_claim if kind in IN_CLAIM else _on_page
    for _, mutant in zip(range(_TRIES), candidates(kind, sound, ground, chance), strict=False):
        if _is_planted(mutant, ground):
            return mutant
    return None


def unlike(sound: Sound, ground: Ground) -> bytes | None:
    """The bytes of a page on which the claim says something else: what it was before somebody wrote the claim.

    None where no word of the claim stands on its page as it is read.
    """
    words = sorted({word for word in sound.claim.text.split() if word.isalpha()}, key=lambda word: (-len(word), word))
    for word in words[:_TRIES]:
        at = sound.claim.text.find(word)
        splice = in_page(sound, (at, at + len(word), word[::-1] + word[:1]))
        if splice is not None:
            data = written(sound, [splice])
            if _says_another(sound, _parsed(data, ground)):
                return data
    return None


def _says_another(sound: Sound, after: Page) -> bool:
    changed = after.claims[sound.number].text if sound.number < len(after.claims) else sound.claim.text
    return changed != sound.claim.text and says_instead(sound.page, after, sound.number, changed)


def _in_claim(kind: str, sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Mutant]:
    for change in IN_CLAIM[kind](sound, ground, chance):
        if _REFERS.search(sound.claim.text[: change[0]]):
            continue  # what another page of the wiki says is not for the source to support
        if (splice := in_page(sound, change)) is not None:
            now = spliced(sound.claim.text, [change])
            yield Mutant(kind, sound, written(sound, [splice]), sound.claim.text, now)


def _on_page(kind: str, sound: Sound, ground: Ground, chance: random.Random) -> Iterator[Mutant]:
    text = sound.page.text
    for splices in ({**IN_CITATION, **IN_QUOTATION})[kind](sound, ground, chance):
        start, end = min(one[0] for one in splices), max(one[1] for one in splices)
        moved = [(first - start, last - start, new) for first, last, new in splices]
        yield Mutant(kind, sound, written(sound, splices), text[start:end], spliced(text[start:end], moved))


def _is_planted(mutant: Mutant, ground: Ground) -> bool:
    """Whether the page, read again, has this error and no other."""
    sound, after = mutant.sound, _parsed(mutant.data, ground)
    if mutant.kind in IN_CLAIM:
        return says_instead(sound.page, after, sound.number, " ".join(mutant.now.split()))
    if mutant.kind in IN_QUOTATION:
        return quotes_instead(sound.page, after, sound.number)
    return cites_instead(sound.page, after, sound.number) and _leads_elsewhere(mutant, after, ground)


def _leads_elsewhere(mutant: Mutant, after: Page, ground: Ground) -> bool:
    """Whether another source is cited that is here; or, of a page number, the same."""
    sound = mutant.sound
    found = resolve(ground.view, sound.path, after.claims[sound.number].cites[0])
    return found.status == "ok" and (found.paths == sound.sources) == (mutant.kind == "page_number")


def _parsed(data: bytes, ground: Ground) -> Page:
    return pages.parse(data, conventions.of(ground.view.config))
