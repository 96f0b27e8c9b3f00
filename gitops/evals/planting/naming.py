"""Names in sentences, and what makes one fit where another stood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gitops.wiki.terms import STOP_WORDS

MONTHS = tuple(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_CAPITAL = r"[A-ZÀ-ÖØ-Þ]"
_PART = rf"{_CAPITAL}[\w&]*(?:[-’'](?!s\b)\w+)*"
_NAME = re.compile(rf"(?<![\w@#/.-]){_PART}(?:\s(?:(?:of|de|del|la|von|van|and|&)\s)?{_PART})*(?![\w/])")
_OPENS = re.compile(r"(?:^|[.!?:;…—–])[\s\"'“”‘’(\[*_]*$")
_ARTICLE = re.compile(r"\b(the|an?)\s+$", re.IGNORECASE)
_SET_BY = re.compile(
    r"\b(in|at|from|to|by|with|near|of|for|as|and|between|against)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE
)
_COMPOUND = re.compile(r"-[a-z]")
"""`LLM-owned` is no name but what is made of one."""
_DERIVED = re.compile(r"(?:[ai]an|ese|ish|ic|ist)s?$")
_NO_NAME = frozenset((*MONTHS, *(month[:3] for month in MONTHS), "I", "OK", "FAQ", "TL;DR")) | frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905
)
_LOWER = re.compile(r"(?<!\w)[a-zà-öø-þ]\w+")
_NOUN = re.compile(r"\s(?![a-z]*(?:s|ed)\b)[a-z]{4,}")
"""As far as can be told: a word that is neither a small one nor ends as verbs do."""
_LONG = 3


class Kind(NamedTuple):
    """What makes one name fit where another stood: the sort of thing that the wiki says it is, else how it is used."""

    sort: str
    words: int
    is_acronym: bool
    has_digit: bool
    is_derived: bool
    is_plural: bool
    article: str
    set_by: str
    is_before_noun: bool


class Named(NamedTuple):
    """A name at `[start, end)` of a text."""

    name: str
    start: int
    end: int


class Names:
    """The names in some texts. `sorts` are what is known of some, by the name folded: `organization`, `person`."""

    def __init__(self, texts: Iterable[str], sorts: Mapping[str, str]) -> None:
        self._sorts = sorts
        every = list(texts)
        self._words = {word for text in every for word in _LOWER.findall(text)}
        self._by_kind: dict[Kind, set[str]] = {}
        for text in every:
            for one in self.within(text):
                self._by_kind.setdefault(self._kind(text, one), set()).add(one.name)

    def within(self, text: str) -> Iterator[Named]:
        """The names in a sentence. A word that is elsewhere written small is none, whatever stands here."""
        return (one for one in named(text) if not self._words.issuperset(one.name.casefold().split()[:1]))

    def others(self, text: str, one: Named) -> list[str]:
        """The names of the same kind that stand in other texts, or in this one, sorted."""
        return sorted(self._by_kind.get(self._kind(text, one), set()) - {one.name})

    def _kind(self, text: str, one: Named) -> Kind:
        name, before = one.name, text[: one.start]
        sort = self._sorts.get(name.casefold(), "")
        article, set_by = _ARTICLE.search(before), _SET_BY.search(before)
        return Kind(
            sort=sort,
            words=0 if sort else min(_LONG, len(name.split())),
            is_acronym=_is_acronym(name),
            has_digit=any(letter.isdigit() for letter in name),
            is_derived=not sort and _DERIVED.search(name) is not None,
            is_plural=name.endswith("s"),
            article=article[1].lower() if article else "",
            set_by=set_by[1].lower() if set_by and not sort else "",
            is_before_noun=not sort and _NOUN.match(text, one.end) is not None,
        )


def named(text: str) -> Iterator[Named]:
    """The names in a sentence; a single word that only begins it is none, unless it is an acronym."""
    for found in _NAME.finditer(text):
        start, name = found.start(), found[0]
        while (first := name.split()[0]) != name and first.casefold() in STOP_WORDS:
            start, name = start + len(first) + 1, name[len(first) + 1 :]
        is_opening = start == found.start() and _OPENS.search(text[:start]) is not None
        is_one = " " not in name and not _is_acronym(name)
        if not (is_opening and is_one) and _is_name(name):
            yield Named(name, start, start + len(name))


def _is_name(name: str) -> bool:
    words = re.findall(r"\w+", name)
    is_other = name.casefold() in STOP_WORDS or not _NO_NAME.isdisjoint((name, *words))
    return len(name) > 1 and not is_other and not _COMPOUND.search(name)


def _is_acronym(name: str) -> bool:
    return len(name) > 1 and name.isupper()
