"""10,000 extracted atoms matched with 10,000 of the gold, against reading the files of one side.

The floor reads them from memory: frontmatter, body and the rules of the format, but no disk. By id is what mostly
happens. The other cases are hostile: one title for all, so that any may be matched with any; two files of each id, so
that which of them is matched by it decides about the titles of others, and those about further ids. Our side holds
Python's garbage collector off, as scoring does (`gitops.extraction.scoring`); the floor is what users wait for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from benchmarks.timing import Options, Ratio, interleave
from gitops.errors import CannotRun
from gitops.extraction import edges
from gitops.extraction.matching import match
from gitops.extraction.model import VARIANTS
from gitops.okf import reading
from gitops.okf.model import ATOM_TYPES, Bundle
from gitops.runs.garbage import uncollected
from gitops.wiki.snapshot import MemorySnapshot

LIMIT = 3.0
ATOMS = 10_000
Row = tuple[str, str, str, str]
"""An atom's id, type and title, and the id of another that it has an edge to."""


def run(options: Options) -> list[Ratio]:
    """A figure for each case, all with the same limit; each side in its turn, the floor too."""
    size = options.size(ATOMS)
    gold = files(plain(size))
    cases = {
        "by id": _matched(gold, files(plain(size))),
        "by id, and edges, canonical and strict": _scored(gold, files(plain(size))),
        "no id, one title for all": _matched(files(titled(size, "a")), files(titled(size, "b"))),
        "two files of each id": _matched(files(contested(size, 1)), files(contested(size, 2))),
    }
    floor = f"reading {size:,} files"
    sides: dict[str, Callable[[], object]] = {floor: lambda: read(gold), **cases}
    took = interleave(sides, options.rounds)
    return [Ratio(name, floor, LIMIT, size, took[name], took[floor]) for name in cases]


def files(rows: Iterator[Row]) -> MemorySnapshot:
    """Atoms as short files of the profile, each in a folder of its type."""
    return MemorySnapshot({f"{row[1]}s/{at:05}.md": _text(*row).encode() for at, row in enumerate(rows)})


def read(tree: MemorySnapshot) -> Bundle:
    """The files as a bundle. CannotRun if one of them holds no valid atom: what is not read is read fast."""
    bundle = reading.bundle(tree, strict=True)
    if bundle.unread or not all(atom.is_valid for atom in bundle.atoms):
        raise CannotRun("a file of the benchmark holds no valid atom", "git assay okf validate says why")
    return bundle


def plain(size: int) -> Iterator[Row]:
    """Every atom with an id and a title of its own."""
    for at in range(size):
        yield f"atom-{at}", ATOM_TYPES[at % 6], f"The atom of number {at}", f"atom-{at * 7 % size}"


def titled(size: int, name: str) -> Iterator[Row]:
    """All of one type and one title, with ids that only this side has."""
    for at in range(size):
        yield f"{name}-{at}", "role", "The same for all", f"{name}-{at * 7 % size}"


def contested(size: int, files_of_an_id: int) -> Iterator[Row]:
    """So many files of each id, with one of three types and of three hundred titles."""
    draw = random.Random(files_of_an_id)
    for at in range(size):
        title = f"Title {draw.randrange(max(1, 3 * size // 100))}"
        yield f"atom-{at // files_of_an_id}", draw.choice(ATOM_TYPES[:3]), title, f"atom-{at // 2}"


def _matched(gold: MemorySnapshot, emitted: MemorySnapshot) -> Callable[[], object]:
    sides = read(gold), read(emitted)
    return uncollected()(lambda: match(*sides, "canonical"))


def _scored(gold: MemorySnapshot, emitted: MemorySnapshot) -> Callable[[], object]:
    sides = read(gold), read(emitted)
    return uncollected()(lambda: [edges.score(*sides, match(*sides, variant), variant) for variant in VARIANTS])


def _text(id: str, type: str, title: str, other: str) -> str:
    return f"""---
type: {type}
id: {id}
title: {title}
relationships:
  - {{rel: relates_to, target: {other}}}
---

# {title}

What it is stands in the handbook.
"""
