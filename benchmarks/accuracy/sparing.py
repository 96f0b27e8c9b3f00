"""Mutations that change the form of a page and nothing of what it says: of none may anything be said."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator

from benchmarks.accuracy.ground import Ground
from benchmarks.accuracy.mutations import NONE, Mutation, Splice, form_of, form_of_quotation
from benchmarks.accuracy.quoted import Quotation
from benchmarks.accuracy.references import PageText, Pointer

_BROKEN = "It is so. (source: raw/none-zq.md) [[nowhere-zq]] [x](nowhere-zq.md) ^[none-zq.md:3]"
_FENCED = f"```\n{_BROKEN} [^zq]\n```"
_COMMENT = f"<!-- {_BROKEN} -->"
TRAPS = {
    "a blank line more": "",
    "comment": _COMMENT,
    "fence": _FENCED,
    "indented code": f"    {_BROKEN}",
    "code span": f"It is written `{_BROKEN}` there.",
    "comment of Obsidian": f"%%{_BROKEN}%%",
    "formula": "The pair $[g_1,g_2](q)$ and $$\\sum [a](b) [[c]]$$ hold.",
    "placeholder": "Cite as `raw/<file>`, `(source: raw/<file>#<anchor>)` or [[<page>]].",
    "task list": "- [ ] not yet\n- [x] done\n- [X](#) and [ ](#)",
    "table": "| a | b |\n|---|---|\n| x \\| y | `[[p\\|q]]` |",
    "autolink": "See <https://example.org/a_(b)> and https://example.org/raw/none-zq.md, or <mailto:a@example.org>.",
    "reference link": "See [that page][zq-ref] and [zq-ref].\n\n[zq-ref]: https://example.org/raw/none-zq.md",
    "block id": "A remark that stands alone. ^zq-block",
    "escaped": "Not a link: \\[\\[nowhere-zq\\]\\], \\[x\\](nowhere-zq.md), nor \\[^zq].",
    "brackets": "Arrays a[1], b[i](j), {c[2]} and [sic] and [...] and […] are no citations.",
    "emphasis": 'He called it a "real so-called quick fix" and *nothing* more.',
    "attribute": '<span title="[[nowhere-zq]] (source: raw/none-zq.md)">So it is.</span>',
}
"""What may be put between two paragraphs and refers to nothing."""
_DASHES = str.maketrans({"—": "–", "–": "-", "-": "‐"})
_OTHER_MARKS = {'"': "“”", "“": '""', "「": "『』", "«": '""', "„": "“”"}
_PLAIN = re.compile(r"[^\W\d_*“\"]")


def every(ground: Ground, chance: random.Random) -> Iterator[Mutation]:
    """Every mutation of every kind."""
    for page in ground.pages.values():
        yield from _page(page, chance)
    for one in ground.every:
        yield from _pointer(ground, one)
    for quoted in ground.quotations:
        yield from _quotation(ground, quoted, chance)


def _spared(kind: str, form: str, path: str, line: int, *splices: Splice) -> Mutation:
    return Mutation(kind, form, NONE, path, line, path, splices)


def _page(page: PageText, chance: random.Random) -> Iterator[Mutation]:
    blank = [(number, start) for number, start, line in page.of("body") if not line and _is_between(page, number)]
    if blank:
        number, at = chance.choice(blank)
        for name, text in TRAPS.items():
            yield _spared("put in", name, page.path, number + 1, (at, at, f"\n{text}\n"))
    ends = [(number, start + len(line)) for number, start, line in page.of("body") if line and not line.endswith(" ")]
    if ends:
        yield _spared("space at line ends", "page", page.path, 1, *((at, at, " ") for _, at in ends))
    decomposed = unicodedata.normalize("NFD", page.text)
    if decomposed != page.text:
        yield _spared("NFD", "page", page.path, 1, (0, len(page.text), decomposed))


def _is_between(page: PageText, number: int) -> bool:
    """Is a blank line between two plain paragraphs, where anything may be put in?"""
    beside = page.lines[number - 1 : number] + page.lines[number + 1 : number + 2]
    return len(beside) == 2 and all(_PLAIN.match(line) for line in beside)


def _pointer(ground: Ground, one: Pointer) -> Iterator[Mutation]:
    text, form = ground.pages[one.path].text, form_of(one)
    if one.form == "Markdown link":
        if re.match(r"[\w]", one.target):
            yield _spared("./ before the path", form, one.path, one.line, (one.start, one.start, "./"))
        if text[one.start - 1] == "(" and text[one.end] == ")":
            yield _spared(
                "angle brackets", form, one.path, one.line, (one.start, one.start, "<"), (one.end, one.end, ">")
            )
            yield _spared("title put in", form, one.path, one.line, (one.end, one.end, ' "A title, [[so]]"'))
        if not one.target.isascii() and "%" not in one.target:
            other = unicodedata.normalize("NFD", one.target)
            yield _spared("NFD", form, one.path, one.line, (one.start, one.end, other))
    if one.form == "wiki-link":
        yield _spared("other case", form, one.path, one.line, (one.start, one.end, one.target.swapcase()))
        if not re.search(r"\.\w+$", one.target):
            yield _spared(".md put on", form, one.path, one.line, (one.end, one.end, ".md"))
    if one.fragment is not None:
        start, end = one.fragment
        said = text[start:end]
        if re.match(r"[a-z][a-z-]+$", said):
            yield _spared("case of a heading", form, one.path, one.line, (start, end, said.title()))


def _quotation(ground: Ground, quoted: Quotation, chance: random.Random) -> Iterator[Mutation]:
    page, form = ground.pages[quoted.path], form_of_quotation(quoted)
    inside = [found.start() + quoted.start for found in re.finditer(r"(?<=\w) (?=[^\W\d_])", quoted.text)]
    where = (quoted.path, quoted.line)
    marks = _OTHER_MARKS.get(page.text[quoted.start - 1])
    if marks and quoted.cited.form != "footnote path":  # the grammar of the canonical footnote knows one kind alone
        changed = ((quoted.start - 1, quoted.start, marks[0]), (quoted.end, quoted.end + 1, marks[1]))
        yield _spared("other quotation marks", form, *where, *changed)
    if inside:
        at = chance.choice(inside)
        yield _spared("two spaces", form, *where, (at, at + 1, "  "))
        yield _spared("no-break space", form, *where, (at, at + 1, "\u00a0"))
        if _PLAIN.match(page.lines[quoted.line - 1]):
            yield _spared("line wrap", form, *where, (at, at + 1, "\n"))
    if (dashed := quoted.text.translate(_DASHES)) != quoted.text:
        yield _spared("other dashes", form, *where, (quoted.start, quoted.end, dashed))
    decomposed = unicodedata.normalize("NFD", quoted.text)
    if decomposed != quoted.text:
        yield _spared("NFD", form, *where, (quoted.start, quoted.end, decomposed))
