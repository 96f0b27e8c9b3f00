"""Finding files and places in them: by folder, by a pattern in their lines, by words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import islice

from pydantic import Field

from gitops.agents.calling import Arguments, Misuse, ToolError
from gitops.agents.fencing import fenced
from gitops.agents.reading import matching
from gitops.agents.reading.ranking import Bm25
from gitops.agents.reading.shelf import Hit, Shelf, is_everything
from gitops.errors import Absent
from gitops.verify.view import View

LISTED = 300
MATCHES = 100
SCANNED = 20_000_000
"""Characters that one search by pattern looks through; of a larger wiki, ask folder by folder."""
PATIENCE_S = 5.0
"""How long a regular expression may take."""


class List(Arguments):
    """What `list` is asked."""

    path: str = Field(default="", description="a folder; empty for all pages and sources")
    start: int = Field(default=1, ge=1, description="the first entry wanted")


class Grep(Arguments):
    """What `grep` is asked."""

    pattern: str = Field(min_length=1, max_length=500, description="what to look for in each line")
    path: str = Field(default="", description="a file or folder; empty for all pages and sources")
    regular: bool = Field(default=False, description="whether the pattern is a regular expression (Python's)")
    ignore_case: bool = Field(default=True, description="whether capitals and small letters are alike")


class Search(Arguments):
    """What `search` is asked."""

    words: str = Field(min_length=1, max_length=300, description="the words of what you look for")
    limit: int = Field(default=8, ge=1, le=20, description="how many places are wanted")


def list_files(shelf: Shelf, asked: List) -> str:
    """The files below a folder with their sizes in bytes, so many at a time."""
    folder, view = shelf.folder(asked.path), shelf.now()
    paths = _below(shelf, folder)
    shown = paths[asked.start - 1 : asked.start - 1 + LISTED]
    if not shown:
        raise ToolError(f"there are {len(paths)} files, no file {asked.start}")
    rows = (f"{path}\t{_size(view, path)}{_mark(shelf, path)}" for path in shown)
    last = asked.start + len(shown) - 1
    more = f" (ask for more with start={last + 1}, or for a folder)" if last < len(paths) else ""
    told = f"files {asked.start}–{last} of {len(paths)}{more}; path and size in bytes. Data:"
    return f"{told}\n{fenced(chr(10).join(rows), below=folder or 'everything')}"


def grep(shelf: Shelf, asked: Grep) -> str:
    """The lines that hold a pattern, with their paths and numbers."""
    paths = [shelf.path(asked.path)] if _is_file(shelf, asked.path) else _below(shelf, shelf.folder(asked.path))
    texts, read = _texts(shelf, paths)
    pattern = asked.pattern if asked.regular else re.escape(asked.pattern)
    find = _bounded if asked.regular else _plain
    found = find(pattern, asked.ignore_case, texts)
    left = f"; {len(paths) - read} files were not looked through" if read < len(paths) else ""
    if not found:
        return f"no line of {read} files holds it{left}"
    rows = "\n".join(f"{path}:{number}: {line}" for path, number, line in found[:MATCHES])
    more = (
        f"the first {MATCHES} matches; there are more (narrow it down)"
        if len(found) > MATCHES
        else f"{len(found)} matches"
    )
    return f"{more} in {read} files{left}. Data:\n{fenced(rows, pattern=asked.pattern)}"


def search(shelf: Shelf, asked: Search) -> str:
    """The places that have most to do with some words, best first."""
    hits = list((shelf.ranked or Bm25(shelf))(asked.words, asked.limit))
    if not hits:
        return "nothing has these words"
    rows = "\n\n".join(f"{hit.path}:{hit.line}{_heading(hit)}\n{hit.text}" for hit in hits)
    return f"{len(hits)} places, best first. Data:\n{fenced(rows, words=asked.words)}"


def _below(shelf: Shelf, folder: str) -> list[str]:
    paths = list(shelf.paths(folder))
    if not paths:
        raise ToolError(f"there is nothing to read below {folder or 'the wiki and the raw folder'}")
    return paths


def _size(view: View, path: str) -> str:
    try:
        return str(view.snapshot.size(path))
    except Absent:
        return "not in this clone"


def _heading(hit: Hit) -> str:
    return f" ({hit.heading})" if hit.heading else ""


def _mark(shelf: Shelf, path: str) -> str:
    what = shelf.staged(path)
    return f"\t{what} in this change" if what else ""


def _is_file(shelf: Shelf, said: str) -> bool:
    if is_everything(said):
        return False
    try:
        return shelf.now().snapshot.blob(shelf.path(said)) is not None
    except ToolError:
        return False


def _texts(shelf: Shelf, paths: Sequence[str]) -> tuple[list[tuple[str, str]], int]:
    """The texts of files until there are too many characters, PDFs by page; and how many files were read."""
    texts: list[tuple[str, str]] = []
    room, read = SCANNED, 0
    for path in paths:
        try:
            parts = list(shelf.parts(path))
        except ToolError:  # a scan, a picture: counted as not looked through
            continue
        room -= sum(len(part.text) for part in parts)
        if room < 0:
            break
        read += 1
        texts += ((f"{path} page {part.page}" if part.page else path, part.text) for part in parts)
    return texts, read


def _plain(pattern: str, ignore_case: bool, texts: Iterable[tuple[str, str]]) -> list[matching.Match]:
    return list(islice(matching.matches(pattern, ignore_case, texts), MATCHES + 1))


def _bounded(pattern: str, ignore_case: bool, texts: Sequence[tuple[str, str]]) -> list[matching.Match]:
    """The same in a process that is ended when it takes too long, which is a Misuse: each costs everyone's time."""
    question = {"pattern": pattern, "ignore_case": ignore_case, "limit": MATCHES, "texts": texts}
    command = [sys.executable, "-I", "-S", "-W", "ignore", matching.__file__]
    try:
        done = subprocess.run(
            command, input=json.dumps(question).encode(), capture_output=True, timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Misuse(f"the expression took more than {PATIENCE_S:.0f} s; use a simpler one") from error
    if done.returncode:
        raise ToolError("the expression could not be matched; use a simpler one")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise ToolError(f"that is no regular expression: {answer['error']}")
    return [(path, number, line) for path, number, line in answer["found"]]
