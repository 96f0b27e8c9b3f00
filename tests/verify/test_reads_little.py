from __future__ import annotations

from collections.abc import Callable

LookedAt = Callable[..., list[tuple[str, str]]]

CITED = 'A claim.[^1]\n\n[^1]: raw/s1.md, "words of source 1"\n'


def page(n: int) -> str:
    return f'[[p{n + 1}]] [[index]]\n\nSays {n}.[^1]\n\n[^1]: raw/s{n}.md, "words of source {n}"\n'


INDEX = "".join(f"- [[p{n}]]\n" for n in range(50))
PAGES = {f"wiki/t{n % 5}/p{n}.md": page(n) for n in range(50)}
SOURCES = {f"raw/s{n}.md": f"These are the words of source {n}.\n" for n in range(50)}
WIKI = {"wiki/index.md": INDEX, "wiki/log.md": "# Log\n"} | PAGES | SOURCES


def read(looked: list[tuple[str, str]]) -> set[str]:
    return {path for what, path in looked if what == "read"}


def listed(looked: list[tuple[str, str]]) -> list[str]:
    return [path for what, path in looked if what == "listed"]


def test_a_clean_new_page_in_a_new_folder_costs_itself_the_index_and_its_source(looked_at: LookedAt) -> None:
    change = {"wiki/new/page.md": CITED, "wiki/index.md": WIKI["wiki/index.md"] + "- [[page]]\n"}
    looked = looked_at(WIKI, change)
    assert listed(looked) == []
    assert read(looked) == {"wiki/new/page.md", "wiki/index.md", "raw/s1.md"}


def test_a_rewritten_page_costs_itself_and_what_it_let_go(looked_at: LookedAt) -> None:
    looked = looked_at(WIKI, {"wiki/t0/p10.md": "[[p12]]\n\n" + CITED})
    assert listed(looked) == []
    # p11 is no longer linked from it; nor is the index, which needs no link. Sources are read as they were, too.
    assert read(looked) == {"wiki/t0/p10.md", "wiki/t1/p11.md", "raw/s1.md", "raw/s10.md", "raw/s11.md"}


def test_a_changed_source_costs_the_pages_that_cite_it(looked_at: LookedAt) -> None:
    looked = looked_at(WIKI, {"raw/s7.md": "These are still the words of source 7.\n"})
    assert listed(looked) == []
    assert read(looked) == {"wiki/t2/p7.md", "raw/s7.md"}


def test_only_what_is_wrong_and_new_is_sought_in_every_source(looked_at: LookedAt) -> None:
    wrong = CITED.replace("words of source 1", "volcanoes rarely sing on Tuesdays")
    looked = looked_at(WIKI, {"wiki/t0/p10.md": WIKI["wiki/t0/p10.md"] + "\n" + wrong.replace("^1", "^2")})
    assert listed(looked) == ["raw"]
    assert read(looked) >= {f"raw/s{n}.md" for n in range(50)}


def test_old_broken_links_and_missing_sources_cost_no_search(looked_at: LookedAt) -> None:
    debt = "[[nowhere]]\n\n" + CITED.replace("raw/s1.md", "raw/gone.md")
    looked = looked_at(WIKI | {"wiki/t0/debt.md": debt}, {"wiki/t0/debt.md": debt + "\n"})
    assert listed(looked) == ["", ""]  # a name that no page has may be a file's: each side's files are listed once
