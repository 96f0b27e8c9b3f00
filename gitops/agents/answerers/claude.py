"""Answers by a model that reads the wiki with the reading tools; every quotation is looked up before it is believed.

The model ends by the tool `answer`. What it cites must stand on the page it is cited from, word for word but for white
space and mark-up; else it is told so and may try again. It never sees more than a reader could, and cannot write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from gitops.agents.answers import Citation, Said, refusal
from gitops.agents.calling import Arguments, Tool, ToolError
from gitops.agents.fencing import DATA_NOTICE, fenced
from gitops.agents.loop import Conversation
from gitops.agents.reading.shelf import Hit as Place
from gitops.agents.reading.shelf import Shelf
from gitops.agents.tools import reading_tools
from gitops.canonical import digest
from gitops.errors import CannotRun
from gitops.llm.estimate import estimate as estimated
from gitops.llm.ledger import Ledger
from gitops.llm.opening import open_messages
from gitops.runs import shortening
from gitops.runs.searching import Hit, Searcher
from gitops.runs.transcripts import Transcript
from gitops.usage import Usage
from gitops.wiki import chunks, markdown, searchwords
from gitops.wiki.anchors import locate
from gitops.wiki.model import Page
from gitops.wiki.paths import within
from gitops.wiki.source_text import SourceText

if TYPE_CHECKING:
    from gitops.agents.querying import Asking

SYSTEM = f"""\
You answer questions from a wiki, and from nothing else. What you know besides does not count here.

Find the pages that say it: you are shown what a search found, and you have tools to search, read and follow further.
Then call the tool `answer`, once:
- `text`: the answer, in the language of the question, as short as it can be. Every statement must stand on a page.
- `citations`: for every statement the page it stands on and a verbatim quotation from that page that says it, long
  enough to be found (a clause or a sentence). Cite pages of the wiki, never its sources.
- `refused`: true where the wiki does not answer the question. Then `text` says in one sentence what is missing, and
  there are no citations. A page that speaks of something alike is no answer. Where pages contradict one another, say so
  and cite both.

{DATA_NOTICE}
"""
SHOWN = 8
"""How many chunks the model is shown to begin with."""
REMINDERS = 2
_SHORTEST = 8
_OPENING = "[*_~`"
_REMINDER = "You have not answered yet. Call the tool `answer` now; set `refused` where the wiki does not say."


class Cited(Arguments):
    """One citation of `answer`."""

    path: str = Field(description="the page, such as wiki/topics/auth.md")
    quote: str = Field(max_length=2_000, description="words that stand on that page exactly so")


class GivenAnswer(Arguments):
    """What `answer` is given."""

    text: str = Field(max_length=20_000, description="the answer, or what the wiki lacks")
    citations: list[Cited] = Field(max_length=40, description="for every statement a page and its words")
    refused: bool = Field(description="whether the wiki does not answer the question")


@dataclass
class Answering:
    """Takes the answer that the model gives, if it holds. Pages of the folder `beside` prove nothing."""

    shelf: Shelf
    beside: str
    given: Said | None = field(default=None, init=False)

    def take(self, asked: GivenAnswer) -> str:
        """Check an answer. ToolError for one that does not hold, with what is wrong."""
        self.given = None  # an answer that does not hold takes back one that did
        if not asked.text.strip():
            raise ToolError("the text is empty")
        if asked.refused:
            if asked.citations:
                raise ToolError("an answer is either refused or cited, not both")
            self.given = refusal(asked.text.strip())
            return "refused"
        if not asked.citations:
            raise ToolError("an answer needs at least one citation of a page; or set refused")
        self.given = Said(asked.text.strip(), tuple(self._citation(one) for one in asked.citations))
        return "answered"

    def _citation(self, cited: Cited) -> Citation:
        view = self.shelf.now()
        path = self.shelf.path(cited.path)
        if not view.layout.is_page(path) or path == view.layout.log:
            raise ToolError(f"{cited.path} is no page of the wiki; cite the page that says it")
        if within(path, self.beside):
            raise ToolError(
                f"{cited.path} keeps an answer given before, which proves nothing; cite the page it is from"
            )
        if view.snapshot.blob(path) is None:
            raise ToolError(f"there is no page {cited.path}")
        if sum(map(str.isalnum, cited.quote)) < _SHORTEST:
            raise ToolError(f"the quotation {cited.quote!r} is too short to prove anything: quote the whole clause")
        page = view.page(path)
        anchor = locate(cited.quote, SourceText(_own_text(page), is_markdown=True), nearest=True)
        if anchor.result not in ("verified", "repaired") or anchor.start < page.body:
            raise ToolError(f"{cited.quote!r} does not stand on {path}: quote it word for word, or cite another page")
        chunk = _chunk_at(path, page, anchor.start)
        if not chunk:
            raise ToolError(f"{cited.quote!r} is a mere heading of {path}: quote what stands below it")
        quote = anchor.exact if anchor.result == "verified" else " ".join(cited.quote.split())
        return Citation(path, chunk, _with_marks(page.text, anchor.start), anchor.end, 0, quote)


def answer(asking: Asking, searcher: Searcher, hits: Sequence[Hit], beside: str) -> tuple[Said, str]:
    """The model's answer, which is shown what was found to begin with, outside a folder `beside`; and which model."""
    config, context = asking.workspace.config, asking.context
    budget = asking.budget or config.llm.budgets.of(asking.operation)
    # The calls of one question share a name in the usage log, so that questions can be counted.
    called = f"{asking.operation}-{digest([asking.commit, asking.question, context.now])[:16]}"
    ledger = Ledger(context.folder, context.clock, asking.workspace.name, asking.operation, "writer", called, budget)
    messages = open_messages(config.llm, asking.chosen, ledger)
    answering = Answering(_shelf(searcher, beside), beside)
    keeper = shortening.keeper(context, asking.workspace, asking.operation, called, messages)
    conversation = Conversation(messages, SYSTEM, _tools(answering), max_turns=24, keeper=keeper)
    said = _said(conversation, answering, opening(searcher, asking.question, hits))
    kept = Transcript("writer", messages.model, SYSTEM, conversation.transcript, messages.used)
    return replace(said, used=messages.used, transcript=kept), messages.model


def estimate(asking: Asking, searcher: Searcher, hits: Sequence[Hit]) -> tuple[str, Usage]:
    """The model, and what the first call would use; each further one reads that again, from the cache."""
    llm = asking.workspace.config.llm
    model = llm.preset(asking.chosen).model
    tools = [tool.declared() for tool in _tools(Answering(Shelf.of(searcher.bench.base_view()), ""))]
    told = [{"role": "user", "content": opening(searcher, asking.question, hits)}]
    body: dict[str, Any] = {"system": SYSTEM, "messages": told, "tools": tools}
    return model, estimated([body], model, llm)


def opening(searcher: Searcher, question: str, hits: Sequence[Hit]) -> str:
    """The first thing that the model is told: the question, and what a search found for it."""
    parts = [f"The question:\n{fenced(question, what='question')}", "What a search for its words found:"]
    for hit in hits[:SHOWN]:
        text = searcher.text(hit)[hit.start : hit.end]
        parts.append(fenced(text, path=hit.path, line=str(hit.line), heading=hit.heading))
    return "\n\n".join(parts if hits else [parts[0], "A search for its words found nothing."])


def _said(conversation: Conversation, answering: Answering, told: str) -> Said:
    for _ in range(REMINDERS + 1):
        conversation.say(told)
        if answering.given is not None:
            return answering.given
        told = _REMINDER
    raise CannotRun("the model gave no answer by the tool that is there for it", "ask again, or use --preset offline")


def _tools(answering: Answering) -> list[Tool]:
    told = "Give the answer, with a citation for every statement; or refuse. Ends the conversation."
    return [*reading_tools(answering.shelf), Tool("answer", told, GivenAnswer, answering.take, ends=True)]


def _shelf(searcher: Searcher, beside: str) -> Shelf:
    def ranked(words: str, limit: int) -> list[Place]:
        found = searcher.find(searchwords.asked(words), limit, beside=beside)
        return [Place(hit.path, hit.line, hit.heading, searcher.text(hit)[hit.start : hit.end]) for hit in found]

    return Shelf.of(searcher.bench.base_view(), ranked=ranked)


def _own_text(page: Page) -> str:
    """A page's text with spaces for its footnotes' definitions: what they quote, sources say and not the page."""
    text = page.text
    for note in markdown.read(text, page.body).definitions:
        text = text[: note.start] + " " * (note.end - note.start) + text[note.end :]
    return text


def _with_marks(text: str, start: int) -> int:
    """Where words begin with the marks of emphasis or a link that open there: half a link is no place of a page."""
    while start and text[start - 1] in _OPENING:
        start -= 1
    return start


def _chunk_at(path: str, page: Page, at: int) -> str:
    """The chunk of a page in which a place lies; '' for a place that no chunk has, as a heading alone."""
    found = chunks.of_page(path, page)
    return next((chunk.id for chunk in found if chunk.start <= at < chunk.end), "")
