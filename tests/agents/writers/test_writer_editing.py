"""Adding to pages that are there: nothing of theirs moves or goes."""

from __future__ import annotations

from gitops.agents.writers import editing
from gitops.config import SOURCE_HEADINGS
from gitops.wiki.page import parse

NOTES = '[^1]: raw/a.md, "hot"\n[^2]: raw/b.md, "x"\n'
PAGE = f"# Tea\n\nTea is hot.[^1]\n\n## Sources\n\n- a\n\n## See also\n\n- [B](b.md)\n\n{NOTES}"


def test_footnotes_are_counted_on_from_the_highest() -> None:
    assert editing.next_label(PAGE) == 3
    assert editing.next_label("no notes") == 1


def test_the_end_of_a_page_begins_at_its_lists_of_sources_and_pages() -> None:
    page = parse(PAGE.encode())
    assert PAGE[editing.tail_of(page, SOURCE_HEADINGS) :].startswith("## Sources")
    assert PAGE[editing.tail_of(page, ()) :].startswith("## See also")


def test_without_such_lists_it_begins_at_the_footnotes_or_not_at_all() -> None:
    noted = "# Tea\n\nHot.[^1]\n\n[^1]: raw/a.md\n"
    assert noted[editing.tail_of(parse(noted.encode()), ()) :].startswith("[^1]:")
    midway = "# Tea\n\n[^1]: raw/a.md\n\nHot.[^1]\n"
    assert editing.tail_of(parse(midway.encode()), ()) == len(midway)


def test_a_block_is_put_in_with_blank_lines_around_it() -> None:
    at = editing.tail_of(parse(PAGE.encode()), SOURCE_HEADINGS)
    text = editing.inserted(PAGE, at, "New.[^3]")
    assert "Tea is hot.[^1]\n\nNew.[^3]\n\n## Sources\n" in text
    assert text.replace("New.[^3]\n\n", "") == PAGE


def test_footnotes_follow_footnotes_directly() -> None:
    assert editing.appended(PAGE, "[^3]: raw/c.md").endswith('"x"\n[^3]: raw/c.md\n')
    assert editing.appended("# Tea\n\nHot.\n", "[^1]: raw/c.md") == "# Tea\n\nHot.\n\n[^1]: raw/c.md\n"
    assert editing.appended(PAGE, "") == PAGE


def test_more_items_go_behind_those_that_a_line_leads_in_to() -> None:
    text = "# T\n\nFrom A:\n\n- one\n- two\n\nAfter.\n"
    at = editing.after_lead(text, "From A:")
    assert at is not None
    assert editing.with_items(text, at, "- three") == "# T\n\nFrom A:\n\n- one\n- two\n- three\n\nAfter.\n"
    assert editing.after_lead(text, "From B:") is None


def test_a_list_that_is_made_stands_before_the_footnotes() -> None:
    text = '# Index\n\nTides.[^1]\n\n[^1]: raw/a.md, "tides"\n'
    made = editing.listed(text, "Topics", "- [A](a.md)")
    assert made == '# Index\n\nTides.[^1]\n\n## Topics\n\n- [A](a.md)\n\n[^1]: raw/a.md, "tides"\n'


def test_entries_are_listed_in_order_and_the_list_is_made_where_it_lacks() -> None:
    text = editing.listed("# Index\n\nWords.\n", "Topics", "- [B](b.md)")
    assert text == "# Index\n\nWords.\n\n## Topics\n\n- [B](b.md)\n"
    text = editing.listed(text, "Topics", "- [C](c.md)")
    text = editing.listed(text, "Topics", "- [a](a.md)")
    assert text == "# Index\n\nWords.\n\n## Topics\n\n- [a](a.md)\n- [B](b.md)\n- [C](c.md)\n"
    more = editing.listed(text + "\n## Other\n\n- x\n", "topics", "- [D](d.md)")
    assert more.endswith("- [C](c.md)\n- [D](d.md)\n\n## Other\n\n- x\n")
    assert editing.listed("# I\n\n## Topics\n\n## Next\n", "Topics", "- a") == "# I\n\n## Topics\n\n- a\n\n## Next\n"
