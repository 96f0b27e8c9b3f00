"""The pages and sources of one revision, as an agent may read them: by path, and no other files.

What is staged is served as it is staged: the revision is the one that would land. A shelf holds snapshots and what was
parsed of them, and nothing with which a file, a ref or a note could be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gitops.agents.calling import ToolError
from gitops.errors import Absent, UsageError
from gitops.verify.view import View
from gitops.wiki.decode import decode
from gitops.wiki.layout import Layout
from gitops.wiki.paths import is_dotfile, safe, within
from gitops.wiki.snapshot import EXECUTABLE, REGULAR
from gitops.wiki.source_text import page_span


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that a search found: its file, the line it begins at (from 1), and what stands there."""

    path: str
    line: int
    heading: str
    text: str


Ranked = Callable[[str, int], Sequence[Hit]]
"""Words and how many hits are wanted → the best places, best first."""


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text as it is read: `page` of `pages` where it has pages; `remark` says what is wrong with it."""

    text: str
    page: int = 0
    pages: int = 0
    remark: str = ""


@dataclass(frozen=True)
class Shelf:
    """A revision to read. `now` gives it as it stands at this moment: a writer reads what it has just staged.

    `base` is what the change began from, where there is one. `ranked` is a search index, where there is one.
    """

    now: Callable[[], View]
    base: View | None = None
    ranked: Ranked | None = None
    counted: dict[str, dict[str, int]] = field(default_factory=dict, compare=False, repr=False)
    """The terms of files by blob, for the search that needs no index."""

    @classmethod
    def of(cls, view: View, base: View | None = None, ranked: Ranked | None = None) -> Shelf:
        """A shelf of a revision that does not change."""
        return cls(lambda: view, base, ranked)

    def path(self, said: str) -> str:
        """The repository path of a page or source, named from the repository or from the workspace.

        ToolError for whatever lies elsewhere: policy, gold, debt, `.git`, other workspaces, the rest of the disk.
        """
        clean, layout = self._clean(said), self.now().layout
        for path in dict.fromkeys((clean, layout.source(clean))):
            if is_readable(layout, path):
                return path
        raise ToolError(_refusal(said, layout))

    def folder(self, said: str) -> str:
        """The same of a folder; '' is everything that may be read."""
        clean, layout = "" if is_everything(said) else self._clean(said), self.now().layout
        for path in dict.fromkeys((clean, layout.source(clean))):
            if not clean or path in (layout.raw, layout.wiki) or within(path, layout.raw) or within(path, layout.wiki):
                return path if clean else ""
        raise ToolError(_refusal(said, layout))

    def paths(self, folder: str = "") -> Iterator[str]:
        """Every page and source below a folder, sources last, each in git's order. Submodules are no files."""
        view = self.now()
        layout = view.layout
        folders = [folder] if folder else [layout.wiki]
        if not folder and not within(layout.raw, layout.wiki):
            folders.append(layout.raw)
        for below in folders:
            for path in view.snapshot.paths(below):
                if is_readable(layout, path) and view.snapshot.blob(path) is not None:
                    yield path

    def text(self, path: str, page: int = 0) -> Text:
        """What stands at a path; of a PDF one page, or with page 0 all. ToolError where there is nothing to read."""
        view = self.now()
        mode = view.snapshot.mode(path)
        if mode not in (REGULAR, EXECUTABLE):
            raise ToolError(f"there is no file {path}" if mode is None else f"{path} is no regular file")
        try:
            if view.layout.is_page(path):
                return Text(decode(view.snapshot.read(path)).text)
            return _of_source(view, path, page)
        except Absent as error:
            raise ToolError(f"the content of {path} is not in this clone") from error

    def parts(self, path: str) -> Iterator[Text]:
        """A file's text by the pages in which it is read; whole where it has none."""
        whole = self.text(path)
        if not whole.pages:
            yield whole
        for page in range(1, whole.pages + 1):
            yield self.text(path, page)

    def staged(self, path: str) -> str:
        """'new' or 'changed' where the change touched the file, else ''."""
        if self.base is None:
            return ""
        old, new = self.base.snapshot.blob(path), self.now().snapshot.blob(path)
        return "" if old == new else "new" if old is None else "changed"

    @staticmethod
    def _clean(said: str) -> str:
        try:
            return safe(said.removeprefix("./").rstrip("/"))
        except UsageError as error:
            raise ToolError(error.message) from error


def is_everything(said: str) -> bool:
    """Does a path name no folder in particular?"""
    return said.strip() in ("", ".", "./", "/")


def is_readable(layout: Layout, path: str) -> bool:
    """Is this a source, or a file of the wiki that agents may see? Of a workspace that is its own wiki, pages only."""
    if layout.is_source(path):
        return not is_dotfile(path.removeprefix(layout.raw + "/"))
    if layout.is_whole:
        return layout.is_page(path)
    return layout.is_wiki(path) and not is_dotfile(layout.inside(path))


def _refusal(said: str, layout: Layout) -> str:
    where = "the wiki's pages" if layout.is_whole else f"{layout.wiki}/"
    return f"{said} may not be read: only {where} and {layout.raw}/ may"


def _of_source(view: View, path: str, page: int) -> Text:
    source = view.source(path)
    if source.problem and not source.text.strip():
        raise ToolError(f"{path} cannot be read: {source.message}")
    pages = len(source.page_starts)
    if not page or not pages:
        return Text(source.text, 0, pages, source.message)
    span = page_span(source, page)
    if span is None:
        raise ToolError(f"{path} has {pages} pages, no page {page}")
    return Text(source.text[slice(*span)].rstrip("\f"), page, pages, source.message)
