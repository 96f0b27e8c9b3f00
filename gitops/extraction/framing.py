"""What stands around words that were copied out of a source, and may turn them: a denial, a doubt, somebody else.

"It is not true that X", "a critic said X", "X, but we decided otherwise", X below a heading `Rejected`: whoever copies
X alone says something else than the source does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.extraction.rationales import words
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
    r"|(?:that|this|it) (?:isn|wasn)['’]t\b|(?:no|wrong|false|not so|nonsense)\b[,.:;!])",
    re.IGNORECASE,
)
"""How the sentence behind one begins that takes it back."""
_HEADINGS = re.compile(
    r"\b(?:reject\w*|dismiss\w*|discard\w*|myths?|misconceptions?|objections?|against|dissent\w*|critic\w*|rumou?rs?"
    r"|not chosen|false|wrong)\b",
    re.IGNORECASE,
)
"""Headings below which stands what was not followed."""
_QUESTION = re.compile(r"[\s\"'”’)*_]*[?？]")
_ENDS, _CLOSERS = (".", "!", "?"), " \t\r\n\"'”’)*_"
_NEAR = 3
"""Characters that a sentence may go on behind a stretch that is all of it: its full stop, a quotation mark, a space."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around a stretch of a text: `before` and `after` in its sentence, `following` the next sentence of
    its paragraph where the stretch ends its own, `lead` the line that leads in, `headings` those above, nearest first.
    """

    before: str = ""
    after: str = ""
    following: str = ""
    lead: str = ""
    headings: tuple[str, ...] = ()

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
        if found := turned(self.before, self.after):
            return f"its sentence also says '{found}'"
        if _QUESTION.match(self.after):
            return "it stands there as a question"
        if _TAKEN_BACK.match(self.after) or _TAKEN_BACK.match(self.following):
            return "what follows takes it back"
        if found := turning(self.lead):
            return f"the line before it says '{found}'"
        heading = next((match[0] for one in self.headings if (match := _HEADINGS.search(one))), "")
        return f"it stands below a heading that says '{heading}'" if heading else ""


def frame(text: str, passages: Sequence[Passage], start: int, end: int) -> Frame:
    """What stands around `[start, end)` of a text, whose passages these are."""
    mine = [at for at, one in enumerate(passages) if one.start < end and one.end > start]
    if not mine:
        return Frame()
    first, last = passages[mine[0]], passages[mine[-1]]
    begin, stop = _sentence(text, first.start, last.end, start, end)
    behind = text[stop : last.end] or _following(passages, mine[-1])
    return Frame(
        before=text[begin:start],
        after=text[end:stop],
        following=behind if stop <= end + _NEAR else "",
        lead=_lead(passages, mine[0]),
        headings=tuple(_headings(passages, mine[0])),
    )


def _sentence(text: str, low: int, high: int, start: int, end: int) -> tuple[int, int]:
    """Where in a passage `[low, high)` the sentences begin and end that a stretch is of: a passage may hold several,
    where one of them ends like an abbreviation.
    """
    cuts = [low + at for at, _ in sentences(text[low:high])]
    ends = [cut for cut in cuts if text[low:cut].rstrip(_CLOSERS).endswith(_ENDS)]
    return max([low, *(cut for cut in ends if cut <= start)]), min([high, *(cut for cut in ends if cut >= end)])


def _following(passages: Sequence[Passage], at: int) -> str:
    following = passages[at + 1] if at + 1 < len(passages) else None
    return following.text if following is not None and following.unit == passages[at].unit else ""


def _lead(passages: Sequence[Passage], at: int) -> str:
    """The line before a passage, or before the list that it is an item of, where that ends with a colon."""
    before = at - 1
    while before >= 0 and passages[at].block == "item" and passages[before].block == "item":
        before -= 1
    found = passages[before].text if before >= 0 else ""
    return found if found.rstrip(" *_").endswith(":") else ""


def _headings(passages: Sequence[Passage], at: int) -> Iterator[str]:
    level = 7
    for one in reversed(passages[:at]):
        if one.block == "heading" and one.level < level:
            level = one.level
            yield one.text
