from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops.errors import CannotRun, Refused
from gitops.index import records as rows
from gitops.runs import abandoning, intake, mirror, overriding, rebasing, staging, store
from tests.runs.driving import MAIN, QUOTE, SOURCE, Wiki, name, page
from tests.runs.test_kills import Killed, killing

FORGED = "the sea never falls back"


def _session(wiki: Wiki) -> None:
    """A long day: everything that can become of a run, more than once, in a mixed order."""
    for number in range(3):
        wiki.later(minutes=1)
        assert wiki.finish(wiki.run({name(number): page(number)}, reason=f"page {number}")).result == "landed"
    refused = wiki.run({name(3): page(3, FORGED)}, run_type="ingest", sources=("raw/tides.md",))
    assert wiki.finish(refused, used={"usd": 0.25, "input_tokens": 12}).result == "rejected"
    abandoning.abandon(wiki.context(), wiki.run({name(4): page(4)}).id, "a mistake")
    sent_back = wiki.run({name(5): page(5) + "\nNobody cites this sentence at all.\n"}, triggered_by="mcp:write")
    assert wiki.finish(sent_back).result == "revise"
    intake.add(wiki.context(), wiki.workspace(), MAIN, {"raw/neap.md": b"Neap tides are small.\n"})
    wiki.later(hours=1)
    staging.write(wiki.context(), sent_back, wiki.workspace(), name(5), page(5).encode())
    assert wiki.finish(sent_back).result == "landed"
    killed = wiki.run({name(6): page(6)})
    with pytest.raises(Killed):
        wiki.finish(killed, killing("committed"))
    wiki.later(hours=1)
    assert overriding.override(wiki.context(), refused.id, "the source is wrong").result == "landed"
    broken = wiki.run({name(7): page(7)})
    with pytest.raises(Refused):
        staging.replace(wiki.context(), broken, wiki.workspace(), name(7), "not there", "x")
    behind = wiki.run({name(8): page(8)})
    assert wiki.finish(wiki.run({name(9): page(9, FORGED)}), no_verify=True).result == "landed"
    rebasing.rebase(wiki.context(), behind)
    (wiki.folder / "wiki/log.md").write_text("mine\n")
    with pytest.raises(CannotRun):
        wiki.finish(behind)
    wiki.git("checkout", "--", "wiki/log.md")
    wiki.later(hours=1)
    assert wiki.finish(killed).result == wiki.finish(behind).result == "landed"
    wiki.finish(wiki.run({name(10): page(10)}), draft_only=True)


@pytest.mark.parametrize("style", ["merge", pytest.param("squash", marks=pytest.mark.slow)])
def test_an_index_made_anew_equals_the_live_one_after_a_long_mixed_day(
    make_wiki: Callable[..., Wiki], tmp_path: Path, style: str
) -> None:
    wiki = make_wiki(f'[publish]\nstyle = "{style}"\n')
    _session(wiki)
    live = wiki.index()
    assert live == wiki.rebuilt_index(tmp_path)
    assert len(live["runs"]) == 11
    assert len(live["verdicts"]) >= 10
    (wiki.folder / ".git/assay/index.sqlite3").unlink()
    wiki.finish(wiki.run({name(11): page(11)}))
    assert wiki.index() == wiki.rebuilt_index(tmp_path)
    assert wiki.git("fsck", "--no-dangling") == ""


def test_an_index_that_cannot_be_written_is_told_and_stops_nothing(wiki: Wiki) -> None:
    place = wiki.folder / ".git/assay/index.sqlite3"
    place.mkdir(parents=True)
    assert wiki.finish(wiki.run()).result == "landed"
    assert wiki.told
    assert all("the index is behind the notes" in told for told in wiki.told)


def test_a_claim_is_recorded_with_the_sources_exact_slice(wiki: Wiki) -> None:
    import hashlib

    run = wiki.run({name(0): page(0, "the  sea falls back\\ntwice a day".replace("\\n", " "))})
    assert wiki.finish(run).result == "landed"
    with mirror.opened(wiki.context()) as index:
        (found,) = rows.rows(index, "wiki_claim_provenance")
    offset = found["source_quote_offset"]
    assert (found["source_quote"], found["source_path"]) == (QUOTE, "raw/tides.md")
    assert SOURCE[offset : offset + len(QUOTE)] == QUOTE
    assert found["source_quote_hash"] == hashlib.sha256(QUOTE.encode()).hexdigest()
    assert found["claim"] == "The tide turns, as page 0 knows."


def test_a_run_that_was_left_out_is_named(wiki: Wiki, tmp_path: Path) -> None:
    from contextlib import closing

    from gitops.index.database import open_index

    wiki.finish(wiki.run())
    (run,), (verdict,), *_ = store.everything(wiki.context())
    impossible = verdict.model_copy(update={"verdict": "perhaps"})
    with closing(open_index(tmp_path / "index.sqlite3")) as index:
        (told,) = mirror.fill(index, [run], [impossible])
        assert told.startswith("verdicts ")
        assert len(rows.rows(index, "runs")) == 1
