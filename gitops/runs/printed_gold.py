"""What `--json` prints of gold queries: what `git assay schema` tells of it."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.runs.gold import Author


class GoldEntry(TypedDict):
    """A question, the pages that should answer it and the sources that should stand behind the answer."""

    id: str
    query: str
    expected_topics: list[str]
    expected_citations: list[str]
    authored_at: str
    authored_by: Author


class Unfounded(TypedDict):
    """What an entry expects and the workspace has not, and the line of the entry."""

    line: int
    message: str


class GoldListed(TypedDict):
    """The gold queries of a workspace (`eval gold list`)."""

    schema: Literal["assay/gold/1"]
    workspace: str
    file: str
    queries: list[GoldEntry]
    unfounded: list[Unfounded]


class GoldAdded(TypedDict):
    """What was added to the file (`eval gold add` and `import`), and how many queries there are now."""

    schema: Literal["assay/gold-added/1"]
    workspace: str
    file: str
    added: list[GoldEntry]
    queries: int
