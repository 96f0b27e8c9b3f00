"""What judging costs: 50 cited claims of citadel-beverages and its sources by the Claude judge, as bytes / 3.5: 20,000.

The claims are every so-many-th of the wiki's own, each with the lines that it cites. The model is a loopback server
that votes on all of them; of every 25th claim it first asks to see a section that was left out. Asked again unchanged,
with the votes kept as landings keep them, it is to see no request at all.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.timing import Options, Ratio, Unavailable
from gitops.agents.judges.claude import Claude
from gitops.config import Config
from gitops.index.cache import Cache
from gitops.llm.ledger import Ledger
from gitops.runs.keeping import Kept
from gitops.verify import questions as cited
from gitops.verify.judge import Question
from gitops.verify.judgements import Remembered
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot
from tests.messages_server import Answer, MessagesServer, structured

WIKIS = "ASSAY_WIKIS"
CLAIMS, TOKENS, BYTES_PER_TOKEN = 50, 20_000, 3.5
ASKS_MORE = 25
_LEFT_OUT = re.compile(r"\[left out: §(\d+) ")
_CLAIM = re.compile(r"^(\d+)(?: \[¶[\d-]+\])? (.*)$", re.MULTILINE)
_KEY = {"ANTHROPIC_API_KEY": "none"}


def run(options: Options) -> list[Ratio]:
    """Thousands of tokens against what is allowed; requests for the same once more, of which none is allowed."""
    asked = questions(wiki(), options.size(CLAIMS))
    tokens, requests, again = measured(asked, options.scratch)
    allowed = TOKENS * len(asked) / CLAIMS
    name, of = "Claude judge", f"claims and their {len({one.source for one in asked})} sources"
    return [
        Ratio(
            f"{name}, tokens of {of}, in thousands",
            f"{TOKENS:,} for 50",
            1.0,
            len(asked),
            (tokens / 1000,),
            (allowed / 1000,),
        ),
        Ratio(f"{name}, requests when asked again", f"the {requests} at first", 0.0, len(asked), (again,), (requests,)),
    ]


def wiki() -> Path:
    """The wiki that is judged. Unavailable where the folder of wikis is not named."""
    folder = Path(os.environ.get(WIKIS, "") or "wikis") / "citadel-beverages"
    if not folder.is_dir():
        raise Unavailable("no citadel-beverages here", f"{WIKIS}=FOLDER, of wikis, one folder each")
    return folder


def measured(asked: Sequence[Question], folder: Path) -> tuple[float, int, int]:
    """The tokens of all request bodies, how many requests those are, and how many come for the same questions again."""
    with MessagesServer(_answer) as server, Cache(folder / "cache.sqlite3") as cache:
        kept = Kept(cache, "landing")
        Remembered(opened(server.url, folder), kept).votes(asked)
        first = len(server.requests)
        tokens = sum(len(request.raw) for request in server.requests) / BYTES_PER_TOKEN
        Remembered(opened(server.url, folder), kept).votes(asked)
        return tokens, first, len(server.requests) - first


def opened(url: str, folder: Path) -> Claude:
    """The judge over a loopback server, that needs no key."""
    os.environ.update(_KEY)
    os.environ.pop("ASSAY_LLM", None)  # the server is this benchmark's own
    preset = {"model": "claude-sonnet-5-5", "base_url": url, "concurrency": 32}
    llm = Config.model_validate({"llm": {"presets": {"verifier": preset}}}).llm
    return Claude(llm, "verifier", Ledger(folder, lambda: datetime.now(UTC), "benchmark", "benchmark", "judge"))


def questions(folder: Path, count: int) -> list[Question]:
    """So many of the wiki's cited claims, at even distances, in the order of their sources and then of its pages."""
    every = sorted(_questions(folder), key=lambda question: question.title)
    return [every[at * len(every) // count] for at in range(count)]


def _questions(folder: Path) -> Iterator[Question]:
    """Each cited claim against each of its sources, as a landing asks."""
    view = _view(folder)
    for path in sorted(view.snapshot.paths("wiki")):
        if view.layout.is_page(path) and path != view.layout.log:
            yield from (asked.question for asked in cited.questions(view, path, view.page(path).claims))


def _view(folder: Path) -> View:
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    config = Config.model_validate({"citations": {"dialects": ["footnote_link"], "require": []}})
    tree, layout, library = MemorySnapshot(files), Layout(), Library(config)
    held = [path for path in files if layout.is_page(path)]
    rows = {path: facts(library.page(tree, path), path, layout) for path in held}
    return View(tree, layout, config, library, MemoryGraph(rows, lambda path: path in files, Files(tree.paths)))


def _answer(body: dict[str, Any], number: int) -> Answer:
    source, claims = (block["text"] for block in body["messages"][0]["content"])
    left_out = [int(found) for found in _LEFT_OUT.findall(source)]
    may_ask = "need_more" in json.dumps(body["output_config"])
    rows: list[dict[str, Any]] = []
    for number, claim in _CLAIM.findall(claims):
        row = {"id": int(number), "reason": "It says so.", "unsupported": [], "vote": "supports", "confidence": 0.9}
        if may_ask and left_out and sum(claim.encode()) % ASKS_MORE == 0:
            row |= {"vote": "need_more", "sections": left_out[:1]}
        rows.append(row)
    return structured({"votes": rows})
