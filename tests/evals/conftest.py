"""A small wiki in which every kind of error can be planted, as a view in memory and as files for a repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from fpdf import FPDF

from gitops.config import parse
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.sound import sound_claims
from gitops.usage import Usage
from gitops.verify import linting
from gitops.verify.judge import ClaimVote, PairQuestion, PairVote, Question, Vote
from gitops.verify.view import Library, View
from gitops.wiki.graph import MemoryGraph, facts
from gitops.wiki.layout import Layout
from gitops.wiki.names import Files
from gitops.wiki.snapshot import MemorySnapshot

Make = Callable[..., Ground]
REPORT = """# Annual report

The plant in Lindau used 4,200 litres of solvent in 2018, says Ada Keller.

Most valves were replaced by hand.

The new filter may lower emissions by about 30 % within 12 months.
"""
HARBOUR = """# Harbour

The harbour in Genoa was dredged in the spring of 1994, says Otto Brandt. Often a pilot is aboard.
"""
PLANT = """# Plant

The plant in Lindau used 4,200 litres of solvent in 2018, says Ada Keller.[^1]

Most valves were replaced by hand.[^2]

The new filter may lower emissions by about 30 % within 12 months.[^3]

[^1]: raw/report.md, "used 4,200 litres of solvent in 2018"
[^2]: raw/report.md, "Most valves were replaced by hand" @97
[^3]: raw/report.md, "may lower emissions"
"""
DOCKS = """# Docks

The harbour in Genoa was dredged in the spring of 1994, says Otto Brandt.[^1]

Often a pilot is aboard.[^1]

Salmon return to the upper river every autumn.[^2]

[^1]: raw/harbour.md
[^2]: raw/survey.pdf, p.1
"""


def _pdf(*pages: str) -> bytes:
    made = FPDF()
    made.set_creation_date(datetime(2024, 1, 2, tzinfo=UTC))
    for text in pages:
        made.add_page()
        made.set_font("Helvetica", size=12)
        made.multi_cell(0, 8, text)
    return bytes(made.output())


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """make_pdf(*pages) -> a PDF with a text on each page."""
    return _pdf


@pytest.fixture(scope="session")
def wiki_files() -> dict[str, str | bytes]:
    """A workspace with six claims, all sound."""
    return {
        "assay.toml": '[workspace]\nname = "plant"\n[citations]\nrequire = []\n',
        "raw/report.md": REPORT,
        "raw/harbour.md": HARBOUR,
        "raw/survey.pdf": _pdf(
            "Salmon return to the upper river every autumn. The weirs are open then.",
            "Rainfall in the northern hills was measured by hand.",
        ),
        "wiki/index.md": "# Index\n\n- [Plant](plant.md)\n- [Docks](docks.md)\n",
        "wiki/log.md": "# Log\n",
        "wiki/plant.md": PLANT,
        "wiki/docks.md": DOCKS,
    }


@pytest.fixture
def make_view() -> Callable[[Mapping[str, str | bytes]], View]:
    """make_view(files) -> View of these files, held in memory."""

    def make(files: Mapping[str, str | bytes]) -> View:
        held = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
        config = parse(held.get("assay.toml", b""))
        tree, layout, library = MemorySnapshot(held), Layout("", config.workspace), Library(config)
        paths = [path for path in held if layout.is_page(path) and path != layout.log]
        rows = {path: facts(library.page(tree, path), path, layout) for path in paths}
        graph = MemoryGraph(rows, lambda path: tree.mode(path) is not None, Files(tree.paths))
        return View(tree, layout, config, library, graph)

    return make


@pytest.fixture
def make_ground(make_view: Callable[..., View], wiki_files: Mapping[str, str | bytes]) -> Make:
    """make_ground(files) -> Ground of the small wiki, of which files by these paths are replaced."""

    def make(files: Mapping[str, str | bytes] | None = None) -> Ground:
        view = make_view({**wiki_files, **(files or {})})
        return Ground(view, list(sound_claims(view, linting.pages(view))))

    return make


@pytest.fixture
def claim_in(make_ground: Make) -> Callable[..., tuple[Ground, int]]:
    """claim_in(claim, source) -> a wiki one page of which says one claim of one source, and the claim's number."""

    def make(claim: str, source: str) -> tuple[Ground, int]:
        page = f"# Plant\n\n{claim}[^1]\n\n[^1]: raw/report.md\n"
        ground = make_ground({"wiki/plant.md": page, "raw/report.md": f"# Annual report\n\n{source}\n"})
        return ground, next(at for at, one in enumerate(ground.sound) if one.path == "wiki/plant.md")

    return make


@dataclass
class Scripted:
    """A judge that votes by a rule, and writes down how it was asked. Each question costs a thousand tokens."""

    rule: Callable[[Question], Vote]
    is_free: bool = False
    id: str = "scripted"
    version: str = "1"
    digest: str = "d" * 64
    asked: list[list[Question]] = field(default_factory=list)

    @property
    def used(self) -> Usage:
        """What it used."""
        questions = sum(map(len, self.asked))
        return Usage(input=1000 * questions, output=10 * questions, usd=0.01 * questions, calls=questions)

    def gate(self, vote: ClaimVote) -> float | None:
        return 0.0

    def votes(self, questions: Sequence[Question]) -> list[Vote]:
        self.asked.append(list(questions))
        return [self.rule(question) for question in questions]

    def pair_votes(self, questions: Sequence[PairQuestion]) -> list[PairVote]:
        raise AssertionError("nobody asks for pairs here")


@pytest.fixture
def make_judge() -> Callable[..., Scripted]:
    """make_judge(rule, is_free=False) -> a judge that votes by a rule, sure enough to decide."""
    return Scripted


@pytest.fixture
def knowing() -> Callable[[Question], Vote]:
    """The rule of who knows the small wiki by heart: a claim as it stood, of a source that has its words, is right."""
    true = [line.split("[^")[0] for line in f"{PLANT}\n{DOCKS}".split("\n") if "[^" in line and "]: " not in line]

    def rule(question: Question) -> Vote:
        is_page = len(question.span) > 40  # and no quotation
        near = question.span if is_page else question.source
        words = [word.strip(".,%") for word in question.claim.split() if len(word) > 4]
        says = sum(word in near for word in words) * 2 > len(words)
        vote: ClaimVote = "supports" if question.claim in true and says else "does_not_support"
        return Vote(vote, 1.0, "by heart", may_gate=True)

    return rule
