"""True sentences with one thing made wrong, and the same sentences untouched: what a gate must and must not refuse.

Of each set two kinds of sentence: claims that readers found supported, cited to the sentences that support them; and
sentences of the sources, cited to themselves. The words that are exchanged are listed here, not taken from the judge.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.judge.labelled import Claim
from gitops.verify.judge import Question
from gitops.verify.judging.lexicon import MONTHS
from gitops.verify.judging.reading import Reading

CONTROL, SWAPPED = "control", "source"
_MONTHS = tuple(month.capitalize() for month in MONTHS)
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_DAY = re.compile(rf"\b([12]?\d)(?= (?:{'|'.join(_MONTHS)})\b)|(?<=\b)(?:{'|'.join(_MONTHS)}) ([12]?\d)\b")
_MONTH = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b(?= \d|,)")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\w:/-]|\.\d|,\d)")
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*)\b")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|will|does|do|did)\b(?! not)")
_NOT = re.compile(r"\b(?:(is|are|was|were|has|have|had|can|will|does|do|did|would|could) not|(can)not)\b")
_MAY = re.compile(r"\b(?:may|might|could) (?=be |have )|\b(?:possibly|probably|reportedly|allegedly|perhaps) ")
_UNITS = (
    ("kilometres", "metres"), ("kilometers", "meters"), ("km", "m"), ("miles", "feet"), ("metres", "miles"),
    ("meters", "miles"), ("feet", "metres"), ("inches", "feet"), ("kg", "tonnes"), ("grams", "kilograms"),
    ("pounds", "tonnes"), ("mg", "g"), ("litres", "gallons"), ("hours", "days"), ("minutes", "hours"),
    ("seconds", "minutes"), ("days", "weeks"), ("weeks", "months"), ("months", "years"), ("years", "decades"),
    ("year", "month"), ("million", "billion"), ("billion", "million"), ("thousand", "million"), ("centuries", "years"),
)  # fmt: skip
_QUANTIFIERS = (
    ("all", "some"), ("every", "hardly any"), ("always", "sometimes"), ("never", "always"), ("most", "few"),
    ("many", "all"), ("some", "all"), ("several", "all"), ("often", "never"), ("sometimes", "always"),
    ("usually", "never"), ("few", "many"), ("none of", "all of"), ("rarely", "always"), ("mostly", "never"),
)  # fmt: skip
_TURNED = (
    ("rose", "fell"), ("increased", "decreased"), ("increases", "decreases"), ("increase", "decrease"),
    ("grew", "shrank"), ("declined", "rose"), ("dropped", "climbed"), ("fell", "rose"), ("more", "fewer"),
    ("less", "more"), ("higher", "lower"), ("lower", "higher"), ("larger", "smaller"), ("largest", "smallest"),
    ("smallest", "largest"), ("highest", "lowest"), ("lowest", "highest"), ("longest", "shortest"), ("best", "worst"),
    ("oldest", "youngest"), ("first", "last"), ("last", "first"), ("before", "after"), ("after", "before"),
    ("early", "late"), ("late", "early"), ("above", "below"), ("below", "above"), ("won", "lost"), ("lost", "won"),
    ("bought", "sold"), ("sold", "bought"), ("joined", "left"), ("opened", "closed"), ("closed", "opened"),
    ("began", "ended"), ("started", "ended"), ("ended", "began"), ("north", "south"), ("south", "north"),
    ("east", "west"), ("west", "east"), ("northern", "southern"), ("southern", "northern"), ("eastern", "western"),
    ("western", "eastern"), ("male", "female"), ("female", "male"), ("public", "private"), ("major", "minor"),
    ("faster", "slower"), ("better", "worse"), ("strong", "weak"), ("accepted", "rejected"), ("success", "failure"),
    ("old", "new"), ("high", "low"), ("large", "small"), ("positive", "negative"), ("rich", "poor"),
)  # fmt: skip
_WORDS = range(6, 41)


@dataclass(frozen=True)
class Case:
    """A question, which kind of error it holds (`control` for none), and whose: cases of one group share a source."""

    set: str
    kind: str
    question: Question
    group: int


def cases(claims: Sequence[Claim]) -> Iterator[Case]:
    """Every mutant with, before it, its untouched sentence."""
    swapped = _swapped(claims)
    names = sorted({found for claim in claims for found in _NAME.findall(claim.claim)})
    done: set[int] = set()
    for claim in claims:
        if claim.label == "supports":
            yield from _cases(claim, claim.claim, claim.cited, f"{claim.set} claims", names)
            yield Case(f"{claim.set} claims", SWAPPED, Question(claim.claim, source=swapped[claim.id]), claim.group)
        if claim.group not in done:
            done.add(claim.group)
            for said in sentences_of(claim):
                yield from _cases(claim, said, said, f"{claim.set} sentences", names)


def _swapped(claims: Sequence[Claim]) -> dict[str, str]:
    """For each claim a source of its set that is not its own."""
    found = {}
    for claim in claims:
        others = [other.source for other in claims if other.set == claim.set and other.group != claim.group]
        found[claim.id] = others[_pick(claim.id, len(others))]
    return found


def _cases(claim: Claim, text: str, span: str, name: str, names: Sequence[str]) -> Iterator[Case]:
    for kind, made in [(CONTROL, text), *mutants(text, claim.source, names)]:
        yield Case(name, kind, Question(made, span=span, source=claim.source), claim.group)


def sentences_of(claim: Claim) -> list[str]:
    """Two sentences of a source at most, chosen by digest."""
    lines = [line.text.strip() for line in Reading(claim.source).lines if len(line.words) in _WORDS]
    lines = [line for line in lines if line.endswith(".") and "meta data" not in line]
    return sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())[:2]


def mutants(text: str, source: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The kinds of error that can be made in a sentence, each with the sentence that has it."""
    for kind, make in MUTATIONS.items():
        made = make(text, source, names)
        if made and made != text:
            yield kind, made


def _pick(key: str, of: int) -> int:
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % of


def _put(text: str, found: re.Match[str], made: str) -> str:
    return text[: found.start()] + made + text[found.end() :]


def number(text: str, source: str, names: Sequence[str]) -> str:
    """A number that is no date, made another."""
    found = [one for one in _NUMBER.finditer(text) if not _YEAR.fullmatch(one[0]) and not _dated(text, one)]
    if not found:
        return ""
    one = found[_pick(text, len(found))]
    value = float(one[0].replace(",", ""))
    made = value * (1.6 + _pick(text + "n", 20) / 10) + 1
    return _put(text, one, f"{made:.1f}" if "." in one[0] else f"{round(made):,}")


def _dated(text: str, found: re.Match[str]) -> bool:
    return any(month in text[max(0, found.start() - 11) : found.end() + 11] for month in _MONTHS)


def date(text: str, source: str, names: Sequence[str]) -> str:
    """Another year, else another month, else another day."""
    for pattern in (_YEAR, _MONTH, _DAY):
        if found := pattern.search(text):
            break
    else:
        return ""
    if found[0] in _MONTHS:
        return _put(text, found, _MONTHS[(_MONTHS.index(found[0]) + 1 + _pick(text, 10)) % 12])
    return _put(text, found, re.sub(r"\d+", lambda one: str(int(one[0]) + 1 + _pick(text, 7)), found[0]))


def unit(text: str, source: str, names: Sequence[str]) -> str:
    """Another unit or scale behind a number."""
    for one, other in _UNITS:
        if found := re.search(rf"(?<=\d[ -]){one}\b", text):
            return _put(text, found, other)
    return ""


def name(text: str, source: str, names: Sequence[str]) -> str:
    """A name within the sentence, made one of another source."""
    found = list(_NAME.finditer(text))
    others = [each for each in names if each.split()[0] not in source]
    if not found or not others:
        return ""
    one = found[_pick(text, len(found))]
    return "" if one[0] in _MONTHS else _put(text, one, others[_pick(text + one[0], len(others))])


def name_of_source(text: str, source: str, names: Sequence[str]) -> str:
    """A name within the sentence, made another one of its source."""
    found = list(_NAME.finditer(text))
    others = sorted({one for one in _NAME.findall(source) if one.split()[0] not in text and one not in _MONTHS})
    if not found or not others:
        return ""
    one = found[_pick(text, len(found))]
    return "" if one[0] in _MONTHS else _put(text, one, others[_pick(text + one[0], len(others))])


def negation(text: str, source: str, names: Sequence[str]) -> str:
    """A `not` put in or taken out."""
    if found := _NOT.search(text):
        return _put(text, found, found[1] or found[2])
    found = _VERB.search(text)
    return _put(text, found, f"{found[0]} not") if found else ""


def _exchanged(pairs: Iterable[tuple[str, str]]) -> Callable[[str, str, Sequence[str]], str]:
    def exchange(text: str, source: str, names: Sequence[str]) -> str:
        for one, other in pairs:
            if found := re.search(rf"\b{one}\b", text):
                return _put(text, found, other)
        return ""

    return exchange


def hedge(text: str, source: str, names: Sequence[str]) -> str:
    """What may be made what is; `possibly` and its like taken out."""
    found = _MAY.search(text)
    if not found:
        return ""
    follows = text[found.end() :]
    if found[0].split()[0] not in ("may", "might", "could"):
        return text[: found.start()] + follows
    verb, _, rest = follows.partition(" ")
    return f"{text[: found.start()]}{'is' if verb == 'be' else 'has'} {rest}"


MUTATIONS: dict[str, Callable[[str, str, Sequence[str]], str]] = {
    "number": number,
    "unit": unit,
    "date": date,
    "name": name,
    "name of the source": name_of_source,
    "negation": negation,
    "opposite": _exchanged(_TURNED),
    "quantifier": _exchanged(_QUANTIFIERS),
    "hedge": hedge,
}
"""Each makes a sentence wrong, or gives nothing where it has no place."""
