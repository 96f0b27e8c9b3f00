"""M1 over 200 commits that change five pages each of a wiki of 10,000, against one measurement of its tip.

Both begin with nothing cached, so the history pays for one whole measurement too; the rest is what the commits changed.
The pages say word for word what they cite, so that the offline judge has something to say.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.timing import Options, Ratio, against
from benchmarks.wikis import FOLDERS, SYLLABLES, commit_files
from gitops.evals.history import history
from gitops.evals.metrics.m1 import METRIC
from gitops.evals.running import Wanted, measured
from gitops.git import snapshot
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.workspace import find

LIMIT = 3.0
PAGES, COMMITS, CHANGED = 10_000, 200, 5
SENTENCES = 40
"""In a source, of which a hundred pages cite one."""
_WANTED = Wanted({"M1": METRIC}, is_past=True)
_WHO = b"committer Bench <bench@example.org> 1700000000 +0000\n"


def run(options: Options) -> list[Ratio]:
    """One ratio."""
    pages = options.size(PAGES)
    folder = build(options.scratch / "wiki.git", pages, COMMITS)
    floor = "one measurement, nothing cached", _once(folder)
    return [
        against(f"history of {COMMITS} commits", floor, _history(folder, COMMITS), options, limit=LIMIT, size=pages)
    ]


def build(folder: Path, pages: int, commits: int) -> Path:
    """A bare repository with a wiki of so many pages, and so many commits that change five of them."""
    folder.mkdir(parents=True)
    subprocess.run(["git", "-C", str(folder), "init", "-q", "--bare", "--initial-branch=main"], check=True)
    commit_files(folder, _files(pages))
    _change(folder, pages, commits)
    return folder


def _once(folder: Path) -> Callable[[], None]:
    def measure() -> None:
        context, commit = _cold(folder)
        (found,) = measured(context, find(context.repository, commit), commit, _WANTED)
        assert found.measurement.metrics["M1"].value is not None, found.measurement.reason

    return measure


def _history(folder: Path, commits: int) -> Callable[[], None]:
    def measure() -> None:
        context, commit = _cold(folder)
        found = history(context, find(context.repository, commit), _WANTED, commit, limit=commits)
        assert len(found.steps) == commits
        assert all(step.number.value is not None for step in found.steps)

    return measure


def _cold(folder: Path) -> tuple[Context, str]:
    for file in (folder / "assay").glob("cache.sqlite3*"):
        file.unlink()
    context = Context(open_repository(folder))
    return context, snapshot.resolve(context.repository, "refs/heads/main")


def _change(folder: Path, pages: int, commits: int) -> None:
    """Commits of five pages each, on top of what is there."""
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--depth=0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        for commit in range(1, commits + 1):
            start = b"from refs/heads/main^0\n" if commit == 1 else b""
            child.stdin.write(b"commit refs/heads/main\n" + _WHO + b"data 6\nchange\n" + start)
            for place in range(CHANGED):
                number = (commit * CHANGED + place) * 7 % pages
                content = _page(number, pages, commit)
                path = _path(number).encode()
                child.stdin.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path, len(content), content))
    if child.returncode:
        raise RuntimeError(f"git fast-import: exit code {child.returncode}")


def _files(pages: int) -> Iterator[tuple[str, bytes]]:
    yield "assay.toml", b'[workspace]\nname = "bench"\n'
    yield "wiki/log.md", b"# Log\n"
    links = "".join(f"- [[page-{number:06}]]\n" for number in range(min(FOLDERS, pages)))
    yield "wiki/index.md", f"# Index\n\n{links}".encode()
    for source in range(_sources(pages)):
        yield _source_path(source), ("\n\n".join(_said(source)) + "\n").encode()
    for number in range(pages):
        yield _path(number), _page(number, pages, 0)


def _page(number: int, pages: int, version: int) -> bytes:
    """Two claims in the words of a source, and about 1,200 bytes that cite nothing and change with the version."""
    source = number % _sources(pages)
    said = _said(source)
    quotes = [said[(number // _sources(pages) * 2 + at) % SENTENCES] for at in (0, 1)]
    words = random.Random(number * 1_000 + version)
    paragraphs = [" ".join(_sentence(words) for _ in range(5)) for _ in range(3)]
    notes = [f'[^{at}]: {_source_path(source)}, "{quote[:-1]}"' for at, quote in enumerate(quotes, 1)]
    claims = " ".join(f"{quote}[^{at}]" for at, quote in enumerate(quotes, 1))
    return ("\n\n".join([f"# Page {number}", claims, *paragraphs, *notes]) + "\n").encode()


def _said(source: int) -> list[str]:
    words = random.Random(-1 - source)
    return [_sentence(words) for _ in range(SENTENCES)]


def _sentence(words: random.Random) -> str:
    chosen = ["".join(words.choices(SYLLABLES, k=words.randint(2, 4))) for _ in range(9)]
    return " ".join(chosen).capitalize() + "."


def _sources(pages: int) -> int:
    return max(1, pages // 100)


def _source_path(source: int) -> str:
    return f"raw/source-{source:05}.md"


def _path(number: int) -> str:
    return f"wiki/{number % FOLDERS:02}/page-{number:06}.md"
