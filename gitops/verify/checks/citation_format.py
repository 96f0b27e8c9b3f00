"""Every citation is written in a form the wiki uses, and every footnote is defined once and used.

A form nobody can read, a reference without a definition, a definition that no text refers to, a label
defined twice, a reference that hides inside HTML (where Markdown does not see it), and a citation that
lacks what the policy requires (`[citations] require`, by default the quote).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitops.verify.check import Check
from gitops.verify.finding import Level
from gitops.verify.view import Draft, PageAt
from gitops.wiki.citation import format_cite
from gitops.wiki.model import Cite, Claim, Problem

_SAID = {"quote": "a verbatim quote", "page": "a page number", "offset": "an offset"}
_DEFINES = re.compile(r"[ \t>]*\[\^([^\]\r\n]+)\]:")


def examine(at: PageAt) -> Iterator[Draft]:
    """What the page's citations get wrong in form."""
    for problem in at.page.problems:
        words = at.page.text[problem.place.start : problem.place.end]
        for leaning in _leaning(at, problem):
            subject = f"{words}\0{leaning}" if leaning else words
            yield Draft(
                problem.result, problem.message, subject, at.path, problem.place, leaning, repair=problem.repair
            )
    for claim in at.page.claims:
        for cite in claim.cites:
            if missing := _missing(cite, at.view.config.citations.require):
                yield _incomplete(at, claim, cite, missing)


def _leaning(at: PageAt, problem: Problem) -> list[str]:
    """The lines that lean on a definition nobody can read: each is a case of its own, or else one more sentence
    could lean on a footnote that was wrong before.
    """
    if problem.result != "unknown_form":
        return [""]
    line_start = at.page.text.rfind("\n", 0, problem.place.start) + 1
    head = _DEFINES.match(at.page.text, line_start)
    if head is None:
        return [""]
    reference = re.compile(re.escape(f"[^{head[1]}]") + r"(?!:)", re.IGNORECASE)
    lines = {line.strip() for line in at.page.text.split("\n") if reference.search(line)}
    return sorted(lines) or [""]


def _incomplete(at: PageAt, claim: Claim, cite: Cite, missing: list[str]) -> Draft:
    what = " and ".join(_SAID[name] for name in missing)
    quote = cite.quote or "the words of the source that say so"
    spelled = format_cite(cite.path, cite.first_page, cite.last_page, quote, cite.offset)
    return Draft(
        "incomplete",
        f"the citation of {cite.path} lacks {what}",
        f"{claim.text}\0{cite.path}",
        at.path,
        cite.place,
        claim.text,
        cite.path,
        f"[^{cite.label}]: {spelled}" if cite.label else spelled,
    )


def _missing(cite: Cite, required: tuple[str, ...]) -> list[str]:
    """Page numbers are asked of PDFs alone: nothing else has them."""
    held = {"quote": cite.quote, "page": cite.first_page, "offset": cite.offset}
    has_pages = cite.path.lower().endswith(".pdf")
    return [name for name in required if held[name] is None and (name != "page" or has_pages)]


CHECK = Check(
    scope="claim",
    version=2,
    results={
        "unknown_form": Level.ERROR,
        "undefined": Level.ERROR,
        "unused": Level.ERROR,
        "duplicate": Level.ERROR,
        "hidden_in_html": Level.ERROR,
        "incomplete": Level.ERROR,
    },
    page=examine,
)
