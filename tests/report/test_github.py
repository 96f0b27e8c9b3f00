from __future__ import annotations

from collections.abc import Callable

import pytest

from gitops.report.github import as_text, commands
from gitops.verify.finding import Finding, Level


def one(finding: Finding) -> str:
    [line] = commands([finding])
    return line


def test_what_is_right_is_no_annotation(make_finding: Callable[..., Finding]) -> None:
    assert list(commands([make_finding(level=Level.NONE)])) == []


def test_no_text_can_end_the_command_or_begin_another(make_finding: Callable[..., Finding]) -> None:
    line = one(make_finding(message="100 %\r\n::error::mine\x1b[2J\u2028", repair="a\nb", path="wiki/a,b:c%.md"))
    assert "\n" not in line
    assert "\r" not in line
    assert "\x1b" not in line
    assert line == (
        "::error file=wiki/a%2Cb%3Ac%25.md,line=5,endLine=5,col=3,title=quote_anchor altered::"
        "100 %25%0D%0A::error::mine␛[2J<U+2028>%0Amend: a%0Ab"
    )


def test_levels_are_called_as_github_calls_them(make_finding: Callable[..., Finding]) -> None:
    made = [make_finding(level=level) for level in (Level.ERROR, Level.WARNING, Level.NOTE)]
    assert [line.split(" ", 1)[0] for line in commands(made)] == ["::error", "::warning", "::notice"]


def test_a_finding_over_several_lines_has_no_column(make_finding: Callable[..., Finding]) -> None:
    assert ",line=5,endLine=7,title=" in one(make_finding(end_line=7))


def test_a_finding_without_a_place_has_a_title_alone(make_finding: Callable[..., Finding]) -> None:
    finding = make_finding(path="", line=0, column=0, end_line=0, check="budget", result="exceeded", message="m")
    assert one(finding) == "::error title=budget exceeded::m"


def test_what_is_printed_as_text_is_shut_off_by_a_word_of_its_own_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        with as_text({"GITHUB_ACTIONS": "true"}):
            print("::error::evil")
            raise ValueError("in between")

    words = []
    for _ in range(2):
        with pytest.raises(ValueError, match="in between"):
            fail()
        first, shown, last = capsys.readouterr().out.splitlines()
        words.append(first.removeprefix("::stop-commands::"))
        assert (shown, last) == ("::error::evil", f"::{words[-1]}::")
    assert words[0] != words[1]


def test_elsewhere_nothing_stands_around_it(capsys: pytest.CaptureFixture[str]) -> None:
    with as_text({}):
        print("told")
    assert capsys.readouterr().out == "told\n"
