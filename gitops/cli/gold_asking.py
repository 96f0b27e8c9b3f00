"""Asks a person on a terminal for a gold query: question, pages, sources, with those that a search finds for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gitops.cli import asking
from gitops.cli.asking import say
from gitops.errors import UsageError

if TYPE_CHECKING:
    from gitops.runs.gold_place import Place
    from gitops.runs.gold_suggesting import Suggested


@dataclass(frozen=True, eq=False)
class Asking:
    """Asks on standard error, so that standard output holds the result alone."""

    place: Place
    _found: dict[str, Suggested] = field(default_factory=dict)

    def query(self) -> str:
        """The question."""
        while True:
            typed = _line("Question: ")
            try:
                return self.place.fit_query(typed)
            except UsageError as error:
                say(error.message)

    def topics(self, query: str) -> list[str]:
        """The slugs of the pages that should answer it."""
        found = self._suggested(query).topics
        return _names("Pages that should answer it", found, self.place.ground.missing_topics)

    def citations(self, query: str) -> list[str]:
        """The sources that should stand behind the answer."""
        found = self._suggested(query).citations
        return _names("Sources that should stand behind the answer", found, self.place.ground.missing_sources)

    def _suggested(self, query: str) -> Suggested:
        from gitops.runs.gold_suggesting import suggest

        if query not in self._found:
            self._found[query] = suggest(self.place.context, self.place.workspace, self.place.commit, query)
        return self._found[query]


def _names(what: str, suggested: Sequence[str], missing: Callable[[Sequence[str]], Iterator[str]]) -> list[str]:
    """Names, or numbers of those that are suggested, commas between; asked again where one is not there."""
    say(f"{what}; names or numbers with commas between, nothing for none")
    for number, name in enumerate(suggested, 1):
        say(f"  {number}  {name}")
    while True:
        typed = [part.strip() for part in _line("> ").split(",")]
        names = [_chosen(part, suggested) for part in typed if part]
        wrong = list(missing(names))
        if not wrong:
            return list(dict.fromkeys(names))
        for told in wrong:
            say(told)


def _chosen(typed: str, suggested: Sequence[str]) -> str:
    is_number = typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(suggested)
    return suggested[int(typed) - 1] if is_number else typed


def _line(prompt: str) -> str:
    typed = asking.line(prompt, "nothing was added", "git assay eval gold add")
    if typed is None:
        raise UsageError("nothing was added: the input ended", "git assay eval gold add")
    return typed
