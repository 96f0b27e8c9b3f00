"""The page of a synthesis, as Markdown. Beside what is cited stand headings, lead-ins and links: all that is free."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from gitops.agents.marking import plain
from gitops.agents.synthesis.carrying import Statement
from gitops.agents.synthesis.changes import Kind
from gitops.agents.synthesis.comparing import Pair
from gitops.agents.synthesis.digest import Digest, Part, Topic
from gitops.agents.synthesis.writing import count
from gitops.wiki.slugs import slug

Link = Callable[[str, str], str]
"""A page's path and the text of the link → the link."""
_OPEN, _PAST = "To be settled", "No longer holds"
_LISTED = 20
"""So many pages are listed by name; how many more there are is told."""
_SAID: Mapping[Kind, str] = {"new": "", "reworded": "Reworded:", "sourced": "By a further source:", "dated": ""}


@dataclass(frozen=True, slots=True)
class Frame:
    """What the page says besides: its title, the day from which on things are new, how it links, its frontmatter."""

    title: str
    since: str
    link: Link
    name: Callable[[str], str]
    frontmatter: Mapping[str, Any] = field(default_factory=dict)


def page(made: Digest, frame: Frame) -> str:
    """The whole page."""
    notes = _Notes()
    parts = [*_head(made, frame), *_open(made.open, frame, notes)]
    for topic in made.topics:
        parts += _topic(topic, frame, notes)
    parts += _dated(made.dated, frame, notes)
    parts += _ends(made, frame)
    body = "\n\n".join([*parts, *notes.written()])
    return f"{_frontmatter(frame.frontmatter)}{body}\n"


class _Notes:
    """The footnotes, numbered as they are first used; equal ones are one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def cited(self, each: Statement) -> str:
        """A statement with its references."""
        marks = "".join(f"[^{self._numbers.setdefault(cite, len(self._numbers) + 1)}]" for cite in each.cites)
        return f"{plain(each.text)}{marks}"

    def written(self) -> Iterator[str]:
        """The definitions, as one block."""
        if self._numbers:
            yield "\n".join(f"[^{number}]: {cite}" for cite, number in self._numbers.items())


def _frontmatter(values: Mapping[str, Any]) -> str:
    if not values:
        return ""
    import yaml

    return f"---\n{yaml.safe_dump(dict(values), allow_unicode=True, sort_keys=False, width=1_000)}---\n\n"


def _head(made: Digest, frame: Frame) -> Iterator[str]:
    yield f"# {plain(frame.title)}"
    since = f"since {frame.since}" if frame.since else "so far"
    shown = f", {made.shown:,} of them here" if made.shown < made.claims else ""
    told = f"{count(made.claims, 'claim')} came in or changed on {count(made.pages, 'page')} {since}{shown}:"
    first = [f"[{_OPEN}](#{slug(_OPEN)})"] if made.open else []
    last = [f"[{_PAST}](#{slug(_PAST)})"] if made.dated else []
    topics = [f"[{plain(_name(topic, frame))}](#{_anchor(topic, frame)})" for topic in made.topics]
    yield _list(told, [*first, *topics, *last])


def _topic(topic: Topic, frame: Frame, notes: _Notes) -> Iterator[str]:
    is_one = len(topic.parts) == 1
    if not is_one:
        yield f"## {plain(_name(topic, frame))}"
    for part in topic.parts:
        yield f"{'##' if is_one else '###'} {_heading(part, frame)}"
        for kind, some in groupby(sorted(part.statements, key=_order), key=lambda each: each.news.kind):
            yield _list(_SAID[kind], [notes.cited(each) for each in some])
    if topic.alike:
        yield "### By two sources"
        for pair in topic.alike:
            yield _pair(pair, frame, notes)


def _order(each: Statement) -> int:
    return list(_SAID).index(each.news.kind)


def _heading(part: Part, frame: Frame) -> str:
    return frame.link(part.path, frame.name(part.path)) + _share(part)


def _anchor(topic: Topic, frame: Frame) -> str:
    only = topic.parts[0] if len(topic.parts) == 1 else None
    return slug(frame.name(only.path) + _share(only)) if only is not None else slug(_name(topic, frame))


def _share(part: Part) -> str:
    return f", {len(part.statements)} of {part.claims} claims" if len(part.statements) < part.claims else ""


def _name(topic: Topic, frame: Frame) -> str:
    paths = [part.path for part in topic.parts] or [topic.alike[0].a.path]
    return ", ".join(frame.name(path) for path in paths)


def _pair(pair: Pair, frame: Frame, notes: _Notes) -> str:
    paths = dict.fromkeys((pair.a.path, pair.b.path))
    pages = " and ".join(frame.link(path, frame.name(path)) for path in paths)
    return _list(f"{pages}:", [notes.cited(pair.a), notes.cited(pair.b)])


def _open(found: Sequence[Pair], frame: Frame, notes: _Notes) -> Iterator[str]:
    if found:
        yield f"## {_OPEN}"
        yield from (_pair(pair, frame, notes) for pair in found)


def _dated(found: Sequence[Statement], frame: Frame, notes: _Notes) -> Iterator[str]:
    """In the callout that says so, where their own words don't."""
    if found:
        yield f"## {_PAST}"
    for path, some in groupby(found, key=lambda each: each.path):
        yield f"### {frame.link(path, frame.name(path))}"
        for each in some:
            if f"as of {each.news.day}" in each.text.casefold():
                yield f"- {notes.cited(each)}"
            else:
                yield f"> [!superseded] {each.news.day}\n> {notes.cited(each)}"


def _ends(made: Digest, frame: Frame) -> Iterator[str]:
    lists = [
        ("Nothing links to:", [(path, "") for path in made.orphans]),
        ("Not to be reached from the index:", [(path, "") for path in made.islands]),
        (
            "Claims whose source cannot be read, or does not say so:",
            [(p, count(n, "claim")) for p, n in made.unread.items()],
        ),
        ("New pages on which no claim by itself cites a source:", [(path, "") for path in made.bare]),
    ]
    if any(pages for _, pages in lists):
        yield "## Open ends"
    for told, pages in lists:
        if pages:
            yield _pages(told, pages, frame)


def _pages(told: str, pages: Sequence[tuple[str, str]], frame: Frame) -> str:
    if len(pages) > _LISTED:
        told = f"{told.removesuffix(':')} ({_LISTED} of {len(pages):,}):"
    shown = pages[:_LISTED]
    return _list(told, (frame.link(path, frame.name(path) + (f", {more}" if more else "")) for path, more in shown))


def _list(told: str, items: Iterable[str]) -> str:
    listed = "\n".join(f"- {item}" for item in items)
    return f"{told}\n\n{listed}" if told else listed
