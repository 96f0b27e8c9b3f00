"""What the pages of one stretch of a wiki give when they are linted: fit to be sent from process to process."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gitops.canonical import dumps
from gitops.verify.finding import Finding
from gitops.verify.linting import Checked

Names = list[tuple[int, tuple[str, ...]]]
"""What pages call themselves, by their numbers."""


class Row(NamedTuple):
    """A finding as its canonical JSON, behind what it is sorted by."""

    page: int
    line: int
    column: int
    check: str
    fingerprint: str
    is_debt: bool
    json: str


@dataclass(slots=True)
class Chunk:
    """The findings of some pages, what there is to count, who leads where, and what the pages call themselves.

    `links` has, for each page in turn, its number, how many pages it leads to, and their numbers.
    """

    pages: int = 0
    rows: list[Row] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    links: array[int] = field(default_factory=lambda: array("I"))
    names: Names = field(default_factory=list)
    is_of_history: bool = False

    def add(self, checked: Checked, number: Mapping[str, int], accepted: Container[str]) -> None:
        """Take in a page."""
        self.pages += 1
        self.counts["claims"] += checked.claims
        self.counts["verified"] += checked.verified
        led = [number[to] for to in checked.leads_to if to in number]
        self.links.extend((number[checked.path], len(led), *led))
        self.add_findings(number[checked.path], checked.findings, accepted)

    def add_findings(self, page: int, findings: Iterable[Finding], accepted: Container[str]) -> None:
        """Take in findings of a page; those that were accepted are marked `debt`, and counted as that alone."""
        for one in findings:
            value: dict[str, Any] = one.model_dump(mode="json")
            is_debt = one.fingerprint in accepted
            if is_debt:
                value["debt"] = True
            else:
                self.counts["unresolvable"] += one.result == "unresolvable"
            self.counts["debt" if is_debt else one.level.value] += 1
            self.rows.append(Row(page, one.line, one.column, one.check, one.fingerprint, is_debt, dumps(value)))


def links_by_page(chunks: Iterable[array[int]], pages: int) -> Sequence[Sequence[int]]:
    """The numbers of the pages that each page leads to."""
    found: list[Sequence[int]] = [()] * pages
    for links in chunks:
        at = 0
        while at < len(links):
            end = at + 2 + links[at + 1]
            found[links[at]] = links[at + 2 : end]
            at = end
    return found
