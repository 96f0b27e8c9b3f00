"""Foreign text made fit to print: what would steer a terminal is shown instead of obeyed.

A page, a file name or a commit's author can hold escape sequences that repaint the screen (CWE-150), or bidirectional
controls that show one text and mean another (CVE-2021-42574). Letters of every script, and the joiners that some of
them need, stay as they are.
"""

from __future__ import annotations

import json
import re

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but for tab and line feed, DEL, C1
    "\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"  # separators, embeddings, overrides, isolates
    "\ud800-\udfff\U000e0000-\U000e007f]"  # bytes that are no UTF-8, invisible tags
)
_BREAKING = re.compile("[\t\n]")


def visible(text: str) -> str:
    r"""The text with every steering character replaced by a sign for it; line breaks and tabs stay.

    ESC becomes ␛ (U+241B, Control Pictures), a byte that is no UTF-8 `\xNN`, anything else `<U+NNNN>`.
    """
    return text if text.isascii() and text.isprintable() else _STEERING.sub(_sign, text)


def inline(text: str) -> str:
    """The same on one line: line breaks and tabs are shown too, so that no text can pass for a line of ours."""
    return _BREAKING.sub(_sign, visible(text))


def escaped(line: str) -> str:
    """JSON that says the same in escapes: DEL, C1 and bidirectional controls may stand raw in it (RFC 8259 §7)."""
    return _STEERING.sub(lambda match: json.dumps(match[0])[1:-1], line)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"<U+{code:04X}>"
