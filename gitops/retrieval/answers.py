"""How answers are scored without a model: by the words they have, what they cite, and whether they refuse."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from gitops.retrieval.model import Answer, GoldenQuery


def answer_scores(query: GoldenQuery, answer: Answer, has_store: bool) -> Iterator[tuple[str, float]]:
    """What an answer that came without an error is scored by; what does not apply is left out (kebab p5-2).

    - groundedness: every answer. 1 where all that it must contain is in it, and nothing that is forbidden.
    - citation_coverage: a grounded answer, where citations were looked up in a store. 1 where each leads to a chunk;
      an answer that cites nothing has none that does not.
    - over_refusal: where documents or chunks are expected. 1 where the answer is a refusal.
    """
    yield "groundedness", float(is_grounded(query, answer))
    if has_store and answer.grounded is True:
        yield "citation_coverage", float(all(cited.resolves is True for cited in answer.citations))
    if query.doc_ids is not None or query.chunks is not None:
        yield "over_refusal", float(is_refusal(answer))


def is_grounded(query: GoldenQuery, answer: Answer) -> bool:
    """Whether an answer has all that it must contain and nothing that is forbidden.

    Texts are compared in Unicode's form C, runs of white space as one space and none at the ends, case kept.
    """
    text = _plain(answer.text)
    has_all = all(_plain(wanted) in text for wanted in query.must_contain)
    return has_all and not any(_plain(unwanted) in text for unwanted in query.forbidden)


def is_refusal(answer: Answer | None) -> bool:
    """Whether a system said that it does not know: it told that the answer is not grounded."""
    return answer is not None and answer.grounded is False


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
