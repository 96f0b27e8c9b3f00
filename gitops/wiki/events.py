"""The one way in which Markdown is parsed: pulldown-cmark's events, with the options that every reader shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyromark

_Options = pyromark.Options
OPTIONS = (
    _Options.ENABLE_TABLES
    | _Options.ENABLE_FOOTNOTES
    | _Options.ENABLE_TASKLISTS
    | _Options.ENABLE_STRIKETHROUGH
    | _Options.ENABLE_GFM
)


def events(body: str, *, is_merged: bool = True) -> Iterator[tuple[Any, Any]]:
    """Each event with its range in UTF-8 bytes. `is_merged` makes one text of adjacent ones.

    Untyped, for whoever takes them by the thousand: an event is a string or a fresh dictionary of one entry.
    """
    return pyromark.events_with_range(body, options=OPTIONS, merge_text=is_merged)


def reference_definitions(body: str) -> Iterator[tuple[str, int, int]]:
    """The label of each link reference definition and its range in UTF-8 bytes."""
    for label, definition in pyromark.reference_definitions(body, options=OPTIONS).items():
        yield label, definition["span"]["start"], definition["span"]["end"]
