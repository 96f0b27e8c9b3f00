from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.seeds import SEEDS
from fuzz.targets import TARGETS

EVERY = [pytest.param(target, id=name) for name, target in TARGETS.items()]
Target = Callable[[bytes], None]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Pieces of the seeds, put together, with bytes put in, taken out and doubled."""
    text = "".join(draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=3)))
    data = bytearray(text.encode())
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        until = at + draw(st.integers(0, 12))
        put = draw(st.one_of(st.binary(max_size=4), st.just(bytes(data[at:until])), st.sampled_from(PIECES)))
        data[at : until if draw(st.booleans()) else at] = put
    return bytes(data)


PIECES = [
    piece.encode()
    for piece in (
        *("[^", "]:", "](", "[[", "]]", "`", '"', "\u201c", "\u300c", "#", "\n\n", "\n> ", "|", "$$", "%%", "---\n"),
        *("\r", "\x00", "\u2028", "\U0001f600", "e\u0301", "\uff08", "(source: "),
    )
]


@pytest.mark.parametrize("target", EVERY)
def test_every_seed_passes(target: Target) -> None:
    for seed in SEEDS:
        target(seed.encode())


@pytest.mark.parametrize("target", EVERY)
@settings(max_examples=40, deadline=None)
@given(data=mutated())
def test_mutated_seeds_raise_nothing(target: Target, data: bytes) -> None:
    target(data)


@pytest.mark.slow
@pytest.mark.parametrize("target", EVERY)
@settings(max_examples=2_000, deadline=None)
@given(data=st.one_of(mutated(), st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8"))))
def test_a_long_sweep_raises_nothing(target: Target, data: bytes) -> None:
    target(data)
