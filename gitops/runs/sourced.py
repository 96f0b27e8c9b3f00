"""What came of looking the sources of a claim up, as the registered checks say it of the page as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gitops.runs.views import Bench
from gitops.verify.finding import Finding, Level
from gitops.verify.resolution import resolve
from gitops.verify.verifier import examine
from gitops.wiki.model import Cite, Claim

CHECKS = ("source_exists", "quote_anchor")
EXISTS = "exists"
"""The result of a citation that quotes nothing, and whose source is there."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source that a claim leans on, and what came of looking its quotation up there.

    `path` is as written, and `locator` too, the place in the source: a page, lines, a heading, a moment. `files` are
    the sources that the path means, from the top of the repository: none where it means none that can be read.
    """

    path: str
    result: str
    level: Level
    quote: str | None = None
    offset: int | None = None
    message: str = ""
    locator: str = ""
    files: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "path": self.path,
            "result": self.result,
            "level": self.level.value,
            "quote": self.quote,
            "offset": self.offset,
            "message": self.message,
            "locator": self.locator or None,
            "files": list(self.files),
        }


def as_it_stands(bench: Bench, path: str) -> Results:
    """What the checks say of the page's citations, whatever level the policy gives it."""
    config = bench.workspace.config.model_copy(update={"checks": {}})
    view = replace(bench.base_view(), config=config)
    findings = [finding for finding in examine(view, path) if finding.check in CHECKS]
    return Results(findings, lambda cite: resolve(view, path, cite).paths)


class Results:
    """The findings on a page, by the citation that they are about."""

    def __init__(self, findings: Sequence[Finding], files: Callable[[Cite], tuple[str, ...]]) -> None:
        self._findings = findings
        self._files = files

    def of(self, each: Claim | Cite) -> Iterator[Source]:
        """The sources of a claim with their results, in its order."""
        cites = each.cites if isinstance(each, Claim) else (each,)
        text = each.text if isinstance(each, Claim) else ""
        mine = [finding for finding in self._findings if finding.claim == text]
        placed = {_at(finding) for finding in mine} & {at for cite in cites for at in _places(cite)}
        for cite in cites:
            # A citation's own place first. What stands elsewhere, a quotation in the claim, is of its source.
            own = [finding for finding in mine if finding.source == cite.path and _at(finding) in _places(cite)]
            own = own or [one for one in mine if one.source == cite.path and _at(one) not in placed]
            files = self._files(cite)
            # Equal claims have equal findings, each as many as there are of them.
            yield from dict.fromkeys(replace(_looked_up(cite, finding), files=files) for finding in own)
            if not own:
                yield Source(cite.path, EXISTS, Level.NONE, cite.quote, cite.offset, "", _locator(cite), files)


def _places(cite: Cite) -> set[tuple[int, int]]:
    return {(place.line, place.column) for place in (cite.place, cite.quote_place) if place is not None}


def _at(finding: Finding) -> tuple[int, int]:
    return finding.line, finding.column


def _looked_up(cite: Cite, finding: Finding) -> Source:
    quote = cite.quote if cite.quote is not None else finding.evidence.get("quote")
    offset = finding.evidence.get("offset", cite.offset)
    return Source(cite.path, finding.result, finding.level, quote, offset, finding.message, _locator(cite))


def _locator(cite: Cite) -> str:
    if cite.first_page is None:
        return cite.locator.said if cite.locator is not None else ""
    return f"p.{cite.first_page}" + (f"-{cite.last_page}" if cite.last_page not in (None, cite.first_page) else "")
