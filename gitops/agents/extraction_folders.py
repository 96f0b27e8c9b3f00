"""Sources into atoms in a folder that is no part of a wiki: files in, files out, and no run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitops.agents import atom_files, extracting
from gitops.agents.extracting import Extracted
from gitops.agents.extractors.given import Given
from gitops.agents.writers import passages
from gitops.agents.writers.document import Unreadable
from gitops.errors import UsageError
from gitops.runs import incoming
from gitops.runs.context import Context, system_clock
from gitops.runs.workspace import Workspace
from gitops.wiki.paths import objections
from gitops.wiki.sources import extract


@dataclass(frozen=True, slots=True)
class Written:
    """What was extracted, and the files it came to."""

    extracted: Extracted
    planned: atom_files.Planned


def given(folder: Path, names: Sequence[str], cited: Callable[[Path], str]) -> tuple[list[Given], list[Unreadable]]:
    """The files that are named, as sources, each once; and those without a text.

    `cited` says what a file is cited by, '' where nothing does: then it is the path as it is named, or the file's name
    where that leads elsewhere. UsageError for what is no file, and for two that would be cited alike.
    """
    found: dict[str, tuple[Path, Given]] = {}
    unreadable = []
    for name in names:
        file = folder / name
        data = incoming.content(file, name)
        called = cited(file) or _called(name)
        text = extract(called, data)
        try:
            passages.demand_text(text, name)
            passages.demand_name(called)
        except Unreadable as error:
            unreadable.append(error)
            continue
        before = found.setdefault(called, (file.resolve(), Given(called, text, data)))
        if before[0] != file.resolve():
            raise UsageError(f"two of the sources would be cited as {called}", "name them from a folder above both")
    return [one for _, one in found.values()], unreadable


def run(
    context: Context | None,
    workspace: Workspace | None,
    sources: Sequence[Given],
    preset: str,
    folder: Path,
    *,
    force: bool = False,
    say: Callable[[str], None],
) -> Written:
    """Extract, and write what comes of it. Errors as `extracted` and `atom_files` have them."""
    done = extracting.extracted(context, workspace, sources, preset, say=say)
    planned = plan(context, done, folder, force=force)
    atom_files.write(planned, folder)
    return Written(done, planned)


def plan(context: Context | None, done: Extracted, folder: Path, *, force: bool = False) -> atom_files.Planned:
    """The files that would be written."""
    at = (context.clock if context is not None else system_clock)()
    return atom_files.in_folder(done.drafts, folder, at, force=force)


def _called(name: str) -> str:
    clean = name.removeprefix("./")
    return Path(name).name if objections(clean) else clean
