"""The items of context that other harnesses hand in: read from JSON Lines, and refused where nobody could name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import ValidationError

from gitops.errors import UsageError
from gitops.eviction.model import ContextItem
from gitops.runs import jsonlines
from gitops.runs.bad_input import BadInput, Fault

MOST = 1_000_000_000_000
"""No number of an item is larger."""
LONGEST = 200
"""Characters of the longest name of a scope, and of an item (see `ContextItem`)."""
_HINT = "one JSON object a line: git assay schema context-item"


def read(data: bytes, name: str) -> list[ContextItem]:
    """The items of JSON Lines. BadInput names the line of the first that is none, or whose id came before."""
    found: dict[str, ContextItem] = {}
    for number, value in jsonlines.objects(data, name, _HINT):
        try:
            item = ContextItem.model_validate(value, strict=True)
        except ValidationError as error:
            raise BadInput(name, [Fault(number, _wrong(error))], _HINT) from None
        if told := _unfit(item):
            raise BadInput(name, [Fault(number, told)], _HINT)
        if item.ctx_id in found:
            raise BadInput(name, [Fault(number, f"ctx_id {item.ctx_id!r} came before")], "give every item its own id")
        found[item.ctx_id] = item
    return list(found.values())


def refuse_unfit(items: Sequence[ContextItem]) -> None:
    """UsageError where there is none, an id comes twice, or one is none that could be named and recorded."""
    counted = Counter(item.ctx_id for item in items)
    if not counted:
        raise UsageError("there are no items to propose from", _HINT)
    for ctx_id, count in counted.items():
        if count > 1:
            raise UsageError(f"ctx_id {ctx_id!r} comes {count} times", "give every item its own id")
    for item in items:
        if told := _unfit(item):
            raise UsageError(f"{item.ctx_id}: {told}", _HINT)


def _unfit(item: ContextItem) -> str:
    """What nobody could name of an item, or which of its numbers no column holds; '' where all is well."""
    if told := unnameable(item.ctx_id):
        return f"ctx_id: {told}"
    numbers = ("token_count", "turn", "last_reference", "references")
    return next((f"{name}: more than {MOST:,}" for name in numbers if getattr(item, name) > MOST), "")


def unnameable(name: str) -> str:
    """Why nobody could say this name to `resolve`, or see it in a table; '' where everybody can."""
    if len(name) > LONGEST:
        return f"has more than {LONGEST} characters"
    if not name.isprintable():
        return "has characters that nobody sees, as a line break is"
    return "begins or ends with a space" if name != name.strip() else ""


def _wrong(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the item'}: {first['msg']}"
