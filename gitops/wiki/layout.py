"""Where the parts of one workspace lie in the repository."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache

from gitops.config import FILE_NAME, Workspace
from gitops.wiki.paths import is_dotfile, objections, within

PAGE_SUFFIXES = (".md", ".markdown")
DEBT_NAME = "assay.debt.jsonl"
ENTRY_NAMES = ("index", "_index", "home", "readme", "moc", "00-index")
"""What the page is called at which readers come into a folder."""
_ABOUT = frozenset(("log", "_log", "changelog", "schema", "claude", "agents", "gemini", "license", "contributing"))
_TEMPLATES = frozenset(("templates", "_templates", "template"))


def joined(folder: str, path: str) -> str:
    """A path below a folder; the repository's root is ''."""
    return f"{folder}/{path}" if folder else path


def is_entry(path: str) -> bool:
    """Is this where a reader comes in: the index page of some folder, by its name?"""
    return _stem(path) in ENTRY_NAMES


def is_about_wiki(path: str) -> bool:
    """Is this a page about the wiki itself: its rules, its log, a template? Nobody has to link to it."""
    return _stem(path) in _ABOUT or is_template(path)


def is_template(path: str) -> bool:
    """Does this page lie in a folder of templates: a form that pages are made from?"""
    return any(part.lower() in _TEMPLATES for part in path.split("/")[:-1])


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0].lower()


def _below(folder: str) -> str:
    return folder and folder + "/"


@cache
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(translate, globs))) if globs else None


@dataclass(frozen=True, slots=True)
class Layout:
    """A workspace's folders as repository paths. `root` is the folder that holds `assay.toml`, '' at the top.

    `nested` are the folders of other workspaces below the wiki: they are none of its.
    """

    root: str = ""
    names: Workspace = field(default_factory=Workspace)
    nested: tuple[str, ...] = ()
    raw: str = field(init=False, compare=False, repr=False)
    """The folder of the sources."""
    wiki: str = field(init=False, compare=False, repr=False)
    """The folder of the pages; '' where the whole repository is the wiki."""
    gold: str = field(init=False, compare=False, repr=False)
    """The folder of what people expect of the wiki."""
    index: str = field(init=False, compare=False, repr=False)
    """The page that is the root of the wiki."""
    log: str = field(init=False, compare=False, repr=False)
    """The page that only the tool writes."""
    _apart: tuple[str, ...] = field(init=False, compare=False, repr=False)
    _excluded: re.Pattern[str] | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        wiki = self.root if self.names.wiki == "." else joined(self.root, self.names.wiki)
        raw, gold = joined(self.root, self.names.raw), joined(self.root, self.names.gold)
        values = {
            "wiki": wiki,
            "raw": raw,
            "gold": gold,
            "index": joined(wiki, self.names.index),
            "log": joined(wiki, self.names.log),
            "_apart": tuple(f"{folder}/" for folder in (raw, gold, *self.nested) if within(folder, wiki)),
            "_excluded": _pattern(self.names.exclude),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """What the workspace is called: as configured, else its folder's name, else `main`."""
        return self.names.name or self.root.rpartition("/")[2].lower() or "main"

    @property
    def config(self) -> str:
        """The policy file."""
        return joined(self.root, FILE_NAME)

    @property
    def debt(self) -> str:
        """The file of the findings that were accepted when the wiki was adopted."""
        return joined(self.root, DEBT_NAME)

    @property
    def is_whole(self) -> bool:
        """Is the workspace itself the wiki, with whatever else lies in it?"""
        return self.wiki == self.root

    def is_wiki(self, path: str) -> bool:
        """Is this a path below the wiki, and not of the sources, the gold, the policy or another workspace?"""
        if not path.startswith(_below(self.wiki)) or path in (self.config, self.debt, self.raw, self.gold):
            return False
        return not (self._apart and path.startswith(self._apart)) and path not in self.nested

    def is_page(self, path: str) -> bool:
        """Is this a Markdown file of the wiki (the log included), neither hidden nor excluded?"""
        if not path.lower().endswith(PAGE_SUFFIXES) or not self.is_wiki(path):
            return False
        inside = self.inside(path)
        return not (inside.startswith(".") or "/." in inside or self.is_excluded(path))

    def is_excluded(self, path: str) -> bool:
        """Does the policy say of a path of the wiki that it is no page?"""
        return self._excluded is not None and self._excluded.match(self.inside(path)) is not None

    def is_source(self, path: str) -> bool:
        """Is this a file under the raw folder?"""
        return path.startswith(self.raw + "/")

    def source_objection(self, path: str) -> str | None:
        """Why a file may not come in as a source at this path, as words that go on after its name; None where it may.

        The one rule of the way in (`git assay raw add`) and of the check that holds commits to it.
        """
        if not self.is_source(path):
            return f"lies outside {self.raw}/"
        if is_dotfile(path.removeprefix(self.raw + "/")):
            return "has a name that begins with a dot: such a file steers tools, and is no source"
        return objections(path)

    def inside(self, path: str) -> str:
        """A path of the wiki as it is called there."""
        return path.removeprefix(_below(self.wiki))

    def source(self, cited: str) -> str:
        """The repository path of a source that a page cites by its path in the workspace."""
        return joined(self.root, cited)

    def cited(self, source: str) -> str:
        """How a page cites the source at a repository path: from the workspace, in NFC."""
        inside = source.removeprefix(self.root + "/") if self.root else source
        return unicodedata.normalize("NFC", inside)
