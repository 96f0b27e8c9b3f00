"""What the lint of a tree came to, kept in the local cache: for the same content, policy and code it is the same.

Where no quotation failed, the past of its source was not asked, and the result holds for every commit of that tree.
What was kept is told without loading a parser or a check.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import gitops
from gitops.canonical import digest, dumps
from gitops.runs.context import Context

_KIND = "lint"
_DIGEST = 32
_READERS = ("pyromark", "sentencex", "selectolax", "pypdfium2", "rapidfuzz", "yaml")
"""Libraries that another version of which may read the same bytes otherwise."""


@dataclass(frozen=True, slots=True)
class Found:
    """The findings as a JSON array, what they count up to, and whether they depend on more than the tree.

    `name` is what the workspace is called, `policy` the blob id of its `assay.toml`.
    """

    name: str
    policy: str
    counts: Mapping[str, int]
    body: str
    is_of_history: bool = False


def find(context: Context, tree_id: str, root: str, commit: str, *, of_additions: bool) -> Found | None:
    """What was kept of the workspace in a folder of the tree, for this commit or any; None where nothing whole was."""
    key = _key(tree_id, root, of_additions)
    with context.caching() as opened:
        for exact in (key, f"{key} {commit}"):
            data = opened.get(_KIND, _made_by(), exact)
            if data is not None and (found := _opened(exact, bytes(data))) is not None:
                return found
    return None


def keep(context: Context, tree_id: str, root: str, commit: str, found: Found, *, of_additions: bool) -> None:
    """Keep a result: for the commit, if it depends on the past, else for every commit of the tree.

    Not in a clone that lacks objects or history: more may be here tomorrow, and the tree would be the same.
    """
    if context.repository.is_shallow or context.repository.is_partial:
        return
    key = _key(tree_id, root, of_additions)
    key = f"{key} {commit}" if found.is_of_history else key
    told = {"name": found.name, "policy": found.policy, "counts": dict(found.counts), "past": found.is_of_history}
    value = zlib.compress((dumps(told) + "\n" + found.body).encode(), 1)
    with context.caching() as opened:
        opened.put(_KIND, _made_by(), key, _digest(key, value) + value)


def _key(tree_id: str, root: str, of_additions: bool) -> str:
    """The policy, the debt and the pages are all the tree's."""
    return digest([tree_id, root, of_additions])


def _opened(key: str, data: bytes) -> Found | None:
    if data[:_DIGEST] != _digest(key, data[_DIGEST:]):
        return None
    told, _, body = zlib.decompress(data[_DIGEST:]).decode().partition("\n")
    head = json.loads(told)
    return Found(head["name"], head["policy"], head["counts"], body, head["past"])


def _digest(key: str, value: bytes) -> bytes:
    return hashlib.sha256(key.encode() + value).digest()


@cache
def _made_by() -> str:
    """What would have to be the same for the same answer: this package's code and the libraries that read.

    By the files' times and sizes, which is quick, and errs on the side of doing the work again.
    """
    files = list(Path(gitops.__file__).parent.rglob("*.py"))
    specs = [find_spec(name) for name in _READERS]
    files += [Path(spec.origin) for spec in specs if spec is not None and spec.origin is not None]
    stamps = [(path.as_posix(), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in sorted(files)]
    return digest([gitops.__version__, stamps])[:16]
