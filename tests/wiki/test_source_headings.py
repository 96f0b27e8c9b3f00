from __future__ import annotations

import pytest

from gitops.wiki.source_headings import headings, may_be_other, named

TEXT = """---
title: no heading
---

# The mill — a [short](x.md) history

## Espresso vs. filter — the two ends

Text.

### Body (verbatim, numbered 01–07)

**Roast in focus.** More text.

## Notes {#own-id}

```
# no heading either
```

Setext
------

## Notes
"""


def test_headings_with_their_stretches() -> None:
    found = headings(TEXT)
    assert [(one.level, one.text) for one in found] == [
        (1, "The mill — a short history"),
        (2, "Espresso vs. filter — the two ends"),
        (3, "Body (verbatim, numbered 01–07)"),
        (7, "Roast in focus."),
        (2, "Notes"),
        (2, "Setext"),
        (2, "Notes"),
    ]
    assert TEXT[found[1].start : found[1].end].endswith("More text.\n\n")
    assert found[0].end == len(TEXT)
    assert [one.slug for one in found if one.text == "Notes"] == ["own-id", "notes-1"]


@pytest.mark.parametrize(
    ("said", "heading"),
    [
        ("espresso-vs-filter--the-two-ends", "Espresso vs. filter — the two ends"),
        (
            "Espresso vs. filter — the two ends — espresso TDS (ingested 2026-07-16)",
            "Espresso vs. filter — the two ends",
        ),
        ("body-verbatim-numbered-0107", "Body (verbatim, numbered 01–07)"),
        ("Roast in focus", "Roast in focus."),
        ("own-id", "Notes"),
        ("Setext (ingested 2026-07-16)", "Setext"),
        ("The mill#Setext", "Setext"),
        ("Setext & §7", "Setext"),
        ("Setext and Appendix A", "Setext"),
        ("Setext–§9", "Setext"),
    ],
)
def test_the_longest_beginning_that_is_a_heading_is_meant(said: str, heading: str) -> None:
    assert [one.text for one in named(said, TEXT)] == [heading]


@pytest.mark.parametrize(
    "said", ["no heading", "no-heading-either", "The two ends", "", "Seventh heaven", "Setext and more"]
)
def test_no_heading_is_meant(said: str) -> None:
    assert named(said, TEXT) == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("^block", ""),
        (":~:text=mill", ""),
        ("3.2", "3.2 Method\n"),
        ("7 — duties", "§ 7 Duties\n"),
        ("here", '<a id="here"></a>'),
        ("Roast", "# Roast in focus\n"),
    ],
)
def test_other_anchors(said: str, text: str) -> None:
    assert may_be_other(said, text)
    assert not may_be_other("Seventh heaven", text)
