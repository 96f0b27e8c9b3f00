"""What stands between `${{` and `}}` in a workflow, evaluated as GitHub does, as far as our workflows go: literals,
contexts, `.*`, `==`, `!=`, `!`, `&&`, `||`, and the functions `always`, `contains`, `fromJSON`, `startsWith`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>\d+)|(?P<operator>&&|\|\||==|!=|[!(),])"
    r"|(?P<name>[A-Za-z_][\w-]*(?:\.(?:\*|[A-Za-z_][\w-]*))*))"
)
_WORDS = {"true": True, "false": False, "null": None}


def expanded(text: str, contexts: Mapping[str, Any]) -> str:
    """A text with every expression in it replaced by what it comes to."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: _shown(value(found[1], contexts)), text, flags=re.DOTALL)


def value(expression: str, contexts: Mapping[str, Any]) -> Any:
    """What an expression comes to. ValueError for one that is none."""
    tokens, place = [], 0
    expression = expression.strip()
    while place < len(expression):
        found = _TOKEN.match(expression, place)
        if found is None:
            raise ValueError(f"not understood: {expression[place:]}")
        tokens.append((str(found.lastgroup), found[0].strip()))
        place = found.end()
    parser = _Parser(tokens, contexts)
    result = parser.either()
    if parser.tokens:
        raise ValueError(f"left over: {parser.tokens}")
    return result


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]], contexts: Mapping[str, Any]) -> None:
        self.tokens, self.contexts = tokens, contexts

    def either(self) -> Any:
        left = self.both()
        while self.took("||"):
            right = self.both()
            left = left or right
        return left

    def both(self) -> Any:
        left = self.compared()
        while self.took("&&"):
            right = self.compared()
            left = left and right
        return left

    def compared(self) -> Any:
        left = self.one()
        for operator, wanted in (("==", True), ("!=", False)):
            if self.took(operator):
                return (_folded(left) == _folded(self.one())) is wanted
        return left

    def one(self) -> Any:
        if self.took("!"):
            return not self.one()
        if self.took("("):
            inner = self.either()
            self.demand(")")
            return inner
        kind, text = self.tokens.pop(0)
        if kind == "text":
            return text[1:-1].replace("''", "'")
        if kind == "number":
            return int(text)
        if kind != "name":
            raise ValueError(f"not expected: {text}")
        if self.took("("):
            return _FUNCTIONS[text](*self.arguments())
        return _WORDS[text] if text in _WORDS else _found(self.contexts, text.split("."))

    def arguments(self) -> list[Any]:
        given: list[Any] = []
        while not self.took(")"):
            given.append(self.either())
            if not self.took(","):
                self.demand(")")
                break
        return given

    def took(self, operator: str) -> bool:
        if self.tokens and self.tokens[0] == ("operator", operator):
            self.tokens.pop(0)
            return True
        return False

    def demand(self, operator: str) -> None:
        if not self.took(operator):
            raise ValueError(f"expected {operator}: {self.tokens}")


def _found(holder: Any, names: Sequence[str]) -> Any:
    """What a dotted name leads to; nothing where it leads nowhere, as on GitHub. An unknown context is an error."""
    if isinstance(holder, Mapping) and "github" in holder and names[0] not in holder:
        raise ValueError(f"there is no context {names[0]}")
    for place, name in enumerate(names):
        if name == "*":
            return [_found(each, names[place + 1 :]) for each in holder]
        holder = holder.get(name) if isinstance(holder, Mapping) else None
    return holder


def _folded(given: Any) -> Any:
    return given.casefold() if isinstance(given, str) else given


def _contains(held: Any, wanted: Any) -> bool:
    if isinstance(held, str):
        return str(wanted).casefold() in held.casefold()
    return _folded(wanted) in [_folded(each) for each in held or []]


def _shown(given: Any) -> str:
    if given is None:
        return ""
    return str(given).lower() if isinstance(given, bool) else str(given)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "always": lambda: True,
    "contains": _contains,
    "fromJSON": json.loads,
    "startsWith": lambda text, start: str(text).casefold().startswith(start.casefold()),
}
