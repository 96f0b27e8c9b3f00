"""Where pages lie and what they are called: those there are, and where new ones go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property

from gitops.agents.writers.document import Sentence
from gitops.agents.writers.english import PLAIN
from gitops.agents.writers.phrases import phrase, slug
from gitops.errors import Absent
from gitops.verify.view import View
from gitops.wiki.dated import normalised
from gitops.wiki.layout import is_about_wiki, is_entry, joined
from gitops.wiki.model import Page
from gitops.wiki.names import FOLDER
from gitops.wiki.paths import collision_key

SOURCES, TOPICS = "sources", "topics"
_TOPIC_FOLDERS = (TOPICS, "concepts", "topic", "concept", "entities")
_CRLF = "\r\n"
_FOLDER_MODE = 0o040000


class Places:
    """The pages of a wiki by their names, and the folders for new ones."""

    def __init__(self, view: View) -> None:
        self._view, self._layout = view, view.layout

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Every page but the index, the log and what is about the wiki."""
        layout = self._layout
        found = (path for path in sorted(self._view.snapshot.paths(layout.wiki)) if layout.is_page(path))
        apart = (layout.index, layout.log)
        return tuple(path for path in found if path not in apart and not is_about_wiki(layout.inside(path)))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """`phrase` → the page that is called so. Pages that stand for a source are called by nobody's words."""
        found: dict[str, str] = {}
        for path in sorted(self.paths, key=lambda path: (path.count("/"), path)):
            if self.is_of_source(path) or is_entry(path):
                continue
            for name in self._view.graph.names(path):
                if name.startswith(FOLDER):
                    continue
                words = phrase(name.partition(":")[2] or name)
                if len(words) > 2 and words not in PLAIN and not words.replace(" ", "").isdigit():
                    found.setdefault(words, path)
        return found

    def called(self, path: str) -> list[str]:
        """What a page is called, as `phrase`s."""
        return sorted(name for name, known in self.names.items() if known == path)

    @cached_property
    def is_wiki(self) -> bool:
        """Does this wiki link by `[[…]]` more than by Markdown links?"""
        rows = [row for path in (self._layout.index, *self.paths[:400]) for row in self._view.graph.links(path)]
        wiki = sum(kind == "wiki" for kind, _, _ in rows)
        return wiki > sum(kind == "markdown" for kind, _, _ in rows)

    def page(self, path: str) -> Page | None:
        """The page at a path, parsed; None where there is none that can be read and written."""
        if self._view.snapshot.blob(path) is None:
            return None
        try:
            page = self._view.page(path)
        except Absent:
            return None
        return None if any(one.result in _UNWRITABLE for one in page.schema_problems) else page

    def title(self, path: str) -> str:
        """What a page is called: by its frontmatter, its first heading, its file."""
        page = self.page(path)
        if page is not None:
            given = page.frontmatter.get("title")
            if isinstance(given, str) and given.strip():
                return given.strip()
            first = next((one.text for one in page.headings if one.level == 1 and one.text.strip()), "")
            if first:
                return first
        return path.rpartition("/")[2].rpartition(".")[0]

    def of_source(self, source: str) -> str:
        """Where the page of a source lies: in the folder for such pages, by the source's own name."""
        inside = source.removeprefix(self._layout.raw + "/")
        stem = inside.rpartition(".")[0] or inside
        name = slug(stem.replace("/", " "))
        if any(other != source and self._stem(other) == stem for other in self._beside(source)):
            name = slug(inside.replace("/", " ").replace(".", " "))
        return self._free(joined(self._folder(self._source_folders(), SOURCES), f"{name}.md"))

    def of_topic(self, title: str) -> str:
        """Where the page of a topic goes."""
        return self._free(joined(self._folder(_TOPIC_FOLDERS, TOPICS), f"{slug(title)}.md"))

    def _free(self, path: str) -> str:
        """The path as the wiki spells it already; another where pages of that name lead into a folder or are rules."""
        if is_entry(path) or is_about_wiki(path):
            path = f"{path.removesuffix('.md')}-page.md"
        return self._spelled.get(collision_key(path), path)

    @cached_property
    def _spelled(self) -> Mapping[str, str]:
        """Every page and folder below the wiki, as some file systems take it → as it is spelled."""
        found: dict[str, str] = {}
        for path in self._view.snapshot.paths(self._layout.wiki):
            while path != self._layout.wiki and path and collision_key(path) not in found:
                found[collision_key(path)] = path
                path = path.rpartition("/")[0]
        return found

    def index_heading(self, path: str) -> str:
        """The heading under which the index lists a new page: its folder's name."""
        folder = self._layout.inside(path).partition("/")[0]
        return folder[:1].upper() + folder[1:].replace("-", " ")

    def _source_folders(self) -> tuple[str, ...]:
        return tuple(name for name in self._view.config.citations.source_pages if not set(name) & set("*?["))

    def _folder(self, known: Iterable[str], default: str) -> str:
        """The first of the folders that the wiki has, else the default; never one that is the sources' own."""
        inside = {collision_key(self._layout.inside(path).rpartition("/")[0]) for path in self.paths}
        wanted = (*(name for name in known if collision_key(name) in inside), default)
        named = (joined(self._layout.wiki, name) for name in wanted)
        folders = (self._spelled.get(collision_key(path), path) for path in named)
        page = f"{default}.md"
        found = (
            folder for folder in folders if self._layout.is_page(joined(folder, page)) and not self._is_file(folder)
        )
        return next(found, joined(self._layout.wiki, f"{default}-pages"))

    def _is_file(self, path: str) -> bool:
        """Whether something stands there that is no folder: a file, a link, a submodule."""
        mode = self._view.snapshot.mode(path)
        return mode is not None and mode != _FOLDER_MODE

    def is_of_source(self, path: str) -> bool:
        """Does this page stand for a source, by its folder or name?"""
        folder, _, name = self._layout.inside(path).rpartition("/")
        known = self._view.config.citations.source_pages
        stem = name.rpartition(".")[0]
        return any(part in known for part in folder.split("/")) or any(fnmatchcase(stem, one) for one in known)

    def _beside(self, source: str) -> list[str]:
        folder = source.rpartition("/")[0]
        return [path for path in self._view.snapshot.paths(folder) if path.rpartition("/")[0] == folder]

    def _stem(self, source: str) -> str:
        inside = source.removeprefix(self._layout.raw + "/")
        return inside.rpartition(".")[0] or inside


_UNWRITABLE = frozenset(("utf16", "invalid_utf8", "oversized", "unclosed_frontmatter", "unparsable_frontmatter"))


def said_on(page: Page) -> frozenset[str]:
    """What a page says with a citation, and what it quotes, normalised."""
    claims = [normalised(claim.text) for claim in page.claims]
    quotes = [normalised(cite.quote) for claim in page.claims for cite in claim.cites if cite.quote]
    return frozenset((*claims, *quotes))


def is_said(sentence: Sentence, known: frozenset[str]) -> bool:
    """Does a page say this already, by whatever source?"""
    return normalised(sentence.text) in known or normalised(sentence.quote) in known


def front_values(title: str, day: str) -> Mapping[str, str]:
    """What new pages hold in the frontmatter fields that policies ask for."""
    quoted = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    dates = dict.fromkeys(("created", "updated", "last_updated", "date", "modified"), day)
    plain = {"type": "concept", "tags": "[]", "status": "draft", "sources": "[]", "related": "[]", "aliases": "[]"}
    return {"title": quoted, **dates, **plain, "summary": quoted, "description": quoted}


def encoded(before: bytes, text: str) -> bytes:
    """The text as bytes with the mark and the line ends that the page had."""
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    if before.count(b"\r\n") * 2 > before.count(b"\n") > 0:
        text = text.replace(_CRLF, "\n").replace("\n", _CRLF)
    return mark + text.encode("utf-8", "surrogatepass")
