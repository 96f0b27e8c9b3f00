"""`git assay lint` of 1,003 pages with Markdown links, against remark-validate-links on the same pages as files.

Ours begins with nothing cached, reads git objects and runs every check; theirs reads files and looks at links alone.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import gitops
from benchmarks import validate_links
from benchmarks.committing import commit_all
from benchmarks.timing import Options, Ratio, against, process

LIMIT = 0.1
"""At least ten times as many pages in the same time."""
PAGES = 1_000
LISTS = 2
FEWEST = 10
ROUNDS = 5
"""At most: a round of theirs takes some ten seconds."""

_WORDS = (
    "harbour",
    "ledger",
    "copper",
    "orchard",
    "signal",
    "granite",
    "ferry",
    "almanac",
    "kiln",
    "meadow",
    "lantern",
)
_POLICY = '[workspace]\nname = "bench"\n'


def run(options: Options) -> list[Ratio]:
    """One figure, with its limit. Unavailable where npm or the packages cannot be had."""
    remark = validate_links.install(options.scratch / "npm")
    wiki, pages = options.scratch / "wiki", max(FEWEST, options.size(PAGES))
    count = write(wiki, pages)
    commit_all(wiki)
    theirs = process(validate_links.command(remark, ["wiki"]), wiki)
    few = Options(options.scratch, min(options.rounds, ROUNDS), options.scale)
    floor = ("remark-validate-links", theirs)
    ours = _lint(wiki, options.scratch / "compiled")
    return [against("lint, cold, Markdown links", floor, ours, few, limit=LIMIT, size=count)]


def write(folder: Path, pages: int) -> int:
    """Write a workspace: an index, two lists, and so many pages with five links and 1,700 bytes each; their number."""
    count = 0
    for path, text in _files(pages):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        count += path.endswith(".md")
    return count


def _lint(wiki: Path, compiled: Path) -> Callable[[], None]:
    """A whole process; what the one before has cached is taken away first, but for compiled modules."""
    environment = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(compiled)}
    command = [sys.executable, "-m", "gitops", "-C", str(wiki), "lint", "--rev", "HEAD", "--json"]
    lint = process(command, Path(gitops.__file__).parents[1], environment)

    def run() -> None:
        for file in (wiki / ".git/assay").glob("cache.sqlite3*"):
            file.unlink()
        lint()

    return run


def _files(pages: int) -> Iterator[tuple[str, str]]:
    yield "assay.toml", _POLICY
    lists = [f"list-{number}.md" for number in range(LISTS)]
    yield "wiki/index.md", "# Index\n\n" + "".join(f"- [{name}]({name})\n" for name in lists)
    for number, name in enumerate(lists):
        members = "".join(f"- [page {page}]({_name(page)})\n" for page in range(number, pages, LISTS))
        yield f"wiki/{name}", f"# List {number}\n\n{members}"
    for page in range(pages):
        yield f"wiki/{_name(page)}", _page(page, pages)


def _page(page: int, pages: int) -> str:
    chance = random.Random(page)
    text = "\n\n".join(" ".join(chance.choices(_WORDS, k=40)).capitalize() + "." for _ in range(5))
    following, further = _name((page + 1) % pages), _name((page + 100) % pages)
    links = (
        f"[the next](../{following})",
        f'[further on](../{further} "page by page")',
        f"[its history](../{following}#history)",
        "[below](#history)",
        f"[the list](../list-{page % LISTS}.md)",
    )
    listed = "".join(f"- {link}\n" for link in links)
    return f"---\ntitle: Page {page}\n---\n\n# Page {page}\n\n{text}\n\n## History\n\n{listed}"


def _name(page: int) -> str:
    return f"{page % 10}/page-{page:06}.md"
