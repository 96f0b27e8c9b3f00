"""What can still be read of frontmatter that is not YAML: each key by itself.

One line such as `related: [[a]], [[b]]` takes every other key of its page with it, the sources among them. The fault
is told all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gitops.wiki.yaml_values import load

_KEY = re.compile(r"^(?P<key>[A-Za-z_][\w.-]{0,60})[ \t]*:(?=[ \t]|$)[ \t]*", re.MULTILINE)
_LINE = re.compile(r"(?:\[\[|[^\W_]).*")


def salvaged(source: str) -> dict[str, Any]:
    """The keys at the left margin, the first of equal ones. Words or wiki-links that cannot be read are a text."""
    values: dict[str, Any] = {}
    for key, said, block in _blocks(source):
        found = load(block).value
        if isinstance(found, dict) and len(found) == 1:
            values.setdefault(key, found.get(key))
        elif _LINE.fullmatch(said):
            values.setdefault(key, said)
    return values


def _blocks(source: str) -> Iterator[tuple[str, str, str]]:
    """Each key, what is said behind its colon, and all of it."""
    heads = list(_KEY.finditer(source))
    ends = [*(head.start() for head in heads[1:]), len(source)]
    for head, end in zip(heads, ends, strict=False):
        yield head["key"], source[head.end() : end].strip(), source[head.start() : end]
