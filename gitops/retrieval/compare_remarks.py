"""What has to be told aloud of a comparison: what was overlooked, taken for granted, or done otherwise than usual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from gitops.retrieval.borrowed_spans import Borrowed
from gitops.retrieval.matching import Criterion
from gitops.retrieval.placed_hits import Places
from gitops.retrieval.scoring import Scored
from gitops.retrieval.sides import Side, common_depth
from gitops.stats.holm import least_p

OTHER_GOLD = "the runs were measured by other golden queries: --gold FILE scores both by the same"
FOREIGN_STORE = "no citation was looked up: --chunks has none of the chunks that were found, and is another chunker's"
GIVE_SPANS = "give the spans in the golden file, or --chunks FILE: the store that its ids are of"
GIVE_PLACES = "hand in results that tell doc_id and source_spans of each hit, or --chunks FILE, which tells them"


def of_match(a: Side, b: Side, criterion: Criterion, borrowed: Borrowed) -> Iterator[str]:
    """By what hits were matched, and what that could not be done for."""
    known = [(name, side.chunker) for name, side in zip("AB", (a, b), strict=True) if side.chunker]
    if len(known) == 1:
        [(name, version)] = known
        other = "B" if name == "A" else "A"
        yield f"the chunker of {other} is unknown (of {name} it is {version}): chunks are compared by their ids"
    if criterion == "exact":
        return
    others = ", and these are not the aggregates that were recorded" if a.stored or b.stored else ""
    yield (
        f"the chunkers differ ({a.chunker} → {b.chunker}): a hit counts if it is of an expected chunk's document and "
        f"covers at least half of it; both runs were scored so{others}"
    )
    if borrowed.taken:
        yield f"the spans of {_chunks(borrowed.taken)} are those of the hits that bear their ids"
    if borrowed.is_ambiguous:
        yield f"both runs have chunks of the expected ids, and they lie elsewhere in each: {GIVE_SPANS}"
    if borrowed.lacking:
        told = f"{_chunks(borrowed.lacking)} {'has' if borrowed.lacking == 1 else 'have'} no spans"
        yield f"{told}, and nothing can be matched there, on either side: {GIVE_SPANS}"


def of_places(places: Mapping[str, Places]) -> Iterator[str]:
    """That hits of a side, A or B, cannot be matched across chunkers, as they do not tell where they lie."""
    for name, one in places.items():
        if one.unplaced:
            yield (
                f"{name}: {one.unplaced:,} of {one.hits:,} hits do not tell both their document and their spans, "
                f"and so match nothing of another chunker: {GIVE_PLACES}"
            )


def of_depth(a: Side, b: Side) -> Iterator[str]:
    """That one run knows more hits of a query than the other."""
    depth = common_depth(a, b)
    if a.top != b.top:
        kept = [
            f"{name} kept {'all' if side.top is None else side.top}" for name, side in zip("AB", (a, b), strict=True)
        ]
        yield f"{' hits of a query, '.join(kept)}: both are compared by the first {depth}"


def of_count(queries: int, alpha: float) -> Iterator[str]:
    """That so few queries could show no difference, even if all of them moved one way."""
    if least_p(queries) > alpha:
        needed = next(number for number in count(queries) if least_p(number) <= alpha)
        yield f"{_queries(queries)} can show no difference at p ≤ {alpha:g}, whatever moves: {needed} could"


def of_scores(a: Side, b: Side, scored: Sequence[Scored]) -> Iterator[str]:
    """What scoring each run had to tell; what is true of both is told once."""
    first, second = ([*side.results.remarks, *one.remarks] for side, one in zip((a, b), scored, strict=True))
    yield from (told for told in first if told in second)
    for name, mine, others in (("A", first, second), ("B", second, first)):
        yield from (f"{name}: {told}" for told in mine if told not in others)


def of_stored(a: Side, b: Side, scored: Sequence[Scored]) -> Iterator[str]:
    """That a recorded aggregate is another than the one computed now."""
    for name, side, one in zip("AB", (a, b), scored, strict=True):
        if side.stored is not None and side.stored != one.aggregate:
            yield f"{name}: the recorded aggregate is another, of other formulas or more hits; both were computed again"


def _queries(number: int) -> str:
    return f"{number:,} {'query' if number == 1 else 'queries'}"


def _chunks(number: int) -> str:
    return f"{number:,} expected chunk{'' if number == 1 else 's'}"
