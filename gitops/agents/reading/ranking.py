"""Ranking pages and sources by words where there is no search index: all are read, once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gitops.agents.calling import ToolError
from gitops.agents.reading.shelf import Hit, Shelf
from gitops.agents.reading.texts import split
from gitops.wiki import terms

_EXCERPT = 240
_K1, _B = 1.2, 0.75


class Bm25:
    """Files ranked by BM25 (Robertson and Zaragoza 2009, eq. 3.15; k₁ 1.2, b 0.75), each by its line that says most."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def __call__(self, words: str, limit: int) -> Sequence[Hit]:
        """The best files for some words, best first."""
        wanted = set(terms.tokens(words)) - terms.STOP_WORDS or set(terms.tokens(words))
        counts = {path: counted for path in self._shelf.paths() if (counted := self._counted(path)) is not None}
        sizes = {path: sum(counted.values()) for path, counted in counts.items()}
        average = sum(sizes.values()) / max(1, len(sizes))
        idf = {word: self._idf(word, counts.values(), len(counts)) for word in sorted(wanted)}
        scores = {
            path: sum(weight * self._share(counted.get(word, 0), sizes[path], average) for word, weight in idf.items())
            for path, counted in counts.items()
        }
        best = sorted((path for path, score in scores.items() if score > 0), key=lambda path: (-scores[path], path))
        return [self._hit(path, idf) for path in best[:limit]]

    @staticmethod
    def _idf(word: str, counts: Iterable[dict[str, int]], total: int) -> float:
        holding = sum(1 for counted in counts if word in counted)
        return math.log(1 + (total - holding + 0.5) / (holding + 0.5))

    @staticmethod
    def _share(count: int, size: int, average: float) -> float:
        return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * size / average)) if count else 0.0

    def _counted(self, path: str) -> dict[str, int] | None:
        blob = self._shelf.now().snapshot.blob(path) or path
        if blob not in self._shelf.counted:
            try:
                text = self._shelf.text(path).text
            except ToolError:  # nothing to read, so nothing to find
                return None
            self._shelf.counted[blob] = dict(Counter(terms.tokens(text)))
        return self._shelf.counted[blob]

    def _hit(self, path: str, idf: Mapping[str, float]) -> Hit:
        """The file by its line that says most; a PDF's lines count within their page."""
        lines = [
            (part.page, number, line)
            for part in self._shelf.parts(path)
            for number, line in enumerate(split(part.text), 1)
        ]
        texts = [line for _, _, line in lines]
        says = [sum(weight for word, weight in idf.items() if word in found) for found in map(_words, texts)]
        page, number, line = lines[max(range(len(lines)), key=lambda at: (says[at], -at))]
        return Hit(path, number, f"page {page}" if page else "", line.strip()[:_EXCERPT])


def _words(line: str) -> set[str]:
    return set(terms.tokens(line))
