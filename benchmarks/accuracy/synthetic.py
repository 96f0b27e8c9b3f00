"""A repository of small wikis, one for each citation convention, whose every reference is right.

The words are made by number, from sentences with a year, an amount and a place, so that each quotation stands in one
source only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SOURCES = 4
PAGES = 4
_PLACES = ("Lund", "Arles", "Tartu", "Évora", "Ghent", "Split", "Kraków", "Basel", "Porto", "Turku", "Siena", "Malmö")
_GOODS = ("salt", "copper", "barley", "timber", "wool", "amber", "flax", "tin", "wine", "hides", "glass", "honey")
_KEEPERS = ("harbour master", "bailiff", "abbot", "tax clerk", "chandler", "notary", "warden", "steward")
_SECTIONS = ("Quays and cranes", "Tolls of the year", "Winter stores")
_EVERY = 4
"""Sentences to a section."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a source: where it stands, by line, section and moment."""

    source: str
    words: str
    line: int
    section: str
    moment: str

    @property
    def slug(self) -> str:
        """The section as a link names it."""
        return self.section.lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Written:
    """A page in one convention: what follows each claim, what stands at the page's end, and its frontmatter.

    `is_quoted` says that the claims quote the source themselves: the convention has no field for a quotation.
    """

    marks: tuple[str, ...]
    end: str = ""
    front: str = ""
    is_quoted: bool = True


Style = Callable[[tuple[Said, ...]], Written]


def write(folder: Path) -> None:
    """Write all the wikis, each with sources of its own, below `wikis/`."""
    for number, (name, style) in enumerate(STYLES.items()):
        for path, text in _files(style, number * SOURCES):
            file = folder / "wikis" / name.replace("_", "-") / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _files(style: Style, first: int) -> Iterator[tuple[str, str]]:
    sources = [_source(first + number) for number in range(SOURCES)]
    for number, said in enumerate(sources):
        name = _name(first + number)
        yield f"raw/{name}.md", _text(said, name)
        yield f"wiki/sources/{name}-summary.md", _summary(name)
    titles = [f"Trade of {_PLACES[(first + number) % len(_PLACES)]} {first + number}" for number in range(PAGES)]
    names = [title.lower().replace(" ", "-") for title in titles]
    listed = "".join(f"- [{title}]({name}.md)\n" for title, name in zip(titles, names, strict=True))
    listed += "".join(f"- [[{_name(first + number)}-summary]]\n" for number in range(SOURCES))
    yield "wiki/index.md", f"# Index\n\n{listed}"
    for number, (title, name) in enumerate(zip(titles, names, strict=True)):
        chosen = tuple(sources[(number + step) % SOURCES][(number * 3 + step * 5) % 12] for step in range(3))
        following = names[(number + 1) % PAGES]
        yield f"wiki/{name}.md", _page(title, chosen, style(chosen), following)


def _page(title: str, said: tuple[Said, ...], written: Written, following: str) -> str:
    puts = 'The record of that place puts it so: "{}"{}' if written.is_quoted else "The record says as much of it.{1}"
    body = "\n\n".join(puts.format(one.words, mark) for one, mark in zip(said, written.marks, strict=True))
    also = f"## See also\n\n- [The next one]({following}.md)\n- [[{following}|by name]]"
    front = f"title: {title}\ntype: Concept\n{written.front}"
    return f"---\n{front}---\n\n# {title}\n\n{body}\n\n{also}\n\n{written.end}".rstrip() + "\n"


def _summary(name: str) -> str:
    front = f"title: Summary of {name}\ntype: source\nsource_file: raw/{name}.md\n"
    return f"---\n{front}---\n\n# {name}\n\nWhat the file holds.\n"


def _source(number: int) -> list[Said]:
    said, line = [], 1
    for turn in range(len(_SECTIONS) * _EVERY):
        section = _SECTIONS[turn // _EVERY]
        line += 4 if turn % _EVERY == 0 else 2
        said.append(Said(_name(number), _sentence(number, turn), line + 1, section, f"{turn}:{number % 50 + 10:02}"))
        line += 1
    return said


def _text(said: list[Said], name: str) -> str:
    lines = [f"# {name}"]
    for turn, one in enumerate(said):
        if turn % _EVERY == 0:
            lines += ["", f"## {one.section}"]
        lines += ["", f"[{one.moment}]", one.words]
    return "\n".join(lines) + "\n"


def _sentence(number: int, turn: int) -> str:
    place, good = _PLACES[(number * 5 + turn) % len(_PLACES)], _GOODS[(number + turn * 7) % len(_GOODS)]
    keeper, amount = _KEEPERS[(number + turn) % len(_KEEPERS)], 100 + (number * 37 + turn * 61) % 800
    year = 1600 + (number * 12 + turn) % 300
    return f"In {year} the {keeper} of {place} was told that {amount} tons of {good} had been stored before the frost."


def _name(number: int) -> str:
    return f"ledger-{number:02}"


def _canonical(said: tuple[Said, ...]) -> Written:
    notes = [f'[^{n}]: raw/{one.source}.md, "{one.words}"' for n, one in enumerate(said, 1)]
    return Written(_numbered(said), "\n".join(notes), is_quoted=False)


def _footnote_link(said: tuple[Said, ...]) -> Written:
    notes = [
        f"[^{n}]: [raw/{one.source}.md](../raw/{one.source}.md), {where} — the keeper's own words"
        for n, (one, where) in enumerate(zip(said, _places(said), strict=True), 1)
    ]
    return Written(_numbered(said), "\n".join(notes))


def _places(said: tuple[Said, ...]) -> tuple[str, ...]:
    first, second, third = said
    return f"lines {first.line - 1}-{first.line}", f"lines {second.line}", f"§ {third.section}"


def _footnote_page(said: tuple[Said, ...]) -> Written:
    notes = [f"[^src-{n}]: [[{one.source}-summary]]" for n, one in enumerate(said, 1)]
    return Written(tuple(f"[^src-{n}]" for n in range(1, len(said) + 1)), "\n".join(notes))


def _inline_source(said: tuple[Said, ...]) -> Written:
    first, second, third = said
    places = (first.slug, f"L{second.line - 1}-L{second.line}", third.moment)
    return Written(tuple(f" (source: raw/{one.source}.md#{at})" for one, at in zip(said, places, strict=True)))


def _caret(said: tuple[Said, ...]) -> Written:
    return Written(tuple(f" ^[{one.source}.md:{one.line - 1}-{one.line}]" for one in said))


def _source_link(said: tuple[Said, ...]) -> Written:
    first, second, third = (one.source for one in said)
    return Written(
        (f" ([{first}](../raw/{first}.md))", f" ([[raw/{second}.md]])", f" ([[{third}]](../raw/{third}.md))")
    )


def _code_path(said: tuple[Said, ...]) -> Written:
    return Written(tuple(f" (`raw/{one.source}.md`)" for one in said))


def _source_line(said: tuple[Said, ...]) -> Written:
    return Written(tuple(f"\n\n**Source**: raw/{one.source}.md" for one in said))


def _source_list(said: tuple[Said, ...]) -> Written:
    first, second, third = (one.source for one in said)
    listed = f"- [{first}](../raw/{first}.md)\n- raw/{second}.md\n- [[raw/{third}.md]]"
    return Written(("",) * len(said), f"## Sources\n\n{listed}")


def _frontmatter(said: tuple[Said, ...]) -> Written:
    return Written(("",) * len(said), front="sources:\n" + "".join(f"  - raw/{one.source}.md\n" for one in said))


def _okf(said: tuple[Said, ...]) -> Written:
    entries = "".join(f"  - id: led-{n}\n    resource: ../raw/{one.source}.md\n" for n, one in enumerate(said, 1))
    return Written(tuple(f"[^led-{n}]" for n in range(1, len(said) + 1)), front=f"sources:\n{entries}")


def _numbers(said: tuple[Said, ...]) -> Written:
    listed = "\n".join(f"{n}. [{one.source}](../raw/{one.source}.md)" for n, one in enumerate(said, 1))
    return Written(tuple(f" [{n}]" for n in range(1, len(said) + 1)), f"## References\n\n{listed}")


def _remark(said: tuple[Said, ...]) -> Written:
    linked, *_ = said
    link = f"[raw/{linked.source}.md](../raw/{linked.source}.md)"
    notes = (f"[^1]: {link}", "[^2]: LLM — model knowledge", "[^3]: A guess, no more.")
    return Written(_numbered(said), "\n".join(notes))


def _numbered(said: tuple[Said, ...]) -> tuple[str, ...]:
    return tuple(f"[^{n}]" for n in range(1, len(said) + 1))


STYLES: Mapping[str, Style] = {
    "canonical": _canonical,
    "footnote_link": _footnote_link,
    "footnote_page": _footnote_page,
    "inline_source": _inline_source,
    "caret": _caret,
    "source_link": _source_link,
    "code_path": _code_path,
    "source_line": _source_line,
    "source_list": _source_list,
    "frontmatter": _frontmatter,
    "okf": _okf,
    "numbered": _numbers,
    "remark": _remark,
}
"""Every dialect by its id."""
