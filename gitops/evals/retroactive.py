"""Gold queries asked of the wiki one by one, and how near each answer comes to what people expect (alexandria 14, M3).

Topics are compared by Jaccard, citations by the share of those expected that are there (`PROTOCOL.md` 9). Where a
formula comes to 0 / 0 its sense decides: two empty sets of topics are equal, so 1; a gold query that expects pages but
names no source asks nothing of the citations, so 1; one that expects nothing at all wants a refusal, so whoever cites
anything has 0 of both.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gitops.errors import AssayError, OutOfBudget
from gitops.evals.subject import Subject
from gitops.runs.answered import Answered, Answering
from gitops.runs.gold import GoldQuery
from gitops.runs.measurements import Sample, SampleStatus
from gitops.runs.seating import left
from gitops.usage import NOTHING, Usage

ENOUGH = 0.80
"""An answer whose two overlaps come to so much of 1 passes: the cut that the whole metric is held to."""
_HIT = ("rank", "chunk_id", "doc_id", "score")
"""What is recorded of a chunk that was found."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A gold query and what came of it: an answer, or why there is none. `is_skipped`: it was not asked at all."""

    gold: GoldQuery
    expected: frozenset[str]
    """The expected citations as repository paths."""
    answered: Answered | None = None
    error: str = ""
    is_skipped: bool = False

    @property
    def got_topics(self) -> frozenset[str]:
        """The topics of the answer; a refusal has none."""
        found = self.answered
        return frozenset() if found is None or found.is_refused else _composed(found.topics)

    @property
    def got_sources(self) -> frozenset[str]:
        """The sources behind the answer's citations; a refusal has none."""
        found = self.answered
        return frozenset() if found is None or found.is_refused else _composed(found.sources)

    @property
    def topics(self) -> float:
        """|got ∩ expected| / |got ∪ expected|, of topics."""
        wanted = _composed(self.gold.topics)
        every = wanted | self.got_topics
        return len(wanted & self.got_topics) / len(every) if every else 1.0

    @property
    def citations(self) -> float:
        """|cited ∩ expected| / |expected|, of sources."""
        if not self.expected:
            return float(not (self.gold.is_to_be_refused and self.got_sources))
        return len(self.expected & self.got_sources) / len(self.expected)

    @property
    def pair(self) -> tuple[float, float]:
        """Both overlaps."""
        return self.topics, self.citations

    @property
    def status(self) -> SampleStatus:
        """`pass` where both overlaps together come to `ENOUGH`."""
        if self.answered is None:
            return "skipped" if self.is_skipped else "error"
        return "pass" if self.topics * self.citations >= ENOUGH else "fail"

    def sample(self) -> Sample:
        """As it is recorded."""
        found, gold = self.answered, self.gold
        details: dict[str, Any] = {"query": gold.query, "expected_topics": list(gold.topics)}
        details["expected_citations"] = list(gold.citations)
        if found is None:
            return Sample(id=gold.id, status=self.status, error=self.error or None, details=details)
        topics, citations = (round(share, 6) for share in self.pair)
        details |= {"topics": sorted(self.got_topics), "citations": sorted(self.got_sources)}
        return Sample(
            id=gold.id,
            status=self.status,
            scores={"topics": topics, "citations": citations, "tool_calls": float(found.tool_calls)},
            latency_ms=round(found.latency_ms, 3),
            tokens=found.used.read + found.used.output,
            usd=round(found.used.usd, 6),
            details=details | _recorded(found),
        )


@dataclass(slots=True)
class Round:
    """What came of asking all gold queries. `cut_short` says why some were not asked, '' where all were."""

    asked: list[Asked] = field(default_factory=list)
    used: Usage = NOTHING
    cut_short: str = ""

    @property
    def answered(self) -> list[Asked]:
        """Those that were answered or refused."""
        return [one for one in self.asked if one.answered is not None]

    @property
    def errors(self) -> list[Asked]:
        """Those that failed."""
        return [one for one in self.asked if one.status == "error"]

    @property
    def has_failed(self) -> bool:
        """Whether more than half of the queries failed, so that the rest says nothing of the wiki."""
        return 2 * len(self.errors) > len(self.asked)


def ask(subject: Subject, answering: Answering, queries: Sequence[GoldQuery]) -> Round:
    """Ask all queries. Of the budget each has what those before it left; where it runs out, the rest is not asked.

    Neither is it where so many have failed that there is no number any more.
    """
    made = Round([replace(one, is_skipped=True) for one in _expecting(subject, queries)])
    for at, one in enumerate(_watched(subject, made.asked)):
        try:
            found = _answered(subject, answering, one.gold, made.used)
        except OutOfBudget as error:
            told = f"the budget of [llm.budgets.eval] ran out after {at} of {len(queries)} queries"
            made.cut_short = f"{told}: {error.message}"
            break
        except AssayError as error:
            made.asked[at] = replace(one, error=error.message, is_skipped=False)
            if made.has_failed:
                break
            continue
        made.used += found.used
        made.asked[at] = replace(one, answered=found, is_skipped=False)
    return made


def _answered(subject: Subject, answering: Answering, gold: GoldQuery, used: Usage) -> Answered:
    budget = left(subject.budget, asdict(used))
    return answering(subject.context, subject.workspace, subject.commit, gold.query, subject.preset, budget)


def _expecting(subject: Subject, queries: Iterable[GoldQuery]) -> Iterator[Asked]:
    layout = subject.workspace.layout
    return (Asked(gold, _composed(map(layout.source, gold.citations))) for gold in queries)


def _watched(subject: Subject, asked: Sequence[Asked]) -> Iterator[Asked]:
    return subject.context.progress("asking gold queries", list(asked), len(asked))


def _composed(names: Iterable[str]) -> frozenset[str]:
    """Names in NFC: some file systems give them decomposed."""
    return frozenset(unicodedata.normalize("NFC", name) for name in names)


def _recorded(found: Answered) -> dict[str, Any]:
    """The answer and what was found for it, as `eval_query_results` has them."""
    hits, answer = found.record.get("hits_top_k"), found.record.get("answer")
    told: dict[str, Any] = {} if answer is None else {"answer": answer}
    if hits is not None:
        told["hits_top_k"] = [{name: hit[name] for name in _HIT if name in hit} for hit in hits]
    return told
