"""What was compared with what, by whom, at what cost, and who vouches for it: two lines of the comment."""

from __future__ import annotations

from gitops.ci.fitting import Block
from gitops.ci.result import Result
from gitops.ci.taming import code, said

SEPARATOR = " · "
MANY = 10**12
"""From here on a count is not told exactly: nothing we count comes near, and a result may hold anything."""
NAME = 100
"""So many characters of a name are shown."""
_SHORT = 10
"""So many digits of a commit."""


def context(result: Result) -> Block:
    """What was compared with what, by whom, and what it cost; and who vouches for it."""
    told = (
        f"{code(result.base[:_SHORT])} → {code(result.head[:_SHORT])}",
        _samples(result),
        _judge(result),
        _cost(result),
        f"{counted(result.cache_hits)} cache hit{'' if result.cache_hits == 1 else 's'}",
        _baseline(result),
    )
    about = SEPARATOR.join(part for part in told if part)
    trust = f"Trust: {said(result.trust)}" if result.trust.strip() else ""
    return Block("\n\n".join(part for part in (about, trust) if part))


def counted(number: float) -> str:
    """A count with its thousands set apart; a result may hold one of any length."""
    return f"{number:,}" if number < MANY else f"more than {MANY:,}"


def place(path: str, line: int) -> str:
    """Path and line as one name, to be copied; apart where letters from right to left could draw the number in.

    Of no line, and of one that nobody has counted, the path alone.
    """
    if not path.strip() or not 0 < line < MANY:
        return code(path)
    return code(f"{path}:{line}") if path.isascii() else f"{code(path)}:{line}"


def has_others(result: Result) -> bool:
    """Whether something besides metrics was measured, which has baselines of its own."""
    return bool(result.benchmarks) or result.extraction is not None


def _samples(result: Result) -> str:
    samples = result.samples
    if not (samples.paired or samples.added or samples.removed):
        return "no samples"
    shown = f"{counted(samples.paired)} sample{'' if samples.paired == 1 else 's'} paired"
    return f"{shown}, {counted(samples.added)} added, {counted(samples.removed)} removed"


def _judge(result: Result) -> str:
    if result.judge == "none":
        return "no judge"
    if not result.asked:
        return f"judge {code(result.judge, NAME)}: no new claims"
    return f"judge {code(result.judge, NAME)}: {counted(result.judged)} of {counted(result.asked)} new claims judged"


def _cost(result: Result) -> str:
    if not result.tokens and not result.usd:
        return "no tokens"
    usd = f"{result.usd:,.2f}" if result.usd < MANY else counted(result.usd)
    return f"{counted(result.tokens)} tokens, {usd} USD"


def _baseline(result: Result) -> str:
    baseline = result.baseline
    if baseline.source == "none":
        return "" if has_others(result) and not result.metrics else "no baseline"
    if baseline.source == "measured here":
        return "baseline measured here"
    told = f"baseline from the notes{f' of {code(baseline.commit[:_SHORT])}' if baseline.commit else ''}"
    if baseline.age_days is None:
        return told
    days = int(min(baseline.age_days, MANY))
    return f"{told}, {'less than a day' if days < 1 else '1 day' if days == 1 else f'{counted(days)} days'} old"
