"""Where a link leads: resolution over the names of pages and the files of the repository. Pure."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from gitops.wiki.slugs import anchor_exists as anchor_exists

_SUFFIX = re.compile(r"\.md$", re.IGNORECASE)


class Names(Protocol):
    """What there is to link to."""

    def named(self, key: str) -> Sequence[str]:
        """The paths of pages whose `name_key` (or that of an alias) is `key`; it may list other files too."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file or folder of the repository stands at `path`, spelled exactly so."""
        ...


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads: one path when `ok`, all that it may mean when `ambiguous`, none else."""

    status: Literal["ok", "broken", "ambiguous", "escapes"]
    paths: tuple[str, ...] = ()


BROKEN = Resolution("broken")
ESCAPES = Resolution("escapes")


def name_key(target: str) -> str:
    """What a wiki-link finds a page by: the last segment of a target or path, without `.md`, NFC and case folded."""
    return _fold(_SUFFIX.sub("", target.rstrip("/").rpartition("/")[2].strip()))


def resolve(kind: str, target: str, page_path: str, names: Names, wiki_root: str, workspace_root: str) -> Resolution:
    """Where a link of `kind` with this `target` on the page at `page_path` leads; all paths are the repository's.

    A Markdown link or image is relative to its page; `/x` counts from the workspace, then from the wiki; a
    missing `.md` is forgiven where such a file exists.

    A wiki-link or embed that names folders is first a path, exactly: from the page's folder if it holds `..`,
    else from the wiki or the workspace. Then it is any page whose path ends so, and then, as one without folders
    is at once, any page of its name. Of several, the one in the page's own folder, else the one nearest the root
    if it is alone there, else it is ambiguous. Where no page has the name it may be a file: from the page's
    folder, the wiki, the workspace or the repository.
    """
    if not target:
        return Resolution("ok", (page_path,))
    folder = posixpath.dirname(page_path)
    if kind in ("wiki", "embed"):
        return _wiki(target, folder, names, wiki_root, workspace_root)
    bases = (workspace_root, wiki_root) if target.startswith("/") else (folder,)
    return _first_file(target, bases, names)


def _wiki(target: str, folder: str, names: Names, wiki_root: str, workspace_root: str) -> Resolution:
    roots = (wiki_root, workspace_root)
    if target.startswith("/"):
        return _first_file(target, roots, names)
    segments = _SUFFIX.sub("", target.rstrip("/")).split("/")
    is_relative = any(segment in ("..", ".") for segment in segments)
    if len(segments) > 1:
        exact = _first_file(target, (folder,) if is_relative else roots, names)
        if exact.status != "broken":
            return exact
    pages = tuple(dict.fromkeys(names.named(name_key(target))))
    ending = "/" + _fold("/".join(segment.strip() for segment in segments))
    fitting = tuple(path for path in pages if ("/" + _fold(_SUFFIX.sub("", path))).endswith(ending))
    if pages:
        return _choose(fitting or pages, folder)
    if is_relative:
        return BROKEN
    return _first_file(target, (folder, *roots, ""), names)


def _choose(pages: tuple[str, ...], folder: str) -> Resolution:
    beside = [path for path in pages if posixpath.dirname(path) == folder]
    if len(beside) == 1:
        return Resolution("ok", (beside[0],))
    depth = min(path.count("/") for path in pages)
    nearest = [path for path in pages if path.count("/") == depth]
    if len(nearest) == 1:
        return Resolution("ok", (nearest[0],))
    return Resolution("ambiguous", tuple(sorted(pages)))


def _first_file(target: str, bases: Sequence[str], names: Names) -> Resolution:
    escapes = False
    for base in bases:
        path = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
        if path == ".." or path.startswith("../"):
            escapes = True
            continue
        for spelled in _spellings("" if path == "." else path):
            if not spelled or names.exists(spelled):
                return Resolution("ok", (spelled,))
    return ESCAPES if escapes else BROKEN


def _spellings(path: str) -> Iterator[str]:
    """A path as written and with `.md`; git keeps whatever Unicode form a name was added in."""
    for suffixed in (path, path and path + ".md"):
        yield from dict.fromkeys((suffixed, *(unicodedata.normalize(form, suffixed) for form in ("NFC", "NFD"))))


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
