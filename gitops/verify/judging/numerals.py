"""Words that are numbers or parts of numbers."""

from __future__ import annotations

from gitops.verify.judging.lexicon import listed

ONES = {
    word: value
    for value, word in enumerate(
        listed(
            """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
    """
        )
    )
}
TENS = {word: 10 * n for n, word in enumerate(listed("twenty thirty forty fifty sixty seventy eighty ninety"), 2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
          "mn": 1e6, "bn": 1e9, "crore": 1e7, "lakh": 1e5}  # fmt: skip
ORDINALS = {
    word: value
    for value, word in enumerate(
        listed(
            """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """
        ),
        1,
    )
}
FRACTIONS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    word + plural: value for word, value in ORDINALS.items() if 3 <= value <= 12 for plural in ("", "s")
}
PERCENT = frozenset(("%", "percent", "pct", "percentage"))
MONEY = frozenset(("$", "€", "£", "¥", "dollar", "dollars", "euro", "euros", "pound", "pounds", "usd", "eur", "gbp"))
ABOUT = frozenset(
    listed(
        """
    about around approximately roughly nearly almost over under some circa least most than
    """
    )
)
