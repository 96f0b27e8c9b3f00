from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evaluation import __main__ as command
from benchmarks.evaluation import measuring, page
from benchmarks.evaluation.measuring import Choice, Report
from gitops.demo import undisturbed
from gitops.evals.registry import registry

pytestmark = pytest.mark.slow

REPORT = """# Annual report

The plant in Lindau used 4,200 litres of solvent in 2018, says Ada Keller.

Most valves | of the plant in Lindau were replaced by hand in the autumn.

The new filter of the plant may lower emissions by about 30 % within 12 months.
"""
HARBOUR = """# Harbour

The harbour in Genoa was dredged in the spring of 1994, says Otto Brandt.

The plant in Lindau ships its solvent through the harbour in Genoa.
"""
PLANT = """# Plant

The plant in Lindau used 4,200 litres of solvent in 2018, says Ada Keller.[^1]

The valves of the plant were replaced by robots.[^2]

[^1]: raw/report.md, "used 4,200 litres of solvent in 2018"
[^2]: raw/report.md, "valves | of the plant in Lindau were replaced by robots in the autumn"
"""
DOCKS = """# Docks

The harbour in Genoa was dredged in the spring of 1994, says Otto Brandt.[^1]

The plant in Lindau ships by sea.[^1]

[^1]: raw/harbour.md
"""
INDEX = "# Index\n\n- [Plant](plant.md)\n- [Docks](docks.md)\n"
FILES = {
    "raw/report.md": REPORT,
    "raw/harbour.md": HARBOUR,
    "wiki/index.md": INDEX,
    "wiki/plant.md": PLANT,
    "wiki/docks.md": DOCKS,
}


def _wiki(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def _reports(wikis: Path, scratch: Path, choice: Choice) -> list[Report]:
    with undisturbed():
        return list(measuring.reports(wikis, scratch.resolve(), choice))


@pytest.fixture(scope="module")
def wikis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wikis")
    _wiki(folder / "small", FILES)
    (folder / "small/raw/photo.png").write_bytes(bytes(range(256)))
    return folder


def test_a_folder_without_wikis_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path)]) == 2
    assert "no wiki" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--sources", "-1"], ["--sample", "0"]])
def test_numbers_that_draw_nothing_are_refused(tmp_path: Path, wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        command.main([str(tmp_path), *wrong])
    assert refused.value.code == 2


def test_each_wiki_has_a_row_and_a_section_that_names_every_metric(
    wikis: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in wikis.rglob("*") if path.is_file()}
    assert command.main([str(wikis)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[-1]) == (page.FROM, page.TO)
    assert f"| wiki | pages | sources | claims | {' | '.join(registry())} | s |" in lines
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| small")]
    assert [row[:4] for row in rows] == [["small", "3", "3", "4"], ["small, anew", rows[1][1], "2", rows[1][3]]]
    assert {len(row) for row in rows} == {len(registry()) + 5}
    sections = "\n".join(lines).split("\n### ")[1:]
    assert [section.partition("\n")[0] for section in sections] == ["small", "small, anew"]
    for section in sections:
        assert [name for name in registry() if f"- **{name}** " in section] == list(registry())
        assert "- **M3** retroactive benchmark: not measured: there are no gold queries" in section
    assert {path: path.read_bytes() for path in wikis.rglob("*") if path.is_file()} == before


def test_what_fails_is_shown_by_page_and_line_and_stays_on_its_line(wikis: Path, tmp_path: Path) -> None:
    [found] = _reports(wikis, tmp_path, Choice(sources=0))
    made = page.page([found], "facts")
    [case] = [line for line in made.splitlines() if "`wiki/plant.md:5`" in line]
    assert case.startswith("  - `wiki/plant.md:5`: does not support (quote anchor): `raw/report.md says ")
    assert 'not "valves | of the plant in Lindau were replaced by robots' in case
    assert {one.suite: one.metrics[one.suite].value for one in found.measurements}["M2"] is None
    assert "M2** cascade coverage: not measured: no ingest landed in the 7 days before" in made


def test_a_wiki_made_anew_measures_its_ingests_and_names_what_was_left_out(wikis: Path, tmp_path: Path) -> None:
    _, anew = _reports(wikis, tmp_path, Choice())
    assert (anew.ingested, [told.partition(":")[0] for told in anew.left_out]) == (2, ["photo.png"])
    found = {one.suite: one.metrics[one.suite] for one in anew.measurements}
    assert found["M1"].value == 1
    assert found["M2"].counts["ingests"] == 2
    assert found["M6"].value == 1
    made = page.page([anew], "facts")
    assert "Made anew by the offline writer, from 2 of 3 sources." in made
    assert "- Not brought in: photo.png: " in made


def test_no_more_sources_are_ingested_than_were_wanted(wikis: Path, tmp_path: Path) -> None:
    _, anew = _reports(wikis, tmp_path, Choice(sources=1))
    assert (anew.ingested, anew.sources, anew.left_out) == (1, 1, ())


def test_a_wiki_of_which_no_source_can_be_read_measures_nothing_and_says_so(tmp_path: Path) -> None:
    small = _wiki(tmp_path / "wikis/small", {"wiki/index.md": "# Index\n", "raw/README.md": ""})
    (small / "raw/photo.png").write_bytes(bytes(range(256)))
    _, anew = _reports(tmp_path / "wikis", tmp_path / "scratch", Choice())
    assert (anew.ingested, anew.claims, len(anew.left_out)) == (0, 0, 2)
    assert all(one.metrics[one.suite].value is None and one.reason for one in anew.measurements)


def test_every_workspace_of_a_wiki_has_a_report(tmp_path: Path) -> None:
    for name in ("east", "west"):
        policy = {"assay.toml": f'[workspace]\nname = "{name}"\n'}
        _wiki(tmp_path / "wikis/both" / name, FILES | policy)
    found = _reports(tmp_path / "wikis", tmp_path / "scratch", Choice(sources=0))
    assert [one.name for one in found] == ["both: east", "both: west"]
    assert [one.claims for one in found] == [4, 4]


def test_what_is_made_replaces_what_stood_between_the_marks() -> None:
    first, second = (f"{page.FROM}\n{word}\n{page.TO}\n" for word in ("first", "second"))
    once = page.put("# Wikis\n\nWhat a reader saw.\n", first)
    assert once == f"# Wikis\n\nWhat a reader saw.\n\n{first}"
    assert page.put(f"{once}\n## After\n", second) == f"# Wikis\n\nWhat a reader saw.\n\n{second}\n## After\n"
    assert page.put("", first) == first


def test_a_page_is_made_in_a_file_beside_what_people_wrote(wikis: Path, tmp_path: Path) -> None:
    kept = tmp_path / "wikis.md"
    kept.write_text(f"# Wikis\n\n{page.FROM}\nstale\n{page.TO}\n\n## What a reader saw\n", "utf-8")
    assert command.main([str(wikis), "--sources", "0", "--into", str(kept)]) == 0
    text = kept.read_text("utf-8")
    assert text.startswith(f"# Wikis\n\n{page.FROM}\n")
    assert text.endswith(f"{page.TO}\n\n## What a reader saw\n")
    assert "stale" not in text
    assert "### small" in text


def test_words_of_a_wiki_are_neither_markdown_nor_html() -> None:
    assert page._quoted("a `b`\n| c") == "`a b | c`"
    assert page._plain("<b>[x](y) | *z* _w_") == r"\<b\>\[x\](y) \| \*z\* \_w\_"
    assert page._cut("word " * 100, 9) == "word wor…"


def test_the_page_in_the_docs_was_made_by_this_command() -> None:
    kept = (Path(__file__).parents[2] / "docs/wikis.md").read_text("utf-8")
    assert kept.count(page.FROM) == kept.count(page.TO) == 1
    names = " | ".join(registry())
    assert f"| wiki | pages | sources | claims | {names} | s |" in kept
