"""Quotations in the prose of a page, where the citation itself has no field for them.

A quotation is what stands between quotation marks, or a quote block beside a citation. A phrase in quotation marks is
no quotation when it is short (`TELLING`); a title, a name, or an example of what somebody might say is marked as such.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from gitops.wiki.boundaries import WORD_CHARACTER
from gitops.wiki.claims import Cited
from gitops.wiki.late import late
from gitops.wiki.model import Claim, Place, Quotation
from gitops.wiki.positions import Lines

TELLING = 4
"""So many words make a quotation; two Chinese or Japanese characters count as one word.

Measured on the cited sentences of four real wikis: of 19 phrases of three words in quotation marks two are bent to fit
the sentence ("dialing for sweetness", where the source has "dial"); of 73 of four words and more none is, and each that
differs from its source is misquoted.
"""

_LONGEST = 3000
_MARK = re.compile(r'["“”„«»‹›「」『』＂]')
_STRAIGHT = rf'(?<!{WORD_CHARACTER})(?<!=)"(?=\S)([^"]{{1,{_LONGEST}}}?)(?<=\S)"(?!{WORD_CHARACTER})'
_CURLY = rf"“([^“”]{{1,{_LONGEST}}})”"
_LOW = rf"„([^„“”\"]{{1,{_LONGEST}}})[“”\"]"
_SAME = rf"(?<!\w)”(?=\S)([^“”]{{1,{_LONGEST}}}?)(?<=\S)”(?!\w)"
_CORNER = rf"「([^「」]{{1,{_LONGEST}}})」|『([^『』]{{1,{_LONGEST}}})』"
_OUTWARD = rf"«([^«»]{{1,{_LONGEST}}})»|‹([^‹›]{{1,{_LONGEST}}})›"
_INWARD = rf"»([^«»]{{1,{_LONGEST}}})«|›([^‹›]{{1,{_LONGEST}}})‹"
_POINTED_OUT = late("|".join((_CURLY, _LOW, _SAME, _CORNER, _OUTWARD, _STRAIGHT)))
_POINTED_IN = late("|".join((_CURLY, _LOW, _SAME, _CORNER, _INWARD, _STRAIGHT)))
_GUILLEMET = re.compile("[«»‹›]")
_INCHES = re.compile(r"(?<=\d['’′]\d)\"|(?<=\d['’′]\d\d)\"")

_UNSEEN = late(
    r"(?<!`)(?P<ticks>`{1,9})(?!`).{1,2000}?(?<!`)(?P=ticks)(?!`)|\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)"
    r"|<!--.{0,2000}?-->|</?[A-Za-z][^<>]{0,2000}>|%%.{0,2000}?%%",
    re.DOTALL,
)
_TITLED = late(
    r"(?:\b(?:(?:en)?titled|call(?:s|ed|ing)?(?: it| this| that| them)?|known as|termed|terms?|named|"
    r"dubbed|headed|heading|headline|section|chapter|title[ds]?|subtitled?|paper|article|book|essay|talk|song|film|podcast|episode|course|"
    r"so-called|rather than|instead of|as if|such as|for example|Titel|genannt|intitulée?|titulad[oa])"
    r"|\be\.g\.|标题为?|题为|名为|所谓的?|タイトル|題名|제목)\W{0,4}$",
    re.IGNORECASE,
)
_SPACED_WORD = late(r"[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’.,-][^\W_\u3040-\u30ff\u3400-\u9fff]+)*")
_CHARACTER = late(r"[\u3040-\u30ff\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_ATTRIBUTION = re.compile(r"\s[—–-]{1,2}\s*[^—–]{1,80}$")
_ATTRIBUTES = ("—", "–", "-", "(", "（")
_CLOSING = re.compile(r"""[\s"”“»›«‹」』*_>.]*""")
_CLOSE = 20
_NOTE = re.compile(r"[ \t]*>[ \t]*(?:\[!(?!(?i:quote|cite)\b)|\*\*|__|[^\w\s\"“„«「『*_(\[…]|[^\W\d_][\w ]{0,24}[:：])")
_BLOCK_TELLING = 6


def of_text(text: str, start: int, lines: Lines) -> tuple[Quotation, ...]:
    """The quotations in a stretch of the page as written, such as the note of a citation; it begins at `start`."""
    if not _MARK.search(text):
        return ()
    seen = _UNSEEN.sub(lambda hidden: "\0" * len(hidden[0]), text)
    return tuple(
        Quotation(text[a:b], lines.place(start + a, start + b), is_title=is_title) for a, b, is_title in _spans(seen)
    )


def attach(claims: Sequence[Claim], cited: Sequence[Cited], text: str, lines: Lines) -> tuple[Claim, ...]:
    """The claims with the quotations that overlap each; none for those whose citation has its own field for them."""
    if all(map(_has_field, claims)):
        return tuple(claims)
    blocks = [(block, list(_of_block(block, text, lines))) for block in cited if block.block.text]
    found = [one for _, own in blocks for one in own]
    led = _led(claims, blocks, text, lines)
    backed = [
        claim if _has_field(claim) else _with(claim, found, text, led.get(at, ())) for at, claim in enumerate(claims)
    ]
    nearby = _nearby(backed, blocks) if found else {}
    return tuple(replace(claim, nearby=tuple(nearby[at])) if at in nearby else claim for at, claim in enumerate(backed))


def _nearby(claims: Sequence[Claim], blocks: Iterable[tuple[Cited, list[Quotation]]]) -> dict[int, list[Quotation]]:
    """The quotations of no claim by the next claim in their block, as its number among the claims."""
    starts = [claim.place.start for claim in claims]
    taken = {one.place.start for claim in claims for one in claim.quotations}
    nearby: dict[int, list[Quotation]] = {}
    for block, own in blocks:
        end = block.block.extent[1]
        for quotation in own:
            at = bisect_left(starts, quotation.place.end)
            is_next = at < len(claims) and starts[at] < end and not _has_field(claims[at])
            if is_next and quotation.place.start not in taken:
                nearby.setdefault(at, []).append(quotation)
    return nearby


def _led(
    claims: Sequence[Claim], blocks: Sequence[tuple[Cited, list[Quotation]]], text: str, lines: Lines
) -> dict[int, list[Quotation]]:
    """What is quoted in a block of its own right below a cited claim that ends in a colon, as its number among them."""
    starts = [claim.place.start for claim in claims]
    led: dict[int, list[Quotation]] = {}
    for (lead, _), (below, own) in pairwise(blocks):
        if below.block.kind != "quote" or below.is_backed or not _leads(lead):
            continue
        at = bisect_left(starts, lead.block.extent[1]) - 1
        whole = None if own else _entire(below, text, lines)
        if own or whole:
            led[at] = [whole] if whole else own
    return led


def _leads(cited: Cited) -> bool:
    """Whether a citation backs the last sentence of a block, and that ends in a colon."""
    if not cited.is_backed or not cited.prose.text.rstrip().endswith((":", "：")):
        return False
    return cited.backed[-1][0] == len(cited.sentences) - 1


def unclaimed(claims: Sequence[Claim], cited: Sequence[Cited], text: str, lines: Lines) -> tuple[Quotation, ...]:
    """The quotations of a page that are no claim's: what a citation of the page as a whole may back.

    A quote block without marks is one behind the first section's heading: above it stands what the page is about.
    """
    taken = {one.place.start for claim in claims for one in claim.quotations}
    found: list[Quotation] = []
    is_inside = False
    for block in cited:
        if block.block.kind == "heading":
            is_inside |= block.block.level > 1
            continue
        own = list(_marked(block, lines))
        if not own and is_inside and block.block.kind == "quote" and (whole := _entire(block, text, lines)):
            own = [whole]
        found += own
    free = (one for one in found if one.place.start not in taken)
    return tuple(one for one in free if not any(_overlap(one.place, claim.place) for claim in claims))


def words(text: str) -> int:
    """How long a phrase is in words, two Chinese or Japanese characters to a word."""
    return len(_SPACED_WORD.findall(text)) + len(_CHARACTER.findall(text)) // 2


def _has_field(claim: Claim) -> bool:
    return any(cite.quote is not None for cite in claim.cites)


def _with(claim: Claim, found: Sequence[Quotation], text: str, led: Sequence[Quotation]) -> Claim:
    own = tuple(one for one in found if _overlap(one.place, claim.place) or _is_attributed(one, claim, text))
    own += tuple(one for one in led if one not in own)
    return replace(claim, quotations=own) if own else claim


def _is_attributed(quotation: Quotation, claim: Claim, text: str) -> bool:
    """Whether the claim is no more than whose words they are: `"…" — Ada Miller[^1]`."""
    between = claim.place.start - quotation.place.end
    if not 0 <= between <= _CLOSE or not claim.text.startswith(_ATTRIBUTES):
        return False
    return _CLOSING.fullmatch(text, quotation.place.end, claim.place.start) is not None


def _overlap(one: Place, other: Place) -> bool:
    return one.start < other.end and other.start < one.end


def _of_block(cited: Cited, text: str, lines: Lines) -> Iterator[Quotation]:
    if cited.block.kind == "heading":
        return
    found = list(_marked(cited, lines))
    if not found and cited.block.kind == "quote" and (whole := _whole(cited, text, lines)):
        found.append(whole)
    yield from found


def _marked(cited: Cited, lines: Lines) -> Iterator[Quotation]:
    """The quotations between marks in a block's visible text; marks in code spans are none."""
    if not _MARK.search(cited.block.text):
        return
    prose, visible = cited.prose, cited.prose.text
    for at, until in cited.block.codes:
        low, high = prose.at(at), prose.at(until)
        visible = visible[:low] + "\0" * (high - low) + visible[high:]
    for start, end, is_title in _spans(visible):
        if not prose.is_struck(start, end):
            yield Quotation(prose.text[start:end], lines.place(*prose.span(start, end)), is_title=is_title)


def _whole(cited: Cited, text: str, lines: Lines) -> Quotation | None:
    """A quote block that ends with its only citation, without a closing attribution; None for callouts and notes."""
    if not cited.is_backed or len(cited.spots) > 1:
        return None
    if cited.spots and _LETTER.search(cited.prose.text, cited.spots[0][0]):
        return None
    return _entire(cited, text, lines)


def _entire(cited: Cited, text: str, lines: Lines) -> Quotation | None:
    """All of a quote block, without a closing attribution; None for callouts and notes."""
    prose = cited.prose
    end = len(_ATTRIBUTION.sub("", prose.text.rstrip()))
    start = len(prose.text) - len(prose.text.lstrip())
    if words(prose.text[start:end]) < _BLOCK_TELLING:
        return None
    place = lines.place(*prose.span(start, end))
    if _NOTE.match(text, _quote_start(text, lines.start_of(place.line))):
        return None
    return Quotation(prose.text[start:end], place, is_block=True)


def _quote_start(text: str, line: int) -> int:
    """Where the first line of the quote block around a line begins."""
    while line:
        before = text.rfind("\n", 0, line - 1) + 1
        if not text[before:line].lstrip().startswith(">"):
            break
        line = before
    return line


def _spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where what is long enough stands between marks, and whether it is a title."""
    first = _GUILLEMET.search(text)
    pattern = _POINTED_IN if first and first[0] in "»›" else _POINTED_OUT
    for found in pattern.finditer(_INCHES.sub("\0", text)):
        start, end = found.span(found.lastindex or 0)
        start, end = _trimmed(text, start, end)
        if words(text[start:end]) >= TELLING:
            yield start, end, _is_title(text, found.start(), start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inside = text[start:end]
    return start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())


def _is_title(text: str, opening: int, start: int, end: int) -> bool:
    """Whether the phrase is announced as a title or example, or is written as English titles are."""
    if _TITLED.search(text, max(0, opening - 40), opening):
        return True
    long = [word for word in _SPACED_WORD.findall(text[start:end]) if len(word) > 3]
    return len(long) > 1 and all(word[0].isupper() or word[0].isdigit() for word in long)
