"""The ten sources of the capability floor, as they ship with the package, or lie beside it in a checkout."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from gitops.canonical import digest, sha256
from gitops.errors import CannotRun

_COUNT = 10
PLACES = (Path(str(files("gitops"))) / "_floor", Path(__file__).parents[2] / "tests" / "fixtures" / "floor")


def sources(places: Sequence[Path] = PLACES) -> list[Path]:
    """The files in the order in which they are ingested. CannotRun where they are not all there."""
    for folder in places:
        found = sorted(path for path in folder.glob("[0-9]*") if path.is_file())
        if len(found) == _COUNT:
            return found
    told = "the ten sources of the capability floor are not installed"
    raise CannotRun(told, "pip install --force-reinstall git-assay")


def sources_digest(paths: list[Path]) -> str:
    """Which sources they are: two floors can be compared where this is the same."""
    return digest([[path.name, sha256(path.read_bytes())] for path in paths])[:16]
