"""Votes that came in the notes, believed where an allowed key signed the list that they stand in (`PROTOCOL.md` 3).

So a second clone asks no model again. Where they stand is kept in the cache, brought up by the notes that changed; a
vote itself is never kept there: whether it is believed is asked of the notes and of the policy each time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from pydantic import ValidationError

from gitops.canonical import digest, dumps, strict_json
from gitops.git import commits, notes, notetree, objects, refs, treediff
from gitops.index.cache import Cache
from gitops.runs import attesting_records, judgements, names
from gitops.runs.authority import Authority
from gitops.runs.context import Context
from gitops.runs.judgements import JudgementRecord, VotesRecord
from gitops.runs.records import id_of
from gitops.verify.judge import Vote
from gitops.verify.judgements import KIND
from gitops.verify.statement import body_digest

PURPOSE = "landing"
"""Votes of a landing serve no measurement, and no other votes are kept in notes."""
_KEPT, _VERSION, _TIP = "shared votes", "1", "tip"
_TARGET = re.compile(r"[0-9a-f]{40}")
_LIST = f'"kind":"{judgements.LIST}"'


@dataclass(frozen=True)
class SharedVotes:
    """The votes of others that count by an authority. Nothing is looked at before a vote is missed."""

    authority: Authority

    def __call__(self, kind: str, version: str, key: str) -> bytes | None:
        """The vote of the judge with a digest (`version`) on the question with a key, as it is remembered."""
        if kind != KIND or not self.authority.is_strict:
            return None
        context = self.authority.context
        with context.caching() as cache:
            context.once(
                ("shared votes", refs.read(context.repository, names.VERDICTS)), lambda: _bring_up(context, cache)
            )
            found = cache.get(_KEPT, _VERSION, _place(version, key))
        for commit in json.loads(found) if found is not None else ():
            if (vote := self._on(commit, version, key)) is not None:
                return dumps(asdict(vote)).encode("utf-8", "surrogatepass")
        return None

    def _on(self, commit: str, version: str, key: str) -> Vote | None:
        lines = notes.read(self.authority.context.repository, names.VERDICTS, commit)
        given = [(sha, vote) for sha, vote in _votes(lines) if (vote.judge_digest, vote.key) == (version, key)]
        for listed in _lists(lines) if given else ():
            mine = [vote for sha, vote in given if sha in listed.votes]
            told = f"the list of votes {listed.id[:10]} on {commit[:10]}"
            if mine and attesting_records.counts(self.authority, names.VERDICTS, commit, listed.id, told):
                return _as_given(mine[-1])
        return None


def _bring_up(context: Context, cache: Cache) -> str | None:
    """Note in the cache where which votes stand, by the notes that changed since the last time."""
    tip = refs.read(context.repository, names.VERDICTS)
    before = cache.get(_KEPT, _VERSION, _TIP)
    if tip is None or before == tip.encode():
        return tip
    found: dict[str, set[str]] = {}
    for commit, lines in _changed(context, before.decode() if before is not None else "", tip):
        if _TARGET.fullmatch(commit) and any(_LIST in line for line in lines):
            for _, vote in _votes(lines):
                found.setdefault(_place(vote.judge_digest, vote.key), set()).add(commit)
    known = cache.get_many(_KEPT, _VERSION, found)
    for place, there in found.items():
        there |= set(json.loads(known[place])) if place in known else set()
        cache.put(_KEPT, _VERSION, place, dumps(sorted(there)).encode())
    cache.put(_KEPT, _VERSION, _TIP, tip.encode())
    return tip


def _changed(context: Context, before: str, tip: str) -> Iterator[tuple[str, list[str]]]:
    repository = context.repository
    if not before or not objects.exists(repository, before):
        yield from notes.read_all(repository, names.VERDICTS)
        return
    old, new = (commits.read(repository, each).tree for each in (before, tip))
    for entry in treediff.changed(repository, old, new):
        if entry.new_blob is not None:
            yield entry.path.replace("/", ""), notetree.unpacked(objects.read(repository, entry.new_blob))


def _place(version: str, key: str) -> str:
    return digest([PURPOSE, version, key])


def _votes(lines: Iterable[str]) -> Iterator[tuple[str, JudgementRecord]]:
    """The votes of landings among the lines of a note, with the sha256 of their records; replayed ones nobody gave."""
    for line in lines:
        if '"kind":"judgement"' not in line:
            continue
        try:
            value = strict_json(line)
            vote = JudgementRecord.model_validate(value)
        except (ValueError, ValidationError):
            continue  # not a vote; who reads the note names it
        if value.get("id") == id_of(value) and vote.purpose == PURPOSE and not vote.replayed:
            yield body_digest(value), vote


def _lists(lines: Iterable[str]) -> Iterator[VotesRecord]:
    for line in lines:
        if _LIST not in line:
            continue
        try:
            value = strict_json(line)
            listed = VotesRecord.model_validate(value)
        except (ValueError, ValidationError):
            continue
        if value.get("id") == id_of(value):
            yield listed


def _as_given(vote: JudgementRecord) -> Vote | None:
    """The vote as the judge gave it; None for one of an earlier version, which did not record all of it."""
    if vote.may_gate is None:
        return None
    return Vote(vote.vote, vote.confidence, vote.reason, vote.unsupported, vote.support, vote.may_gate)
