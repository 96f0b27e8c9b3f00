"""A judge's votes and how right they are, as JSON and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gitops.report.visible import inline

if TYPE_CHECKING:
    from gitops.verify.judge import PairVote, Vote

_NAMES = {"balanced_accuracy": "balanced accuracy", "auroc": "AUROC", "ece": "calibration error"}
_CONTRADICTIONS = ("partial_contradiction", "direct_contradiction")


class Identity(Protocol):
    """Who judged: a judge, or several as one."""

    @property
    def id(self) -> str:
        """What it is called."""
        ...

    @property
    def version(self) -> str:
        """What its weights or its model are called."""
        ...

    @property
    def digest(self) -> str:
        """The sha256 of all that decides its answers."""
        ...


def as_json(id: str | int, vote: Vote | PairVote) -> dict[str, Any]:
    """A vote as one record; `support` and `contradiction` are probabilities, also where the judge abstained."""
    from gitops.verify.judge import Vote

    told: dict[str, Any] = {"id": id, "vote": vote.vote, "confidence": vote.confidence, "reason": vote.reason}
    told["may_gate"] = vote.may_gate
    if isinstance(vote, Vote):
        return told | {"schema": "assay/vote/1", "support": vote.support, "unsupported": list(vote.unsupported)}
    return told | {"schema": "assay/pair-vote/1", "contradiction": vote.contradiction}


def words(id: str | int, vote: Vote | PairVote) -> str:
    """A vote on one line."""
    return f"{inline(str(id))}  {vote.vote} {vote.confidence:.2f}  {inline(vote.reason)}"


def score(
    judge: Identity, labels: Sequence[bool | None], votes: Sequence[Vote | PairVote], *, is_pairs: bool
) -> dict[str, Any]:
    """How right a judge is: over the cases it judged, with the abstentions counted apart."""
    from gitops.verify.judge_scoring import figures

    cases = [case for label, vote in zip(labels, votes, strict=True) if (case := _case(label, vote)) is not None]
    return {
        "schema": "assay/judge-score/1",
        "judge": {"id": judge.id, "version": judge.version, "digest": judge.digest},
        "kind": "pairs" if is_pairs else "claims",
        "cases": len(votes),
        "judged": len(cases),
        "abstained": len(votes) - len(cases),
        "metrics": {
            name: {"value": figure.value, "interval": figure.interval and list(figure.interval), "n": len(cases)}
            for name, figure in figures(cases).items()
        },
    }


def _case(label: bool | None, vote: Vote | PairVote) -> Any:
    """A judged case, of the side that is sought: support, or contradiction."""
    from gitops.verify.judge import Vote
    from gitops.verify.judge_scoring import Scored

    if label is None or vote.vote == "abstained":
        return None
    if isinstance(vote, Vote):
        is_sought, probability = vote.vote == "supports", vote.support
    else:
        is_sought, probability = vote.vote in _CONTRADICTIONS, vote.contradiction
    if probability is None:  # a judge that tells its confidence alone
        probability = vote.confidence if is_sought else 1.0 - vote.confidence
    return Scored(label, is_sought, probability)


def score_words(scored: Mapping[str, Any]) -> Iterator[str]:
    """The figures, a line each."""
    judge = scored["judge"]
    judged = f"{scored['judged']:,} of {scored['cases']:,} {scored['kind']} judged"
    yield f"judge {judge['id']}, version {judge['version']}: {judged}"
    if scored["abstained"]:
        yield f"abstained from {scored['abstained']:,}, which no figure counts"
    for name, figure in scored["metrics"].items():
        if figure["value"] is None:
            yield f"{_NAMES[name]:<18} not defined: the labels are all of one side"
        else:
            low, high = figure["interval"]
            yield f"{_NAMES[name]:<18} {figure['value']:.3f} (95 %: {low:.3f}–{high:.3f})"
