"""What a run of `extract eval` leaves behind for people: its files and its report, where git never looks.

They lie below the git folder, which every worktree shares and no commit holds; the notes have the measurement, so
that all of this may be deleted at any time. Of old runs the last few are kept.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from gitops.errors import CannotRun
from gitops.runs import names

FOLDER = "extraction"
"""In the folder of the index."""
ATOMS = "atoms"
"""In a run's folder: what the extractor wrote, a folder for each case."""
KEPT = 20
"""So many runs are kept."""


def opened(folder: Path, run_id: str) -> Path:
    """A new folder for a run, with one for its atoms. CannotRun where it cannot be made."""
    made = folder / FOLDER / run_id
    try:
        (made / ATOMS).mkdir(parents=True)
    except OSError as error:
        raise _unwritable(made, error) from error
    return made


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a run's report into its folder. CannotRun where there is no room."""
    for name, text in files.items():
        try:
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise _unwritable(folder / name, error) from error


def abandon(folder: Path) -> bool:
    """Remove the folder of a run that came to nothing, unless atoms were written: whether there are any.

    What cannot be removed is left, as by `prune`.
    """
    if any(path.is_file() for path in (folder / ATOMS).rglob("*")):
        return True
    shutil.rmtree(folder, ignore_errors=True)
    return False


def prune(folder: Path, kept: int = KEPT) -> list[str]:
    """Remove all runs but the newest few, and give the ids of those that are gone; what is no run's is left alone.

    What cannot be removed is left to the next run: nothing depends on it.
    """
    try:
        runs = sorted(each.name for each in (folder / FOLDER).iterdir() if names.is_id(each.name) and each.is_dir())
    except FileNotFoundError:
        return []
    old = runs[: max(0, len(runs) - kept)]
    for name in old:
        shutil.rmtree(folder / FOLDER / name, ignore_errors=True)
    return old


def _unwritable(path: Path, error: OSError) -> CannotRun:
    return CannotRun(f"cannot write {path}: {error.strerror or error}", "make room there, or give --no-keep")
