"""What files of allowed and revoked keys say, as far as that can be told without ssh-keygen; the rest is left to it."""

from __future__ import annotations

import base64
from functools import lru_cache


def principal(allowed: bytes, key: bytes) -> str | None:
    """The one principal that the key's line names, where it is that simple; None where ssh-keygen has to look."""
    mine = _words(allowed).get(_spelt(key), frozenset())
    plain = next(iter(mine)).decode("utf-8", "replace") if len(mine) == 1 else ""
    return plain if plain and not set(plain) & set('*?!,"') else None


def is_stranger(allowed: bytes, key: bytes) -> bool:
    """Whether no line can be about a key: it is none of them, and no certificate, which another key could allow."""
    return not is_certificate(key) and _spelt(key) not in _words(allowed)


def is_named(revoked: bytes, key: bytes) -> bool:
    """Whether a list of revoked public keys names a key."""
    return _spelt(key) in _words(revoked)


def is_certificate(key: bytes) -> bool:
    """Whether a key comes with what another key says of it."""
    return b"-cert-v" in key[4 : 4 + int.from_bytes(key[:4], "big")]


@lru_cache(maxsize=16)
def _words(text: bytes) -> dict[bytes, frozenset[bytes]]:
    """Every word of such a file, so every key too, with the first words of the lines that it stands on."""
    found: dict[bytes, frozenset[bytes]] = {}
    for line in text.splitlines():
        words = [] if line.lstrip().startswith(b"#") else line.split()
        for word in words:
            found[word.rstrip(b"=")] = found.get(word.rstrip(b"="), frozenset()) | {words[0]}
    return found


def _spelt(key: bytes) -> bytes:
    return base64.b64encode(key).rstrip(b"=")
