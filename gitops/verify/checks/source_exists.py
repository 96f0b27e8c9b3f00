"""Every cited source is there, as a file under the raw folder.

`missing` names the nearest source there is. `not_a_source` is a citation of something that is no source:
a page of the wiki cannot be its own witness. `unresolvable` is what cannot be looked up here (a URL, a
submodule, a Git LFS pointer, a blob that a partial clone lacks): said, and no ground to refuse.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import partial

from gitops.errors import Absent
from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.nearby import nearest
from gitops.verify.view import Draft, PageAt, View
from gitops.wiki.model import Cite, Page
from gitops.wiki.paths import objections
from gitops.wiki.snapshot import SUBMODULE, SYMLINK

_TOKEN = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]+:\S", re.IGNORECASE)
_FOLDER = 0o040000

Told = tuple[str, str, "str | Callable[[], str]"]
"""Result, message, repair."""


def examine(at: PageAt) -> Iterator[Draft]:
    """What is wrong with the files that the page cites, for each claim that leans on them."""
    known: dict[str, Told | None] = {}
    for claim, cite in _cited(at.page):
        if cite.path not in known:
            known[cite.path] = judge(at.view, cite.path)
        if (told := known[cite.path]) is not None:
            result, message, repair = told
            yield Draft(result, message, f"{claim}\0{cite.path}", at.path, cite.place, claim, cite.path, repair)


def _cited(page: Page) -> Iterator[tuple[str, Cite]]:
    """Every citation with the words that lean on it; '' for what backs the page as a whole."""
    yield from (("", cite) for cite in page.cites)
    for claim in page.claims:
        yield from ((claim.text, cite) for cite in claim.cites)


def judge(view: View, cited: str) -> Told | None:
    """Why a cited path is no readable source; None where it is one."""
    if _TOKEN.match(cited):
        return "unresolvable", f"{cited} is not a file of this repository and cannot be looked up here", ""
    if (objection := objections(cited)) is not None:
        return "not_a_source", f"{cited!r} is refused as a path: it {objection}", ""
    path = view.source_path(cited)
    mode = view.snapshot.mode(path)
    if mode is None:
        return _absent(view, cited, path)
    if mode == SUBMODULE:
        return "unresolvable", _IN_SUBMODULE.format(cited), ""
    if mode == _FOLDER:
        return "not_a_source", f"{cited} is a folder; a citation names a file", ""
    if mode == SYMLINK:
        return "not_a_source", f"{cited} is a symbolic link; a citation names the file itself", ""
    if not view.layout.is_source(path):
        return "not_a_source", f"{cited} is not under {view.layout.names.raw}/, so it is no source", ""
    try:
        text = view.source(path)
    except Absent:
        return "unresolvable", f"{cited} is in the tree, but this clone does not hold its content", "git fetch"
    if text.problem == "lfs_pointer":
        return "unresolvable", f"{cited}: {text.message}", ""
    return None


_IN_SUBMODULE = "{} lies in a submodule, whose content is not in this repository"


def _absent(view: View, cited: str, path: str) -> Told:
    folder = path
    while folder := folder.rpartition("/")[0]:
        mode = view.snapshot.mode(folder)
        if mode == SUBMODULE:
            return "unresolvable", _IN_SUBMODULE.format(cited), ""
        if mode == SYMLINK:
            return "not_a_source", f"{cited} lies behind the symbolic link {folder}; cite the file itself", ""
    return "missing", f"{cited} is not there", partial(_mend, view, cited)


def _mend(view: View, cited: str) -> str:
    near = nearest(cited, view.snapshot.paths(view.layout.raw))
    if near is not None:
        return f"cite {view.layout.cited(near)}"
    return f"bring the source in with: git assay raw add {shlex.quote(cited.rpartition('/')[2])}"


CHECK = Check(
    scope="claim",
    version=2,
    results={"missing": Level.ERROR, "not_a_source": Level.ERROR, "unresolvable": Level.NOTE},
    page=examine,
)
