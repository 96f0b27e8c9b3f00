"""Gold queries (alexandria 14, M3): what people expect the wiki to answer, kept in `gold/queries.yaml`.

The file is people's: they commit it, and no run may write there. The table `eval_gold_queries` of the index mirrors it.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeGuard

from gitops.canonical import digest
from gitops.runs.gold_file import BadGold, Entry, Fault, Written, read
from gitops.wiki.layout import Layout, joined
from gitops.wiki.names import fold
from gitops.wiki.snapshot import SYMLINK, Snapshot

FILE = "queries.yaml"
"""What the file is called, in the gold folder of a workspace."""
NAMES = ("id", "query", "expected_topics", "expected_citations", "authored_at", "authored_by")
"""The fields of an entry, in the order in which they are written."""
Author = Literal["user", "auto"]
_OTHER_NAMES = {"expected_answer_topics": "expected_topics"}
"""alexandria 14 calls the topics so where it describes an entry, and `expected_topics` in its table."""
_REQUIRED = ("query", "expected_topics", "expected_citations", "authored_at")
_LISTS = ("expected_topics", "expected_citations")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_AT_THE_END = " .?!。？！"


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A question, the slugs of the pages that its answer should rest on, and the sources that should stand behind it.

    Both lists empty: the wiki should not answer it. `citations` are paths in the workspace, as citations have them;
    `line` is where the entry begins in its file.
    """

    id: str
    query: str
    topics: tuple[str, ...]
    citations: tuple[str, ...]
    authored_at: str
    authored_by: Author = "user"
    line: int = field(default=0, compare=False)

    def record(self) -> dict[str, Any]:
        """The entry as files and `--json` have it."""
        return {
            "id": self.id,
            "query": self.query,
            "expected_topics": list(self.topics),
            "expected_citations": list(self.citations),
            "authored_at": self.authored_at,
            "authored_by": self.authored_by,
        }

    @property
    def is_to_be_refused(self) -> bool:
        """Whether the wiki should say that it does not know."""
        return not self.topics and not self.citations


def file_of(layout: Layout) -> str:
    """The repository path of a workspace's gold queries."""
    return joined(layout.gold, FILE)


def at(tree: Snapshot, layout: Layout) -> list[GoldQuery]:
    """The gold queries of a workspace as some tree has them; [] where it has none. BadGold where they cannot be read.

    Whether pages and sources that they expect are there is another question (`gold_checking`): that a source is gone
    is for M3 to measure.
    """
    path = file_of(layout)
    if tree.mode(path) == SYMLINK:
        raise BadGold(path, [Fault(1, "this is a symbolic link, which leads nowhere in a commit")], "put a file there")
    return parse(tree.read(path), path) if tree.blob(path) is not None else []


def parse(data: bytes, name: str) -> list[GoldQuery]:
    """The gold queries of a file, whose name is told and says whether it is JSON. BadGold with every fault in it."""
    entries = read(data, name)
    faults = list(entries.faults)
    found: list[GoldQuery] = []
    for entry in entries.found:
        wrong = list(_wrong(entry))
        faults += wrong
        if not wrong:
            found.append(_query(entry))
    faults += doubled(found)
    if faults:
        raise BadGold(name, faults, f"mend {name}; docs/evaluation.md shows an entry")
    return found


def doubled(found: Iterable[GoldQuery], known: Iterable[GoldQuery] = (), name: str = "") -> Iterator[Fault]:
    """What is asked twice, or shares an id: among queries, and with others that are known and stand in file `name`."""
    there = [(one, f"{name}, line {one.line}") for one in known]
    asked = {normalised(one.query): (one, where) for one, where in there}
    ids = {one.id: (one, where) for one, where in there}
    for one in found:
        own = (one, f"line {one.line}")
        other, where = asked.setdefault(normalised(one.query), own)
        if other is not one:
            yield Fault(one.line, f"the same query is there already ({where}): {other.query}")
            continue
        other, where = ids.setdefault(one.id, own)
        if other is not one:
            yield Fault(one.line, f"the id '{one.id}' is taken already ({where})")


def normalised(query: str) -> str:
    """A query as it is compared: case, white space, Unicode's forms and the marks at its end do not count."""
    return " ".join(fold(query).split()).rstrip(_AT_THE_END)


def derived_id(query: str) -> str:
    """The id of a query that was given none: words of it that a file's name could hold, and a digest."""
    words = re.findall(r"[a-z0-9]+", fold(query))
    return "-".join([*words[:6], digest(normalised(query))[:8]])[:80]


def digest_of(queries: Iterable[GoldQuery]) -> str:
    """What a measurement is measured by: the queries and what is expected, not who wrote them when, nor their order."""
    return digest(sorted([one.id, one.query, sorted(one.topics), sorted(one.citations)] for one in queries))


def rows(by_workspace: Mapping[str, Sequence[GoldQuery]]) -> list[dict[str, Any]]:
    """The rows of `eval_gold_queries`. An id that two workspaces use has its workspace before it: the table has one key
    for all of them.
    """
    used = Counter(one.id for queries in by_workspace.values() for one in queries)
    return [
        one.record() | {"workspace": workspace, "id": f"{workspace}/{one.id}" if used[one.id] > 1 else one.id}
        for workspace, queries in sorted(by_workspace.items())
        for one in queries
    ]


def _wrong(entry: Entry) -> Iterator[Fault]:
    fields = entry.fields
    for name, written in fields.items():
        known = _OTHER_NAMES.get(name, name)
        if known not in NAMES:
            yield Fault(written.line, f"unknown key '{name}'{nearest(name, [*NAMES, *_OTHER_NAMES])}")
        elif name in _OTHER_NAMES and known in fields:
            yield Fault(written.line, f"'{name}' and '{known}' are two names of one field")
        elif isinstance(written.value, tuple) != (known in _LISTS):
            yield Fault(written.line, f"'{name}' must be {'a list' if known in _LISTS else 'text'}")
        elif (why := _unfit(known, written)) is not None:
            yield Fault(written.line, why)
    names = {_OTHER_NAMES.get(name, name) for name in fields}
    yield from (Fault(entry.line, f"'{name}' is missing") for name in _REQUIRED if name not in names)


def _unfit(name: str, written: Written) -> str | None:
    if isinstance(written.value, tuple):
        return f"'{name}' holds an empty text" if not all(part.strip() for part in written.value) else None
    text = written.value.strip()
    if name == "query" and not any(map(str.isalnum, text)):
        return "'query' holds no word"
    if name == "id" and not _ID.fullmatch(text):
        return f"'{text}' is no id: letters, digits, '.', '_' and '-', at most 80, beginning with a letter or digit"
    if name == "authored_at" and not _is_moment(text):
        return f"'{text}' is no date or moment, such as 2026-11-22 or 2026-11-22T08:30:00Z"
    if name == "authored_by" and not _is_author(text):
        return f"authored_by must be 'user' or 'auto', not '{text}'"
    return None


def _is_author(text: str) -> TypeGuard[Author]:
    return text in ("user", "auto")


def _is_moment(text: str) -> bool:
    if not re.match(r"\d{4}-\d{2}-\d{2}(?:$|[T ])", text):  # fromisoformat takes weeks and runs of digits too
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _query(entry: Entry) -> GoldQuery:
    fields = {_OTHER_NAMES.get(name, name): written.value for name, written in entry.fields.items()}
    texts = {name: " ".join(value.split()) for name, value in fields.items() if isinstance(value, str)}
    lists = {name: _listed(value) for name, value in fields.items() if isinstance(value, tuple)}
    by = texts.get("authored_by", "user")
    return GoldQuery(
        texts.get("id") or derived_id(texts["query"]),
        texts["query"],
        lists["expected_topics"],
        lists["expected_citations"],
        texts["authored_at"],
        by if _is_author(by) else "user",
        entry.line,
    )


def _listed(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unicodedata.normalize("NFC", part.strip()) for part in parts))


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean …?` with the known words that are nearest, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""
