"""Whether rationales are honest: each sentence that was extracted is grounded in the sources or made up, and each of
the gold extracted or omitted (dossier DEC-0009, 1).

What stands in a source word for word, or says what the gold says, needs no vote; all else is put before a judge in one
batch, and what nobody is sure of counts as nothing. `docs/faithfulness.md` has the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.extraction import covering
from gitops.extraction.covering import Extracted, Given, Wanted
from gitops.extraction.deciding import Holds, decided
from gitops.extraction.grounds import Ground, Quoted, Standing
from gitops.extraction.model import Case, ClaimStatus, Faithfulness, Matching, RationaleClaim
from gitops.extraction.rationales import claims
from gitops.extraction.source_places import NOWHERE, Spot
from gitops.okf.model import Atom, Bundle, Sentence
from gitops.verify.judge import Judge, Question, Vote
from gitops.verify.judging.reading import Reading
from gitops.wiki.passages import LONGEST

Scored = tuple[Case, Bundle, Matching]
_STATUS: Mapping[Holds, ClaimStatus] = {"yes": "grounded", "no": "fabricated", "unknown": "unjudged"}
_WORD_FOR_WORD = "it stands in the source word for word"
_AS_GOLD = "it says what the gold says"
_NO_SOURCE = "the sources hold no text"
_TOO_LONG = "its {:,} characters are no sentence that could be judged"
_DENIED = "the source denies it"
_ANOTHERS = "the gold gives it as a reason of another decision, \u201c{}\u201d"
_MADE_UP_MATES = "what was extracted in its place is made up"


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence that was extracted: what is known of it, and what is to be asked where that does not settle it.

    `doubt` is why its words may say something else where they stand in a source.
    """

    atom: Atom
    sentence: Sentence
    spot: Spot
    covers: Extracted
    status: Literal["", "grounded", "fabricated"] = ""
    reason: str = ""
    doubt: str = ""
    made_up: tuple[str, ...] = ()
    question: Question | None = None


@dataclass(frozen=True)
class _Plan:
    """A case before anybody is asked; `said` in the order of paths and lines, `wanted` in that of the gold."""

    ground: Ground
    said: Sequence[_Said]
    wanted: Sequence[Wanted]

    @property
    def questions(self) -> list[Question]:
        """What is to be asked, in order."""
        every = [*(one.question for one in self.said), *(one.question for one in self.wanted)]
        return [question for question in every if question is not None]


def judged(cases: Sequence[Scored], judge: Judge) -> list[Faithfulness]:
    """The claims of each case, in order, by one batch of votes. Raises what the judge raises: no vote is made up.

    The bundle is what was extracted, the matching that of its atoms with the gold's.
    """
    plans = [_plan(*one) for one in cases]
    asked = [question for plan in plans for question in plan.questions]
    votes = iter(judge.votes(asked) if asked else ())
    return [Faithfulness(tuple(_claims(plan, votes, judge))) for plan in plans]


def questions(cases: Sequence[Scored]) -> list[Question]:
    """What a judge would be asked: all that is not settled without a vote."""
    return [question for one in cases for question in _plan(*one).questions]


def foreseen(cases: Sequence[Case]) -> list[Question]:
    """About what a judge would be asked were all of the gold extracted in other words: for an estimate before there is
    anything extracted.
    """
    found = []
    for case in cases:
        ground = Ground(case)
        for atom in case.gold.atoms:
            said = claims(atom)
            texts = [one.text for one in said]
            for one in said:
                found.append(ground.question(one.text, covering.lead(atom), ground.quoted(one).places))
                found.append(covering.asked(atom, one.text, texts))
    return found


def _plan(case: Case, emitted: Bundle, matching: Matching) -> _Plan:
    ground = Ground(case)
    gold = Given(case, matching, ground)
    atoms = sorted(emitted.atoms, key=lambda one: one.path)
    said = [_said(atom, sentence, gold, ground) for atom in atoms for sentence in claims(atom)]
    return _Plan(ground, said, covering.wanted(matching, _by_path(said), ground))


def _by_path(said: Sequence[_Said]) -> Mapping[str, list[Extracted]]:
    found: dict[str, list[Extracted]] = {}
    for one in said:
        found.setdefault(one.atom.path, []).append(one.covers)
    return found


def _said(atom: Atom, sentence: Sentence, gold: Given, ground: Ground) -> _Said:
    """What is known of an extracted sentence without asking anybody."""
    standing, quoted = ground.standing(sentence.text), ground.quoted(sentence)
    calm = [one for one in standing if not one.doubt and not one.is_denied]
    covers = Extracted(sentence.text, covering.places(standing, quoted, ground), is_copy=bool(standing))
    if len(sentence.text) > LONGEST and not calm:
        return _Said(atom, sentence, NOWHERE, covers, reason=_TOO_LONG.format(len(sentence.text)))
    spot = _spot(sentence, calm or standing, quoted, ground)
    other = gold.elsewhere(atom, covers)
    if sentence.text in gold.sayings and not other:
        return _Said(atom, sentence, spot, covers, "grounded", _AS_GOLD)
    if calm and not other:
        return _Said(atom, sentence, spot, covers, "grounded", _WORD_FOR_WORD)
    if ground.is_silent:
        return _Said(atom, sentence, spot, covers, "fabricated", _NO_SOURCE)
    if standing and all(one.is_denied for one in standing):
        return _Said(atom, sentence, spot, covers, "fabricated", _DENIED)
    doubt = f"its words stand in the source, but {standing[0].doubt or _DENIED}" if standing else ""
    doubt = _ANOTHERS.format(other) if other else doubt
    question = ground.question(sentence.text, covering.lead(atom), quoted.places)
    return _Said(atom, sentence, spot, covers, doubt=doubt, made_up=quoted.made_up, question=question)


def _spot(sentence: Sentence, standing: Sequence[Standing], quoted: Quoted, ground: Ground) -> Spot:
    """Where a person looks first: where it stands, where it quotes, else the sentence that is nearest to it."""
    if standing:
        return ground.spot(standing[0].stretch[0])
    if quoted.places:
        return ground.spot(quoted.places[0][0])
    return ground.spot_of(sentence.text) if not ground.is_silent else NOWHERE


def _claims(plan: _Plan, votes: Iterator[Vote], judge: Judge) -> Iterator[RationaleClaim]:
    made_up: dict[str, list[bool]] = {}
    for one in plan.said:
        claim = _extracted(one, votes, judge, plan.ground)
        made_up.setdefault(one.atom.path, []).append(claim.status == "fabricated")
        yield claim
    for each in plan.wanted:
        mine = made_up.get(each.of, [])
        yield from _gold(each, votes, judge, all_made_up=all(mine[at] for at in each.mates))


def _extracted(one: _Said, votes: Iterator[Vote], judge: Judge, ground: Ground) -> RationaleClaim:
    status: ClaimStatus = one.status or "unjudged"
    why, who = one.reason, ""
    if one.question is not None:
        text, who = one.sentence.text, judge.id
        holds, why = decided(text, next(votes), judge, ground.reading, one.atom.title, one.doubt)
        status = _STATUS[holds]
        if holds == "unknown" and one.made_up:
            status, why = "fabricated", f"it quotes words that stand in no source: \u201c{one.made_up[0]}\u201d"
    return RationaleClaim(status, one.sentence, one.atom.id, one.atom.path, why, who, one.spot.path, one.spot.line)


def _gold(one: Wanted, votes: Iterator[Vote], judge: Judge, *, all_made_up: bool) -> Iterator[RationaleClaim]:
    """The claim that a sentence of the gold is where it was not extracted, or nobody can tell; none where it was."""
    holds, why, who = _said_of_gold(one, votes, judge, all_made_up=all_made_up)
    if holds != "yes":
        status: ClaimStatus = "omitted" if holds == "no" else "unjudged"
        yield RationaleClaim(status, one.sentence, one.atom.id, one.atom.path, why, who, one.spot.path, one.spot.line)


def _said_of_gold(one: Wanted, votes: Iterator[Vote], judge: Judge, *, all_made_up: bool) -> tuple[Holds, str, str]:
    """Whether what was extracted says a sentence of the gold, why that is thought, and who says so.

    What is made up says nothing of the gold, which is grounded.
    """
    if one.said:
        return one.said, one.reason, ""
    if one.question is None:
        return ("no", _MADE_UP_MATES, "") if all_made_up else ("yes", "", "")
    holds, why = decided(one.sentence.text, next(votes), judge, Reading(one.question.source), one.atom.title)
    if holds == "unknown":
        holds, why = ("no", _MADE_UP_MATES) if all_made_up else (holds, f"whether it was extracted is unsure: {why}")
    return holds, why, judge.id
