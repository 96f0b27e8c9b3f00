"""All of a workspace's references that are right, read once, and who else names a page."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from benchmarks.accuracy import quoted, references
from benchmarks.accuracy.memory import Workspace
from benchmarks.accuracy.quoted import Quotation, Texts
from benchmarks.accuracy.references import Footnote, PageText, Pointer


@dataclass(frozen=True)
class Ground:
    """A workspace with what its pages rightly refer to."""

    workspace: Workspace
    texts: Texts

    @cached_property
    def pages(self) -> dict[str, PageText]:
        return {page.path: page for page in references.pages(self.workspace)}

    @cached_property
    def pointers(self) -> dict[str, list[Pointer]]:
        return {path: references.pointers(self.workspace, page) for path, page in self.pages.items()}

    @cached_property
    def footnotes(self) -> list[Footnote]:
        return [one for page in self.pages.values() for one in references.footnotes(self.workspace, page)]

    @cached_property
    def quotations(self) -> list[Quotation]:
        return [
            one
            for path, page in self.pages.items()
            for read in (quoted.quotations, quoted.quote_blocks)
            for one in read(self.workspace, page, self.pointers[path], self.texts)
        ]

    @cached_property
    def sources(self) -> list[str]:
        """The sources that can be cited instead of another."""
        return [path for path in self.workspace.tree.paths(self.workspace.layout.raw) if not path.endswith(".png")]

    @cached_property
    def every(self) -> list[Pointer]:
        """Every pointer of every page."""
        return [one for known in self.pointers.values() for one in known]

    def led_to(self, path: str) -> list[Pointer]:
        """The pointers that lead to a file."""
        return self._led_to.get(path, [])

    def is_only(self, path: str) -> bool:
        """Is there no other page of the same name, which a link by name would lead to?"""
        return self._names[posixpath.basename(path).casefold()] == 1

    def mentions(self, path: str) -> int:
        """How often the last part of a file's name stands in the pages, in whatever way."""
        return self._mentions[posixpath.basename(path).rpartition(".")[0].casefold()]

    @cached_property
    def _names(self) -> Counter[str]:
        return Counter(posixpath.basename(path).casefold() for path in self.pages)

    @cached_property
    def _led_to(self) -> dict[str, list[Pointer]]:
        found: dict[str, list[Pointer]] = {}
        for one in self.every:
            found.setdefault(one.leads_to, []).append(one)
        return found

    @cached_property
    def _mentions(self) -> Counter[str]:
        everything = "\n".join(page.text.casefold() for page in self.pages.values())
        stems = {posixpath.basename(path).rpartition(".")[0].casefold() for path in self.workspace.tree.files}
        return Counter({stem: everything.count(stem) for stem in stems if stem})
