"""Taking votes: one explicit vote for each number, or none at all. What is missing is never made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, WithJsonSchema, create_model

from gitops.agents.calling import Arguments, Tool, ToolError
from gitops.canonical import dumps
from gitops.errors import CannotRun
from gitops.verify.judge import ClaimVote, PairVoteName

MAX_FAILURES = 3
_LONGEST_REASON = 2_000


class _Cast(Arguments):
    number: int = Field(ge=1, description="the number of the claim or pair")
    confidence: float = Field(ge=0, le=1, allow_inf_nan=False, description="how sure you are of this vote")
    reason: str = Field(min_length=1, max_length=_LONGEST_REASON, description="one sentence")
    unsupported: list[str] = Field(default_factory=list, description="words of the claim that lack support, verbatim")


class ClaimCast(_Cast):
    """One vote on a claim."""

    vote: ClaimVote


class PairCast(_Cast):
    """One vote on a pair of claims."""

    vote: PairVoteName
    unsupported: list[str] = Field(default_factory=list, max_length=0)


Cast = TypeVar("Cast", bound=_Cast)


class Ballot(Generic[Cast]):
    """The votes on a list of texts (claims, or nothing to compare with for pairs), numbered from 1.

    `votes` are None until every number has exactly one.
    """

    votes: list[Cast] | None

    def __init__(self, kind: type[Cast], texts: Sequence[str]) -> None:
        self.votes = None
        self._kind = kind
        self._texts = texts
        self._list: TypeAdapter[list[Cast]] = TypeAdapter(list[kind])  # type: ignore[valid-type]
        self._failures = 0

    @property
    def count(self) -> int:
        """How many votes are wanted."""
        return len(self._texts)

    def tool(self) -> Tool:
        """`submit_votes`, which ends the turn.

        What is wrong in the list is told to the model and counted, so the arguments are checked here and not before.
        """
        schema = WithJsonSchema({"type": "array", "items": self._kind.model_json_schema()})
        arguments = create_model("SubmitVotes", __base__=Arguments, votes=(Annotated[Any, schema], ...))
        told = "Submit one vote for each number, all at once."
        return Tool("submit_votes", told, arguments, self._taken, ends=True)

    def _taken(self, asked: Any) -> str:
        self.votes = None  # a list that does not hold takes back one that did: nobody knows which was meant
        given = self._parsed(asked.votes)
        wrong = [*_miscounted([one.number for one in given], self.count), *self._foreign(given)]
        if wrong:
            raise self._failed("; ".join(wrong))
        self.votes = sorted(given, key=_number)
        return f"{len(given)} votes were taken"

    def _parsed(self, value: Any) -> list[Cast]:
        try:
            return self._list.validate_json(dumps(value), strict=True)
        except ValidationError as error:
            found = error.errors(include_input=False, include_url=False)
            wrong = [f"{'.'.join(map(str, one['loc'])) or 'votes'}: {one['msg']}" for one in found[:5]]
            raise self._failed("; ".join(wrong)) from error

    def _foreign(self, votes: Sequence[Cast]) -> list[str]:
        """What is called unsupported has to stand in the claim."""
        wrong = []
        for vote in votes:
            inside = _folded(self._texts[vote.number - 1]) if 1 <= vote.number <= len(self._texts) else ""
            foreign = [words for words in vote.unsupported if _folded(words) not in inside or not words.strip()]
            wrong += [f"unsupported words of {vote.number} do not stand in it: {words!r}" for words in foreign[:2]]
        return wrong[:5]

    def _failed(self, why: str) -> ToolError:
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            raise CannotRun(
                f"the verifier gave no valid votes in {MAX_FAILURES} tries: {why}",
                "there is no verdict; finish the run again, or choose a preset with another model",
            )
        return ToolError(f"no vote was taken: {why}")


def _number(vote: _Cast) -> int:
    return vote.number


def _miscounted(numbers: Sequence[int], total: int) -> list[str]:
    """What is missing, twice there, or too much, in words."""
    counts = Counter(numbers)
    lists = {
        "no vote for": [number for number in range(1, total + 1) if number not in counts],
        "more than one vote for": [number for number, count in counts.items() if count > 1],
        "there is no": [number for number in counts if number > total],
    }
    return [f"{told} {', '.join(map(str, found[:20]))}" for told, found in lists.items() if found]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
