"""Findings of a verdict as lines of a result: the new ones, errors first, as many as a result holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gitops.ci.result import Line
from gitops.verify.finding import Finding, Level

MOST = 200
"""So many lines a result has at most."""
_LONGEST = 2_000
_NO_UTF_8 = re.compile("[\udc80-\udcff]")
_RANK = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2}
_CALLED: Mapping[Level, Literal["error", "warning", "note"]] = {
    Level.ERROR: "error",
    Level.WARNING: "warning",
    Level.NOTE: "note",
}


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that a result shows, and how many more there are."""

    shown: tuple[Line, ...] = ()
    more: int = 0


def lines(found: Iterable[Finding]) -> Lines:
    """The new findings that say something is wrong. Claims that no judge is sure of ask nothing of anybody, and what
    the change does to the rules is told with the rest of them.
    """
    told = [each for each in found if each.new and each.level in _RANK and not (_is_unsure(each) or _is_rule(each))]
    told.sort(key=lambda each: (_RANK[each.level], each.path, each.line, each.column, each.check))
    return Lines(tuple(map(_line, told[:MOST])), len(told[MOST:]))


def strict(found: Sequence[Finding]) -> list[Finding]:
    """The same findings as a pull request takes them: sources that an intake did not add are an error there.

    Whoever may push to the branch itself may renew a source by a commit of its own; a change that is offered may only
    where somebody who may sign said so.
    """
    return [_refused(each) if _is_unsigned_sync(each) else each for each in found]


def clipped(text: str, most: int = _LONGEST) -> str:
    r"""Text that a result can hold: no longer than that, and sayable in UTF-8 whatever a file is called: a byte that is
    no UTF-8 is `\xNN`, as on a terminal.
    """
    sound = _NO_UTF_8.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)
    sound = sound.encode("utf-8", "backslashreplace").decode()
    return sound if len(sound) <= most else sound[: most - 1] + "…"


def _is_unsigned_sync(finding: Finding) -> bool:
    is_sync = (finding.check, finding.result) == ("raw_sealed", "raw_synced")
    return is_sync and not finding.evidence.get("signed_by")


def _refused(finding: Finding) -> Finding:
    told = f"{finding.message}; in a change that is offered, sources come in by commits that only add them"
    mend = "take it out of the change; git assay raw sync renews a source on the branch itself"
    return finding.model_copy(update={"level": Level.ERROR, "message": told, "repair": mend})


def _is_unsure(finding: Finding) -> bool:
    is_vote = finding.check == "support" and finding.level is Level.NOTE
    return is_vote and not finding.evidence.get("may_gate")


def _is_rule(finding: Finding) -> bool:
    return (finding.check, finding.result, finding.level) == ("path_acl", "policy_changed", Level.NOTE)


def _line(finding: Finding) -> Line:
    return Line(
        check=clipped(finding.check),
        level=_CALLED[finding.level],
        result=clipped(finding.result),
        path=clipped(finding.path),
        line=max(0, finding.line),
        message=clipped(finding.message),
        mend=clipped(finding.repair),
    )
