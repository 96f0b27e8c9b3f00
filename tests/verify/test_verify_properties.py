from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitops.verify.verdict import fold, reasoning
from gitops.verify.verifier import Judged
from gitops.verify.view import RunFacts

Verify = Callable[..., Judged]

FRAGMENTS = [
    "Plain words.\n\n",
    "# Heading\n\n",
    "A claim.[^1] Another.[^2]\n\n",
    '[^1]: raw/a.md, "the words" @4\n',
    '[^1]: raw/cafe\u0301.md, p.2, "\u201cthe  words\u201d"\n',
    '[^2]: raw/../wiki/a.md, "x"\n',
    '[^2]: https://example.org, "x"; <raw/a, b.md>, "y\n',
    "[^1]:\n",
    "As of 2024-05-01, so it was.[^1]\n\n",
    "> [!superseded] 2024-02-30\n> Quoted.[^2]\n\n",
    "| a | b |\n|---|---|\n| 1[^1] | [[x\\|y]] |\n\n",
    "[[a]] [[b#c|d]] [x](../../../e.md) ![[p.png]] [y](#z) [](<>)\n\n",
    "<div>hidden[^1]</div>\n",
    "---\ntitle: [\n---\n",
    "---\ntitle: A\n---\n",
    "```\n[^9] unclosed\n",
    "\r\n\u2028\ufeff\x00\x1b",
    "[^",
    "]: ",
    "\\",
]
NAMES = ["wiki/index.md", "wiki/log.md", "wiki/a.md", "wiki/A.md", "wiki/x/a.md", "wiki/p.png", "wiki/.h.md"]
OTHERS = ["raw/a.md", "raw/cafe\u0301.md", "raw/a, b.md", "assay.toml", "README.md", "raw/scan.pdf", "raw/p.html"]
PAGES = st.lists(st.sampled_from(FRAGMENTS), max_size=7).map(lambda parts: "".join(parts).encode())
BYTES = st.one_of(PAGES, st.binary(max_size=40), st.just(b"the words\n"), st.just(b"%PDF-1.4 broken"))
FILES = st.dictionaries(st.sampled_from(NAMES + OTHERS), BYTES, max_size=8)
CHANGES = st.dictionaries(st.sampled_from(NAMES + OTHERS), st.one_of(BYTES, st.none()), max_size=5)
MODES = st.dictionaries(st.sampled_from(NAMES + OTHERS), st.sampled_from([0o120000, 0o100755, 0o160000]), max_size=2)
RUNS = st.sampled_from([RunFacts(), RunFacts("ingest", sources=("raw/a.md",)), RunFacts(is_run=False)])
TRIED = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@TRIED
@given(FILES, MODES, RUNS)
def test_nothing_new_is_found_where_nothing_changed(
    judged: Verify, files: dict[str, bytes], modes: dict[str, int], run: RunFacts
) -> None:
    found = judged(files, {}, modes_before=modes, run=run).findings
    gating = [one for one in found if one.new and one.check != "coverage"]  # which says what was not touched
    assert gating == []


TEXTS = PAGES.map(lambda data: data.replace(b"\0", b""))  # with NULs, one more byte may make a page UTF-16


@TRIED
@given(st.dictionaries(st.sampled_from(NAMES + OTHERS), TEXTS, max_size=8))
@pytest.mark.slow
def test_a_blank_line_at_the_end_of_every_page_makes_nothing_new(judged: Verify, files: dict[str, bytes]) -> None:
    pages = {path: data + b"\n" for path, data in files.items() if path.endswith(".md") and path.startswith("wiki/")}
    found = judged(files, pages).findings
    assert [one for one in found if one.new and one.scope != "run" and one.level != "none"] == []


@TRIED
@given(FILES, CHANGES, CHANGES, MODES, RUNS)
@pytest.mark.slow
def test_no_change_of_no_wiki_raises(
    judged: Verify,
    files: dict[str, bytes],
    first: dict[str, bytes | None],
    second: dict[str, bytes | None],
    modes: dict[str, int],
    run: RunFacts,
) -> None:
    done = judged(files, first, second, modes=modes, run=run)
    assert fold(done.findings) in ("commit", "reject", "revise")
    assert reasoning(done.findings, done.claims)
    assert done == judged(files, first, second, modes=modes, run=run)
    for one in done.findings:
        assert one.fingerprint
        assert (one.line == 0) == (one.column == 0) == (one.end_line == 0)


@TRIED
@given(FILES, CHANGES)
@pytest.mark.slow
def test_a_finding_that_is_not_new_was_found_before(
    judged: Verify, files: dict[str, bytes], change: dict[str, bytes | None]
) -> None:
    """Judging the base against nothing knows every fingerprint that a later change calls old."""
    started = {one.fingerprint for one in judged({}, files).findings}
    later = judged(files, change).findings
    renamed = any(data is None for data in change.values())
    assert renamed or {one.fingerprint for one in later if not one.new} <= started
