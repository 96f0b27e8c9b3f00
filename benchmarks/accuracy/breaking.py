"""Mutations that make a reference wrong: of each something has to be said."""

from __future__ import annotations

import posixpath
import random
import re
from collections.abc import Iterator

from benchmarks.accuracy.ground import Ground
from benchmarks.accuracy.mutations import (
    FOOTNOTED,
    FOUND,
    FRAMED,
    LINKED,
    QUOTED,
    Mutation,
    form_of,
    form_of_quotation,
)
from benchmarks.accuracy.quoted import Quotation, words
from benchmarks.accuracy.references import PageText, Pointer
from gitops.evals.planting.rewording import reworded
from gitops.evals.planting.splices import Splice
from gitops.wiki.layout import is_about_wiki, is_entry

_MARK = "zq"
_LINES = re.compile(r"\blines?\s+(\d+)(?:[-–](\d+))?")
_PAGE = re.compile(r"\bp\.\s?(\d+)")
_L_LINES = re.compile(r"L\d+(?:-L?(\d+))?$")
_MOMENT = re.compile(r"\d+:\d\d(?::\d\d)?$")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$")
_ENTRY = re.compile(r"(?:[-*]\s+)?\[(\d+)\]:?\s")


def every(ground: Ground, chance: random.Random) -> Iterator[Mutation]:
    """Every mutation of every kind."""
    for one in ground.every:
        yield from _target(ground, one)
        yield from _locator(ground, one)
    for quoted in ground.quotations:
        yield from _quotation(ground, quoted, chance)
    yield from _footnotes(ground)
    for page in ground.pages.values():
        yield from _frontmatter(page)
        yield from _ids(page)
        yield from _entry(page)
    yield from _files(ground)


def _target(ground: Ground, one: Pointer) -> Iterator[Mutation]:
    """The target misspelt: its last part goes on with letters that no file's name has."""
    stem = re.match(r".*?(?=\.\w{1,8}$|$)", one.target)
    assert stem is not None
    at = one.start + stem.end()
    yield Mutation("target misspelt", form_of(one), LINKED, one.path, one.line, one.path, ((at, at, _MARK),))


def _locator(ground: Ground, one: Pointer) -> Iterator[Mutation]:
    """Lines, pages, moments and headings that the source does not have."""
    if one.fragment is not None:
        yield from _fragment(ground, one, *one.fragment)
    if not one.is_definition or one.form == "wiki-link":
        return
    page = ground.pages[one.path]
    line, start = page.lines[one.line - 1], page.starts[one.line - 1]
    follows = one.end - start
    if found := _LINES.search(line, follows, follows + 40):
        span = found.span(2) if found[2] else found.span(1)
        yield _located("lines beyond the end", one, span[0] + start, span[1] + start, "99999")
    if found := _PAGE.search(line, follows, follows + 40):
        yield _located("page beyond the end", one, found.start(1) + start, found.end(1) + start, "990")


def _fragment(ground: Ground, one: Pointer, start: int, end: int) -> Iterator[Mutation]:
    said = ground.pages[one.path].text[start:end]
    if lines := _L_LINES.match(said):
        first = start + (lines.start(1) if lines[1] else 1)
        yield _located("lines beyond the end", one, first, end, "99999")
    elif _MOMENT.match(said):
        yield _located("moment beyond the end", one, start, end, "9:59:59")
    elif (heading := _heading(ground, one.leads_to, said)) is not None:
        is_source = ground.workspace.layout.is_source(one.leads_to)
        checks = QUOTED if is_source else frozenset(("links",))
        misspelt: tuple[Splice, ...] = ((end, end, f"-{_MARK}"),)
        yield Mutation("heading misspelt", form_of(one), checks, one.path, one.line, one.path, misspelt)
        yield Mutation("heading renamed", form_of(one), checks, one.path, one.line, one.leads_to, (heading,))


def _heading(ground: Ground, path: str, said: str) -> Splice | None:
    """The heading of a file that a fragment names, and another in its place; None unless it is the only one."""
    page = PageText(path, ground.workspace.tree.read(path).decode("utf-8", "replace"))
    wanted = words(said)
    found = []
    for _, start, line in page.of("body"):
        head = _HEADING.match(line)
        if head and words(head[1]) == wanted:
            found.append((start + head.start(1), start + head.end(1), f"Other words {_MARK}"))
    return found[0] if len(found) == 1 else None


def _located(kind: str, one: Pointer, start: int, end: int, new: str) -> Mutation:
    return Mutation(kind, form_of(one), QUOTED, one.path, one.line, one.path, ((start, end, new),))


def _quotation(ground: Ground, quoted: Quotation, chance: random.Random) -> Iterator[Mutation]:
    """With a word replaced or dropped, two swapped, a number changed, a "not" put in; and moved to another source."""
    form = form_of_quotation(quoted)
    source = ground.texts.of(ground.workspace, quoted.cited.leads_to)
    for kind, text in reworded(quoted.text, chance):
        if words(text).replace(" ", "") not in source.replace(" ", ""):
            splices = ((quoted.start, quoted.end, text),)
            yield Mutation(kind, form, QUOTED, quoted.path, quoted.line, quoted.path, splices)
    yield from _moved(ground, quoted, chance)


def _moved(ground: Ground, quoted: Quotation, chance: random.Random) -> Iterator[Mutation]:
    """The citation names another source of the same folder, which does not say so."""
    cited, wanted = quoted.cited, words(quoted.text)
    if any(wanted in ground.texts.of(ground.workspace, path) for path in quoted.beside):
        return  # another citation of the claim still holds it
    others = [
        path
        for path, text in ((path, ground.texts.of(ground.workspace, path)) for path in ground.sources)
        if posixpath.dirname(path) == posixpath.dirname(cited.leads_to) and text.strip() and wanted not in text
    ]
    name = posixpath.basename(cited.target)
    if not others or name != posixpath.basename(cited.leads_to):
        return
    new = posixpath.basename(chance.choice(others))
    end = cited.fragment[1] if cited.fragment is not None else cited.end
    splices = ((cited.end - len(name), end, new),)
    yield Mutation(
        "moved to another source", form_of_quotation(quoted), QUOTED, quoted.path, quoted.line, quoted.path, splices
    )


def _footnotes(ground: Ground) -> Iterator[Mutation]:
    for one in ground.footnotes:
        text = ground.pages[one.path].text
        whole = text[one.start : one.end]
        gone, doubled = ((one.start, one.end + 1, ""),), ((one.end, one.end, f"\n{whole}"),)
        for kind, splices in (
            ("definition removed", gone),
            ("definition doubled", doubled),
            ("label renamed", ((one.label[1], one.label[1], _MARK),)),
        ):
            yield Mutation(kind, "footnote", FOOTNOTED, one.path, one.line, one.path, splices)


def _frontmatter(page: PageText) -> Iterator[Mutation]:
    """A key's value that opens a bracket and closes none, and a tab where YAML wants spaces."""
    plain = re.compile(r"^(\w+):\s+(?=[^\W_])")
    lines = [
        (number, start + found.end()) for number, start, line in page.of("frontmatter") if (found := plain.match(line))
    ]
    if lines:
        number, at = lines[0]
        yield Mutation("bracket left open", "frontmatter", FRAMED, page.path, number + 1, page.path, ((at, at, "["),))
    if len(lines) > 1:
        number, _ = lines[1]
        at = page.starts[number]
        yield Mutation("tab put in", "frontmatter", FRAMED, page.path, number + 1, page.path, ((at, at, "\t"),))


def _ids(page: PageText) -> Iterator[Mutation]:
    """The id of a frontmatter's source, by which alone a footnote knows it."""
    body = "\n".join(line for _, _, line in page.of("body"))
    for number, start, line in page.of("frontmatter"):
        found = re.match(r"\s*(?:-\s+)?id\s*:\s*([\w-]+)\s*$", line)
        if found and f"[^{found[1]}]" in body and f"[^{found[1]}]:" not in body:
            splices = ((start + found.end(1), start + found.end(1), _MARK),)
            yield Mutation("id renamed", "frontmatter", FOOTNOTED, page.path, number + 1, page.path, splices)


def _entry(page: PageText) -> Iterator[Mutation]:
    """The last entry of a numbered list of sources, to which a number in the text refers."""
    lines = list(page.of("body"))
    entries = [(start, line, found[1]) for _, start, line in lines if (found := _ENTRY.match(line))]
    if not entries:
        return
    start, line, last = entries[-1]
    mentioned = [
        number
        for number, _, other in lines
        if f"[{last}]" in other and not _ENTRY.match(other) and "](http" not in other
    ]
    if mentioned and [number for _, _, number in entries] == [str(n) for n in range(1, int(last) + 1)]:
        splices = ((start, start + len(line) + 1, ""),)
        yield Mutation("entry removed", "numbered list", FOOTNOTED, page.path, mentioned[0] + 1, page.path, splices)


def _files(ground: Ground) -> Iterator[Mutation]:
    """A file taken away to which references lead; and of a page that is named once, that once."""
    layout = ground.workspace.layout
    for path in sorted(ground.workspace.tree.files):
        led = ground.led_to(path)
        own = [one for one in led if one.path != path]
        if not own:
            continue
        meant = [one for one in own if one.form != "wiki-link" or "/" in one.target or ground.is_only(path)]
        if path != layout.index and meant:
            kind = "source removed" if layout.is_source(path) else "page removed"
            one = meant[0]
            yield Mutation(kind, form_of(one), LINKED, one.path, one.line, removed=(path,))
        page = layout.is_page(path) and path not in (layout.index, layout.log)
        if page and len(own) == 1 and ground.mentions(path) == 1 and not is_entry(path) and not is_about_wiki(path):
            yield _unlinked(ground, own[0])


def _unlinked(ground: Ground, one: Pointer) -> Mutation:
    page = ground.pages[one.path]
    start = page.starts[one.line - 1]
    line = page.lines[one.line - 1]
    opening = line.rfind("[[" if one.form == "wiki-link" else "[", 0, one.start - start)
    closing = line.find("]]" if one.form == "wiki-link" else ")", one.end - start)
    width = 2 if one.form == "wiki-link" else 1
    splices = ((start + opening, start + closing + width, "so"),)
    return Mutation("only link removed", form_of(one), FOUND, one.leads_to, 1, one.path, splices)
