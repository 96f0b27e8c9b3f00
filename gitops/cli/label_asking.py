"""Shows cases that were run, one after the other, and asks a person whether each is good.

What a judge says of it is not shown before: who knows it agrees with it more than they would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gitops.cli import asking

if TYPE_CHECKING:
    from gitops.suites.labelling import Shown
    from gitops.suites.modes.mode import Label

_Answer = Literal["pass", "fail", "skip", "quit"]
_ANSWERS: dict[str, _Answer] = {"p": "pass", "f": "fail", "s": "skip", "q": "quit"}


@dataclass(frozen=True, slots=True)
class Answered:
    """What a person says of what was shown, and why."""

    shown: Shown
    label: Label
    reason: str


def answers(every: Sequence[Shown], run: str) -> Iterator[Answered]:
    """What a person says, one by one, so that each can be kept at once; it ends where they quit or the input ends."""
    again = f"git assay benchmark label {run}"
    for number, shown in enumerate(every, 1):
        _show(shown, f"{number} of {len(every)}")
        answer = _answer(again)
        if answer == "quit":
            return
        if answer == "pass" or answer == "fail":
            reason = asking.line("  why (nothing for no reason): ", "this case is not labelled", again)
            if reason is None:
                return
            yield Answered(shown, answer, reason)


def _answer(again: str) -> _Answer:
    while True:
        typed = asking.line("  [p]ass, [f]ail, [s]kip, [q]uit? ", "this case is not labelled", again)
        if typed is None:
            return "quit"
        found = _ANSWERS.get(typed[:1].casefold())
        if found is not None and found.startswith(typed.casefold()):
            return found


def _show(shown: Shown, place: str) -> None:
    """The case and its output, each line of which begins with a bar, so that none can pass for a line of ours."""
    from gitops.report.visible import inline

    asking.say("")
    asking.say(f"{place}: {shown.suite}/{shown.case_id}")
    for name, text in _told(shown):
        lines = text.splitlines() or [""]
        asking.say(f"  {name}: {lines[0]}")
        for line in lines[1:]:
            asking.say(f"  {' ' * len(name)}  {line}")
    asking.say(f"  output{f', the same of {len(shown.runs)} runs' if len(shown.runs) > 1 else ''}:")
    for line in (shown.output or "").splitlines() or ["(nothing)"]:
        asking.say(f"  | {inline(line)}")
    if shown.is_cut:
        asking.say("  the record holds this beginning of it alone")


def _told(shown: Shown) -> Iterator[tuple[str, str]]:
    """What is known of the case: what it is, what was asked, what to look for."""
    if shown.case is None:
        yield "case", "what was asked is not in the record: it was a real session"
        return
    yield "case", shown.case.description
    yield "goal", shown.case.input.goal
    if shown.case.expected.mode == "human" and isinstance(shown.case.expected.value, str):
        yield "look for", shown.case.expected.value
