"""Two sentences laid side by side: which words stand in the one where the other has others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitops.verify.judging import naming
from gitops.verify.judging.words import Token


def slots(one: Sequence[Token], other: Sequence[Token]) -> Iterator[tuple[range, range]]:
    """Places of the words that differ, between words that both have in the same order (longest common subsequence)."""
    from rapidfuzz.distance import LCSseq

    mine, yours = [word.stem for word in one], [word.stem for word in other]
    first, second = 0, 0
    for step in LCSseq.opcodes(mine, yours):
        if step.tag == "equal":
            if step.src_start > first and step.dest_start > second:
                yield range(first, step.src_start), range(second, step.dest_start)
            first, second = step.src_end, step.dest_end
    if len(mine) > first and len(yours) > second:
        yield range(first, len(mine)), range(second, len(yours))


def renamed(
    claim: Sequence[Token], names: Sequence[int], line: Sequence[Token], text: str
) -> Iterator[tuple[Token, Token]]:
    """Names of a claim with those that a sentence has in their places; each stands in one of the two alone."""
    ours, theirs = {word.stem for word in claim}, {word.stem for word in line}
    others = [at for at in naming.names(line, text) if line[at].stem not in ours]
    wanted = [at for at in names if claim[at].stem not in theirs]
    if wanted and others:
        for mine, yours in slots(claim, line):
            left = [at for at in wanted if at in mine]
            right = [at for at in others if at in yours]
            if left and right:
                yield claim[left[0]], line[right[0]]
