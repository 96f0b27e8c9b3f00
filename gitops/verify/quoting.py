"""What `quote_anchor` says of quotations in running text, whose citation has no field for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gitops.verify.asked import Asked, Tried, anchored, drafted
from gitops.verify.finding import Level
from gitops.verify.misquoting import wrong
from gitops.verify.resolution import resolve
from gitops.verify.subjects import settled
from gitops.verify.view import Draft, PageAt
from gitops.wiki.model import Cite, Claim, Page, Quotation
from gitops.wiki.places_in_source import stretch
from gitops.wiki.quoted import Spot, mended, spots, worded
from gitops.wiki.source_text import SourceText
from gitops.wiki.transcribed import heard


def examine(at: PageAt) -> Iterator[Draft]:
    """One result for each quotation that can be judged; nothing for one that may be from what nobody can read."""
    for asked in _asked(at):
        for draft in _examined(at, asked):
            yield settled(draft, asked.quotation.text)


def _asked(at: PageAt) -> Iterator[Asked]:
    page = at.page
    backed: dict[tuple[int, int], list[tuple[Claim, Quotation]]] = {}
    for claim in page.claims:
        for quotation in claim.quotations:
            backed.setdefault((quotation.place.start, quotation.place.end), []).append((claim, quotation))
    for found in backed.values():
        claim, quotation = found[0]
        cites = dict.fromkeys(cite for one, _ in found for cite in one.cites)
        yield Asked(quotation, tuple(_by_nearness(page.text, quotation, cites)), claim)
    noted: dict[tuple[int, int], Asked] = {}
    for claim in page.claims:
        for cite in claim.cites:
            for quotation in cite.quotations:
                key = (quotation.place.start, quotation.place.end)
                noted.setdefault(key, Asked(quotation, (cite,), claim))
    yield from noted.values()
    yield from _unclaimed(page)


def _unclaimed(page: Page) -> Iterator[Asked]:
    """What may be from the next citation of its block, or from what the page cites as a whole."""
    near: dict[tuple[int, int], Asked] = {}
    for claim in page.claims:
        for quotation in claim.nearby:
            near[quotation.place.start, quotation.place.end] = Asked(quotation, (*claim.cites, *page.cites))
    yield from near.values()
    for quotation in page.quotations:
        if (quotation.place.start, quotation.place.end) not in near:
            yield Asked(quotation, page.cites)


def _by_nearness(text: str, quotation: Quotation, cites: dict[Cite, None]) -> list[Cite]:
    """The first citation after the quotation first, those before it last."""
    end = quotation.place.end

    def distance(cite: Cite) -> tuple[bool, int]:
        mark = cite.place.start
        if cite.label:
            after = text.find(f"[^{cite.label}]", end)
            mark = after if after >= 0 else text.rfind(f"[^{cite.label}]", 0, end)
        return mark < end, abs(mark - end)

    return sorted(cites, key=distance)


def _examined(at: PageAt, asked: Asked) -> Iterator[Draft]:
    tried: list[Tried] = []
    unreadable: list[Draft] = []
    is_whole = True
    for cite in asked.cites:
        resolved = resolve(at.view, at.path, cite)
        is_whole &= resolved.status in ("ok", "ambiguous")
        for path in resolved.paths:
            one = _tried(at, asked, cite, path)
            if not one.source.text.strip():
                is_whole = False
                unreadable += [_unreadable(drafted(at, asked, one), one)] if one.source.problem else []
            elif there := _there(one, asked.quotation.text):
                yield _standing(at, asked, one, there)
                return
            else:
                tried.append(one)
        if resolved.via and _is_page(at, resolved.via) and _in_page(at, asked, resolved.via):
            yield from _own_witness(at, asked, tried, resolved.via) if is_whole and tried else ()
            return
    found = list(wrong(at, asked, tried, is_whole)) if tried else []
    if not found and asked.claim and not asked.quotation.is_title:
        found = unreadable[:1]
        if not is_whole and tried and _is_new(at, asked):
            found = [_unfound(at, asked, tried)]
    yield from found


def _own_witness(at: PageAt, asked: Asked, tried: Sequence[Tried], page: str) -> Iterator[Draft]:
    """The words are those of the source page, which the wiki's writers write: it is no witness for what it adds."""
    draft = drafted(at, asked, tried[-1])
    told = f"stands in {page}, a page of this wiki, and not in {tried[-1].path}, which it stands for"
    level = Level.WARNING if _is_new(at, asked) else Level.NOTE
    yield replace(draft, result="not_found", message=told, level=level)


def _unfound(at: PageAt, asked: Asked, tried: Sequence[Tried]) -> Draft:
    """Of what is cited, some cannot be read here, and the rest does not say it."""
    where = " or ".join(dict.fromkeys(one.cite.path for one in tried))
    told = f"stands not in {where}, and what else is cited cannot be read here"
    return replace(drafted(at, asked, tried[0]), result="not_found", message=told, level=Level.WARNING)


def _is_new(at: PageAt, asked: Asked) -> bool:
    """Whether the change brings the quotation: what stood there before is taken on trust."""
    return not any(asked.quotation.text in page.text for page in at.previous)


def _unreadable(draft: Draft, one: Tried) -> Draft:
    """A note: what is quoted may well stand there."""
    return replace(draft, result="unreadable", message=f"{one.cite.path}: {one.source.message}", level=Level.NOTE)


def _tried(at: PageAt, asked: Asked, cite: Cite, path: str) -> Tried:
    source = at.view.source(path)
    found = spots(asked.quotation.text, source) or heard(asked.quotation.text, source)
    return Tried(cite, path, source, found, stretch(cite, source))


def _is_page(at: PageAt, path: str) -> bool:
    return at.view.layout.is_page(path) and at.view.snapshot.blob(path) is not None


def _in_page(at: PageAt, asked: Asked, page: str) -> bool:
    """Whether the quotation is of the source page itself, through which the citation leads."""
    return bool(spots(asked.quotation.text, SourceText(at.view.page(page).text, is_markdown=True)))


def _there(one: Tried, quotation: str) -> Spot | None:
    """The place that the citation points to, or any where it points to none that is there."""
    if one.stretch is None or one.stretch.lack is not None:
        return one.spots[0] if one.spots else None
    for found in (one.spots, worded(quotation, one.source) if one.spots else ()):
        for spot in found:
            if one.stretch.holds(spot.start, spot.end):
                return spot
    return None


def _standing(at: PageAt, asked: Asked, one: Tried, spot: Spot) -> Draft:
    draft, quotation = drafted(at, asked, one), asked.quotation.text
    evidence = {**draft.evidence, **anchored(one.source, spot), "blob": at.view.snapshot.blob(one.path)}
    if not spot.loud:
        but = f" but for {', '.join(spot.quiet)}" if spot.quiet else ""
        return replace(draft, message=f"stands word for word{but}", evidence=evidence)
    return replace(
        draft,
        result="repaired",
        message=f"stands in {one.cite.path} but for {', '.join(spot.loud)}",
        repair="" if (told := mended(quotation, spot, one.source)) == quotation else told,
        evidence=evidence,
    )
