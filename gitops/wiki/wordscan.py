"""Which of some terms a file holds as whole words, read off its bytes: what `terms.tokens` would find, far sooner.

Most of a page is ASCII, where a word is a run of letters and digits, and a table of 256 bytes folds case and clears
away all else. Only words with other characters in them are decoded, composed and folded. An underscore parts words.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from gitops.wiki.decode import OVERSIZED, decode
from gitops.wiki.terms import tokens

_WORDS = bytes(each if each > 127 else ord(chr(each).lower()) if chr(each).isalnum() else 32 for each in range(256))
"""ASCII letters in small, digits, and what is beyond ASCII as they are; a space for all else."""
# Dashes, quotation marks, spaces: U+2000 to U+203F hold no letter, and stand on nearly every page.
_PUNCTUATION = re.compile(b"\xe2\x80[\x80-\xbf]")


class WordScan:
    """Looks for the same terms in many files. Terms are given as `terms.tokens` gives them."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = {term.encode(): term for term in terms}
        self._wanted = frozenset(self._terms)

    def held(self, data: bytes) -> set[str]:
        """The terms among the words of a file."""
        return {self._terms[word] for words in _words(data) for word in self._wanted.intersection(words)}

    def counted(self, data: bytes) -> dict[str, int]:
        """How often each of the terms that a file holds stands in it, the most frequent first."""
        words = _words(data)
        held = {word for some in words for word in self._wanted.intersection(some)}
        counts = {self._terms[word]: sum(some.count(word) for some in words) for word in held}
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _words(data: bytes) -> tuple[list[bytes], ...]:
    """The words of a file, folded, in UTF-8: those of ASCII, then the others, where there are any."""
    if len(data) > OVERSIZED or b"\0" in data or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ([word.encode() for word in tokens(decode(data).text)],)
    if not data.isascii():
        data = _PUNCTUATION.sub(b" ", data)
    words = data.translate(_WORDS).split()
    if data.isascii():
        return (words,)
    odd = b" ".join(word for word in words if not word.isascii())
    plain = [word for word in words if word.isascii()]
    return plain, [word.encode() for word in tokens(odd.decode(errors="replace"))]
