"""The raw guard while nothing below raw/ is staged, against the one git question it cannot do without.

Measured with nothing staged at all, as the limit says, and with a page staged, where git's own question
stops at the first difference and the guard's must look on.

In a small repository the figure is mostly that of starting a shell: `sh -c :` alone costs 0.4 of the floor
where git needs 1.7 ms, and the guard asks its one question in a process of its own, so that it can go on
when the answer is yes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from benchmarks.timing import Options, Ratio, against, process
from gitops import hooks

LIMIT = 1.3
SIZES = (1_000, 100_000)
FLOOR = "git diff --cached --quiet"
IDENTITY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Bench",
    "GIT_AUTHOR_EMAIL": "bench@example.org",
    "GIT_COMMITTER_NAME": "Bench",
    "GIT_COMMITTER_EMAIL": "bench@example.org",
}


def run(options: Options) -> list[Ratio]:
    """One figure per index size and case; a few more rounds than usual, since a round takes milliseconds."""
    many = Options(options.scratch, options.rounds * 5, options.scale)
    return [ratio for full in SIZES for ratio in _at(options.size(full), many)]


def _at(entries: int, options: Options) -> list[Ratio]:
    repository = options.scratch / f"index-{entries}"
    _build(repository, entries)
    hook = str(hooks.install(hooks.locate(repository)).guard)
    floor = (FLOOR, process(["git", "diff", "--cached", "--quiet"], repository, IDENTITY))
    guard = process([hook], repository, IDENTITY)
    clean = against("nothing staged", floor, guard, options, limit=LIMIT, size=entries)
    (repository / "wiki").mkdir()
    (repository / "wiki/new.md").write_text("A new page.\n")
    _git(repository, "add", "wiki/new.md")
    full = ("git diff --cached --name-only", process(["git", "diff", "--cached", "--name-only"], repository, IDENTITY))
    return [clean, against("a page staged", full, guard, options, limit=LIMIT, size=entries)]


def _build(repository: Path, entries: int) -> None:
    """A commit of that many files, nine pages to a source, all of one blob: only the index is large."""
    repository.mkdir(parents=True)
    _git(repository, "init", "-q")
    blob = _git(repository, "hash-object", "-w", "--stdin", given="text\n").strip()
    paths = (f"{'raw' if n % 10 == 0 else 'wiki'}/{n % 97:02}/{n:06}.md" for n in range(entries - 1))
    lines = [f"100644 {blob}\t{path}\n" for path in ("assay.toml", *paths)]
    _git(repository, "update-index", "--index-info", given="".join(lines))
    _git(repository, "commit", "-q", "--no-verify", "-m", "founding")


def _git(repository: Path, *arguments: str, given: str = "") -> str:
    command = ["git", "-C", str(repository), *arguments]
    env = os.environ | IDENTITY
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=env).stdout
