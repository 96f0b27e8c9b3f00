"""Files that people hand in and that cannot be taken as they are: each fault with its file and line."""

from __future__ import annotations

import unicodedata
from codecs import BOM_UTF8
from collections.abc import Iterable

from gitops.errors import UsageError
from gitops.runs.gold_file import Fault

__all__ = ["BadInput", "Fault", "decoded", "nfc"]


class BadInput(UsageError):
    """A file that cannot be taken; `faults` are all that are known of it, `message` tells the first.

    A fault on line 0 is of the whole, and is told without a line.
    """

    def __init__(self, name: str, faults: Iterable[Fault], hint: str = "") -> None:
        self.name = name
        self.faults = tuple(sorted(set(faults), key=lambda fault: (fault.line, fault.message)))
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        super().__init__(_told(self.faults[0], name) + more, hint)


def _told(fault: Fault, name: str) -> str:
    return fault.told(name) if fault.line else f"{name}: {fault.message}"


def decoded(data: bytes, name: str) -> str:
    """The text of a file, without a byte-order mark. BadInput with the first line that is not UTF-8."""
    body = data.removeprefix(BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        is_cut = error.end == len(body) and error.reason == "unexpected end of data"
        told = "the file is cut in the middle of this line, in one of its characters" if is_cut else "this is not UTF-8"
        line = body.count(b"\n", 0, error.start) + 1
        raise BadInput(name, [Fault(line, told)], f"write {name} anew as UTF-8") from None


def nfc(text: str) -> str:
    """An id in Unicode's form C: ids that differ in their normal form alone are one id."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
