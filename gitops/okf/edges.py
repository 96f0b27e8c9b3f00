"""The typed edges in a frontmatter, in whichever of the ways they are carried.

`relationships: [{rel: owner, target: T}]` is ours and what we write. Keys that are called as an edge is (`owner: T`,
`uses: [T, T]`) and `links: [{target: T, rel: owner}]` are read too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gitops.okf.model import EDGE_TYPES, Relationship
from gitops.okf.places import Places

LISTS = ("relationships", "links")
"""Keys whose value is a list of `{rel, target}`."""


def edges(values: Mapping[str, Any], places: Places) -> tuple[Relationship, ...]:
    """Those of the seven types that are well-formed, key by key in the order of the file; of others the profile tells.

    `links` of another kind are anybody's own and no edges.
    """
    return tuple(edge for key in values if key in LISTS or key in EDGE_TYPES for edge in _of(key, values[key], places))


def _of(key: str, value: Any, places: Places) -> Iterator[Relationship]:
    listed = value if isinstance(value, list) else [value]
    for one, line in zip(listed, places.entries(key, len(listed)), strict=True):
        rel, target = (key, one) if key in EDGE_TYPES else _pair(one)
        if rel in EDGE_TYPES and isinstance(target, str) and target.strip():
            yield Relationship(rel, target.strip(), line)


def _pair(one: Any) -> tuple[Any, Any]:
    return (one.get("rel"), one.get("target")) if isinstance(one, dict) else (None, None)
