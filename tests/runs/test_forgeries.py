"""The forgeries that issue and protocol name, each refused with its reason by the command that would believe it.

A row is one forgery: what is forged, at which door it is tried, and what the door says. What a pushed forgery meets at
the receiving end is in `tests/runs/receiving/`; each kind of record has its own cases beside the module that reads it.
"""

from __future__ import annotations

import json
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gitops import canonical
from gitops.git import signing
from gitops.runs import attesting, names
from gitops.verify import statement
from tests.runs import vouched
from tests.runs.driving import MAIN, Wiki, name, page
from tests.runs.measuring import measure
from tests.runs.signed import ALLOWED, OPTIONS, REVOKED, SignedWiki, public, record, signer
from tests.runs.signed import signed as signed
from tests.runs.voted import Two, forged, otherwise
from tests.runs.voted import two as two

pytestmark = pytest.mark.slow


@dataclass
class Forger:
    """Somebody who may push notes and branches, and whose key counts for nothing; and one landing that is sound."""

    signed: SignedWiki
    commit: str
    verdict_id: str

    @property
    def wiki(self) -> Wiki:
        return self.signed.wiki

    def verify(self, rev: str = "", *words: str) -> str:
        """What `git assay verdict verify` says, which must not be yes."""
        return self.refused("verdict", "verify", rev or self.commit, *words)

    def refused(self, *words: str) -> str:
        done = self.wiki.assay(*words)
        assert done.returncode in (1, 2, 3, 4), done
        assert "Traceback" not in done.stderr
        return " ".join((done.stdout + done.stderr).split())

    def commits(self, files: dict[str, str], message: str = "By hand") -> None:
        """Commit as a person would."""
        for path, text in files.items():
            target = self.wiki.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        self.wiki.git("add", "--all")
        self.wiki.git("commit", "--quiet", "--message", message)

    def signature(self, data: bytes, namespace: str) -> str:
        words = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", str(self.signed.key)]
        done = subprocess.run(words, input=data, capture_output=True, check=True)
        return "".join(done.stdout.decode().split("\n")[1:-2])

    def allows(self, line: str) -> None:
        """Have this repository's own configuration name these signers."""
        path = self.wiki.folder.parent / "allowed"
        path.write_text(line)
        self.wiki.git("config", "assay.allowedSignersFile", str(path))

    def claims(self, **changed: object) -> str:
        """What is said of a statement that an allowed key really signed, about something else."""
        self.signed.replace_envelope(self.commit, self.signed.forged(self.commit, self.signed.key, **changed))
        return self.verify()

    def spelt(self, change: Callable[[str], str]) -> str:
        """What is said of the sound statement, spelt in another way."""
        envelope = json.loads(self.signed.envelope(self.commit))
        text = change(b64decode(envelope["payload"]).decode())
        envelope["payload"] = b64encode(text.encode()).decode()
        envelope["signatures"][0]["sig"] = self.signature(statement.pae(text.encode()), signing.NAMESPACE)
        self.signed.replace_envelope(self.commit, canonical.dumps(envelope))
        return self.verify()


@pytest.fixture
def forger(signed: SignedWiki) -> Forger:
    commit, verdict = signed.landed()
    return Forger(signed, commit, verdict.id)


def _unsigned(forger: Forger) -> str:
    lines = forger.signed.lines(forger.commit)
    forger.signed.write(forger.commit, *(line for line in lines if attesting.parsed(line) is None))
    return forger.verify()


def _namespace(forger: Forger) -> str:
    envelope = json.loads(forger.signed.envelope(forger.commit))
    envelope["signatures"][0]["sig"] = forger.signature(statement.pae(b64decode(envelope["payload"])), "git")
    forger.signed.replace_envelope(forger.commit, canonical.dumps(envelope))
    return forger.verify()


def _not_allowed(forger: Forger) -> str:
    forger.signed.replace_envelope(forger.commit, forger.signed.forged(forger.commit, forger.signed.other))
    return forger.verify()


def _expired(forger: Forger) -> str:
    forger.allows(signer(forger.signed.key, f'{OPTIONS},valid-before="20240101Z"'))
    return forger.verify()


def _revoked(forger: Forger) -> str:
    forger.commits({REVOKED: f"{public(forger.signed.key)}\n"})
    return forger.verify()


def _allowed_and_revoked(forger: Forger) -> str:
    forger.commits({ALLOWED: signer(forger.signed.key), REVOKED: signer(forger.signed.key).split(" ", 2)[2]})
    return forger.refused("run", "finish", forger.wiki.run({name(1): page(1)}).id)


def _revoked_unreadably(forger: Forger) -> str:
    forger.commits({REVOKED: "the one that Ada lost\n"})
    return forger.verify()


def _removed_since(forger: Forger) -> str:
    """A key that signed what landed, and that the policy names no longer, signs nothing that lands now."""
    forger.commits({ALLOWED: signer(forger.signed.other)})
    return forger.refused("run", "finish", forger.wiki.run({name(1): page(1)}).id)


def _allowed_by_the_change(forger: Forger) -> str:
    forger.signed.use(forger.signed.other)
    forger.wiki.git("switch", "--quiet", "-c", "run/mine")
    forger.commits({ALLOWED: signer(forger.signed.other), name(1): page(1)})
    forger.wiki.git("switch", "--quiet", "main")
    return forger.refused("run", "finish", "mine")


def _weakened(forger: Forger) -> str:
    forger.signed.use(None)
    weak = forger.wiki.show("assay.toml").replace("signed = true", "signed = false")
    forger.wiki.git("switch", "--quiet", "-c", "run/weak")
    forger.commits({"assay.toml": weak, name(1): page(1)})
    forger.wiki.git("switch", "--quiet", "main")
    return forger.refused("run", "finish", "weak")


def _weakened_with_a_key(forger: Forger) -> str:
    forger.wiki.git("switch", "--quiet", "-c", "run/weak")
    forger.commits({"assay.toml": forger.wiki.show("assay.toml") + '\n[checks.links]\nlevel = "off"\n'})
    forger.wiki.git("switch", "--quiet", "main")
    return forger.refused("run", "finish", "weak")


def _no_checks(forger: Forger) -> str:
    silent = "".join(f'[checks.{each}]\nlevel = "off"\n' for each in ("links", "path_acl", "raw_sealed"))
    forger.commits({"assay.toml": forger.wiki.show("assay.toml") + "\n" + silent})
    return forger.refused("run", "start")


def _moved(forger: Forger, to: str) -> None:
    """The sound note on another commit, its verdict saying that it is about that one."""
    from gitops.runs import store

    [verdict] = store.verdicts_on(forger.wiki.context(), forger.commit)
    moved = verdict.model_copy(update={"candidate": to}).named()
    body = moved.record()
    envelope = forger.signed.envelope(forger.commit)
    forger.signed.write(to, canonical.line(body.pop("summary"), body), record(moved.id, envelope))


def _another_base(forger: Forger) -> str:
    forger.commits({name(1): page(1)})
    tip = str(forger.wiki.ref(MAIN))
    forger.wiki.git(
        "reset", "--quiet", "--hard", forger.wiki.git("commit-tree", f"{forger.commit}^{{tree}}", "-p", tip)
    )
    _moved(forger, str(forger.wiki.ref(MAIN)))
    return forger.verify("main")


def _reverted(forger: Forger) -> str:
    """The tree that was verified once comes back, by a commit that nobody verified."""
    second, _ = forger.signed.landed(pages={name(1): page(1)})
    forger.wiki.git("revert", "--no-edit", "-m1", second)
    _moved(forger, str(forger.wiki.ref(MAIN)))
    return forger.verify("main")


def _another_ref(forger: Forger) -> str:
    forger.wiki.git("branch", "release", forger.commit)
    return forger.verify("release", "--target", "release")


def _another_repository(forger: Forger) -> str:
    forger.wiki.git("config", "assay.repository", "https://example.org/fork.git")
    return forger.verify()


def _truncated(forger: Forger) -> str:
    lines = forger.signed.lines(forger.commit)
    cut = [line if attesting.parsed(line) is None else line[:-40] for line in lines]
    forger.signed.write(forger.commit, *cut)
    return forger.verify()


def _many_signatures(forger: Forger) -> str:
    envelope = json.loads(forger.signed.envelope(forger.commit))
    envelope["signatures"] *= 10_000
    forger.signed.replace_envelope(forger.commit, canonical.dumps(envelope))
    return forger.verify()


def _dropped(forger: Forger) -> str:
    forger.wiki.git("update-ref", "-d", names.VERDICTS)
    return forger.verify()


def _rewritten(forger: Forger) -> str:
    """The record says another thing, under its own new id, with the signature of what it said before."""
    from gitops.runs import store

    [verdict] = store.verdicts_on(forger.wiki.context(), forger.commit)
    changed = verdict.model_copy(update={"reasoning": "Trust me."}).named()
    body = changed.record()
    envelope = forger.signed.envelope(forger.commit)
    forger.signed.write(forger.commit, canonical.line(body.pop("summary"), body), record(changed.id, envelope))
    return forger.verify()


def _override(forger: Forger) -> str:
    """An override that a stranger writes into the note of a refused change is no way to land it."""
    from gitops.runs import store

    run = forger.wiki.run({name(1): page(1, "the sea never moves")})
    refused = forger.wiki.finish(run).verdict
    assert refused is not None
    body = refused.model_copy(update={"verdict": "commit_override", "supersedes": (refused.id,)}).named()
    store.append_verdict(forger.wiki.context(), body)
    return forger.refused("run", "finish", run.id)


def _ack(forger: Forger) -> str:
    made = vouched.ack(forger.signed)
    made.reseal(made.forged(forger.signed.other))
    return _gate(forger)


def _measurement(forger: Forger) -> str:
    made = vouched.healthy(forger.signed)
    made.write(*made.bare)
    return _gate(forger)


def _gate(forger: Forger) -> str:
    return forger.refused("run", "start", "--type", "cascade")


def _rests_on_nothing(forger: Forger) -> str:
    """The measurement that a signed verdict names is dropped from the notes."""
    measure(forger.wiki, "M2", 0.95, "healthy")
    commit, _ = forger.signed.landed(pages={name(1): page(1)})
    assert forger.wiki.assay("verdict", "verify", commit).returncode == 0
    forger.wiki.git("update-ref", "-d", names.EVALS)
    return forger.verify(commit)


def _raw_trailer(forger: Forger) -> str:
    forger.wiki.git("switch", "--quiet", "-c", "run/source")
    forger.commits({"raw/more.md": "Made up.\n"}, "Add a source\n\nAssay-Raw: raw/more.md")
    forger.wiki.git("switch", "--quiet", "main")
    return forger.refused("run", "finish", "source")


_FORGERIES: dict[str, tuple[Callable[[Forger], str], str]] = {
    "unsigned": (_unsigned, "the verdict is not signed"),
    "wrong namespace": (_namespace, "it was made in another namespace than git-assay-verdict"),
    "a key that is not allowed": (_not_allowed, "is none of the allowed signers'"),
    "an expired key": (_expired, "key has expired"),
    "a revoked key": (_revoked, "of ada@example.org is revoked"),
    "a key both allowed and revoked": (_allowed_and_revoked, "of ada@example.org is revoked"),
    "a list of revoked keys that nobody can read": (_revoked_unreadably, "the list of revoked keys cannot be read"),
    "a key that was taken out since": (_removed_since, "is none of the allowed signers'"),
    "a key that the change itself allows": (_allowed_by_the_change, "path_acl"),
    "a forged ack": (_ack, "the ack"),
    "a forged measurement": (_measurement, "does not count: it is not signed"),
    "a verdict whose measurement is gone": (_rests_on_nothing, "which is not in the notes"),
    "a forged override": (_override, "rejected"),
    "a forged Assay-Raw trailer": (_raw_trailer, "raw_sealed"),
    "replayed for another base": (_another_base, "the verdict is for another base"),
    "replayed for another repository": (_another_repository, "repository is signed as"),
    "replayed for another ref": (_another_ref, "the verdict is for another target"),
    "replayed for another run": (lambda forger: forger.claims(run="another-run"), "run is signed as"),
    "replayed for another tree": (lambda forger: forger.claims(to={"gitTree": "1" * 40}), "to.gitTree is signed as"),
    "replayed for a reverted tree": (_reverted, "the verdict is for another base"),
    "truncated": (_truncated, "the verdict is not signed"),
    "a statement cut short": (lambda forger: forger.spelt(lambda text: text[:-9]), "the statement cannot be read"),
    "duplicate keys": (
        lambda forger: forger.spelt(lambda text: text[:-1] + ',"subject":[]}'),
        "a name occurs twice in one object",
    ),
    "not canonical": (lambda forger: forger.spelt(lambda text: text + " "), "is not canonical JSON"),
    "10,000 signatures": (_many_signatures, "the envelope bears 10,000 signatures, more than 16"),
    "policy weakened in the change itself": (_weakened, "no signing key is configured"),
    "checks loosened in the change itself": (_weakened_with_a_key, "writes the policy that judges it"),
    "an empty set of checks": (_no_checks, "path_acl"),
    "notes dropped": (_dropped, "no verdict on"),
    "notes rewritten": (_rewritten, "record.sha256 is signed as"),
}


@pytest.mark.parametrize(("forge", "why"), _FORGERIES.values(), ids=_FORGERIES)
def test_a_forgery_is_refused_with_its_reason(forger: Forger, forge: Callable[[Forger], str], why: str) -> None:
    assert why in forge(forger)


def test_a_forged_cached_vote_is_not_believed_and_the_model_is_asked_again(two: Two) -> None:
    assert not two.votes_again()
    two.begin_again()
    two.write(*forged(two, [otherwise(vote, reason="trust me") for vote in two.records("judgement")], two.other))
    assert two.votes_again()
    assert any("the list of votes" in told and "is none of the allowed signers'" in told for told in two.there.told)


def test_what_is_not_forged_is_believed(forger: Forger) -> None:
    done = forger.wiki.assay("verdict", "verify", forger.commit)
    assert (done.returncode, done.stderr) == (0, "")
