from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest

from gitops.config import Config
from gitops.errors import Absent
from gitops.git.repository import open_repository
from gitops.runs.context import Context
from gitops.runs.dating import Dating, Key, asserted
from gitops.wiki import page as pages
from gitops.wiki.model import Cite, Claim, Locator, Page, Place, Quotation

DAY = 86_400
PLACE = Place(0, 1, 1, 1, 1)


def write(*claims: str, **sources: str) -> str:
    """One paragraph, one line: sentences whose last word is the label of their source."""
    body = " ".join(f"{claim.rpartition(' ')[0]}.[^{claim.rpartition(' ')[2]}]" for claim in claims)
    labels = dict.fromkeys(claim.rpartition(" ")[2] for claim in claims)
    notes = "".join(f"[^{label}]: {sources.get(label, f'raw/{label}.md')}\n" for label in labels)
    return f"# Page\n\n{body}\n\n{notes}"


class Told:
    """A page's history on branches, its commits called by the names that the tests give them."""

    def __init__(self, folder: Path, git: Callable[..., str], commit_files: Callable[..., str]) -> None:
        self.folder, self._git, self._commit_files = folder, git, commit_files
        self.ids: dict[str, str] = {}

    def git(self, *arguments: str, check: bool = True) -> str:
        return self._git(self.folder, *arguments, check=check)

    def commit(self, name: str, files: Mapping[str, str | None] | str | None = None) -> None:
        given = {"wiki/p.md": files} if isinstance(files, str) else files or {}
        self.ids[name] = self._commit_files(self.folder, given, name, when=(len(self.ids) + 1) * DAY)

    def merge(self, name: str, branch: str, files: Mapping[str, str | None] | str | None = None) -> None:
        self.git("merge", "--quiet", "--no-ff", "--no-commit", branch, check=False)
        self.commit(name, files)

    def dating(self, path: str = "wiki/p.md", rev: str = "HEAD") -> tuple[Dating, dict[Key, str]]:
        page = pages.parse((self.git("show", f"{rev}:{path}") + "\n").encode())
        keys = asserted(page)
        tip = self.git("rev-parse", rev)
        words = {key: each.text.rstrip(".") if isinstance(each, Claim) else each.path for key, each in keys.items()}
        return Dating(Context(open_repository(self.folder)), Config(), tip, path, keys), words

    def dated(self, path: str = "wiki/p.md", rev: str = "HEAD") -> list[tuple[str, str, str]]:
        """(claim, commit, since) in the page's order."""
        dating, words = self.dating(path, rev)
        found = {key: at for some in dating for key, at in some.items()}
        back = {commit: name for name, commit in self.ids.items()}
        return [(said, back[found[key].commit], found[key].since) for key, said in words.items()]


@pytest.fixture
def told(make_repository: Callable[..., Path], git: Callable[..., str], commit_files: Callable[..., str]) -> Told:
    return Told(make_repository(), git, commit_files)


def test_a_version_that_this_clone_lacks_is_told(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    told.commit("two", write("Tides turn a", "Fog comes b"))
    blob = told.git("rev-parse", f"{told.ids['one']}:wiki/p.md")
    dating, _ = told.dating()
    (told.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Absent):
        list(dating)


def test_a_page_that_was_never_there_dates_nothing(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    dating, _ = told.dating()
    dating.path = "wiki/other.md"
    assert list(dating) == []


def test_claims_on_one_line_are_dated_each_by_itself(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    told.commit("two", write("Tides turn a", "Fog comes b"))
    told.commit("three", write("Rain falls c", "Tides turn a", "Fog comes b"))
    assert told.dated() == [
        ("Rain falls", "three", "claim"),
        ("Tides turn", "one", "claim"),
        ("Fog comes", "two", "claim"),
    ]
    assert told.dated(rev="HEAD~1") == [("Tides turn", "one", "claim"), ("Fog comes", "two", "claim")]


def test_white_space_case_wrapping_labels_and_places_change_nothing(told: Told) -> None:
    told.commit("one", write("Tides turn a", "Fog comes b", a='raw/a.md, "the sea  falls" @7'))
    page = '# New title\n\nMoved about.\n\n- "tides\n  turn".[^x]\n- Fog comes.[^y]\n\n'
    told.commit("two", page + '[^y]: raw/b.md\n[^x]: raw/a.md, "the sea falls" @9\n')
    assert [commit for _, commit, _ in told.dated()] == ["one", "one"]


@pytest.mark.parametrize("cited", ["raw/other.md", "raw/a.md, p.3", 'raw/a.md, "other words"', "raw/a.md; raw/b.md"])
def test_words_that_stayed_are_dated_from_the_change_of_their_citation(told: Told, cited: str) -> None:
    told.commit("one", write("Tides turn a", "Fog comes b"))
    told.commit("two", write("Tides turn a", "Fog comes b", a=cited))
    told.commit("three", write("Tides turn a", "Fog comes b", "Rain falls c", a=cited))
    assert told.dated()[:2] == [("Tides turn", "two", "citation"), ("Fog comes", "one", "claim")]


@pytest.mark.parametrize("now", ["Tides turn 2 times a", "Tides turn? a", "As of 2024-05-01, tides turn a"])
def test_what_says_something_else_is_a_new_claim(told: Told, now: str) -> None:
    told.commit("one", write("Tides turn a"))
    told.commit("two", write(now))
    assert [(commit, since) for _, commit, since in told.dated()] == [("two", "claim")]


def test_a_number_is_told_from_the_same_number_in_another_row(told: Told) -> None:
    def table(*rows: str) -> str:
        head = "# Page\n\n| coast | range |\n|---|---|\n"
        return head + "".join(f"| {row} | 40 m[^a] |\n" for row in rows) + "\n[^a]: raw/a.md\n"

    told.commit("one", table("north"))
    told.commit("two", table("south", "north"))
    assert [commit for _, commit, _ in told.dated()] == ["two", "one"]


def test_the_second_of_two_equal_claims_is_new_and_its_citation_is_not_changed(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    told.commit("two", write("Tides turn a", "Tides turn a"))
    assert [(commit, since) for _, commit, since in told.dated()] == [("one", "claim"), ("two", "claim")]


def test_what_was_removed_and_brought_back_is_dated_from_its_return(told: Told) -> None:
    told.commit("one", write("Tides turn a", "Fog comes b"))
    told.commit("two", write("Fog comes b"))
    told.commit("three", write("Tides turn a", "Fog comes b"))
    told.commit("gone", {"wiki/p.md": None})
    assert told.dated(rev="HEAD~1") == [("Tides turn", "three", "claim"), ("Fog comes", "one", "claim")]
    told.commit("again", write("Fog comes b"))
    assert told.dated() == [("Fog comes", "again", "claim")]


def test_a_renamed_page_keeps_its_history_also_when_it_was_changed_on_the_way(told: Told) -> None:
    first = [f"Claim number {number} a" for number in range(6)]
    told.commit("one", {"wiki/p.md": write(*first).replace(" Claim", "\nClaim"), "wiki/else.md": "# Else\n"})
    told.commit("two", {"wiki/p.md": None, "wiki/q.md": write(*first, "Fog comes b").replace(" Claim", "\nClaim")})
    told.commit("three", {"wiki/q.md": None, "wiki/deep/r.md": (told.folder / "wiki/q.md").read_text()})
    commits = [commit for _, commit, _ in told.dated("wiki/deep/r.md")]
    assert commits == ["one"] * 6 + ["two"]


def test_a_copied_page_says_it_anew(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    told.commit("two", {"wiki/q.md": write("Tides turn a")})
    assert told.dated("wiki/q.md") == [("Tides turn", "two", "claim")]


def test_both_sides_of_a_merge_are_followed(told: Told) -> None:
    told.commit("one", write("Tides turn a", "Fog comes b"))
    told.git("branch", "side")
    told.commit("ours", write("Tides turn a", "Fog comes b", "Rain falls c"))
    told.git("checkout", "--quiet", "side")
    told.commit("theirs", write("Wind blows d", "Tides turn a", "Fog comes b"))
    told.git("checkout", "--quiet", "main")
    told.merge("both", "side", write("Wind blows d", "Tides turn a", "Fog comes b", "Rain falls c", "Snow lies e"))
    assert [commit for _, commit, _ in told.dated()] == ["theirs", "one", "one", "ours", "both"]


def test_a_page_that_one_side_renamed_and_the_other_changed_is_followed_on_both(told: Told) -> None:
    claims = [f"Claim number {number} a" for number in range(6)]
    told.commit("one", write(*claims).replace(" Claim", "\nClaim"))
    told.git("branch", "side")
    told.commit("ours", write("Rain falls c", *claims).replace(" Claim", "\nClaim"))
    told.git("checkout", "--quiet", "side")
    told.commit("moved", {"wiki/p.md": None, "wiki/q.md": (told.folder / "wiki/p.md").read_text()})
    told.git("checkout", "--quiet", "main")
    told.merge("both", "side")
    assert [commit for _, commit, _ in told.dated("wiki/q.md")] == ["ours", *["one"] * 6]


def test_what_both_sides_brought_in_is_the_first_parent_s(told: Told) -> None:
    told.commit("one", write("Tides turn a"))
    told.git("branch", "side")
    told.commit("ours", write("Tides turn a", "Fog comes b", "Rain falls c"))
    told.git("checkout", "--quiet", "side")
    told.commit("theirs", write("Tides turn a", "Fog comes b", "Wind blows d"))
    told.git("checkout", "--quiet", "main")
    told.merge("both", "side", write("Tides turn a", "Fog comes b", "Rain falls c", "Wind blows d"))
    assert [commit for _, commit, _ in told.dated()] == ["one", "ours", "ours", "theirs"]


def test_the_walk_ends_when_all_claims_are_dated(told: Told) -> None:
    for number in range(6):
        told.commit(str(number), write(f"Claim {number} a"))
    dating, _ = told.dating()
    assert len(list(dating)) == 1
    told.commit("chmod")
    (told.folder / "wiki/p.md").chmod(0o755)
    told.commit("executable")
    assert told.dated() == [("Claim 5", "5", "claim")]


def test_whatever_a_dialect_fills_can_be_compared() -> None:
    locator = Locator("L5", 5, 6)
    full = Cite("d", "raw/a.md", PLACE, "1", 1, 2, "q", 3, PLACE, "loose", locator, (Quotation("Said", PLACE),))
    assert len(fields(full)) == 12, "is what is new about a citation spelling, or does it point elsewhere?"
    claim = Claim("Words", PLACE, "paragraph", (full,))
    elsewhere = Place(9, 10, 3, 1, 3)
    respelt = Cite(
        "e", "raw/a.md", elsewhere, "2", 1, 2, " q ", 4, None, "exact", Locator("line 5-6", 5, 6),
        (Quotation("“said”", elsewhere),),
    )  # fmt: skip
    moved = Cite("d", "raw/a.md", PLACE, locator=Locator("L7", 7))
    page = pages.parse(b"# Words\n")
    keys = [next(iter(asserted(replaced))) for replaced in _pages(page, claim, full, respelt, moved)]
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]


def _pages(page: Page, claim: Claim, *cites: Cite) -> list[Page]:
    return [replace(page, claims=(replace(claim, cites=(cite,)),)) for cite in cites]


def test_what_backs_a_page_as_a_whole_is_dated_source_by_source() -> None:
    cites = (Cite("d", "raw/a.md", PLACE), Cite("d", "raw/b.md", PLACE))
    one, two = (asserted(replace(pages.parse(b"# P\n"), cites=some)) for some in (cites[:1], cites))
    assert list(one) == list(two)[:1]
    assert list(two.values()) == list(cites)
