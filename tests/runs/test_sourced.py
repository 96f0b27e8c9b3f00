from __future__ import annotations

from collections.abc import Callable

from gitops.runs.dating import asserted
from gitops.runs.sourced import Results, Source, as_it_stands
from gitops.runs.views import Bench
from gitops.verify.finding import Finding, Level
from gitops.wiki.model import Cite, Claim, Locator, Place
from tests.runs.driving import QUOTE, SOURCE, Wiki, name, page

PATH = name(0)
PLACE = Place(0, 1, 1, 1, 1)


def committed(wiki: Wiki, content: str) -> None:
    (wiki.folder / PATH).write_text(content)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "By hand")


def looked_up(wiki: Wiki, rev: str = "main") -> list[list[Source]]:
    """The sources of each claim of the page."""
    commit = wiki.git("rev-parse", rev)
    with Bench(wiki.context(), wiki.workspace(commit), commit) as bench:
        found = as_it_stands(bench, PATH)
        return [list(found.of(each)) for each in asserted(bench.library.page(bench.base_tree, PATH)).values()]


def results(found: list[list[Source]]) -> list[list[tuple[str, str]]]:
    return [[(source.path, source.result) for source in sources] for sources in found]


def named(cite: Cite) -> tuple[str, ...]:
    return (f"deep/{cite.path}",)


def finding(source: str, column: int, result: str, **evidence: object) -> Finding:
    return Finding(
        check="quote_anchor",
        level=Level.ERROR,
        result=result,
        scope="claim",
        message=f"{source} {result}",
        path=PATH,
        line=1,
        column=column,
        end_line=1,
        claim="Said.",
        source=source,
        fingerprint="f" * 32,
        evidence=evidence,
    )


def test_results_are_those_of_the_page_as_it_stands(wiki: Wiki) -> None:
    committed(wiki, page(0))
    (wiki.folder / "raw/tides.md").write_text(SOURCE.replace("twice", "thrice"))
    cites = [
        'raw/tides.md, "On most coasts" @7',
        'raw/tides.md, "on most  coasts"',
        "raw/none.md",
        "raw/tides.md",
        'raw/tides.md, "nothing of all that was ever said here"',
    ]
    claims = "".join(f"Claim {number}.[^{number}]\n" for number in range(5))
    notes = "".join(f"[^{number}]: {cite}\n" for number, cite in enumerate(cites))
    committed(wiki, f'# P\n\n{claims}Old.[^o]\n\n{notes}[^o]: raw/tides.md, "{QUOTE}"\n')
    found = looked_up(wiki)
    assert [result for [(_, result)] in results(found)] == [
        "verified", "repaired", "missing", "exists", "not_found", "drifted",
    ]  # fmt: skip
    assert [sources[0].files for sources in found[:3]] == [("raw/tides.md",), ("raw/tides.md",), ()]
    verified, _, missing, exists, not_found, _ = (sources[0] for sources in found)
    assert (verified.quote, verified.offset) == ("On most coasts", 7)
    assert (missing.quote, missing.message) == (None, "raw/none.md is not there")
    assert (exists.quote, exists.offset, exists.message) == (None, None, "")
    assert "nothing like" in not_found.message
    assert results(looked_up(wiki, "main~1")) == [[("raw/tides.md", "verified")]]


def test_a_policy_that_turns_a_check_off_does_not_hide_what_is(make_wiki: Callable[..., Wiki]) -> None:
    off = '[checks.quote_anchor]\nlevel = "off"\n[checks.source_exists]\nlevel = "off"\n'
    wiki = make_wiki(off)
    committed(wiki, page(0, "words that nobody said anywhere at all"))
    assert results(looked_up(wiki)) == [[("raw/tides.md", "not_found")]]


def test_one_footnote_for_two_claims_and_one_claim_with_two_sources(wiki: Wiki) -> None:
    cited = f'# P\n\nOne.[^a] Two.[^a][^b] One.[^a]\n\n[^a]: raw/tides.md, "{QUOTE}"\n[^b]: raw/none.md; raw/tides.md\n'
    committed(wiki, cited)
    verified = ("raw/tides.md", "verified")
    assert results(looked_up(wiki)) == [
        [verified], [verified, ("raw/none.md", "missing"), ("raw/tides.md", "exists")], [verified],
    ]  # fmt: skip


def test_a_quotation_that_stands_in_the_claim_is_its_source_s() -> None:
    cites = (Cite("link", "raw/a.md", PLACE, locator=Locator("L5", 5)), Cite("link", "raw/b.md", Place(5, 6, 1, 6, 1)))
    claim = Claim("Said.", PLACE, "paragraph", cites)
    found = Results(
        [finding("raw/a.md", 40, "verified", quote="words", offset=3), finding("raw/b.md", 6, "missing")], named
    )
    told = [(each.path, each.result, each.quote, each.offset, each.locator) for each in found.of(claim)]
    assert told == [("raw/a.md", "verified", "words", 3, "L5"), ("raw/b.md", "missing", None, None, "")]


def test_what_is_found_of_another_claim_is_not_this_one_s() -> None:
    other = Claim("Something else.", PLACE, "paragraph", (Cite("link", "raw/a.md", PLACE),))
    [source] = Results([finding("raw/a.md", 1, "altered")], named).of(other)
    assert (source.result, source.files) == ("exists", ("deep/raw/a.md",))


def test_what_backs_the_whole_page_is_looked_up_too() -> None:
    cite = Cite("list", "raw/a.md", PLACE, first_page=3, last_page=4)
    missing = finding("raw/a.md", 1, "missing").model_copy(update={"claim": "", "check": "source_exists"})
    assert [(each.result, each.locator) for each in Results([missing], named).of(cite)] == [("missing", "p.3-4")]
    assert [each.result for each in Results([], named).of(cite)] == ["exists"]
