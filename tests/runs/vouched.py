"""Records that open a gate in a wiki whose policy wants them signed, and what a forger makes of their notes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitops import canonical
from gitops.errors import Blocked
from gitops.git import notes, signing
from gitops.runs import attesting_records, feedback, gates, names
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import Place, Signed
from tests.runs.driving import Wiki
from tests.runs.measuring import measure
from tests.runs.signed import REPOSITORY, SignedWiki


@dataclass
class Vouched:
    """A record that opens the gate of ingests, and the note that it stands in."""

    signed: SignedWiki
    ref: str
    commit: str
    record: Mapping[str, Any]

    @property
    def wiki(self) -> Wiki:
        return self.signed.wiki

    def opens(self) -> bool:
        try:
            gates.demand_open(self.wiki.context(), "tides", "ingest")
        except Blocked:
            return False
        return True

    def refused(self, why: str) -> bool:
        """Whether the record opens nothing, and that reason is told."""
        self.wiki.told.clear()
        return not self.opens() and any("does not count" in told and why in told for told in self.wiki.told)

    def lines(self, commit: str = "") -> list[str]:
        return notes.read(self.wiki.context().repository, self.ref, commit or self.commit)

    def write(self, *lines: str, commit: str = "", ref: str = "") -> None:
        """Put these lines, and no others, on a commit: what anybody can do who may push notes."""
        write(self.wiki, ref or self.ref, commit or self.commit, *lines)

    @property
    def bare(self) -> list[str]:
        """The lines without the one that vouches for the record."""
        return [line for line in self.lines() if attesting_records.signed_in([line]) != {self.record["id"]}]

    @property
    def envelope(self) -> dict[str, Any]:
        [found] = [
            value
            for value in map(attesting_records.parsed, self.lines())
            if value and value["record_id"] == self.record["id"]
        ]
        return dict(found["envelope"])

    def reseal(self, envelope: str, record_id: str = "") -> None:
        """The same note with another envelope."""
        self.write(*self.bare, beside(record_id or self.record["id"], envelope))

    def forged(self, key: Path, of: Mapping[str, Any] | None = None, /, **changed: Any) -> str:
        """An envelope about the record, or another, with other things in its predicate, really signed."""
        body = of or self.record
        stated = statement.record_statement(
            body, Place(REPOSITORY, self.ref, self.commit), attesting_records.moment(body)
        )
        stated["predicate"] |= changed
        return sealed(stated, key)

    def changed(self, **fields: Any) -> dict[str, Any]:
        """The record with other things in it, and the id that it then has to bear."""
        body = {**self.record, **fields}
        return body | {"id": id_of(body)}


def ack(signed: SignedWiki) -> Vouched:
    """M2 is broken, and somebody who may lets work go on."""
    broken = measure(signed.wiki, "M2", 0.5, "broken")
    made = feedback.acknowledge(signed.wiki.context(), "M2", broken, "known")
    return Vouched(signed, names.FEEDBACK, broken.commit, made.record())


def healthy(signed: SignedWiki) -> Vouched:
    """M2 was broken, and is measured healthy by somebody who may."""
    measure(signed.wiki, "M2", 0.5, "broken")
    signed.wiki.later(hours=1)
    made = measure(signed.wiki, "M2", 0.95, "healthy")
    return Vouched(signed, names.EVALS, made.commit, made.record())


def write(wiki: Wiki, ref: str, commit: str, *lines: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    put = ["git", "-C", str(wiki.folder), "hash-object", "-w", "--stdin"]
    blob = subprocess.run(put, input=text, capture_output=True, text=True, check=True).stdout.strip()
    wiki.git("notes", f"--ref={ref}", "add", "-f", "-C", blob, commit)


def line(body: Mapping[str, Any]) -> str:
    """A record as it stands in a note."""
    rest = dict(body)
    return canonical.line(rest.pop("summary"), rest)


def beside(record_id: str, envelope: str) -> str:
    """A line that vouches for a record, with the id that it must bear; the envelope stands in it as it is given."""
    text = canonical.dumps({"kind": "attestation", "record_id": record_id, "schema": "assay/attestation/1"})
    value = canonical.strict_json(f'{{"envelope":{envelope},{text[1:]}')
    return canonical.line("signed, or so it says", value | {"id": id_of(value)})


def sealed(stated: Mapping[str, Any], key: Path) -> str:
    """A statement in an envelope that a key has signed."""
    body = statement.payload(dict(stated))
    signature = signing.sign(str(key), statement.pae(body))
    return canonical.dumps(statement.envelope(body, [Signed(signing.fingerprint(signature), signature)]))


def reenveloped(envelope: Mapping[str, Any], **changed: Any) -> str:
    return json.dumps({**envelope, **changed}, sort_keys=True, separators=(",", ":"))
