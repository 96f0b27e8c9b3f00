"""Synthetic wikis: as many pages as wanted, each with a text, four links and a citation of its own, and runs on them.

A hundred folders at every size, so that a large wiki has larger folders and not only more of them. The text is
made of made-up words by page number: nothing is shared, and the same number makes the same page.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gitops.git.repository import open_repository
from gitops.runs import staging
from gitops.runs.context import Context
from gitops.runs.workspace import find

FOLDERS = 100
PAGES_PER_SOURCE = 100
CHANGED = 10
"""How many pages a run changes: nine that stand already, and a new one."""

SYLLABLES = ("ka", "lo", "mi", "re", "tu", "san", "vel", "dor", "pin", "gra", "os", "ne", "fil", "bar", "tem", "lun")
_IDENTITY = {"user.name": "Bench", "user.email": "bench@example.org", "gc.auto": "0"}
_WHO = b"committer Bench <bench@example.org> 1700000000 +0000\n"
_POLICY = b'[workspace]\nname = "bench"\n'


@dataclass(frozen=True, slots=True)
class Wiki:
    """A repository with a checked-out workspace of so many pages (the index and the folders' lists not counted)."""

    folder: Path
    pages: int

    @property
    def sources(self) -> int:
        """How many sources its pages cite."""
        return max(1, self.pages // PAGES_PER_SOURCE)


def build(folder: Path, pages: int) -> Wiki:
    """A wiki in one commit on main, checked out."""
    wiki = Wiki(folder, pages)
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "--initial-branch=main")
    commit_files(folder, _files(wiki), "-c", "core.compression=1")
    _git(folder, "read-tree", "-m", "-u", "main")
    return wiki


def commit_files(folder: Path, files: Iterable[tuple[str, bytes]], *options: str) -> None:
    """Bring files into a fresh repository as one commit on main; `options` are git's own."""
    for key, value in _IDENTITY.items():
        _git(folder, "config", key, value)
    command = ["git", *options, "fast-import", "--quiet", "--depth=0"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(b"commit refs/heads/main\n" + _WHO + b"data 9\nfounding\n")
        for path, content in files:
            child.stdin.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(content), content))
    if child.returncode:
        raise RuntimeError(f"git fast-import: exit code {child.returncode}")


def begin(wiki: Wiki, run: int) -> str:
    """Start run number `run` and write its ten pages, two quotations on each; its id. No two runs share a page."""
    context = Context(open_repository(wiki.folder))
    workspace = find(context.repository, "refs/heads/main")
    request = staging.Request(reason="a benchmark", run_id=f"bench-{run:04}", run_type="cascade")
    started = staging.start(context, workspace, "refs/heads/main", request)
    for path, content in _revised(wiki, run):
        staging.write(context, started, workspace, path, content)
    return started.id


def _files(wiki: Wiki) -> Iterator[tuple[str, bytes]]:
    yield "assay.toml", _POLICY
    for number in range(wiki.sources):
        yield _source_path(number), ("\n\n".join(_source(number)) + "\n").encode()
    lists = [f"{folder:02}/list-{folder:02}.md" for folder in range(min(FOLDERS, wiki.pages))]
    yield "wiki/index.md", ("# Index\n\n" + "".join(f"- [{name}]({name})\n" for name in lists)).encode()
    yield "wiki/log.md", b"# Log\n"
    for folder, name in enumerate(lists):
        members = range(folder, wiki.pages, FOLDERS)
        text = "".join(f"- [[{_name(page)}]]\n" for page in members)
        yield f"wiki/{name}", f"# List {folder}\n\n{text}".encode()
    for page in range(wiki.pages):
        yield _path(page), _page(wiki, page)


def _revised(wiki: Wiki, run: int) -> Iterator[tuple[str, bytes]]:
    new = wiki.pages + run
    for place in range(CHANGED - 1):
        page = (run * (CHANGED - 1) + place) * 7 % wiki.pages
        yield _path(page), _page(wiki, page, run=run, also=[new])
    yield _path(new), _page(wiki, new, run=run)


def _page(wiki: Wiki, page: int, *, run: int | None = None, also: Sequence[int] = ()) -> bytes:
    """A page of about 1,500 bytes; a run adds a claim with a citation of its own, and links to the pages in `also`.

    Where the whole page is a run's, its paragraphs are cited too: what is new owes a citation.
    """
    words = random.Random(page)
    mark = "[^1]" if page >= wiki.pages else ""
    title, claim, *rest = (_sentence(words) for _ in range(20))
    paragraphs = [" ".join(rest[start : start + 6]) + mark for start in range(0, len(rest), 6)]
    claims, notes = [f"{claim}[^1]"], [_note(wiki, 1, page)]
    if run is not None:
        claims.append(f"{_sentence(random.Random(f'{run} {page}'))}[^2]")
        notes.append(_note(wiki, 2, page + run + 1))
    links = "".join(f"- {link}\n" for link in _links(wiki, page, also))
    heading = f"---\ntitle: {_name(page)}\n---\n\n# {title[:-1]}"
    return ("\n\n".join([heading, " ".join(claims), *paragraphs, links, *notes]) + "\n").encode()


def _links(wiki: Wiki, page: int, also: Sequence[int]) -> Iterator[str]:
    """Four links, of both kinds, to the same folder and to others; and one for each page in `also`."""
    far = (page * 31 + 7) % wiki.pages
    yield f"[[{_name((page + 1) % wiki.pages)}]]"
    yield f"[[{_name((page + FOLDERS) % wiki.pages)}|the next]]"
    yield f"[this one](../{far % FOLDERS:02}/{_name(far)}.md)"
    yield f"[[list-{page % min(FOLDERS, wiki.pages):02}]]"
    for other in also:
        yield f"[[{_name(other)}]]"


def _note(wiki: Wiki, label: int, number: int) -> str:
    source = number % wiki.sources
    quotes = _source(source)
    return f'[^{label}]: {_source_path(source)}, "{quotes[number // wiki.sources % len(quotes)]}"'


@cache
def _source(number: int) -> tuple[str, ...]:
    words = random.Random(-1 - number)
    return tuple(f"{_sentence(words)[:-1]} in {1900 + place} of {number}." for place in range(40))


def _source_path(number: int) -> str:
    return f"raw/source-{number:05}.md"


def _path(page: int) -> str:
    return f"wiki/{page % FOLDERS:02}/{_name(page)}.md"


def _name(page: int) -> str:
    return f"page-{page:06}"


def _sentence(words: random.Random) -> str:
    return " ".join(words.choices(_vocabulary(), k=9)).capitalize() + "."


@cache
def _vocabulary() -> tuple[str, ...]:
    words = random.Random(0)
    return tuple("".join(words.choices(SYLLABLES, k=words.randint(2, 4))) for _ in range(4_000))


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)
