"""How many tokens requests have, and what they would cost: bytes over 3.5, as only the model's maker can count."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from gitops.config import Llm
from gitops.llm.prices import dollars, price
from gitops.usage import NOTHING, Usage

BYTES_PER_TOKEN = 3.5
ANSWER_TOKENS = 500
"""What an answer is taken to have where nobody knows: a few findings with a sentence each."""


def tokens_of(body: Mapping[str, Any]) -> int:
    """Tokens that the model reads of a request, cached or not: the bytes of its JSON over 3.5."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def estimate(bodies: Iterable[Mapping[str, Any]], model: str, llm: Llm, answer: int = ANSWER_TOKENS) -> Usage:
    """What these requests would use, each answered with `answer` tokens, nothing of them cached yet."""
    return sum((_one(tokens_of(body), answer, model, llm) for body in bodies), NOTHING)


def _one(read: int, written: int, model: str, llm: Llm) -> Usage:
    tokens = Usage(input=read, output=written, calls=1)
    return tokens + Usage(usd=dollars(tokens, price(model, llm.prices, read)))
