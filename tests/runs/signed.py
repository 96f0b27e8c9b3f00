"""A wiki whose policy wants verdicts signed, with real keys made by ssh-keygen."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitops import canonical
from gitops.git import notes, signing
from gitops.runs import attesting, names, store, trusting
from gitops.runs.examining import Examined, examine
from gitops.runs.records import id_of
from gitops.verify import statement
from gitops.verify.statement import Signed
from gitops.verify.verdict import Verdict
from tests.runs.driving import Wiki, first_files

REPOSITORY = "https://example.org/tides.git"
POLICY = f'[trust]\nsigned = true\nrepository = "{REPOSITORY}"\n'
ALLOWED, REVOKED = ".assay/allowed_signers", ".assay/revoked_keys"
OPTIONS = f'namespaces="{signing.NAMESPACE}"'


def make_key(folder: Path, name: str) -> Path:
    """A new key without a passphrase; the path of its private half."""
    path = folder / name
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{name}@example.org", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


def public(key: Path) -> str:
    """The public half, without its comment."""
    return " ".join(key.with_suffix(".pub").read_text().split()[:2])


def signer(key: Path, options: str = OPTIONS, who: str = "") -> str:
    """A line of an allowed signers file."""
    return f"{who or key.name + '@example.org'} {options} {public(key)}\n"


@dataclass
class SignedWiki:
    """The wiki, the key that may sign and one that may not."""

    wiki: Wiki
    key: Path
    other: Path

    def use(self, key: Path | None) -> None:
        if key is None:
            self.wiki.git("config", "--unset", "assay.signingkey")
        else:
            self.wiki.git("config", "assay.signingkey", str(key))

    def landed(self, **pages: Any) -> tuple[str, Verdict]:
        """Land one sound run; its commit and verdict."""
        outcome = self.wiki.finish(self.wiki.run(**pages))
        assert outcome.result == "landed"
        assert outcome.verdict is not None
        return outcome.commit, outcome.verdict

    def lines(self, commit: str) -> list[str]:
        return notes.read(self.wiki.context().repository, names.VERDICTS, commit)

    def envelope(self, commit: str) -> str:
        context = self.wiki.context()
        [verdict] = store.verdicts_on(context, commit)
        [found] = attesting.envelopes(self.lines(commit), verdict.id)
        return found

    def write(self, commit: str, *lines: str) -> None:
        """Put these lines, and no others, on a commit: what anybody can do who may push notes."""
        text = "".join(f"{line}\n" for line in lines)
        blob = subprocess.run(
            ["git", "-C", self.wiki.folder, "hash-object", "-w", "--stdin"], input=text, capture_output=True, text=True
        )
        self.wiki.git("notes", f"--ref={names.VERDICTS}", "add", "-f", "-C", blob.stdout.strip(), commit)

    def replace_envelope(self, commit: str, envelope: str) -> None:
        """The same note with another envelope."""
        [verdict] = store.verdicts_on(self.wiki.context(), commit)
        rest = [line for line in self.lines(commit) if attesting.parsed(line) is None]
        self.write(commit, *rest, record(verdict.id, envelope))

    def forged(self, commit: str, key: Path, **changed: Any) -> str:
        """An envelope about a commit's verdict with other things in its predicate, really signed."""
        context = self.wiki.context()
        [verdict] = store.verdicts_on(context, commit)
        stated = statement.statement(verdict, trusting.facts(context, "", verdict))
        stated["predicate"] |= changed
        return sealed(stated, key)

    def examine(self, commit: str, target: str | None = None) -> Examined:
        return examine(self.wiki.context(), commit, target)


def record(verdict_id: str, envelope: str) -> str:
    """A line with an envelope, with the id that it must bear; the envelope stands in it as it is given."""
    text = canonical.dumps({"kind": "attestation", "schema": attesting.SCHEMA, "verdict_id": verdict_id})
    value = canonical.strict_json(f'{{"envelope":{envelope},{text[1:]}')
    return canonical.line("signed, or so it says", value | {"id": id_of(value)})


def sealed(stated: Mapping[str, Any], key: Path) -> str:
    """A statement in an envelope that a key has signed."""
    body = statement.payload(dict(stated))
    signature = signing.sign(str(key), statement.pae(body))
    return canonical.dumps(statement.envelope(body, [Signed(signing.fingerprint(signature), signature)]))


@pytest.fixture
def signed(make_repository: Callable[..., Path], tmp_path: Path) -> SignedWiki:
    key, other = make_key(tmp_path, "ada"), make_key(tmp_path, "eve")
    made = SignedWiki(Wiki(make_repository(first_files(POLICY) | {ALLOWED: signer(key)}, name="wiki")), key, other)
    made.use(key)
    return made
