"""The words by which a wiki says "source": before a colon, and over a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from gitops.wiki.blocks import Block
from gitops.wiki.outline import Outline

FIRM = frozenset((
    "source", "sources", "source file", "source files", "source document", "source documents", "raw source",
    "raw sources", "raw file", "raw files", "primary source", "primary sources", "source path",
    "source paths", "sources used", "original source", "original sources", "sources cited", "src", "来源", "來源",
    "资料来源", "資料來源", "信息来源", "数据来源", "参考来源", "參考來源", "引用来源", "出处", "出處", "出典", "原典",
    "引用元", "情報源", "ソース", "출처", "원문 출처", "자료 출처", "quelle", "quellen", "fuente", "fuentes", "fonte",
    "fontes",
    "источник", "источники", "джерело", "джерела", "fonti", "kaynak", "kaynaklar", "nguồn", "źródło", "źródła",
    "zdroj", "zdroje", "zdrojový soubor", "bron", "bronnen", "källa", "källor", "kilde", "kilder", "lähde", "lähteet",
    "forrás", "források",
))  # fmt: skip
"""What stands before a source and before nothing else; words after it name one."""
SOFT = frozenset((
    "ref", "refs", "reference", "references", "citation", "citations", "cite", "cites", "evidence", "e", "raw",
    "raw path", "raw paths", "raw url", "source url", "source link", "original", "based on", "derived from",
    "extracted from", "原文", "原始文件", "原始资料", "原始資料", "参照", "원본", "원문", "원자료", "참고자료", "참조",
))  # fmt: skip
"""What may stand before other things too: only a path, a link or an address after it is a source."""

_NUMBER = re.compile(
    r"^(?:\d+(?:\.\d+)*[.)]?\s+|(?:\d+|[ivxlc]+)[.)、:：]\s*|[一二三四五六七八九十]+、\s*)", re.IGNORECASE
)
_BESIDE = re.compile(r"\s*[(（\[【][^()（）\[\]【】]*[)）\]】]\s*$")
_JOINED = re.compile(r"\s*(?:[&/+·|,、]|\band\b|\bund\b|\by\b|\be\b|및|和|与|と)\s*")
_WHICH = re.compile(
    r"^(?:public|primary|secondary|key|main|core|raw|original|cited|underlying|supporting|authoritative)\s+"
)
_LONGEST_HEADING = 60
_ODD = re.compile(r"^[^\w]+|[^\w)）\]】]+$")


def folded_label(words: str) -> str:
    """A label or heading for comparison: case and white space folded, without emoji and colons around it."""
    return _ODD.sub("", " ".join(words.split()).casefold())


def is_firm(label: str) -> bool:
    """Whether words after this label name a source even where they are no path."""
    return folded_label(label) in FIRM


@lru_cache(maxsize=4096)
def is_label(label: str, headings: tuple[str, ...]) -> bool:
    """Whether a word before a colon says that a source follows."""
    said = folded_label(label)
    return said in FIRM or said in SOFT or said in _folded(headings)


@cache
def _folded(headings: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(folded_label, headings))


@cache
def _any(headings: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(_folded(headings)))) or r"(?!)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_list_heading(words: str, headings: tuple[str, ...]) -> bool:
    """Whether a heading stands over a list of sources; numbers, emoji, colons, brackets behind it don't matter.

    Of several words joined (`Sources & References`) each must be one; one may say which (`Primary sources`).
    """
    if len(words) > _LONGEST_HEADING or _any(headings).search(words) is None:
        return False
    known = _folded(headings)
    said = folded_label(_NUMBER.sub("", folded_label(words)))
    if said in known or (bare := folded_label(_BESIDE.sub("", said))) in known:
        return True
    if bare.endswith("s") and _WHICH.sub("", bare) in known:  # `Raw source` is what a glossary explains
        return True
    parts = [folded_label(part) for part in _JOINED.split(bare)]
    return len(parts) > 1 and all(part in known for part in parts)


def list_sections(outline: Outline) -> Iterator[tuple[int, Sequence[Block]]]:
    """The level and the blocks of each section that lists sources, up to the next heading of its level or above."""
    headings, blocks = outline.conventions.headings, outline.blocks
    begin = level = 0
    for index, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        if level and block.level <= level:
            yield level, blocks[begin:index]
            level = 0
        if not level and is_list_heading(block.text, headings):
            begin, level = index + 1, block.level
    if level:
        yield level, blocks[begin:]


def listed(outline: Outline) -> set[Block]:
    """The blocks that a list of sources holds, on a wiki that reads such lists; they are that dialect's alone."""
    if "source_list" not in outline.conventions.dialects:
        return set()
    return {block for _, section in list_sections(outline) for block in section}
