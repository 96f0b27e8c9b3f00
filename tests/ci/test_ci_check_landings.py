"""What landed with a signed verdict is not judged again; anything less is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitops.ci.checking import Asked, check
from gitops.ci.events import Event
from gitops.ci.outcome import Checked
from gitops.ci.spans import span
from tests.runs.driving import Wiki, name, page
from tests.runs.signed import POLICY, SignedWiki, make_key, signer


@pytest.fixture
def signed(make_repository: object, tmp_path: Path) -> SignedWiki:
    from tests.runs.driving import first_files

    key, other = make_key(tmp_path, "verifier"), make_key(tmp_path, "other")
    files = {**first_files(POLICY), ".assay/allowed_signers": signer(key)}
    wiki = Wiki(make_repository(files))  # type: ignore[operator]
    made = SignedWiki(wiki, key, other)
    made.use(key)
    return made


def checked(wiki: Wiki, base: str) -> Checked:
    context = wiki.context()
    [found] = check(context, span(context, Event(), base, None), Asked(metric="none"))
    return found


def test_signed_landings_and_intakes_stand_by_their_verdicts(signed: SignedWiki) -> None:
    wiki = signed.wiki
    base = wiki.git("rev-parse", "main")
    signed.landed()
    (wiki.folder / "raw/new.md").write_text("Rain.\n")
    wiki.git("add", "raw/new.md")
    wiki.git("commit", "--quiet", "--message", "Bring a source in")
    found = checked(wiki, base)
    assert (found.result.outcome, found.result.decision) == ("passed", "commit")
    assert found.result.reasoning == "1 landing with a signed verdict that holds"
    assert found.result.trust == "signed by verifier@example.org"
    assert found.result.intakes == ("raw/new.md",)


def test_a_landing_that_somebody_signed_against_the_verdict_is_told_with_its_reason(signed: SignedWiki) -> None:
    from gitops.runs import overriding

    wiki = signed.wiki
    base = wiki.git("rev-parse", "main")
    run = wiki.run({name(0): page(0, "the sea rises once a year")})
    assert wiki.finish(run).result == "rejected"
    assert overriding.override(wiki.context(), run.id, "The gauge says so").result == "landed"
    found = checked(wiki, base)
    assert found.result.outcome == "passed"
    [told] = found.result.overrides
    assert "signed by verifier@example.org" in told
    assert "The gauge says so" in told


def test_with_anything_else_among_them_the_whole_is_judged(signed: SignedWiki) -> None:
    wiki = signed.wiki
    base = wiki.git("rev-parse", "main")
    signed.landed()
    (wiki.folder / name(1)).write_text(page(1, "the sea rises once a year"))
    wiki.git("add", name(1))
    wiki.git("commit", "--quiet", "--message", "By hand")
    found = checked(wiki, base)
    assert (found.result.outcome, found.result.decision) == ("failed", "reject")
    assert {line.path for line in found.result.findings} == {name(1)}


def test_a_change_cannot_bring_the_key_that_signs_for_it(signed: SignedWiki) -> None:
    wiki = signed.wiki
    base = wiki.git("rev-parse", "main")
    (wiki.folder / ".assay/allowed_signers").write_text(signer(signed.other))
    wiki.git("commit", "--quiet", "--all", "--message", "Let my key sign")
    signed.use(signed.other)
    run = wiki.run({name(0): page(0, "the sea rises once a year")})
    from gitops.runs import overriding

    assert wiki.finish(run).result == "rejected"
    assert overriding.override(wiki.context(), run.id, "I say so").result == "landed"
    found = checked(wiki, base)
    assert (found.result.outcome, found.result.overrides) == ("failed", ())
    assert found.result.policy_changed == (".assay/allowed_signers",)


def test_a_verdict_for_another_branch_lets_nothing_pass_here(signed: SignedWiki) -> None:
    wiki = signed.wiki
    base = wiki.git("rev-parse", "main")
    signed.landed()
    context = wiki.context()
    event = Event(base=base, head=wiki.git("rev-parse", "main"), target="release")
    [found] = check(context, span(context, event, None, None), Asked(metric="none", event=event))
    assert found.result.reasoning != "1 landing with a signed verdict that holds"
    assert found.result.decision == "commit"  # judged here, and sound


def test_landings_that_were_merged_with_newer_work_are_judged_as_merged(signed: SignedWiki) -> None:
    wiki = signed.wiki
    wiki.git("branch", "behind")
    signed.landed()
    wiki.git("switch", "--quiet", "behind")
    (wiki.folder / "notes.txt").write_text("more of nobody's business\n")
    wiki.git("commit", "--quiet", "--all", "--message", "Newer work")
    context = wiki.context()
    [found] = check(context, span(context, Event(), "behind", "main"), Asked(metric="none"))
    assert found.result.decision == "commit"
    assert found.result.trust.startswith("judged here and not signed")
