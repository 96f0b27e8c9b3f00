"""Where the parts of one workspace lie in the repository."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from gitops.config import FILE_NAME, Workspace

PAGE_SUFFIXES = (".md", ".markdown")
DEBT_NAME = "assay.debt.jsonl"


def joined(folder: str, path: str) -> str:
    """A path below a folder; the repository's root is ''."""
    return f"{folder}/{path}" if folder else path


@dataclass(frozen=True, slots=True)
class Layout:
    """A workspace's folders as repository paths. `root` is the folder that holds `assay.toml`, '' at the top."""

    root: str = ""
    names: Workspace = field(default_factory=Workspace)

    @property
    def name(self) -> str:
        """What the workspace is called: as configured, else its folder's name, else `main`."""
        return self.names.name or self.root.rpartition("/")[2].lower() or "main"

    @property
    def raw(self) -> str:
        """The folder of the sources."""
        return joined(self.root, self.names.raw)

    @property
    def wiki(self) -> str:
        """The folder of the pages."""
        return joined(self.root, self.names.wiki)

    @property
    def gold(self) -> str:
        """The folder of what people expect of the wiki."""
        return joined(self.root, self.names.gold)

    @property
    def index(self) -> str:
        """The page that is the root of the wiki."""
        return joined(self.wiki, self.names.index)

    @property
    def log(self) -> str:
        """The page that only the tool writes."""
        return joined(self.wiki, self.names.log)

    @property
    def config(self) -> str:
        """The policy file."""
        return joined(self.root, FILE_NAME)

    @property
    def debt(self) -> str:
        """The findings that were accepted when the wiki was adopted."""
        return joined(self.root, DEBT_NAME)

    def is_page(self, path: str) -> bool:
        """Is this a Markdown file under the wiki (the log included)? No source is: the policy keeps them apart."""
        return path.startswith(self.wiki + "/") and path.lower().endswith(PAGE_SUFFIXES)

    def is_source(self, path: str) -> bool:
        """Is this a file under the raw folder?"""
        return path.startswith(self.raw + "/")

    def source(self, cited: str) -> str:
        """The repository path of a source that a page cites by its path in the workspace."""
        return joined(self.root, cited)

    def cited(self, source: str) -> str:
        """How a page cites the source at a repository path: from the workspace, in NFC."""
        inside = source.removeprefix(self.root + "/") if self.root else source
        return unicodedata.normalize("NFC", inside)
