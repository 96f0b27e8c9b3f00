"""What stands around words that were copied out of a source, and may turn them: a denial, a doubt, somebody else.

"It is not true that X", "a critic said X", "X, but we decided otherwise", X below a heading `Rejected`: whoever copies
X alone says something else than the source does. No list has all such words; so a part of a sentence is only believed
where the source says it as it would a sentence: behind `because`, a semicolon, a `but`; before a `because`, an `and`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.extraction.rationales import MARKER, words
from gitops.extraction.turning import turned, turning
from gitops.verify.judging.reading import sentences
from gitops.wiki.passages import Passage

_DENIED = re.compile(
    r"(?:\b(?:not|never|no)|n['’]t)(?: (?:the case|true|so|correct|right))?"
    r"(?: (?:that|because(?: of)?|since|due to|in order to|so that|for))+\W*\Z"
    r"|\b(?:untrue|false|wrong|incorrect|a myth|den(?:y|ies|ied)|disput(?:e|es|ed)) that\W*\Z",
    re.IGNORECASE,
)
"""How the words before a stretch end that deny it."""
_TAKEN_BACK = re.compile(
    r"\W*(?:but )?(?:(?:that|this|it|which) (?:is|was|has been|proved|turned out)(?: to be)?(?: \w+)?[ ]?"
    r"(?:not|n['’]t|never|false|wrong|untrue|incorrect|mistaken|a myth)\b"
    r"|(?:that|this|it|these|those|such)(?: \w+)? (?:(?:is|was|are|were|do|did|does|has|have|ca|could|would|wo)n['’]t"
    r"|(?:are|were|do|did|does|has|have|can|could|would|will) (?:not|never)|cannot|fail(?:s|ed))\b"
    r"|not (?:true|so|quite|really|any|at all)\b|we (?:disagree|do(?:n['’]t| not) (?:agree|believe|share|think))\b"
    r"|(?:no|wrong|false|untrue|nonsense)\b[,.:;!])",
    re.IGNORECASE,
)
"""How the sentence behind one begins that takes it back."""
_HEADINGS = re.compile(
    r"\b(?:reject\w*|dismiss\w*|discard\w*|myths?|misconceptions?|objections?|against|dissent\w*|critic\w*|rumou?rs?"
    r"|not chosen|false|wrong|cons|contra|drawbacks?|disadvantages?|downsides?|concerns|superseded|obsolete|outdated"
    r"|withdrawn|deprecated|abandoned|no longer)\b",
    re.IGNORECASE,
)
"""Headings below which stands what was not followed."""
_PLAIN_BEFORE = re.compile(
    rf"\W*(?:(?:\d+|[a-z])[.)])?\W*(?:(?:also|besides|moreover|furthermore|in addition|finally|and|indeed"
    rf"|first(?:ly)?|second(?:ly)?|third(?:ly)?)\b)?\W*"
    rf"|.*(?:;|\bbut|,\s+and)\W*"
    rf"|.*(?:{MARKER.pattern}|, for\s|\b(?:why|reasons?|rationale|motivation|justification)\b[^:]*:"
    rf"|\breason (?:is|was) that\s)"
    rf"\W*(?:.*(?:[,;]|\band|\bor)\W*)?",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN_AFTER = re.compile(
    rf"\W*(?:\[\^\w+\]\W*)?|\W*(?:\[\^\w+\]\s*)?(?:;|,?\s*(?:and|so|therefore|thus|hence|which is why)\b"
    rf"|,?\s*{MARKER.pattern}).*",
    re.IGNORECASE | re.DOTALL,
)
"""What may stand in a sentence before and behind a part that it says as it would say a sentence."""
_STRUCK = re.compile(r"~~|</?(?:del|s|strike)>", re.IGNORECASE)
_WRAPPED = 60
"""A shorter line is not wrapped: what follows begins anew."""
_LABEL = 3
"""A line of so many words before a list is its label, colon or none."""
_QUESTION = re.compile(r"[\s\"'”’)*_]*[?？]")
_ENDS, _CLOSERS = (".", "!", "?"), " \t\r\n\"'”’)*_"
_NEAR = 3
"""Characters that a sentence may go on behind a stretch that is all of it: its full stop, a quotation mark, a space."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a stretch of a text: `before` and `after` in its sentence, `following` the next sentence of
    its paragraph or the list item behind it, where the stretch ends its own, `lead` the line that leads in, `headings`
    those above, nearest first, and before them the rest of a table's row. `around` says why the place itself raises
    doubt, as a quotation does; `opens` that the stretch begins as a sentence on a line of its own does, or as a reason.
    """

    before: str = ""
    after: str = ""
    following: str = ""
    lead: str = ""
    headings: tuple[str, ...] = ()
    around: str = ""
    opens: bool = False

    @property
    def is_all(self) -> bool:
        """Whether the stretch is all that its sentence says."""
        return not words(self.before + self.after)

    @property
    def denies(self) -> bool:
        """Whether its sentence denies it outright: `it is not true that …`."""
        return _DENIED.search(self.before) is not None

    @property
    def doubt(self) -> str:
        """Why the stretch may say something else by itself than it says there; '' where nothing around it turns it."""
        if self.around:
            return self.around
        if found := turned(self.before, self.after):
            return f"its sentence also says '{found}'"
        if _QUESTION.match(self.after):
            return "it stands there as a question"
        if _TAKEN_BACK.match(self.after) or _TAKEN_BACK.match(self.following):
            return "what follows takes it back"
        if found := turning(self.lead) or _heading([self.lead]):
            return f"the line before it says '{found}'"
        is_plain = self.opens or _PLAIN_BEFORE.fullmatch(self.before)
        if not (is_plain and _PLAIN_AFTER.fullmatch(self.after)):
            return "it is only a part of what its sentence says"
        heading = _heading(self.headings)
        return f"it stands below a heading that says '{heading}'" if heading else ""


def frame(text: str, passages: Sequence[Passage], start: int, end: int) -> Frame:
    """What stands around `[start, end)` of a text, whose passages these are."""
    mine = [at for at, one in enumerate(passages) if one.start < end and one.end > start]
    if not mine:
        return Frame(around="it stands beside the text, as in a comment or a footnote")
    first, last = passages[mine[0]], passages[mine[-1]]
    begin, stop = _sentence(text, first.start, last.end, start, end)
    behind = text[stop : last.end] or _following(passages, mine[-1])
    before, after = text[begin:start], text[end:stop]
    if first.block == "row":
        before, after = before.rpartition("|")[2], after.partition("|")[0]
    return Frame(
        before=before,
        after=after,
        following=behind if stop <= end + _NEAR else "",
        lead=_lead(passages, mine[0]),
        headings=(*_columns(first, text[start:end]), *_headings(passages, mine[0])),
        around=_around(text, first, start),
        opens=_opens_line(text, start) or MARKER.match(text, start, end) is not None,
    )


def _heading(lines: Sequence[str]) -> str:
    return next((match[0] for one in lines if (match := _HEADINGS.search(one))), "")


def _around(text: str, passage: Passage, start: int) -> str:
    if passage.block == "quote":
        return "it stands in a quotation"
    marks = _STRUCK.findall(text, max(0, passage.start - len("<strike>")), start)
    is_struck = len(marks) % 2 == 1 and not marks[-1].startswith("</")
    return "it is struck out" if is_struck else ""


def _opens_line(text: str, start: int) -> bool:
    """Whether a line begins there with a capital, and the one above is too short to be a wrapped one."""
    above = text[:start].rstrip(" \t\"'“‘*_")
    return above.endswith("\n") and text[start].isupper() and len(above.rstrip("\n").rpartition("\n")[2]) < _WRAPPED


def _columns(passage: Passage, said: str) -> Iterator[str]:
    """The rest of a table's row: its other cells, and how its columns are headed."""
    if passage.block == "row":
        yield passage.text.replace(said, "")


def _sentence(text: str, low: int, high: int, start: int, end: int) -> tuple[int, int]:
    """Where in a passage `[low, high)` the sentences begin and end that a stretch is of: a passage may hold several,
    where one of them ends like an abbreviation.
    """
    cuts = [low + at for at, _ in sentences(text[low:high])]
    ends = [cut for cut in cuts if text[low:cut].rstrip(_CLOSERS).endswith(_ENDS)]
    return max([low, *(cut for cut in ends if cut <= start)]), min([high, *(cut for cut in ends if cut >= end)])


def _following(passages: Sequence[Passage], at: int) -> str:
    following = passages[at + 1] if at + 1 < len(passages) else None
    goes_on = following is not None and (following.unit == passages[at].unit or following.block == "item")
    return following.text if following is not None and goes_on else ""


def _lead(passages: Sequence[Passage], at: int) -> str:
    """The line before a passage, or before the list that it is an item of, where that leads in."""
    before = at - 1
    while before >= 0 and passages[at].block == "item" and passages[before].block == "item":
        before -= 1
    found = passages[before].text if before >= 0 else ""
    is_label = passages[at].block == "item" and len(found.split()) <= _LABEL
    return found if is_label or found.rstrip(" *_").endswith(":") else ""


def _headings(passages: Sequence[Passage], at: int) -> Iterator[str]:
    level = 7
    for one in reversed(passages[:at]):
        if one.block == "heading" and one.level < level:
            level = one.level
            yield one.text
