"""Frontmatter of a thousand pages, read with its faults told, against PyYAML's bare C loader on the same YAML.

The floor does nothing but load: it cuts no block out of a page, keeps the last of two equal keys in silence,
and gives dates as objects that no JSON holds.
"""

from __future__ import annotations

import random

import yaml

from benchmarks.timing import Options, Ratio, against
from gitops.wiki.frontmatter import read
from gitops.wiki.positions import Lines

LIMIT = 1.2
PAGES = 1_000

_WORDS = (
    "coffee",
    "roast",
    "water",
    "temperature",
    "비료",
    "농업",
    "grind",
    "étude",
    "agents",
    "index",
    "2019",
    "40 %",
)
_KINDS = ("concept", "entity", "source-summary", "comparison", "synthesis")


def run(options: Options) -> list[Ratio]:
    """One figure; both sides read the same pages in the same order."""
    pages = [page(number) for number in range(options.size(PAGES))]
    blocks = [text[4 : text.index("\n---\n")] for text in pages]
    floor = ("yaml.load(text, CSafeLoader)", lambda: [yaml.load(block, yaml.CSafeLoader) for block in blocks])
    return [against("frontmatter", floor, lambda: values(pages), options, limit=LIMIT, size=len(pages))]


def values(pages: list[str]) -> list[object]:
    """Our side: what a page's frontmatter says. ValueError when a page of these has none, or a fault."""
    found = [read(text, Lines(text)) for text in pages]
    if not all(one.values and not one.problems for one in found):
        raise ValueError("a page's frontmatter was not read")
    return [one.values for one in found]


def page(number: int) -> str:
    """A page whose frontmatter has the keys that most model-written wikis have, and a body of one line."""
    words = random.Random(number)
    title = " ".join(words.sample(_WORDS, 4))
    day = f"2026-{words.randint(1, 12):02}-{words.randint(1, 28):02}"
    lines = [
        f'title: "{title}"',
        f"type: {words.choice(_KINDS)}",
        f"tags: [{', '.join(words.sample(_WORDS[:9], 3))}]",
        f"created: {day}",
        f"updated: {day}",
        f"source_count: {words.randint(1, 9)}",
        f"confidence: {words.choice(('0.8', 'high', 'null'))}",
        f"draft: {words.choice(('true', 'false'))}",
        "aliases:",
        *(f"  - {word}" for word in words.sample(_WORDS[:9], 2)),
        "sources:",
        *(f"  - raw/{word}-{number}.md" for word in words.sample(_WORDS[:3], 2)),
        f"description: >-\n  {title}, and what is\n  said of it.",
    ]
    return "---\n" + "\n".join(lines) + f"\n---\n\n# {title}\n"
