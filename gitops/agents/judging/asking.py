"""One request to a model and its answer, which counts only where it is a vote for everything that was asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Self

from pydantic import model_validator

from gitops.agents.judging import answers, pairing, prompts, voting
from gitops.agents.judging.answers import ClaimAnswer, More, PairAnswer
from gitops.agents.judging.planning import Request
from gitops.llm import structured
from gitops.llm.messages import Messages
from gitops.verify.judge import PairQuestion, PairVote, Vote

# What this thread is asking about: an answer that is incomplete is then told to the model as any other that is
# malformed. A class of answers for each request would do it too, and takes longer to make than the request.
_REQUEST: ContextVar[Request] = ContextVar("request")
_PAIRS: ContextVar[int] = ContextVar("pairs")


class ClaimVotes(ClaimAnswer):
    """An answer to the request that is under way."""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        request = _REQUEST.get()
        answers.claim_votes(self, request.claims, request.left_out)
        return self

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """What is sent: shorter than what pydantic would write."""
        return answers.claim_schema(may_ask_more=False)


class ClaimVotesOrMore(ClaimVotes):
    """The same where some of the source is left out."""

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """What is sent."""
        return answers.claim_schema(may_ask_more=True)


class PairVotes(PairAnswer):
    """An answer about the pairs that are under way."""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        answers.pair_votes(self, _PAIRS.get())
        return self

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """What is sent."""
        return answers.pair_schema()


def claims(messages: Messages) -> voting.Ask:
    """Asks about claims. CannotRun where the second answer, too, is not a vote for each."""

    def ask(request: Request) -> list[Vote | More]:
        _REQUEST.set(request)
        kind = ClaimVotesOrMore if request.left_out else ClaimVotes
        answer = structured.ask(messages, request.system, request.content, kind)
        return answers.claim_votes(answer, request.claims, request.left_out)

    return ask


def pairs(messages: Messages) -> pairing.Ask:
    """Asks about pairs; the same."""

    def ask(asked: Sequence[PairQuestion]) -> list[PairVote]:
        _PAIRS.set(len(asked))
        answer = structured.ask(messages, prompts.PAIRS, [prompts.pairs_block(asked)], PairVotes)
        return answers.pair_votes(answer, len(asked))

    return ask
