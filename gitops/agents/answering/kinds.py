"""What kind of answer a question wants, by its words: a number, a date, a person, a price, a definition, a list.

English is read so; of other languages only whether a definition is wanted. A kind that is not recognised demands
nothing.
"""

from __future__ import annotations

import re
from typing import Literal

Wanted = Literal["number", "date", "person", "anything"]
Demand = tuple[re.Pattern[str], str]
"""What the words of an answer must match, and what that is called."""

_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|old|far|big|large|tall|high|deep|hot|cold|heavy|fast)\b"
    r"|\b(?:what|which) (?:\w+ ){0,3}?"
    r"(?:percentage|percent|share(?= of)|temperature|pressure|ratio|price|number|amount|dose)\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many ((?:[^\W\d_][\w'’-]* ?){1,3})", re.IGNORECASE)
_YES_OR_NO = re.compile(
    r"^\W*(?:am|is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will|would|should)\b"
    r"(?! (?:you|we|anyone|anybody|someone|somebody)\b)",
    re.IGNORECASE,
)
_PAST = re.compile(r"\bwhen (?:was|were|did)\b", re.IGNORECASE)
_DATE = re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|century)\b", re.IGNORECASE)
_PERSON = re.compile(r"\bwho(?:m|se)?\b(?! (?:is|was|are|were) (?-i:[A-Z]))", re.IGNORECASE)
_SEVERAL = re.compile(
    r"^\W*(?:what|which) (?:\w+ )?are\b|^\W*(?:list|name)\b|\b(?:steps|stages|phases)\b", re.IGNORECASE
)
_WHAT_IS = re.compile(
    r"^\W*(?:what(?:'s| is| are)|who (?:is|was|are|were)(?= (?-i:[A-Z]))) (?:an? |the )?"
    r"(?!.*\b(?:of|in|for|by|from|on)\b)"
    r"|이란|무엇(?:인가|입니까)|뭐(?:야|예요)|とは|是什么|什么是|是什麼|什麼是",
    re.IGNORECASE,
)
_DEMANDS = (
    (
        r"\bhow (?:hot|cold)\b|\b(?:temperature|boiling point|melting point)\b",
        r"\d\s*(?:°|º|degrees?\b|celsius|fahrenheit|[CFK]\b)",
        "a temperature",
    ),
    (
        r"\b(?:price|cost|costs|how expensive)\b",
        r"[€$£¥₩]|\b(?:dollars?|euros?|pounds?|usd|eur|gbp|cents?|tokens?|free)\b",
        "a price",
    ),
    (
        r"\bhow long\b|\bduration\b",
        r"\d long\b|"
        r"(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|an?|few|several|couple)\b)"
        r".{0,25}?\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur\w+|metres?|meters?|km|m|cm|h)\b",
        "a length of time",
    ),
    (
        r"\bpressure\b",
        r"\b(?:bars?|psi|k?pa|pascals?|atmospher\w+)\b",
        "a pressure",
    ),
    (r"\bin years\b", r"\byears?\b", "years"),
    (r"\bin (?:days|weeks|months)\b", r"\b(?:days?|weeks?|months?)\b", "so many days"),
    (r"\bin (?:kilo)?grams\b", r"\d\s*k?g\b|grams?\b", "a weight"),
    (r"\bmilligrams?\b|\bmg\b", r"\bmg\b|\bmilligrams?\b", "milligrams"),
    (r"\bpercent(?:age)?\b", r"%|\bper ?cent\b", "a percentage"),
)


def wanted(question: str) -> Wanted:
    """The kind of answer."""
    if _YES_OR_NO.search(question):
        return "anything"
    if _DATE.search(question):
        return "date"
    if _NUMBER.search(question):
        return "number"
    return "person" if _PERSON.search(question) else "anything"


def demands(question: str) -> tuple[Demand, ...]:
    """What an answer must show besides: a price its currency, a temperature its degrees."""
    asked = (one for one in _DEMANDS if re.search(one[0], question, re.IGNORECASE))
    return tuple((re.compile(shown, re.IGNORECASE), name) for _, shown, name in asked)


def asks_for_several(question: str) -> bool:
    """Whether a list is wanted: of steps, of kinds."""
    return _SEVERAL.search(question) is not None


def asks_what_it_is(question: str) -> bool:
    """Whether a definition is wanted."""
    return _WHAT_IS.search(question) is not None


def counted(question: str) -> str:
    """What `how many` asks the number of, up to three words of it; '' where it does not ask so."""
    found = _HOW_MANY.search(question)
    return found[1] if found else ""


def is_of_the_past(question: str) -> bool:
    """Whether it asks when something was, and so for a date."""
    return _PAST.search(question) is not None
