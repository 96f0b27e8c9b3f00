"""What a check declares. Kept apart from the registry, so that checks import no one who imports them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt, RunAt


@dataclass(frozen=True, slots=True)
class Check:
    """A check's declaration. Exactly one of `page` and `run` is given.

    `results` are all the result names it may yield, with their default levels. `version` changes whenever
    the same content could get another answer. A `sealed` check keeps its levels whatever `assay.toml` says,
    and cannot be overridden. A `claim` check examines pages too; its scope says where a finding belongs.
    `of_additions` says that it speaks of what a change adds, so that a wiki as it stands is not asked; `of_links`
    that it asks how a page stands among the others, and nothing of the page, which may be left unread.
    """

    scope: Literal["claim", "page", "run"]
    version: int
    results: Mapping[str, Level]
    page: Callable[[PageAt], Iterable[Draft]] | None = None
    run: Callable[[RunAt], Iterable[Draft]] | None = None
    sealed: bool = False
    of_additions: bool = False
    of_links: bool = False
