"""What a check of a change says of extraction: its bars, and what of the extraction is wrong, place by place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from gitops.runs.printed_ci_values import Count, Number, Part, Text

BarVerdict = Literal["met", "below", "not measured", "shown"]
"""`shown`: only the change has the gold that it is scored by, so that it gates nothing."""
WrongKind = Literal["missed", "spurious", "mistyped", "mislinked", "made_up", "omitted", "invalid", "graph"]
MOST_BARS = 10
MOST_WRONG = 200
"""So many things that are wrong are told one by one."""


class BarRow(Part):
    """One number of the extraction beside the bar that the base's policy holds it to. Not measured is null."""

    metric: Text
    unit: Text = "share"
    direction: Literal["higher", "lower"] = "higher"
    op: Literal[">=", "<=", "=="]
    bar: Number
    before: Number | None = None
    """What the base has extracted, by the base's gold."""
    after: Number | None = None
    """What would land, by the base's gold."""
    by_own_gold: Number | None = None
    """What would land, by the gold that the change leaves; null where that is the base's."""
    verdict: BarVerdict
    gated: bool = False
    """Whether the job fails by it."""
    accepted: bool = False
    """Whether somebody let it pass."""
    was_below: bool = False
    """Whether the base does not reach it either."""
    why: Text = ""
    """Why there is no number, or who accepted that it is below."""


class WrongLine(Part):
    """One thing that is wrong with the extraction: where it stands, which place of the source it is about, and where
    the gold says otherwise. What is not known is empty; a line of 0 is the file as a whole.
    """

    kind: WrongKind
    case: Text
    what: Text
    level: Literal["error", "warning"] = "error"
    path: Text = ""
    line: Count = 0
    source: Text = ""
    source_line: Count = 0
    gold: Text = ""
    gold_line: Count = 0
    is_new: bool = False
    """Whether the base gets this right."""


class ExtractionAnswer(Part):
    """The extraction that would land, scored by the base's gold and held to the base's bars."""

    because: Text
    """What of the change decides how it is scored."""
    extracted: Text
    """What was scored, in words: a folder, or who extracted."""
    judge: Text = ""
    cases: Count = 0
    bars: Annotated[tuple[BarRow, ...], Field(max_length=MOST_BARS)] = ()
    wrong: Annotated[tuple[WrongLine, ...], Field(max_length=MOST_WRONG)] = ()
    """What the change brings first, and some of each kind before more of one."""
    more_wrong: Count = 0
    kinds: Mapping[WrongKind, Count] = Field(default_factory=dict)
    """How many there are of each kind, whether they are told one by one or not."""
    new_wrong: Count = 0
    """How many of all of them the base gets right."""
    gold: Text = ""
    """The digest of the gold that it is scored by."""
    is_shown: bool = False
    """Whether only the change has gold, so that nothing is gated."""
    notes: Annotated[tuple[Text, ...], Field(max_length=20)] = ()
    """What else is to be known: folders of no case, gold that the change leaves broken, claims that nobody judged."""
