from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitops.wiki.tongue import language


@pytest.mark.parametrize("text", ["", "12 %", "Solvent recovery doubled throughput", "Berlin 2019"])
def test_too_little_tells_nothing(text: str) -> None:
    assert language(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the sea falls back twice a day and it is not told to", "en"),
        ("das Meer fällt zweimal am Tag und niemand muss es ihm sagen, wie auch bei uns", "de"),
        ("la mer se retire deux fois par jour et personne ne le lui dit dans les ports", "fr"),
        ("el mar se retira dos veces al día y nadie se lo dice, pero es así por los vientos", "es"),
        ("潮は一日に二度引く", "ja"),
        ("潮水每天退去两次", "zh"),
        ("바다는 하루에 두 번 물러난다", "ko"),
        ("море отступает дважды в день", "cyrillic"),
        ("潮水每天退去两次 (RAG)", "zh"),
        ("Agent는 도구로 행동한다", "ko"),
    ],
)
def test_a_sentence_tells_its_language(text: str, expected: str) -> None:
    assert language(text) == expected


@given(st.text())
def test_no_text_raises(text: str) -> None:
    language(text)
