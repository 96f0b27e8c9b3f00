"""Hard evidence against a claim: a sentence that says nearly the same and differs in a thing that cannot be both.

What the source says elsewhere is evidence for the claim: a number that it has as well, a name that it has for another,
leave none against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gitops.verify.judging import copying, likeness, naming, polarity
from gitops.verify.judging.claiming import Parsed
from gitops.verify.judging.comparing import agrees, differ, other_unit
from gitops.verify.judging.evidence import held
from gitops.verify.judging.features import Compared
from gitops.verify.judging.likeness import Item, Likeness, Said, beside
from gitops.verify.judging.quantities import Quantity
from gitops.verify.judging.reading import Line, Reading
from gitops.verify.judging.words import tokens

KINDS = ("number", "unit", "date", "name", "negation", "opposite", "quantifier", "hedge", "absent", "copy")
"""The kinds of evidence, each with a gate of its own."""
_BY_COUNT = ("number", "unit", "date")
"""Kinds for which the order of what is around them says nothing."""
_ASKED = 6
"""Sentences that are asked whether they say what another denies."""
_SAYS = 5.0
"""The weight that a claim's words must have before it tells anything that none of them is found."""
_DATES = ("year", "month", "decade")


@dataclass(frozen=True, slots=True)
class Refutation:
    """What the claim says at words `[first, last)`, and what the sentence says in its place.

    `closeness` in [0, 1] is how alike the two run around it.
    """

    kind: str
    said: str
    found: str
    first: int
    last: int
    closeness: float
    line: str
    """The sentence."""


def refutations(near: Compared, whole: Compared, cited: Sequence[Line] = ()) -> list[Refutation]:
    """What the sentences that a claim is held against say against it, and its source nowhere says for it, the closest
    first.

    `near` is the cited stretch with what stands around it, `whole` the source; the same where no stretch is cited.
    `cited` are the sentences of the stretch itself, which count whatever else is closer.
    """
    claim = near.claim
    ours = Said(claim.text, claim.words, claim.numbers, claim.names)
    likes = [_beside(ours, line) for line in dict.fromkeys((*near.nearby, *cited))]
    found = [
        one
        for like in likes
        for one in _of(like)
        if one.first >= claim.lead and not _is_said(claim, one, near.source, whole.source)
    ]
    left = [one for one in found if not any(_affirms(_beside(ours, line), one) for line in _speaking(one, whole))]
    left += _absent(whole)
    copied = copying.altered(claim.words, dict.fromkeys((*near.nearby, *cited)), whole.source.lines)
    left += [Refutation("copy", one.said, one.found, one.first, one.last, one.share, one.line) for one in copied]
    return sorted(left, key=lambda one: (-one.closeness, one.first, one.kind))


def _absent(whole: Compared) -> Iterator[Refutation]:
    """That hardly a word of the claim stands anywhere in the source, in whatever form."""
    claim, found = whole.claim, whole.evidence
    exact, any_form = found.masks({*found.exact, *found.soft})
    share = 1.0 - held(claim.weights, exact, any_form) / (sum(claim.weights) or 1.0)
    is_prose = sum(not word.is_content for word in claim.words) >= 2  # else it may be of another language
    if is_prose and sum(claim.weights) >= _SAYS and share > 0.5:
        yield Refutation("absent", claim.text, "", 0, 0, share, "")


def _speaking(one: Refutation, whole: Compared) -> Iterable[Line]:
    """The sentences of a source that have the claim's word, those with the most of its other words first."""
    lines = whole.source.where(whole.claim.words[one.first].stem)
    masks = {at: whole.evidence.masks((at,))[1].bit_count() for at in lines}
    return [whole.source.lines[at] for at in sorted(lines, key=lambda at: (-masks[at], at))[:_ASKED]]


def _beside(claim: Said, line: Line) -> Likeness:
    return beside(claim, Said(line.text, line.words, line.numbers, naming.names(line.words, line.text)))


def _affirms(like: Likeness, one: Refutation) -> bool:
    """Whether a sentence says the very thing, and is as like the claim as the one that says otherwise."""
    for mine, yours in like.pairs:
        item = like.ours[mine]
        if item.first == one.first and item.code[:1] not in likeness.EXCHANGED:
            return one.kind not in kinds(like, mine, yours) and like.closeness(mine) >= one.closeness
    return False


def _of(like: Likeness) -> Iterator[Refutation]:
    for mine, yours in like.pairs:
        one, other = like.ours[mine], like.theirs[yours]
        for kind in kinds(like, mine, yours):
            alike = like.in_any_order(mine) if kind in _BY_COUNT else like.closeness(mine)
            said, found = (as_written(of, item) for of, item in ((like.claim, one), (like.line, other)))
            yield Refutation(kind, said, found, one.first, one.last, alike, like.line.text)


def as_written(of: Said, item: Item) -> str:
    """An item as it is written, a number with what it counts."""
    last = item.last
    if item.number and item.number.unit and last < len(of.words) and of.words[last].stem == item.number.unit:
        last += 1
    return " ".join(of.text[of.words[item.first].start : of.words[last - 1].end].split())


def kinds(like: Likeness, mine: int, yours: int) -> Iterator[str]:
    """The kinds of evidence that two items which stand face to face give against each other, often none."""
    one, other = like.ours[mine], like.theirs[yours]
    if one.number and other.number:
        if one.code[0] == likeness.SAME_NUMBER:
            if other_unit(one.number, other.number):
                yield "unit"
        elif differ(one.number, other.number):
            yield "date" if _is_date(like, one.number) else "number"
    elif one.code == likeness.NAME:
        if _is_in_place(like, mine, yours):
            yield "name"
    elif one.code[:1] == likeness.OPPOSITE:
        if polarity.is_denied(like.claim.words, one.first) == polarity.is_denied(like.line.words, other.first):
            yield "opposite"
    elif one.kind == "word":
        yield from polarity.turned(like.claim, one.first, like.line, other.first)


def _is_date(like: Likeness, number: Quantity) -> bool:
    months = [each for each in like.claim.numbers if each.kind == "month"]
    beside = any(month.first == number.last or month.last == number.first for month in months)
    return number.kind in _DATES or beside


def _is_in_place(like: Likeness, mine: int, yours: int) -> bool:
    """Whether one name stands where the other does: what comes right before and behind is the same, word by word."""
    one, other = like.ours[mine], like.theirs[yours]
    held = {word.stem for word in like.claim.words}
    if any(word.stem in held for word in like.line.words[other.first : other.last] if word.is_content):
        return False
    pairs, ends = set(like.pairs), (mine + 1 == len(like.ours) and yours + 1 == len(like.theirs))
    before = mine == yours == 0 or (mine - 1, yours - 1) in pairs
    behind = ends or (mine + 1, yours + 1) in pairs
    same = _word(like.claim, one.first - 1) == _word(like.line, other.first - 1)
    return before and behind and same and _word(like.claim, one.last) == _word(like.line, other.last)


def _word(of: Said, at: int) -> str:
    return of.words[at].folded if 0 <= at < len(of.words) else ""


def _is_said(claim: Parsed, one: Refutation, near: Reading, source: Reading) -> bool:
    """Whether the source says what the claim says, be it elsewhere or of something else."""
    if one.kind in ("number", "date"):
        wanted = [number for number in claim.numbers if number.first == one.first]
        return any(_is_same(number, each) for number in wanted for each in source.numbers_like(number))
    if one.kind == "name":
        places = [at for at in claim.names if one.first <= at < one.last]
        if len(naming.missing(claim.words, places, near)) < len(places):
            return True
        others = {word.stem for word in tokens(one.found)}  # both names in one sentence may be of one thing
        return any(
            not others.isdisjoint(source.lines[at].stems)
            for place in places
            for at in source.where(claim.words[place].stem)
        )
    return False


def _is_same(number: Quantity, other: Quantity) -> bool:
    is_counted = number.kind in ("plain", "ordinal")
    return agrees(number, other) and not (is_counted and number.unit and other.unit and number.unit != other.unit)
