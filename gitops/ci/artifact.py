"""What a job left behind for the one that tells it: results in a file, a folder or a zip, by whoever wrote the change.

Nothing of it is unpacked to disk, nothing is read beyond what a result may have, and nothing but plain files is opened.
"""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from gitops.ci import result
from gitops.ci.result import Result
from gitops.errors import UsageError

MOST_RESULTS = 20
"""So many suites one check may tell of: each gets a comment."""
MOST_FILES = 1_000
LARGEST_ZIP = 8 * 1024 * 1024
"""So large a zip may be, packed: its list of files alone is read before anything else."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The ways of packing that can be undone piece by piece."""
_MAGIC = b"PK"
_HINT = "git assay ci check --result FILE writes one, for the job's artifact"


class Absent(UsageError):
    """There is no result: the job left none behind."""


def results(path: Path) -> list[Result]:
    """The results at a path, by suite. `Absent` where there are none, UsageError for anything that is no result."""
    found = [result.parse(data, name) for name, data in _bounded(path)]
    if not found:
        raise Absent(f"{path.name}: no result in it", _HINT)
    suites = [each.suite for each in found]
    twice = next((suite for suite in suites if suites.count(suite) > 1), None)
    if twice is not None:
        raise UsageError(f"{path.name}: two results of suite {twice}", _HINT)
    return sorted(found, key=lambda each: each.suite)


def _bounded(path: Path) -> Iterator[tuple[str, bytes]]:
    for number, each in enumerate(_contents(path)):
        if number == MOST_RESULTS:
            raise UsageError(f"{path.name}: more than {MOST_RESULTS} results", _HINT)
        yield each


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of every result's file."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            yield from _foldered(path)
        elif path.suffix == ".zip":
            yield from _zipped(path)
        else:
            yield path.name, _read(path)
    except FileNotFoundError as error:
        raise Absent(f"{path}: there is no such file", _HINT) from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}", _HINT) from error


def _foldered(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What is in a folder: result files; or a zip and nothing else, as an artifact comes down that is left packed."""
    packed = _only(folder)
    if packed is not None:
        yield from _zipped(packed)
        return
    for file in _files(folder):
        yield file.name, _read(file)


def _only(folder: Path) -> Path | None:
    """The one thing in a folder, if it is a plain file that begins as a zip does, whatever it is called."""
    with os.scandir(folder) as entries:
        found = [Path(each.path) for each in islice(entries, 2)]
    if len(found) != 1 or not stat.S_ISREG(found[0].lstat().st_mode):
        return None
    with found[0].open("rb") as file:
        return found[0] if file.read(len(_MAGIC)) == _MAGIC else None


def _files(folder: Path) -> Iterator[Path]:
    """The JSON files below a folder, in order; what is a link is not followed."""
    found: list[Path] = []
    seen = 0
    for above, folders, files in os.walk(folder, followlinks=False):
        folders.sort()
        seen += len(folders) + len(files)
        if seen > MOST_FILES:
            raise UsageError(f"{folder.name}: more than {MOST_FILES:,} files", _HINT)
        found += [Path(above, name) for name in sorted(files) if name.endswith(".json")]
    yield from found


def _read(file: Path) -> bytes:
    """A plain file's content, so much of it as tells that it is too long. UsageError for a link, a pipe, a device."""
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if file.is_symlink():
            raise UsageError(f"{file.name} is a symbolic link; a result is a file", _HINT) from error
        raise
    with os.fdopen(opened, "rb") as stream:
        about = os.fstat(stream.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise UsageError(f"{file.name} is no plain file", _HINT)
        if about.st_size > result.LARGEST:
            told = f"{file.name}: {about.st_size:,} bytes, and a result has at most {result.LARGEST:,}"
            raise UsageError(told, _HINT)
        return stream.read(result.LARGEST + 1)


def _zipped(path: Path) -> Iterator[tuple[str, bytes]]:
    """The JSON files in a zip. What it says of their sizes is not believed: it is read to the limit and no further."""
    size = path.stat().st_size
    if size > LARGEST_ZIP:
        raise UsageError(f"{path.name}: {size:,} bytes, and an artifact has at most {LARGEST_ZIP:,}", _HINT)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_FILES:
                raise UsageError(f"{path.name}: more than {MOST_FILES:,} files", _HINT)
            for entry in entries:
                name = entry.filename.rpartition("/")[2]
                if name.endswith(".json"):
                    if entry.compress_type not in _PACKED:
                        raise UsageError(f"{path.name}: {name} is packed in a way that GitHub does not use", _HINT)
                    with archive.open(entry) as stream:
                        yield name, stream.read(result.LARGEST + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise UsageError(f"{path.name}: no zip that can be read: {error}", _HINT) from error
