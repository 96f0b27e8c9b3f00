"""Texts that tell who somebody is, or that open a door, which the library finds none of: patterns and their proofs.

Each pattern has a group `it` around what goes, or all of it goes. A number goes only where its check digits hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from ipaddress import ip_address
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a text that goes, and what it is."""

    start: int
    end: int
    label: str


def _luhn(text: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    digits = [int(each) for each in reversed(re.sub(r"\D", "", text))]
    return sum(digit if at % 2 == 0 else sum(divmod(digit * 2, 10)) for at, digit in enumerate(digits)) % 10 == 0


def _iban(text: str) -> bool:
    """ISO 13616-1: the country and its check digits behind the rest, letters as numbers from 10, modulo 97 is 1."""
    plain = text.replace(" ", "")
    return 15 <= len(plain) <= 34 and int("".join(str(int(each, 36)) for each in plain[4:] + plain[:4])) % 97 == 1


def _address(text: str) -> bool:
    """An address of somebody's machine: not the own machine's, and not one that stands for all."""
    try:
        found = ip_address(text)
    except ValueError:
        return False
    return not (found.is_loopback or found.is_unspecified)


def _any(text: str) -> bool:
    return True


_SECRET = r"(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|credentials?)"
_PATTERNS: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("KEY", r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", _any),
    ("KEY", r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+", _any),
    ("KEY", r"\b(?:sk|pk|rk)[-_][\w-]{16,}", _any),
    ("KEY", r"\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|xox[abeoprs]-)[\w-]{16,}", _any),
    ("KEY", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}", _any),
    ("KEY", rf"(?i:\b{_SECRET}\b[\"']?\s*[:=]\s*[\"']?)(?P<it>[^\s\"',;{{}}]{{4,}})", _any),
    ("KEY", r"(?i:\b(?:bearer|basic)\s+)(?P<it>[A-Za-z0-9._~+/=-]{12,})", _any),
    ("KEY", r"\b[a-z][a-z0-9+.-]*://(?P<it>[^\s/@:]*:[^\s/@]+@)", _any),
    ("URL", r"\bhttps?://[^\s<>\"'()\[\]{}|\\^`]+", _any),
    ("USER", r"(?i:\b(?:user[_ -]?name|user[_-]?id|login)\b[\"']?\s*[:=]\s*[\"']?)(?P<it>[^\s\"',;{}]{2,})", _any),
    ("USER", r"(?:/home/|/Users/|[\\/]Users[\\/]+)(?P<it>[^\s/\\\"'<>|:{}]+)", _any),
    ("ADDRESS", r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)", _address),
    ("ADDRESS", r"(?<![\w:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])", _address),
    ("IBAN", r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b", _iban),
    ("CREDIT_CARD", r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])", _luhn),
)
_COMPILED = tuple((label, re.compile(pattern, re.DOTALL), holds) for label, pattern, holds in _PATTERNS)


def spans(text: str) -> Iterator[Span]:
    """What is found in a text by the patterns, in no order; stretches may overlap."""
    for label, pattern, holds in _COMPILED:
        group = "it" if "it" in pattern.groupindex else 0
        for found in pattern.finditer(text):
            if holds(found[group]):
                yield Span(found.start(group), found.end(group), label)


def named(names: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for the names of persons, as whole words: whatever their case, but for a name that is one word, which
    may be another word written small. None where there is none.
    """
    parts = [_name(name) for name in sorted({" ".join(name.split()) for name in names}, key=len, reverse=True) if name]
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)") if parts else None


def _name(name: str) -> str:
    words = r"\s+".join(map(re.escape, name.split()))
    return f"(?i:{words})" if " " in name else words
