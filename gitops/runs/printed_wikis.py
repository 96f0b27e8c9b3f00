"""The shapes that `blame` and `adopt` print with `--json`: what `git assay schema` tells of them."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict  # pydantic takes typing's own only from Python 3.12 on

from gitops.verify.verdict import Counts, Decision


class BlamedSource(TypedDict):
    """What a claim leans on, as it stands: its result in the words of the checks, `exists` where nothing is quoted."""

    path: str
    result: str
    level: str
    locator: str | None
    quote: str | None
    offset: int | None
    files: list[str]
    message: str


class BlamedVerdict(TypedDict):
    """The verdict that a claim landed by."""

    id: str
    verdict: Decision
    judge: str
    verifier: str
    candidate: str
    created_at: str
    reasoning: str
    counts: Counts
    supersedes: list[str]
    unverified: bool


class BlamedClaim(TypedDict):
    """A claim and its origin; `claim` is '' for a source that backs the page as a whole."""

    claim: str
    line: int
    end_line: int
    sources: list[BlamedSource]
    author: str
    commit: str
    date: str
    since: Literal["claim", "citation", "unknown"]
    landed: str | None
    run: str | None
    verdict: BlamedVerdict | None
    told: str


class Blame(TypedDict):
    """A page, claim by claim (`blame`)."""

    schema: Literal["assay/blame/1"]
    path: str
    rev: str
    signed: bool
    claims: list[BlamedClaim]


class AdoptedWiki(TypedDict):
    """What one wiki was found to be like, and the files that were written for it."""

    workspace: str
    root: str
    folders: dict[str, Any]
    pages: int
    index: dict[str, Any]
    log: dict[str, Any]
    dialects: dict[str, dict[str, int]]
    frontmatter: dict[str, dict[str, int]]
    links: dict[str, int]
    sentences: dict[str, int]
    findings: dict[str, int]
    files: list[str]
    policy: str


class Adoption(TypedDict):
    """What `adopt` found and did; `commit` is null where nothing was written."""

    schema: Literal["assay/adoption/1"]
    commit: str | None
    wikis: list[AdoptedWiki]
