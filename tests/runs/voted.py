"""A wiki in which a model voted, a clone of it that has the votes in its notes, and what a forger makes of those."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gitops.git import notes
from gitops.runs import judgements, names
from gitops.runs.records import id_of
from gitops.runs.seating import Seat
from gitops.verify import statement
from gitops.verify.judge import Judge
from gitops.verify.statement import Place
from tests.runs import vouched
from tests.runs.driving import Wiki, first_files, name, page
from tests.runs.signed import ALLOWED, POLICY, REPOSITORY, make_key, signer
from tests.runs.vouched import line
from tests.verify.scripted import Scripted, sure

Given = list[dict[str, Any]]
JUDGED = '[verify]\njudge = "model"\n'


@dataclass
class Two:
    """A wiki in which a model voted and something landed, and a clone of before, which has the notes."""

    here: Wiki
    there: Wiki
    key: Path
    other: Path
    commit: str = ""
    asked: Scripted = field(default_factory=lambda: Scripted({"": sure("supports")}))

    def lines(self) -> list[str]:
        return notes.read(self.there.context().repository, names.VERDICTS, self.commit)

    def records(self, kind: str) -> Given:
        return [value for value in map(json.loads, self.lines()) if value["kind"] == kind]

    def write(self, *lines: str) -> None:
        vouched.write(self.there, names.VERDICTS, self.commit, *lines)

    def begin_again(self) -> None:
        """Forget what was landed and remembered in the clone."""
        self.there.git("reset", "-q", "--hard", "origin/main")
        (self.there.context().folder / "cache.sqlite3").unlink(missing_ok=True)
        self.there.git("fetch", "-q", "origin", "+refs/notes/assay/*:refs/notes/assay/*")

    def votes_again(self) -> bool:
        """Whether the clone asks its own model about the same page."""
        before = self.asked.calls
        run = self.there.run({name(0): page(0), name(1): page(1)})
        assert self.there.finish(run, dry_run=False).result == "landed"
        return self.asked.calls > before


@pytest.fixture
def two(make_repository: Callable[..., Path], tmp_path: Path) -> Two:
    key, other = make_key(tmp_path, "ada"), make_key(tmp_path, "eve")
    here = Wiki(make_repository(first_files(POLICY + JUDGED) | {ALLOWED: signer(key)}, name="here"))
    here.git("config", "assay.signingkey", str(key))
    here.git("clone", "-q", "--no-hardlinks", str(here.folder), str(tmp_path / "there"))
    made = Two(here, Wiki(tmp_path / "there"), key, other)
    made.there.git("config", "assay.signingkey", str(key))
    here.seating, made.there.seating = seating(Scripted({"": sure("supports")})), seating(made.asked)
    outcome = here.finish(here.run({name(0): page(0), name(1): page(1)}))
    assert outcome.result == "landed"
    made.commit = outcome.commit
    made.there.git("fetch", "-q", "origin", "refs/notes/assay/*:refs/notes/assay/*")
    return made


def seating(judge: Scripted) -> Callable[[str, Seat], Judge]:
    return lambda called, seat: judge


def forged(two: Two, votes: Given, key: Path, **changed: Any) -> list[str]:
    """Votes and a list of them that a key has signed, as lines."""
    digests = sorted(statement.body_digest(vote) for vote in votes)
    [listed] = two.records(judgements.LIST)
    body = {**listed, "votes": digests, **changed}
    body |= {"id": id_of(body)}
    stated = statement.record_statement(body, Place(REPOSITORY, names.VERDICTS, two.commit), body["at"])
    envelope = vouched.sealed(stated, key)
    return [*map(line, votes), line(body), vouched.beside(body["id"], envelope)]


def otherwise(vote: dict[str, Any], **changed: Any) -> dict[str, Any]:
    body = {**vote, **changed}
    return body | {"id": id_of(body)}
