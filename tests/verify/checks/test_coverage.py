from __future__ import annotations

from collections.abc import Callable

from gitops.verify.finding import Finding
from gitops.verify.verifier import Judged
from gitops.verify.view import RunFacts

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

INGEST = RunFacts("ingest", sources=("raw/mill.md",))
WIKI = {
    "raw/mill.md": "turbine turbine turbine sluice sluice miller",
    "raw/other.md": "grain flour bread",
    "wiki/index.md": "Turbine and sluice.\n",
    "wiki/log.md": "Turbine and sluice.\n",
    "wiki/a.md": "The turbine.\n",
    "wiki/b.md": "A sluice.\n",
    "wiki/c.md": "The miller.\n",
    "wiki/d.md": "The turbine and the sluice.\n",
    "wiki/e.md": "Flour. Turbines in the plural.\n",
}


def test_a_run_that_touches_every_mention_says_nothing(results: Results) -> None:
    change = {f"wiki/{name}.md": WIKI[f"wiki/{name}.md"] + "More.\n" for name in "abcd"}
    assert results("coverage", WIKI, change, run=INGEST) == []


def test_a_run_without_sources_never_asks_the_corpus(judged: Callable[..., Judged]) -> None:
    found = judged(WIKI, {"wiki/e.md": "Changed.\n"}, run=RunFacts("cascade")).findings
    assert [one for one in found if one.check == "coverage"] == []


def test_up_to_thirty_percent_missed_is_a_note(said_by: SaidBy) -> None:
    change = {f"wiki/{name}.md": WIKI[f"wiki/{name}.md"] + "More.\n" for name in "abc"}
    [found] = said_by("coverage", WIKI, change, run=INGEST)
    assert (found.result, found.level, found.source) == ("missed", "note", "raw/mill.md")
    assert found.evidence == {"missed": {"wiki/d.md": ["turbine", "sluice"]}, "mentioning": 4, "share": 0.25}


def test_more_than_thirty_percent_missed_warns_and_names_the_worst_first(said_by: SaidBy) -> None:
    change = {f"wiki/{name}.md": WIKI[f"wiki/{name}.md"] + "More.\n" for name in "bc"}
    [found] = said_by("coverage", WIKI, change, run=INGEST)
    assert (found.result, found.level) == ("missed_many", "warning")
    assert found.message == (
        "2 of 4 pages that mention key terms of raw/mill.md are not touched: "
        "wiki/d.md (turbine, sluice), wiki/a.md (turbine)"
    )


def test_pages_that_cite_the_source_or_link_to_its_page_are_not_missed(results: Results) -> None:
    cited = '[^1]\n\n[^1]: raw/mill.md, "sluice"\n'
    wiki = {
        **WIKI,
        "wiki/a.md": f"The turbine.{cited}",
        "wiki/b.md": "A sluice. See [Mill](sources/mill.md).\n",
        "wiki/sources/mill.md": f"The miller.{cited}",
    }
    told = results("coverage", wiki, {"wiki/e.md": "Changed.\n"}, run=INGEST)
    assert [one[0] for one in told] == ["missed_many"]
    every = {path: text for path, text in wiki.items() if path not in ("wiki/c.md", "wiki/d.md")}
    assert results("coverage", every, {"wiki/e.md": "Changed.\n"}, run=INGEST) == []


def test_the_bar_and_the_number_of_terms_are_policy(results: Results) -> None:
    change = {f"wiki/{name}.md": WIKI[f"wiki/{name}.md"] + "More.\n" for name in "bc"}
    told = results("coverage", WIKI, change, run=INGEST, toml="[coverage]\nwarn_above = 0.5\n")
    assert [one[0] for one in told] == ["missed"]
    told = results("coverage", WIKI, {"wiki/e.md": "x\n"}, run=INGEST, toml="[coverage]\nterms = 1\n")
    assert [one[0] for one in told] == ["missed_many"]


def test_a_source_that_is_not_there_has_no_terms(results: Results) -> None:
    run = RunFacts("ingest", sources=("raw/nope.md", "https://example.org"))
    assert results("coverage", WIKI, {"wiki/e.md": "Changed.\n"}, run=run) == []
