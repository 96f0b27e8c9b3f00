"""What is known of a wiki while errors are planted in it: what its sources say near a claim, which names there are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from gitops.evals.planting.naming import Names
from gitops.evals.planting.sound import Sound
from gitops.verify import linting
from gitops.verify.view import View
from gitops.wiki.names import called
from gitops.wiki.snapshot import EXECUTABLE, REGULAR
from gitops.wiki.source_text import SourceText
from gitops.wiki.terms import STOP_WORDS, tokens
from gitops.wiki.tongue import language

_END = re.compile(r"\n\s*\n|(?<=[.!?])[\"”’)\]]*\s+|(?<=[。！？])")
_SHARED = 2
"""So many content words make a sentence of a source one that speaks of the same thing."""
_LEAST_ENGLISH = 0.2
"""The share of English function words from which a claim is taken for English."""


def content(text: str) -> frozenset[str]:
    """The content words of a text, folded."""
    return frozenset(tokens(text)) - STOP_WORDS


def is_english(text: str) -> bool:
    """Whether a claim reads as English, so that its small words are what they look like."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if language(text, 1) not in ("en", ""):
        return False
    return bool(words) and sum(word in STOP_WORDS for word in words) >= _LEAST_ENGLISH * len(words)


class Ground:
    """The sound claims of one revision, with what tells whether a change of one makes it false.

    Nothing here asks what a judge would ask: whether a mutant is an error must not hang on who is tested.
    """

    def __init__(self, view: View, sound: Sequence[Sound]) -> None:
        self.view = view
        self.sound = sound
        self._sentences: dict[str, list[tuple[str, frozenset[str]]]] = {}
        self._near: dict[tuple[str, int], str] = {}
        self._content: dict[str, frozenset[str]] = {}

    def source(self, path: str) -> SourceText:
        """A source's text."""
        return self.view.source(path)

    def near(self, sound: Sound) -> str:
        """What the cited sources say of the same thing: their sentences that share words with the claim."""
        key = (sound.path, sound.number)
        if key not in self._near:
            words = content(sound.claim.text)
            least = min(_SHARED, len(words))
            found = (said for path in sound.sources for said, held in self._split(path) if len(held & words) >= least)
            self._near[key] = "\n".join(found)
        return self._near[key]

    def coverage(self, sound: Sound, path: str) -> float:
        """The share of the claim's content words that a source holds."""
        if path not in self._content:
            self._content[path] = content(self.source(path).text)
        return share(content(sound.claim.text), self._content[path])

    @cached_property
    def names(self) -> Names:
        """The names in the cited claims of all pages with a sound one."""
        paths = dict.fromkeys(sound.path for sound in self.sound)
        return Names((claim.text for path in paths for claim in self.view.page(path).claims), self._sorts())

    def _sorts(self) -> dict[str, str]:
        """What the pages' frontmatter or folders call the things that they are named after."""
        sorts = {}
        for path in linting.pages(self.view):
            page = self.view.page(path)
            sort = page.frontmatter.get("type") or posixpath.dirname(path)
            for name in called(page, path, self.view.layout.index)[1:]:
                sorts[name.partition(":")[2]] = str(sort).casefold()
        return sorts

    @cached_property
    def sources(self) -> list[str]:
        """The sources that can be cited instead of another."""
        layout, snapshot = self.view.layout, self.view.snapshot
        paths: Iterable[str] = snapshot.paths(layout.raw)
        return sorted(path for path in paths if layout.is_source(path) and snapshot.mode(path) in (REGULAR, EXECUTABLE))

    def _split(self, path: str) -> list[tuple[str, frozenset[str]]]:
        if path not in self._sentences:
            said = [part for part in _END.split(self.source(path).text) if part.strip()]
            self._sentences[path] = [(part, content(part)) for part in said]
        return self._sentences[path]


def share(wanted: frozenset[str], held: frozenset[str]) -> float:
    """The share of some words that are held; 1 of none."""
    return len(wanted & held) / len(wanted) if wanted else 1.0
