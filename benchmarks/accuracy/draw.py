"""Draw references at random from the Markdown pages of the wikis, for a reader to label.

What is drawn is whatever looks like a pointer to a page or a source, by regular expressions over the raw text that
are broad on purpose and share nothing with the parser under test: code, comments and frontmatter are searched too,
because a checker must also know when to be silent.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

SEED = 20261122
WANTED = 300
LEAST_PER_FORM = 25
BODY_TURNS = 3
"""How many references of the running text are drawn for one inside code or a comment."""

_KEYS = "sources?|resource|source_file|source_url|raw_paths?|raw"
FORMS = {
    "wikilink": re.compile(r"!?\[\[[^\]\n]*\]\]"),
    "markdown_link": re.compile(r"!?(?:\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*)?\]\([^)\n]*\)"),
    "footnote_reference": re.compile(r"(?!^)\[\^[^\]\s]+\]|^\[\^[^\]\s]+\](?!:)"),
    "footnote_definition": re.compile(r"^[ \t>]*\[\^[^\]\s]+\]:"),
    "source_parenthesis": re.compile(r"\((?:sources?|src|출처)\s*:[^)\n]*\)", re.IGNORECASE),
    "code_span_raw": re.compile(r"`[^`\n]*\braw/[^`\n]*`"),
    "frontmatter_value": re.compile(rf"^\s*(?:-\s+)?(?:{_KEYS})\s*:[ \t]*(?P<at>\S.*)$"),
    "source_line": re.compile(r"\*\*(?:출처|sources?\b|references?\b)[^*\n]{0,20}\*\*", re.IGNORECASE),
    "numeric": re.compile(r"(?<![\]\w])\[\d{1,3}\](?![\[(:])"),
}
"""What a reference may look like on one line; the group `at`, where there is one, is the reference itself."""

_FENCE = re.compile(r"^\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Reference:
    """Where something that looks like a reference stands; line and column count code points from 1."""

    wiki: str
    path: str
    line: int
    column: int
    line_sha256: str
    form: str
    place: str


def pages(wikis: Path) -> list[Path]:
    """The Markdown files that are pages: neither sources below raw/ nor licences."""
    return [
        path
        for path in sorted(wikis.rglob("*.md"))
        if not {"raw", ".git"} & set(path.relative_to(wikis).parts) and "LICENSE" not in path.name
    ]


def references(wikis: Path, page: Path) -> Iterator[Reference]:
    """Everything on a page that any of the forms takes for a reference."""
    wiki, *parts = page.relative_to(wikis).parts
    lines = page.read_text(encoding="utf-8").split("\n")
    for number, (line, place) in enumerate(zip(lines, places(lines), strict=True), start=1):
        digest = hashlib.sha256(line.encode()).hexdigest()[:16]
        for form, pattern in FORMS.items():
            if form == "frontmatter_value" and place != "frontmatter":
                continue
            for match in pattern.finditer(line):
                start = match.start("at" if "at" in pattern.groupindex else 0)
                inside = place if place != "body" else inline(line, start)
                yield Reference(wiki, "/".join(parts), number, start + 1, digest, form, inside)


def draw(found: Sequence[Reference], wanted: int, seed: int) -> list[Reference]:
    """As many references as wanted: of every form its least number, the wikis in turn, then any at random.

    The first part keeps a common form or a large wiki from crowding out a rare or a small one.
    """
    chance = random.Random(seed)
    queues = [_by_turns([r for r in found if r.form == form], chance) for form in FORMS]
    chosen = [r for queue in queues for r in queue[:LEAST_PER_FORM]]
    rest = [r for queue in queues for r in queue[LEAST_PER_FORM:]]
    chance.shuffle(rest)
    return sorted([*chosen, *rest][:wanted], key=_where)


def halves(drawn: Sequence[Reference], seed: int) -> list[str]:
    """Seen or unseen for each reference, by a coin that falls evenly within each form of each wiki."""
    chance = random.Random(seed)
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for position, reference in enumerate(drawn):
        groups[reference.wiki, reference.form].append(position)
    sides = [""] * len(drawn)
    for _, positions in sorted(groups.items()):
        first = chance.randrange(2)
        chance.shuffle(positions)
        for turn, position in enumerate(positions):
            sides[position] = ("seen", "unseen")[(turn + first) % 2]
    return sides


def _by_turns(found: Sequence[Reference], chance: random.Random) -> list[Reference]:
    wikis: dict[str, dict[str, list[Reference]]] = defaultdict(lambda: defaultdict(list))
    for reference in found:
        wikis[reference.wiki][reference.place].append(reference)
    for places in wikis.values():
        for group in places.values():
            chance.shuffle(group)
    queues = [_interleave([part for at in places for part in _shares(at, places[at])]) for places in wikis.values()]
    chance.shuffle(queues)
    return _interleave(queues)


def _shares(place: str, group: Sequence[Reference]) -> list[Sequence[Reference]]:
    return [group[turn::BODY_TURNS] for turn in range(BODY_TURNS)] if place == "body" else [group]


def _interleave(queues: Sequence[Sequence[Reference]]) -> list[Reference]:
    longest = max(map(len, queues), default=0)
    return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]


def places(lines: Sequence[str]) -> Iterator[str]:
    """Where each line of a page stands: frontmatter, code, comment or body."""
    frontmatter, fenced, comment = lines[0].rstrip() == "---", False, False
    for number, line in enumerate(lines):
        if frontmatter:
            yield "frontmatter"
            frontmatter = number == 0 or line.rstrip() != "---"
            continue
        fence = bool(_FENCE.match(line))
        yield "code" if fence or fenced else "comment" if comment else "body"
        fenced ^= fence
        comment = line.rfind("<!--") > line.rfind("-->") or (comment and "-->" not in line)


def inline(line: str, start: int) -> str:
    """Whether a place in a line of the body is in the body, in a code span or in a comment."""
    if line.rfind("<!--", 0, start) > line.rfind("-->", 0, start):
        return "comment"
    return "code" if line.count("`", 0, start) % 2 or line[start] == "`" else "body"


def _where(reference: Reference) -> tuple[str, str, int, int, str]:
    return reference.wiki, reference.path, reference.line, reference.column, reference.form


def main() -> None:
    """Print the drawn references, one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wikis", type=Path, help="the folder that holds the wikis, one folder each")
    parser.add_argument("--wanted", type=int, default=WANTED)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    found = [reference for page in pages(options.wikis) for reference in references(options.wikis, page)]
    drawn = draw(found, options.wanted, options.seed)
    for reference, half in zip(drawn, halves(drawn, options.seed), strict=True):
        print(json.dumps({**asdict(reference), "half": half}, sort_keys=True, ensure_ascii=False))


if __name__ == "__main__":
    main()
