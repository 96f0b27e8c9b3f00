"""Values that are made by the ten thousand: frozen to whoever checks types, and cheap to make.

A frozen dataclass sets each field through `object.__setattr__`, which makes it three times as dear (measured). Here
mypy alone forbids assignment; such values are hashable, compare by their fields and have `__slots__`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(cls: type[T]) -> type[T]:
    """A class decorator, as `dataclass(frozen=True, slots=True)` would be."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


class once(Generic[T]):
    """A property that is worked out when it is first asked for: `functools.cached_property` without its lock."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> once[T]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> T: ...
    def __get__(self, owner: object | None, kind: type) -> once[T] | T:
        if owner is None:
            return self
        made = self._work(owner)
        owner.__dict__[self._name] = made
        return made
