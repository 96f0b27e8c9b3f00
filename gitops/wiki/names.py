"""What pages and files are called: keys under which links and citations find them, whatever way they are spelled.

A key is coarse: two spellings that may mean one file have one key. What a name means exactly is decided by the paths
that are found under its key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from gitops.wiki.layout import is_entry
from gitops.wiki.model import Page
from gitops.wiki.paths import is_dotfile

TITLE, ALIAS, HEADING, FOLDER = "title:", "alias:", "heading:", "folder:"
"""What stands before a stored name that is none of a file. No key of a file holds a colon."""

_SUFFIX = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
_SUFFIXES = re.compile(r"(?:\.[0-9a-z]{1,8})+$")
_BREAKS = str.maketrans("_-", "  ")


def fold(text: str) -> str:
    """Case and Unicode form (NFC, NFD, full width) do not count: NFKC of the case-folded NFKC (Unicode 3.13)."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def spaced(text: str) -> str:
    """`fold`, and hyphen, underscore and white space are one."""
    return _parted(fold(text))


def _parted(text: str) -> str:
    """The words of a text, with a space between them."""
    return " ".join(text.translate(_BREAKS).split() if "_" in text or "-" in text else text.split())


def without_suffix(path: str) -> str:
    """A path or target without the suffix of a page."""
    if path.endswith(".md"):
        return path[:-3]
    if "." not in path:
        return path
    return _SUFFIX.sub("", path)


def name_key(target: str) -> str:
    """What a wiki-link finds a page by: the last segment of a target or path, `spaced`, without `.md` and namespace."""
    last = fold(without_suffix(target.rstrip("/").strip())).rpartition("/")[2].rpartition(":")[2]
    return _parted(last)


def source_key(path: str) -> str:
    """What a citation finds a file by: its `name_key` without any suffix, for names are cited with and without one."""
    key = name_key(path)
    return _SUFFIXES.sub("", key) or key


def called(page: Page, path: str, index: str) -> tuple[str, ...]:
    """Every name of a page: its file's, then title, aliases, heading and folder, each behind its tag.

    The page at which readers come into a folder is called by the folder, but for the wiki's own `index`.
    """
    return tuple(dict.fromkeys((name_key(path), *_called(page, path, index))))


def _called(page: Page, path: str, index: str) -> Iterator[str]:
    title = page.frontmatter.get("title")
    if isinstance(title, str | int | float) and str(title).strip():
        yield TITLE + spaced(without_suffix(str(title).strip()))
    else:
        first = next((heading for heading in page.headings if heading.level == 1), None)
        if first is not None and first.text.strip():
            yield HEADING + spaced(without_suffix(first.text.strip()))
    for alias in _aliases(page):
        yield ALIAS + spaced(without_suffix(alias))
    folder = path.rpartition("/")[0]
    if folder and path != index and is_entry(path):
        yield FOLDER + spaced(folder.rpartition("/")[2])


def _aliases(page: Page) -> Iterator[str]:
    """Obsidian's `aliases` and `alias`: a list, or one text in which commas may part several."""
    for name in ("aliases", "alias"):
        value = page.frontmatter.get(name)
        if isinstance(value, str):
            yield from filter(None, {value.strip(), *(part.strip() for part in value.split(","))})
        elif isinstance(value, list):
            yield from (str(one).strip() for one in value if isinstance(one, str | int | float) and str(one).strip())


class Files:
    """The files of a tree by their names; listed when one is first asked for. Hidden files are nobody's."""

    __slots__ = ("_by_key", "_listed")

    def __init__(self, listed: Callable[[], Iterable[str]] = tuple) -> None:
        self._listed = listed
        self._by_key: dict[str, list[str]] | None = None

    def named(self, key: str) -> Sequence[str]:
        """The files with this `source_key`."""
        if self._by_key is None:
            self._by_key = {}
            for path in self._listed():
                if not is_dotfile(path):
                    self._by_key.setdefault(source_key(path), []).append(path)
        return self._by_key.get(key, ())


def ending_in(paths: Iterable[str], target: str) -> tuple[str, ...]:
    """Those paths that end in the target's segments, as spelled but for case and Unicode form."""
    ending = "/" + fold(target.strip("/"))
    return tuple(path for path in paths if ("/" + fold(path)).endswith(ending))
