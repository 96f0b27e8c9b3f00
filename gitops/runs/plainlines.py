"""The common line of a note, read fast: spelled canonically, in today's shape, bearing its own id.

`plain` says yes or nothing. What it gives is what the careful readers (`notelines.parse`, `store.parse_verdict`)
give for the same line; whatever is unusual in the least is left to them, and so is every refusal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from gitops.config import RunType
from gitops.runs.records import LandedRecord, Operation, Person, PlanRecord, RunRecord, StateRecord, Status
from gitops.verify.finding import Finding, Level
from gitops.verify.verdict import Counts, Decision, Followed, Member, Verdict

Fields = dict[str, Any]


def plain(line: str) -> Fields | None:
    """The fields of a record or verdict; None when the careful way has to look."""
    try:
        data = line.encode()
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
        if to_json(value) != data:  # another spelling, or a name that occurs twice
            return None
    except ValueError:
        return None
    if type(value) is not dict or type(kind := value.get("kind")) is not str:
        return None
    shape = _RESTING if kind == "verdict" and "measurements" in value else _SHAPES.get(kind)
    return value if shape is not None and _fits(value, *shape) and _bears_its_id(value, data) else None


def is_plain_of(line: str, kinds: Collection[str]) -> bool:
    """Is this a common line of one of these kinds, of which nothing is asked but that it bears its own id?"""
    if not any(f'"kind":"{kind}"' in line for kind in kinds):
        return False
    try:
        data = line.encode()
        value = from_json(data, allow_inf_nan=False, cache_strings="keys")
        if type(value) is not dict or next(iter(value), "") != "summary" or to_json(value) != data:
            return False
    except ValueError:
        return False
    is_named = type(value.get("id")) is str and type(value["summary"]) is str
    return is_named and value.get("kind") in kinds and _bears_its_id(value, data)


def _bears_its_id(value: Fields, data: bytes) -> bool:
    """Whether the id is the digest of the line's own bytes with the members `summary` and `id` cut out.

    A quotation mark within a string follows a backslash, so `,"id":"` begins a member wherever it stands.
    """
    begin = len(b'{"summary":') + len(to_json(value["summary"])) + 1
    head, found, tail = data[begin:].partition(b',"id":"%s"' % value["id"].encode())
    body = hashlib.sha256(b"{")
    body.update(head)
    body.update(tail)
    return bool(found) and body.hexdigest()[:40] == value["id"]


def _keys(model: type[BaseModel], without: str = "") -> tuple[str, ...]:
    """A model's members in the order of a line: `summary` first where there is one, the rest sorted."""
    names = sorted(field.alias or name for name, field in model.model_fields.items() if name != without)
    return tuple(sorted(names, key=lambda name: name != "summary"))


def _fits(value: Fields, keys: tuple[str, ...], types: tuple[type, ...], rest: Callable[[Fields], bool]) -> bool:
    return tuple(value) == keys and tuple(map(type, value.values())) == types and rest(value)


def _types(model: type[BaseModel], without: str = "", /, **other: type) -> tuple[type, ...]:
    return tuple(other.get(name, str) for name in _keys(model, without))


def _is_run(value: Fields) -> bool:
    author = value["author"]
    return (
        value["run_type"] in _RUN_TYPES
        and tuple(author) == _PERSON
        and _TEXT.issuperset(map(type, author.values()))
        and _all_text(value["sources"])
    )


def _is_state(value: Fields) -> bool:
    spent = value["spent"]
    return (
        value["status"] in _STATUSES
        and _all_floats(value["used"])
        and (not spent or (list(spent) == sorted(spent) and all(map(_is_spent, spent.values()))))
    )


def _is_spent(totals: Any) -> bool:
    return type(totals) is dict and _all_floats(totals)


def _is_plan(value: Fields) -> bool:
    return all(type(step) is dict and tuple(step) == _OPERATION and _is_step(step) for step in value["operations"])


def _is_step(step: Fields) -> bool:
    blob, op, path, digest = step.values()
    return type(op) is type(path) is str and op in _OPS and {type(blob), type(digest)} <= _TEXT_OR_NONE


def _is_verdict(value: Fields) -> bool:
    counts = value["counts"]
    return (
        value["verdict"] in _DECISIONS
        and tuple(counts) == _COUNTS
        and {*map(type, counts.values())} == {int}
        and _all_floats(value["tokens_used"])
        and _all_text(value["supersedes"])
        and all(map(_is_judge, value["judges"]))
        and all(map(_is_finding, value["per_claim_findings"]))
        and all(map(_is_finding, value["per_page_findings"]))
        and all(map(_is_finding, value["findings"]))
    )


def _is_resting(value: Fields) -> bool:
    """Of a verdict that names measurements: one that rests on none has no such member."""
    used = value["measurements"]
    return bool(used) and all(_is_of_text(each, _FOLLOWED) for each in used) and _is_verdict(value)


def _is_judge(value: Any) -> bool:
    return _is_of_text(value, _MEMBER)


def _is_of_text(value: Any, keys: tuple[str, ...]) -> bool:
    return type(value) is dict and tuple(value) == keys and _TEXT.issuperset(map(type, value.values()))


def _is_finding(value: Any) -> bool:
    return type(value) is dict and _fits(value, *_FINDING)


def _is_said(value: Fields) -> bool:
    return value["level"] in _LEVELS and value["scope"] in _SCOPES and _in_order(value["evidence"])


def _all_text(values: list[Any]) -> bool:
    return _TEXT.issuperset(map(type, values))


def _all_floats(value: Fields) -> bool:
    return not value or (_FLOATS.issuperset(map(type, value.values())) and _in_order(value))


def _in_order(value: Fields) -> bool:
    """Whether canonical JSON spells this as it was read: names sorted at every depth, no number in two spellings."""
    if list(value) != sorted(value):
        return False
    return _ATOMS.issuperset(map(type, value.values())) or all(map(_spelled_alike, value.values()))


def _spelled_alike(value: Any) -> bool:
    kind = type(value)
    if kind in _ATOMS:
        return True
    if kind is dict:
        return _in_order(value)
    if kind is list:
        return _ATOMS.issuperset(map(type, value)) or all(map(_spelled_alike, value))
    # Outside of this range Python writes an exponent, and others write it otherwise.
    return kind is float and (value == 0 or 1e-4 <= abs(value) < 1e16)


def _always(_: Fields) -> bool:
    return True


_ATOMS = frozenset((str, int, bool, type(None)))
_TEXT, _FLOATS = frozenset((str,)), frozenset((float,))
_TEXT_OR_NONE = frozenset((str, type(None)))
_RUN_TYPES = frozenset(get_args(RunType))
_STATUSES = frozenset(get_args(Status))
_DECISIONS = frozenset(get_args(Decision))
_OPS = frozenset(get_args(Operation.model_fields["op"].annotation))
_SCOPES = frozenset(get_args(Finding.model_fields["scope"].annotation))
_LEVELS = frozenset(level.value for level in Level)
_PERSON, _OPERATION, _COUNTS, _MEMBER = _keys(Person), _keys(Operation), _keys(Counts), _keys(Member)
_FOLLOWED = _keys(Followed)
_VERDICT: dict[str, type] = {
    **dict.fromkeys(("per_claim_findings", "per_page_findings", "findings", "judges", "supersedes"), list),
    **dict.fromkeys(("counts", "tokens_used"), dict),
}
_FINDING = (
    _keys(Finding),
    _types(Finding, line=int, column=int, end_line=int, new=bool, evidence=dict),
    _is_said,
)
_Shape = tuple[tuple[str, ...], tuple[type, ...], Callable[[Fields], bool]]
_SHAPES: dict[str, _Shape] = {
    "run": (_keys(RunRecord), _types(RunRecord, adopted=bool, author=dict, sources=list), _is_run),
    "state": (
        _keys(StateRecord),
        _types(StateRecord, number=int, loop_count=int, unverified=bool, draft_only=bool, used=dict, spent=dict),
        _is_state,
    ),
    "plan": (_keys(PlanRecord), _types(PlanRecord, operations=list), _is_plan),
    "landed": (_keys(LandedRecord), _types(LandedRecord), _always),
    "verdict": (_keys(Verdict, "measurements"), _types(Verdict, "measurements", **_VERDICT), _is_verdict),
}
_RESTING: _Shape = (_keys(Verdict), _types(Verdict, measurements=list, **_VERDICT), _is_resting)
"""The shape of a verdict that names the measurements that it rests on."""
