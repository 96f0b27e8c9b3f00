from __future__ import annotations

import json
from typing import Any

import pytest

from gitops.verify.finding import Finding, Level, fingerprint
from gitops.verify.verdict import Counts, Followed, Member, Verdict, fold, reasoning, said, shown


def finding(level: Level, *, new: bool = True, **fields: Any) -> Finding:
    made: dict[str, Any] = {"check": "links", "result": "broken", "scope": "page", "message": "it is broken"}
    return Finding(level=level, new=new, **(made | fields))


def verdict(**fields: Any) -> Verdict:
    made: dict[str, Any] = {
        "summary": "commit: fine",
        "workspace": "main",
        "base": "b" * 40,
        "head": "c" * 40,
        "tree": "d" * 40,
        "policy": "e" * 40,
        "verifier": "git-assay/0",
        "verdict": "commit",
        "reasoning": "fine",
        "created_at": "2024-01-02T03:04:05Z",
    }
    return Verdict(**(made | fields))


@pytest.mark.parametrize(
    ("levels", "decision"),
    [
        ([], "commit"),
        ([Level.NOTE, Level.NONE], "commit"),
        ([Level.WARNING, Level.NOTE], "revise"),
        ([Level.WARNING, Level.ERROR], "reject"),
    ],
)
def test_the_worst_new_finding_decides(levels: list[Level], decision: str) -> None:
    assert fold(finding(level) for level in levels) == decision
    old = [finding(Level.ERROR, new=False), finding(Level.WARNING, new=False)]
    assert fold([*old, *(finding(level) for level in levels)]) == decision


def test_the_reasoning_counts_and_names_the_first_of_the_worst() -> None:
    warning = finding(Level.WARNING, path="wiki/a.md", line=3)
    error = finding(Level.ERROR, check="path_acl", result="mode", scope="run", message="a link", path="wiki/b.md")
    old = finding(Level.ERROR, new=False)
    assert reasoning([old, warning, warning, error], 1) == (
        "1 cited claim read against the sources; 1 new error and 2 new warnings, "
        "first wiki/b.md: path_acl mode: a link."
    )
    assert reasoning([warning], 12).endswith("1 new warning, first wiki/a.md:3: links broken: it is broken.")
    assert reasoning([old], 0) == "0 cited claims read against the sources; nothing in the change is refused."


CHANGED: dict[str, Any] = {
    "run_id": "r1",
    "workspace": "other",
    "target": "refs/heads/main",
    "base": "0" * 40,
    "head": "0" * 40,
    "candidate": "0" * 40,
    "tree": "0" * 40,
    "policy": "0" * 40,
    "verifier": "git-assay/1",
    "judge": "offline",
    "judges": (Member(id="offline", version="3", digest="d" * 64),),
    "verdict": "reject",
    "reasoning": "not fine",
    "per_claim_findings": (finding(Level.NONE, scope="claim"),),
    "per_page_findings": (finding(Level.NOTE),),
    "findings": (finding(Level.NOTE),),
    "counts": Counts(judged=1),
    "tokens_used": {"input": 1, "output": 0, "usd": 0.0},
    "created_at": "2025-01-02T03:04:05Z",
    "supersedes": ("f" * 40,),
    "measurements": (Followed(commit="c" * 40, id="e" * 40, metric="M2"),),
    "schema_": "assay/verdict/2",
}


def test_every_field_is_tried() -> None:
    assert set(CHANGED) == set(Verdict.model_fields) - {"id", "summary", "kind"}


@pytest.mark.parametrize("name", CHANGED)
def test_changing_any_field_changes_the_id(name: str) -> None:
    assert verdict(**{name: CHANGED[name]}).named().id != verdict().named().id


def test_the_summary_and_an_earlier_id_do_not() -> None:
    assert verdict(summary="anything").named().id == verdict().named().id == verdict(id="x").named().id


def test_a_verdict_that_rests_on_no_measurement_is_what_it_was_before_there_were_any() -> None:
    made = verdict().named()
    assert "measurements" not in made.record()
    resting = verdict(measurements=(Followed(commit="c" * 40, id="e" * 40, metric="M2"),)).named()
    assert resting.record()["measurements"] == [{"commit": "c" * 40, "id": "e" * 40, "metric": "M2"}]
    assert Verdict.model_validate(resting.record()) == resting


def test_a_record_reads_back_as_the_same_statement() -> None:
    made = verdict(findings=(finding(Level.ERROR, evidence={"a": [1]}),)).named()
    record = json.loads(json.dumps(made.record()))
    assert record["schema"] == "assay/verdict/1"
    assert Verdict.model_validate(record) == made
    assert Verdict.model_validate(record).named().id == made.id


def test_what_is_said_leaves_out_what_is_right_and_evidence_that_stands_elsewhere() -> None:
    right = finding(Level.NONE, scope="claim")
    wrong = finding(Level.ERROR, scope="claim", evidence={"quote": "x"}, path="wiki/b.md")
    whole = finding(Level.NOTE, scope="run", evidence={"share": 1}, path="wiki/a.md")
    flat = said([right, wrong, whole])
    assert [one.evidence for one in flat] == [{}, {"share": 1}]
    stated = verdict(per_claim_findings=(right, wrong), findings=flat)
    assert shown(stated) == (whole, wrong)


def test_a_fingerprint_is_free_of_lines_and_keeps_its_parts_apart() -> None:
    assert fingerprint("a", "b", "c", "d") == fingerprint("a", "b", "c", "d", 0)
    assert (
        len({fingerprint("a", "b", "c", "d"), fingerprint("a", "bc", "", "d"), fingerprint("a", "b", "c", "d", 1)}) == 3
    )


def test_a_field_that_a_later_version_adds_is_kept_and_counts_in_the_id() -> None:
    later = verdict().model_dump(mode="json", by_alias=True) | {"mood": "grim"}
    read = Verdict.model_validate(later)
    assert read.record()["mood"] == "grim"
    assert read.named().id != verdict().named().id
