"""Notes that are pushed: only ever added to, and what is added is a record that can be read and holds.

A yes that nobody signed is taken, and counts for nothing where verdicts have to be signed: notes travel before the
commits that they speak of, and a verdict without its signature beside it may get it yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from gitops import canonical
from gitops.canonical import strict_json
from gitops.errors import AssayError
from gitops.git import commits, history, objects
from gitops.git.notetree import NoteTree, unpacked
from gitops.git.objects import EMPTY_TREE, REGULAR
from gitops.git.signing import Invalid
from gitops.git.treediff import Entry, changed
from gitops.runs import attesting, names, notelines, store
from gitops.runs.context import Context
from gitops.runs.receiving.lines import Line, refused
from gitops.runs.records import id_of
from gitops.runs.reflines import Examined
from gitops.runs.workspace import find

_HEX = frozenset("0123456789abcdef")


class Added(NamedTuple):
    """What a push does to the note on one target: the lines it would have, those that are new, how many are gone."""

    target: str
    lines: list[str]
    new: list[str]
    lost: int


def examine(context: Context, line: Line) -> Examined:
    """Judge one ref below `refs/notes/assay/`: it holds all that stands here, and each new line is a record."""
    if line.deletes:
        return refused(line, "records are only ever added to", "git assay sync brings the two in step")
    old = None if line.makes else line.old
    after = commits.read(context.repository, line.new).tree
    before = commits.read(context.repository, old).tree if old else EMPTY_TREE
    if old and not history.is_ancestor(context.repository, old, line.new):
        told = "it does not lead on from what stands here"
        return refused(line, told, "git assay sync, which unites both sides and pushes again")
    entries = list(changed(context.repository, before, after))
    if (stray := next((each for each in entries if _is_stray(each)), None)) is not None:
        return refused(line, f"{stray.path} is no note", "git assay sync, or git notes, writes what is one")
    added = list(_added(context, before, after, entries))
    if lost := sum(each.lost for each in added):
        told = f"{_lines(lost)} that {'stands' if lost == 1 else 'stand'} here {'is' if lost == 1 else 'are'} gone"
        first = next(each for each in added if each.lost).target
        return refused(line, f"{told}, first on {first[:10]}", "git assay sync, which puts them back")
    for each in added:
        for text in each.new:
            if why := _objection(context, line.ref, each, text):
                told = f"a line on {each.target[:10]} cannot be taken: {why}: {text[:60]!r}"
                return refused(line, told, f"git notes --ref={line.ref} remove {each.target}, then git assay sync")
    return Examined(line.ref, True, "")


def _is_stray(entry: Entry) -> bool:
    """Does an entry bring in what is no note: another name than an object's id, or no plain file?"""
    name = entry.path.replace("/", "")
    is_named = len(name) == 40 and _HEX.issuperset(name)
    return entry.new_mode is not None and not (is_named and entry.new_mode == REGULAR)


def _added(context: Context, before: str, after: str, entries: list[Entry]) -> Iterator[Added]:
    """By target, what is new there and what is gone; a note that only lies elsewhere in the tree is the same."""
    was, now = NoteTree(context.repository, before), NoteTree(context.repository, after)
    targets = dict.fromkeys(name for entry in entries if len(name := entry.path.replace("/", "")) == 40)
    for target in targets:
        if not _HEX.issuperset(target):
            continue
        old, new = (unpacked(tree.content(tree.on(target))) for tree in (was, now))
        known = set(old)
        yield Added(target, new, [text for text in new if text not in known], len(known.difference(new)))


def _objection(context: Context, ref: str, added: Added, text: str) -> str:
    """Why a line may not come in; '' for a record that bears its own id, is spelt as records are, and holds."""
    try:
        value = strict_json(text)
    except ValueError as error:
        return f"it is no record: {error}"
    if value.get("id") != id_of(value):
        return "its id is not the digest of its content"
    summary, body = value.get("summary"), {key: each for key, each in value.items() if key != "summary"}
    if not isinstance(summary, str) or canonical.line(summary, body) != text:
        return "it is not canonical JSON"
    if value.get("kind") == attesting.KIND and "record_id" in value:
        from gitops.runs import attesting_records

        return attesting_records.objection(context, ref, added.target, text, added.lines)
    reader = _READERS.get(ref)
    return reader(context, added, text, value) if reader is not None else ""


def _of_run(context: Context, added: Added, text: str, value: Mapping[str, Any]) -> str:
    skipped = notelines.parse([text], "it").skipped
    is_known = value.get("kind") in ("run", "state", "plan", "landed")
    return skipped[0].partition(": ")[2] if skipped and is_known else ""


def _of_verdict(context: Context, added: Added, text: str, value: Mapping[str, Any]) -> str:
    if value.get("kind") == attesting.KIND:
        return _of_attestation(context, added, text)
    if value.get("kind") != "verdict":
        return ""
    verdict = store.parse_verdict(text)
    if isinstance(verdict, str):
        return verdict
    return "" if verdict.candidate == added.target else f"it judges {verdict.candidate[:10]}, another commit"


def _of_attestation(context: Context, added: Added, text: str) -> str:
    """A signature has to stand beside its verdict; and hold, where the commits that it speaks of are here already."""
    record = attesting.parsed(text)
    if record is None:
        return "it is no signature of a verdict"
    beside = (each for each in added.lines if record["verdict_id"] in each and '"kind":"verdict"' in each)
    found = (store.parse_verdict(each) for each in beside)
    verdict = next((each for each in found if not isinstance(each, str) and each.id == record["verdict_id"]), None)
    if verdict is None:
        return "the verdict that it signs does not stand beside it"
    if not all(objects.exists(context.repository, each) for each in (verdict.base, verdict.candidate, verdict.tree)):
        return ""
    try:
        root = find(context.repository, verdict.base, verdict.workspace).layout.root
        attesting.verified(context, root, verdict, canonical.dumps(record["envelope"]))
    except Invalid as error:
        return f"the signature does not hold: {error}"
    except AssayError as error:
        context.warn_once(f"the signature of {verdict.id[:10]} counts for nothing here: {error.message}")
    return ""


def _of_measurement(context: Context, added: Added, text: str, value: Mapping[str, Any]) -> str:
    from gitops.runs import measurements

    if value.get("schema") != measurements.SCHEMA:
        return ""
    read = measurements.parse(text)
    if isinstance(read, str):
        return read
    return "" if read.commit == added.target else f"it is of {read.commit[:10]}, another commit"


def _of_feedback(context: Context, added: Added, text: str, value: Mapping[str, Any]) -> str:
    from gitops.runs import feedback

    read = feedback.parse(text)
    if read is None or isinstance(read, str):
        return read or ""
    return "" if read.commit == added.target else f"it is of {read.commit[:10]}, another commit"


def _of_transcript(context: Context, added: Added, text: str, value: Mapping[str, Any]) -> str:
    from gitops.runs import transcripts

    if value.get("kind") != "transcript":
        return ""
    read = transcripts.parse(text)
    return read if isinstance(read, str) else ""


Reader = Callable[[Context, Added, str, Mapping[str, Any]], str]
_READERS: dict[str, Reader] = {
    names.RUNS: _of_run,
    names.VERDICTS: _of_verdict,
    names.EVALS: _of_measurement,
    names.FEEDBACK: _of_feedback,
    names.TRANSCRIPTS: _of_transcript,
}


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count:,} lines"
