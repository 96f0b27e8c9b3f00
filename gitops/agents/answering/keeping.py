"""What a kept answer is called and where it lies: each question on a page of its own, and on nobody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.agents.answers import FOLDER
from gitops.agents.fencing import unhidden
from gitops.agents.writers.phrases import slug
from gitops.agents.writers.placing import Places
from gitops.canonical import digest
from gitops.errors import Refused, UsageError
from gitops.verify.view import View
from gitops.wiki.layout import joined

LONGEST = 300
"""Characters of a question that can be a page's title."""
_AT_THE_END = " .?!。？！"
_LINE = re.compile(r"#{1,2} .*|- .*|\[\^\d+\]: .*|.*\[\^\d+\]|\s*")
"""What the lines of a kept answer look like, below the frontmatter."""


def title_of(question: str) -> str:
    """A question as a title: one line of what people can see. UsageError where it is too long to be one."""
    title = " ".join(unhidden(question).split())
    if len(title) > LONGEST:
        told = f"a question of {len(title)} characters is too long for the title of a page ({LONGEST})"
        raise UsageError(told, "ask in fewer words, or without --archive")
    return title


def place_for(view: View, title: str) -> tuple[str, str]:
    """The path of the page that keeps the answer to a question, and its title: as it is where there is one already.

    Where another page has the name that the question's words give, a digest goes with it. Refused where both are taken.
    """
    tried = list(_names(title))
    for name in tried:
        path = joined(joined(view.layout.wiki, FOLDER), f"{name}.md")
        if view.snapshot.blob(path) is None:
            return path, title
        called = Places(view).title(path)
        if _same(called, title) and _is_kept(view, path):
            return path, called
    told = f"the answer is not kept: {FOLDER}/{tried[-1]}.md is there and is no kept answer"
    raise Refused(told, "give that page another name")


def _names(title: str) -> Iterator[str]:
    yield slug(title)
    yield f"{slug(title)}-{digest(_asked(title))[:8]}"


def _same(one: str, other: str) -> bool:
    return _asked(one) == _asked(other)


def _asked(title: str) -> str:
    """A question as it is compared: its capitals and the marks at its end do not count, but `C` is not `C++`."""
    return " ".join(title.split()).casefold().rstrip(_AT_THE_END)


def _is_kept(view: View, path: str) -> bool:
    """Whether nothing stands on a page that does not stand on kept answers: what a person wrote is not written over."""
    page = view.page(path)
    return all(_LINE.fullmatch(line) for line in page.text[page.body :].splitlines())
