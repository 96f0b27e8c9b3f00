"""The hard rule: what is calibrated changes only where a kept ablation shows that it does no harm."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from gitops.errors import CannotRun
from gitops.git import notes, treediff
from gitops.git.repository import open_repository
from gitops.runs import names
from gitops.runs.context import Context
from gitops.runs.measurements import ABLATION, measurements_on
from gitops.runs.workspace import find
from gitops.suites import loading, measuring
from gitops.suites.ablating import Ablating
from gitops.suites.configured import Configured
from gitops.suites.flow import Wanted
from gitops.suites.unablated import Unablated, unablated
from tests.runs.signed import ALLOWED, make_key, signer
from tests.runs.signed import POLICY as SIGNED
from tests.suites import ablation_wiki

MakeRepository = Callable[..., Path]
CommitFiles = Callable[..., str]
BEGUN = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
NOT_KEPT = "no ablation of it was kept that counts here"


@dataclass(frozen=True)
class Wiki:
    """A repository whose base has a suite, and what one does with it."""

    path: Path
    base: str
    commit_files: CommitFiles
    minutes: Iterator[int] = field(default_factory=count)
    """Each thing that is done is done a minute later: what came first is known by the second."""

    def commit(self, **files: str | None) -> str:
        named = {
            name.replace("__", "/").replace("_md", ".md").replace("_toml", ".toml").replace("_sh", ".sh"): text
            for name, text in files.items()
        }
        return self.commit_files(self.path, named)

    def use(self, key: Path) -> None:
        """Sign with a key."""
        subprocess.run(["git", "-C", str(self.path), "config", "assay.signingkey", str(key)], check=True)

    def context(self) -> Context:
        now = BEGUN + timedelta(minutes=next(self.minutes))
        return Context(open_repository(self.path), clock=lambda: now)

    def ablate(self, *variants: Configured | str, repeats: int = 2, seed: int = 0) -> None:
        context = self.context()
        named = [one if isinstance(one, Configured) else Configured(one[:7], one) for one in variants]
        control = find(context.repository, named[0].commit)
        suites = loading.suites_at(context, control, named[0].commit)
        runs = Ablating(context, control, named, Wanted(repeats, jobs=2, seed=seed)).runs(suites)
        measuring.record(context, control, runs, "", "ablation")

    def unablated(self, head: str, base: str = "") -> list[Unablated]:
        context, since = self.context(), base or self.base
        workspace = find(context.repository, since)
        trees = (context.commit(commit).tree for commit in (since, head))
        changed = [entry.path for entry in treediff.changed(context.repository, *trees)]
        suites = loading.suites_at(context, workspace, since)
        return unablated(context, workspace, since, head, changed, suites)


@pytest.fixture
def wiki(make_repository: MakeRepository, commit_files: CommitFiles) -> Wiki:
    """40 cases: two repeats of them are enough to show that there is no harm."""
    path = make_repository(ablation_wiki.files(40))
    return Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)


def whys(found: Sequence[Unablated]) -> list[tuple[str, str, str]]:
    return [(one.key, one.suite_id, one.why) for one in found]


def test_what_is_not_calibrated_needs_none(wiki: Wiki) -> None:
    assert wiki.unablated(wiki.commit(wiki__a_md="# B\n")) == []
    assert wiki.unablated(wiki.commit(assay_toml=ablation_wiki.POLICY + "[llm]\nverifier = 'claude'\n")) == []


def test_a_prompt_that_changes_needs_one_and_one_that_shows_no_harm_is_enough(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    [found] = wiki.unablated(head)
    assert (found.key, found.suite_id, found.why) == ("prompts/answer.md", "words", NOT_KEPT)
    assert found.mend == f"git assay benchmark ablation {wiki.base[:10]} {head[:10]} --suite words --runs 5"
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []
    later = wiki.commit(wiki__a_md="# B\n")
    assert wiki.unablated(later) == []  # what the suite does not depend on may change since
    assert whys(wiki.unablated(wiki.commit(prompts__answer_md=ablation_wiki.prompt(42)))) == [
        (
            "prompts/answer.md",
            "words",
            "no ablation has what the base has as its control and what the head has as a treatment",
        )
    ]


def test_a_preset_and_weights_are_held_to_the_same(wiki: Wiki) -> None:
    policy = ablation_wiki.POLICY + '[llm.presets.claude]\nmodel = "other"\n[eviction]\nkeep = 0.5\n'
    head = wiki.commit(assay_toml=policy)
    assert whys(wiki.unablated(head)) == [
        ("eviction", "", "no suite depends on it, so that nothing shows whether it does harm"),
        ("llm.presets.claude", "words", NOT_KEPT),
    ]
    wiki.ablate(wiki.base, head)
    assert [one.key for one in wiki.unablated(head)] == ["eviction"]


def test_harm_is_no_proof_that_there_is_none(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(30))
    wiki.ablate(wiki.base, head)
    [found] = wiki.unablated(head)
    assert found.why == "pass_rate: worse by more than chance"
    assert found.mend.startswith("change it so that it does no harm, then git assay benchmark ablation ")


@pytest.mark.slow
def test_few_repeats_are_no_proof_and_more_of_them_add_up(
    make_repository: MakeRepository, commit_files: CommitFiles
) -> None:
    path = make_repository(ablation_wiki.files(25))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(26))
    wiki.ablate(wiki.base, head, repeats=1)
    [found] = wiki.unablated(head)
    told = "pass_rate: it may be worse by more than 0.05; 5 repeats in all would tell, if they come out alike"
    assert found.why == told
    assert found.mend.endswith("--runs 4 --seed 1")
    wiki.ablate(wiki.base, head, repeats=4)  # the first of which has the seed that was tried already
    [found] = wiki.unablated(head)
    assert found.mend.endswith("--runs 2 --seed 4")  # at the third look it has to be surer
    wiki.ablate(wiki.base, head, repeats=2, seed=4)
    assert wiki.unablated(head) == []


@pytest.mark.slow
def test_the_same_draws_again_say_no_more_than_once(make_repository: MakeRepository, commit_files: CommitFiles) -> None:
    path = make_repository(ablation_wiki.files(25))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(26))
    for _ in range(4):
        wiki.ablate(wiki.base, head, repeats=1)
    [found] = wiki.unablated(head)
    assert found.mend.endswith("--runs 4 --seed 1")


def test_harm_by_one_grading_is_not_forgotten_for_another(
    make_repository: MakeRepository, commit_files: CommitFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = ablation_wiki.AGENT.replace("printf", 'case "$known/$ASSAY_SEED" in *late/[0-9]) said="?" ;; esac\nprintf')
    path = make_repository({**ablation_wiki.files(40), "agent.sh": late})
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(40).strip() + " late\n")
    wiki.ablate(wiki.base, head)
    assert [one.why for one in wiki.unablated(head)] == ["pass_rate: worse by more than chance"]
    monkeypatch.setattr("gitops.suites.grading.VERSION", 99)
    wiki.ablate(wiki.base, head, seed=10)
    [found] = wiki.unablated(head)
    assert found.why == "pass_rate, by another judge or grading: worse by more than chance"
    assert found.mend.startswith("change it so that it does no harm")


def test_a_control_that_was_broken_elsewhere_shows_nothing(
    make_repository: MakeRepository, commit_files: CommitFiles
) -> None:
    depends = {"paths": ["agent.sh"], "prompts": ["prompts/*"]}
    path = make_repository(ablation_wiki.files(40, depends_on=depends))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    worse = wiki.commit(prompts__answer_md=ablation_wiki.prompt(30))
    broken = ablation_wiki.AGENT.replace("printf", 'case "$word" in *[12]*) said="?" ;; esac\nprintf')
    control = wiki.commit(prompts__answer_md=ablation_wiki.prompt(40), agent_sh=broken)
    wiki.ablate(control, worse)
    told = "no ablation has what the base has as its control and what the head has as a treatment"
    assert [one.why for one in wiki.unablated(worse)] == [told]


@pytest.mark.slow
def test_what_the_suite_depends_on_does_not_change_after_the_ablation(
    make_repository: MakeRepository, commit_files: CommitFiles
) -> None:
    depends = {"paths": ["agent.sh"], "prompts": ["prompts/*"]}
    path = make_repository(ablation_wiki.files(40, depends_on=depends))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []
    later = wiki.commit(agent_sh=f"{ablation_wiki.AGENT}# otherwise\n")
    assert [one.key for one in wiki.unablated(later)] == ["prompts/answer.md"]
    wiki.ablate(wiki.base, later, seed=2)
    assert wiki.unablated(later) == []


def test_a_link_in_place_of_a_prompt_is_refused(wiki: Wiki) -> None:
    (wiki.path / "prompts/answer.md").unlink()
    (wiki.path / "elsewhere").mkdir()
    (wiki.path / "elsewhere/answer.md").write_text(ablation_wiki.prompt(40))
    (wiki.path / "prompts/answer.md").symlink_to("../elsewhere/answer.md")
    head = wiki.commit(wiki__a_md="# B\n")
    wiki.ablate(wiki.base, head)
    told = "prompts/answer.md is a symbolic link, and what it leads to could change without an ablation"
    assert whys(wiki.unablated(head)) == [("prompts/answer.md", "", told)]
    (wiki.path / "prompts/answer.md").unlink()
    (wiki.path / "prompts").rmdir()
    (wiki.path / "prompts").symlink_to("elsewhere")
    head = wiki.commit(wiki__a_md="# C\n")
    wiki.ablate(wiki.base, head)
    assert [one.why for one in wiki.unablated(head)] == [told.replace("prompts/answer.md", "prompts")]


def test_the_wrong_way_round_is_another_change(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(30))
    wiki.ablate(head, wiki.base)  # that going back does no harm says nothing of going there
    assert [one.key for one in wiki.unablated(head)] == ["prompts/answer.md"]


def test_what_was_told_to_targets_besides_speaks_for_no_commit(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, Configured("tuned", head, {"temperature": 0}))
    assert [one.key for one in wiki.unablated(head)] == ["prompts/answer.md"]


@pytest.mark.slow
def test_another_change_beside_it_speaks_for_neither(wiki: Wiki) -> None:
    both = wiki.commit(
        prompts__answer_md=ablation_wiki.prompt(41),
        assay_toml=ablation_wiki.POLICY + '[llm.presets.claude]\nmodel = "other"\n',
    )
    wiki.ablate(wiki.base, both)
    assert wiki.unablated(both) == []
    one = wiki.commit(assay_toml=ablation_wiki.POLICY)
    assert [each.key for each in wiki.unablated(one)] == ["prompts/answer.md"]


@pytest.mark.slow
def test_one_key_alone_speaks_not_for_two_that_change_together(wiki: Wiki) -> None:
    one = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, one)
    both = wiki.commit(assay_toml=ablation_wiki.POLICY + '[llm.presets.claude]\nmodel = "other"\n')
    wiki.ablate(one, both)
    assert [each.key for each in wiki.unablated(both)] == ["llm.presets.claude", "prompts/answer.md"]
    assert wiki.unablated(both, base=one) == []


def test_an_older_version_of_the_suite_shows_nothing_of_this_one(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, head)
    wiki.commit(prompts__answer_md=ablation_wiki.prompt(40))
    changed = json.dumps(ablation_wiki.suite(39, version="1.1.0"))
    base = wiki.commit_files(wiki.path, {"gold/suites/words/suite.json": changed})
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    told = "the ablations that were kept are of another version of the suite"
    assert whys(wiki.unablated(head, base)) == [("prompts/answer.md", "words", told)]


def test_the_suites_are_those_of_the_base_whatever_the_change_makes_of_them(wiki: Wiki) -> None:
    tame = json.dumps(ablation_wiki.suite(1, depends_on={"paths": ["nothing"]}))
    wiki.commit_files(wiki.path, {"gold/suites/words/suite.json": tame})
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(1))
    assert [(one.key, one.suite_id) for one in wiki.unablated(head)] == [("prompts/answer.md", "words")]


def test_what_is_calibrated_is_said_by_the_base(make_repository: MakeRepository, commit_files: CommitFiles) -> None:
    policy = ablation_wiki.POLICY + '[benchmarks]\ncalibrated = ["agent.sh"]\n'
    path = make_repository(ablation_wiki.files(40, policy, depends_on={"paths": ["agent.sh"]}))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(assay_toml=ablation_wiki.POLICY, agent_sh=f"{ablation_wiki.AGENT}# tuned\n")
    assert whys(wiki.unablated(head)) == [("agent.sh", "words", NOT_KEPT)]
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []


def test_a_prompt_that_moves_is_two_that_change(wiki: Wiki) -> None:
    head = wiki.commit(
        prompts__answer_md=None,
        prompts__other_md=ablation_wiki.prompt(40),
        agent_sh=ablation_wiki.AGENT.replace("prompts/answer.md", "prompts/other.md"),
    )
    assert [one.key for one in wiki.unablated(head)] == ["prompts/answer.md", "prompts/other.md"]
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []


def test_cases_that_nobody_judged_show_nothing(make_repository: MakeRepository, commit_files: CommitFiles) -> None:
    cases = [each | {"expected": {"mode": "human"}} for each in ablation_wiki.cases(40)]
    path = make_repository(ablation_wiki.files(40, cases=cases))
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, head)
    assert [one.why for one in wiki.unablated(head)] == ["pass_rate: nothing was tried and judged on both sides"]


def test_a_note_that_was_changed_by_hand_counts_for_nothing(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(30))
    wiki.ablate(wiki.base, head)
    context = wiki.context()
    lines = notes.read(context.repository, names.EVALS, head)
    better = [
        line.replace('"status":"fail"', '"status":"pass"').replace('"pass_rate":0.0', '"pass_rate":1.0')
        for line in lines
    ]
    assert better != lines
    _replaced(wiki.path, head, better)
    warned: list[str] = []
    assert measurements_on(Context(open_repository(wiki.path), warn=warned.append), head, ABLATION) == []
    assert any("its id is not the digest of its content" in told for told in warned)
    assert [one.why for one in wiki.unablated(head)] == ["of the ablations that were kept a part is missing"]


def test_repeats_that_were_taken_out_leave_a_part_that_shows_nothing(wiki: Wiki) -> None:
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []
    lines = [line for line in notes.read(wiki.context().repository, names.EVALS, head) if '"repeat":1' not in line]
    _replaced(wiki.path, head, lines)
    assert [one.why for one in wiki.unablated(head)] == ["of the ablations that were kept a part is missing"]


@pytest.mark.slow
def test_where_signatures_are_demanded_it_has_to_be_signed_by_who_may(
    make_repository: MakeRepository, commit_files: CommitFiles, tmp_path: Path
) -> None:
    key, other = make_key(tmp_path, "writer"), make_key(tmp_path, "other")
    policy = ablation_wiki.POLICY + SIGNED
    path = make_repository({**ablation_wiki.files(40, policy), ALLOWED: signer(key)})
    wiki = Wiki(path, commit_files(path, {"wiki/a.md": "# A\n"}), commit_files)
    head = wiki.commit(prompts__answer_md=ablation_wiki.prompt(41))
    with pytest.raises(CannotRun, match="unsigned it opens no gate"):
        wiki.ablate(wiki.base, head)
    assert [one.why for one in wiki.unablated(head)] == [NOT_KEPT]
    wiki.use(other)
    with pytest.raises(CannotRun):
        wiki.ablate(wiki.base, head)
    assert [one.why for one in wiki.unablated(head)] == [NOT_KEPT]
    wiki.use(key)
    wiki.ablate(wiki.base, head)
    assert wiki.unablated(head) == []


def _replaced(repository: Path, commit: str, lines: Sequence[str]) -> None:
    command = ["git", "-C", str(repository), "notes", "--ref", names.EVALS, "add", "-f", "-F", "-", commit]
    subprocess.run(command, input="\n".join(lines).encode(), check=True, capture_output=True)
