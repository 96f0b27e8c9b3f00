"""What the documentation says the offline judge reaches, held against labelled claims where they are at hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.judge import labelled, mutants
from gitops.config import parse
from gitops.verify.judge import PairQuestion, Question, Vote
from gitops.verify.judge_scoring import Scored, auroc, balanced_accuracy
from gitops.verify.judges.offline import Offline
from gitops.verify.library import Library
from gitops.verify.questions import questions
from gitops.verify.view import View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CLAIMS = ROOT / "../shared/data/claims"
WIKIS = ROOT / "../shared/data/wikis"
needs_claims = pytest.mark.skipif(not CLAIMS.is_dir(), reason="no labelled claims here")


def published(name: str, figure: int) -> tuple[float, float]:
    """The interval of a set's figure, in per cent: 0 is balanced accuracy, 1 AUROC."""
    [row] = re.findall(rf"^\| `{name}`.*%?.*\(.*$", (ROOT / "docs/accuracy.md").read_text("utf-8"), re.MULTILINE)[:1]
    low, high = re.findall(r"\((\d+\.\d)–(\d+\.\d)\)", row)[figure]
    return float(low), float(high)


@needs_claims
@pytest.mark.parametrize("name", ["wice-dev", "begin-wow-dev", "faithdial-audit"])
def test_the_weights_in_use_reach_what_is_published(name: str) -> None:
    rows = [json.loads(line) for line in (CLAIMS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    votes = Offline().votes([Question(row["claim"], source="\n".join(row["source_sentences"])) for row in rows])
    cases = [
        Scored(row["label"] == "supports", vote.vote == "supports", vote.support)
        for row, vote in zip(rows, votes, strict=True)
        if vote.vote != "abstained" and vote.support is not None
    ]
    accuracy = balanced_accuracy(cases)
    assert accuracy is not None
    assert len(cases) >= 0.85 * len(rows)
    # The weights were trained on these claims, so they may do better than was published of unseen ones; not worse.
    assert 100 * accuracy >= published(name, 0)[0]


def test_both_pages_of_the_documentation_have_the_same_figures() -> None:
    row = re.compile(r"^\| .*\| .*\(\d+\.\d–\d+\.\d\) .*$", re.MULTILINE)
    here, there = (row.findall((ROOT / page).read_text("utf-8")) for page in ("docs/judges.md", "docs/accuracy.md"))
    assert len(here) == 6
    assert here == there


def refuses(found: Vote) -> bool:
    return found.may_gate and found.vote == "does_not_support"


@needs_claims
def test_planted_errors_are_refused_and_untouched_sentences_are_not() -> None:
    claims = labelled.claims(CLAIMS, ["begin-wow-dev", "faithdial-audit"])
    made = list(mutants.cases(claims))
    found = Counter(case.kind for case in made)
    caught = Counter(
        case.kind
        for case, vote in zip(made, Offline().votes([case.question for case in made]), strict=True)
        if refuses(vote)
    )
    assert caught[mutants.CONTROL] <= 1  # a label of theirs, which the documentation tells of
    for kind in ("number", "unit", "date", "negation", "opposite", "quantifier", mutants.SWAPPED):
        assert caught[kind] >= 0.6 * found[kind] > 0, (kind, caught, found)


@pytest.mark.skipif(not WIKIS.is_dir(), reason="the real wikis are not here")
def test_no_true_claim_of_a_real_wiki_is_refused() -> None:
    root = WIKIS / "citadel-beverages"
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    snapshot, config = MemorySnapshot(files), parse(b'[citations]\ndialects = ["canonical", "footnote_link", "remark"]')
    layout, library = Layout("", config.workspace), Library(config)
    pages = [path for path in files if layout.is_page(path)]
    rows = {path: facts(library.page(snapshot, path), path, layout) for path in pages}
    graph = MemoryGraph(rows, lambda path: snapshot.mode(path) is not None, Files(snapshot.paths))
    view = View(snapshot, layout, config, library, graph)
    asked = [one.question for path in pages for one in questions(view, path, view.page(path).claims)]
    assert len(asked) > 300
    votes = Offline().votes(asked)
    assert [asked[at].claim for at, vote in enumerate(votes) if refuses(vote)] == []
    assert sum(vote.vote == "supports" for vote in votes) > 0.6 * len(votes)


@needs_claims
def test_contradictions_are_told_apart_as_published() -> None:
    rows = [json.loads(line) for line in (CLAIMS / "contradictions-chatprotect.jsonl").read_text("utf-8").splitlines()]
    votes = Offline().pair_votes([PairQuestion(row["a"], row["b"]) for row in rows])
    cases = [
        Scored(row["label"] == "contradiction", True, vote.contradiction)
        for row, vote in zip(rows, votes, strict=True)
        if vote.contradiction is not None
    ]
    assert len(cases) == len(rows)
    found = auroc(cases)
    assert found is not None
    assert 100 * found >= published("contradictions-chatprotect", 1)[0]
