"""Which paths git is told to leave out, by the `.gitignore` files that the tree itself holds (gitignore(5))."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

NAME = ".gitignore"
_SPECIAL = re.compile(r"\*\*/|/\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|.", re.DOTALL)
_RANGE = re.compile(r"(.)-(.)|(.)", re.DOTALL)


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    is_kept: bool
    is_of_folders: bool


def ignored_by(path: str, read: Callable[[str], bytes | None]) -> str | None:
    """The `.gitignore` that leaves out a path, or a folder above it; None where none does.

    `read` gives the bytes at a path of the repository, None where no file stands. A path that is no file's, such as one
    that leads out, is nobody's.
    """
    segments = path.split("/")
    if any(segment in ("", ".", "..") for segment in segments):
        return None
    for depth in range(1, len(segments) + 1):
        inside, is_folder = segments[:depth], depth < len(segments)
        if (found := _decided(inside, is_folder, read)) is not None:
            return found
    return None


def _decided(segments: list[str], is_folder: bool, read: Callable[[str], bytes | None]) -> str | None:
    """The file whose last matching rule leaves out one file or folder: the nearest file with such a rule decides."""
    for depth in range(len(segments) - 1, -1, -1):
        name = "/".join((*segments[:depth], NAME))
        data = read(name)
        below = "/".join(segments[depth:])
        for rule in _rules(data) if data else ():
            if (is_folder or not rule.is_of_folders) and rule.pattern.fullmatch(below):
                return None if rule.is_kept else name
    return None


@lru_cache(maxsize=64)
def _rules(data: bytes) -> tuple[_Rule, ...]:
    """The rules of a file, the last one first."""
    found = [rule for line in data.decode("utf-8-sig", "surrogateescape").splitlines() for rule in _rule(line)]
    return tuple(reversed(found))


def _rule(line: str) -> Iterator[_Rule]:
    said = re.sub(r"(?<!\\) +$", "", line)
    if not said or said.startswith("#"):
        return
    is_kept, said = said.startswith("!"), said.removeprefix("!")
    is_of_folders, said = said.endswith("/"), said.removesuffix("/")
    anywhere = "" if "/" in said else "(?:.*/)?"
    said = said.removeprefix("/")
    if said:
        yield _Rule(re.compile(anywhere + "".join(map(_expression, _SPECIAL.findall(said)))), is_kept, is_of_folders)


def _expression(piece: str) -> str:
    if piece == "**/":
        return "(?:.*/)?"
    if piece == "/**":
        return "/.*"
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if len(piece) > 2 and piece.startswith("["):
        return _one_of(piece[1:-1])
    return re.escape(piece[1:] if piece.startswith("\\") else piece)


def _one_of(said: str) -> str:
    """A set of characters and ranges as an expression; a range that runs backwards has none."""
    is_negated = said[0] in "!^"
    parts = [
        re.escape(one) if one else f"{re.escape(first)}-{re.escape(last)}" if first <= last else ""
        for first, last, one in _RANGE.findall(said[is_negated:])
    ]
    if not any(parts):
        return "[^/]" if is_negated else "(?!)"
    return f"[{'^/' if is_negated else ''}{''.join(parts)}]"
