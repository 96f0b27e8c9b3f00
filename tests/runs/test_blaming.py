from __future__ import annotations

from pathlib import Path

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.runs import blaming
from gitops.runs.blaming import Blame, Lines
from gitops.runs.workspace import find
from gitops.verify import judges
from tests.runs.driving import QUOTE, SOURCE, Wiki, name, page

PATH = name(0)
MORE = f'# Page 0\n\nThe tide turns, as page 0 knows.[^1] It does so daily.[^2]\n\n[^1]: raw/tides.md, "{QUOTE}"\n'

OFFLINE = f"offline/{judges.find('offline').version}"


def blamed(wiki: Wiki, path: str = PATH, rev: str = "main", lines: Lines | None = None) -> Blame:
    context, commit = wiki.context(), wiki.git("rev-parse", rev)
    workspace = find(context.repository, commit, prefix=path.rpartition("/")[0])
    return blaming.blame(context, workspace, commit, blaming.page_at(context, workspace, commit, path), lines)


def landed(wiki: Wiki, content: str, path: str = PATH) -> str:
    """Land a page by a run; the run's id."""
    run = wiki.run({path: content})
    assert wiki.finish(run).result == "landed"
    return run.id


def by_hand(wiki: Wiki, content: str, path: str = PATH) -> str:
    (wiki.folder / path).parent.mkdir(parents=True, exist_ok=True)
    (wiki.folder / path).write_text(content)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "By hand")
    return wiki.git("rev-parse", "HEAD")


def results(found: Blame) -> list[list[tuple[str, str]]]:
    return [[(source.path, source.result) for source in claim.sources] for claim in found.claims]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("wiki/none.md", "there is no wiki/none.md at"),
        ("wiki", "is a folder"),
        ("", "the whole repository is a folder"),
        ("raw/tides.md", "is no page of the wiki"),
        ("wiki/log.md", "the tool alone writes it"),
        ("wiki/link.md", "is no file of its own"),
    ],
)
def test_what_is_no_page_is_told_with_its_mend(wiki: Wiki, path: str, said: str) -> None:
    (wiki.folder / "wiki/link.md").symlink_to("index.md")
    by_hand(wiki, page(0))
    with pytest.raises(UsageError, match=said) as caught:
        blamed(wiki, path)
    assert caught.value.hint


def test_the_page_that_was_probably_meant_is_named(wiki: Wiki) -> None:
    by_hand(wiki, page(0), "wiki/solvents.md")
    with pytest.raises(UsageError) as caught:
        blamed(wiki, "wiki/solvent.md")
    assert caught.value.hint == "git assay blame wiki/solvents.md"


def test_a_page_that_is_gone_is_told_by_how_to_find_it(wiki: Wiki) -> None:
    by_hand(wiki, page(0), "wiki/zebra.md")
    wiki.git("rm", "--quiet", "wiki/zebra.md")
    wiki.git("commit", "--quiet", "--message", "Gone")
    with pytest.raises(UsageError) as caught:
        blamed(wiki, "wiki/zebra.md")
    assert "git log --oneline -- wiki/zebra.md" in caught.value.hint
    assert len(blamed(wiki, "wiki/zebra.md", "main~1").claims) == 1


def test_lines_behind_the_page_s_end_are_refused(wiki: Wiki) -> None:
    by_hand(wiki, page(0))
    with pytest.raises(UsageError, match="has 5 lines, and none is line 6"):
        blamed(wiki, lines=(6, None))


def test_a_clone_that_lacks_a_version_cannot_tell(wiki: Wiki) -> None:
    by_hand(wiki, page(0))
    by_hand(wiki, MORE)
    blob = wiki.git("rev-parse", f"main~1:{PATH}")
    (wiki.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CannotRun, match="this clone lacks an object"):
        blamed(wiki)


def test_a_page_without_claims_has_none(wiki: Wiki) -> None:
    assert blamed(wiki, "wiki/index.md").claims == ()


@pytest.mark.slow
def test_each_claim_has_its_own_origin(wiki: Wiki) -> None:
    first = landed(wiki, page(0))
    wiki.later(days=2)
    second = landed(wiki, MORE + f'[^2]: raw/tides.md, "{QUOTE}"\n')
    one, two = blamed(wiki).claims
    assert [one.text, two.text] == ["The tide turns, as page 0 knows.", "It does so daily."]
    assert [one.origin.run_id, two.origin.run_id] == [first, second]
    assert (one.place.line, two.place.line) == (3, 3)
    assert two.origin.commit.time - one.origin.commit.time == 2 * 86_400
    assert one.origin.commit.author.name == "Ada Writer"
    assert results(blamed(wiki)) == [[("raw/tides.md", "verified")], [("raw/tides.md", "verified")]]


def test_a_changed_citation_is_dated_from_the_change(wiki: Wiki) -> None:
    first = landed(wiki, page(0))
    commit = by_hand(wiki, page(0, "On most coasts"))
    [claim] = blamed(wiki).claims
    assert (claim.since, claim.origin.commit.id, claim.origin.told) == ("citation", commit, "not by a run")
    [before] = blamed(wiki, rev="main~1").claims
    assert (before.since, before.origin.run_id) == ("claim", first)


def test_lines_choose_the_claims_that_touch_them(wiki: Wiki) -> None:
    by_hand(wiki, "# P\n\nOne runs\nover lines.[^a]\n\nTwo.[^a]\n\n[^a]: raw/tides.md\n")
    chosen: list[tuple[Lines, list[str]]] = [
        ((1, 2), []), ((1, 3), ["One runs over lines."]), ((4, 4), ["One runs over lines."]),
        ((4, None), ["One runs over lines.", "Two."]), ((5, 9), ["Two."]),
    ]  # fmt: skip
    for lines, texts in chosen:
        assert [claim.text for claim in blamed(wiki, lines=lines).claims] == texts


@pytest.mark.slow
def test_where_the_history_is_cut_off_a_claim_may_be_older(wiki: Wiki, tmp_path: Path) -> None:
    landed(wiki, page(0))
    by_hand(wiki, "a\n", "notes.txt")
    commit = by_hand(wiki, MORE + "[^2]: raw/tides.md\n")
    wiki.git("clone", "--quiet", "--depth=2", f"file://{wiki.folder}", str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    one, two = blamed(clone).claims
    assert (one.since, two.since, two.origin.commit.id) == ("unknown", "claim", commit)
    assert any("git fetch --unshallow" in told for told in clone.told)


@pytest.mark.slow
def test_a_bare_repository_can_be_blamed(wiki: Wiki, tmp_path: Path) -> None:
    run = landed(wiki, page(0))
    wiki.git("clone", "--quiet", "--mirror", str(wiki.folder), str(tmp_path / "bare"))
    [claim] = blamed(Wiki(tmp_path / "bare", wiki.now)).claims
    assert claim.origin.run_id == run
    assert claim.origin.verdict is not None


def test_a_page_is_found_by_either_unicode_form_of_its_name(wiki: Wiki) -> None:
    by_hand(wiki, page(0), "wiki/cafe\u0301.md")
    assert blamed(wiki, "wiki/caf\u00e9.md").path == "wiki/cafe\u0301.md"


@pytest.mark.slow
def test_the_json_says_it_all(wiki: Wiki) -> None:
    run = landed(wiki, page(0))
    body = blamed(wiki).as_json()
    tip = wiki.git("rev-parse", "main")
    assert (body["schema"], body["path"], body["rev"], body["signed"]) == ("assay/blame/1", PATH, tip, False)
    [claim] = body["claims"]
    verdict = claim.pop("verdict")
    state = wiki.find(run).state
    assert claim == {
        "claim": "The tide turns, as page 0 knows.",
        "line": 3,
        "end_line": 3,
        "sources": [
            {
                "path": "raw/tides.md",
                "result": "verified",
                "level": "none",
                "quote": QUOTE,
                "offset": SOURCE.index(QUOTE),
                "message": "stands word for word",
                "locator": None,
                "files": ["raw/tides.md"],
            }
        ],
        "author": "Ada Writer <ada@example.org>",
        "commit": wiki.git("log", "-1", "--no-merges", "--format=%H", "main", "--", PATH),
        "date": "2024-01-02T03:04:05Z",
        "since": "claim",
        "landed": tip,
        "run": run,
        "told": "",
    }
    assert (verdict["id"], verdict["verdict"], verdict["judge"]) == (state.verdict_id, "commit", OFFLINE)
    assert (verdict["candidate"], verdict["unverified"], verdict["supersedes"]) == (tip, False, [])


@pytest.mark.slow
def test_what_landed_unverified_says_so(wiki: Wiki) -> None:
    run = wiki.run({PATH: page(0)})
    wiki.finish(run, no_verify=True)
    [claim] = blamed(wiki).as_json()["claims"]
    assert (claim["run"], claim["verdict"]["unverified"]) == (run.id, True)


def test_nothing_is_written(wiki: Wiki) -> None:
    landed(wiki, page(0))
    before = wiki.refs()
    blamed(wiki)
    assert wiki.refs() == before
