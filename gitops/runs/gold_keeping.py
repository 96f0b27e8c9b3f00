"""Writes gold queries to files: appended to what people wrote there, comments and all, whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from gitops.errors import CannotRun, UsageError
from gitops.runs.gold import FILE, GoldQuery, parse
from gitops.runs.gold_file import read

_NEVER_WRAPPED = 2**31 - 1
Format = Literal["yaml", "json"]
HEAD = """\
# What this wiki should answer, and from which pages and sources (git assay eval gold, metric M3).
# Topics are the names of pages' files without .md; both lists empty: the wiki should not answer.
"""


def spelt(queries: Sequence[GoldQuery], form: Format) -> str:
    """Gold queries as a whole file."""
    records = [one.record() for one in queries]
    if form == "json":
        return json.dumps(records, ensure_ascii=False, indent=2) + "\n"
    return HEAD + (_items(queries) if queries else "[]\n")


def with_added(data: bytes | None, queries: Sequence[GoldQuery], name: str = FILE) -> bytes:
    """A file's content (None: there is no file) with queries added at its end.

    What people wrote stays as it is. UsageError where the file is no list of lines with dashes, so that nothing can be
    added at its end, and holds comments, which writing it anew would lose. BadGold where it cannot be read.
    """
    known = parse(data, name) if data is not None else []
    if data is not None and not known:
        data = _without_empty_list(data)
    if data is None or not data.strip():
        return spelt(queries, "yaml").encode()
    wanted = [*known, *queries]
    column = read(data, name).column
    if column is not None:
        made = _appended(data, queries, column)
        if _says(made, name) == wanted:
            return made
    if "#" in data.decode("utf-8-sig"):
        told = f"nothing can be added at the end of {name} without writing it anew, which would lose its comments"
        raise UsageError(told, "write its entries as a list of lines, each with a dash")
    return spelt(wanted, "yaml").encode()


def _without_empty_list(data: bytes) -> bytes:
    """A file without the `[]` that it ends with, so that what is said above it stays."""
    before, newline, last = data.rstrip().rpartition(b"\n")
    return before + newline if last.strip() == b"[]" else data


def _says(data: bytes, name: str) -> list[GoldQuery] | None:
    try:
        return parse(data, name)
    except UsageError:
        return None


def _appended(data: bytes, queries: Sequence[GoldQuery], column: int) -> bytes:
    text = "".join(" " * column + line for line in _items(queries).splitlines(keepends=True))
    if b"\r\n" in data:
        text = text.replace("\n", "\r\n")
    end = b"" if data.endswith(b"\n") else b"\r\n" if b"\r\n" in data else b"\n"
    return data + end + text.encode()


def _items(queries: Sequence[GoldQuery]) -> str:
    import yaml

    text: str = yaml.dump(
        [one.record() for one in queries],
        Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper),
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=None,
        width=_NEVER_WRAPPED,
    )
    return text


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; one that is there keeps its mode. CannotRun where it cannot be, and where what
    stands there is no file: a device would be replaced by one.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise CannotRun(f"{path} cannot be written: it is no file", "name a file, or one that is not there yet")
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        _replace(path.resolve(), data, mode)
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}", "check who owns the folder") from error


def _replace(path: Path, data: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
