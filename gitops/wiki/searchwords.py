"""The words under which a text is searched: plain words, and pairs of characters of scripts that put no spaces.

SQLite's tokenisers know neither: `unicode61` takes a whole Chinese clause for one word, `trigram` finds no word of
two characters, which most Chinese and Korean words have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gitops.wiki.boundaries import UNSPACED
from gitops.wiki.late import late
from gitops.wiki.terms import STOP_WORDS

_PLAIN = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+")
_MIXED = late(rf"[{UNSPACED}]+|\d+(?:[.,:]\d+)+|[^\W_{UNSPACED}]+")
_UNSPACED = late(f"[{UNSPACED}]")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b", re.IGNORECASE)
_ASK = """
tell describe explain define list give name mean means meaning please know say says said called exactly according does
something someone somebody anything anyone anybody
who whom whose what when where why how which whether there
"""
ASKING = frozenset(_ASK.split())
"""Words that ask, and are no part of what is asked."""
_ASKING_ELSEWHERE = late(
    r"(?:이란|란)?\s*(?:무엇|뭐|뭣)(?:인가요?|입니까|이며|인지|을|를|이|가)?|누구(?:인가요?|입니까|가)?|누가|언제|어디(?:에서|서|에)?"
    r"|어떻게|어떤|어느|왜|얼마나?|몇|인가요?(?=\W|$)|입니까|(?<=[가-힣])(?:하나요?|했나요?|되나요?|나요?)(?=\W|$)"
    r"|(?<=[가-힣]{2})(?:에서|으로|에게|은|는|을|를|의|에|와|과|이|가|도)(?=\s|[?？]|$)|(?<=[A-Za-z0-9])(?:은|는|을|를|의|에|와|과|이|가|로)(?=\s|[?？]|$)"
    r"|什么是|是什么|什么|甚麼|什麼|是谁|誰是|谁|哪里|哪裡|哪个|哪些|何时|為什麼|为什么|如何|怎么|怎麼|怎样|多少|多久|几|幾|吗|嗎|呢|的|是(?=[?？]|$)"
    r"|とは(?:何(?:ですか|か)?)?|(?:は|が)?(?:何|なに|なん|誰|だれ|いつ|どこ|どれ|どの(?:ような?|ように)?|どう(?:やって|して)?|なぜ|いくら)"
    r"|ですか|ますか|でしょうか|ました(?:か)?(?=[?？。]|$)|(?<=[一-龯ァ-ヶー])(?:は|が|を|の|に|で|と|へ)(?=[一-龯ァ-ヶーぁ-んA-Za-z0-9?？]|$)"
)
"""The same in Korean, Chinese and Japanese, and the particles on which a word's end is not its own."""


def words(text: str) -> list[str]:
    """The words of a text in order: case folded (NFKC), numbers whole, runs without spaces as overlapping pairs."""
    folded = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).casefold())
    if folded.isascii() or not _UNSPACED.search(folded):
        return _PLAIN.findall(folded)
    return [word for run in _MIXED.findall(folded) for word in _pairs(run)]


def searchable(text: str) -> str:
    """A text as an index takes it in: its words, a space between them."""
    return " ".join(words(text))


def asked(text: str) -> list[str]:
    """What to search for: each word once, without function words and words that ask, unless nothing else is left."""
    every = list(dict.fromkeys(words(text)))
    if any(map(is_unspaced, every)):
        folded = unicodedata.normalize("NFKC", text)
        every = list(dict.fromkeys(words(_ASKING_ELSEWHERE.sub(" ", folded)))) or every
    telling = [word for word in every if word not in STOP_WORDS and word not in ASKING and not _is_particle(word)]
    return telling or every


def _is_particle(word: str) -> bool:
    """A lone letter, or a lone syllable of Hangul or Kana: mostly what hangs on the word before it."""
    return len(word) == 1 and (
        (word.isascii() and word.isalpha()) or "\u3040" <= word <= "\u30ff" or "\uac00" <= word <= "\ud7af"
    )


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that puts no spaces, and so a pair and not a word."""
    return not word.isascii() and _UNSPACED.search(word) is not None


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1 or not is_unspaced(run):
        yield run
    else:
        yield from (run[at : at + 2] for at in range(len(run) - 1))
