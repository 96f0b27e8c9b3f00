"""The fields of a mapping in a golden file: each value of its kind, or what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitops.retrieval.golden_nodes import Listed, Mapped, Node, Text
from gitops.retrieval.model import Span
from gitops.runs.bad_input import Fault, nfc
from gitops.runs.gold import nearest

_WHOLE = re.compile(r"-?[0-9]{1,15}")
_NOT_IN_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that say something, by name; what is found wrong with one is added to `faults`.

    A value that is missing or wrong comes as an empty one.
    """

    nodes: Mapping[str, Node]
    faults: list[Fault]

    def text(self, name: str) -> str:
        """A text."""
        node = self.nodes.get(name)
        if node is None:
            return ""
        if isinstance(node, Text):
            return has_text(node, f"'{name}'", self.faults)
        self._fault(node, f"'{name}' must be text")
        return ""

    def id(self, name: str) -> str:
        """An id, in Unicode's form C."""
        return nfc(self.text(name))

    def parts(self, name: str) -> Sequence[Node] | None:
        """The parts of a list; None where the field is missing."""
        node = self.nodes.get(name)
        if node is None or isinstance(node, Listed):
            return None if node is None else node.parts
        self._fault(node, f"'{name}' must be a list")
        return None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts."""
        texts = []
        for part in self.parts(name) or ():
            if isinstance(part, Text):
                texts.append(has_text(part, f"a text in '{name}'", self.faults))
            else:
                self._fault(part, f"'{name}' must be a list of texts")
        return tuple(texts)

    def grade(self) -> int:
        """How relevant: a whole number from 1, which it is where nothing is said."""
        node = self.nodes.get("grade")
        if node is None:
            return 1
        if isinstance(node, Text) and _WHOLE.fullmatch(node.text) and (grade := int(node.text)) >= 1:
            return grade
        self._fault(node, "'grade' must be a whole number from 1; leave out what is not relevant")
        return 1

    def span(self, node: Node) -> Span | None:
        """A half-open `[start, end)`."""
        parts = node.parts if isinstance(node, Listed) else ()
        numbers = [part.text for part in parts if isinstance(part, Text) and _WHOLE.fullmatch(part.text)]
        if len(parts) != 2 or len(numbers) != 2:
            self._fault(node, "a span is two whole numbers, [start, end]")
            return None
        start, end = map(int, numbers)
        if (why := wrong_span(start, end)) is not None:
            self._fault(node, why)
        return start, end

    def _fault(self, node: Node, message: str) -> None:
        self.faults.append(Fault(node.line, message))


def fields_of(mapped: Mapped, known: Sequence[str], faults: list[Fault]) -> Fields:
    """The known fields of a mapping that say something: what is null is as good as left out.

    But for documents: nothing at all after `expected_doc_ids:` could be taken for the empty list, which says that the
    query should be refused.
    """
    nodes: dict[str, Node] = {}
    for key, node in mapped.pairs:
        null = node if isinstance(node, Text) and node.is_null else None
        if key.text not in known:
            faults.append(Fault(key.line, f"unknown key '{key.text}'{nearest(key.text, known)}"))
        elif key.text in nodes:
            faults.append(Fault(key.line, f"'{key.text}' stands twice in this entry"))
        elif key.text == "expected_doc_ids" and null is not None and not null.text:
            told = "'expected_doc_ids' has no value: write [] if the query should be refused, else leave it out"
            faults.append(Fault(key.line, told))
        elif null is None:
            nodes[key.text] = node
    return Fields(nodes, faults)


def has_text(node: Text, what: str, faults: list[Fault]) -> str:
    """The text of a node; a fault where it is blank or null, or holds what no text does."""
    if node.is_null and node.text:
        faults.append(Fault(node.line, f"{what} is {node.text}: put it in quotation marks if that is its text"))
    elif not node.text.strip():
        faults.append(Fault(node.line, f"{what} is an empty text"))
    elif _NOT_IN_TEXT.search(node.text):
        faults.append(Fault(node.line, f"{what} holds a NUL or half of a surrogate pair"))
    return node.text


def wrong_span(start: int, end: int) -> str | None:
    """Why these are no span, in words; None where they are one."""
    if start < 0:
        return f"the span [{start}, {end}] begins before 0"
    if end <= start:
        return f"the span [{start}, {end}] is {'empty' if start == end else 'reversed'}"
    return None
