"""Why a citation that leads to no file here is none that should be here: it may be no path, or of what is not held."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator

from gitops.errors import Absent
from gitops.verify.view import View
from gitops.wiki import conventions
from gitops.wiki.cited import has_suffix
from gitops.wiki.ignored import ignored_by
from gitops.wiki.model import Cite
from gitops.wiki.names import source_key
from gitops.wiki.placeholders import is_placeholder
from gitops.wiki.snapshot import SUBMODULE, SYMLINK
from gitops.wiki.stretches import source_names
from gitops.wiki.written import is_address

_FOLDER = 0o040000
_LONGEST = 250
_DOCUMENTS = frozenset(
    (
        "md", "markdown", "mdx", "txt", "rst", "adoc", "pdf", "html", "htm", "xhtml", "epub", "doc", "docx", "odt",
        "rtf", "ppt", "pptx", "xls", "xlsx", "ods", "csv", "tsv", "json", "jsonl", "ndjson", "yaml", "yml", "xml",
        "toml", "ipynb", "tex", "bib", "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "heic", "tif", "tiff",
        "bmp", "mp3", "mp4", "m4a", "m4v", "wav", "ogg", "webm", "mov", "mkv", "flac", "srt", "vtt", "zip", "gz",
        "eml", "mbox", "msg",
    )
)  # fmt: skip
"""Suffixes that make a name a file's, also one with spaces and without a folder."""
_ELSEWHERE = re.compile(r"~|[A-Za-z]:")
"""How a path begins that holds on somebody's own machine."""
_NO_FILE = "names no file of this repository"


def unheld(view: View, page_path: str, cite: Cite) -> str | None:
    """Why nobody can say that the cited file should be here, as words that go on after the path; None if it should."""
    path = cite.path.replace("\\", "/").strip()
    segments = [one for one in path.split("/") if one not in ("", ".", "..")]
    if not segments or len(path) > _LONGEST or is_placeholder(path) or is_address(path) or _ELSEWHERE.match(path):
        return _NO_FILE
    folders = (view.layout.names.raw.rpartition("/")[2], *view.config.citations.source_pages)
    if cite.how == "loose" and not (_is_path(path, segments, folders) or _is_source_page(view, path)):
        return _NO_FILE
    tops = _tops(view, page_path, segments)
    if (behind := _behind(view, tops, segments)) is not None:
        return behind
    is_page_name = cite.how == "wiki" and len(segments) == 1
    if not is_page_name and (ignored := left_out(view, (posixpath.join(one, path) for one in _bases(view, page_path)))):
        return ignored
    if is_page_name and _has_source_pages(view):
        return None
    if view.snapshot.mode(view.layout.raw) is None and not (tops and len(segments) > 1):
        return f"cannot be looked up here: this repository has no {view.layout.names.raw}/"
    if len(segments) == 1:
        return None if is_page_name or _is_kind_held(view, view.layout.raw, path) else _not_kept(path)
    if not tops:
        known = any(held.endswith("/" + segments[-1]) for held in view.graph.files(source_key(path)))
        return (
            None
            if known and not path.startswith("/")
            else f"cannot be looked up here: this repository has no {segments[0]}/"
        )
    return None if _is_parent_held(view, tops, segments) else _not_kept(path)


def left_out(view: View, paths: Iterable[str]) -> str | None:
    """What tells git not to keep a file at one of these paths, as words that go on after what is cited."""

    def read(path: str) -> bytes | None:
        try:
            return view.snapshot.read(path) if view.snapshot.blob(path) is not None else None
        except Absent:
            return None

    found = (ignored_by(posixpath.normpath(path), read) for path in paths)
    return next((f"is not in this repository, for {name} tells git to ignore it" for name in found if name), None)


def leads_behind(view: View, page_path: str, target: str) -> bool:
    """Does a link lead where nobody can look: into a submodule, behind a symbolic link, to a file that git ignores?"""
    segments = [one for one in target.split("/") if one not in ("", ".", "..")]
    if not segments:
        return False
    if _behind(view, _tops(view, page_path, segments), segments) is not None:
        return True
    is_path = len(segments) > 1 or has_suffix(target)
    return is_path and left_out(view, (posixpath.join(one, target) for one in _bases(view, page_path))) is not None


def _tops(view: View, page_path: str, segments: list[str]) -> list[str]:
    """What stands where a path may begin."""
    found = (posixpath.join(base, segments[0]) for base in _bases(view, page_path))
    return [top for top in found if view.snapshot.mode(top) is not None]


def _is_path(path: str, segments: list[str], folders: Collection[str]) -> bool:
    """Is it written as a path: from a folder of sources, with a document's suffix, or with folders and any suffix?"""
    if len(segments) > 1 and segments[0] in folders:
        return True
    if not has_suffix(path) or re.search(r"\s/|/\s|[,;:] ", path):
        return False
    if path.rpartition(".")[2].lower() in _DOCUMENTS:
        return True
    return len(segments) > 1 and not re.search(r"\s", path)


def _is_source_page(view: View, path: str) -> bool:
    """Is it called as the source pages of this wiki are (`src-*`)?"""
    named = source_names(conventions.of(view.config))
    return named is not None and "/" not in path and named.match(path.casefold().removesuffix(".md")) is not None


def _has_source_pages(view: View) -> bool:
    """Are there pages that stand for sources, among which a name should be found?"""
    folders = set(view.config.citations.source_pages)
    return any(not folders.isdisjoint(path.split("/")[:-1]) for path in view.snapshot.paths(view.layout.wiki))


def _bases(view: View, page_path: str) -> Iterator[str]:
    layout = view.layout
    yield from dict.fromkeys((posixpath.dirname(page_path), layout.wiki, layout.raw, layout.root, ""))


def _behind(view: View, tops: list[str], segments: list[str]) -> str | None:
    """What a path leads into that cannot be looked into: a submodule, a symbolic link."""
    for top in tops:
        for depth in range(1, len(segments)):
            folder = posixpath.join(top, *segments[1:depth])
            mode = view.snapshot.mode(folder)
            if mode == SUBMODULE:
                return "lies in a submodule, whose content is not in this repository"
            if mode == SYMLINK:
                return f"lies behind the symbolic link {folder}, which is not followed"
    return None


def _is_parent_held(view: View, tops: list[str], segments: list[str]) -> bool:
    """Is the file's own folder here, or, where that is not, is there a file of its kind below its first folder?"""
    if any(view.snapshot.mode(posixpath.join(top, *segments[1:-1])) == _FOLDER for top in tops):
        return True
    return any(_is_kind_held(view, top, segments[-1]) for top in tops)


def _is_kind_held(view: View, folder: str, path: str) -> bool:
    suffix = posixpath.splitext(path)[1].lower()
    return not suffix or any(held.lower().endswith(suffix) for held in view.snapshot.paths(folder))


def _not_kept(path: str) -> str:
    return f"cannot be looked up here: this repository keeps no {posixpath.splitext(path)[1]} file where it would lie"
