"""Which folders of a repository are wikis, and where their sources lie: told by names and by what is in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from glob import escape

from gitops.wiki.layout import PAGE_SUFFIXES, is_about_wiki, is_template, joined
from gitops.wiki.paths import is_dotfile, within

RAW_NAMES = ("raw", "_raw", "raw-sources", "raw_sources", "sources", "_sources", "clippings", "inbox", "documents")
"""What the folder of sources is called, the likeliest first."""
INDEX_NAMES = ("index.md", "_index.md", "home.md", "readme.md", "moc.md", "00-index.md")
LOG_NAMES = ("log.md", "changelog.md", "_log.md")
_WIKI = "wiki"
_DEEPEST = 4
_NO_PAGES = frozenset(("node_modules", "vendor", "site-packages", "third_party"))
_OKF_TYPE = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?:(?!---).*\r?\n)*?type[ \t]*:[ \t]*\S")
_OKF_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Folders:
    """A workspace that might be: its root in the repository, and its parts below the root as `assay.toml` names them.

    `wiki` is '.' where the workspace is the wiki. `has_raw`, `has_index` and `has_log` say what is there already.
    """

    root: str
    wiki: str
    raw: str = "raw"
    index: str = "index.md"
    log: str = "log.md"
    has_raw: bool = False
    has_index: bool = False
    has_log: bool = False
    exclude: tuple[str, ...] = ()
    """Globs below the wiki of what is no page: rules, logs of others, templates, packages."""

    @property
    def wiki_path(self) -> str:
        """The wiki as a path of the repository; '' at its top."""
        return self.root if self.wiki == "." else joined(self.root, self.wiki)


def apart(inside: Iterable[str], index: str) -> tuple[str, ...]:
    """Globs of the Markdown files below a wiki that are about it, or only made for making pages; never its index."""
    globs: dict[str, None] = {}
    for path in inside:
        folders = path.split("/")[:-1]
        at = next((at for at, name in enumerate(folders) if name.lower() in _NO_PAGES), None)
        if at is not None:
            globs[f"{escape('/'.join(folders[: at + 1]))}/**"] = None
        elif is_template(path):
            globs[f"{escape(path.rpartition('/')[0])}/**"] = None
        elif is_about_wiki(path) and path != index and path.lower().endswith(PAGE_SUFFIXES):
            globs[escape(path)] = None
    return tuple(globs)


def find(paths: Iterable[str], read: Callable[[str], bytes]) -> list[Folders]:
    """The workspaces of a repository, by their roots. Empty where no Markdown file is to be found.

    First the folders called `wiki`; where there is none, the topmost bundles of the Open Knowledge Format (an index
    page, and a `type` on at least half of the others); else the whole repository is one wiki.
    """
    seen = [path for path in paths if not is_dotfile(path)]
    pages = [path for path in seen if path.lower().endswith(PAGE_SUFFIXES)]
    if not pages:
        return []
    folders = _folders(seen)
    named = [_named(folder, folders) for folder in _wikis(folders, pages)]
    found = named or [Folders(folder, ".") for folder in _bundles(pages, read)] or [Folders("", ".")]
    return [_filled(each, seen, folders) for each in found]


def _folders(paths: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    return folders


def _wikis(folders: set[str], pages: list[str]) -> list[str]:
    """The folders called `wiki` that hold a page, outermost only, and none inside a folder of sources."""
    found: list[str] = []
    for folder in sorted(folders, key=lambda name: (name.count("/"), name)):
        segments = folder.casefold().split("/")
        if segments[-1] != _WIKI or len(segments) > _DEEPEST or any(part in RAW_NAMES[:4] for part in segments[:-1]):
            continue
        if not any(within(folder, other) for other in found) and any(within(page, folder) for page in pages):
            found.append(folder)
    return sorted(found)


def _named(wiki: str, folders: set[str]) -> Folders:
    """The root is the nearest folder above that also holds sources, else the one right above the wiki."""
    parent = root = posixpath.dirname(wiki)
    while _child(root, RAW_NAMES, folders) is None:
        if not root:
            root = parent
            break
        root = posixpath.dirname(root)
    inside = wiki.removeprefix(root + "/") if root else wiki
    return Folders(root, inside)


def _child(folder: str, names: Iterable[str], folders: set[str]) -> str | None:
    below = {posixpath.basename(name).casefold(): name for name in folders if posixpath.dirname(name) == folder}
    return next((posixpath.basename(below[name]) for name in names if name in below), None)


def _bundles(pages: list[str], read: Callable[[str], bytes]) -> list[str]:
    """The topmost folders whose pages are typed, with an index page."""
    found: list[str] = []
    indexed = sorted({posixpath.dirname(page) for page in pages if _is_named(page, "index.md")})
    for folder in sorted(indexed, key=lambda name: (name.count("/"), name)):
        if any(within(folder, other) or folder == other for other in found):
            continue
        inside = [page for page in pages if within(page, folder) and not _is_named(page, "index.md", "log.md")]
        typed = sum(1 for page in inside if _OKF_TYPE.match(read(page)[:20_000]))
        if inside and typed >= _OKF_SHARE * len(inside):
            found.append(folder)
    return found


def _is_named(path: str, *names: str) -> bool:
    return posixpath.basename(path).casefold() in names


def _filled(found: Folders, paths: list[str], folders: set[str]) -> Folders:
    """With the sources, the index and the log that are there."""
    beside = _child(found.root, RAW_NAMES[:4] if found.wiki == "." else RAW_NAMES, folders)
    inside = _child(found.wiki_path, RAW_NAMES[:4], folders) if found.wiki != "." and beside is None else None
    raw = beside or (f"{found.wiki}/{inside}" if inside else "raw")
    top = {posixpath.basename(path).casefold(): path for path in paths if posixpath.dirname(path) == found.wiki_path}
    index = next((posixpath.basename(top[name]) for name in INDEX_NAMES if name in top), None)
    log = next((posixpath.basename(top[name]) for name in LOG_NAMES if name in top), None)
    return Folders(
        found.root,
        found.wiki,
        raw,
        index or "index.md",
        log or "log.md",
        has_raw=bool(beside or inside),
        has_index=index is not None,
        has_log=log is not None,
    )
