"""Which files under the raw folder a citation means, and what stands in the way of reading them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from gitops.errors import Absent
from gitops.verify.nearby import nearest
from gitops.verify.view import View
from gitops.wiki.model import Cite
from gitops.wiki.paths import objections
from gitops.wiki.snapshot import SUBMODULE, SYMLINK

_TOKEN = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+:\S", re.IGNORECASE)
_FOLDER = 0o040000
_IN_SUBMODULE = "{} lies in a submodule, whose content is not in this repository"

Status = Literal["ok", "missing", "not_a_source", "unresolvable", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a citation means: when `ok`, the repository paths of readable sources (several through a source page).

    `via` is the wiki page through which it was found, '' when the source is cited itself. For any other status
    `message` says why and `repair` what would mend it; a mend that is dear to find is a function.
    """

    status: Status
    paths: tuple[str, ...] = ()
    via: str = ""
    message: str = ""
    repair: str | Callable[[], str] = ""


def resolve(view: View, page_path: str, cite: Cite) -> Resolved:
    """What a cite on the page at `page_path` means in this revision."""
    cited = cite.path
    if _TOKEN.match(cited):
        return Resolved("unresolvable", message=f"{cited} is no file of this repository and cannot be looked up here")
    if (objection := objections(cited)) is not None:
        return Resolved("not_a_source", message=f"{cited!r} is refused as a path: it {objection}")
    path = view.source_path(cited)
    mode = view.snapshot.mode(path)
    if mode is None:
        return _absent(view, cited, path)
    return _readable(view, cited, path, mode)


def _readable(view: View, cited: str, path: str, mode: int) -> Resolved:
    """What stands in the way of reading a file that is there."""
    if mode == SUBMODULE:
        return Resolved("unresolvable", message=_IN_SUBMODULE.format(cited))
    if mode == _FOLDER:
        return Resolved("not_a_source", message=f"{cited} is a folder; a citation names a file")
    if mode == SYMLINK:
        return Resolved("not_a_source", message=f"{cited} is a symbolic link; a citation names the file itself")
    if not view.layout.is_source(path):
        return Resolved("not_a_source", message=f"{cited} is not under {view.layout.names.raw}/, so it is no source")
    try:
        text = view.source(path)
    except Absent:
        told = f"{cited} is in the tree, but this clone does not hold its content"
        return Resolved("unresolvable", message=told, repair="git fetch")
    if text.problem == "lfs_pointer":
        return Resolved("unresolvable", message=f"{cited}: {text.message}")
    return Resolved("ok", (path,))


def _absent(view: View, cited: str, path: str) -> Resolved:
    folder = path
    while folder := folder.rpartition("/")[0]:
        mode = view.snapshot.mode(folder)
        if mode == SUBMODULE:
            return Resolved("unresolvable", message=_IN_SUBMODULE.format(cited))
        if mode == SYMLINK:
            told = f"{cited} lies behind the symbolic link {folder}; cite the file itself"
            return Resolved("not_a_source", message=told)
    return Resolved("missing", message=f"{cited} is not there", repair=partial(_mend, view, cited))


def _mend(view: View, cited: str) -> str:
    near = nearest(cited, view.snapshot.paths(view.layout.raw))
    if near is not None:
        return f"cite {view.layout.cited(near)}"
    return f"bring the source in with: git assay raw add {shlex.quote(cited.rpartition('/')[2])}"
