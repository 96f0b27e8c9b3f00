"""What stands in a source between the words of its text: time stamps, footnote marks, speaker labels, mark-up.

Who quotes a transcript quotes what was said, not the stamps between the lines. A number that is told in running text
("at 5:40 pm") is no stamp: stamps stand on lines of their own, in brackets, or before the lines of a transcript. A
speaker's label stands twice or more.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from gitops.wiki.late import late
from gitops.wiki.source_text import SourceText

_TIME = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_LONGEST_LINK = 500
_PATTERNS = {
    "time_stamps": (
        rf"^[ \t]*(?:\d{{1,6}}[ \t]*\r?\n[ \t]*)?{_TIME}[ \t]*-->[^\n]*$"
        rf"|^[ \t>*_#–—-]*[\[(]?{_TIME}[\])]?[*_]{{0,3}}[ \t:.–—-]*$"
        rf"|\*\*[\[(]?{_TIME}[\])]?:?\*\*|\[\**{_TIME}\**(?:[ \t]*[–—-]+>?[ \t]*{_TIME})?\](?:\([^()\s]*\))?"
        rf"|^[ \t]*\({_TIME}\)|\({_TIME}\)(?=[ \t]*$)"
    ),
    "footnote_marks": (
        r"\[\^[^\]\s]{1,40}\](?!:)|(?<=[\w.,;:!?\"”’')%])\[\d{1,3}(?:[ ,–-]+\d{1,3})*\](?!\()"
        r"|(?<=[.,;:!?”\"])[⁰¹²³⁴-⁹]+"
    ),
    "sounds": r"\[[A-Za-z♪][A-Za-z♪ _-]{1,23}\](?![(\[:])|♪",
    "mark_up": (
        rf"!\[[^\]\n]{{0,{_LONGEST_LINK}}}\]\([^)\n]{{0,{_LONGEST_LINK}}}\)"
        rf"|\]\([^()\s]{{0,{_LONGEST_LINK}}}(?:\([^()\s]{{0,99}}\)[^()\s]{{0,{_LONGEST_LINK}}})?(?:\s+\"[^\"\n]*\")?\)"
        r"|<!--.{0,1000}?-->|</?(?!(?:del|s|strike)\b)[A-Za-z][^<>\n]{0,300}>|^[ \t>]*\d{1,3}[.)](?=[ \t])"
    ),
    "page_breaks": r"(?:^[ \t]*\d{1,4}[ \t]*\n)?\f(?:[ \t]*\d{1,4}[ \t]*$)?",
}
_NOISE = late("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _PATTERNS.items()), re.MULTILINE | re.DOTALL)
_BARE_STAMP = late(
    rf"^[ \t]*{_TIME}[ \t]*[|–—-]?[ \t]+(?=\S)(?!(?:[ap]\.?m\b|o['’]clock|Uhr|h\b))", re.MULTILINE | re.IGNORECASE
)
_FILLER = re.compile(r"\b(?:u+h+m*|u+m+|erm+|h+m+|mh+m+)\b[,.]?", re.IGNORECASE)
"""What a speaker says between words; looked for only in transcripts ("um" is a word in German)."""
_NAMES = {kind: "mark-up" if kind == "mark_up" else kind.replace("_", " ") for kind in _PATTERNS}
_LABEL = late(r"^[ \t]*(?:[>–—-]+[ \t]*)?(\**[A-Z][\w.'’-]*(?: [\w.'’-]+){0,3}\**:\**)(?=[ \t])", re.MULTILINE)
KINDS = frozenset({"time stamps", "footnote marks", "sounds", "speaker labels", "mark-up", "page breaks"})
_BARE_FROM = 3
"""So many lines that begin with a time make a transcript."""


@dataclass(frozen=True, slots=True)
class Quiet:
    """A text whose noise is blanked out, so that every word stays where it was; and what was blanked, where."""

    text: str
    starts: tuple[int, ...]
    kinds: tuple[str, ...]

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """The names of what was blanked in `[start, end)`, each once, in order."""
        return tuple(dict.fromkeys(self.kinds[bisect_left(self.starts, start) : bisect_left(self.starts, end)]))


@lru_cache(maxsize=64)
def quiet(text: str) -> Quiet:
    """The text without its noise."""
    found: list[tuple[int, str]] = []
    blanked = _NOISE.sub(lambda noise: _blank(noise, _NAMES[noise.lastgroup or ""], found), text)
    if len(_BARE_STAMP.findall(blanked)) >= _BARE_FROM:
        blanked = _BARE_STAMP.sub(lambda noise: _blank(noise, "time stamps", found), blanked)
    if sum(kind == "time stamps" for _, kind in found) >= _BARE_FROM:
        blanked = _FILLER.sub(lambda noise: _blank(noise, "sounds", found), blanked)
    labels = Counter(_LABEL.findall(blanked))
    if any(count > 1 for count in labels.values()):
        blanked = _LABEL.sub(
            lambda noise: _blank(noise, "speaker labels", found) if labels[noise[1]] > 1 else noise[0], blanked
        )
    found.sort()
    return Quiet(blanked, tuple(start for start, _ in found), tuple(kind for _, kind in found))


@lru_cache(maxsize=8)
def silenced(source: SourceText) -> SourceText:
    """The source with its noise blanked out, every word in its place; the source itself if it has none."""
    hushed = quiet(source.text)
    return replace(source, text=hushed.text) if hushed.starts else source


def _blank(noise: re.Match[str], kind: str, found: list[tuple[int, str]]) -> str:
    found.append((noise.start(), kind))
    return re.sub(r"[^\n]", " ", noise[0])
