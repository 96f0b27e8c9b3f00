"""The frontmatter of new pages: what the policy requires, and what most of the wiki's pages have and we can tell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from gitops.agents.writers.placing import Places, front_values
from gitops.verify.view import View

_SHARE = 0.6
"""Of the pages, the share that must have a field for a new page to have it too, where it is not required."""
_MOST_READ = 200
_TOLD = frozenset(("title", "name", "created", "updated", "last_updated", "date", "modified", "timestamp", "type"))
"""What can be said of any page. What it is about, in a line or in tags, is for people."""
_DIALECT = "frontmatter"


class Fields:
    """What the pages of a wiki have in their frontmatter."""

    def __init__(self, view: View, places: Places) -> None:
        self._config, self._places = view.config, places
        self._pages = {path: page for path in islice(places.paths, _MOST_READ) if (page := places.page(path))}
        held = Counter(name for page in self._pages.values() for name in page.frontmatter)
        citing = self._config.citations.fields if _DIALECT in self._config.citations.dialects else ()
        usual = (name for name, count in held.items() if count >= _SHARE * len(self._pages))
        self._usual = tuple(name for name in usual if name in _TOLD or name in citing)
        self._citing = frozenset(citing)

    @property
    def names(self) -> Sequence[str]:
        """The fields of a new page, in order."""
        return tuple(dict.fromkeys((*self._usual, *self._config.pages.required)))

    def values(self, path: str, title: str, day: str, cited: str) -> Mapping[str, str]:
        """Their values for the page at `path`, spelled as YAML; `cited` is the source as pages name it."""
        known = {**front_values(title, day)}
        kind = self._kind(path) or ("source" if self._places.is_of_source(path) else known["type"])
        known |= {"name": known["title"], "timestamp": day, "type": kind}
        return known | {name: self._named(name, cited) for name in self._citing.intersection(self._usual)}

    def _kind(self, path: str) -> str:
        """What most pages beside it say they are."""
        folder = path.rpartition("/")[0]
        beside = (page for other, page in self._pages.items() if other.rpartition("/")[0] == folder)
        kinds = Counter(kind for page in beside if isinstance(kind := page.frontmatter.get("type"), str))
        return json.dumps(kinds.most_common(1)[0][0], ensure_ascii=False) if kinds else ""

    def _named(self, name: str, cited: str) -> str:
        """The source, in a list where pages have one."""
        given = next(page.frontmatter[name] for page in self._pages.values() if name in page.frontmatter)
        spelled = json.dumps(cited, ensure_ascii=False)
        return f"[{spelled}]" if isinstance(given, list) else spelled
