"""YAML from people and machines as JSON-able values: bounded, and with its faults told, not raised.

PyYAML keeps the last of two equal keys in silence, turns dates into objects, shares what aliases name
(so that ten lines can stand for a billion values), and its C composer recurses on the machine's stack,
which a deep document overflows. Each is dealt with here.
"""

from __future__ import annotations

import base64
import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from gitops.wiki import plain_yaml
from gitops.wiki.values import value_class

MAX_DEPTH = 100
MAX_VALUES = 100_000
"""How many values aliases may expand to."""

_STRING, _SEQUENCE, _MAPPING = (f"tag:yaml.org,2002:{name}" for name in ("str", "seq", "map"))

_SAFE_OPENERS = 1000
"""So many openings cannot nest deep enough to overflow the stack (measured: 5,000 levels do not, 50,000 do)."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, at a line and column of the YAML, both from 0."""

    result: str
    message: str
    line: int = 0
    column: int = 0


@value_class
class Loaded:
    """The value (None where there is none or it cannot be read) and the faults."""

    value: Any
    faults: tuple[Fault, ...] = ()


class _TooMuchError(ValueError):
    """The document is too deep, or expands to too many values."""


class _UnusualError(Exception):
    """The document holds what only PyYAML's own constructor reads."""


def load(source: str) -> Loaded:
    """Read one YAML document. Dates stay strings as written; NaN, infinities and bytes become strings."""
    if (plain := plain_yaml.read(source)) is not None:
        return Loaded(plain)
    import yaml

    loader = _loader_class()
    try:
        _refuse_depth(source)
        reader = loader(source)
        try:
            node = reader.get_single_node()
            if node is None:
                return Loaded(None)
            try:
                return Loaded(_Plain(reader).value(node, 0))
            except _UnusualError:
                doubled = tuple(_duplicates(node))  # before the constructor merges `<<` into the nodes
                return Loaded(_jsonable(reader.construct_document(node)), doubled)
        finally:
            reader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        return Loaded(None, (_unparsable(error.problem or error.context or "not YAML", line, column),))
    # Constructors of explicit tags (`!!int ''`, `!!bool x`) raise whatever their conversion does.
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return Loaded(None, (_unparsable(" ".join(str(error).split()) or type(error).__name__),))


def _unparsable(why: str, line: int = 0, column: int = 0) -> Fault:
    return Fault("unparsable_frontmatter", f"the frontmatter is not YAML: {why}", line, column)


@cache
def _loader_class() -> Any:
    """A safe loader, in C where there is one, that leaves dates as they are written."""
    import yaml

    parent: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    resolvers = {
        first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
        for first, known in parent.yaml_implicit_resolvers.items()
    }

    def resolve(self: Any, kind: Any, value: Any, implicit: Any) -> str:
        """As PyYAML's own, without its resolvers by path, which are asked of every node and of which there are none."""
        if kind is not yaml.ScalarNode:
            return _SEQUENCE if kind is yaml.SequenceNode else _MAPPING
        for tag, pattern in resolvers.get(value[:1], ()) if implicit[0] else ():
            if pattern.match(value):
                return str(tag)
        return _STRING

    def nothing(self: Any, *path: Any) -> None:
        """Called around every node, for resolvers by path."""

    own = {
        "yaml_implicit_resolvers": resolvers,
        "resolve": resolve,
        "descend_resolver": nothing,
        "ascend_resolver": nothing,
    }
    return type("Loader", (parent,), own)


class _Plain:
    """Builds the value of a document of plain mappings, sequences and scalars: most, and in half the time.

    `_UnusualError` for anything else: a merge, a key that is doubled or no string, a tag of collections.
    """

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        self.count = 0

    def value(self, node: Any, depth: int) -> Any:
        self.count += 1
        _bound(depth, self.count)
        kind, tag = node.id, node.tag
        if kind == "scalar":
            if tag == _STRING:
                return node.value if node.value.isascii() else _scalar(node.value)
            return _scalar(self.reader.construct_object(node, deep=True))
        if kind == "sequence" and tag == _SEQUENCE:
            return [self.value(part, depth + 1) for part in node.value]
        if kind == "mapping" and tag == _MAPPING:
            return self.mapping(node, depth)
        raise _UnusualError

    def mapping(self, node: Any, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, part in node.value:
            if key.id != "scalar" or key.tag != _STRING or key.value in found:
                raise _UnusualError
            found[key.value] = self.value(part, depth + 1)
        return found


def _bound(depth: int, count: int) -> None:
    if depth > MAX_DEPTH:
        raise _TooMuchError(f"nested more than {MAX_DEPTH} deep, or within itself")
    if count > MAX_VALUES:
        raise _TooMuchError(f"its aliases expand to more than {MAX_VALUES} values")


def _refuse_depth(source: str) -> None:
    if sum(map(source.count, "[{-?")) <= _SAFE_OPENERS:
        return
    import yaml

    depth = 0
    for event in yaml.parse(source, Loader=_loader_class()):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise _TooMuchError(f"nested more than {MAX_DEPTH} deep")


def _duplicates(root: Any) -> Iterator[Fault]:
    """Keys written twice in one mapping; aliases are shared nodes, so each is walked once."""
    stack, seen = [root], {id(root)}
    while stack:
        node = stack.pop()
        if node.id == "mapping":
            yield from _doubled(node)
            children = [part for pair in node.value for part in pair]
        else:
            children = node.value if node.id == "sequence" else []
        fresh = [child for child in children if child.id != "scalar" and id(child) not in seen]
        seen.update(map(id, fresh))
        stack.extend(fresh)


def _doubled(mapping: Any) -> Iterator[Fault]:
    known: set[tuple[str, str]] = set()
    for key, _ in mapping.value:
        if key.id != "scalar" or key.tag.endswith(":merge"):
            continue
        name = (key.tag, key.value)
        if name in known:
            told = f"the key '{key.value}' stands twice; YAML keeps the last"
            yield Fault("duplicate_key", told, key.start_mark.line, key.start_mark.column)
        known.add(name)


def _jsonable(root: Any) -> Any:
    count = 0

    def walk(value: Any, depth: int) -> Any:
        nonlocal count
        count += 1
        _bound(depth, count)
        if isinstance(value, dict):
            return {_key(name): walk(part, depth + 1) for name, part in value.items()}
        if isinstance(value, list | tuple | set):
            return [walk(part, depth + 1) for part in value]
        return _scalar(value)

    return walk(root, 0)


def _key(name: Any) -> str:
    return name if isinstance(name, str) else str(_scalar(name))


def _scalar(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, str) and not value.isascii():
        # YAML escapes can spell half a surrogate pair, which no UTF-8 holds.
        return value.encode("utf-8", "replace").decode()
    return value
