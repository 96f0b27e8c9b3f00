"""Wiki-links that name folders which lead nowhere, and are found by the page's name all the same."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from gitops.wiki.layout import Layout, is_entry
from gitops.wiki.links import Names
from gitops.wiki.names import ALIAS, HEADING, TITLE, spaced, without_suffix
from gitops.wiki.paths import within


def is_stale(target: str, path: str, page_path: str, names: Names, layout: Layout) -> bool:
    """Is the path that a wiki-link names another than that of the page or file at `path`, to which it leads?

    A path is right when it leads there from the page (with `..`), or is the end of where it leads to: `RAG/Agentic` for
    `wiki/x/RAG/Agentic.md`, as in Obsidian. It is stale even so when its folders are there, below the wiki or a folder
    of the link's own page, without what it names, and what it leads to lies in another part of the wiki. A title with a
    slash (`CI/CD`) and a name with a namespace (`ns:page`) are no paths.
    """
    segments = [segment.strip() for segment in without_suffix(target.strip("/")).split("/")]
    words = "/".join(segments)
    if len(segments) < 2 or ":" in words or _is_path_of(path, segments, page_path, names, layout):
        return False
    return not any(path in names.named(tag + spaced(words)) for tag in (TITLE, ALIAS, HEADING))


def _is_path_of(path: str, segments: list[str], page_path: str, names: Names, layout: Layout) -> bool:
    words, here = "/".join(segments), posixpath.dirname(page_path)
    if ".." in segments or "." in segments:
        wanted = spaced(posixpath.normpath(posixpath.join(here, words)))
        return any(spaced(one) == wanted for one in _called(path))
    before = [folder for one in _called(path) if (folder := _before(one, words)) is not None]
    if not before or any(not within(folder, layout.wiki) or within(page_path, folder) for folder in before):
        return bool(before)
    return not any(names.exists(posixpath.join(base, *segments[:-1])) for base in _above(here, layout.wiki))


def right_target(target: str, path: str, page_path: str, layout: Layout) -> str:
    """What to write instead, in the manner of the target: from the page or from the wiki, with or without `.md`."""
    is_relative = any(segment in ("..", ".") for segment in target.split("/"))
    exact = posixpath.relpath(path, posixpath.dirname(page_path) or ".") if is_relative else layout.inside(path)
    return exact if target != without_suffix(target) else without_suffix(exact)


def _called(path: str) -> Iterator[str]:
    """A path without its suffix, and that of the folder which an index page stands for."""
    yield without_suffix(path)
    if is_entry(path):
        yield posixpath.dirname(path)


def _before(path: str, words: str) -> str | None:
    """The folder under which a path ends in these words; None where it does not."""
    depth = words.count("/") + 1
    parts = path.split("/")
    if spaced("/".join(parts[-depth:])) != spaced(words):
        return None
    return "/".join(parts[:-depth])


def _above(folder: str, wiki: str) -> Iterator[str]:
    """A folder and those above it, up to the wiki's."""
    while within(folder, wiki) and folder != wiki:
        yield folder
        folder = posixpath.dirname(folder)
    yield wiki
