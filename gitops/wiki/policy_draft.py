"""A first `assay.toml` for a wiki as it stands, with comments that say why each value is what it is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gitops.config import SOURCE_PAGES
from gitops.wiki.folders import Folders
from gitops.wiki.survey import Survey

OWN_LOG = "assay-log.md"
"""Where runs are logged in a wiki whose own log is kept by others."""
_WIDTH = 34


@dataclass(frozen=True, slots=True)
class Draft:
    """What the policy is made from. `day` is today's; `sources` is the number of files in the raw folder."""

    name: str
    day: str
    folders: Folders
    survey: Survey
    sources: int
    index_form: str
    log_form: str


def log_name(folders: Folders) -> str:
    """The tool's log: `log.md`, unless the wiki has a log that others write."""
    return OWN_LOG if folders.has_log else folders.log


def text(draft: Draft) -> str:
    """The whole file."""
    return "\n".join([*_head(draft), *_workspace(draft), *_citations(draft), *_pages(draft), *_checks(draft)]) + "\n"


def _head(draft: Draft) -> Iterator[str]:
    yield f"# Policy of this workspace, drafted by `git assay adopt` on {draft.day} from what it found."
    yield "# A change is judged by the policy of the commit it starts from, so it cannot loosen its own gate."
    yield "# docs/configuration.md explains every key; a key that is left out has its default."


def _workspace(draft: Draft) -> Iterator[str]:
    folders = draft.folders
    yield ""
    yield "[workspace]"
    yield _line("name", draft.name)
    told = f"{_count(draft.sources, 'source')}" if folders.has_raw else "not there yet: where sources will lie"
    yield _line("raw", folders.raw, told)
    yield _line("wiki", folders.wiki, _count(draft.survey.pages, "page"))
    yield _line("index", folders.index, draft.index_form if folders.has_index else "not there yet")
    if folders.has_log:
        yield f"# {folders.log} ({draft.log_form}) stays yours; the tool writes its runs to a log of its own"
    yield _line("log", log_name(folders), "a line for each run, written by the tool alone")
    if folders.exclude:
        yield "# about the wiki or made for making pages, so no pages: not checked, and no run may write them"
        yield _line("exclude", list(folders.exclude))


def _citations(draft: Draft) -> Iterator[str]:
    survey = draft.survey
    yield ""
    yield "[citations]"
    yield "dialects = ["
    for name in survey.chosen():
        yield _comment(f'  "{name}",', _use(name, survey))
    yield "]"
    if survey.source_pages:
        yield "# folders, and globs of names, of pages that stand for a source each, and of sources linked by name"
        yield _line("source_pages", [*SOURCE_PAGES, *survey.source_pages])
    if set(survey.cites) == {"canonical"}:
        yield _line("require", ["quote"], "every citation carries the words it rests on")
    else:
        yield _line("require", [], 'nothing yet; ["quote"] asks for a quotation in every citation')


def _use(name: str, survey: Survey) -> str:
    if name == "remark":
        return "footnotes that say something and cite nothing"
    if not survey.cites[name]:
        return "not in use yet; what `git assay` writes itself"
    pages = _count(survey.citing_pages[name], "page")
    return f"{_count(survey.cites[name], 'citation')} on {pages}"


def _pages(draft: Draft) -> Iterator[str]:
    everywhere = _fields_everywhere(draft.survey)
    if not everywhere:
        return
    yield ""
    yield "[pages]"
    yield f"# required = {_toml(everywhere)}"
    yield "#   stands on nearly every page; take the # away to demand it of all"


def _fields_everywhere(survey: Survey) -> list[str]:
    if survey.pages < 5:
        return []
    counts = {
        name: sum(count for kind, count in kinds.items() if kind != "empty") for name, kinds in survey.fields.items()
    }
    return sorted(name for name, count in counts.items() if count >= 0.9 * survey.pages)


def _checks(draft: Draft) -> Iterator[str]:
    survey = draft.survey
    owing = _count(survey.owing, "sentence")
    share = f"{survey.checkable / survey.owing:.0%} of {owing} cite" if survey.owing else "no sentence cites"
    yield ""
    yield "[checks.uncited]"
    yield _line("level", "note", f'{share} a source that is here; "warning" asks for one in what is new')
    yield ""
    yield "[checks.convergence]"
    yield _line("level", "note", '"error" lets no cited claim be reworded or removed unless it stays, dated')


def _line(key: str, value: str | list[str], why: str = "") -> str:
    return _comment(f"{key} = {_toml(value)}", why)


def _comment(line: str, why: str) -> str:
    return f"{line:<{_WIDTH}}# {why}" if why else line


def _toml(value: str | Iterable[str]) -> str:
    # A JSON string is a TOML basic string but for U+007F, which a path of ours never holds.
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "[" + ", ".join(json.dumps(each, ensure_ascii=False) for each in value) + "]"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
