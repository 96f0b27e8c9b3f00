"""Synthetic wikis whose pages speak of one another: each is a topic of the index, and mentions twelve others by name.

A hundred folders at every size, each with an index page that lists its pages. One topic is mentioned on three pages of
ten. The words are made up by number: the same number makes the same page.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from benchmarks.wikis import FOLDERS, SYLLABLES, commit_files

COMMON = 0
"""The number of the topic that three pages of ten mention."""
_OTHERS = (1, 7, 31, 63, 127, 255, 511, 1_023, 2_047, 4_095, 8_191, 16_383)
"""How far on from a page are those that it mentions."""
_POLICY = b'[workspace]\nname = "bench"\n'
_SOURCE = b"# Source\n\nWhat all pages cite.\n"


def build(folder: Path, pages: int) -> Path:
    """A wiki of so many topics, in one commit on main of a bare repository."""
    folder.mkdir(parents=True)
    subprocess.run(["git", "-C", str(folder), "init", "-q", "--bare", "--initial-branch=main"], check=True)
    commit_files(folder, _files(pages), "-c", "core.compression=1")
    return folder


def path(page: int) -> str:
    """Where a topic's page lies."""
    return f"wiki/{page % FOLDERS:02}/topic-{page:06}.md"


def title(page: int) -> str:
    """What a topic is called: two made-up words, the second its own."""
    digits = [SYLLABLES[page // 16**place % 16] for place in range(5)]
    return f"{_word(page % 50)} {''.join(digits)}".title()


def _files(pages: int) -> Iterator[tuple[str, bytes]]:
    folders = [f"{folder:02}" for folder in range(min(FOLDERS, pages))]
    yield "assay.toml", _POLICY
    yield "raw/source.md", _SOURCE
    yield "wiki/index.md", ("# Index\n\n" + "".join(f"- [{name}]({name}/index.md)\n" for name in folders)).encode()
    yield "wiki/log.md", b"# Log\n"
    for folder, name in enumerate(folders):
        members = range(folder, pages, FOLDERS)
        text = "".join(f"- [{title(page)}](topic-{page:06}.md)\n" for page in members)
        yield f"wiki/{name}/index.md", f"# {name}\n\n{text}".encode()
    for page in range(pages):
        yield path(page), _page(page, pages)


def _page(page: int, pages: int) -> bytes:
    chosen = random.Random(page)
    named = [(page + offset) % pages for offset in _OTHERS] + ([COMMON] if page % 10 < 3 else [])
    own = [f"{title(page)} {_words(chosen)}.[^1]" for _ in range(6)]
    others = [f"Beside {title(other)}, {_words(chosen)}.[^1]" for other in named]
    paragraphs = [" ".join(text[start : start + 3]) for text in (own, others) for start in range(0, len(text), 3)]
    return (f"# {title(page)}\n\n" + "\n\n".join(paragraphs) + "\n\n[^1]: raw/source.md\n").encode()


def _words(chosen: random.Random) -> str:
    return " ".join(_word(chosen.randrange(50, 4_000)) for _ in range(9))


@cache
def _word(number: int) -> str:
    words = random.Random(-1 - number)
    return "".join(words.choices(SYLLABLES, k=words.randint(2, 4)))
