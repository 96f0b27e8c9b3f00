"""A page is text that can be read, and its frontmatter holds what the wiki requires.

Encoding, white space and frontmatter each have a result of their own; `missing_field` is policy
(`[pages] required`).
"""

from __future__ import annotations

from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt
from gitops.wiki.layout import is_about_wiki, is_entry
from gitops.wiki.model import Place


def examine(at: PageAt) -> Iterator[Draft]:
    """What the page's bytes and frontmatter get wrong. Index pages and pages about the wiki need no frontmatter."""
    for problem in at.page.schema_problems:
        subject = f"{problem.result} {problem.message}"
        if problem.result == "oversized":  # what nobody reads is never what stood there before
            subject += f" {at.view.snapshot.blob(at.path)}"
        yield Draft(problem.result, problem.message, subject, at.path, problem.place, repair=problem.repair)
    front, layout = at.page.frontmatter, at.view.layout
    lacking = [name for name in at.view.config.pages.required if front.get(name) in (None, "", [], {})]
    if not lacking or at.path in (layout.index, layout.log):
        return
    if is_entry(at.path) or is_about_wiki(layout.inside(at.path)):
        return
    for name in lacking:
        message = f"the frontmatter lacks '{name}', which assay.toml requires of every page"
        yield Draft("missing_field", message, name, at.path, Place(0, 0, 1, 1, 1), repair=f"add '{name}: …'")


CHECK = Check(
    scope="page",
    version=2,
    results={
        "unparsable_frontmatter": Level.ERROR,
        "not_a_mapping": Level.ERROR,
        "unclosed_frontmatter": Level.ERROR,
        "missing_field": Level.ERROR,
        "invalid_utf8": Level.ERROR,
        "utf16": Level.ERROR,
        "oversized": Level.ERROR,
        "duplicate_frontmatter": Level.WARNING,
        "duplicate_key": Level.WARNING,
        "empty": Level.WARNING,
        "byte_order_mark": Level.NOTE,
        "crlf": Level.NOTE,
    },
    page=examine,
)
