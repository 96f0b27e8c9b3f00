"""Sets what pages gain: new pages whole, more claims and links into pages that are there, entries into the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitops.agents.writers import editing, pages, placing
from gitops.agents.writers.document import Document, Sentence
from gitops.agents.writers.fields import Fields
from gitops.agents.writers.ground import Ground, Step
from gitops.agents.writers.pages import Group, Linking, Target
from gitops.agents.writers.phrases import phrase
from gitops.agents.writers.placing import Places
from gitops.wiki import conventions
from gitops.wiki.model import Page
from gitops.wiki.page import parse


@dataclass(frozen=True)
class Setter:
    """Knows the source that is ingested, its own page, and how links are written."""

    ground: Ground
    places: Places
    source: str
    document: Document
    own: Target
    linking: Linking

    def step(self, target: Target, sentences: tuple[Sentence, ...], topics: Sequence[Target]) -> Step | None:
        """A page with the sentences it gains, or with a link to the source's page; None where nothing changes.

        What nobody would read as a cited claim, behind a block of code or a comment that is never closed, is left out.
        """
        made = self._set(target, sentences, topics)
        while made is not None and (lost := self._lost(made)):
            sentences = tuple(one for one in sentences if one not in lost)
            made = self._set(target, sentences, topics) if sentences else None
        return made

    def _lost(self, made: Step) -> frozenset[Sentence]:
        read = parse(made.data, conventions.of(self.ground.view.config))
        offsets = {cite.offset for claim in read.claims for cite in claim.cites}
        return frozenset(one for one in made.claims if one.start not in offsets)

    def _set(self, target: Target, sentences: tuple[Sentence, ...], topics: Sequence[Target]) -> Step | None:
        page = self.places.page(target.path)
        if page is not None:
            return self._changed(target, sentences, page)
        if not sentences or self.ground.view.snapshot.blob(target.path) is not None:
            return None
        return self._new(target, sentences, topics)

    def index(self, new: Iterable[Target]) -> Step | None:
        """The index with entries for new pages."""
        path = self.ground.view.layout.index
        page = self.places.page(path)
        if page is None and self.ground.view.snapshot.blob(path) is not None:
            return None
        text = page.text if page is not None else "# Index\n"
        for target in new:
            link = self.linking.link(path, target)
            if link not in text:
                text = editing.listed(text, self.places.index_heading(target.path), f"- {link}")
        return self._step(path, page, text)

    def _new(self, target: Target, sentences: tuple[Sentence, ...], topics: Sequence[Target]) -> Step:
        groups, linked = self._groups(target, sentences), {target.path}
        cited = self.ground.view.layout.cited(self.source)
        values = self._fields.values(target.path, target.title, self.ground.day, cited)
        parts = [pages.head(target.title, self._fields.names, values)]
        if target.path == self.own.path and topics:
            parts.append(f"Topics: {', '.join(self.linking.link(target.path, topic) for topic in topics)}")
        parts.append(pages.groups_text(groups, self.linking, target.path, 1, linked))
        parts.append(self._definitions(groups, 1))
        return Step(target.path, ("\n\n".join(parts) + "\n").encode("utf-8", "surrogatepass"), True, sentences)

    def _changed(self, target: Target, sentences: tuple[Sentence, ...], page: Page) -> Step | None:
        known = placing.said_on(page)
        fresh = tuple(one for one in sentences if not placing.is_said(one, known))
        text, label, linked = page.text, editing.next_label(page.text), {target.path}
        groups = self._groups(target, fresh)
        for group in groups:
            text = self._with_group(text, page, group, target.path, label, linked)
            label += len(group.sentences)
        text = editing.appended(text, self._definitions(groups, label - len(fresh)))
        if not sentences:
            text = self._with_related(text, page, target.path)
        return self._step(target.path, page, text, fresh)

    def _step(self, path: str, page: Page | None, text: str, claims: tuple[Sentence, ...] = ()) -> Step | None:
        if page is not None and text == page.text:
            return None
        before = self.ground.view.snapshot.read(path) if page is not None else b""
        return Step(path, placing.encoded(before, text), page is None, claims)

    def _groups(self, target: Target, sentences: tuple[Sentence, ...]) -> list[Group]:
        """The source's own page has its sections; elsewhere its claims stand together, with its name and day."""
        if not sentences:
            return []
        if target.path == self.own.path:
            return list(_by_section(self.document, sentences))
        return [Group(f"From {self.linking.link(target.path, self.own)}, as of {self._day}:", sentences)]

    def _definitions(self, groups: Sequence[Group], first_label: int) -> str:
        cited = self.ground.view.layout.cited(self.source)
        return pages.definitions_text(groups, cited, self.ground.view.source(self.source), first_label)

    def _with_group(self, text: str, page: Page, group: Group, path: str, label: int, linked: set[str]) -> str:
        head = f"## {pages.escaped(group.lead)}" if group.is_heading else group.lead
        if head and (at := editing.after_lead(text, head)) is not None:
            items = pages.groups_text([Group("", group.sentences)], self.linking, path, label, linked)
            return editing.with_items(text, at, items)
        block = pages.groups_text([group], self.linking, path, label, linked)
        return editing.inserted(text, self._tail(text, page), block)

    def _tail(self, text: str, page: Page) -> int:
        """Where the end of the page begins in a text that has grown before it."""
        at = editing.tail_of(page, self.ground.view.config.citations.headings)
        return at + len(text) - len(page.text)

    def _with_related(self, text: str, page: Page, path: str) -> str:
        """A link to the source's page, unless the page has one."""
        link = self.linking.link(path, self.own)
        if link in text:
            return text
        return editing.listed(text, editing.SEE_ALSO, f"- {link}", self._tail(text, page))

    @cached_property
    def _fields(self) -> Fields:
        return Fields(self.ground.view, self.places)

    @cached_property
    def _day(self) -> str:
        """The day since which the source stands as it does; today where nobody knows."""
        version = next(self.ground.view.history(self.source), None)
        return version.date[:10] if version is not None else self.ground.day


def _by_section(document: Document, sentences: Sequence[Sentence]) -> Iterator[Group]:
    """The sentences under the headings that they have in the source; without one under its title."""
    sections: dict[str, list[Sentence]] = {}
    for one in sentences:
        section = "" if phrase(one.section) == phrase(document.title) else one.section
        sections.setdefault(section, []).append(one)
    for section, found in sections.items():
        yield Group(section, tuple(found), is_heading=bool(section))
