"""From a change of a claim to a change of its page, and whether that came out as it was meant."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from gitops.evals.planting.sound import Sound
from gitops.evals.planting.splices import Splice, spliced
from gitops.wiki.model import Claim, Page

_UNSEEN = re.compile(
    r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[\^[^\]\s]+\]|<!--.*?-->|`[^`]*`", re.DOTALL
)
_LINKED = re.compile(r"\[\[[^\]]*\]\]")


def written(sound: Sound, splices: Iterable[Splice]) -> bytes:
    """The bytes of the claim's page with some of it replaced, behind the byte-order mark if it has one."""
    has_mark = any(problem.result == "byte_order_mark" for problem in sound.page.schema_problems)
    return (codecs.BOM_UTF8 if has_mark else b"") + spliced(sound.page.text, splices).encode()


def in_page(sound: Sound, splice: Splice) -> Splice | None:
    """Where on the page a stretch of the claim's words stands; None where mark-up runs through it, or it is quoted.

    What no reader sees (targets of links, marks, code) is passed over; a wiki-link's words are its target, and stay.
    """
    start, end, new = splice
    claim, text = sound.claim, sound.page.text
    raw = _masked(text[claim.place.start : claim.place.end])
    words = r"\s+".join(map(re.escape, claim.text[start:end].split()))
    wanted = re.compile(rf"(?<!\w){words}(?!\w)")
    before, there = list(wanted.finditer(claim.text)), list(wanted.finditer(raw))
    at = next((number for number, one in enumerate(before) if one.start() == start), None)
    if at is None or len(before) != len(there):
        return None
    first, last = (claim.place.start + there[at].start(), claim.place.start + there[at].end())
    if any(one.place.start < last and first < one.place.end for one in claim.quotations):
        return None
    return first, last, new


def _masked(text: str) -> str:
    for hidden in (_UNSEEN, _LINKED):
        text = hidden.sub(lambda found: "\0" * len(found[0]), text)
    return text


def says_instead(before: Page, after: Page, number: int, wanted: str) -> bool:
    """Whether a page differs in what one claim says, and in nothing else that is read off it."""
    return _same_but_one(before, after, number) and after.claims[number].text == wanted and _same_cites(before, after)


def quotes_instead(before: Page, after: Page, number: int) -> bool:
    """Whether another text is quoted beside a claim, which cites what it cited."""
    if not _same_but_one(before, after, number) or not _same_cites(before, after):
        return False
    return _quoted(before.claims[number]) != _quoted(after.claims[number])


def cites_instead(before: Page, after: Page, number: int) -> bool:
    """Whether a claim cites another file or page of it, in the same words; others may share the citation."""
    if not _same_but_one(before, after, number) or after.claims[number].text != before.claims[number].text:
        return False
    return _cited(before.claims[number]) != _cited(after.claims[number])


def _same_but_one(before: Page, after: Page, number: int) -> bool:
    if len(before.claims) != len(after.claims) or _problems(before) != _problems(after):
        return False
    if _targets(before) != _targets(after):
        return False
    pairs = enumerate(zip(before.claims, after.claims, strict=True))
    return all(one.text == other.text for at, (one, other) in pairs if at != number)


def _same_cites(before: Page, after: Page) -> bool:
    return [_cited(claim) for claim in before.claims] == [_cited(claim) for claim in after.claims]


def _cited(claim: Claim) -> list[tuple[str, int | None, int | None]]:
    return [(cite.path, cite.first_page, cite.last_page) for cite in claim.cites]


def _quoted(claim: Claim) -> list[str]:
    every = [*claim.quotations, *(one for cite in claim.cites for one in cite.quotations)]
    return [*(cite.quote or "" for cite in claim.cites), *(one.text for one in every)]


def _problems(page: Page) -> list[str]:
    return sorted(problem.result for problem in (*page.problems, *page.schema_problems))


def _targets(page: Page) -> list[tuple[str, str]]:
    return [(link.kind, link.target) for link in page.links if not link.is_cited]
