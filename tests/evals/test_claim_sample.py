from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import Absent, CannotRun
from gitops.evals.claim_sample import ClaimSample, allotted, draw, located, opened
from gitops.wiki.names import source_key
from tests.evals.subjects import subject

Make = Callable[..., Path]
Commit = Callable[..., str]


def page(number: int, *also: str) -> str:
    claims = "\n\n".join([f"The tide of harbour {number} turns.[^1]", *also])
    return f"# Page {number}\n\n{claims}\n\n[^1]: raw/tides.md\n"


def files(*folders: str, each: int = 3) -> dict[str, str]:
    found = {"assay.toml": '[workspace]\nname = "tides"\n', "raw/tides.md": "The tide turns.\n"}
    for folder in folders:
        found |= {f"wiki/{folder}p{number:03}.md": page(number) for number in range(each)}
    return found


def drawn(folder: Path, rev: str = "HEAD", size: int = 50, seed: int = 0) -> ClaimSample:
    with subject(folder, rev) as made:
        return draw(made.bench, size, seed)


def test_a_wiki_without_claims_gives_none(make_repository: Make) -> None:
    found = drawn(make_repository({"assay.toml": "", "wiki/a.md": "# A\n\nNothing is cited.\n"}))
    assert found.claims == ()
    assert found.strata == {}


def test_without_a_wiki_none_is_drawn(make_repository: Make) -> None:
    assert drawn(make_repository({"assay.toml": "", "raw/a.md": "A.\n"})).claims == ()


def test_what_no_longer_holds_is_not_drawn(make_repository: Make) -> None:
    text = (
        "# Mill\n\n~~The mill employs 30 people.~~[^1]\n\nAs of 2024-05-01, the mill employs 40 people.[^1]\n\n"
        "The mill employs 50 people.[^1]\n\n[^1]: raw/mill.md\n"
    )
    found = drawn(make_repository({"assay.toml": "", "raw/mill.md": "50\n", "wiki/mill.md": text}))
    assert [one.claim.text for one in found.claims] == ["The mill employs 50 people."]


def test_neither_the_log_nor_what_is_no_page_is_drawn_from(make_repository: Make) -> None:
    odd = {"wiki/log.md": page(1), "wiki/.hidden/a.md": page(2), "wiki/a.txt": page(3), "raw/a.md": page(4)}
    assert drawn(make_repository({**files(), **odd})).claims == ()


def test_a_small_wiki_is_drawn_whole(make_repository: Make) -> None:
    found = drawn(make_repository(files("", "a/", "b/deep/")))
    assert len({one.id for one in found.claims}) == 9
    assert found.strata == {"": 3, "a": 3, "b": 3}


def test_equal_words_on_one_page_and_on_two_are_different_samples(make_repository: Make) -> None:
    twice = {"wiki/x.md": page(7, "The tide of harbour 7 turns.[^1]"), "wiki/y.md": page(7)}
    found = drawn(make_repository({**files(), **twice}))
    assert len({one.id for one in found.claims}) == 3


def test_one_seed_draws_one_sample_and_another_seed_another(make_repository: Make) -> None:
    folder = make_repository(files("", "a/", each=40))
    first, again, other = drawn(folder, size=10), drawn(folder, size=10), drawn(folder, size=10, seed=1)
    assert first == again
    assert len(first.claims) == len(other.claims) == 10
    assert {one.id for one in first.claims} != {one.id for one in other.claims}
    assert first.instrument["digest"] != other.instrument["digest"]


def test_another_citation_leaves_a_claim_the_same_sample(make_repository: Make, commit_files: Commit) -> None:
    folder = make_repository(files("", each=1))
    before = drawn(folder)
    commit_files(folder, {"wiki/p000.md": page(0).replace("raw/tides.md", "raw/gone.md")})
    assert [one.id for one in drawn(folder).claims] == [one.id for one in before.claims]


def test_a_change_of_few_pages_changes_few_samples(make_repository: Make, commit_files: Commit) -> None:
    folder = make_repository(files("", "a/", "b/", each=60))
    before = {one.id for one in drawn(folder, size=30).claims}
    new = {f"wiki/a/n{number}.md": page(1000 + number) for number in range(5)}
    commit_files(folder, {**new, "wiki/b/p001.md": None})
    after = {one.id for one in drawn(folder, size=30).claims}
    assert len(after) == 30
    assert len(before & after) >= 26
    assert {one.id for one in drawn(folder, "HEAD~1", size=30).claims} == before


def test_pages_that_are_not_drawn_from_are_not_read(make_repository: Make, git: Callable[..., str]) -> None:
    folder = make_repository(files("", each=60))
    sample = drawn(folder, size=5)
    paths = {one.path for one in sample.claims}
    for number in range(60):
        if (path := f"wiki/p{number:03}.md") not in paths:
            blob = git(folder, "rev-parse", f"HEAD:{path}")
            (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert drawn(folder, size=5) == sample
    for file in (folder / ".git/assay").glob("cache.sqlite3*"):
        file.unlink()
    with pytest.raises(Absent):
        drawn(folder, size=5)


def test_a_cache_of_other_pages_is_told(make_repository: Make) -> None:
    folder = make_repository(files("", each=1))
    with subject(folder) as made:
        draw(made.bench, 5, 0)
    with sqlite3.connect(folder / ".git/assay/cache.sqlite3") as cache:
        (kept,) = cache.execute("SELECT id FROM kept WHERE name = 'claims'").fetchone()
        cache.execute(f"UPDATE claims_{kept} SET hash = zeroblob(16)")
    cache.close()
    with subject(folder) as made, pytest.raises(CannotRun, match="knows a claim of wiki/p000"):
        draw(made.bench, 5, 0)


def test_strata_give_in_proportion_by_the_largest_remainder() -> None:
    # 10 of 100: 6.1, 2.6 and 1.3 are 6, 2 and 1, and the one that is left goes to the remainder of 0.6.
    assert allotted({"a": 61, "b": 26, "c": 13}, 10, 0) == {"a": 6, "b": 3, "c": 1}


def test_each_stratum_gives_one_while_there_are_enough_to_give() -> None:
    # 4 of 1,002: 3.99, 0.004 and 0.004; each gives one, and the first what is left.
    assert allotted({"a": 1000, "b": 1, "c": 1}, 4, 0) == {"a": 2, "b": 1, "c": 1}


def test_no_stratum_gives_more_than_it_has() -> None:
    for size in range(1, 13):
        strata = {"a": 1, "b": 2, "c": 9}
        given = allotted(strata, size, 3)
        assert sum(given.values()) == size
        assert all(given[name] <= strata[name] for name in given)


def test_of_more_strata_than_samples_each_is_drawn_as_often_as_it_is_large() -> None:
    strata = {f"s{number}": 1 + number % 4 * 3 for number in range(40)}  # 1, 4, 7 and 10 claims: 220 together
    counts: Counter[int] = Counter()
    for seed in range(400):
        given = allotted(strata, 11, seed)
        assert sum(given.values()) == 11
        counts.update(strata[name] for name in given)
    # A stratum of c claims gives c / 20 of a sample: ten strata of each size, 400 times.
    for size in (1, 4, 7, 10):
        assert counts[size] == pytest.approx(10 * 400 * size / 20, rel=0.15)


@pytest.mark.parametrize(
    ("folders", "each", "size", "seeds", "least", "most"),
    [
        # 6 of 60 claims in two strata: each a hundred times, give or take ten.
        (("", "a/"), 30, 6, 1_000, 65, 140),
        # 2 of 200: each twenty times, give or take five, for no more than eighty are looked at.
        (("",), 200, 2, 2_000, 4, 42),
    ],
)
@pytest.mark.slow
def test_over_the_seeds_each_claim_of_a_stratum_is_drawn_as_often(
    make_repository: Make, folders: tuple[str, ...], each: int, size: int, seeds: int, least: int, most: int
) -> None:
    counts: Counter[str] = Counter()
    with subject(make_repository(files(*folders, each=each))) as made, opened(made.bench) as reader:
        strata = reader.strata()
        for seed in range(seeds):
            counts.update(one.path for _, one in located(reader, strata, size, seed))
    assert sum(counts.values()) == size * seeds
    assert len(counts) == each * len(folders)
    assert least < min(counts.values()) < max(counts.values()) < most


def test_pages_that_became_another_workspaces_are_drawn_from_no_more(
    make_repository: Make, commit_files: Commit
) -> None:
    whole = '[workspace]\nname = "{}"\nwiki = "."\n'
    pages = {"raw/tides.md": "The tide turns.\n", "a.md": page(1), "sub/b.md": page(2)}
    folder = make_repository({"assay.toml": whole.format("tides"), **pages})
    with subject(folder) as made:
        assert draw(made.bench, 5, 0).strata == {"": 1, "sub": 1}
        assert made.bench.page_terms().mentioning("tide") == ["a.md", "sub/b.md"]
        assert made.view.graph.citing(source_key("raw/tides.md")) == ["a.md", "sub/b.md"]
    commit_files(folder, {"sub/assay.toml": whole.format("inner")})
    with subject(folder) as made:
        assert draw(made.bench, 5, 0).strata == {"": 1}
        assert made.bench.page_terms().mentioning("tide") == ["a.md"]
        assert made.view.graph.citing(source_key("raw/tides.md")) == ["a.md"]
