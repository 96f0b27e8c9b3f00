"""Synthetic wikis for whole-wiki work: a source of about 20 kB for each page, Markdown and plain text by turns.

A page has frontmatter, about 1,500 bytes of text, two quotations (of its own source and of the next page's), five
links of three kinds. The words are made up by number: nothing is shared, and the same number makes the same file.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from benchmarks.wikis import SYLLABLES, commit_files

FOLDERS = 100
SENTENCES = 300
"""In a source: some 20 kB."""

_POLICY = b'[workspace]\nname = "bench"\n\n[pages]\nrequired = ["title"]\n'


@dataclass(frozen=True, slots=True)
class LargeWiki:
    """A bare repository with a workspace of so many pages (the index and the folders' lists not counted)."""

    folder: Path
    pages: int


def build(folder: Path, pages: int) -> LargeWiki:
    """A wiki in one commit on main of a bare repository: what is checked out costs disk and shows nothing."""
    wiki = LargeWiki(folder, pages)
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "--bare", "--initial-branch=main")
    commit_files(folder, _files(wiki))
    return wiki


def blobs(wiki: LargeWiki) -> bytes:
    """The ids of the pages and sources, one a line and in the order of paths: what `git cat-file --batch` reads."""
    listed = _git(wiki.folder, "ls-tree", "-r", "main", "wiki", "raw").splitlines()
    return b"".join(line.split(b"\t")[0].split(b" ")[2] + b"\n" for line in listed)


def _files(wiki: LargeWiki) -> Iterator[tuple[str, bytes]]:
    yield "assay.toml", _POLICY
    yield from _pages(wiki)
    for number in range(wiki.pages):
        yield _source_path(number), _source(number)


def _pages(wiki: LargeWiki) -> Iterator[tuple[str, bytes]]:
    lists = [f"{folder:02}/list-{folder:02}.md" for folder in range(min(FOLDERS, wiki.pages))]
    yield "wiki/index.md", ("# Index\n\n" + "".join(f"- [{name}]({name})\n" for name in lists)).encode()
    yield "wiki/log.md", b"# Log\n"
    for folder, name in enumerate(lists):
        members = range(folder, wiki.pages, FOLDERS)
        text = "".join(f"- [[{_name(page)}]]\n" for page in members)
        yield f"wiki/{name}", f"---\ntitle: List {folder}\n---\n\n# List {folder}\n\n{text}".encode()
    for page in range(wiki.pages):
        yield f"wiki/{page % FOLDERS:02}/{_name(page)}.md", _page(wiki, page)


def _page(wiki: LargeWiki, page: int) -> bytes:
    sentences = _sentences(random.Random(page), 18)
    title, first, second, *rest = sentences
    front = f"---\ntitle: {title[:-1]}\ntype: concept\ntags: [{', '.join(title[:-1].lower().split()[:3])}]\n---\n"
    paragraphs = [" ".join(rest[start : start + 5]) for start in range(0, len(rest), 5)]
    notes = "\n".join(_note(label, (page + label - 1) % wiki.pages, page) for label in (1, 2))
    links = "\n".join(f"- {link}" for link in _links(wiki, page))
    return "\n".join(
        [
            front,
            f"# {title[:-1]}\n",
            f"{first}[^1] {second}[^2]\n",
            *(f"{text}\n" for text in paragraphs),
            links,
            "",
            notes,
            "",
        ]
    ).encode()


def _links(wiki: LargeWiki, page: int) -> Iterator[str]:
    far = (page * 31 + 7) % wiki.pages
    yield f"[[{_name((page + 1) % wiki.pages)}]]"
    yield f"[[{_name((page + FOLDERS) % wiki.pages)}|the next]]"
    yield f"[this one](../{far % FOLDERS:02}/{_name(far)}.md)"
    yield f"[the source](../../{_source_path(page)})"
    yield f"[[list-{page % min(FOLDERS, wiki.pages):02}]]"


def _note(label: int, source: int, page: int) -> str:
    quotes = _quotes(source)
    return f'[^{label}]: {_source_path(source)}, "{quotes[page * 7 % len(quotes)]}"'


@lru_cache(maxsize=4)
def _quotes(number: int) -> list[str]:
    return _sentences(random.Random(-1 - number), SENTENCES)


def _source(number: int) -> bytes:
    quotes = _quotes(number)
    blocks = [" ".join(quotes[start : start + 6]) for start in range(0, len(quotes), 6)]
    return (f"# Source {number}\n\n" + "\n\n".join(blocks) + "\n").encode()


def _source_path(number: int) -> str:
    return f"raw/{number % FOLDERS:02}/source-{number:06}.{'txt' if number % 2 else 'md'}"


def _name(page: int) -> str:
    return f"page-{page:06}"


def _sentences(words: random.Random, count: int) -> list[str]:
    chosen = words.choices(_vocabulary(), k=9 * count)
    return [" ".join(chosen[start : start + 9]).capitalize() + "." for start in range(0, len(chosen), 9)]


@cache
def _vocabulary() -> tuple[str, ...]:
    words = random.Random(0)
    return tuple("".join(words.choices(SYLLABLES, k=words.randint(2, 4))) for _ in range(4_000))


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout
