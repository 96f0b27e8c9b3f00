from __future__ import annotations

import tomllib
from collections import Counter

from gitops.config import SOURCE_PAGES, parse
from gitops.verify.registry import refuse_unknown
from gitops.wiki.folders import Folders
from gitops.wiki.policy_draft import Draft, text
from gitops.wiki.survey import Survey


def draft(folders: Folders | None = None, **counted: object) -> Draft:
    survey = Survey(pages=10, owing=100, cited=71, checkable=64)
    for name, value in counted.items():
        setattr(survey, name, value)
    return Draft("plant", "2026-01-02", folders or Folders("", "wiki", has_index=True), survey, 0, "table", "none")


def test_the_draft_is_a_policy_that_is_accepted_and_says_why() -> None:
    made = text(draft(cites=Counter({"canonical": 3})))
    config = parse(made.encode())
    refuse_unknown(config, "assay.toml")
    assert all(
        "# " in line for line in made.splitlines() if " = " in line and not line.startswith(("name", "dialects"))
    )
    assert "64% of 100 sentences cite a source that is here" in made


def test_quotes_are_required_where_every_citation_is_canonical() -> None:
    assert parse(text(draft(cites=Counter({"canonical": 3}))).encode()).citations.require == ("quote",)
    assert parse(text(draft(cites=Counter())).encode()).citations.require == ()


def test_a_log_that_others_keep_stays_theirs() -> None:
    config = parse(text(draft(Folders("", "wiki", has_log=True))).encode())
    assert config.workspace.log == "assay-log.md"
    assert parse(text(draft()).encode()).workspace.log == "log.md"


def test_fields_on_nearly_every_page_are_suggested_and_not_demanded() -> None:
    fields = {"title": Counter({"text": 10}), "tags": Counter({"list of text": 8}), "day": Counter({"empty": 10})}
    made = text(draft(fields=fields))
    assert '# required = ["title"]' in made
    assert parse(made.encode()).pages.required == ()


def test_odd_names_are_written_as_toml() -> None:
    folders = Folders("", 'My "Wiki"', raw="Quellen/ä", has_raw=True)
    named = tomllib.loads(text(draft(folders)))["workspace"]
    assert (named["wiki"], named["raw"]) == ('My "Wiki"', "Quellen/ä")


def test_what_is_no_page_is_left_out() -> None:
    config = parse(text(draft(Folders("", "wiki", exclude=("log.md", "forms/**")))).encode())
    assert config.workspace.exclude == ("log.md", "forms/**")


def test_source_pages_that_were_found_are_named_besides_the_usual_ones() -> None:
    made = parse(text(draft(source_pages=("10-digests", "src-*"))).encode()).citations.source_pages
    assert made == (*SOURCE_PAGES, "10-digests", "src-*")
    assert "source_pages" not in text(draft())
