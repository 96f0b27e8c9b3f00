"""What was said to models and what they answered, kept as notes on the run's root commit (`PROTOCOL.md` 4).

The specification's run folder has `verifier/prompt.md` and `verifier/transcript.jsonl` (alexandria 13, "On-disk
layout"); here each conversation is one record. They inform people and decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, ValidationError

from gitops.canonical import strict_json
from gitops.git import notes
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.records import Record, Run, id_of
from gitops.usage import NOTHING, Usage

SCHEMA = "assay/transcript/1"
Role = Literal["writer", "verifier", "judge"]


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation as a judge or writer hands it on: `prompt` is the system prompt, `turns` are both sides."""

    role: Role
    model: str
    prompt: str
    turns: Sequence[Mapping[str, Any]]
    usage: Usage = NOTHING


class TranscriptRecord(Record):
    """One conversation as it stands in the notes."""

    schema_: str = Field(default=SCHEMA, alias="schema")
    kind: Literal["transcript"] = "transcript"
    role: Role
    at: str
    model: str
    prompt: str
    turns: tuple[dict[str, Any], ...]
    usage: dict[str, float]
    verdict_id: str = ""


def keep(
    context: Context,
    run: Run,
    role: Role,
    system: str,
    transcript: Sequence[Mapping[str, Any]],
    usage: Usage,
    verdict_id: str = "",
    *,
    model: str = "",
) -> TranscriptRecord | None:
    """Keep one conversation, durably. Nothing where nothing was said."""
    kept = keep_all(context, run, [Transcript(role, model, system, transcript, usage)], verdict_id)
    return kept[0] if kept else None


def keep_all(
    context: Context, run: Run, transcripts: Sequence[Transcript], verdict_id: str = ""
) -> list[TranscriptRecord]:
    """Keep several conversations in one commit of notes; those in which nothing was said are left out."""
    records = [_record(context, run, one, verdict_id) for one in transcripts if one.turns]
    if records:
        lines = {run.record.root: [record.line() for record in records]}
        message = f"assay: {len(records)} transcripts of run {run.id}"
        notes.append(context.repository, names.TRANSCRIPTS, lines, message, context.identity, context.epoch)
    return records


def of(context: Context, run: Run) -> list[TranscriptRecord]:
    """The conversations of a run, oldest first. A line that is none is told and skipped."""
    found = []
    root = run.record.root
    for number, line in enumerate(notes.read(context.repository, names.TRANSCRIPTS, root), 1):
        record = parse(line)
        if isinstance(record, str):
            context.warn_once(f"{names.TRANSCRIPTS} on {root[:10]}, line {number}: {record}; skipped")
        elif record.run_id == run.id:
            found.append(record)
    return sorted(found, key=lambda record: (record.at, record.id))


def parse(line: str) -> TranscriptRecord | str:
    """A record, or why the line is none."""
    try:
        value = strict_json(line)
        record = TranscriptRecord.model_validate(value)
    except (ValueError, ValidationError) as error:
        return str(error).split("\n")[0]
    return record if record.id == id_of(value) else "its id is not the digest of its content"


def _record(context: Context, run: Run, said: Transcript, verdict_id: str) -> TranscriptRecord:
    answers = sum(1 for turn in said.turns if turn.get("role") == "assistant")
    record = TranscriptRecord(
        summary=f"run {run.id}: a conversation of the {said.role}, {answers} answers of {said.model or 'a model'}",
        run_id=run.id,
        role=said.role,
        at=context.now,
        model=said.model,
        prompt=said.prompt,
        turns=tuple(dict(turn) for turn in said.turns),
        usage={**said.usage.record(), "calls": said.usage.calls},
        verdict_id=verdict_id,
    )
    return TranscriptRecord.model_validate(strict_json(record.line()))
