"""Whether what the gold gives as reasons was extracted: which sentences of an atom could say a sentence of the gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.extraction.grounds import Ground, Quoted, Standing
from gitops.extraction.model import Case, Matching, Pair
from gitops.extraction.rationales import Sayings, Stretch, claims, same, words
from gitops.extraction.source_places import Spot
from gitops.okf.model import Atom, Sentence
from gitops.verify.judge import Question

_DECISION = "decision"
_MOSTLY = 0.5
"""Two places are one where they share so much of the shorter of the two."""
UNMATCHED = "its atom was not extracted"
NO_REASON = "nothing was extracted of its reasons"
ACCOUNTED = "every sentence that was extracted says another one of the gold"


@dataclass(frozen=True, slots=True)
class Extracted:
    """A sentence of an extracted rationale, as far as what covers the gold goes: where it stands or quotes.

    `is_copy` says that it stands in a source word for word, and so says no more than is said there.
    """

    text: str
    places: tuple[Stretch, ...] = ()
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sentence of the gold's rationale, and what is known of it before anybody is asked.

    `said` is '' where that is not settled. Then one of `mates` says it, or, where there is a question, that is to be
    asked of them. They are numbers of the sentences extracted for its atom; what is made up among them says nothing of
    the gold.
    """

    atom: Atom
    sentence: Sentence
    spot: Spot
    said: Literal["", "yes", "no"] = ""
    reason: str = ""
    of: str = ""
    """The path of the extracted atom that it is sought in."""
    mates: tuple[int, ...] = ()
    question: Question | None = None


class Given:
    """The reasons that the gold of a case gives, and which decision's they are."""

    def __init__(self, case: Case, matching: Matching, ground: Ground) -> None:
        every = [(atom, one) for atom in case.gold.atoms for one in claims(atom)]
        self.sayings = Sayings(one.text for _, one in every)
        self._gold = {pair.emitted.path: pair.gold for pair in matching.pairs}
        decided = [(atom, one) for atom, one in every if atom.type == _DECISION]
        self._places = [(atom, _places(one, ground)) for atom, one in decided]
        self._worded: dict[str, list[tuple[Atom, str]]] = {}
        for atom, one in decided:
            self._worded.setdefault(words(one.text), []).append((atom, one.text))

    def elsewhere(self, atom: Atom, said: Extracted) -> str:
        """The title of the decision whose reason a sentence of an extracted one says, where it is not that one's; ''
        where it says no reason of the gold, or this decision's, or where nobody knows which decision this is.
        """
        mine = self._gold.get(atom.path)
        if mine is None or mine.type != _DECISION:
            return ""
        of = [each for each, text in self._worded.get(words(said.text), ()) if same(text, said.text)]
        of += [each for each, there in self._places if _is_one(there, said.places)]
        return "" if mine in of or not of else of[0].title


def wanted(matching: Matching, extracted: Mapping[str, Sequence[Extracted]], ground: Ground) -> list[Wanted]:
    """What became of each sentence of the gold, by the path of its atom and then by line.

    `extracted` has what each extracted atom gives as reasons, by that atom's path.
    """
    found = [one for pair in matching.pairs for one in _of_pair(pair, extracted.get(pair.emitted.path, ()), ground)]
    for atom in matching.missed:
        for each in claims(atom):
            found.append(Wanted(atom, each, _spot(each, _places(each, ground), ground), "no", UNMATCHED))
    return sorted(found, key=lambda one: (one.atom.path, one.sentence.line, one.sentence.text))


def lead(atom: Atom) -> str:
    """What is told of a claim beside it: whose reason it is."""
    return f"Rationale of the {atom.type} \u201c{atom.title}\u201d:"


def asked(atom: Atom, sentence: str, extracted: Sequence[str]) -> Question:
    """Whether what was extracted says a sentence of the gold. Its order counts for nothing."""
    return Question(claim=sentence, before=lead(atom), title=atom.title, source="\n\n".join(sorted(extracted)))


def places(standing: Iterable[Standing], quoted: Quoted, ground: Ground) -> tuple[Stretch, ...]:
    """Where a sentence stands and what it quotes, as far as those are places."""
    return tuple(dict.fromkeys(filter(ground.is_place, (*quoted.places, *(one.stretch for one in standing)))))


def _of_pair(pair: Pair, extracted: Sequence[Extracted], ground: Ground) -> Iterator[Wanted]:
    gold = claims(pair.gold)
    there = [_places(each, ground) for each in gold]
    says = _saying(gold, extracted)
    quotes = [{at for at, one in enumerate(extracted) if _is_one(one.places, mine)} for mine in there]
    used = {at for some in says for at in some}
    copied = {at for some in quotes for at in some if extracted[at].is_copy}
    for number, sentence in enumerate(gold):
        spot = _spot(sentence, there[number], ground)
        mates = quotes[number] - used
        # A copy of one place says no other: where the gold's place is not known, nothing is sure of it.
        spoken = used | (copied if there[number] else set())
        left = tuple(at for at in range(len(extracted)) if at not in spoken)
        if says[number]:
            yield Wanted(pair.gold, sentence, spot, "yes")
        elif mates:
            yield Wanted(pair.gold, sentence, spot, of=pair.emitted.path, mates=tuple(sorted(mates)))
        elif not left:
            yield Wanted(pair.gold, sentence, spot, "no", ACCOUNTED if extracted else NO_REASON)
        else:
            question = asked(pair.gold, sentence.text, [extracted[at].text for at in left])
            yield Wanted(pair.gold, sentence, spot, of=pair.emitted.path, mates=left, question=question)


def _saying(gold: Sequence[Sentence], extracted: Sequence[Extracted]) -> list[set[int]]:
    """For each sentence of the gold the extracted ones that are the same."""
    known: dict[str, list[int]] = {}
    for at, one in enumerate(extracted):
        known.setdefault(words(one.text), []).append(at)
    return [{at for at in known.get(words(one.text), ()) if same(extracted[at].text, one.text)} for one in gold]


def _places(sentence: Sentence, ground: Ground) -> tuple[Stretch, ...]:
    return places(ground.standing(sentence.text), ground.quoted(sentence), ground)


def _spot(sentence: Sentence, there: Sequence[Stretch], ground: Ground) -> Spot:
    return ground.spot(there[0][0]) if there else ground.spot_of(sentence.text)


def _is_one(some: Sequence[Stretch], others: Sequence[Stretch]) -> bool:
    return any(_shared(one, other) >= _MOSTLY * min(_length(one), _length(other)) for one in some for other in others)


def _shared(one: Stretch, other: Stretch) -> int:
    """How much two stretches have in common; less than nothing where they do not meet."""
    return min(one[1], other[1]) - max(one[0], other[0])


def _length(one: Stretch) -> int:
    return one[1] - one[0]
