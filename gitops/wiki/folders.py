"""Which folders of a repository are wikis, and where their sources lie: told by names and by what is in them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from glob import escape

from gitops.wiki.layout import PAGE_SUFFIXES, is_about_wiki, is_template, joined
from gitops.wiki.paths import is_dotfile, within

RAW_NAMES = ("raw", "_raw", "raw-sources", "raw_sources", "sources", "_sources", "clippings", "inbox", "documents")
"""What the folder of sources is called, the likeliest first."""
INDEX_NAMES = ("index.md", "_index.md", "home.md", "readme.md", "moc.md", "00-index.md")
LOG_NAMES = ("log.md", "changelog.md", "_log.md")
_WIKI = "wiki"
_DEEPEST = 4
_ORDER = re.compile(r"\A\d{1,3}[ ._-]+(?=\D)")
"""How folders are kept in an order by their names: `00-Sources`."""
_WIKI_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")
_SAMPLE = 100
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

    First the folders called `wiki`; where there is none, the vaults of Obsidian below the top; then the topmost bundles
    of the Open Knowledge Format (an index page, and a `type` on at least half of the others); else the whole
    repository is one wiki.
    """
    every = list(paths)
    seen = [path for path in every if not is_dotfile(path)]
    pages = [path for path in seen if path.lower().endswith(PAGE_SUFFIXES)]
    if not pages:
        return []
    folders = _folders(seen)
    named = [_named(folder, folders) for folder in _wikis(folders, pages) or _vaults(every, pages)]
    found = named or [Folders(folder, ".") for folder in _bundles(pages, read)] or [Folders("", ".")]
    filled = [_filled(each, seen, folders) for each in found]
    return [_inboxed(_around(each, pages, read), pages, folders, read) for each in filled]


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


def _vaults(paths: Iterable[str], pages: list[str]) -> list[str]:
    """The folders below the top that Obsidian keeps its settings in and that hold a page, outermost only."""
    settings = (path.partition("/.obsidian/") for path in paths)
    folders = sorted({folder for folder, found, _ in settings if found and not is_dotfile(folder)})
    held = [folder for folder in folders if any(within(page, folder) for page in pages)]
    return [folder for folder in held if not any(within(folder, other) for other in held)]


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
    below = {_plain(name): name for name in sorted(folders, reverse=True) if posixpath.dirname(name) == folder}
    return next((posixpath.basename(below[name]) for name in names if name in below), None)


def _plain(folder: str) -> str:
    return _ORDER.sub("", posixpath.basename(folder)).casefold()


def _bundles(pages: list[str], read: Callable[[str], bytes]) -> list[str]:
    """The topmost folders whose pages are typed, with an index page."""
    found: list[str] = []
    indexed = sorted({posixpath.dirname(page) for page in pages if _is_named(page, "index.md")})
    for folder in sorted(indexed, key=lambda name: (name.count("/"), name)):
        if any(within(folder, other) or folder == other for other in found):
            continue
        inside = [page for page in pages if within(page, folder) and not _is_named(page, "index.md", "log.md")]
        if inside and _typed(inside, read) >= _OKF_SHARE * len(inside):
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


def _around(found: Folders, pages: list[str], read: Callable[[str], bytes]) -> Folders:
    """A wiki whose index stands beside it, and not in it, is all that the two lie in, without what else lies there."""
    top = {posixpath.basename(page).casefold(): page for page in pages if posixpath.dirname(page) == found.root}
    index = next((top[name] for name in INDEX_NAMES if name in top and name != "readme.md"), None)
    if found.wiki == "." or found.has_index or index is None or "/" in found.wiki:
        return found
    text = read(index).decode("utf-8", "replace")
    inside = {_stem(page) for page in pages if within(page, found.wiki_path)}
    linked = {one.rpartition("/")[2].strip().casefold() for one in _WIKI_LINK.findall(text)}
    if f"({found.wiki}/" not in text and inside.isdisjoint(linked):
        return found
    log = next((posixpath.basename(top[name]) for name in LOG_NAMES if name in top), None)
    others = {page.removeprefix(f"{found.root}/").partition("/") for page in pages if within(page, found.root)}
    kept = {found.wiki, found.raw, posixpath.basename(index)}
    apart_from = sorted(escape(first) + ("/**" if slash else "") for first, slash, _ in others if first not in kept)
    return replace(
        found,
        wiki=".",
        index=posixpath.basename(index),
        log=log or found.log,
        has_index=True,
        has_log=log is not None,
        exclude=tuple(dict.fromkeys(apart_from)),
    )


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].casefold()


def _inboxed(found: Folders, pages: list[str], folders: set[str], read: Callable[[str], bytes]) -> Folders:
    """Where all is one wiki, a folder called `sources` holds them if its files are no pages as the others are."""
    name = None if found.has_raw or found.wiki != "." else _child(found.root, RAW_NAMES[4:], folders)
    if name is None:
        return found
    place = joined(found.root, name)
    inside = [page for page in pages if within(page, place)][:_SAMPLE]
    outside = [page for page in pages if within(page, found.root) and not within(page, place)][:_SAMPLE]
    if _typed(inside, read) or _typed(outside, read) < _OKF_SHARE * len(outside):
        return found
    return replace(found, raw=name, has_raw=True)


def _typed(pages: Iterable[str], read: Callable[[str], bytes]) -> int:
    return sum(1 for page in pages if _OKF_TYPE.match(read(page)[:20_000]))
