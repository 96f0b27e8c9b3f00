"""Keeping an answer as a page of the wiki: its sentences, each with the words of the sources that they rest on.

A page says nothing on another page's word. What an answer cites of pages is therefore followed to the sources that
those pages cite, and quoted from there; a sentence for which no words of a source are found is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitops.agents.answering.backing import cites_of
from gitops.agents.answering.keeping import place_for, title_of
from gitops.agents.answering.witnesses import Witness, witnesses
from gitops.agents.answers import Answer
from gitops.agents.fencing import unhidden
from gitops.agents.writers.editing import listed
from gitops.agents.writers.pages import Linking, Target, escaped, head
from gitops.agents.writers.placing import Places, encoded, front_values
from gitops.errors import Refused
from gitops.runs import landing, staging, transcripts
from gitops.runs.beginning import INDEX
from gitops.runs.context import Context
from gitops.runs.outcome import Options, Outcome
from gitops.runs.views import Bench
from gitops.runs.workspace import Workspace
from gitops.usage import NOTHING
from gitops.verify.view import View
from gitops.wiki.citation import format_citation, format_cite
from gitops.wiki.decode import decode
from gitops.wiki.graph import resolved

HEADING = "Answers"
_WHY = "it is refused, so there is nothing to keep"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer, the page it stands on, and the words of sources that it rests on."""

    text: str
    page: str
    witnesses: tuple[Witness, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer as it is to be kept: the page's path, its pages' new content, and what could not be kept."""

    path: str
    pages: dict[str, bytes]
    left_out: tuple[str, ...]


def archive(context: Context, workspace: Workspace, target: str, answer: Answer) -> tuple[Outcome | None, Kept]:
    """Keep an answer by a run of type `archive`, and land it; None where the page says so already.

    Refused where there is nothing that can be kept. `answer` must be of the target's tip.
    """
    with Bench(context, workspace, answer.commit) as bench:
        kept = page_of(bench.base_view(), answer, context.now[:10])
    if not kept.pages:
        return None, kept
    reason = f"keeps the answer to: {title_of(answer.question)}"
    run = staging.start(context, workspace, target, staging.Request("archive", (), reason))
    for path, content in kept.pages.items():
        staging.write(context, run, workspace, path, content)
    if answer.said.transcript is not None:
        transcripts.keep_all(context, run, [answer.said.transcript])
    # The answer was paid for from the budget of queries; keeping it costs nothing more.
    return landing.finish(context, run.id, Options(used=NOTHING.record(), writer=answer.said.used)), kept


def page_of(view: View, answer: Answer, day: str) -> Kept:
    """The page that keeps an answer, and the index that leads to it."""
    if answer.said.refused:
        raise Refused(f"the answer is not kept: {_WHY}", "ask something that the wiki says")
    stated = list(statements(view, answer))
    sound = [one for one in stated if one.witnesses]
    if not sound:
        said_by = ", ".join(dict.fromkeys(one.page for one in stated))
        told = f"the answer is not kept: no source's own words were found for what {said_by} says"
        raise Refused(told, "cite a source there, with a quotation, and ask again")
    layout = view.layout
    path, title = place_for(view, title_of(answer.question))
    linking = Linking(layout.wiki, Places(view).is_wiki)
    kept = _page(view, answer, sound, Target(path, title), linking, day)
    pages = {path: kept, layout.index: _index(view, Target(path, title), linking)}
    left_out = tuple(one.text for one in stated if not one.witnesses)
    return Kept(path, {name: data for name, data in pages.items() if data != _there(view, name)}, left_out)


def statements(view: View, answer: Answer) -> Iterator[Statement]:
    """What an answer rests on, sentence by sentence, each once."""
    seen = set()
    for citation in answer.said.citations:
        place = (citation.path, citation.start, citation.end)
        if place in seen:
            continue
        seen.add(place)
        page = view.page(citation.path)
        claims = [c for c in page.claims if c.place.start < citation.end and citation.start < c.place.end]
        text = " ".join(citation.quote.split()) if not claims or len(claims) > 1 else claims[0].text
        cites = cites_of(page, citation.start, citation.end)
        yield Statement(text, citation.path, witnesses(view, citation.path, text, cites))


def _page(view: View, answer: Answer, sound: Sequence[Statement], at: Target, linking: Linking, day: str) -> bytes:
    values = {**front_values(at.title, day), "type": "answer"}
    marks = "".join(f"[^{number}]" for number in range(1, len(sound) + 1))
    said = "" if answer.model == "" else f"{escaped(' '.join(unhidden(answer.said.text).split()))}{marks}"
    items = "\n".join(f"- {escaped(one.text)}[^{number}]" for number, one in enumerate(sound, 1))
    notes = "\n".join(_definition(number, one.witnesses) for number, one in enumerate(sound, 1))
    targets = [Target(page, Places(view).title(page)) for page in dict.fromkeys(one.page for one in sound)]
    links = "## See also\n\n" + "\n".join(f"- {linking.link(at.path, target)}" for target in targets)
    parts = (head(at.title, view.config.pages.required, values), said, items, links, notes)
    return ("\n\n".join(filter(None, parts)) + "\n").encode("utf-8", "surrogatepass")


def _definition(label: int, found: Sequence[Witness]) -> str:
    return format_citation(
        str(label), [format_cite(one.cited, one.first_page, one.last_page, one.quote, one.offset) for one in found]
    )


def _index(view: View, at: Target, linking: Linking) -> bytes:
    """The index with an entry for the page, under `Answers`; where the page is linked already, as it is."""
    index = view.layout.index
    before = _there(view, index) or INDEX.encode()
    if _there(view, index) is not None and _links_to(view, index, at.path):
        return before
    return encoded(before, listed(decode(before).text, HEADING, f"- {linking.link(index, at)}"))


def _links_to(view: View, path: str, target: str) -> bool:
    links = view.page(path).links
    return any(target in resolved(view.graph, view.layout, path, link.kind, link.target).paths for link in links)


def _there(view: View, path: str) -> bytes | None:
    return view.snapshot.read(path) if view.snapshot.blob(path) is not None else None
