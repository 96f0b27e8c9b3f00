from __future__ import annotations

from dataclasses import replace

import pytest

from gitops.config import Llm
from gitops.llm.estimate import estimate, tokens_of
from gitops.usage import NOTHING, Usage
from tests.llm.asking import HELLO


def test_no_requests_cost_nothing() -> None:
    assert estimate([], "claude-opus-5-5", Llm()) == NOTHING


def test_a_model_without_a_price_has_tokens_and_no_dollars() -> None:
    found = estimate([HELLO], "local-7b", Llm())
    assert found.input == tokens_of(HELLO)
    assert found.usd == 0


def test_tokens_are_the_bytes_of_the_request_over_three_and_a_half() -> None:
    assert tokens_of({"a": "é" * 10}) == 8  # {"a":"…"} is 28 bytes
    assert tokens_of({"a": "\udce9"}) == 3


def test_requests_add_up_to_tokens_and_dollars() -> None:
    found = estimate([HELLO] * 3, "claude-opus-5-5", Llm(), answer=100)
    read = 3 * tokens_of(HELLO)
    assert replace(found, usd=0.0) == Usage(input=read, output=300, calls=3)
    assert found.usd == pytest.approx((read * 4 + 300 * 20) / 1e6)


def test_a_large_request_is_reckoned_at_its_own_price() -> None:
    large = {"messages": [{"role": "user", "content": "x" * 400_000}]}
    found = estimate([large], "claude-haiku-5-5", Llm(), answer=0)
    assert found.usd == pytest.approx(found.input * 0.50 / 1e6)
