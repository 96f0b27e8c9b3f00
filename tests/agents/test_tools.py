from __future__ import annotations

import io
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitops.agents.calling import Misuse, ToolError
from gitops.agents.reading.shelf import Hit, Shelf
from gitops.agents.tools import reading_tools
from tests.agents.shelves import shelf_of, use, view_of

SOURCE = "# Tides\n\nOn most coasts the sea falls back twice a day.\nSpring tides come at new moon.\n"
PAGE = (
    "# Tide\n\nThe sea falls twice daily.[^1] See [the moon](moon.md) and [[coast|the coast]].\n\n"
    '[^1]: raw/tides.md, "the sea falls back twice a day"\n'
)
FILES = {
    "assay.toml": '[workspace]\nname = "tides"\n',
    "assay.debt.jsonl": "{}\n",
    ".github/workflows/ci.yml": "on: push\n",
    "gold/queries.yaml": "- q: how often?\n",
    "notes.txt": "nobody's business\n",
    "raw/tides.md": SOURCE,
    "raw/.hidden.md": "secret\n",
    "wiki/index.md": "# Index\n\n- [Tide](tide.md)\n- [Moon](moon.md)\n- [Coast](coast.md)\n",
    "wiki/log.md": "# Log\n\n- 2024-01-01 ingest raw/a.md: +wiki/a.md (run a-1)\n"
    "- 2024-01-02 cascade: wiki/tide.md (run b-2)\n",
    "wiki/tide.md": PAGE,
    "wiki/moon.md": "# Moon\n\nThe moon pulls.\n",
    "wiki/coast.md": "# Coast\n\nWhere the land ends.\n",
    "wiki/.obsidian/app.json": "{}\n",
}


def pdf(*pages: str) -> bytes:
    from fpdf import FPDF

    document = FPDF()
    document.set_font("Helvetica", size=12)
    for text in pages:
        document.add_page()
        document.multi_cell(0, 8, text)
    out = io.BytesIO()
    document.output(out)
    return out.getvalue()


ELSEWHERE = [
    "assay.toml",
    "assay.debt.jsonl",
    "gold/queries.yaml",
    "notes.txt",
    ".github/workflows/ci.yml",
    ".git/config",
    "wiki/../assay.toml",
    "raw/../../etc/passwd",
    "/etc/passwd",
    "C:/Windows/system.ini",
    "..",
    "raw/.hidden.md",
    "wiki/.obsidian/app.json",
    "wiki/\u200c.git/config",
    "wiki\\moon.md",
    "",
]


@pytest.mark.parametrize("path", ELSEWHERE)
def test_what_is_neither_a_page_nor_a_source_is_not_read(path: str) -> None:
    with pytest.raises(ToolError):
        use(shelf_of(FILES), "read", path=path)


@pytest.mark.parametrize("path", ELSEWHERE[:-1])
@pytest.mark.parametrize("name", ["list", "grep", "history"])
def test_nor_listed_searched_or_followed_through_time(name: str, path: str) -> None:
    pattern = {"pattern": "secret"} if name == "grep" else {}
    with pytest.raises(ToolError):
        use(shelf_of(FILES), name, path=path, **pattern)


def test_files_that_may_not_be_read_turn_up_in_no_listing_and_no_search() -> None:
    shelf = shelf_of(FILES)
    everything = (
        use(shelf, "list")
        + use(shelf, "grep", pattern=".", regular=True)
        + use(shelf, "search", words="secret nobody push")
    )
    for word in ("assay.toml", "gold/", "notes.txt", ".github", ".hidden", ".obsidian", "nobody's business", "secret"):
        assert word not in everything.replace('words="secret nobody push"', "")


def test_a_symbolic_link_is_not_followed() -> None:
    view = view_of({**FILES, "wiki/link.md": "../assay.toml"}, modes={"wiki/link.md": 0o120000})
    with pytest.raises(ToolError, match="no regular file"):
        use(Shelf.of(view), "read", path="wiki/link.md")


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(ToolError, match=r"there is no file wiki/sun.md"):
        use(shelf_of(FILES), "read", path="wiki/sun.md")


def test_what_no_text_can_be_had_of_is_told() -> None:
    with pytest.raises(ToolError, match=r"raw/a.bin cannot be read: the file is binary"):
        use(shelf_of({**FILES, "raw/a.bin": b"\0\1\2" * 50}), "read", path="raw/a.bin")


def test_a_line_beyond_the_end_is_told_with_the_number_of_lines() -> None:
    with pytest.raises(ToolError, match=r"wiki/moon.md has 3 lines, no line 4"):
        use(shelf_of(FILES), "read", path="wiki/moon.md", start=4)


def test_a_page_is_read_with_line_numbers_between_marks() -> None:
    told = use(shelf_of(FILES), "read", path="wiki/moon.md")
    head, opening, *inside, closing = told.split("\n")
    assert head == "lines 1–3 of 3. Data:"
    assert inside == ["1\t# Moon", "2\t", "3\tThe moon pulls."]
    code = opening.split(" ")[0].removeprefix("<data-")
    assert closing == f"</data-{code}>"
    assert opening == f'<data-{code} path="wiki/moon.md">'


def test_a_workspace_in_a_folder_is_read_by_its_own_paths_and_by_the_repositorys() -> None:
    files = {"kb/" + path: text for path, text in FILES.items()} | {"wiki/other.md": "not of this workspace\n"}
    shelf = Shelf.of(view_of(files, root="kb"))
    assert use(shelf, "read", path="wiki/moon.md") == use(shelf, "read", path="kb/wiki/moon.md")
    with pytest.raises(ToolError):
        use(shelf, "read", path="wiki/other.md")


def test_a_workspace_that_is_its_own_wiki_shows_its_pages_and_sources_alone() -> None:
    files = {
        "moon.md": "# Moon\n",
        "setup.py": "import os\n",
        "raw/a.md": "a\n",
        "assay.toml": '[workspace]\nwiki = "."\n',
    }
    shelf = Shelf.of(view_of(files, policy=files["assay.toml"]))
    assert "moon.md\t7" in use(shelf, "list")
    assert "raw/a.md\t2" in use(shelf, "list")
    for path in ("setup.py", "assay.toml"):
        with pytest.raises(ToolError):
            use(shelf, "read", path=path)


def test_a_long_file_is_read_in_parts_and_says_so() -> None:
    shelf = shelf_of({**FILES, "raw/long.txt": "".join(f"line {at}\n" for at in range(1, 513))})
    assert use(shelf, "read", path="raw/long.txt").startswith("lines 1–200 of 512 (ask for more with start=201). Data:")
    last = use(shelf, "read", path="raw/long.txt", start=401)
    assert last.startswith("lines 401–512 of 512. Data:")
    assert "\n512\tline 512\n" in last


def test_a_very_long_line_is_read_in_parts_that_together_are_the_whole() -> None:
    line = "".join(f"word{at} " for at in range(9_000)).strip()
    shelf = shelf_of({**FILES, "raw/one.txt": line})
    found, column = "", 1
    while True:
        told = use(shelf, "read", path="raw/one.txt", column=column)
        found += told.split("\n")[2].removeprefix("1\t")
        if "goes on at column" not in told:
            break
        column = int(told.split("column=")[1].split(")")[0])
    assert found == line
    assert len(use(shelf, "read", path="raw/one.txt")) < 21_000


def test_every_line_of_a_file_of_long_lines_comes_in_some_part() -> None:
    lines = [f"{at} " + "x" * 7_000 for at in range(20)]
    shelf = shelf_of({**FILES, "raw/wide.txt": "\n".join(lines)})
    seen, start = [], 1
    while start:
        told = use(shelf, "read", path="raw/wide.txt", start=start)
        seen += [row.split("\t", 1)[1] for row in told.split("\n")[2:-1]]
        start = int(told.split("start=")[1].split(")")[0]) if "ask for more" in told else 0
    assert seen == lines


def test_a_pdf_is_read_page_by_page() -> None:
    shelf = shelf_of(
        {**FILES, "raw/report.pdf": pdf("The first page speaks of ebb.", "The second page speaks of flow.")}
    )
    told = use(shelf, "read", path="raw/report.pdf", page=2)
    assert told.startswith("lines 1–1 of 1 on page 2 of 2. Data:")
    assert "flow" in told
    assert "ebb" not in told
    with pytest.raises(ToolError, match="has 2 pages, no page 3"):
        use(shelf, "read", path="raw/report.pdf", page=3)


def test_what_is_found_in_a_pdf_is_told_by_its_page_as_read_wants_it() -> None:
    shelf = shelf_of(
        {**FILES, "raw/report.pdf": pdf("The first page speaks of ebb.", "The second page speaks of flow.")}
    )
    for told in (use(shelf, "grep", pattern="flow"), use(shelf, "grep", pattern="fl.w", regular=True)):
        assert "raw/report.pdf page 2:1: The second page speaks of flow." in told
        assert told.startswith("1 matches in 7 files. Data:")
    assert "raw/report.pdf:1 (page 2)\nThe second page" in use(shelf, "search", words="second flow")


def test_html_is_read_by_its_visible_text() -> None:
    html = "<html><body><p>Seen.</p><script>steal()</script><p style='x'>Too.</p></body></html>"
    told = use(shelf_of({**FILES, "raw/a.html": html}), "read", path="raw/a.html")
    assert "Seen." in told
    assert "steal" not in told


def test_a_staged_page_is_served_as_it_is_staged() -> None:
    shelf = shelf_of({**FILES, "wiki/moon.md": "# Moon\n\nStaged words.\n", "wiki/new.md": "# New\n"}, before=FILES)
    assert use(shelf, "read", path="wiki/moon.md").startswith("lines 1–3 of 3; the file is changed in this change.")
    assert "Staged words." in use(shelf, "read", path="wiki/moon.md")
    assert "wiki/new.md\t6\tnew in this change" in use(shelf, "list", path="wiki")
    assert "Staged words" in use(shelf, "grep", pattern="staged")


def test_a_listing_is_of_one_folder_and_in_parts() -> None:
    shelf = shelf_of({**FILES, **{f"raw/n/{at:04}.txt": "x" for at in range(700)}})
    assert use(shelf, "list", path="raw/n").startswith(
        "files 1–300 of 700 (ask for more with start=301, or for a folder)"
    )
    assert use(shelf, "list", path="raw/n", start=601).startswith("files 601–700 of 700; path and size")
    with pytest.raises(ToolError, match="there is nothing to read below wiki/none"):
        use(shelf, "list", path="wiki/none")


def test_plain_text_is_found_in_whatever_case_with_its_line() -> None:
    told = use(shelf_of(FILES), "grep", pattern="SPRING TIDES")
    assert told.startswith("1 matches in 6 files. Data:")
    assert "raw/tides.md:4: Spring tides come at new moon." in told


def test_case_counts_where_that_is_asked() -> None:
    assert use(shelf_of(FILES), "grep", pattern="SPRING", ignore_case=False) == "no line of 6 files holds it"


def test_signs_of_expressions_are_plain_text_unless_asked_otherwise() -> None:
    shelf = shelf_of({**FILES, "raw/a.txt": "a.c\nabc\n"})
    assert "raw/a.txt:2" not in use(shelf, "grep", pattern="a.c", path="raw")
    assert "raw/a.txt:2: abc" in use(shelf, "grep", pattern="a.c", path="raw", regular=True)


def test_one_file_is_searched_alone() -> None:
    assert "in 1 files" in use(shelf_of(FILES), "grep", pattern="moon", path="wiki/moon.md")


@pytest.mark.parametrize(
    "pattern", ["(", "a{2,1}", "(?P<x>a)(?P<x>b)", "\\", "(?<=a+)b", "x" * 490 + "[", "a{99999999999}"]
)
def test_an_expression_that_is_none_is_told(pattern: str) -> None:
    with pytest.raises(ToolError, match="no regular expression"):
        use(shelf_of(FILES), "grep", pattern=pattern, regular=True)


def test_an_expression_that_python_only_warns_of_is_matched_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    assert "matches" in use(shelf_of(FILES), "grep", pattern="[[s]pring", regular=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_an_expression_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitops.agents.reading.finding.PATIENCE_S", 1.0)
    shelf = shelf_of({**FILES, "raw/evil.txt": "a" * 60 + "!"})
    began = time.monotonic()
    with pytest.raises(Misuse, match="took more than 1 s"):
        use(shelf, "grep", pattern="(a+)+$", regular=True)
    assert time.monotonic() - began < 10


def test_matches_are_bounded_and_the_bound_is_told() -> None:
    shelf = shelf_of({**FILES, "raw/many.txt": "tide\n" * 5_000})
    for regular in (False, True):
        told = use(shelf, "grep", pattern="tide", path="raw/many.txt", regular=regular)
        assert told.startswith("the first 100 matches; there are more (narrow it down) in 1 files")
        assert told.count("raw/many.txt:") == 100


def test_a_match_in_a_long_line_is_shown_with_what_stands_around_it() -> None:
    shelf = shelf_of({**FILES, "raw/a.txt": "x" * 5_000 + " here it is " + "y" * 5_000})
    told = use(shelf, "grep", pattern="here it is")
    assert "here it is" in told
    assert len(told) < 800


def test_files_that_could_not_be_looked_through_are_counted() -> None:
    told = use(shelf_of({**FILES, "raw/a.bin": b"\0\1\2" * 50}), "grep", pattern="moon", path="raw")
    assert "in 1 files; 1 files were not looked through" in told


def test_search_ranks_files_by_their_words() -> None:
    told = use(shelf_of(FILES), "search", words="when do spring tides come")
    assert told.startswith("1 places") or told.split("\n")[2].startswith("raw/tides.md:4")
    assert "raw/tides.md:4\nSpring tides come at new moon." in told


def test_search_without_a_hit_says_so() -> None:
    assert use(shelf_of(FILES), "search", words="quantum chromodynamics") == "nothing has these words"


def test_search_uses_the_index_that_it_is_given() -> None:
    hit = Hit("wiki/tide.md", 3, "Tide", "The sea falls twice daily.")
    told = use(shelf_of(FILES, ranked=lambda words, limit: [hit][:limit]), "search", words="sea", limit=1)
    assert "wiki/tide.md:3 (Tide)\nThe sea falls twice daily." in told


def test_a_citation_is_followed_to_its_span_in_context() -> None:
    told = use(shelf_of(FILES), "follow", page="wiki/tide.md", target="[^1]")
    assert "the quotation: verified, at character 24, line 3. Data:" in told
    assert "On most coasts ⟦the sea falls back twice a day⟧.\nSpring tides" in told


def test_a_quotation_that_does_not_stand_there_is_shown_beside_what_does() -> None:
    page = PAGE.replace("twice a day", "twice a week")
    told = use(shelf_of({**FILES, "wiki/tide.md": page}), "follow", page="wiki/tide.md", target="1")
    assert "the quotation: altered" in told
    assert "⟦the sea falls back twice a day⟧" in told


def test_an_invented_quotation_is_told_to_be_nowhere() -> None:
    page = PAGE.replace("the sea falls back twice a day", "camels are the ships of the desert, so they say")
    told = use(shelf_of({**FILES, "wiki/tide.md": page}), "follow", page="wiki/tide.md", target="1")
    assert "the quotation is not found. Data:" in told


def test_a_citation_of_nothing_is_told_to_be_missing() -> None:
    page = PAGE.replace("raw/tides.md", "raw/ebb.md")
    told = use(shelf_of({**FILES, "wiki/tide.md": page}), "follow", page="wiki/tide.md", target="1")
    assert "line 5: a citation; missing" in told


@pytest.mark.parametrize(("target", "leads"), [("moon.md", "wiki/moon.md"), ("[[coast]]", "wiki/coast.md")])
def test_a_link_is_followed_to_its_page(target: str, leads: str) -> None:
    told = use(shelf_of(FILES), "follow", page="wiki/tide.md", target=target)
    assert "a link; ok" in told
    assert f"→ {leads}" in told


@pytest.mark.parametrize(("page", "target"), [("wiki/tide.md", "99"), ("raw/tides.md", "1"), ("wiki/none.md", "1")])
def test_what_cannot_be_followed_is_told(page: str, target: str) -> None:
    with pytest.raises(ToolError):
        use(shelf_of(FILES), "follow", page=page, target=target)


def test_a_citation_cannot_be_followed_into_what_judges_the_wiki() -> None:
    page = PAGE.replace("raw/tides.md", "gold/queries.yaml") + "\n[policy](../assay.toml)\n"
    told = use(shelf_of({**FILES, "wiki/tide.md": page}), "follow", page="wiki/tide.md", target="1")
    assert "how often" not in told
    assert "not a source" in told


def test_events_are_the_logs_lines_newest_first() -> None:
    told = use(shelf_of(FILES), "events", limit=1)
    assert told.startswith("1 of 2 lines of the log, newest first. Data:")
    assert "(run b-2)" in told
    assert "(run a-1)" not in told
    without = {path: text for path, text in FILES.items() if path != "wiki/log.md"}
    assert use(shelf_of(without), "events") == "there is no log yet"


def test_history_names_day_commit_run_and_subject() -> None:
    versions = {
        "wiki/moon.md": [
            ("b" * 40, "2024-01-02", "Write wiki/moon.md\n\nAssay-Run: b-2\n"),
            ("a" * 40, "2024-01-01", "Begin\n"),
        ]
    }
    told = use(Shelf.of(view_of(FILES, versions=versions)), "history", path="wiki/moon.md")
    assert told.split("\n")[2:4] == [
        f"2024-01-02\t{'b' * 10}\trun b-2\tWrite wiki/moon.md",
        f"2024-01-01\t{'a' * 10}\tno run\tBegin",
    ]


def test_history_of_what_is_staged_says_that_it_has_not_landed() -> None:
    shelf = shelf_of({**FILES, "wiki/new.md": "# New\n"}, before=FILES)
    told = use(shelf, "history", path="wiki/new.md")
    assert told == "the file has no earlier version; new in the change that is not landed yet"


def test_the_tools_are_those_of_the_specification_and_none_of_them_writes() -> None:
    names = [tool.name for tool in reading_tools(shelf_of(FILES))]
    assert names == ["list", "grep", "search", "read", "follow", "events", "history"]
    assert not any(tool.ends for tool in reading_tools(shelf_of(FILES)))


@pytest.mark.slow
def test_what_reads_reaches_nothing_that_could_write() -> None:
    """The reading tools load no module that holds a repository, a database or a network."""
    code = (
        "import sys; import gitops.agents.tools, gitops.agents.reading.following\n"
        "bad = [m for m in sys.modules if m.startswith(('gitops.git.', 'gitops.runs.', 'gitops.index.', 'pygit2',"
        " 'sqlite3', 'anthropic', 'httpx'))]\n"
        "assert not bad, bad"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
