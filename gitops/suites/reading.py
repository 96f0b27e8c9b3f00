"""JSON that people write as the models of a suite: every fault with its file, and its line or the path of its field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from json import JSONDecodeError
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from gitops.canonical import dumps, strict_json
from gitops.errors import UsageError
from gitops.runs.bad_input import BadInput, Fault, decoded
from gitops.runs.gold import nearest
from gitops.runs.jsonlines import why

HINT = "docs/benchmark-cases.md shows a suite and its cases"
_Model = TypeVar("_Model", bound=BaseModel)
_SHOWN = 60
"""How much of a wrong value is told."""


class BadSuite(UsageError):
    """Files that make no suite. `told` are all faults, each a line with its file; `message` is the first of them."""

    def __init__(self, told: Iterable[str], hint: str = HINT) -> None:
        self.told = tuple(dict.fromkeys(told))
        more = f" (and {len(self.told) - 1} more)" if len(self.told) > 1 else ""
        super().__init__(self.told[0] + more, hint)


def object_of(data: bytes, name: str) -> dict[str, Any]:
    """The JSON object in a file. BadInput with the line where it breaks."""
    text = decoded(data, name)
    try:
        return strict_json(text)
    except JSONDecodeError as error:
        raise BadInput(name, [Fault(error.lineno, why(error))], HINT) from None
    except ValueError as error:
        raise BadInput(name, [Fault(0, why(error))], HINT) from None


def model_of(kind: type[_Model], value: Mapping[str, Any], name: str) -> _Model:
    """A JSON object as a model. BadInput with the path of each field that is wrong; nothing is guessed or converted."""
    try:
        return kind.model_validate_json(dumps(value), strict=True)
    except ValidationError as error:
        faults = [Fault(0, _told(one, kind)) for one in error.errors(include_url=False, include_context=False)]
        raise BadInput(name, faults, HINT) from None
    except (ValueError, RecursionError) as error:  # a number beyond all floats; lists in lists without end
        raise BadInput(name, [Fault(0, f"not JSON: {str(error)[:_SHOWN].lower()}")], HINT) from None


def lines(error: BadInput) -> list[str]:
    """All faults of a file, each as one line with its file."""
    return [fault.told(error.name) if fault.line else f"{error.name}: {fault.message}" for fault in error.faults]


def _told(error: ErrorDetails, kind: type[BaseModel]) -> str:
    """One fault of a model: the path of the field, and what is wrong there."""
    where, models = _walked(kind, error["loc"])
    path = ".".join(where)
    if error["type"] == "extra_forbidden":
        known = [name for model in models for name in model.model_fields]
        return f"{path}: there is no such field{nearest(where[-1], known) or '; known: ' + ', '.join(known)}"
    if error["type"] == "missing":
        return f"{path}: this field is missing"
    if error["type"] == "string_pattern_mismatch" and where[-1] in ("case_id", "suite_id"):
        told = "a name is of a-z, 0-9, '.', '_' and '-', begins with a letter or digit, and has 63 at most"
        return f"{path}: {told}{_given(error)}"
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "value_error":
        return f"{path}: {message}" if path else message
    if error["type"] == "json_invalid":
        # What Python's parser took and pydantic's does not.
        return f"not JSON: {'nested too deeply' if 'recursion' in message else 'half a character, a lone surrogate'}"
    return f"{path}: {message[0].lower()}{message[1:]}{_given(error)}"


def _given(error: ErrorDetails) -> str:
    given = error["input"]
    return "" if isinstance(given, Mapping | list) else f" (it is {str(repr(given))[:_SHOWN]})"


def _walked(kind: type[BaseModel], loc: Sequence[int | str]) -> tuple[list[str], list[type[BaseModel]]]:
    """The path of a field as a person writes it, without pydantic's names for parts of unions, and the models there."""
    where: list[str] = []
    around, inside = [kind], [kind]
    is_part = False
    for part in loc:
        if is_part:  # of a union: the tag of a model, or the name of a type
            inside = [one for one in inside if one.model_fields["kind"].default == part]  # of types none are there
            is_part = False
            continue
        where.append(_called(str(part)))
        around = inside
        if isinstance(part, str):
            annotations = [one.model_fields[part].annotation for one in inside if part in one.model_fields]
            inside = [model for annotation in annotations for model in _models_in(annotation)]
            is_part = any(map(_is_union, annotations))
    return where, around


def _called(name: str) -> str:
    """The name of a field in one line, whatever it is."""
    return name if name.isprintable() and 0 < len(name) <= _SHOWN else repr(name)[:_SHOWN]


def _is_union(annotation: Any) -> bool:
    """Whether a value is one of several kinds, None not counted."""
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    if get_origin(annotation) is Annotated:
        return _is_union(kinds[0])
    return get_origin(annotation) in (Union, UnionType) and (len(kinds) > 1 or _is_union(kinds[0]))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models_in(inner)]
