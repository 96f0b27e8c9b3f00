"""What a library keeps between commands, and that damage to it changes no answer."""

from __future__ import annotations

import pytest

from gitops.config import Config
from gitops.verify.view import Library
from gitops.wiki.snapshot import MemorySnapshot
from gitops.wiki.source_text import SourceText, to_bytes

HTML = b"<p>The mill employs forty people.</p>"
OTHER = b"<p>The mill employs ninety people.</p>"


class Kept:
    """A cache that a test can reach into."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str, str], bytes] = {}

    def get(self, kind: str, version: str, key: str) -> bytes | None:
        return self.held.get((kind, version, key))

    def put(self, kind: str, version: str, key: str, value: bytes) -> None:
        self.held[kind, version, key] = value


def text_of(cache: Kept, data: bytes) -> str:
    snapshot = MemorySnapshot({"raw/a.html": data})
    return Library(Config(), cache).source(snapshot, "raw/a.html").text


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"assay-source-1\nx",
        b"\0" * 100,
        to_bytes(SourceText("The mill employs ninety people.", extractor="html")),
    ],
)
def test_a_damaged_entry_is_made_anew(damaged: bytes) -> None:
    cache = Kept()
    assert text_of(cache, HTML) == "The mill employs forty people."
    [key] = cache.held
    whole = cache.held[key]
    cache.held[key] = damaged
    assert text_of(cache, HTML) == "The mill employs forty people."
    assert cache.held[key] == whole


def test_an_entry_that_was_made_from_another_source_is_not_believed() -> None:
    cache = Kept()
    text_of(cache, HTML)
    [mine] = cache.held
    text_of(cache, OTHER)
    [other] = set(cache.held) - {mine}
    cache.held[mine] = cache.held[other]
    assert text_of(cache, HTML) == "The mill employs forty people."


def test_a_whole_entry_is_used() -> None:
    cache = Kept()
    text_of(cache, HTML)
    before = dict(cache.held)
    assert text_of(cache, HTML) == "The mill employs forty people."
    assert cache.held == before
