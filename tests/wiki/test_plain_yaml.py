"""What is read without a parser is what the parser reads; everything else is left to it."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitops.wiki import plain_yaml
from gitops.wiki.yaml_values import _loader_class


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\n",
        "a: b",
        "a: 'b'\n",
        'a: "b"\n',
        "a: yes\n",
        "on: b\n",
        "a: ~\n",
        "a: Null\n",
        "a: 010\n",
        "a: 1_000\n",
        "a: 1.5\n",
        "a: 12:30\n",
        "a: b: c\n",
        "a: b #c\n",
        "a: b\na: c\n",
        "a:b\n",
        "a: [b, no]\n",
        "a: [b, [c]]\n",
        "a: [b,, c]\n",
        "a: [1, 2]\n",
        "a: *b\n",
        "a: &b c\n",
        "a: !b c\n",
        "a: |\n",
        "a: b\n c\n",
        "a:\n  b: c\n",
        "a:\n- b\n",
        "a: [b,\n  c]\n",
        "a: Käse\n",
        "a: b\r\n",
        "a:\tb\n",
        "<<: b\n",
        "a: b\n---\n",
        "a: =\n",
    ],
)
def test_what_yaml_may_read_otherwise_is_left_to_the_parser(source: str) -> None:
    assert plain_yaml.read(source) is None


def test_words_dates_numbers_and_lists_are_read() -> None:
    source = "title: It's a page, of words\ncreated: 2024-05-01\ncount: 12\ntags: [one, two three]\nempty:\nnone: []\n"
    assert plain_yaml.read(source) == {
        "title": "It's a page, of words",
        "created": "2024-05-01",
        "count": 12,
        "tags": ["one", "two three"],
        "empty": None,
        "none": [],
    }


_SIGNS = "a B key yes No null 0 7 12 2024-05-01 0x1f e5 : , [ ] - ' ? ! & * . ; ( ) / + _"
_SCRAPS = st.sampled_from(
    [*_SIGNS.split(), " ", ": ", ", ", "- ", "\n", "title: ", "tags: [", "]\n", "\n  "],
)


@settings(max_examples=500, deadline=None)
@given(st.lists(_SCRAPS, max_size=14).map("".join))
@example("a: b ?c\n")
@example("a: [b ]\n")
@example("a: [ ]\n")
@example("a: [b ! c, d]\n")
@example("a: b, c\n")
@example("a: -\n")
@pytest.mark.slow
def test_what_is_read_is_what_the_parser_reads(source: str) -> None:
    read = plain_yaml.read(source)
    if read is not None:
        assert read == yaml.load(source, Loader=_loader_class())
