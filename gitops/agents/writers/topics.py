"""What a source is about: its names and terms that come back, weighed by how rare they are among the sources."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gitops.agents.writers.document import Document, Sentence
from gitops.agents.writers.english import CALENDAR, COPULAS, DIRECTIONS, LITTLE, PLAIN, VERBAL
from gitops.agents.writers.extracting import is_english
from gitops.agents.writers.phrases import WORD, grams, is_spaceless, key, keys, phrase
from gitops.wiki.terms import STOP_WORDS, Corpus

FEWEST = 3
"""So many sentences of a source name what is a topic of it."""
MOST = 6
"""Topics of one source."""
_LONGEST_TERM = 3
_SURE = 1.5
"""Evidence with which two claims are enough for a page."""
_TOKEN = re.compile(r"[^\W_]+(?:(?:-|['’](?!s\b))[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Topic:
    """A name or term: its key, how it is written, how much it weighs.

    `names` are the keys of what the sources call it: a person's whole name and the one that mostly stands alone.
    """

    name: str
    title: str
    weight: float
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What is known of a phrase: the sentences that hold it, its spellings, what speaks for it."""

    sentences: set[int] = field(default_factory=set)
    spellings: Counter[str] = field(default_factory=Counter)
    inner_capitals: int = 0
    inner: int = 0
    subjects: int = 0


def topics(document: Document, usable: Sequence[Sentence], corpus: Corpus, most: int = MOST) -> list[Topic]:
    """The topics of a source, the weightiest first."""
    if not usable or is_spaceless("".join(one.text for one in usable[:5])):
        return []
    seen = _phrases(document.sentences)
    _drop_parts(seen)
    told = {one.start for one in usable}
    kept = {number for number, one in enumerate(document.sentences) if one.start in told}
    headed = Counter(name for heading in document.headings for name in {gram for _, gram in grams(keys(heading))})
    title, english = f" {phrase(document.title)} ", is_english(document.sentences)
    named = {name: one for name, one in seen.items() if _comes_back(one, kept, is_title=f" {name} " in title)}
    rarity = _rarity(named, corpus)
    found = []
    for name, one in named.items():
        evidence = _evidence(name, one, headed[name], title, english)
        if evidence >= _SURE or (evidence > 0 and len(one.sentences & kept) >= FEWEST):
            weight = math.sqrt(len(one.sentences)) * rarity[name] * evidence
            whole = _whole_name(name, one, seen)
            found.append(
                Topic(whole or name, _title(seen[whole or name]), round(weight, 6), _called(name, whole, seen))
            )
    found.sort(key=lambda topic: (-topic.weight, topic.name))
    return _apart(found, seen)[: max(1, min(most, len(usable) // 4))]


def _comes_back(one: _Seen, kept: set[int], *, is_title: bool) -> bool:
    """Enough sentences name it, of which two, or one of what the title names, can stand as claims."""
    return len(one.sentences) >= FEWEST and len(one.sentences & kept) >= (1 if is_title else 2)


def _phrases(sentences: Sequence[Sentence]) -> dict[str, _Seen]:
    seen: defaultdict[str, _Seen] = defaultdict(_Seen)
    for number, sentence in enumerate(sentences):
        tokens = _TOKEN.findall(sentence.text)
        for at in range(len(tokens)):
            for length in range(1, min(_LONGEST_TERM, len(tokens) - at) + 1):
                words = tokens[at : at + length]
                if length > 1 and not _is_joined(sentence.text, words):
                    break
                if _may_be_term(words):
                    _count(seen[" ".join(keys(" ".join(words)))], number, words, at, tokens)
    return dict(seen)


def _is_joined(text: str, words: list[str]) -> bool:
    """Whether nothing but a space parts the words: a comma between two names makes them two."""
    return " ".join(words) in text


def _may_be_term(words: list[str]) -> bool:
    lowered = [word.casefold() for word in words]
    if any(word in STOP_WORDS or word in LITTLE or word.isdigit() for word in lowered):
        return False
    if len(words) == 1:
        word = lowered[0]
        return len(word) > 2 and not word[0].isdigit() and key(word) not in PLAIN and word not in CALENDAR
    return not any(word[0].isdigit() for word in lowered) and not (key(lowered[-1]) in VERBAL or lowered[0] in VERBAL)


def _count(one: _Seen, number: int, words: list[str], at: int, tokens: list[str]) -> None:
    one.sentences.add(number)
    if at > 0:
        one.inner += 1
        one.inner_capitals += all(word[0].isupper() for word in words)
    spelled = " ".join(words)
    one.spellings[spelled if at > 0 or not spelled[0].isupper() else spelled[0].lower() + spelled[1:]] += 1
    after = at + len(words)
    is_first = at == 0 or (at == 1 and tokens[0].casefold() in ("the", "a", "an"))
    one.subjects += is_first and after < len(tokens) and tokens[after].casefold() in COPULAS


def _whole_name(name: str, one: _Seen, seen: Mapping[str, _Seen]) -> str:
    """The longer name that a name is mostly part of (`Lina Marchetti`), if it has a capital in each word."""
    if " " in name or one.inner_capitals < 0.7 * one.inner:
        return ""
    longer = [
        (len(other.sentences), words)
        for words, other in seen.items()
        if name in words.split()
        and words != name
        and other.inner
        and other.inner_capitals == other.inner
        and not DIRECTIONS & set(words.split())
    ]
    best = max(longer, default=(0, ""))
    return best[1] if best[0] >= 2 and best[0] >= 0.3 * len(one.sentences) else ""


def _called(name: str, whole: str, seen: Mapping[str, _Seen]) -> tuple[str, ...]:
    """What to look for: the whole name where it comes back often enough by itself, else the short one too."""
    if not whole:
        return (name,)
    return (whole,) if len(seen[whole].sentences) >= 2 * FEWEST else (whole, name)


def _drop_parts(seen: dict[str, _Seen]) -> None:
    """Drop a word that hardly stands outside a longer phrase (`sinensis`), and a phrase that hardly stands at all."""
    for name in [name for name, one in seen.items() if len(one.sentences) < 2]:
        del seen[name]
    for name, one in list(seen.items()):
        parts = {gram for _, gram in grams(name.split(), _LONGEST_TERM)} - {name}
        for part in parts & seen.keys():
            if len(one.sentences) >= 0.75 * len(seen[part].sentences) and len(one.sentences) >= FEWEST:
                del seen[part]


def _evidence(name: str, one: _Seen, headed: int, title: str, english: bool) -> float:
    """How sure it is that this names something: by capitals (not in German), headings, or who says what it is."""
    is_name = english and one.inner >= 2 and one.inner_capitals >= 0.7 * one.inner
    words = len(name.split())
    in_title = f" {name} " in title
    if not (is_name or in_title or headed or one.subjects >= (1 if words == 1 else 2)):
        return 0.0
    weight = 1.0 + 0.9 * in_title + 0.4 * min(headed, 2) + 0.35 * min(one.subjects, 3) + 0.5 * is_name
    return weight * (1.6 if words > 1 else 1.0)


def _rarity(named: Mapping[str, _Seen], corpus: Corpus) -> dict[str, float]:
    """The idf of each phrase: of its rarest word, as `gitops.wiki.terms` defines it."""
    words = {spelling: WORD.findall(next(iter(one.spellings)).casefold()) for spelling, one in named.items()}
    frequency = corpus.frequency({word for each in words.values() for word in each})
    idf = {word: math.log((1 + corpus.documents) / (1 + count)) + 1 for word, count in frequency.items()}
    top = math.log(1 + corpus.documents) + 1
    return {name: max((idf.get(word, top) for word in each), default=top) for name, each in words.items()}


def _apart(found: list[Topic], seen: Mapping[str, _Seen]) -> list[Topic]:
    """Without those that say the same as a weightier one: one phrase within the other, in nearly the same sentences."""
    kept: list[Topic] = []
    for topic in found:
        mine = seen[topic.name].sentences
        is_new = topic.name not in {other.name for other in kept}
        if is_new and not any(_is_same(topic.name, mine, other.name, seen[other.name].sentences) for other in kept):
            kept.append(topic)
    return kept


def _is_same(one: str, mine: set[int], other: str, its: set[int]) -> bool:
    if f" {one} " not in f" {other} " and f" {other} " not in f" {one} ":
        return False
    return len(mine & its) >= 0.6 * min(len(mine), len(its)) and len(mine & its) >= 0.35 * max(len(mine), len(its))


def _title(one: _Seen) -> str:
    """The commonest spelling, with a capital."""
    spelled = min(one.spellings, key=lambda text: (-one.spellings[text], text))
    return spelled[:1].upper() + spelled[1:]


def naming(names: Mapping[str, str], sentences: Sequence[Sentence]) -> dict[str, list[Sentence]]:
    """Each page that is named (names are `phrase` → path), with the sentences that name it."""
    found: defaultdict[str, dict[int, Sentence]] = defaultdict(dict)
    apart = [name for name in names if is_spaceless(name)]
    for sentence in sentences:
        for _, gram in grams(keys(sentence.text)):
            if gram in names:
                found[names[gram]][sentence.start] = sentence
        spoken = sentence.text.casefold()
        for name in apart:
            if name in spoken:
                found[names[name]][sentence.start] = sentence
    return {path: list(every.values()) for path, every in found.items()}
