"""What the details of a measurement hold, told by its shape: so a metric that comes later is shown as well as these.

Notes come from anywhere. What has none of the shapes is shown as the plain table or the plain values that it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_MOST = 10**30
"""More than that of anything is nothing that was counted, and nothing that a curve could show."""


class Shape(BaseModel):
    """A part of some details: frozen, strict in what it needs, and open to more."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, populate_by_name=True)


class Span(Shape):
    """A place in a source's text, and what stands around it. `page` counts the pages of a PDF."""

    source: str
    span: str
    page: int | None = None
    before: str = ""
    after: str = ""


class ClaimCase(Shape):
    """A claim that its source does not bear out: where it stands, what it cites, who says no and why."""

    page: str
    line: int
    claim: str
    citation: str
    vote: str
    reason: str = ""
    judge: str = ""
    confidence: float | None = None
    unsupported: list[str] = Field(default_factory=list)
    source: Span | None = None


class Stated(Shape):
    """A statement on a page, and what backs it."""

    page: str
    line: int
    claim: str
    citation: str = ""


class PairCase(Shape):
    """Two statements on different pages that were found to contradict each other."""

    topic: str
    vote: str
    a: Stated
    b: Stated
    reason: str = ""
    judge: str = ""
    confidence: float | None = None


class AnchorCase(Shape):
    """An anchor that stood before, and what became of it; `why` is why it is lost, '' where it lives on dated."""

    path: str
    line: int
    claim: str
    source: str
    cited: str
    why: str = ""


class Cited(Shape):
    """What an answer rests on, or should rest on."""

    topics: list[str]
    citations: list[str]


class QueryCase(Shape):
    """A gold query that was answered otherwise than expected."""

    id: str
    query: str
    expected: Cited
    got: Cited


class MissedPage(Shape):
    """A page that mentions a source's terms, so and so many times, and was not touched."""

    page: str
    terms: list[str]
    times: dict[str, int] = Field(default_factory=dict)

    @property
    def told(self) -> str:
        """The terms, each with how often it is mentioned."""
        return ", ".join(f"{term} ×{self.times[term]}" if term in self.times else term for term in self.terms)


class IngestCase(Shape):
    """An ingest: its key terms, and the pages that mention them and were not touched, or were and mention none."""

    run: str
    landed_at: str
    sources: list[str]
    terms: list[str]
    share: float | None
    mentioning: int
    reached: int
    missed: int
    worst: list[MissedPage]
    idle: list[str]
    idle_pages: int


class Week(Shape):
    """A point of the cost curve: all tokens until the end of a week."""

    week: int = Field(ge=0, le=_MOST)
    begins: str = Field(alias="from")
    ingest: int = Field(ge=0, le=_MOST)
    query: int = Field(ge=0, le=_MOST)
    queries: int
    corpus: int
    hypothetical: int = Field(ge=0, le=_MOST)
    sound: int = Field(ge=0, le=_MOST)
    usd: float


class Apart(Shape):
    """How claims fare that runs without the verifier's yes brought in, beside the rest. `phi` is their correlation."""

    runs: list[str]
    n: int
    share: float | None
    interval: list[float] | None
    n_without: int
    share_without: float | None
    interval_without: list[float] | None
    phi: float | None = None

    def told(self, name: str) -> str:
        """In a sentence."""
        runs = f"{len(self.runs)} run{'s' * (len(self.runs) != 1)}"
        mine, rest = _share(self.share, self.interval), _share(self.share_without, self.interval_without)
        told = f"{name}: {self.n} claims of {runs} {mine}, the other {self.n_without} {rest}"
        return told if self.phi is None else f"{told}; correlation (phi) {self.phi:+.2f}"


def _share(share: float | None, interval: list[float] | None) -> str:
    if share is None:
        return "without a vote"
    bounds = f" ({interval[0]:.2f}–{interval[1]:.2f})" if interval is not None and len(interval) == 2 else ""
    return f"{share:.2f}{bounds}"


SHAPES: Mapping[type[Shape], str] = {
    ClaimCase: "failing claims",
    PairCase: "contradictions",
    AnchorCase: "{} anchors",
    QueryCase: "worst queries",
    IngestCase: "ingests",
    Week: "cost curve",
}
"""What the details may hold, and what a list of such is called; `{}` is its own name."""


def cases(values: Sequence[Any]) -> tuple[Shape, ...]:
    """The values as the first shape that all of them have; none where there is no such shape."""
    for shape in SHAPES:
        try:
            return tuple(shape.model_validate(value) for value in values)
        except ValidationError:
            continue
    return ()
