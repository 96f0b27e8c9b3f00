"""What a question to the wiki is answered with: words that stand on its pages, each with its page; or a refusal."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from gitops.runs.searching import Hit
from gitops.runs.transcripts import Transcript
from gitops.usage import NOTHING, Usage

SCHEMA = "assay/query/1"
FOLDER = "answers"
"""Where answers are kept, below the wiki. Nothing is answered from there: an answer would be its own witness."""
REFUSAL = "The wiki does not say."


@dataclass(frozen=True, slots=True)
class Source:
    """What a cited sentence rests on: a file, where in it (`p. 12`, `line 33`), the words quoted of it; '' for none."""

    path: str
    locator: str = ""
    quote: str = ""

    def record(self) -> dict[str, str]:
        """As JSON has it."""
        return {"path": self.path, "locator": self.locator, "quote": self.quote}


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a page, `[start, end)` in its text, that an answer rests on; `chunk` is the one they stand in."""

    path: str
    chunk: str
    start: int
    end: int
    line: int
    quote: str
    sources: tuple[Source, ...] = ()

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "doc_id": self.path,
            "chunk_id": self.chunk,
            "source_spans": [[self.start, self.end]],
            "line": self.line,
            "quote": self.quote,
            "sources": [source.record() for source in self.sources],
        }


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a source says what the wiki does not: its path, the line (from 1), the words."""

    path: str
    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, or why there is none. `grounded` says that every quotation stands on the page it is cited from.

    `lead` is where a source says what the wiki does not, where that was looked for and found.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    refused: bool = False
    reason: str = ""
    lead: Lead | None = None
    used: Usage = NOTHING
    transcript: Transcript | None = field(default=None, repr=False)

    @property
    def grounded(self) -> bool:
        """Whether it answers and has grounds; a refusal is not grounded, for it says nothing."""
        return not self.refused and bool(self.citations)

    @property
    def topics(self) -> tuple[str, ...]:
        """The slugs of the pages it cites, each once (`PROTOCOL.md` 9)."""
        return tuple(dict.fromkeys(slug_of(citation.path) for citation in self.citations))


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, what was found for it, and what is said to it."""

    question: str
    workspace: str
    commit: str
    preset: str
    model: str
    chunker: str
    hits: tuple[Hit, ...]
    said: Said

    def record(self) -> dict[str, Any]:
        """What `git assay query --json` prints, and what an evaluation stores of a query."""
        said = self.said
        return {
            "schema": SCHEMA,
            "question": self.question,
            "workspace": self.workspace,
            "commit": self.commit,
            "config": {"preset": self.preset, "model": self.model, "chunker_version": self.chunker},
            "hits_top_k": [hit.record() for hit in self.hits],
            "answer": {
                "text": said.text,
                "refused": said.refused,
                "grounded": said.grounded,
                "reason": said.reason,
                "citations": [citation.record() for citation in said.citations],
                "topics": list(said.topics),
                "in_source": asdict(said.lead) if said.lead is not None else None,
            },
            "used": said.used.record(),
        }


def refusal(reason: str) -> Said:
    """The wiki does not say, and why that is thought."""
    return Said(REFUSAL, refused=True, reason=reason)


def slug_of(path: str) -> str:
    """A page's slug: its file's name without the suffix."""
    return path.rpartition("/")[2].rpartition(".")[0]
