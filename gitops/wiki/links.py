"""Where a link leads: resolution over the names of pages and the files of the repository. Pure."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Literal, Protocol
from urllib.parse import unquote

from gitops.wiki.names import (
    ALIAS,
    FOLDER,
    HEADING,
    TITLE,
    ending_in,
    fold,
    name_key,
    source_key,
    spaced,
    without_suffix,
)
from gitops.wiki.slugs import anchor_exists as anchor_exists
from gitops.wiki.values import value_class

_NAMESPACE = re.compile(r"(?<=\S):(?=\S)")
_LINE = re.compile(r":\d+(?:-\d+)?$")
_UPWARDS = re.compile(r"^(?:\.{1,2}/)+")
_UNSPEAKABLE = re.compile("[\0\ud800-\udc7f\udd00-\udfff]")
"""What no file's name holds. A byte that is not UTF-8 is U+DC80 to U+DCFF (PEP 383)."""
_LANDING = ("index.md", "README.md", "_index.md")


class Names(Protocol):
    """What there is to link to."""

    def named(self, key: str) -> Sequence[str]:
        """The paths of pages that have this name (`names.called`); it may list other files too."""
        ...

    def files(self, key: str) -> Sequence[str]:
        """The files of the repository with this `source_key`, in no particular order."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file or folder of the repository stands at `path`, spelled exactly so."""
        ...


@value_class
class Resolution:
    """Where a link leads: one path when `ok`, all that it may mean when `ambiguous`, none else."""

    status: Literal["ok", "broken", "ambiguous", "escapes"]
    paths: tuple[str, ...] = ()


BROKEN = Resolution("broken")
ESCAPES = Resolution("escapes")


def resolve(kind: str, target: str, page_path: str, names: Names, wiki_root: str, workspace_root: str) -> Resolution:
    """Where a link of `kind` with this `target` on the page at `page_path` leads; all paths are the repository's.

    A Markdown link or image is relative to its page; `/x` counts from the workspace, the wiki, the repository, or a
    folder above the page (an OKF bundle's root); a missing `.md` is forgiven where such a file exists, and so is
    `.html` for a page that a site will be made of. A link to a folder leads to its index page, where it has one.

    A wiki-link or embed that names folders is first a path: from the page's folder if it holds `..`, else from the
    wiki or the workspace. Then it is any page whose path ends so, then one that has the words as its title, its
    alias, then a page of that name in whatever folder; `ns:x` is `ns/x` or `x`; at last hyphen, underscore and
    space count as one, then a first heading's words and a folder's name will do. Of several pages, the one in the
    page's own folder, else the one that shares most folders with it, else the one nearest the root if it is alone
    there, else the one spelled exactly so, else it is ambiguous. Where no page has the name it may be a file.
    """
    if not target:
        return Resolution("ok", (page_path,))
    folder, roots = posixpath.dirname(page_path), (wiki_root, workspace_root)
    if kind in ("wiki", "embed"):
        return _wiki(target, folder, names, roots)
    if not target.startswith("/"):
        return _markdown(target, (folder,), names)
    return _markdown(target, (workspace_root, wiki_root, "", *_above(folder)), names)


def _markdown(target: str, bases: Sequence[str], names: Names) -> Resolution:
    found = first_file(target, bases, names)
    if found.status == "ok":
        return Resolution("ok", (_landing(found.paths[0], names),))
    for spelled in _other_spellings(target):
        other = first_file(spelled, bases, names)
        if other.status == "ok":
            return other
    return found


def _other_spellings(target: str) -> Iterator[str]:
    if target.lower().endswith(".html"):
        yield target[:-5] + ".md"
    if _LINE.search(target):
        yield _LINE.sub("", target)
    if "%" in target:  # decoded once already: somebody encoded it twice
        yield unquote(target)


def _above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)


def _landing(path: str, names: Names) -> str:
    """The page that a reader sees who follows a link to a folder."""
    if not path or path.endswith(".md") or posixpath.splitext(path)[1]:
        return path
    return next((page for name in _LANDING if names.exists(page := f"{path}/{name}")), path)


def _wiki(target: str, folder: str, names: Names, roots: tuple[str, ...]) -> Resolution:
    if target.startswith("/"):
        found = first_file(target, (*roots, "", *_above(folder)), names, page_first=True)
        return found if found.status != "broken" else _named(target.lstrip("/"), folder, names) or BROKEN
    if (plain := _plainly_named(target, names)) is not None:
        return plain
    is_relative = "." in target and any(segment in ("..", ".") for segment in target.split("/"))
    if "/" in target.rstrip("/"):
        exact = first_file(target, (folder,) if is_relative else (*roots, folder), names, page_first=True)
        if exact.status != "broken":
            return exact
    if (named := _named(target, folder, names)) is not None:
        return named
    if is_relative:
        return BROKEN
    here = first_file(target, (folder, *roots, ""), names, page_first=True)
    return here if here.status != "broken" else bare_file(target, folder, names) or BROKEN


def _plainly_named(target: str, names: Names) -> Resolution | None:
    """The only page with a name, where that is the name of its file: what the first of the readings would give."""
    if "/" in target or len(pages := names.named(name_key(target))) != 1:
        return None
    stem, words = fold(without_suffix(pages[0])), fold(without_suffix(target.strip()))
    return Resolution("ok", (pages[0],)) if ("/" + stem).endswith("/" + words) else None


def _named(target: str, folder: str, names: Names) -> Resolution | None:
    """The page that a wiki-link means by its name, or those between which it does not decide."""
    for pages in readings(target, names):
        if found := tuple(dict.fromkeys(pages)):
            return chosen(found, folder, target)
    return None


def readings(target: str, names: Names, *, anywhere: bool = True) -> Iterator[Sequence[str]]:
    """The pages by each way to read a wiki-link's target, the surest first; `anywhere`: in other folders than named."""
    words = target.strip()
    if "/" in target:
        words = "/".join(segment.strip() for segment in target.strip("/").split("/"))
    words = without_suffix(words)
    whole, last = fold(words), fold(words.rpartition("/")[2])
    stems = {path: fold(without_suffix(path)) for path in names.named(name_key(target))}

    def fitting(ending: str, spell: Callable[[str], str] = str) -> list[str]:
        return [path for path, stem in stems.items() if ("/" + spell(stem)).endswith("/" + ending)]

    yield fitting(_UPWARDS.sub("", whole) if whole.startswith(".") else whole)
    yield names.named(TITLE + spaced(words))
    yield names.named(ALIAS + spaced(words))
    if anywhere:
        if "/" in whole:
            yield [path for path, stem in stems.items() if _is_spread(whole.split("/"), stem.split("/"))]
        yield fitting(last)
    if _NAMESPACE.search(words):
        inner = _NAMESPACE.sub("/", whole)
        yield fitting(inner)
        yield fitting(inner.rpartition("/")[2])
    yield fitting(spaced(_UPWARDS.sub("", whole)), spaced)
    if anywhere:
        yield fitting(spaced(last), spaced)
    yield names.named(HEADING + spaced(words))
    yield names.named(FOLDER + spaced(last))


def _is_spread(wanted: Sequence[str], segments: Sequence[str]) -> bool:
    """Does a path end in the name and have all the folders that are named, in their order, with others in between?"""
    rest = iter(segments)
    return segments[-1] == wanted[-1] and all(segment in ("..", ".") or segment in rest for segment in wanted)


def bare_file(target: str, folder: str, names: Names) -> Resolution | None:
    """The file anywhere in the repository whose path ends in the target, with `.md` or as it is spelled."""
    known = names.files(source_key(target))
    found = ending_in(known, target) or ending_in(known, target + ".md")
    return chosen(found, folder, target) if found else None


def chosen(paths: Sequence[str], folder: str, target: str) -> Resolution:
    """The one of several namesakes that a link from a folder means, or all of them where nothing decides."""
    if len(paths) == 1:
        return Resolution("ok", (paths[0],))
    wanted = without_suffix(target.rpartition("/")[2])
    nearness: tuple[Callable[[str], int], ...] = (
        lambda path: posixpath.dirname(path) != folder,
        lambda path: -_shared(path, folder),
        lambda path: path.count("/"),
        lambda path: without_suffix(path.rpartition("/")[2]) != wanted,
    )
    for distance in nearness:
        best = min(map(distance, paths))
        nearest = [path for path in paths if distance(path) == best]
        if len(nearest) == 1:
            return Resolution("ok", (nearest[0],))
    return Resolution("ambiguous", tuple(sorted(paths)))


def _shared(path: str, folder: str) -> int:
    """How many folders the two have in common, from the top."""
    pairs = zip(path.split("/")[:-1], folder.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def first_file(target: str, bases: Sequence[str], names: Names, *, page_first: bool = False) -> Resolution:
    """The file or folder that a target names from the first base that has it; `page_first` prefers `x.md` to `x`."""
    escapes = False
    if _UNSPEAKABLE.search(target):
        return BROKEN
    for base in bases:
        path = _joined(base, target.lstrip("/"))
        if path == ".." or path.startswith("../"):
            escapes = True
            continue
        for spelled in _spellings("" if path == "." else path, page_first and not target.endswith("/")):
            if not spelled or names.exists(spelled):
                return Resolution("ok", (spelled,))
    return ESCAPES if escapes else BROKEN


def _joined(base: str, target: str) -> str:
    """A path below a folder, normalised as `posixpath` does, which takes three times as long for most of them."""
    folder, rest = base, target
    while folder and rest.startswith("../"):
        folder, rest = folder.rpartition("/")[0], rest[3:]
    if not folder or not rest or "//" in rest or "/." in rest or rest[0] in "./" or rest[-1] == "/":
        return posixpath.normpath(posixpath.join(base, target))
    return f"{folder}/{rest}"


def _spellings(path: str, page_first: bool) -> Iterator[str]:
    """A path as written and with `.md`; git keeps whatever Unicode form a name was added in."""
    suffixed = (path and path + ".md", path) if page_first else (path, path and path + ".md")
    for one in suffixed:
        yield one
        if not one.isascii():
            yield from (unicodedata.normalize(form, one) for form in ("NFC", "NFD"))
