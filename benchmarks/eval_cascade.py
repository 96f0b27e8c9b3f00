"""M2 for one ingest over 10,000 pages, against one `git grep -o -F` for its 20 terms at the same commit.

Without the index, that is with nothing kept at all; and with the pages' terms in the index, what was found for the
ingest itself forgotten. Then one source more in a corpus of 10,000, against counting the corpus anew.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from benchmarks.timing import Options, Ratio, interleave
from benchmarks.wikis import SYLLABLES, commit_files
from gitops.evals.metric import MetricResult
from gitops.evals.metrics import m2
from gitops.evals.subject import Subject
from gitops.git.repository import open_repository
from gitops.git.snapshot import resolve
from gitops.runs import landing, staging
from gitops.runs.context import CACHE, Context
from gitops.runs.outcome import Options as Finish
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace, find

COLD, WARM, ADDED = 1.1, 0.1, 0.01
PAGES, SOURCES = 10_000, 10_000
_POLICY = b'[workspace]\nname = "bench"\n'
_MAIN = "refs/heads/main"
_VOCABULARY = 20_000
_TOPIC = 2_000
"""A source speaks of rare words: those of rank 300 to this. The frequent ones fill the text."""


@dataclass(frozen=True, slots=True)
class Mill:
    """A bare repository with a workspace, driven in this process."""

    folder: Path

    @property
    def context(self) -> Context:
        """As a door would make it."""
        return Context(open_repository(self.folder))

    @property
    def kept(self) -> Path:
        """What may be deleted at any time."""
        return self.folder / "assay" / CACHE


def run(options: Options) -> list[Ratio]:
    """Without the index, with it, and one source more."""
    pages, sources = options.size(PAGES), options.size(SOURCES)
    mill = Mill(options.scratch / "pages.git")
    _build(mill, pages, 50)
    _ingest(mill)
    grep = _grep(mill, tuple(_compute(mill).details["ingests"][0]["terms"]))
    cold = interleave({"floor": grep, "ours": _cold(mill)}, options.rounds)
    _count_pages(mill)
    with _at(mill, resolve(mill.context.repository, _MAIN)) as bench, closing(_opened(mill)) as kept:
        warm = interleave({"floor": grep, "ours": _warm(bench, kept)}, options.rounds)
    floor = "git grep -o -F -e … at the commit"
    return [
        Ratio("M2 of one ingest, without the index", floor, COLD, pages, cold["ours"], cold["floor"]),
        Ratio("M2 of one ingest, with the index", floor, WARM, pages, warm["ours"], warm["floor"]),
        _one_more(options, sources),
    ]


def _one_more(options: Options, sources: int) -> Ratio:
    corpus = Mill(options.scratch / "corpus.git")
    _build(corpus, 1, sources)
    before = resolve(corpus.context.repository, _MAIN)
    after = _add_source(corpus)
    _count_sources(corpus, before)
    steps = _alternating([after, before])
    anew = Mill(options.scratch / "anew.git")
    shutil.copytree(corpus.folder, anew.folder)

    def count_anew() -> None:
        _forget(anew)
        _count_sources(anew, after)

    sides = {"floor": count_anew, "ours": lambda: _count_sources(corpus, next(steps))}
    seconds = interleave(sides, options.rounds)
    return Ratio("one source more, or less", "counting all anew", ADDED, sources, seconds["ours"], seconds["floor"])


def _alternating(commits: list[str]) -> Iterator[str]:
    while True:
        yield from commits


def _compute(mill: Mill) -> MetricResult:
    with _at(mill, resolve(mill.context.repository, _MAIN)) as bench:
        return _measured(bench)


def _measured(bench: Bench) -> MetricResult:
    found = m2.compute(Subject(bench, bench.context.clock()))
    if found.score is None:
        raise RuntimeError(f"nothing was measured: {found.reason}")
    return found


def _grep(mill: Mill, terms: tuple[str, ...]) -> Callable[[], None]:
    asked = [word for term in terms for word in ("-e", term)]
    command = ["git", "grep", "-o", "-F", *asked, "main", "--", "wiki"]

    def run() -> None:
        subprocess.run(command, cwd=mill.folder, stdout=subprocess.DEVNULL, check=True)

    return run


def _cold(mill: Mill) -> Callable[[], object]:
    def run() -> MetricResult:
        _forget(mill)
        return _compute(mill)

    return run


def _warm(bench: Bench, kept: sqlite3.Connection) -> Callable[[], object]:
    """As the runner computes a metric, on a bench that is open for all of them."""

    def run() -> MetricResult:
        kept.execute("DELETE FROM entries WHERE kind = 'mentions'")
        return _measured(bench)

    return run


def _opened(mill: Mill) -> sqlite3.Connection:
    """The file of the cache, to forget what was found for the ingest, at next to no cost."""
    kept = sqlite3.connect(mill.kept, isolation_level=None)
    kept.execute("PRAGMA synchronous = OFF")
    return kept


def _forget(mill: Mill) -> None:
    for file in mill.kept.parent.glob(f"{CACHE}*"):
        file.unlink()


def _at(mill: Mill, commit: str) -> Bench:
    context = mill.context
    return Bench(context, find(context.repository, commit), commit)


def _count_pages(mill: Mill) -> None:
    with _at(mill, resolve(mill.context.repository, _MAIN)) as bench:
        bench.corpus()


def _count_sources(mill: Mill, commit: str) -> int:
    with _at(mill, commit) as bench:
        return bench.source_corpus().documents


def _ingest(mill: Mill) -> None:
    """Land an ingest that touches ten pages, judged by nobody: M2 asks for no verdict."""
    context = mill.context
    workspace: Workspace = find(context.repository, _MAIN)
    asked = staging.Request("ingest", ("raw/00/source-0.md",), run_id="bench-0001")
    started = staging.start(context, workspace, _MAIN, asked)
    for number in range(10):
        path = _page_path(number)
        staging.write(context, started, workspace, path, _text(1_000_000 + number, 350))
    landing.finish(context, started.id, Finish(no_verify=True))


def _add_source(mill: Mill) -> str:
    path = mill.folder.parent / "one-more.md"
    path.write_bytes(_source(999_999))
    blob = _git(mill, "hash-object", "-w", str(path))
    environment = {"GIT_INDEX_FILE": str(mill.folder.parent / "one-more.index")}
    _git(mill, "read-tree", "main", **environment)
    _git(mill, "update-index", "--add", "--cacheinfo", f"100644,{blob},raw/00/one-more.md", **environment)
    tree = _git(mill, "write-tree", **environment)
    return _git(mill, "commit-tree", tree, "-p", "main", "-m", "One more")


def _git(mill: Mill, *arguments: str, **environment: str) -> str:
    import os

    env = {**os.environ, **environment}
    return subprocess.run(
        ["git", *arguments], cwd=mill.folder, env=env, capture_output=True, text=True, check=True
    ).stdout.strip()


def _build(mill: Mill, pages: int, sources: int) -> None:
    mill.folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main"], cwd=mill.folder, check=True)
    commit_files(mill.folder, _files(pages, sources))


def _files(pages: int, sources: int) -> Iterator[tuple[str, bytes]]:
    yield "assay.toml", _POLICY
    yield "wiki/index.md", b"# Index\n"
    yield "wiki/log.md", b"# Log\n"
    for number in range(pages):
        yield _page_path(number), _text(number, 350)
    for number in range(sources):
        yield f"raw/{number % 100:02}/source-{number}.md", _source(number)


def _page_path(number: int) -> str:
    return f"wiki/{number % 100:02}/page-{number}.md"


def _source(number: int) -> bytes:
    draw = random.Random(-1 - number)
    topic = draw.sample(_words()[300:_TOPIC], 20)
    return _text(2_000_000 + number, 600) + " ".join(draw.choices(topic, k=200)).encode() + b".\n"


def _text(number: int, words: int) -> bytes:
    """Paragraphs of words as frequent as in a language (Zipf), every fifth sentence with a dash or an accent."""
    draw = random.Random(number)
    drawn = draw.choices(_words(), cum_weights=_weights(), k=words)
    sentences = [" ".join(drawn[start : start + 14]).capitalize() for start in range(0, words, 14)]
    marked = [f"{one} — café" if at % 5 == 0 and number % 4 == 0 else one for at, one in enumerate(sentences)]
    marked = [f"{one}’s" if at % 7 == 0 else one for at, one in enumerate(marked)]
    paragraphs = (". ".join(marked[start : start + 5]) for start in range(0, len(marked), 5))
    return f"---\ntitle: Page {number}\n---\n\n".encode() + ".\n\n".join(paragraphs).encode() + b".\n"


@cache
def _words() -> list[str]:
    draw = random.Random(5)
    made: dict[str, None] = {}
    while len(made) < _VOCABULARY:
        made["".join(draw.choices(SYLLABLES, k=draw.randint(2, 5)))] = None
    return list(made)


@cache
def _weights() -> list[float]:
    return list(accumulate(1 / (rank + 10) for rank in range(_VOCABULARY)))
