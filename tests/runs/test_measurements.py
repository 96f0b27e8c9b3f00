from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import ValidationError

from gitops.canonical import line
from gitops.git import notes
from gitops.runs import health, names
from gitops.runs.context import Context
from gitops.runs.measurements import Measurement, Metric, Sample, append, everything, measurements_on, parse
from tests.runs.driving import Wiki


def made(commit: str, **fields: Any) -> Measurement:
    known: dict[str, Any] = {
        "summary": "3 of 4 caught",
        "kind": "verifier_test",
        "run_id": "20240102-030405-00000000",
        "commit": commit,
        "workspace": "tides",
        "subject": {"judge": "offline"},
        "instrument": {"sample": {"seed": 0}},
        "started_at": "2024-01-02T03:04:05Z",
        "completed_at": "2024-01-02T03:04:06Z",
        "samples": (Sample(id="a", status="pass", tags=("digit",)), Sample(id="b", status="abstained")),
        "metrics": {
            "digit": Metric(value=0.75, n=4, interval=(0.3, 0.95), direction="higher", unit="share", status="measured"),
            "unit": Metric(value=None, n=0, direction="higher", unit="share", status="not_measured"),
        },
    }
    return Measurement(**known | fields)


def spelled(measurement: Measurement, **changed: Any) -> str:
    body = measurement.record() | changed
    return line(body.pop("summary"), body)


def lines(wiki: Wiki, *texts: str) -> Context:
    context = wiki.context()
    commit = wiki.git("rev-parse", "main")
    notes.append(context.repository, names.EVALS, {commit: texts}, "by hand", context.identity, context.epoch)
    return context


@pytest.mark.parametrize("field", ["kind", "metrics", "samples", "commit", "workspace", "completed_at"])
def test_a_line_that_was_changed_counts_for_nothing(wiki: Wiki, field: str) -> None:
    measurement = made(wiki.git("rev-parse", "main")).named()
    other: Any = {"metrics": {}, "samples": []}.get(field, "other")
    assert parse(spelled(measurement, **{field: other})) == "its id is not the digest of its content"
    assert parse(spelled(measurement)) == measurement


def test_the_summary_is_nobodys_word(wiki: Wiki) -> None:
    measurement = made(wiki.git("rev-parse", "main")).named()
    read = parse(spelled(measurement, summary="all caught"))
    assert isinstance(read, Measurement)
    assert read.id == measurement.id


@pytest.mark.parametrize("text", ["{", "[]", '{"kind":1}', '{"summary":"x","kind":"a","kind":"b"}', '{"summary":NaN}'])
def test_what_is_no_measurement_is_told_and_skipped(wiki: Wiki, text: str) -> None:
    commit = wiki.git("rev-parse", "main")
    measurement = made(commit).named()
    context = lines(wiki, text, spelled(measurement))
    assert measurements_on(context, commit) == [measurement]
    assert len(wiki.told) == 1
    assert wiki.told[0].startswith(f"refs/notes/assay/evals on {commit[:10]}, line ")
    assert wiki.told[0].endswith("; skipped")


def test_a_measurement_of_another_commit_counts_for_nothing_here(wiki: Wiki) -> None:
    context = lines(wiki, spelled(made("f" * 40).named()))
    assert measurements_on(context, wiki.git("rev-parse", "main")) == []
    assert "it is of ffffffffff, another commit" in wiki.told[0]


def test_a_share_of_nothing_has_no_value() -> None:
    with pytest.raises(ValidationError, match="value"):
        Metric(n=0, direction="higher", unit="share", status="not_measured")  # type: ignore[call-arg]


def test_damaged_lines_are_told_whatever_they_stand_on(wiki: Wiki) -> None:
    told: list[str] = []
    commit = wiki.git("rev-parse", "main")
    lines(wiki, spelled(made(commit).named()), "not json")
    found = everything(replace(wiki.context(), warn=told.append))
    assert [one.commit for one in found] == [commit]
    assert len(told) == 1
    assert told[0].startswith(f"refs/notes/assay/evals on {commit[:10]}, line ")
    assert [one.what for one in health.examine(wiki.context(), mend=False) if names.EVALS in one.what] == told


def test_measurements_are_kept_and_come_oldest_first(wiki: Wiki) -> None:
    context, commit = wiki.context(), wiki.git("rev-parse", "main")
    later = append(context, made(commit, completed_at="2024-01-02T03:04:07Z"))
    first = append(context, made(commit))
    again = append(context, made(commit))
    other = append(context, made(commit, kind="retrieval"))
    assert first == again
    assert measurements_on(context, commit, "verifier_test") == [first, later]
    assert {one.id for one in measurements_on(context, commit)} == {first.id, later.id, other.id}
    assert wiki.git("log", "-1", "--format=%s", names.EVALS) == f"assay: retrieval of {commit[:10]}"
    assert wiki.told == []


def test_fields_of_a_later_version_are_kept_and_its_id_holds(wiki: Wiki) -> None:
    commit = wiki.git("rev-parse", "main")
    kept = append(wiki.context(), made(commit, weather="fair"))
    (read,) = measurements_on(wiki.context(), commit)
    assert read.model_extra == {"weather": "fair"}
    assert read == kept


def test_the_record_is_what_its_schema_says(wiki: Wiki) -> None:
    record = made(wiki.git("rev-parse", "main")).named().record()
    schema = Measurement.model_json_schema(by_alias=True, mode="serialization")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(record, schema)
    assert record["schema"] == "assay/measurement/1"
    assert record["samples"] == [{"id": "a", "status": "pass", "tags": ["digit"]}, {"id": "b", "status": "abstained"}]
    assert record["metrics"]["unit"]["value"] is None


def test_two_machines_notes_unite_without_loss(
    make_wiki: Callable[..., Wiki], tmp_path: Path, git: Callable[..., str]
) -> None:
    here = make_wiki()
    git(tmp_path, "clone", "--quiet", str(here.folder), "there")
    there = Wiki(tmp_path / "there")
    commit = here.git("rev-parse", "main")
    mine = append(here.context(), made(commit))
    theirs = append(there.context(), made(commit, workspace="other"))
    here.git("fetch", "--quiet", str(there.folder), f"{names.EVALS}:refs/notes/theirs")
    context = here.context()
    tip = here.git("rev-parse", "refs/notes/theirs")
    notes.merge(context.repository, names.EVALS, tip, "unite", context.identity, context.epoch)
    assert {one.id for one in measurements_on(context, commit)} == {mine.id, theirs.id}
