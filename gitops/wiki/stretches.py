"""What a stretch of a block points to: links, wiki-links, code spans, paths and addresses, as citations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import translate
from functools import cache
from urllib.parse import unquote

from gitops.wiki import locators, placeholders, written
from gitops.wiki.blocks import Block, InlineLink
from gitops.wiki.conventions import Conventions
from gitops.wiki.locators import Located
from gitops.wiki.model import Cite, How
from gitops.wiki.outline import Outline
from gitops.wiki.wikilinks import WikiLink

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//|\\\\|www\.")
JOINS = re.compile(r"[\s,;、，；/|·•&+]*(?:\b(?:and|und|et|y|or)\b|及|和|与|と|및)?[\s,;、，；]*", re.IGNORECASE)
_LEADS = re.compile(
    r"(?:\A|[,;:、，；：。.)）\]—–|/·•\"'”’»」』-])\s*(?:see|cf\.?|from|in|via|and|及|和|및|见|見)?\s*\Z", re.IGNORECASE
)
_GLOB = re.compile(r"[*?\[]")
_LINE_ENDS = re.compile(r"[\r\n]")
_LISTINGS = ("index", "readme", "_index")
_LONGEST_WORDS = 160
_FLOW_ITEM = re.compile(r"([^\s,\[\]\"'](?:[^,\[\]\"'\n]*[^\s,\[\]\"'])?)")
_SLUGGED = r"(\w+(?:[-_.]\w+)+)(?:, [^;]*)?"
_SLUG = re.compile(rf"(?:(?<=; )|\A){_SLUGGED}")
_SLUGS = re.compile(rf"{_SLUGGED}(?:; {_SLUGGED})*")
"""Names of sources that are one word each, every one with what may say where in it: `mill-2019, Wheels; weir-2020`."""
_WRAPS = " \t\n\"'“”‘’«»「」*_"


@dataclass(frozen=True, slots=True)
class Target:
    """What is pointed to, `[at, until)` in the block's text, `[start, end)` in the page; `path` has no fragment.

    `is_url` is of what is no file of the repository.
    """

    path: str
    how: How
    at: int
    until: int
    start: int
    end: int
    located: Located | None = None
    is_url: bool = False


def targets(block: Block, outline: Outline, at: int, until: int) -> list[Target]:
    """Everything in `[at, until)` of a block's text that points somewhere, in order, each with its locator."""
    found: list[Target] = []
    done = at
    for one in sorted(_marked(block, outline, at, until), key=lambda one: (one.at, -one.until)):
        if one.at >= done:
            found += _plain(block, outline.conventions.raw, done, one.at)
            found.append(one)
            done = one.until
    found += _plain(block, outline.conventions.raw, done, until)
    stops = [*(one.at for one in found[1:]), until]
    return [located(one, block, stop) for one, stop in zip(found, stops, strict=bool(found))]


def cites(block: Block, outline: Outline, at: int, until: int, dialect: str, *, words: bool) -> tuple[Cite, ...]:
    """What `[at, until)` of a block cites; nothing where it shows a form to fill in.

    Of several targets those count that stand at its beginning, are joined to one that counts, or lead to a source;
    an address only where nothing else does. With `words`, a stretch without any target is one citation of its words.
    """
    if until <= at or is_placeholder(block, outline, at, until):
        return ()
    found = targets(block, outline, at, until)
    if chosen := _chosen(found, block.text, at, outline.conventions):
        return tuple(cite(one, dialect, outline) for one in chosen)
    return _words(block, outline, at, until, dialect) if words and not found else ()


def cite(target: Target, dialect: str, outline: Outline) -> Cite:
    """A target as a citation in a dialect."""
    located = target.located or Located()
    return Cite(
        dialect=dialect,
        path=target.path,
        place=outline.lines.place(target.start, target.end),
        first_page=located.first_page,
        last_page=located.last_page,
        how=target.how,
        locator=located.locator,
    )


def is_placeholder(block: Block, outline: Outline, at: int, until: int) -> bool:
    """Whether `[at, until)` shows a form to fill in; `<file>` is no visible text, so the page itself is asked."""
    start = block.start_of(at)
    if until < len(block.text):
        return placeholders.has_placeholder(outline.text[start : max(block.end_of(until), block.start_of(until))])
    line = _LINE_ENDS.search(outline.text, block.end_of(until))
    return placeholders.has_placeholder(outline.text[start : line.start() if line else None])


def leads_to_source(path: str, conventions: Conventions) -> bool:
    """Whether a link's path leads below the raw folder, or to a page in a folder or of a name of source pages."""
    parts = path.split("/")
    stem = parts[-1].casefold().removesuffix(".md")
    if stem and (named := source_names(conventions)) is not None and named.match(stem):
        return True
    if len(parts) < 2 or not stem:
        return False
    folders = [part.casefold() for part in parts[:-1]]
    if _lies_in(folders, conventions.raw):
        return True
    return stem not in _LISTINGS and any(_lies_in(folders, folder) for folder in conventions.source_pages)


@cache
def source_names(conventions: Conventions) -> re.Pattern[str] | None:
    """What the names of source pages look like, casefolded and without a suffix, where a wiki tells them by that."""
    globs = [one.casefold() for one in conventions.source_pages if _GLOB.search(one)]
    return re.compile("|".join(map(translate, globs))) if globs else None


def of_link(link: InlineLink) -> Target | None:
    """Where a Markdown link points; None for a place on its own page."""
    if link.is_auto or _ADDRESS.match(link.dest):
        return Target(link.dest, "link", link.at, link.until, link.start, link.end, is_url=True)
    path, _, fragment = link.dest.partition("#")
    path = path.partition("?")[0]
    path = unicodedata.normalize("NFC", unquote(path) if "%" in path else path)
    if not path:
        return None
    return Target(path, "link", link.at, link.until, link.start, link.end, locators.of_fragment(fragment))


def of_wiki(link: WikiLink) -> Target:
    """Where a wiki-link points."""
    anchor = "" if link.anchor.startswith("^") else link.anchor
    path = written.composed(link.target)
    return Target(path, "wiki", link.at, link.until, link.start, link.end, locators.of_fragment(anchor))


def of_code(block: Block, raw: str, at: int, until: int) -> Target | None:
    """The one path or address that a code span `[at, until)` holds, with its locator; None for anything else."""
    text = block.text[at:until]
    found = next(written.scan(text, raw=raw), None)
    if found is None or text[: found.at].strip():
        return None
    located, end = found.located, found.until
    if located is None:
        located, end = written.following(text, end, len(text))
    if text[end:].strip():
        return None
    return Target(found.path, "loose", at, until, block.start_of(at), block.end_of(until), located, found.is_url)


def _lies_in(folders: Sequence[str], folder: str) -> bool:
    wanted = folder.casefold().split("/")
    return any(folders[at : at + len(wanted)] == wanted for at in range(len(folders)))


def _marked(block: Block, outline: Outline, at: int, until: int) -> Iterator[Target]:
    """The links, wiki-links and code spans in `[at, until)` of a block that point somewhere."""
    for link in block.links:
        if at <= link.at and link.until <= until and not link.is_image and (target := of_link(link)):
            yield target
    for wiki in outline.wiki.get(block, ()):
        if at <= wiki.at and wiki.until <= until and not wiki.is_embed and wiki.target:
            yield of_wiki(wiki)
    for begin, end in block.codes:
        if at <= begin and end <= until and (found := of_code(block, outline.conventions.raw, begin, end)):
            yield found


def _plain(block: Block, raw: str, at: int, until: int) -> Iterator[Target]:
    for one in written.scan(block.text, at, until, raw=raw) if until - at > 2 else ():
        start, end = block.start_of(one.at), block.end_of(one.until)
        yield Target(one.path, "loose", one.at, one.until, start, end, one.located, one.is_url)


def located(target: Target, block: Block, stop: int, *, in_sentence: bool = False) -> Target:
    """The target with the locator in words that follows it, up to `stop`; in a sentence that is no heading, which
    nothing would end.
    """
    if target.is_url or target.located is not None:
        return target
    found, until = written.following(block.text, target.until, stop)
    if found is None or (in_sentence and found.locator and found.locator.heading):
        return target
    return replace(target, until=until, end=block.end_of(until), located=found)


def _chosen(found: Sequence[Target], text: str, at: int, conventions: Conventions) -> list[Target]:
    kept: list[Target] = []
    done = at
    for one in found:
        before = text[done : one.at]
        follows = JOINS.fullmatch(before) if kept else _LEADS.search(before)
        if not one.is_url and (follows or leads_to_source(one.path, conventions)):
            kept.append(one)
        done = one.until
    return kept or [one for one in found if one.is_url][:1]


def _words(block: Block, outline: Outline, at: int, until: int, dialect: str) -> tuple[Cite, ...]:
    text = block.text[at:until]
    begin = at + len(text) - len(text.lstrip(_WRAPS))
    said = text.strip(_WRAPS).rstrip(_WRAPS + ",;:，；：")
    if not any(map(str.isalnum, said)) or len(said) > _LONGEST_WORDS:
        return ()
    if said.startswith("[") and said.endswith("]"):
        return tuple(_flow(block, outline, begin, said, dialect))
    if _SLUGS.fullmatch(said):
        return tuple(_each(_SLUG.finditer(said), block, outline, begin, dialect))
    place = outline.lines.place(block.start_of(begin), block.end_of(begin + len(said)))
    return (Cite(dialect, written.composed(said), place, how="loose"),)


def _flow(block: Block, outline: Outline, begin: int, said: str, dialect: str) -> Iterator[Cite]:
    """Each of a list of names in YAML's way, which stands in a page whose frontmatter was written twice."""
    yield from _each(_FLOW_ITEM.finditer(said), block, outline, begin, dialect)


def _each(found: Iterable[re.Match[str]], block: Block, outline: Outline, begin: int, dialect: str) -> Iterator[Cite]:
    for one in found:
        at, until = begin + one.start(1), begin + one.end(1)
        place = outline.lines.place(block.start_of(at), block.end_of(until))
        yield Cite(dialect, written.composed(one[1]), place, how="loose")
