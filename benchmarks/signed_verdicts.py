"""1,000 signed verdicts verified in one go, against 1,000 bare `ssh-keygen -Y verify` of the same signatures.

What `git assay verdict verify A..B` does, without the start of the process: read the notes, recompute each statement
and the tree's digest, and verify the signature. The first time nothing is cached; the second time everything is.
"""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import signed_landings
from benchmarks.signed_landings import Landings
from benchmarks.timing import Options, Ratio, interleave
from gitops.errors import CannotRun
from gitops.git import notes, signing
from gitops.git.repository import open_repository
from gitops.runs import names
from gitops.runs.context import CACHE, Context
from gitops.runs.examining_many import survey
from gitops.verify import statement

FIRST, AGAIN = 1.2, 0.05
VERDICTS = 1_000


def run(options: Options) -> list[Ratio]:
    """Two figures: nothing cached, and everything."""
    count = options.size(VERDICTS)
    landings = signed_landings.build(options.scratch / "signed.git", count)
    sides = {"bare": bare(landings, options.scratch), "first": first(landings), "again": surveying(landings)}
    seconds = interleave(sides, options.rounds)
    floor = f"{count:,} ssh-keygen -Y verify"
    return [
        Ratio("verdicts verified, nothing cached", floor, FIRST, count, seconds["first"], seconds["bare"]),
        Ratio("verdicts verified again", floor, AGAIN, count, seconds["again"], seconds["bare"]),
    ]


def first(landings: Landings) -> Callable[[], None]:
    """The function behind the command as a side, with nothing remembered."""

    def forget_and_survey() -> None:
        for file in (landings.folder / "assay").glob(f"{CACHE}*"):
            file.unlink()
        surveying(landings)()

    return forget_and_survey


def surveying(landings: Landings) -> Callable[[], None]:
    """The function behind the command as a side; a verdict that does not hold is no measurement."""
    count = sum(1 for _ in _signatures(landings))

    def verify_all() -> None:
        found = survey(Context(open_repository(landings.folder)), landings.commits)
        if found.wrong or sum(found.signers.values()) != count:
            raise CannotRun(f"{len(found.wrong)} verdicts do not hold: {found.wrong[:1]}", "git assay verdict verify")

    return verify_all


def bare(landings: Landings, scratch: Path) -> Callable[[], None]:
    """ssh-keygen on each signature, its files ready beforehand: the floor."""
    folder = scratch / "bare"
    folder.mkdir()
    public = " ".join(landings.key.with_suffix(".pub").read_text().split()[:2])
    (folder / "allowed").write_text(f"{signed_landings.WHO} {public}\n")
    files = []
    for number, (data, signature) in enumerate(_signatures(landings)):
        files.append((folder / f"{number}.data", folder / f"{number}.sig"))
        files[-1][0].write_bytes(data)
        files[-1][1].write_text(_armoured(signature))
    words = ["ssh-keygen", "-Y", "verify", "-n", signing.NAMESPACE, "-f", str(folder / "allowed")]
    command = [*words, "-I", signed_landings.WHO]

    def verify_each() -> None:
        for data, signature in files:
            with data.open("rb") as asked:
                subprocess.run([*command, "-s", str(signature)], stdin=asked, stdout=subprocess.DEVNULL, check=True)

    return verify_each


def _signatures(landings: Landings) -> Iterator[tuple[bytes, bytes]]:
    """What was signed, and the signature, of each verdict in the notes."""
    for _, lines in notes.read_all(open_repository(landings.folder), names.VERDICTS):
        for value in map(json.loads, lines):
            if value["kind"] == "attestation":
                signed = value["envelope"]
                signature = base64.b64decode(signed["signatures"][0]["sig"])
                yield statement.pae(base64.b64decode(signed["payload"])), signature


def _armoured(signature: bytes) -> str:
    text = base64.b64encode(signature).decode()
    return f"-----BEGIN SSH SIGNATURE-----\n{text}\n-----END SSH SIGNATURE-----\n"
