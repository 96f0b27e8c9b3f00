from __future__ import annotations

import pytest

from gitops import canonical
from gitops.errors import Blocked, Refused
from gitops.git import commits, notes, trees
from gitops.git.objects import REGULAR
from gitops.runs import feedback, gates, latest, names
from gitops.runs.gates import Operation
from gitops.runs.records import id_of
from tests.runs.driving import MAIN, Wiki
from tests.runs.measuring import made, measure


@pytest.mark.parametrize(
    ("metric", "status", "blocked"),
    [
        ("M1", "broken", {"synthesis"}),
        ("M1", "degraded", set()),
        ("M2", "broken", {"ingest", "cascade", "synthesis"}),
        ("M2", "degraded", set()),
        ("M3", "broken", {"synthesis"}),
        ("M3", "degraded", set()),
        ("M5", "broken", {"ingest", "cascade"}),
        ("M5", "degraded", set()),
        ("M6", "broken", set()),
    ],
)
def test_a_status_blocks_what_the_specification_says(
    wiki: Wiki, metric: str, status: str, blocked: set[Operation]
) -> None:
    for frozen in gates.FROZEN:
        measure(wiki, frozen, 1.0, "healthy")
    wiki.later(days=1)
    measure(wiki, metric, 0.5, status)
    operations: tuple[Operation, ...] = ("ingest", "cascade", "synthesis")
    for operation in operations:
        if operation in blocked:
            with pytest.raises(Blocked, match=f"{metric} is broken"):
                gates.demand_open(wiki.context(), "tides", operation)
        else:
            gates.demand_open(wiki.context(), "tides", operation)
    assert set(gates.gates(wiki.context(), "tides")[metric].blocks) == blocked


def test_a_broken_cascade_coverage_refuses_to_begin_and_to_finish_ingests(wiki: Wiki) -> None:
    begun = wiki.run(run_type="ingest", sources=("raw/tides.md",))
    measure(wiki, "M2", 0.5, "broken")
    with pytest.raises(Blocked) as refused:
        wiki.run(run_type="ingest", sources=("raw/tides.md",))
    assert refused.value.exit_code == 4
    assert "git assay eval report --details M2" in refused.value.hint
    assert "git assay lint --cascade-backfill" in refused.value.hint
    with pytest.raises(Blocked):
        wiki.finish(begun)
    assert wiki.find(begun).status == "pending"
    assert wiki.finish(wiki.run(run_type="lint", reason="it mends")).result == "landed"


def test_another_workspace_is_not_held_up(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.5, "broken")
    gates.demand_open(wiki.context(), "elsewhere", "ingest")


def test_an_ack_opens_until_the_next_measurement(wiki: Wiki) -> None:
    broken = measure(wiki, "M5", 0.5, "broken")
    ack = feedback.acknowledge(wiki.context(), "M5", broken, "the two pages are being\nmerged")
    gates.demand_open(wiki.context(), "tides", "ingest")
    gate = gates.gates(wiki.context(), "tides")["M5"]
    assert (gate.blocks, gate.would_block, gate.ack) == ((), ("ingest", "cascade"), ack)
    assert (ack.reason, ack.by.name, ack.at) == ("the two pages are being merged", "Ada Writer", wiki.context().now)
    wiki.later(days=7)
    measure(wiki, "M5", 0.5, "broken")
    with pytest.raises(Blocked):
        gates.demand_open(wiki.context(), "tides", "ingest")


def test_what_could_not_be_measured_leaves_the_gate_as_it_was(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.5, "broken")
    wiki.later(days=7)
    measure(wiki, "M2", None, "not_measured", reason="no ingest in seven days")
    with pytest.raises(Blocked, match=r"0\.50"):
        gates.demand_open(wiki.context(), "tides", "ingest")


def test_a_measurement_of_a_past_commit_speaks_of_no_gate(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.5, "broken", subject={"is_past": True, "moment": wiki.context().now})
    gates.demand_open(wiki.context(), "tides", "ingest")
    assert gates.gates(wiki.context(), "tides") == {}


def test_scheduled_synthesis_is_frozen_until_both_were_healthy(wiki: Wiki) -> None:
    with pytest.raises(Blocked, match="M1 is healthy, and it was never measured"):
        gates.demand_open(wiki.context(), "tides", "synthesis")
    measure(wiki, "M1", 0.97, "healthy")
    degraded = measure(wiki, "M2", 0.8, "degraded")
    with pytest.raises(Blocked, match="M2 is healthy; it is degraded"):
        gates.demand_open(wiki.context(), "tides", "synthesis")
    feedback.acknowledge(wiki.context(), "M2", degraded, "a small wiki")
    gates.demand_open(wiki.context(), "tides", "synthesis")
    wiki.later(days=7)
    measure(wiki, "M2", 0.95, "healthy")
    wiki.later(days=7)
    measure(wiki, "M2", 0.8, "degraded")
    gates.demand_open(wiki.context(), "tides", "synthesis")  # once healthy, a degraded one continues


def test_an_ack_of_a_forged_reason_counts_for_nothing(wiki: Wiki) -> None:
    broken = measure(wiki, "M2", 0.5, "broken")
    context = wiki.context()
    feedback.acknowledge(context, "M2", broken, "known")
    [line] = notes.read(context.repository, names.FEEDBACK, broken.commit)
    wiki.git("notes", "--ref=assay/feedback", "add", "-f", "-m", line.replace("known", "fine!"), broken.commit)
    with pytest.raises(Blocked):
        gates.demand_open(wiki.context(), "tides", "ingest")
    assert any("its id is not the digest" in told for told in wiki.told)


def test_an_ack_travels_with_the_notes(wiki: Wiki) -> None:
    broken = measure(wiki, "M2", 0.5, "broken")
    feedback.acknowledge(wiki.context(), "M2", broken, "known")
    wiki.git("clone", "-q", "--no-hardlinks", str(wiki.folder), str(wiki.folder.parent / "clone"))
    clone = Wiki(wiki.folder.parent / "clone")
    clone.git("fetch", "-q", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    gates.demand_open(clone.context(), "tides", "ingest")
    assert clone.told == []
    clone.git("update-ref", "-d", names.FEEDBACK)
    with pytest.raises(Blocked):
        gates.demand_open(clone.context(), "tides", "ingest")


@pytest.mark.slow
def test_what_is_kept_of_older_notes_comes_to_the_same_as_reading_all(wiki: Wiki) -> None:
    told = [("M1", 0.9, "degraded"), ("M2", 0.5, "broken"), ("M1", None, "not_measured"), ("M2", 0.95, "healthy")]
    for number, (metric, value, status) in enumerate(told * 3):
        if number == 5:
            wiki.git("commit", "-q", "--allow-empty", "-m", "another commit")
        measure(wiki, metric, value, status)
        wiki.later(hours=1)
        kept = latest.latest(wiki.context(), "tides")
        (wiki.context().folder / "cache.sqlite3").unlink()
        assert latest.latest(wiki.context(), "tides") == kept


def test_notes_that_were_taken_away_count_no_more(wiki: Wiki) -> None:
    broken = measure(wiki, "M2", 0.5, "broken")
    with pytest.raises(Blocked):
        gates.demand_open(wiki.context(), "tides", "ingest")
    wiki.git("notes", "--ref=assay/evals", "remove", broken.commit)
    gates.demand_open(wiki.context(), "tides", "ingest")


def test_a_line_that_was_taken_out_of_a_note_counts_no_more(wiki: Wiki) -> None:
    first = measure(wiki, "M2", 0.95, "healthy")
    wiki.later(hours=1)
    measure(wiki, "M2", 0.5, "broken")
    with pytest.raises(Blocked):
        gates.demand_open(wiki.context(), "tides", "ingest")
    left = next(line for line in notes.read(wiki.context().repository, names.EVALS, first.commit) if first.id in line)
    put_in_place(wiki, f"{first.commit[:2]}/{first.commit[2:]}", f"{left}\n")
    gates.demand_open(wiki.context(), "tides", "ingest")


def test_what_is_no_note_beside_the_notes_stops_no_gate(wiki: Wiki) -> None:
    measure(wiki, "M2", 0.5, "broken")
    assert "M2" in latest.latest(wiki.context(), "tides")
    put_in_place(wiki, "README", "about these notes\n")
    with pytest.raises(Blocked, match=r"0\.50"):
        gates.demand_open(wiki.context(), "tides", "ingest")


def put_in_place(wiki: Wiki, path: str, content: str) -> None:
    """A file of the notes' own tree, written where it stands."""
    repository, tip = wiki.context().repository, str(wiki.ref(names.EVALS))
    tree = trees.edit(repository, commits.read(repository, tip).tree, {path: (content.encode(), REGULAR)})
    commit = wiki.git("commit-tree", tree, "-p", tip, "-m", "by hand")
    wiki.git("update-ref", names.EVALS, commit)


@pytest.mark.parametrize("at", ["yesterday", "\x1b[31m", "2026-13-01T00:00:00Z", "9"])
def test_a_measurement_of_no_moment_is_named_and_counts_for_nothing(wiki: Wiki, at: str) -> None:
    measure(wiki, "M2", 0.95, "healthy")
    body = made(wiki, "M2", 0.5, "broken", run_id="another").record() | {"completed_at": at}
    summary = body.pop("summary")
    line = canonical.line(summary, body | {"id": id_of(body)})
    context, on = wiki.context(), {str(wiki.ref(MAIN)): [line]}
    notes.append(context.repository, names.EVALS, on, "by hand", context.identity, context.epoch)
    gates.demand_open(wiki.context(), "tides", "ingest")
    assert any("skipped" in told for told in wiki.told)


def test_a_corrupt_measurement_is_named_and_never_a_number(wiki: Wiki) -> None:
    broken = measure(wiki, "M2", 0.5, "broken")
    wiki.git("notes", "--ref=assay/evals", "append", "-m", '{"summary":"M2","kind":"metric","va', broken.commit)
    with pytest.raises(Blocked, match=r"0\.50"):
        gates.demand_open(wiki.context(), "tides", "ingest")
    assert any("refs/notes/assay/evals" in told and "skipped" in told for told in wiki.told)


def test_measurements_made_at_one_moment_have_one_order(wiki: Wiki) -> None:
    first, second = made(wiki, "M2", 0.5, "broken"), made(wiki, "M2", 0.95, "healthy", run_id="another")
    assert latest.folded([first, second]) == latest.folded([second, first]) == latest.folded([first, second, first])


def test_blocked_is_no_refusal() -> None:
    assert not issubclass(Blocked, Refused)
