"""What `doctor` says of the policy and the raw guard: the hook is a door's business, so it is looked at from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from gitops.runs.context import Context
    from gitops.runs.health import Symptom


def symptoms(context: Context, *, mend: bool) -> list[Symptom]:
    """Is there a workspace whose policy can be read, and a guard that is current and knows every raw folder?"""
    from gitops.cli.setup import raw_folders
    from gitops.errors import AssayError
    from gitops.runs.health import Symptom

    try:
        folders = raw_folders(context)
    except AssayError as error:
        return [Symptom(error.message, error.hint)]
    if not folders:
        return [Symptom("there is no assay.toml at HEAD, so no workspace", "git assay init")]
    worktree = context.repository.worktree
    if worktree is None:
        from gitops.cli import serve_doctor

        return list(serve_doctor.symptoms(context, mend=mend))
    return [*_of_the_hook(worktree, folders, mend), *_of_the_push_guard(worktree, mend)]


def _of_the_hook(worktree: Path, folders: list[str], mend: bool) -> list[Symptom]:
    from gitops import hooks
    from gitops.runs.health import Symptom

    place = hooks.locate(worktree)
    found = hooks.status(place, folders)
    if found.state == "installed" and found.names_current:
        return []
    if found.state == "unwired":
        told = f"git does not run the raw guard: {place.by_hand} does not call it"
        return [Symptom(told, f"add to it: {hooks.LINE}")]
    install = "git assay hooks install"
    if found.state == "missing":
        return [Symptom("the raw guard is not installed: nothing stops a commit that edits a source", install)]
    unknown = "the raw guard does not know every raw folder"
    told = unknown if found.state == "installed" else f"the raw guard is {found.state}"
    if mend:
        hooks.install(place, folders)
    return [Symptom(told, install, mended=mend)]


def _of_the_push_guard(worktree: Path, mend: bool) -> list[Symptom]:
    """Only one that is there and broken is a symptom: nobody has to have what servers and pull requests do as well."""
    from gitops import hooks
    from gitops.runs.health import Symptom

    place = hooks.locate(worktree, hooks.PUSH)
    found = hooks.status(place)
    if found.state in ("installed", "missing"):
        return []
    if found.state == "unwired":
        told = f"git does not run the push guard: {place.by_hand} does not call it"
        return [Symptom(told, f"add to it: {place.line}")]
    if mend:
        hooks.install(place)
    return [Symptom(f"the push guard is {found.state}", "git assay hooks install", mended=mend)]
