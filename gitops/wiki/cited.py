"""Which file a citation's path means: tried from wherever it may have been written from. Pure; reads no file."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote

from gitops.config import SOURCE_PAGES
from gitops.wiki.layout import Layout
from gitops.wiki.links import BROKEN, ESCAPES, Names, Resolution, chosen, first_file, readings, resolve
from gitops.wiki.names import ending_in, source_key, spaced, without_suffix

_IN_SOURCE_PAGES = frozenset(SOURCE_PAGES)
_SUFFIX = re.compile(r"\.(?=[0-9]?[A-Za-z])[0-9A-Za-z]{1,5}$")


def has_suffix(path: str) -> bool:
    """Does a path end as file names do: in a dot and one to five letters and digits?"""
    return _SUFFIX.search(path) is not None


def cited(how: str, target: str, page_path: str, names: Names, layout: Layout) -> Resolution:
    """The file that a citation on a page means: the page itself only where its whole path is written.

    `link` is first read as the link it is, `wiki` as a wiki-link. Then, as for `loose`, the path is tried from the
    page's folder, the wiki, the raw folder, the workspace and the repository, with and without `.md`: a source before
    a page, a page before any other file. Then it may be the end of a path below the raw folder, then below the wiki
    (without its suffix, too, where the citation has none), and at last a page's title or alias. Case counts only
    where a suffix is written.
    """
    written = target.replace("\\", "/").strip()
    for spelled in dict.fromkeys((written, unquote(written))):
        found = _cited(how, spelled, page_path, names, layout) if spelled.strip("/. ") else None
        if found is not None:
            return found
    return ESCAPES if _escapes(written, posixpath.dirname(page_path)) else BROKEN


def _cited(how: str, target: str, page_path: str, names: Names, layout: Layout) -> Resolution | None:
    folder = posixpath.dirname(page_path)
    if how == "wiki" and "/" not in target and (source_page := _source_page(target, page_path, names)):
        return source_page
    if how in ("link", "wiki"):
        found = resolve("wiki" if how == "wiki" else "markdown", target, page_path, names, layout.wiki, layout.root)
        is_other = "/" in target or found.paths != (page_path,)
        if found.status == "ok" and is_other and (how == "link" or _is_spelled(target, found.paths[0])):
            return found
    if how == "wiki" and (named := _page(target, page_path, names)) is not None:
        return named
    bases = (folder, layout.wiki, layout.raw, layout.root, "")
    found_there = list(_there(target, bases, names))
    if there := [path for path in found_there if path != page_path]:
        return Resolution("ok", (min(there, key=lambda path: _rank(path, layout)),))
    slugged = [path for path in _slugged(target, names) if layout.is_source(path)]
    is_own_name = source_key(page_path) == source_key(target)
    for below in (layout.is_source, layout.is_wiki):
        ending = [path for path in _ending(target, names) if path != page_path and below(path)]
        if ending := ending or (slugged if is_own_name else []):
            return chosen(_text_first(ending), folder, target)
        if found_there and "/" in target:
            return Resolution("ok", (page_path,))
    if slugged:
        return chosen(_text_first(slugged), folder, target)
    return _page(target, page_path, names) or _folder(target, bases, names)


def _is_spelled(target: str, path: str) -> bool:
    """Does the path end in the target's folders? A wiki-link is forgiven other folders, a citation is not."""
    return "/" not in target or bool(ending_in((path, without_suffix(path)), _relative(target)))


def _rank(path: str, layout: Layout) -> int:
    return 0 if layout.is_source(path) else 1 if layout.is_page(path) else 2


def _there(target: str, bases: Iterable[str], names: Names) -> Iterator[str]:
    """The files at the target's path from each base; without a suffix it is only tried as a page."""
    spelled = (target, target + ".md") if has_suffix(target) else (target + ".md",)
    for one in spelled:
        for base in dict.fromkeys(bases):
            found = first_file(one, (base,), names)
            if found.status == "ok" and found.paths[0]:
                yield found.paths[0]


def _folder(target: str, bases: Sequence[str], names: Names) -> Resolution | None:
    """A file without suffix, or a folder."""
    found = first_file(target, bases, names)
    return found if found.status == "ok" and found.paths[0] else None


def _ending(target: str, names: Names) -> Sequence[str]:
    known = names.files(source_key(target))
    if has_suffix(target):
        ending = "/" + _composed(_relative(target))
        exact = [path for path in known if ("/" + _composed(path)).endswith(ending)]
        return exact or [path for path in known if ("/" + _composed(path)).endswith(ending + ".md")]
    fitting = set(ending_in([posixpath.splitext(path)[0] for path in known], _relative(target)))
    return [path for path in known if posixpath.splitext(path)[0] in fitting]


def _slugged(target: str, names: Names) -> Iterator[str]:
    """The files of whose name a bare word is the slug: `annual-report-2019` of `Annual Report_2019.pdf`."""
    if "/" in target or has_suffix(target):
        return
    for path in names.files(source_key(target)):
        if spaced(posixpath.splitext(path.rpartition("/")[2])[0]) == spaced(target):
            yield path


def _relative(target: str) -> str:
    """The target without the steps upwards and the slashes that it begins with."""
    segments = [segment for segment in target.split("/") if segment not in ("", ".", "..")]
    return "/".join(segments)


def _composed(path: str) -> str:
    return path if path.isascii() else unicodedata.normalize("NFKC", path)


def _text_first(paths: list[str]) -> list[str]:
    """Of one file in several formats the Markdown."""
    stems = {posixpath.splitext(path)[0] for path in paths}
    texts = [path for path in paths if path.lower().endswith(".md")]
    return texts if len(stems) == 1 and len(texts) == 1 else paths


def _page(target: str, page_path: str, names: Names) -> Resolution | None:
    """The page that a target names by its path's end, its title or an alias."""
    for pages in readings(target, names, anywhere="/" not in target):
        if others := [path for path in dict.fromkeys(pages) if path != page_path]:
            return chosen(others, posixpath.dirname(page_path), target)
    return None


def _source_page(target: str, page_path: str, names: Names) -> Resolution | None:
    """Of several pages of one name the one that stands for a source, which is what a citation means."""
    pages = next((list(dict.fromkeys(found)) for found in readings(target, names) if found), [])
    among = [path for path in pages if not _IN_SOURCE_PAGES.isdisjoint(path.split("/")[:-1]) and path != page_path]
    return Resolution("ok", (among[0],)) if len(among) == 1 < len(pages) else None


def _escapes(target: str, folder: str) -> bool:
    return posixpath.normpath(posixpath.join(folder, target.lstrip("/"))).startswith("..")
