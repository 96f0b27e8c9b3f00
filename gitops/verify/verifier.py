"""Judges a change: the affected pages of both revisions and the change itself, by every registered check.

Only what the change causes gates. So each page is examined as it is and as it was, and a finding whose
fingerprint stood at the base is kept, marked as not new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gitops.errors import Absent, CannotRun
from gitops.verify.affected import affected
from gitops.verify.finding import Finding, Level, fingerprint
from gitops.verify.judge import Question
from gitops.verify.panel import Panel
from gitops.verify.questions import Asked, questions
from gitops.verify.registry import Registered, level_of, registry
from gitops.verify.renames import renames
from gitops.verify.view import Corpus, Draft, PageAt, RunAt, RunFacts, View
from gitops.verify.voting import Heard, added, hear, identities
from gitops.wiki.model import Page
from gitops.wiki.snapshot import Change

Marked = tuple[Registered, Draft, str]
"""A draft with the check it is from and its fingerprint."""


@dataclass(frozen=True, slots=True)
class Judged:
    """All that the checks said, in the order of paths and lines."""

    findings: tuple[Finding, ...]
    claims: int
    """How many cited claims stand on the pages that the change touches."""
    asked: int = 0
    """How many claims the change brings in that have to be judged, also where their sources cannot be read here."""
    voted: int = 0
    """How many of those have a vote."""
    unread: int = 0
    """How many of them cite nothing that can be read here."""
    unsure: tuple[Question, ...] = ()
    """What a further judge would be asked: the questions whose votes are not sure enough to decide."""


def verify(
    base: View,
    head: View,
    change: Change,
    run: RunFacts,
    corpus: Corpus | None = None,
    panel: Panel | None = None,
) -> Judged:
    """Judge `head` against `base`; reads only what the change can have affected.

    The checks come first, and what they refuse is put before no judge. Where they refuse the change, only judges that
    cost nothing are asked of the rest. CannotRun when this clone lacks a page that has to be read (what was not read is
    not right), and when a judge that has to be asked gives no answer.
    """
    try:
        judged, news = _judged(base, head, change, RunAt(base, head, change, run, corpus))
        return judged if panel is None else _voted(base, head, judged, news, panel)
    except Absent as error:
        raise CannotRun(f"this clone lacks what has to be read: {error}", "git fetch --refetch") from error


def examine(view: View, path: str) -> list[Finding]:
    """Every finding of every page check on one page, as it stands."""
    page = view.page(path)
    marked = _marked_page(PageAt(view, path, page, (page,)), path)
    return [made for one in marked if (made := finding(*one, view)) is not None]


def sealed(at: RunAt) -> list[Finding]:
    """What the checks that nobody can override say of a change: where it writes, and nothing of what."""
    wanted = [(one, one.check.run) for one in registry().values() if one.check.sealed and one.check.run is not None]
    marked = [found for one, run in wanted for found in _marked(one, run(at), "")]
    return [made for one in marked if (made := finding(*one, at.base)) is not None]


_News = dict[str, tuple[Page, ...]]
"""Each examined page with the pages of the base that its claims may come from."""


def _judged(base: View, head: View, change: Change, at: RunAt) -> tuple[Judged, _News]:
    touched = {entry.path for entry in change.touched if is_examined(head, entry.path)}
    further = {path for path in affected(base, head, change) if is_examined(head, path)} - touched
    moved = renames(change, lambda path: base.layout.is_page(path) and path != base.layout.log)
    before = tuple(base.page(entry.path) for entry in change.touched if is_examined(base, entry.path))
    changed_by = {entry.path: commit.commit for commit in change.commits for entry in commit.touched}
    found = [made for one in _marked_run(at) if (made := finding(*one, base)) is not None]
    news: _News = {}
    for path in touched | further:
        old = moved.get(path, path)
        known = _known(base, old, path) if is_examined(base, old) else frozenset()
        previous = (base.page(path),) if path in further and is_examined(base, path) else before
        news[path] = previous
        for one in _marked_page(PageAt(head, path, head.page(path), previous, changed_by), path):
            new = one[2] not in known
            made = finding(*one, head, new) if new or path in touched else None
            found += [made] if made is not None else []
    claims = sum(len(head.page(path).claims) for path in touched)
    return Judged(tuple(sorted(found, key=order)), claims), news


def _voted(base: View, head: View, judged: Judged, news: _News, panel: Panel) -> Judged:
    """The same with the votes on every claim that the change brings in."""
    distinct = {id(pages): pages for pages in news.values()}  # touched pages share theirs
    known = {number: identities(pages) for number, pages in distinct.items()}
    new = {path: added(head, base, path, known[id(news[path])]) for path in sorted(news)}
    cited = [one for claims in new.values() for one in claims if one.ordinal >= 0]
    wanted = [one for path, claims in new.items() for one in questions(head, path, claims)]
    wrong = [one for one in judged.findings if one.new and one.level is Level.ERROR]
    refused = {(one.path, one.claim) for one in wrong if one.claim}
    left = [one for one in wanted if (one.path, one.claim.text) not in refused]
    heard = hear(panel.free() if wrong else panel, left)
    return Judged(
        tuple(sorted([*judged.findings, *_heard_findings(head, heard)], key=order)),
        judged.claims,
        asked=len(cited) + _of_pages(heard),
        voted=sum(one.is_judged for of_page in heard.values() for one in of_page.values()),
        unread=len(cited) - len({one.about for one in wanted if one.claim.ordinal >= 0}),
        unsure=tuple(one.question for one in left if not _is_sure(heard, one)),
    )


def _of_pages(heard: Mapping[str, Mapping[tuple[str, int], Heard]]) -> int:
    """How many sentences without a citation of their own have a vote. One that has none need not be a claim at all."""
    return sum(one.claim.ordinal < 0 and one.is_judged for of_page in heard.values() for one in of_page.values())


def _is_sure(heard: Mapping[str, Mapping[tuple[str, int], Heard]], asked: Asked) -> bool:
    mine = heard.get(asked.path, {}).get((asked.claim.text, asked.claim.ordinal))
    return mine is not None and any(one.asked is asked and one.vote.may_gate for one in mine.alone)


def _heard_findings(head: View, heard: Mapping[str, Mapping[tuple[str, int], Heard]]) -> Iterator[Finding]:
    registered = registry()["support"]
    assert registered.check.page is not None
    for path, of_page in heard.items():
        page = head.page(path)
        for one in _marked(registered, registered.check.page(PageAt(head, path, page, (page,), heard=of_page)), path):
            if (made := finding(*one, head)) is not None:
                yield made


def order(found: Finding) -> tuple[str, int, int, str, str]:
    """The order of paths and lines."""
    return found.path, found.line, found.column, found.check, found.fingerprint


def is_examined(view: View, path: str) -> bool:
    """Is this a page that the checks read? The log is the tool's own."""
    return view.layout.is_page(path) and path != view.layout.log and view.snapshot.blob(path) is not None


def _known(base: View, old: str, path: str) -> frozenset[str]:
    """The fingerprints of what was found on the page at the base, called by its present path."""
    page: Page = base.page(old)
    return frozenset(mark for _, _, mark in _marked_page(PageAt(base, old, page, (page,)), path))


def _marked_page(at: PageAt, called: str) -> Iterator[Marked]:
    for registered in registry().values():
        if registered.check.page is not None:
            yield from _marked(registered, registered.check.page(at), called)


def _marked_run(at: RunAt) -> Iterator[Marked]:
    for registered in registry().values():
        if registered.check.run is not None:
            yield from _marked(registered, registered.check.run(at), "")


def _marked(registered: Registered, drafts: Iterable[Draft], called: str) -> Iterator[Marked]:
    for draft, number in numbered(drafts, called):
        yield registered, draft, marked_as(registered, draft, called, number)


def numbered(drafts: Iterable[Draft], called: str) -> Iterator[tuple[Draft, int]]:
    """One check's drafts, in which equal subjects are told apart by their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for draft in drafts:
        key = (draft.result, called or draft.path, draft.subject)
        yield draft, seen[key]
        seen[key] += 1


def marked_as(registered: Registered, draft: Draft, called: str, number: int) -> str:
    """The fingerprint of a draft on a page that is called so."""
    return fingerprint(registered.id, draft.result, called or draft.path, draft.subject, number)


def finding(registered: Registered, draft: Draft, mark: str, view: View, new: bool = True) -> Finding | None:
    """A draft as a finding; None where the policy turns it off."""
    level = level_in(view, registered, draft)
    if level is None:
        return None
    place = draft.place
    repair = draft.repair if isinstance(draft.repair, str) else draft.repair() if new else ""
    return Finding(
        check=registered.id,
        level=level,
        result=draft.result,
        scope=registered.check.scope,
        message=draft.message,
        path=draft.path,
        line=place.line if place else 0,
        column=place.column if place else 0,
        end_line=place.end_line if place else 0,
        claim=draft.claim,
        source=draft.source,
        repair=repair,
        fingerprint=mark,
        new=new,
        evidence=_plain(draft.evidence),
    )


def level_in(view: View, registered: Registered, draft: Draft) -> Level | None:
    """The policy's level where it names one, else that of this one case, else the result's own."""
    settings = view.config.checks.get(registered.id)
    is_set = settings is not None and (settings.level is not None or draft.result in settings.results)
    level = level_of(registered, draft.result, view.config)
    level = level if is_set or draft.level is None else draft.level
    return draft.at_most if draft.at_most is not None and level in _HEAVIER[draft.at_most] else level


_HEAVIER = {
    Level.ERROR: (),
    Level.WARNING: (Level.ERROR,),
    Level.NOTE: (Level.ERROR, Level.WARNING),
    Level.NONE: (Level.ERROR, Level.WARNING, Level.NOTE),
}


def _plain(evidence: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in evidence.items() if value is not None}
