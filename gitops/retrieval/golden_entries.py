"""The entries of a golden file, taken off its nodes: queries, and all that is wrong in them, each with its line."""

from __future__ import annotations

from dataclasses import dataclass, field

from gitops.retrieval.golden_fields import Fields, fields_of, has_text
from gitops.retrieval.golden_nodes import Listed, Mapped, Node, Text
from gitops.retrieval.model import Expected, GoldenQuery, Span
from gitops.runs.bad_input import Fault, nfc

NAMES = ("query_id", "query", "expected_doc_ids", "expected_chunk_ids", "must_contain", "forbidden")
"""The fields of an entry."""
SHOULD_REFUSE = "should_refuse"
"""What a stored record has besides: there `expected_doc_ids: []` is of a query without a relevant document."""
_ENTRY = "- query_id: …, with query and what is expected"


@dataclass(slots=True)
class Entries:
    """What has been read. `is_record`: of what was stored with a run, not of a file."""

    is_record: bool = False
    found: list[GoldenQuery] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    _lines: dict[str, int] = field(default_factory=dict)

    def read(self, node: Node | None) -> None:
        """Take all entries of a document; None, or one that holds nothing, has none."""
        if node is None or (isinstance(node, Text) and node.is_null):
            return
        if not isinstance(node, Listed):
            self._fault(node.line, f"a list of entries is wanted: {_ENTRY}")
            return
        for part in node.parts:
            if isinstance(part, Mapped):
                self._entry(part)
            else:
                self._fault(part.line, f"an entry is wanted: {_ENTRY}")

    def _entry(self, entry: Mapped) -> None:
        fields = fields_of(entry, (*NAMES, SHOULD_REFUSE) if self.is_record else NAMES, self.faults)
        query_id = fields.id("query_id")
        for name in ("query_id", "query"):
            if name not in fields.nodes:
                self._fault(entry.line, f"'{name}' is missing")
        self._once(query_id, entry.line)
        documents, chunks = self._documents(fields), self._chunks(fields)
        should_refuse = (
            SHOULD_REFUSE in fields.nodes if self.is_record else documents == {}
        )  # a record has it where it is true
        if should_refuse and chunks:
            line = fields.nodes["expected_chunk_ids"].line
            self._fault(line, "chunks are expected, and 'expected_doc_ids: []' says that it should be refused")
        self.found.append(
            GoldenQuery(
                query_id,
                fields.text("query").strip(),
                None if should_refuse else documents,
                chunks if chunks or (self.is_record and not should_refuse) else None,
                should_refuse,
                fields.texts("must_contain"),
                fields.texts("forbidden"),
                entry.line,
            )
        )

    def _once(self, query_id: str, line: int) -> None:
        if query_id in self._lines:
            self._fault(line, f"the query_id '{query_id}' is taken already (line {self._lines[query_id]})")
        elif query_id:
            self._lines[query_id] = line

    def _documents(self, fields: Fields) -> dict[str, int] | None:
        """The grade of each expected document; None where nothing is said of them."""
        parts = fields.parts("expected_doc_ids")
        if parts is None:
            return None
        grades: dict[str, int] = {}
        for part in parts:
            doc_id, grade = self._document(part)
            if doc_id in grades:
                self._fault(part.line, f"the document '{doc_id}' is expected twice")
            elif doc_id:
                grades[doc_id] = grade
        return grades

    def _document(self, node: Node) -> tuple[str, int]:
        if isinstance(node, Text):
            return nfc(has_text(node, "an id in 'expected_doc_ids'", self.faults)), 1
        if isinstance(node, Mapped):
            fields = fields_of(node, ("doc_id", "grade"), self.faults)
            if "doc_id" not in fields.nodes:
                self._fault(node.line, "'doc_id' is missing")
            return fields.id("doc_id"), fields.grade()
        self._fault(node.line, "a document is an id, or {doc_id, grade}")
        return "", 1

    def _chunks(self, fields: Fields) -> tuple[Expected, ...] | None:
        """The expected chunks; None where nothing is said of them."""
        parts = fields.parts("expected_chunk_ids")
        if parts is None:
            return None
        chunks: list[Expected] = []
        known: set[tuple[str, ...]] = set()
        for part in parts:
            chunk = self._chunk(part)
            name = (chunk.chunk_id,) if chunk.chunk_id else (chunk.doc_id, chunk.quote)
            if name in known:
                what = f"chunk '{chunk.chunk_id}'" if chunk.chunk_id else f"quotation of '{chunk.doc_id}'"
                self._fault(part.line, f"the {what} is expected twice")
            elif any(name):
                known.add(name)
                chunks.append(chunk)
        return tuple(chunks)

    def _chunk(self, node: Node) -> Expected:
        if isinstance(node, Text):
            return Expected(nfc(has_text(node, "an id in 'expected_chunk_ids'", self.faults)), line=node.line)
        if not isinstance(node, Mapped):
            self._fault(node.line, "a chunk is an id, {chunk_id, doc_id, spans, grade} or {doc_id, quote, grade}")
            return Expected()
        fields = fields_of(node, ("chunk_id", "doc_id", "spans", "quote", "grade"), self.faults)
        self._is_named(fields, node.line)
        return Expected(
            fields.id("chunk_id"),
            fields.id("doc_id"),
            self._spans(fields),
            "\n".join(" ".join(quote.split()) for quote in self._quotes(fields)),
            fields.grade(),
            node.line,
        )

    def _quotes(self, fields: Fields) -> list[str]:
        """One quotation; a record may have several of one chunk, each on its line."""
        quote = fields.text("quote")
        return quote.split("\n") if self.is_record else [quote]

    def _is_named(self, fields: Fields, line: int) -> None:
        """By its id, or by a quotation; a record may have both, the id that the quotation was resolved to."""
        has_id, has_quote = "chunk_id" in fields.nodes, "quote" in fields.nodes
        if not (has_id or has_quote):
            self._fault(line, "'chunk_id' is missing, or 'doc_id' and a 'quote' from it")
        elif has_quote and "doc_id" not in fields.nodes:
            self._fault(line, "'doc_id' is missing: the document that is quoted")
        elif has_quote and not self.is_record and (has_id or "spans" in fields.nodes):
            self._fault(line, "a chunk is named by its id and spans or by a quotation, not by both")

    def _spans(self, fields: Fields) -> tuple[Span, ...]:
        parts = fields.parts("spans")
        if parts is not None and not parts:
            self._fault(fields.nodes["spans"].line, "'spans' is empty: give [[start, end]], or leave it out")
        return tuple(span for part in parts or () if (span := fields.span(part)) is not None)

    def _fault(self, line: int, message: str) -> None:
        self.faults.append(Fault(line, message))
