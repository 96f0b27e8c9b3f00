"""Asking the wiki: what is found for a question, and the answer that stands on its pages, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gitops.agents.answering.backing import sourced
from gitops.agents.answers import FOLDER, Answer, Lead, Said
from gitops.config import Budget
from gitops.errors import Absent, UsageError
from gitops.git.failure import FETCH_MORE
from gitops.runs import searching
from gitops.runs.context import Context
from gitops.runs.searching import Hit, Searcher
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING, Usage
from gitops.wiki import searchwords
from gitops.wiki.chunks import CHUNKER_VERSION
from gitops.wiki.layout import joined

LIMIT = 10
"""How many chunks are told as found."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question to a workspace at a commit. `preset` '' is the policy's writer; `limit`: of what is told as found.

    `operation` is for whom it is asked, as the usage log names it, `budget` what the answer may cost.
    """

    context: Context
    workspace: Workspace
    commit: str
    question: str
    preset: str = ""
    limit: int = LIMIT
    operation: str = "query"
    budget: Budget | None = None
    """None: `[llm.budgets]` of the operation."""

    @property
    def chosen(self) -> str:
        """The preset that answers."""
        return self.preset or self.workspace.config.llm.writer

    @property
    def is_offline(self) -> bool:
        """Whether no model is asked. UsageError for a preset that there is not."""
        return self.workspace.config.llm.preset(self.chosen).provider == "offline"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What asking would take: who would be asked, how many chunks were found, what the first call would use."""

    preset: str
    model: str
    found: int
    usage: Usage


def answer(asking: Asking) -> Answer:
    """The answer to a question.

    UsageError for a question without a word; CannotRun and OutOfBudget where a model cannot be asked or gives none.
    """
    _refuse_nothing(asking.question)
    with _opened(asking) as searcher:
        said, hits, model = _offline(asking, searcher) if asking.is_offline else _by_model(asking, searcher)
        said = sourced(searcher.bench.base_view(), said) if said.citations else said
    told = tuple(hits[: asking.limit])
    return Answer(
        asking.question, asking.workspace.name, asking.commit, asking.chosen, model, CHUNKER_VERSION, told, said
    )


def _offline(asking: Asking, searcher: Searcher) -> tuple[Said, list[Hit], str]:
    from gitops.agents.answerers import offline

    said, hits = offline.answer(searcher, asking.question, kept_in(asking.workspace))
    if asking.limit > offline.LOOKED_AT:
        hits = found_for(asking, searcher, asking.limit)
    return replace(said, lead=_lead(asking)) if said.refused else said, hits, ""


def _lead(asking: Asking) -> Lead | None:
    """Where a source says it; a clone that lacks sources is told of, and has the refusal all the same."""
    from gitops.agents.answerers import offline

    try:
        with searching.opened(asking.context, asking.workspace, asking.commit, "raw") as sources:
            return offline.lead(sources, asking.question)
    except Absent as error:
        asking.context.warn(f"the sources were not searched, for this clone lacks {error}; {FETCH_MORE}")
        return None


def _by_model(asking: Asking, searcher: Searcher) -> tuple[Said, list[Hit], str]:
    from gitops.agents.answerers import claude

    hits = found_for(asking, searcher, max(asking.limit, claude.SHOWN))
    said, model = claude.answer(asking, searcher, hits, kept_in(asking.workspace))
    return said, hits, model


def estimate(asking: Asking) -> Estimate:
    """What asking would take, without asking."""
    _refuse_nothing(asking.question)
    with _opened(asking) as searcher:
        found = len(found_for(asking, searcher, asking.limit))
        if asking.is_offline:
            return Estimate(asking.chosen, "", found, NOTHING)
        from gitops.agents.answerers import claude

        model, usage = claude.estimate(asking, searcher, found_for(asking, searcher, claude.SHOWN))
        return Estimate(asking.chosen, model, found, usage)


def found_for(asking: Asking, searcher: Searcher, limit: int) -> list[Hit]:
    """The chunks of pages that are found for the question's words, but for those of kept answers."""
    return searcher.find(searchwords.asked(asking.question), limit, "wiki", beside=kept_in(asking.workspace))


def kept_in(workspace: Workspace) -> str:
    """The folder of kept answers."""
    return joined(workspace.layout.wiki, FOLDER)


def _opened(asking: Asking) -> searching.Opened:
    return searching.opened(asking.context, asking.workspace, asking.commit, "wiki" if asking.is_offline else "all")


def _refuse_nothing(question: str) -> None:
    if not any(map(str.isalnum, question)):
        raise UsageError("the question holds no word", "ask in words: git assay query 'What is …?'")
