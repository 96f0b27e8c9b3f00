"""Which files a citation means, and what stands in the way of reading them.

A canonical citation names a file below the raw folder, exactly. Every other convention is read as the wiki wrote it
(`wiki.cited`), and where that leads to a page that stands for a source, one hop further to the file that it names.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from gitops.errors import Absent
from gitops.verify.nearby import nearest
from gitops.verify.view import View
from gitops.verify.whereabouts import left_out, unheld
from gitops.wiki.cited import cited as found_for
from gitops.wiki.graph import resolved
from gitops.wiki.model import Cite, Page
from gitops.wiki.paths import objections, within
from gitops.wiki.snapshot import SUBMODULE, SYMLINK
from gitops.wiki.values import value_class
from gitops.wiki.written import has_scheme

_FOLDER = 0o040000
_ANNEX = b"/annex/objects/"
_IN_SUBMODULE = "{} lies in a submodule, whose content is not in this repository"
_OUTSIDE = "{} {} this repository and cannot be looked up here"

Status = Literal["ok", "missing", "not_a_source", "unresolvable", "ambiguous"]


@value_class
class Resolved:
    """What a citation means: when `ok`, the repository paths of readable sources (several through a source page); when
    `ambiguous`, all that it may mean.

    `via` is the wiki page through which it was found, '' when the source is cited itself. For any other status
    `message` says why and `repair` what would mend it; a mend that is dear to find is a function.
    """

    status: Status
    paths: tuple[str, ...] = ()
    via: str = ""
    message: str = ""
    repair: str | Callable[[], str] = ""


_MOST = 10_000
"""So many meanings are remembered."""


def resolve(view: View, page_path: str, cite: Cite) -> Resolved:
    """What a cite on the page at `page_path` means in this revision."""
    # A path that is read exactly means the same on every page.
    key = ("" if cite.how == "exact" else page_path, cite.how, cite.path)
    found: Resolved | None = view.meant.get(key)
    if found is None:
        found = _resolved(view, page_path, cite)
        if len(view.meant) >= _MOST:
            view.meant.clear()
        view.meant[key] = found
    return found


def _resolved(view: View, page_path: str, cite: Cite) -> Resolved:
    if _is_token(cite):
        return Resolved("unresolvable", message=_OUTSIDE.format(cite.path, "is no file of"))
    if cite.how == "exact":
        return _exact(view, cite.path)
    found = _direct(view, page_path, cite)
    if found.paths == (page_path,):
        return Resolved("unresolvable", message=f"{cite.path} is this page itself, which cannot be its own witness")
    if found.status == "ok" and view.layout.is_page(found.paths[0]):
        return _through(view, cite.path, found.paths[0])
    return found


def _is_token(cite: Cite) -> bool:
    """Is this an address or identifier? `ns:page` is a wiki-link, and a canonical `file:` is refused as a path."""
    if not has_scheme(cite.path) or (cite.how == "wiki" and "//" not in cite.path):
        return False
    return cite.how != "exact" or not cite.path.lower().startswith("file:")


def _direct(view: View, page_path: str, cite: Cite) -> Resolved:
    """What a cite names itself, be it a source, a page or another file."""
    if cite.how == "exact":
        return _exact(view, cite.path)
    found = found_for(cite.how, cite.path, page_path, view.graph, view.layout)
    if found.status == "ok":
        return _there(view, cite.path, found.paths[0])
    if found.status == "ambiguous":
        return Resolved("ambiguous", found.paths, message=f"{cite.path} may mean {' or '.join(found.paths)}")
    if found.status == "escapes":
        return Resolved("unresolvable", message=_OUTSIDE.format(cite.path, "leads out of"))
    if (why := unheld(view, page_path, cite)) is not None:
        return Resolved("unresolvable", message=f"{cite.path} {why}")
    return Resolved("missing", message=f"{cite.path} is not there", repair=partial(_mend, view, cite.path, cite.how))


def _there(view: View, cited: str, path: str) -> Resolved:
    """What stands in the way of reading what a cite in any convention names: a page is not read here."""
    layout, mode = view.layout, view.snapshot.mode(path)
    if path in (layout.config, layout.debt) or within(path, layout.gold):
        return Resolved("not_a_source", message=f"{cited} is {path}, which judges the wiki and is no source of it")
    if mode == SYMLINK:
        return Resolved("unresolvable", message=_symlink(view, cited, path))
    if mode == _FOLDER:
        return Resolved("unresolvable", message=f"{cited} is a folder; which of its files is meant cannot be told")
    return Resolved("ok", (path,)) if layout.is_page(path) else _readable(view, cited, path)


def _symlink(view: View, cited: str, path: str) -> str:
    try:
        is_annexed = _ANNEX in view.snapshot.read(path)
    except Absent:
        is_annexed = False
    if is_annexed:
        return f"{cited} is kept by git-annex; its content is not in the repository ('git annex get' fetches it)"
    return f"{cited} is a symbolic link, which is not followed"


def _through(view: View, cited: str, path: str) -> Resolved:
    """One hop: the files that a page stands for, by what it cites as a whole, else by its links into the raw folder."""
    try:
        page = view.page(path)
    except Absent:
        told = f"{cited} leads to {path}, whose content this clone does not hold"
        return Resolved("unresolvable", message=told, repair="git fetch")
    own = [_direct(view, path, cite) for cite in page.cites if not _is_token(cite)]
    paths = [one.paths[0] for one in own if one.status == "ok" and not view.layout.is_page(one.paths[0])]
    paths = paths or [to for to in _linked_sources(view, path, page) if _readable(view, to, to).status == "ok"]
    if paths:
        return Resolved("ok", tuple(dict.fromkeys(paths)), via=path)
    wrong = next((one for one in own if one.status != "ok"), None)
    if wrong is not None:
        return Resolved("unresolvable", via=path, message=f"{cited} leads through {path}, where {wrong.message}")
    told = f"{cited} leads to {path}, which names no file under {view.layout.names.raw}/"
    return Resolved("unresolvable", via=path, message=told)


def _linked_sources(view: View, path: str, page: Page) -> Iterator[str]:
    for link in page.links:
        if link.target:
            found = resolved(view.graph, view.layout, path, link.kind, link.target)
            yield from (to for to in found.paths[:1] if found.status == "ok" and view.layout.is_source(to))
    for claim in page.claims:
        found_too = (_direct(view, path, cite) for cite in claim.cites if not _is_token(cite))
        yield from (one.paths[0] for one in found_too if one.status == "ok" and view.layout.is_source(one.paths[0]))


def _exact(view: View, cited: str) -> Resolved:
    if (objection := objections(cited)) is not None:
        return Resolved("not_a_source", message=f"{cited!r} is refused as a path: it {objection}")
    path = view.source_path(cited)
    mode = view.snapshot.mode(path)
    if mode is None:
        return _absent(view, cited, path)
    if mode == _FOLDER:
        return Resolved("not_a_source", message=f"{cited} is a folder; a citation names a file")
    if mode == SYMLINK:
        return Resolved("not_a_source", message=f"{cited} is a symbolic link; a citation names the file itself")
    if mode != SUBMODULE and not view.layout.is_source(path):
        return Resolved("not_a_source", message=f"{cited} is not under {view.layout.names.raw}/, so it is no source")
    return _readable(view, cited, path)


def _readable(view: View, cited: str, path: str) -> Resolved:
    """What stands in the way of reading a file that is there."""
    if view.snapshot.mode(path) == SUBMODULE:
        return Resolved("unresolvable", message=_IN_SUBMODULE.format(cited))
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
    if (ignored := left_out(view, (path,))) is not None:
        return Resolved("unresolvable", message=f"{cited} {ignored}")
    return Resolved("missing", message=f"{cited} is not there", repair=partial(_mend, view, cited))


def _mend(view: View, cited: str, how: str = "exact") -> str:
    near = nearest(cited, view.snapshot.paths(view.layout.raw))
    if near is not None:
        return f"cite {view.layout.cited(near)}"
    if how == "wiki" and (page := nearest(cited, filter(view.layout.is_page, view.snapshot.paths(view.layout.wiki)))):
        return f"did you mean {view.layout.inside(page)}?"
    return f"bring the source in with: git assay raw add {shlex.quote(cited.rpartition('/')[2])}"
