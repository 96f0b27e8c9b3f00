"""More made-up wikis: the same conventions in other languages, with other quotation marks, headings and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SOURCES = PAGES = 4
_SENTENCES = 10


@dataclass(frozen=True, slots=True)
class Tongue:
    """A language: what sources say (with numbers to fill in), how a claim puts it, and its quotation marks."""

    says: str
    puts: str
    marks: str


ENGLISH = Tongue(
    "By the end of {y} the keepers of hall {n} had counted {c} crates and lost {d} of them to the damp.",
    "The book of hall {n} has this: {q}",
    "“”",
)
GERMAN = Tongue(
    "Im Jahr {y} wurden in Halle {n} genau {c} Kisten gezählt, und {d} davon gingen durch Feuchtigkeit verloren.",
    "Im Buch der Halle {n} steht: {q}",
    "„“",
)
FRENCH = Tongue(
    "En {y}, les gardiens de la salle {n} avaient compté {c} caisses et perdu {d} d’entre elles à cause de l’humidité.",
    "Le livre de la salle {n} le dit ainsi : {q}",
    "«»",
)
JAPANESE = Tongue(
    "{y}年に第{n}倉庫の番人は木箱を{c}個数え、そのうち{d}個を湿気のために失ったと記録している。",
    "第{n}倉庫の帳簿にはこうある。{q}",
    "「」",
)
CHINESE = Tongue(
    "{y}年，第{n}号仓库的看守清点了{c}只木箱，其中{d}只因受潮而损失殆尽，账册里写得很清楚。",
    "第{n}号仓库的账册写道：{q}",
    "“”",
)
KOREAN = Tongue(
    "{y}년에 제{n}창고의 관리인은 나무 상자 {c}개를 세었고 그 가운데 {d}개를 습기 때문에 잃었다고 적었다.",
    "제{n}창고의 장부에는 이렇게 적혀 있다: {q}",
    "“”",
)
RUSSIAN = Tongue(
    "К концу {y} года сторожа склада {n} насчитали {c} ящиков и потеряли {d} из них из-за сырости.",
    "В книге склада {n} сказано: {q}",
    "«»",
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A wiki: its language, folders, what a source is called, and how a page is written from claims and sources.

    `page` is given, for each claim, its words, the source's name, and the words that it quotes.
    """

    tongue: Tongue
    raw: str
    source: str
    page: Callable[[list[tuple[str, str, str]]], str]
    suffix: str = ".md"


def write(folder: Path) -> None:
    """Write all the wikis, each with sources of its own, below `wikis/`."""
    for number, (name, layout) in enumerate(LAYOUTS.items()):
        for path, text in _files(layout, 100 + number * SOURCES):
            file = folder / "wikis" / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def _files(layout: Layout, first: int) -> Iterator[tuple[str, str]]:
    names = [layout.source.format(first + number) for number in range(SOURCES)]
    said = [[_said(layout.tongue, first + number, turn) for turn in range(_SENTENCES)] for number in range(SOURCES)]
    for name, sentences in zip(names, said, strict=True):
        yield f"{layout.raw}/{name}{layout.suffix}", _text(name, sentences, layout.suffix)
    yield "wiki/index.md", "# Index\n\n" + "".join(f"- [[hall-{first + number}]]\n" for number in range(PAGES))
    for number in range(PAGES):
        chosen = [((number + step) % SOURCES, (number * 2 + step * 3) % _SENTENCES) for step in range(3)]
        claims = [_claim(layout.tongue, first + at, names[at], said[at][turn]) for at, turn in chosen]
        front = f"---\ntitle: Hall {first + number}\ntype: concept\n---\n\n# Hall {first + number}\n\n"
        more = f"\n\n[[hall-{first + (number + 1) % PAGES}]]\n"
        yield f"wiki/hall-{first + number}.md", front + layout.page(claims) + more


def _text(name: str, sentences: list[str], suffix: str) -> str:
    if suffix == ".html":
        body = "".join(f"<p>{one.replace('hall', '<b>hall</b>').replace('&', '&amp;')}</p>\n" for one in sentences)
        return f"<!doctype html><title>{name}</title><script>let a = 'x < y';</script><body>\n{body}</body>\n"
    if suffix == ".txt":
        return "".join(f"{one[:at]}\n{one[at + 1 :]}\n" for one in sentences for at in [one.index(" ", len(one) // 2)])
    return f"# {name}\n\n" + "\n\n".join(sentences) + "\n"


def _said(tongue: Tongue, number: int, turn: int) -> str:
    year, crates = 1700 + (number * 7 + turn * 3) % 250, 200 + (number * 41 + turn * 67) % 700
    return tongue.says.format(y=year, n=number, c=crates, d=11 + (number + turn * 5) % 80)


def _claim(tongue: Tongue, number: int, name: str, words: str) -> tuple[str, str, str]:
    quoted = f"{tongue.marks[0]}{words}{tongue.marks[1]}"
    return tongue.puts.format(n=number, q=quoted), name, words


def _each(form: str) -> Callable[[list[tuple[str, str, str]]], str]:
    """Every claim followed by a citation of its own; `{}` is the source's name."""
    return lambda claims: "\n\n".join(claim + form.format(name) for claim, name, _ in claims)


def _listed(heading: str, item: str) -> Callable[[list[tuple[str, str, str]]], str]:
    """A list of sources for the whole page."""

    def page(claims: list[tuple[str, str, str]]) -> str:
        listed = "\n".join(item.format(name) for _, name, _ in claims)
        return "\n\n".join(claim for claim, _, _ in claims) + f"\n\n## {heading}\n\n{listed}"

    return page


def _bullets(form: str) -> Callable[[list[tuple[str, str, str]]], str]:
    return lambda claims: "\n".join(f"- {claim}{form.format(name)}" for claim, name, _ in claims)


def _cells(form: str) -> Callable[[list[tuple[str, str, str]]], str]:
    def page(claims: list[tuple[str, str, str]]) -> str:
        rows = "\n".join(f"| {number} | {claim}{form.format(name)} |" for number, (claim, name, _) in enumerate(claims))
        return f"| no | what |\n|---|---|\n{rows}"

    return page


def _blocks(form: str) -> Callable[[list[tuple[str, str, str]]], str]:
    """Quote blocks, each with its citation in the line behind it."""
    return lambda claims: "\n\n".join(f"> {words}\n>\n> {form.format(name)}" for _, name, words in claims)


def _notes(form: str) -> Callable[[list[tuple[str, str, str]]], str]:
    """Footnotes whose definitions are written so."""

    def page(claims: list[tuple[str, str, str]]) -> str:
        body = "\n\n".join(f"{claim}[^{number}]" for number, (claim, _, _) in enumerate(claims, 1))
        notes = "\n".join(f"[^{number}]: {form.format(name)}" for number, (_, name, _) in enumerate(claims, 1))
        return f"{body}\n\n{notes}"

    return page


LAYOUTS: Mapping[str, Layout] = {
    "de-quellen": Layout(GERMAN, "raw", "buch-{}", _listed("Quellen", "- [Buch](../raw/{}.md)")),
    "de-fussnoten": Layout(GERMAN, "raw", "Buch {}", _notes("[Buch](<../raw/{}.md>), gelesen im Mai")),
    "fr-inline": Layout(FRENCH, "raw", "livre-{}", _each(" (source : raw/{}.md)")),
    "ja-inline": Layout(JAPANESE, "raw", "帳簿-{}", _each("（出典：raw/{}.md）")),
    "ja-list": Layout(JAPANESE, "raw", "帳簿-{}", _listed("参考文献", "- [[raw/{}.md]]")),
    "zh-inline": Layout(CHINESE, "raw", "账册-{}", _each("（来源：[[raw/{}.md]]）")),
    "zh-list": Layout(CHINESE, "raw", "账册-{}", _listed("参考资料", "1. [账册](../raw/{}.md)")),
    "ko-inline": Layout(KOREAN, "raw", "장부-{}", _each(" (출처: [장부](../raw/{}.md))")),
    "ko-code": Layout(KOREAN, "raw", "장부-{}", _bullets(" (`raw/{}.md`)")),
    "ru-notes": Layout(RUSSIAN, "raw", "книга-{}", _notes("[книга](../raw/{}.md)")),
    "bullets": Layout(ENGLISH, "raw", "book-{}", _bullets(" — [the book](../raw/{}.md)")),
    "cells": Layout(ENGLISH, "raw", "book {}", _cells(" [the book](<../raw/{}.md>)")),
    "blocks": Layout(ENGLISH, "raw", "book-{}", _blocks("— [the book](../raw/{}.md)")),
    "html": Layout(ENGLISH, "raw/pages", "book {}", _each(" ([the book](<../raw/pages/{}.html>))"), ".html"),
    "text": Layout(RUSSIAN, "raw/2019/05", "буква-{}", _each(" (source: raw/2019/05/{}.txt)"), ".txt"),
    "carets": Layout(ENGLISH, "sources", "book-{}", _each(" ^[{}.md]")),
}
"""Every layout by the name of its folder."""
