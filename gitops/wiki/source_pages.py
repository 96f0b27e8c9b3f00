"""Which pages of a wiki stand for one source each, and what sources are called that pages name without a path.

Told by what pages say of themselves (`type: source`), never by a folder's or page's name alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gitops.wiki.layout import is_entry
from gitops.wiki.model import Page

_TYPES = ("type", "page_type", "kind")
_SOURCE = re.compile(r"(?:raw[-_ ])?sources?(?:[-_ ](?:summary|page|note|digest))?", re.IGNORECASE)
_DIGEST = re.compile(
    r"(?:literature[-_ ])?(?:summary|paper|article|reference|digest|note|book|talk|video)", re.IGNORECASE
)
_OF_ONE = ("source", "source_file", "source_path", "raw_path", "raw_paths", "raw_file", "raw")
_PREFIX = re.compile(r"((?:sources?|src|paper|summary)[-_])\w", re.IGNORECASE)
_NUMBERED = re.compile(r"([a-z][a-z_-]{0,20}[-_])\d+\Z")
_FEWEST = 3
_SHARE = 0.8


@dataclass(slots=True)
class Sightings:
    """What was seen so far: of folders and of beginnings of names all pages and those for a source, and what links name
    of the raw folder.
    """

    folders: Counter[str] = field(default_factory=Counter)
    source_folders: Counter[str] = field(default_factory=Counter)
    prefixes: Counter[str] = field(default_factory=Counter)
    source_prefixes: Counter[str] = field(default_factory=Counter)
    numbered_pages: set[str] = field(default_factory=set)
    numbered_sources: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, inside: str, page: Page, known: Container[str], raw_names: Container[str]) -> None:
        """Take in a page at its path in the wiki. `known` are folders of source pages, `raw_names` stems of raw files,
        both casefolded.
        """
        folders, name = inside.split("/")[:-1], stem(inside)
        is_known = any(one.casefold() in known for one in folders)
        is_source = is_known or _stands_for_source(page.frontmatter)
        if not is_entry(inside):
            folder = "/".join(folders)
            self.folders[folder] += not is_known
            self.source_folders[folder] += is_source and not is_known
        if prefix := _PREFIX.match(name):
            self.prefixes[prefix[1]] += 1
            self.source_prefixes[prefix[1]] += is_source
        if numbered := _NUMBERED.match(name):
            self.numbered_pages.add(numbered[1])
        for link in page.links:
            said = link.target.casefold().removesuffix(".md")
            if link.kind == "wiki" and said in raw_names and (numbered := _NUMBERED.match(said)):
                self.numbered_sources[numbered[1]].add(said)

    def found(self) -> tuple[str, ...]:
        """Folders, and globs of names: `10-papers`, `src-*`, `issue-[0-9]*`."""
        return (*sorted(self._folders()), *sorted(self._prefixes()), *sorted(self._numbered()))

    def _folders(self) -> Iterator[str]:
        for folder, count in self.source_folders.items():
            if folder and count >= _FEWEST and count >= _SHARE * self.folders[folder]:
                yield folder

    def _prefixes(self) -> Iterator[str]:
        for prefix, count in self.source_prefixes.items():
            if count >= _FEWEST and count >= _SHARE * self.prefixes[prefix]:
                yield f"{prefix}*"

    def _numbered(self) -> Iterator[str]:
        for prefix, names in self.numbered_sources.items():
            if len(names) >= _FEWEST and prefix not in self.numbered_pages:
                yield f"{prefix}[0-9]*"


def _stands_for_source(frontmatter: Mapping[str, Any]) -> bool:
    """Whether a page calls itself one: as a source, or as a summary that names what it is of."""
    said = [str(frontmatter.get(key) or "") for key in _TYPES]
    if any(map(_SOURCE.fullmatch, said)):
        return True
    return any(map(_DIGEST.fullmatch, said)) and any(frontmatter.get(key) for key in _OF_ONE)


def stem(path: str) -> str:
    """A file's name without its suffix, casefolded."""
    return path.rpartition("/")[2].rpartition(".")[0].casefold()
