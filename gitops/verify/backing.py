"""Which citations name a source that is here, or that was here to whoever decided what the repository keeps."""

from __future__ import annotations

from collections.abc import Callable

from gitops.errors import Absent
from gitops.verify.resolution import resolve
from gitops.verify.view import View
from gitops.verify.whereabouts import leads_behind
from gitops.wiki.cited import cited
from gitops.wiki.model import Cite
from gitops.wiki.snapshot import EXECUTABLE, REGULAR, SYMLINK
from gitops.wiki.written import is_address


def backs(view: View, page_path: str) -> Callable[[Cite], bool]:
    """Whether a cite of this page leads to a source, be it one whose content is kept elsewhere (a submodule, Git LFS).

    An address, a name (`LLM - model knowledge`), a folder, and a page that names no source lead to none: anybody can
    write them under anything. What `source_exists` refuses counts, so that one slip is told once.
    """
    known: dict[tuple[str, str], bool] = {}

    def ask(cite: Cite) -> bool:
        key = (cite.how, cite.path)
        if key not in known:
            known[key] = _backs(view, page_path, cite)
        return known[key]

    return ask


def _backs(view: View, page_path: str, cite: Cite) -> bool:
    found = resolve(view, page_path, cite)
    if found.status != "unresolvable":
        return True
    if is_address(cite.path):
        return False
    if found.via:
        return any(_is_kept_elsewhere(view, found.via, one) for one in _cites(view, found.via))
    return cite.how == "exact" or _is_kept_elsewhere(view, page_path, cite)


def _cites(view: View, path: str) -> tuple[Cite, ...]:
    try:
        return view.page(path).cites
    except Absent:
        return ()


def _is_kept_elsewhere(view: View, page_path: str, cite: Cite) -> bool:
    """Is this a file of which the repository has a pointer only, or the way to it?"""
    if is_address(cite.path):
        return False
    found = cited(cite.how, cite.path, page_path, view.graph, view.layout)
    if found.status == "ok" and view.layout.is_source(found.paths[0]):
        return view.snapshot.mode(found.paths[0]) in (REGULAR, EXECUTABLE, SYMLINK)
    return leads_behind(view, page_path, cite.path)
