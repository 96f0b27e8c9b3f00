from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from gitops.report.text import SIGNED, UNSIGNED, Difference, findings, show_diff_line, table, verdict_line, worth
from gitops.verify.finding import Finding, Level

Printed = Callable[..., str]
Made = Callable[..., Finding]

OURS = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = "\x1b[2J\x1b[31mok\x9b1A\r\x1b]52;c;cm0gLXJm\x07\u202egnp.exe"
DIFFERENCE = [
    ["equal", "lose about ", "lose about "],
    ["replace", "80", "18"],
    ["equal", " % of\ntheir", " % of\ntheir"],
]


def plain(sent: str) -> str:
    """What is read on the screen; fails if anything but our colours is sent."""
    shown = OURS.sub("", sent)
    assert all(char == "\n" or char.isprintable() for char in shown), ascii(shown)
    return shown


@pytest.mark.parametrize("field", ["message", "path", "repair"])
def test_a_hostile_text_reaches_no_screen_raw(
    field: str, make_finding: Made, on_terminal: Printed, in_pipe: Printed
) -> None:
    part = findings([make_finding(**{field: HOSTILE})])
    for shown in (plain(on_terminal(part, width=200)), in_pipe(part)):
        assert "␛[2J␛[31mok" in shown
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)


def test_a_hostile_difference_reaches_no_screen_raw(make_finding: Made, on_terminal: Printed, in_pipe: Printed) -> None:
    part = findings([make_finding(evidence={"difference": [["replace", HOSTILE, "\x1b[8m"], ["equal", HOSTILE, ""]]})])
    assert "␛[8m" in plain(on_terminal(part))
    assert "[-␛[2J" in plain(in_pipe(part))


@pytest.mark.parametrize("part", [HOSTILE, Text(HOSTILE), table(("a",), [(HOSTILE,)]), verdict_line("reject", HOSTILE)])
def test_whatever_is_shown_is_tamed_at_the_last(part: RenderableType, on_terminal: Printed, in_pipe: Printed) -> None:
    plain(on_terminal(part))
    assert "\x1b" not in in_pipe(part)


def test_markup_in_a_page_is_no_markup_of_ours(make_finding: Made, on_terminal: Printed) -> None:
    shown = on_terminal(
        findings([make_finding(message="[bold red]safe[/] :smile: [link=https://example.org]x[/link]")])
    )
    assert "[bold red]safe[/]" in plain(shown)
    assert "\x1b]8" not in shown


def test_a_file_name_cannot_pass_for_a_line_of_ours(make_finding: Made, in_pipe: Printed) -> None:
    shown = in_pipe(findings([make_finding(path="wiki/a.md\ncommit  all is well")]))
    assert "wiki/a.md␊commit  all is well" in shown.splitlines()


def test_a_line_of_a_diff_is_tamed_and_whole(capsys: pytest.CaptureFixture[str]) -> None:
    show_diff_line("+" + HOSTILE + "x" * 300)
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert printed.count("\n") == 1
    assert printed.rstrip().endswith("x" * 300)


def test_levels_that_say_nothing_is_wrong_are_left_out(make_finding: Made, in_pipe: Printed) -> None:
    assert in_pipe(findings([make_finding(level=Level.NONE, result="verified")])).strip() == ""


def test_findings_stand_below_their_page(make_finding: Made, in_pipe: Printed) -> None:
    shown = in_pipe(
        findings(
            [
                make_finding(path="", line=0, check="budget", result="exceeded", message="too much"),
                make_finding(line=5),
                make_finding(line=9, level=Level.WARNING, check="links", result="broken", message="gone", new=False),
                make_finding(path="wiki/b.md", line=12, column=34, level=Level.NOTE, repair="do this"),
            ]
        )
    )
    assert shown.splitlines() == [
        "the run",
        "      -  error    budget exceeded  too much",
        "wiki/a.md",
        '    5:3  error    quote_anchor altered  raw/a.md says "one", not "two"',
        "    9:3  warning  links broken (was there before)  gone",
        "wiki/b.md",
        '  12:34  note     quote_anchor altered  raw/a.md says "one", not "two"',
        "                  mend: do this",
    ]


def test_a_check_and_a_result_of_one_name_are_told_once(make_finding: Made, in_pipe: Printed) -> None:
    shown = in_pipe(findings([make_finding(check="orphan", result="orphan", message="nobody links here")]))
    assert "error    orphan  nobody links here" in shown


def test_a_difference_is_brackets_in_a_pipe_and_colour_on_a_terminal(on_terminal: Printed, in_pipe: Printed) -> None:
    part = Difference(DIFFERENCE)
    assert in_pipe(part) == "lose about [-80-]{+18+} % of their\n"
    sent = on_terminal(part)
    assert plain(sent) == "lose about 8018 % of their\n"
    assert re.search(r"\x1b\[[0-9;]*31m80\x1b\[0m\x1b\[[0-9;]*32m18\x1b\[0m", sent)


def test_a_terminal_without_colour_gets_brackets_too(on_terminal: Printed) -> None:
    assert on_terminal(Difference(DIFFERENCE), colour=False) == "lose about [-80-]{+18+} % of their\n"


def test_wrapped_lines_hang_under_their_text(make_finding: Made, on_terminal: Printed) -> None:
    long = " ".join(["seventeen letters"] * 12)
    lines = plain(on_terminal(findings([make_finding(message=long, repair=long)]))).splitlines()
    assert lines[0].rstrip() == "wiki/a.md"
    assert lines[1].startswith("    5:3  error    quote_anchor altered  seventeen")
    assert len(lines) > 6
    assert all(line.startswith(" " * 18) and line[18] != " " for line in lines[2:])
    assert all(cell_len(line) <= 80 for line in lines)


@pytest.mark.parametrize(
    "text", ["漢字仮名交じり文" * 20, "e\u0301\u0323" * 150, "👩‍🔬 " * 60, "x" * 400, "한국어 문장 " * 30]
)
def test_wide_and_combining_characters_stay_inside_the_width(
    text: str, make_finding: Made, on_terminal: Printed
) -> None:
    lines = OURS.sub("", on_terminal(findings([make_finding(message=text)]))).splitlines()
    assert all(cell_len(line.rstrip()) <= 80 for line in lines)
    assert "".join(line.strip() for line in lines[1:]).replace(" ", "").endswith(text.replace(" ", "")[-20:])


def test_a_pipe_gets_whole_lines_without_spaces_at_their_ends(make_finding: Made, in_pipe: Printed) -> None:
    long = "word " * 5_000
    rows = table(("one", "two"), [("a", "b"), ("much longer", "")])
    lines = in_pipe(findings([make_finding(message=long.strip())]), "", rows).splitlines()
    assert any(line.endswith("word") and line.count("word") == 5_000 for line in lines)
    assert [line for line in lines if line != line.rstrip()] == []


def test_a_verdict_hangs_under_its_reason(on_terminal: Printed, in_pipe: Printed) -> None:
    assert in_pipe(verdict_line("reject", "because")) == "reject  because\n"
    lines = plain(on_terminal(verdict_line("reject", "because " * 20))).splitlines()
    assert all(line.startswith("        because") for line in lines[1:])


def test_notes_that_were_there_before_are_counted_and_not_listed(make_finding: Made, in_pipe: Printed) -> None:
    old = make_finding(level=Level.NOTE, message="an old matter", new=False)
    shown = in_pipe(findings([make_finding(line=5), old, old]))
    assert "an old matter" not in shown
    assert shown.splitlines()[-1] == "2 notes that stood there before: --json has them"


def test_claims_that_no_judge_is_sure_of_are_told_in_one_line(make_finding: Made, in_pipe: Printed) -> None:
    def unsure(line: int, level: Level = Level.NOTE) -> Finding:
        return make_finding(check="support", result="abstained", level=level, line=line, message=f"about {line}")

    assert "about 7" in in_pipe(findings([unsure(7)]))
    several = in_pipe(findings([unsure(7), unsure(9), make_finding(), unsure(9), unsure(11, Level.ERROR)]))
    assert "of 3 claims no judge is sure (lines 7, 9): --json says what they say" in several
    assert "about 7" not in several
    assert "about 11" in several
    assert 'not "two"' in several


def test_a_table_says_what_its_verdicts_are_worth() -> None:
    assert worth(0, 0) == worth(0, 3) == UNSIGNED
    assert worth(3, 3) == SIGNED
    assert worth(1, 3) == "2 of 3 verdicts here are unsigned: tamper-evident at best"
