from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gitops.wiki.citation import Fault, Parsed, escape, format_citation, format_cite, parse, unescape


def only(body: str) -> Parsed:
    parsed = parse(body)
    assert isinstance(parsed, tuple), parsed
    (one,) = parsed
    return one


@pytest.mark.parametrize(
    "body",
    [
        "",
        "  ",
        ";",
        "raw/a.md;",
        "raw/a.md, ",
        "raw/a.md, lines 3-5",
        'raw/a.md "q"',
        'raw/a.md, "open',
        'raw/a.md, ""',
        'raw/a.md, " "',
        'raw/a.md, "q" and more',
        'raw/a.md, "q", p.3',
        "raw/a.md, p.0",
        "raw/a.md, p.9-3",
        'raw/a.md, "q" @x',
        "[Title](../raw/a.md)",
        "[[raw/a]]",
        "`raw/a.md`",
        "<raw/a.md",
        "< >",
        "raw/a.md, “typographic”",
    ],
)
def test_what_is_not_in_the_grammar_is_a_fault_inside_the_body(body: str) -> None:
    fault = parse(body)
    assert isinstance(fault, Fault)
    assert 0 <= fault.at <= len(body)


@pytest.mark.parametrize("path", ["a<b", "a>b", "a\nb", "a\rb", "", " "])
def test_a_path_that_no_citation_can_name_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="no citation can name"):
        format_cite(path)


def test_a_blank_quotation_and_a_broken_label_are_refused() -> None:
    with pytest.raises(ValueError, match="quotation"):
        format_cite("a", quote=" \n")
    with pytest.raises(ValueError, match="label"):
        format_citation("a b", ["x"])


def test_the_example_of_the_protocol() -> None:
    body = 'raw/reports/annual-2019.pdf, p.12, "solvent consumption declined by two fifths" @10432'
    found = only(body)
    assert (found.path, found.first_page, found.last_page) == ("raw/reports/annual-2019.pdf", 12, 12)
    assert (found.quote, found.offset) == ("solvent consumption declined by two fifths", 10432)
    assert body[slice(*found.span)] == body


@pytest.mark.parametrize(
    ("written", "pages"),
    [("p.12", (12, 12)), ("p. 12", (12, 12)), ("p.12-14", (12, 14)), ("p. 12–14", (12, 14)), ("pp. 3 - 4", (3, 4))],
)
def test_forms_of_page_numbers(written: str, pages: tuple[int, int]) -> None:
    found = only(f'raw/a.pdf, {written}, "q"')
    assert (found.first_page, found.last_page) == pages


@pytest.mark.parametrize(
    ("body", "quote"),
    [
        ('a, "he said "no" then"', 'he said "no" then'),
        ('a, "he said "no"; then left" @3', 'he said "no"; then left'),
        ('a, "x "y" @ 3"', 'x "y" @ 3'),
        (r'a, "\"x\" \\ \n"', '"x" \\ \\n'),
        ('a, "a [b](c) *d*; e, <f>"', "a [b](c) *d*; e, <f>"),
    ],
)
def test_quotations_are_raw_and_inner_marks_forgiven(body: str, quote: str) -> None:
    assert only(body).quote == quote


def test_several_cites_on_one_line_each_with_its_span() -> None:
    body = 'raw/a.md, "x; y" @1 ;<raw/b, c.md>, p.2; raw/d e.md @7'
    parsed = parse(body)
    assert isinstance(parsed, tuple)
    assert [(one.path, one.offset) for one in parsed] == [("raw/a.md", 1), ("raw/b, c.md", None), ("raw/d e.md", 7)]
    assert [body[slice(*one.span)] for one in parsed] == ['raw/a.md, "x; y" @1', "<raw/b, c.md>, p.2", "raw/d e.md @7"]


def test_paths_come_out_composed() -> None:
    assert only("raw/u\u0308.md").path == "raw/\u00fc.md"


@pytest.mark.parametrize("path", ['a,b"c;d.md', "raw/x @12", " lead", "a](b).md"])
def test_awkward_paths_are_written_in_angle_brackets(path: str) -> None:
    assert format_cite(path) == f"<{path}>"
    assert only(format_cite(path)).path == path


def test_the_writer_folds_white_space_and_escapes() -> None:
    assert format_cite("a", 1, 2, 'x\n  "y" \\', 5) == r'a, p.1-2, "x \"y\" \\" @5'
    assert format_citation("n", ["a", "b"]) == "[^n]: a; b"


paths = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)
quotes = st.text(st.sampled_from('ab "\\;,@1<>[]()*é語'), min_size=1, max_size=20)


@given(
    st.lists(
        st.tuples(
            paths,
            st.none() | st.integers(1, 99),
            st.integers(0, 9),
            st.none() | quotes,
            st.none() | st.integers(0, 10**9),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_is_read_back(cites: list[tuple[str, int | None, int, str | None, int | None]]) -> None:
    written, meant = [], []
    for path, first, more, quote, offset in cites:
        assume(path.strip() and not re.search(r"[<>\r\n]", path))
        assume(quote is None or quote.strip())
        last = None if first is None else first + more
        text = format_cite(path, first, last, quote, offset)
        again = only(text)
        assert format_cite(again.path, again.first_page, again.last_page, again.quote, again.offset) == text
        written.append(text)
        meant.append((again.path, first, last, None if quote is None else " ".join(quote.split()), offset))
    body = "; ".join(written)
    parsed = parse(body)
    assert isinstance(parsed, tuple), (body, parsed)
    assert [(one.path, one.first_page, one.last_page, one.quote, one.offset) for one in parsed] == meant
    for one, text in zip(parsed, written, strict=True):
        assert body[slice(*one.span)] == text
        if one.quote_span is not None:
            assert unescape(body[slice(*one.quote_span)]) == one.quote


@given(st.text(st.sampled_from('ab/.,;"<>@p 12-[](`\\'), max_size=40))
def test_no_body_raises_and_what_is_read_can_be_written(body: str) -> None:
    parsed = parse(body)
    if isinstance(parsed, tuple):
        for one in parsed:
            again = only(format_cite(one.path, one.first_page, one.last_page, one.quote, one.offset))
            assert (again.path, again.first_page, again.offset) == (one.path, one.first_page, one.offset)
            assert again.quote == (one.quote and " ".join(one.quote.split()))


def test_a_citation_with_an_offset_alone_may_follow_a_quotation() -> None:
    parsed = parse('raw/a.md, "one"; <raw/b, c.md> @7; raw/d.md @9')
    assert isinstance(parsed, tuple)
    assert [(one.path, one.quote, one.offset) for one in parsed] == [
        ("raw/a.md", "one", None),
        ("raw/b, c.md", None, 7),
        ("raw/d.md", None, 9),
    ]


def test_a_long_line_of_quotation_marks_is_read_in_good_time() -> None:
    assert isinstance(parse('a, "' + '";' * 200_000), Fault)


def test_escape_and_unescape_are_inverse() -> None:
    assert unescape(escape('a \\" b')) == 'a \\" b'
