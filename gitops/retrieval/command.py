"""Asks a program for each golden query: its words are a template, no shell is between, and what hangs is ended."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from gitops.canonical import strict_json
from gitops.errors import UsageError
from gitops.retrieval.model import Answer, GoldenQuery, Result, Results
from gitops.retrieval.process import Ended, run
from gitops.retrieval.results import result_of
from gitops.runs.bad_input import BadInput

TIMEOUT_S = 120.0
"""For how many seconds a query is waited for, unless something else is said."""
_FIELDS = ("query", "query_id", "k")
_PLACE = re.compile(r"\{(query|query_id|k)\}")

Watch = Callable[[Sequence[GoldenQuery]], Iterator[GoldenQuery]]
"""Shows how far the queries have come while it gives them."""


@dataclass(frozen=True, slots=True)
class Template:
    """A command whose words hold `{query}`, and perhaps `{query_id}` and `{k}`: each query is one word's part."""

    text: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str, folder: Path) -> Template:
        """The template of a text, split as a shell would. UsageError for one without `{query}`, or without a program.

        A program that is named by a path is looked for from `folder`, in which the commands run.
        """
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise UsageError(f"--command: {error}: {text}", "put what belongs together in quotation marks") from error
        if not any("query" in _PLACE.findall(word) for word in words):
            raise UsageError("--command has no {query} in it", "--command 'my-rag {query}'")
        if _PLACE.search(words[0]):
            raise UsageError(f"--command: its program is {words[0]}: what is asked would say what runs", "name one")
        named = words[0] if "/" not in words[0] else os.fspath(folder / words[0])
        if shutil.which(named) is None:
            raise UsageError(f"--command: there is no program '{words[0]}'", "name one that is on PATH, or its path")
        return cls(text, words)

    def filled(self, query: GoldenQuery, top: int) -> list[str]:
        """The words for one query. What is put in is not looked at again, whatever it holds."""
        values = dict(zip(_FIELDS, (query.query, query.query_id, str(top)), strict=True))
        return [_PLACE.sub(lambda found: values[found[1]], word) for word in self.words]


@dataclass(frozen=True, slots=True)
class Asking:
    """How programs are asked: where they run, how deep a ranking is wanted, how long one may take, how many at once."""

    template: Template
    folder: Path
    top: int
    timeout_s: float = TIMEOUT_S
    jobs: int = 1


def _watch(queries: Sequence[GoldenQuery]) -> Iterator[GoldenQuery]:
    return iter(queries)


def ask(asking: Asking, queries: Sequence[GoldenQuery], watch: Watch = _watch) -> Results:
    """The results for all queries, in their order, without versions, which no program tells. What fails or takes too
    long is that query's error.

    KeyboardInterrupt, or whatever else ends the waiting, ends the programs that run too.
    """
    stopping = threading.Event()
    with ThreadPoolExecutor(asking.jobs) as pool:
        try:
            waiting = {one.query_id: pool.submit(_result, asking, one, stopping) for one in queries}
            found = {one.query_id: waiting[one.query_id].result() for one in watch(queries)}
        except BaseException:
            stopping.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return Results(asking.template.text, found, has_header=False)


def _result(asking: Asking, query: GoldenQuery, stopping: threading.Event) -> Result:
    begun = perf_counter()
    try:
        ended = run(asking.template.filled(query, asking.top), asking.folder, asking.timeout_s, stopping)
    except (OSError, ValueError) as error:  # a text too long for a command, or one with a NUL in it
        return Result(query.query_id, error=f"it could not be started: {error}")
    took = round((perf_counter() - begun) * 1000, 3)
    if ended.failed:
        return Result(query.query_id, error=ended.failed)
    try:
        return _read(query, ended, took, asking.top)
    except BadInput as error:
        return Result(query.query_id, error=error.message)
    except ValueError as error:
        return Result(query.query_id, error=f"what it printed begins like JSON and is none: {error}")


def _read(query: GoldenQuery, ended: Ended, took: float, top: int) -> Result:
    """What a program printed: one JSON object as a line of results has it, or plain text, which is an answer.

    The time that it took is ours to tell unless it tells its own, which leaves out how long a program takes to start.
    """
    try:
        text = ended.output.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return Result(query.query_id, error="what it printed is not UTF-8")
    if not text:
        return Result(query.query_id, error="it printed nothing")
    if not text.startswith("{"):
        return Result(query.query_id, answer=Answer(text), latency_ms=took)
    value = {"query_id": query.query_id, "latency_ms": took, **_present(strict_json(text))}
    found = result_of(value, query.query_id)
    if found.query_id != query.query_id:
        return Result(query.query_id, error=f"it answered another query: {found.query_id!r}")
    return cut(found, top)


def _present(value: Mapping[str, object]) -> dict[str, object]:
    return {name: each for name, each in value.items() if each is not None}


def cut(result: Result, top: int) -> Result:
    """A result whose ranking is no deeper than `top`."""
    return result if len(result.hits) <= top else replace(result, hits=result.hits[:top])
