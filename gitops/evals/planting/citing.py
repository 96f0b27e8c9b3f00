"""Another page of the same source, and another source."""

from __future__ import annotations

import posixpath
import random
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from gitops.errors import Absent
from gitops.evals.planting.ground import Ground, content, share
from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, in_any_order
from gitops.wiki.source_text import SourceText, page_span

_PAGES = re.compile(r"(?:\b(?:pages?|pp?|S)\b\.?\s*|page=|第)(?P<pages>\d{1,5}(?:\s*[-–]\s*\d{1,5})?)", re.IGNORECASE)
_HARDLY = 0.5
"""What holds at most this share of a claim's content words does not say what it says."""


def page_number(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[tuple[Splice, ...]]:
    """The page that is cited changed for one that is there and says nothing of the kind."""
    text, cites = sound.page.text, sound.claim.cites
    if len(cites) != 1 or len(sound.sources) != 1 or cites[0].first_page is None:
        return
    source, place = ground.source(sound.sources[0]), cites[0].place
    for found in _PAGES.finditer(text, place.start, place.end):
        if int(re.split(r"\D", found["pages"])[0]) == cites[0].first_page:
            for number in in_any_order(_other_pages(sound, source), chance):
                yield ((found.start("pages"), found.end("pages"), str(number)),)


def _other_pages(sound: Sound, source: SourceText) -> Iterator[int]:
    cite, words = sound.claim.cites[0], content(sound.claim.text)
    cited = range(cite.first_page or 0, (cite.last_page or cite.first_page or 0) + 1)
    for number in range(1, len(source.page_starts) + 1):
        span = page_span(source, number)
        if number not in cited and span and share(words, content(source.text[slice(*span)])) <= _HARDLY:
            yield number


def swapped_source(sound: Sound, ground: Ground, chance: random.Random) -> Iterator[tuple[Splice, ...]]:
    """The cited file changed for another of its kind in its folder, which hardly has the claim's words."""
    if len(sound.claim.cites) != 1 or len(sound.sources) != 1:
        return
    own, place = sound.sources[0], sound.claim.cites[0].place
    for other in in_any_order((path for path in ground.sources if _is_beside(path, own)), chance):
        splices = _renamed(sound.page.text, place.start, place.end, own, other)
        if splices and _says_little(sound, ground, other):
            yield splices


def _is_beside(path: str, own: str) -> bool:
    name, suffix = posixpath.splitext(own)
    return path != own and posixpath.dirname(path) == posixpath.dirname(name) and path.endswith(suffix)


def _says_little(sound: Sound, ground: Ground, path: str) -> bool:
    try:
        source = ground.source(path)
    except Absent:
        return False
    return not source.problem and bool(source.text.strip()) and ground.coverage(sound, path) <= _HARDLY


def _renamed(text: str, start: int, end: int, own: str, other: str) -> tuple[Splice, ...]:
    """Every mention of a file's name in a citation, with its suffix or without, made another's."""
    old, new = posixpath.basename(own), posixpath.basename(other)
    for spell in (str, quote, lambda name: name.replace(" ", "%20")):
        for before, after in ((old, new), (posixpath.splitext(old)[0], posixpath.splitext(new)[0])):
            mentioned = re.compile(rf"(?<![\w-]){re.escape(spell(before))}(?![\w-])")
            found = tuple((one.start(), one.end(), spell(after)) for one in mentioned.finditer(text, start, end))
            if found and unquote(spell(before)) == before:
                return found
    return ()
