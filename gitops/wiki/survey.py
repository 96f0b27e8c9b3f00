"""What a wiki is like: how it cites, what its frontmatter holds, how it links. Counts of parsed pages, nothing more."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from gitops.wiki import dialects, sentences
from gitops.wiki.model import Cite, Page

FIRST = ("okf", "canonical", "footnote_link", "footnote_page")
"""Of several that know a footnote's form, the narrowest first."""
LAST = ("numbered", "remark")

_LOG_FORMS = (
    ("## [date] operation | title", re.compile(r"^##+ \[\d{4}-\d\d-\d\d[^\]]*\][^\n|]*\|", re.MULTILINE)),
    ("## [date]", re.compile(r"^##+ \[\d{4}-\d\d-\d\d", re.MULTILINE)),
    ("## date", re.compile(r"^##+ \d{4}-\d\d-\d\d", re.MULTILINE)),
    ("table", re.compile(r"^\|.*\d{4}-\d\d-\d\d.*\|", re.MULTILINE)),
    ("- date", re.compile(r"^[-*+] \**\[?\d{4}-\d\d-\d\d", re.MULTILINE)),
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def all_dialects() -> tuple[str, ...]:
    """Every dialect there is, in an order in which none takes what is another's."""
    middle = [name for name in dialects.ids() if name not in (*FIRST, *LAST)]
    known = dialects.ids()
    return tuple(name for name in (*FIRST, *middle, *LAST) if name in known)


@dataclass(slots=True)
class Survey:
    """What was counted so far.

    `source_pages` are folders, and globs of names, of pages that stand for a source each, besides the usual ones.
    `cites` and `citing_pages` are by dialect. `fields` has for each frontmatter key the pages that have it, by the
    type of its value. `links` are by kind. `owing` sentences owe a citation; `cited` ones have one in their block
    or page; of `checkable` ones it leads to a source that can be read here.
    """

    source_pages: tuple[str, ...] = ()
    pages: int = 0
    cites: Counter[str] = field(default_factory=Counter)
    citing_pages: Counter[str] = field(default_factory=Counter)
    fields: dict[str, Counter[str]] = field(default_factory=dict)
    links: Counter[str] = field(default_factory=Counter)
    owing: int = 0
    cited: int = 0
    checkable: int = 0

    def add(self, page: Page, is_checkable: Callable[[Cite], bool]) -> None:
        """Count one page."""
        self.pages += 1
        every = [*page.cites, *dict.fromkeys(cite for claim in page.claims for cite in claim.cites)]
        self.cites.update(cite.dialect for cite in every)
        self.citing_pages.update({cite.dialect for cite in every})
        self.links.update(link.kind for link in page.links)
        for key, value in page.frontmatter.items():
            self.fields.setdefault(str(key), Counter())[_type(value)] += 1
        self._count_sentences(page, is_checkable)

    def _count_sentences(self, page: Page, is_checkable: Callable[[Cite], bool]) -> None:
        whole = any(map(is_checkable, page.cites))
        good = [claim.place for claim in page.claims if any(map(is_checkable, claim.cites))]
        lines = sorted((place.line, place.end_line) for place in good)
        for sentence in sentences.sentences(page):
            if sentence.free:
                continue
            self.owing += 1
            self.cited += sentence.cited
            near = bisect_right(lines, (sentence.place.end_line, 1 << 60)) - 1
            beside = near >= 0 and lines[near][1] >= sentence.place.line
            self.checkable += sentence.cited and (whole or beside)

    def chosen(self) -> tuple[str, ...]:
        """The dialects in use, in the order to ask them; the canonical one always, since new claims are cited in it."""
        used = {"canonical", *self.cites}
        footnotes = ("footnote_link", "footnote_page", "okf")
        if used.intersection(footnotes):
            used.add("remark")
        return tuple(name for name in all_dialects() if name in used)


def index_form(page: Page | None) -> str:
    """How the index lists its pages: wiki-links, Markdown links, a table; or that there is none."""
    if page is None:
        return "none"
    counts = Counter("table" if _in_table(page, link.place.start) else link.kind for link in page.links)
    if not counts:
        return "no links"
    kind = counts.most_common(1)[0][0]
    return {"wiki": "list of wiki-links", "markdown": "list of Markdown links", "table": "table"}.get(kind, kind)


def log_form(text: str | None) -> str:
    """How the log writes its entries, and whether the newest stands first."""
    if text is None:
        return "none"
    form = next((name for name, pattern in _LOG_FORMS if pattern.search(text)), "free text")
    days = _DAY.findall(text)
    if form == "free text" or len(set(days)) < 2:
        return form
    return f"{form}, {'newest' if days[0] > days[-1] else 'oldest'} first"


def _in_table(page: Page, at: int) -> bool:
    start = page.text.rfind("\n", 0, at) + 1
    return page.text[start : start + 200].lstrip().startswith("|")


def _type(value: Any) -> str:
    if isinstance(value, list):
        inner = sorted({_type(each) for each in value})
        return f"list of {' or '.join(inner)}" if inner else "empty list"
    names: Iterable[tuple[type, str]] = ((bool, "true or false"), (int, "number"), (float, "number"), (dict, "mapping"))
    if value is None or value == "":
        return "empty"
    named = next((name for kind, name in names if isinstance(value, kind)), None)
    return named or ("date" if _DAY.match(str(value)) else "text")
