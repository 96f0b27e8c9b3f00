"""Quotations in messages: short enough for a line, and of two that differ the part where they do."""

from __future__ import annotations

WIDTH = 120
_BEFORE = 40


def short(text: str) -> str:
    """A text between quotation marks, cut at its end where it is long."""
    told = " ".join(text.split())
    return f'"{told}"' if len(told) <= WIDTH else f'"{told[: WIDTH - 1]}…"'


def apart(one: str, other: str) -> tuple[str, str]:
    """Two texts between quotation marks; long ones from shortly before the first place where they differ."""
    both = [" ".join(text.split()) for text in (one, other)]
    if max(map(len, both)) <= WIDTH:
        return short(one), short(other)
    differing = (at for at, (one_char, other_char) in enumerate(zip(*both, strict=False)) if one_char != other_char)
    agreed = next(differing, min(map(len, both)))
    start = both[0].rfind(" ", 0, max(0, agreed - _BEFORE)) + 1 if agreed > WIDTH // 2 else 0
    cut = [("…" if start else "") + text[start:] for text in both]
    return short(cut[0]), short(cut[1])
