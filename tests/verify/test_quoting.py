"""`quote_anchor` on quotations in running text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.canonical import sha256
from gitops.config import parse
from gitops.verify.checks.quote_anchor import examine
from gitops.verify.finding import Finding
from gitops.verify.verifier import Judged
from gitops.verify.view import Library, PageAt, View
from gitops.wiki.graph import MemoryGraph
from gitops.wiki.layout import Layout
from gitops.wiki.snapshot import MemorySnapshot

Results = Callable[..., list[tuple[str, str, str, int, bool]]]
SaidBy = Callable[..., list[Finding]]

TOML = '[citations]\ndialects = ["inline_source", "footnote_link", "frontmatter"]\nrequire = []\n'
MILL = "# The mill\n\nIt was built in 1911.\n\n## Work\n\nIn 2019 it employed forty people on two shifts.\n"
BREWERY = "# The brewery\n\nIt was founded by two sisters. It never exported a single bottle.\n"
TALK = "".join(
    f"{number // 60}:{number % 60:02}\n{words}\n"
    for number, words in [(0, "We begin with"), (20, "the long story"), (40, "of a mill"), (60, "that never stopped")]
)
RAW = {"raw/mill.md": MILL, "raw/brewery.md": BREWERY, "raw/talk.md": TALK}
REAL = Path(__file__).parents[2] / "../shared/data/wikis"


def asked(said_by: SaidBy, text: str, before: dict[str, str | bytes] | None = None, **more: object) -> list[Finding]:
    return said_by("quote_anchor", before or RAW, {"wiki/a.md": text}, toml=TOML, **more)


def told(said_by: SaidBy, text: str, before: dict[str, str | bytes] | None = None) -> list[tuple[str, str]]:
    return [(one.result, one.level.value) for one in asked(said_by, text, before)]


@pytest.mark.parametrize(
    "text",
    [
        'They say "it employed forty people on two shifts," no more (source: raw/mill.md).',
        'They say "It employed … on two shifts" (source: raw/mill.md#work).',
        'They say "[the mill] employed forty people" (source: raw/mill.md#L7).',
        'They say "the long story of a mill that never stopped" (source: raw/talk.md#0:30).',
        'They say "founded by two sisters" (source: raw/mill.md) (source: raw/brewery.md).',
        'It is a "thing of wonder" (source: raw/mill.md).',
        'They say "그 방앗간은 마흔 명을 고용했다고 전해진다" (source: raw/mill.md).',
        'They say "die Mühle wurde von zwei Schwestern gebaut" (source: raw/mill.md).',
        'They say "it employed sixty people" (source: raw/gone.md).',
        "> [!note]\n> It employed sixty people on two shifts (source: raw/mill.md).",
        'They call it "the slow wheel of the valley" (source: raw/mill.md).',
        '"The wheel of a whole valley stood still," they say. It was so (source: raw/mill.md).',
        '~~"it employed fifty people on two shifts"~~ (source: raw/mill.md).',
        'They say "never exported a single bottle" of it. It was built by hand (source: raw/brewery.md).',
    ],
)
def test_silence(said_by: SaidBy, text: str) -> None:
    assert told(said_by, text + "\n") == []


def test_what_stands_is_kept_as_evidence(judged: Callable[..., Judged]) -> None:
    text = 'They say "It employed forty people" (source: raw/mill.md).\n'
    found = judged(RAW, {"wiki/a.md": text}, toml=TOML).findings
    [verified] = [one for one in found if one.check == "quote_anchor"]
    assert (verified.result, verified.level, verified.message) == (
        "verified",
        "none",
        "stands word for word but for case",
    )
    assert verified.evidence["sha256"] == sha256(b"it employed forty people")
    assert MILL[verified.evidence["offset"] : verified.evidence["end"]] == "it employed forty people"


def test_a_changed_word_is_altered_and_the_sources_words_are_offered(said_by: SaidBy) -> None:
    [found] = asked(said_by, 'They say "it employed fifty people on two shifts" (source: raw/mill.md).\n')
    assert (found.result, found.level, found.line, found.column) == ("altered", "error", 1, 11)
    assert found.repair == "it employed forty people on two shifts"
    assert ["replace", "fifty", "forty"] in found.evidence["difference"]


def test_punctuation_inside_is_repaired(said_by: SaidBy) -> None:
    [found] = asked(said_by, 'They say "in 2019, it employed forty people" (source: raw/mill.md).\n')
    assert (found.result, found.level, found.repair) == ("repaired", "note", "In 2019 it employed forty people")


def test_what_stands_nowhere_is_not_found(said_by: SaidBy) -> None:
    text = 'They say "the people of it were on the whole quite content" (source: raw/mill.md).\n'
    assert told(said_by, text) == [("not_found", "error")]


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("it was of wonder", "warning"),
        ("what do the people of it think of that?", "warning"),
        ("it is in the end only a matter of shifts", "error"),
    ],
)
def test_a_short_phrase_and_a_question_that_stand_nowhere_are_warnings(said_by: SaidBy, said: str, level: str) -> None:
    assert told(said_by, f'They say "{said}" (source: raw/mill.md).\n') == [("not_found", level)]


def test_a_term_in_chinese_that_stands_nowhere_is_a_note(said_by: SaidBy) -> None:
    before: dict[str, str | bytes] = {
        "raw/zh.md": "# 磨坊\n\n它雇用了四十名工人，分两班工作。水轮日夜转动，从不停歇。\n"
    }
    assert told(said_by, "这是“以水轮为核心的动力体系”（source: raw/zh.md）。\n", before) == [("not_found", "note")]
    text = "据说“水轮属于山上的老人，他从不说话。”（source: raw/zh.md）\n"
    assert told(said_by, text, before) == [("not_found", "error")]


def test_a_phrase_that_shares_only_small_words_with_a_passage_is_a_warning(said_by: SaidBy) -> None:
    before: dict[str, str | bytes] = {"raw/a.md": "It lists bran for the horses of the valley and no more.\n"}
    text = 'They say "for the rivers of the hills" (source: raw/a.md).\n'
    assert told(said_by, text, before) == [("altered", "warning")]


def test_a_title_is_altered_where_it_is_very_like_a_passage(said_by: SaidBy) -> None:
    text = 'The chapter titled "{}" says so (source: raw/mill.md).\n'
    assert told(said_by, text.format("it employed fifty people on two shifts")) == [("altered", "error")]
    assert told(said_by, text.format("employed fifty people on two")) == [("altered", "warning")]
    assert told(said_by, text.format("it employed fifty people")) == []


def test_an_earlier_sentence_of_the_block_is_altered_where_it_is_very_like_a_passage(said_by: SaidBy) -> None:
    text = 'They say "it employed fifty people on two shifts" there. It was so (source: raw/mill.md).\n'
    assert told(said_by, text) == [("altered", "error")]
    assert told(said_by, "More.\n\n" + text.replace("It was so", "\n\nIt was so")) == []


def test_an_earlier_sentence_is_verified_by_the_next_citation_once(judged: Callable[..., Judged]) -> None:
    body = 'They say "it employed forty people on two shifts" there. It was so (source: raw/mill.md).\n'
    page = "---\nsources: [raw/brewery.md]\n---\n\n" + body
    for text in (body, page):
        found = judged(RAW, {"wiki/a.md": text}, toml=TOML).findings
        assert [one.source for one in found if one.check == "quote_anchor"] == ["raw/mill.md"]


def test_what_cannot_be_read_is_a_note_unless_another_source_holds_it(said_by: SaidBy) -> None:
    before: dict[str, str | bytes] = {**RAW, "raw/scan.md": b"\0\1\2 binary \0"}
    assert told(said_by, 'They say "it employed forty people" (source: raw/scan.md).\n', before) == [
        ("unreadable", "note")
    ]
    both = 'They say "{}" (source: raw/scan.md) (source: raw/mill.md).\n'
    assert told(said_by, both.format("it employed forty people"), before) == []
    unsaid = both.format("nobody knows what it was for")
    assert told(said_by, unsaid + "\nMore.\n", {**before, "wiki/a.md": unsaid}) == [("unreadable", "note")]
    assert told(said_by, both.format("it employed fifty people on two shifts"), before) == [("altered", "error")]
    page = '---\nsources: [raw/scan.md]\n---\n\nThey say "it employed forty people".\n'
    assert told(said_by, page, before) == []


def test_a_name_in_a_transcript_is_repaired_without_the_transcribers_spelling(said_by: SaidBy) -> None:
    talk = TALK.replace("of a mill", "of Andre Carpathy")
    text = 'They say "{}" (source: raw/talk.md).\n'
    [found] = asked(said_by, text.format("the long story of Andre Karpathy"), {"raw/talk.md": talk})
    assert (found.result, found.level, found.repair) == ("repaired", "note", "")
    assert found.message == "stands in raw/talk.md but for transcriber's spelling"
    [found] = asked(said_by, text.format("the long story; of Andre Karpathy"), {"raw/talk.md": talk})
    assert (found.result, found.repair) == ("repaired", "the long story of Andre Karpathy")


@pytest.mark.parametrize(
    "typed",
    [
        "They say “it employed fifty people on two shifts” — so (source: raw/mill.md).",
        'They  say "it employed  fifty people\non two shifts" - so (source: raw/mill.md).',
        'They say "It employed fifty people on two shifts," so (source: raw/mill.md).',
        'They say *"it employed fifty people on two shifts"* — so (source: raw/mill.md).',
    ],
)
def test_a_finding_stays_the_same_one_however_it_is_typed(said_by: SaidBy, typed: str) -> None:
    before = 'They say "it employed fifty people on two shifts" — so (source: raw/mill.md).\n'
    [found] = asked(said_by, typed + "\n", {**RAW, "wiki/a.md": before})
    assert (found.result, found.new) == ("altered", False)


def test_another_wrong_word_is_another_finding(said_by: SaidBy) -> None:
    before = 'They say "it employed fifty people on two shifts" (source: raw/mill.md).\n'
    [found] = asked(said_by, before.replace("fifty", "sixty"), {**RAW, "wiki/a.md": before})
    assert (found.result, found.new) == ("altered", True)


def test_words_that_stand_only_in_a_source_that_the_page_cites_nowhere_are_a_warning(said_by: SaidBy) -> None:
    page = "---\nsources: [raw/mill.md]\n---\n\n{}\n"
    said = 'They say "it never exported a single bottle".'
    [found] = asked(said_by, page.format(said))
    assert (found.result, found.level, found.repair) == ("misattributed", "warning", "cite raw/brewery.md")
    assert told(said_by, page.format(said.replace("it never exported", "exported"))) == []
    assert told(said_by, page.format(said.replace("say", "call it"))) == []
    assert told(said_by, page.format(said + "\n\nA claim (source: raw/brewery.md).")) == []
    assert told(said_by, page.format(said).replace("[raw/mill.md]", "[raw/mill.md, raw/gone.md]")) == []
    twice: dict[str, str | bytes] = {**RAW, "raw/twice.md": BREWERY}
    assert told(said_by, said + " So it was (source: raw/brewery.md#L1).\n", twice) == []
    assert told(said_by, said + " So it was (source: raw/mill.md).\n") == [("misattributed", "warning")]


def test_a_quote_block_that_stands_nowhere_is_a_warning(said_by: SaidBy) -> None:
    text = "> The people of it were on the whole quite content (source: raw/mill.md)\n"
    assert told(said_by, text) == [("not_found", "warning")]


def test_a_quote_block_below_a_cited_lead_in_is_asked_as_its_own(said_by: SaidBy) -> None:
    lead = "The book is plain (source: raw/mill.md):\n\n> In 2019 it employed {} people on two shifts.\n"
    assert told(said_by, lead.format("forty")) == []
    assert told(said_by, lead.format("sixty")) == [("altered", "error")]


def test_a_quote_block_on_a_page_that_cites_as_a_whole_is_altered_with_a_warning(said_by: SaidBy) -> None:
    page = "---\nsources: [raw/mill.md]\n---\n\n## Work\n\n> In 2019 it employed {} people on two shifts.\n"
    assert told(said_by, page.format("forty")) == []
    assert told(said_by, page.format("sixty")) == [("altered", "warning")]
    assert told(said_by, page.format("nobody at all but some hundred")) == []


@pytest.mark.parametrize(
    ("cited", "repair"),
    [
        ("raw/mill.md#the-mill", None),
        ("raw/mill.md#L3", "point the citation at line 7"),
        ("raw/brewery.md", "cite raw/mill.md"),
    ],
)
def test_what_stands_elsewhere_is_misattributed(said_by: SaidBy, cited: str, repair: str | None) -> None:
    found = asked(said_by, f'They say "it employed forty people" (source: {cited}).\n')
    assert [(one.result, one.level.value, one.repair) for one in found] == (
        [("misattributed", "error", repair)] if repair else []
    )


def test_another_heading_and_another_moment_are_elsewhere(said_by: SaidBy) -> None:
    [found] = asked(said_by, 'They say "it was built in 1911" (source: raw/mill.md#work).\n')
    assert found.message == "stands in raw/mill.md at the heading 'The mill', not at § Work"
    [found] = asked(said_by, 'They say "mill that never stopped" (source: raw/talk.md#0:04).\n')
    assert found.message == "stands in raw/talk.md at 0:40, not at 0:04"
    assert (found.result, found.level) == ("misattributed", "warning")


def test_what_an_earlier_version_said_is_drifted(said_by: SaidBy) -> None:
    versions = {"raw/mill.md": [("c", "2024-03-01", BREWERY), ("b", "2023-02-01", MILL)]}
    before: dict[str, str | bytes] = {"raw/mill.md": BREWERY}
    text = 'They say "it employed forty people" (source: raw/mill.md).\n'
    [found] = asked(said_by, text, before, versions=versions)
    assert (found.result, found.level) == ("drifted", "error")
    [found] = asked(said_by, "More.\n\n" + text, {**before, "wiki/a.md": text}, versions=versions)
    assert (found.result, found.level, found.new) == ("drifted", "warning", False)


def test_one_quotation_over_two_sentences_is_asked_once(said_by: SaidBy) -> None:
    text = 'They say: "It was founded by two brothers. It never exported a single bottle." (source: raw/brewery.md)\n'
    assert told(said_by, text) == [("altered", "error")]


def test_the_note_of_a_footnote_is_asked_against_its_own_source(said_by: SaidBy) -> None:
    notes = '[^1]: [raw/mill.md](../raw/mill.md), line 7 — "{}"\n[^2]: [b](../raw/brewery.md)\n'
    page = f"A claim.[^1] Another.[^2]\n\n{notes}"
    assert told(said_by, page.format("it employed forty people")) == []
    assert told(said_by, page.format("it employed fifty people")) == [("altered", "error")]
    assert told(said_by, page.format("never exported a single bottle")) == [("misattributed", "error")]


def test_on_a_page_that_cites_as_a_whole_only_a_near_miss_is_told(said_by: SaidBy) -> None:
    page = "---\nsources: [raw/mill.md, raw/brewery.md]\n---\n\nThey say “{}”.\n"
    assert told(said_by, page.format("it employed forty people on two shifts")) == []
    assert told(said_by, page.format("the people of it were on the whole quite content")) == []
    assert told(said_by, page.format("it employed fifty people on two shifts")) == [("altered", "error")]


@pytest.fixture(scope="module")
def bootstrap() -> list[tuple[str, int, str]]:
    """Every result but `verified` on a real wiki: page, line, result."""
    folder = REAL / "llm-wiki-bootstrap"
    if not folder.is_dir():
        pytest.skip("the real wikis are not here")
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    config = parse(b'[citations]\ndialects = ["inline_source"]\nrequire = []\n')
    tree, layout = MemorySnapshot(files), Layout("", config.workspace)
    view = View(tree, layout, config, Library(config), MemoryGraph({}, lambda path: tree.mode(path) is not None))
    pages = [path for path in sorted(files) if layout.is_page(path) and path != layout.log]
    return [
        (path.removeprefix("wiki/"), draft.place.line if draft.place else 0, draft.result)
        for path in pages
        for draft in examine(PageAt(view, path, view.page(path)))
        if draft.result not in ("verified", "repaired")
    ]


def test_the_known_defects_of_a_real_wiki_are_found(bootstrap: list[tuple[str, int, str]]) -> None:
    assert {
        ("division-of-labor.md", 17, "altered"),
        ("three-layer-architecture.md", 27, "altered"),
        ("division-of-labor.md", 48, "misattributed"),
    } <= set(bootstrap)


def test_what_must_pass_on_a_real_wiki_passes(bootstrap: list[tuple[str, int, str]]) -> None:
    assert [one for one in bootstrap if one[:2] == ("division-of-labor.md", 48)] == [
        ("division-of-labor.md", 48, "misattributed")
    ]
    assert not [one for one in bootstrap if one[0] in ("glossary.md", "source-attribution.md")]
    assert not [one for one in bootstrap if one[2] == "not_found"]
    summary = [one[1] for one in bootstrap if one[0] == "devsplainers-okf-llm-wiki-video-transcript-summary.md"]
    assert 21 not in summary


def test_a_source_that_nobody_here_can_read_excuses_no_new_quotation(said_by: SaidBy) -> None:
    text = 'They say "nothing that was ever written in it" (source: raw/mill.md) (source: https://x.org/a).\n'
    (found,) = asked(said_by, text)
    assert (found.result, found.level.value) == ("not_found", "warning")
    assert found.message == "stands not in raw/mill.md, and what else is cited cannot be read here"
    assert told(said_by, text + "\nMore.\n", {**RAW, "wiki/a.md": text}) == []


def test_a_page_of_the_wiki_is_no_witness_for_what_its_source_does_not_say(said_by: SaidBy) -> None:
    page = "---\nsource: raw/mill.md\n---\n\nThe mill fed the whole of the valley for years.\n"
    text = 'They say "fed the whole of the valley for years" (source: [[sources/mill]]).\n'
    before: dict[str, str | bytes] = {**RAW, "wiki/sources/mill.md": page}
    (found,) = asked(said_by, text, before)
    assert (found.result, found.level.value) == ("not_found", "warning")
    assert "stands in wiki/sources/mill.md, a page of this wiki" in found.message
    assert told(said_by, text + "\nMore.\n", {**before, "wiki/a.md": text}) == [("not_found", "note")]
    real = 'They say "it employed forty people on two shifts" (source: [[sources/mill]]).\n'
    assert told(said_by, real, before) == []


def test_all_that_an_ambiguous_name_may_mean_is_asked(said_by: SaidBy) -> None:
    before: dict[str, str | bytes] = {"raw/a/notes.md": MILL, "raw/b/notes.md": BREWERY}
    assert told(said_by, 'They say "founded by two sisters by hand" (source: notes.md).\n', before) != []
    assert told(said_by, 'They say "It was founded by two sisters" (source: notes.md).\n', before) == []


def test_a_callout_that_is_a_quotation_is_one(said_by: SaidBy) -> None:
    text = "> [!quote]\n> It employed sixty people on two shifts (source: raw/mill.md).\n"
    assert [one[0] for one in told(said_by, text)] == ["altered"]
