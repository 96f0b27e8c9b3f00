from __future__ import annotations

import pytest

from gitops.wiki import attribution, markdown, stretches
from gitops.wiki.outline import Outline
from gitops.wiki.positions import Lines


def apart(text: str) -> list[str]:
    """What is cut of the first block with each of its targets."""
    blocks = markdown.read(text, 0).blocks
    outline = Outline(text, {}, blocks, (), Lines(text))
    found = stretches.targets(blocks[0], outline, 0, len(blocks[0].text))
    return [blocks[0].text[slice(*cut)] for cut in attribution.apart(blocks[0], found).values()]


@pytest.mark.parametrize(
    "text", ["As raw/a.md says, it fell.", "It fell, see raw/a.md.", "raw/a.md and raw/b.md say so."]
)
def test_words_of_a_sentence_are_not_cut(text: str) -> None:
    assert apart(text) == []


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("It fell. raw/a.md", [" raw/a.md"]),
        ("It fell. See raw/a.md. Next.", [" See raw/a.md."]),
        ("It fell (raw/a.md).", ["(raw/a.md)"]),
        ("It fell. raw/a.md, raw/b.md.", [" raw/a.md", ", raw/b.md."]),
        ("下降。 raw/a.md", [" raw/a.md"]),
    ],
)
def test_what_stands_beside_a_sentence_is_cut(text: str, cuts: list[str]) -> None:
    assert apart(text) == cuts
