"""What is said of claims and the places they cite: by what is not there, by quotations that are wrong, by judges.

As where a change lands, what the checks refuse is put before no judge. A claim one of whose citations names a file that
is not there is `source_missing`. A claim with a quotation that is altered, not found, or stands elsewhere than the
citation points is `does_not_support`: the place that is cited does not say so. One that only an earlier version of the
source held is put to the judges, who read what the source says now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gitops.evals.claim_sample import Drawn
from gitops.verify.checks import quote_anchor
from gitops.verify.finding import Level
from gitops.verify.judge import ClaimVote
from gitops.verify.panel import Panel
from gitops.verify.questions import questions
from gitops.verify.resolution import resolve
from gitops.verify.view import Draft, PageAt, View
from gitops.verify.voting import Answer, Heard, hear
from gitops.wiki.model import Cite
from gitops.wiki.snapshot import Snapshot

_GONE = ("missing", "not_a_source")
_MISQUOTED = ("altered", "not_found", "misattributed")


@dataclass(frozen=True, slots=True)
class Told:
    """What was said of a claim: a vote that may decide, or `abstained`, and why.

    `by` is the judge, or the check that left no judge anything to say. `cites` are the citations meant. `answer` is the
    judge's answer with what it was asked, `draft` what the check said; `confidence` is None where no judge was asked.
    """

    drawn: Drawn
    vote: ClaimVote
    reason: str
    by: str
    cites: tuple[Cite, ...]
    confidence: float | None = None
    answer: Answer | None = None
    draft: Draft | None = None

    @property
    def is_judged(self) -> bool:
        """Whether there is a vote on it at all."""
        return self.vote != "abstained"


def tell(view: View, drawn: Sequence[Drawn], panel: Panel) -> list[Told]:
    """What is said of each claim, in order. CannotRun where a judge gives no answer."""
    settled = {one.id: found for one in drawn if (found := _refused(view, one)) is not None}
    left = [one for one in drawn if one.id not in settled]
    heard = hear(panel, [asked for one in left for asked in questions(view, one.path, (one.claim,))])
    for one in left:
        said = heard.get(one.path, {}).get((one.claim.text, one.claim.ordinal))
        settled[one.id] = _unheard(view, one, panel) if said is None else _heard(one, said)
    return [settled[one.id] for one in drawn]


def _refused(view: View, one: Drawn) -> Told | None:
    """What needs no judge: a source that is not there, or words that it does not have."""
    for cite in one.claim.cites:
        found = resolve(view, one.path, cite)
        if found.status in _GONE:
            return Told(one, "source_missing", found.message, "source_exists", (cite,))
    for draft in quote_anchor.examine(_alone(view, one)):
        level = draft.level or quote_anchor.CHECK.results[draft.result]
        if draft.result in _MISQUOTED and level is Level.ERROR:
            cites = tuple(cite for cite in one.claim.cites if cite.path == draft.source) or one.claim.cites
            return Told(one, "does_not_support", draft.message, "quote_anchor", cites, draft=draft)
    return None


@dataclass(frozen=True, slots=True)
class _Unlisted:
    """A snapshot that lists nothing: where else a quotation stands is not asked, since it counts the same."""

    base: Snapshot

    def paths(self, prefix: str = "") -> Iterable[str]:
        return ()

    def blob(self, path: str) -> str | None:
        return self.base.blob(path)

    def mode(self, path: str) -> int | None:
        return self.base.mode(path)

    def read(self, path: str) -> bytes:
        return self.base.read(path)

    def size(self, path: str) -> int:
        return self.base.size(path)


def _alone(view: View, one: Drawn) -> PageAt:
    """The page with this one claim. What its citations mean the view knows already."""
    page = replace(one.page, claims=(one.claim,), cites=(), quotations=())
    return PageAt(replace(view, snapshot=_Unlisted(view.snapshot)), one.path, page, (one.page,))


def _heard(one: Drawn, said: Heard) -> Told:
    best = said.best
    vote, judge, cites = best.vote, best.voted.judge, best.asked.cites
    if vote.vote == "abstained" or vote.may_gate:
        return Told(one, vote.vote, vote.reason, judge, cites, vote.confidence, best)
    unsure = f"not sure enough to decide ({vote.vote}, {vote.confidence:.2f}): {vote.reason}"
    return Told(one, "abstained", unsure, judge, cites, vote.confidence, best)


def _unheard(view: View, one: Drawn, panel: Panel) -> Told:
    why = next(_unread(view, one), "nothing that it cites has any text") if panel.judges else "there is no judge"
    return Told(one, "abstained", why, "none", one.claim.cites)


def _unread(view: View, one: Drawn) -> Iterator[str]:
    """Why nothing that a claim cites can be read."""
    for cite in one.claim.cites:
        found = resolve(view, one.path, cite)
        if found.status != "ok":
            yield found.message
        yield from (f"{path}: {told}" for path in found.paths if (told := view.source(path).message))
