"""Foreign text in a comment on a code host: it is read as it stands, and does nothing.

`report/markdown.py` keeps a text from being mark-up. A code host does more, and does it after the Markdown, to the text
that is left, so that no backslash reaches it: it calls people by `@name` (and, where somebody answers by mail, even out
of code, for a mail is read as plain text), links `#12` and `GH-12` and leaves a trace there, links what may be
a commit, draws what stands between dollar signs, and turns `:name:` into a picture.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from gitops.agents import marking
from gitops.report import markdown as md
from gitops.report.visible import inline

JOINER = "\N{WORD JOINER}"
"""Of no width, and no line is broken there: what stands on both sides of it is no name and no number of an issue."""
_FIRST_STRONG_ISOLATE, _POP = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})

_ACTED_ON = re.compile(
    r"(?P<at>@)|(?P<issue>#(?=\d)|(?<![0-9A-Za-z])[Gg][Hh]-(?=\d))"
    r"|(?P<commit>(?<![0-9A-Za-z])[0-9A-Fa-f]{7,64}(?![0-9A-Za-z]))"
    r"|(?P<alone>\$|:(?=//|[\w+-]+:)|(?<=[Ww]{3})\.)"
)
_ALONE = "<span>{}</span>"
_IN_PROSE = {"at": f"{{}}{JOINER}", "issue": f"{{}}{JOINER}", "commit": "<code>{}</code>", "alone": _ALONE}
_IN_CODE = {"at": _ALONE, "issue": _ALONE, "commit": "{}", "alone": _ALONE}
_MENTION = re.compile(r"(?<![0-9A-Za-z])@(?=[0-9A-Za-z])(?![0-9]+(?![0-9A-Za-z-]))")
"""`@` before a name. A number alone is the offset of a citation, which has to be copied as it is."""
_MARKS_IN_CODE = re.compile(r"[`|\\$]|##\[")
"""`##[` is how a job's older commands begin, wherever on a line: somebody prints a comment in a job."""
_VALUE = r"[A-Za-z0-9._/:^~,+][A-Za-z0-9._/:^~,+-]*"
_OPTION = rf"--(?:base|head|metric|judge|workspace)[ =]{_VALUE}|--(?:no-)?benchmarks|--fail-on-neutral"
_COMMAND = re.compile(rf"git assay ci (?:check|verify-run)(?: (?:{_VALUE}|{_OPTION}))*")
"""What only looks: an option that names a file to write, or a command that lands, is not among them."""


def said(text: str, most: int = 300) -> str:
    """Prose, on one line and at most so long.

    After `@`, and within a reference to an issue, stands a word joiner; what may be a commit is set as code, so that it
    can be copied; a dollar sign and the colon of an address stand in a `<span>` of their own, each part of which is
    less than what a code host looks for.
    """
    told = cut(inline(text), most)
    return _isolated(told, _read(told, _IN_PROSE))


def item(text: str, most: int = 300) -> str:
    """Prose as an item of a list, which opens no heading, list or rule of its own."""
    return f"- {marking.begun(said(text, most).lstrip())}"


def code(text: str, most: int = 160) -> str:
    """A name, path or identifier as code; '' of nothing but white space.

    A code host reads nothing in it but `@name`, which is broken as in prose; anything else can be copied. It stands
    between backticks, unless it holds what means something there or between the cells of a table.
    """
    told = cut(inline(text).strip(), most)
    if not told:
        return ""
    broken = _MENTION.sub(f"@{JOINER}", told)
    is_plain = not _MARKS_IN_CODE.search(broken)
    return _isolated(told, f"`{broken}`" if is_plain else f"<code>{_read(broken, _IN_CODE)}</code>")


def pasted(command: str) -> str:
    """The command, where it is one of ours without anything that a shell reads; '' of any other.

    Whoever made the result may have written it, and people paste what a comment tells them to.
    """
    return command if _COMMAND.fullmatch(command) else ""


def cut(text: str, most: int) -> str:
    """The text, or so much of it and an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _read(told: str, held: Mapping[str, str]) -> str:
    made, at = [], 0
    for found in _ACTED_ON.finditer(told):
        made += [md.escaped(told[at : found.start()]), held[found.lastgroup or ""].format(found[0])]
        at = found.end()
    return "".join((*made, md.escaped(told[at:])))


def _isolated(text: str, markdown: str) -> str:
    """What is written from right to left moves nothing that stands beside it (UAX #9, 6.3)."""
    if text.isascii() or not any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in text):
        return markdown
    return f"{_FIRST_STRONG_ISOLATE}{markdown}{_POP}"
