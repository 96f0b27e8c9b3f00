"""The workflows of a repository on GitHub: written from the templates, and written anew as long as nobody changed them.

Each file says in its second line what the digest of the rest is. The one line that is a person's to change without
that it counts as a change is `ASSAY_PACKAGE`: where git-assay is installed from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal

from gitops import __version__
from gitops.errors import UsageError

NAMES = ("evals", "comment", "verify-run", "land", "scheduled", "judge")
FOLDER = ".github/workflows"
RELEASED = f"git-assay[stats]=={__version__}"
"""What a workflow installs unless its repository says otherwise: the version that wrote it."""

State = Literal["written", "updated", "unchanged", "kept"]
"""`kept`: somebody changed the file, and it stays as it is."""

_PACKAGE = re.compile(r"^  ASSAY_PACKAGE: (?P<package>\S.*)$", re.MULTILINE)
_OURS = re.compile(r"git-assay\[stats\]==\S+")
_DIGEST = "# What stands below has the digest sha256:"
_MARKED = re.compile(rf"# [^\n]*\n{_DIGEST}(?P<digest>[0-9a-f]{{64}})\n\n(?P<body>.*)", re.DOTALL)
_AGAIN = "git assay init --ci github --force"


@dataclass(frozen=True, slots=True)
class Workflow:
    """A workflow's file in the work tree, and what became of it."""

    path: str
    state: State


def rendered(name: str, package: str = RELEASED) -> str:
    """A workflow as GitHub reads it, installing git-assay from `package` (what `pip install` takes)."""
    body = files("gitops.ci").joinpath("templates", f"{name}.yml").read_text("utf-8")
    return _PACKAGE.sub(lambda found: f"  ASSAY_PACKAGE: {package}", body, count=1)


def write(worktree: Path, *, force: bool = False) -> list[Workflow]:
    """Write every workflow to a work tree, and say of each what was done. Nothing is committed.

    A file that somebody changed is kept, unless `force` says otherwise. UsageError where it cannot be written.
    """
    return [_written(worktree, f"{FOLDER}/git-assay-{name}.yml", name, force) for name in NAMES]


def marked(body: str) -> str:
    """A workflow below the two lines that tell whose it is."""
    head = f"# Written by git-assay {__version__}; git assay init --ci github renews it as long as nobody changes it."
    return f"{head}\n{_DIGEST}{_digest(body)}\n\n{body}"


def _written(worktree: Path, path: str, name: str, force: bool) -> Workflow:
    file = worktree / path
    _refuse_links(worktree, file)
    try:
        present = file.read_bytes().decode("utf-8", "replace") if file.exists() else None
        wanted = marked(rendered(name, RELEASED if force or present is None else _package(present)))
        if present == wanted:
            return Workflow(path, "unchanged")
        if present is not None and not force and not _untouched(present):
            return Workflow(path, "kept")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted, "utf-8")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", f"make room for it, then: {_AGAIN}") from error
    return Workflow(path, "written" if present is None else "updated")


def _refuse_links(worktree: Path, file: Path) -> None:
    """UsageError where a symlink would lead what is written out of the work tree."""
    for each in (file, file.parent, file.parent.parent):
        if each.is_symlink():
            name = each.relative_to(worktree).as_posix()
            raise UsageError(f"{name} is a symbolic link, which GitHub does not follow", f"remove it, then: {_AGAIN}")


def _untouched(text: str) -> bool:
    found = _MARKED.fullmatch(text)
    return found is not None and found["digest"] == _digest(found["body"])


def _package(text: str) -> str:
    """Where the present file installs from: a person's own choice stays; ours follows the version."""
    found = _PACKAGE.search(text)
    return RELEASED if found is None or _OURS.fullmatch(found["package"]) else found["package"]


def _digest(body: str) -> str:
    return sha256(_PACKAGE.sub("  ASSAY_PACKAGE:", body, count=1).encode()).hexdigest()
