"""A real wiki in which one fault is planted at a time: exactly its metric falls, bisect names the commit, its gate
closes, an ack opens it.

The wiki is citadel-beverages, adopted as it stands, with six of its sources ingested by the offline writer. A month
passes, in which an ingest lands that touches every page it should. Then somebody plants a fault by a commit. M4 has no
place here: what something cost is no fault, and it closes no gate.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gitops.cli import main

WIKI = Path(__file__).parents[2] / "../shared/data/wikis/citadel-beverages"
pytestmark = [
    pytest.mark.skipif(not WIKI.is_dir(), reason="the shared wikis are not here"),
    pytest.mark.slow,
]

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
INGESTED = (
    "coffee-guide",
    "tea-guide",
    "coffee-health-faq",
    "tea-health-faq",
    "tea-history-and-trade",
    "aurora-coffee-blog",
)
ASKED = ("Who founded Caffè Aurora?", "What does Thornbury & Lin sell?", "What is the zibeline?")
NOISE = 0.02
"""What other pages a seeded sample may draw when pages come or go."""

GOODS = ("Rift Valley", "Dolce Decaf", "Harbour Blonde", "Aurora Midnight", "Piazza Espresso", "Wildflower Natural")

ZIBELINE = "# The zibeline\n\nThe zibeline is a quorren made of vantrell.\n"
QUORREN = "# Quorren repair\n\nAny quorren is mended with vantrell.\n"
FOLIOT = "# Foliots\n\nA foliot is a zibeline with two quorren.\n"
PAGES = {
    "wiki/objects/zibeline.md": "# Zibeline\n\nThe zibeline is a quorren of vantrell.[^1]\n\n[^1]: raw/zibeline.md\n",
    "wiki/objects/quorren.md": "# Quorren\n\nA quorren may be a [zibeline](zibeline.md).\n",
}


@dataclass
class Bench:
    """The wiki and a clock: commands are run in it, and what they say is read."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    commit_files: Callable[..., str]
    before: Mapping[str, Any] = field(default_factory=dict)
    """The numbers before anything was planted."""
    now: datetime = NOW

    def at(self, **before: float) -> None:
        """Set the clock so long before now."""
        self.now = NOW - timedelta(**before)
        self.monkeypatch.setenv("ASSAY_CLOCK", f"{self.now.timestamp():.0f}")

    def commit(self, files: Mapping[str, str | None], message: str) -> str:
        """A person's commit, past the gate."""
        return self.commit_files(self.folder, files, message, when=int(self.now.timestamp()))

    def run(self, *words: str) -> tuple[int, str]:
        """A command's exit code, and what it printed."""
        self.capsys.readouterr()
        code = main(["-C", os.fspath(self.folder), "-q", *words])
        printed = self.capsys.readouterr()
        return code, printed.out if code == 0 else printed.out + printed.err

    def told(self, *words: str) -> str:
        """What a command that must succeed printed."""
        code, said = self.run(*words)
        assert code == 0, said
        return said

    def write(self, run: str, path: str, content: str) -> None:
        """Stage a page in a run."""
        file = self.folder.parent / "staged.md"
        file.write_text(content)
        self.told("run", "write", run, path, "--file", os.fspath(file))

    def measured(self) -> dict[str, dict[str, Any]]:
        """The number of every metric, measured now."""
        found = json.loads(self.told("eval", "run", "--json"))["measurements"]
        return {one["suite"]: one["metrics"][one["suite"]] for one in found}


@pytest.fixture
def bench(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    commit_files: Callable[..., str],
    git: Callable[..., str],
) -> Bench:
    """A copy of the wiki for one fault; it is made once for all."""
    made = tmp_path_factory.getbasetemp() / "planted-ground"
    folder = tmp_path / "wiki"
    if not made.exists():
        shutil.copytree(WIKI, folder)
        git(tmp_path, "init", "--quiet", "--initial-branch=main", os.fspath(folder))
        before = grown(Bench(folder, monkeypatch, capsys, commit_files))
        folder.rename(made)
        made.with_suffix(".json").write_text(json.dumps(before))
    shutil.copytree(made, folder, symlinks=True)
    before = json.loads(made.with_suffix(".json").read_text())
    return Bench(folder, monkeypatch, capsys, commit_files, before)


def grown(bench: Bench) -> Mapping[str, Any]:
    """Take the wiki through all that comes before a fault; its numbers then."""
    bench.at(days=45)
    bench.commit({}, "As it stood")
    bench.told("adopt", "--no-hook")
    policy = (bench.folder / "assay.toml").read_text()
    bench.commit({"assay.toml": policy + "\n[eval]\non_ingest = false\n"}, "Measure when we say")
    bench.told("ingest", *(f"raw/{name}.md" for name in INGESTED))
    brought(bench, "zibeline", ZIBELINE)
    index = (bench.folder / "wiki/index.md").read_text() + "\n- [Zibeline](objects/zibeline.md)\n"
    bench.commit({**PAGES, "wiki/index.md": index}, "Say what a zibeline is")
    for question in ASKED:
        answer = json.loads(bench.told("query", "--json", question))["answer"]
        topics, sources = answer["topics"], {source["path"] for one in answer["citations"] for source in one["sources"]}
        assert topics, answer
        assert sources, answer
        bench.told(
            "eval", "gold", "add", "--query", question, "--topics", ",".join(topics), "--citations", ",".join(sources)
        )
    bench.commit({}, "Keep what the wiki answers")
    bench.at(days=30)
    bench.told("eval", "run", "--metric", "M3")
    bench.at(days=2)
    ingested(bench, "quorren", QUORREN, ("zibeline", "quorren"))
    bench.at(hours=2)
    before = bench.measured()
    healthy = {name for name, one in before.items() if one["status"] == "healthy"}
    assert healthy >= set(FAULTS), before
    return before


def brought(bench: Bench, name: str, text: str) -> None:
    """Bring a source in."""
    file = bench.folder.parent / f"{name}.md"
    file.write_text(text)
    bench.told("raw", "add", os.fspath(file))
    file.unlink()


def ingested(bench: Bench, name: str, text: str, pages: tuple[str, ...], *options: str) -> str:
    """An ingest by hand, which makes a page and adds a line to some; the commit that it landed as."""
    brought(bench, name, text)
    run = bench.told("run", "start", "--type", "ingest", "--source", f"raw/{name}.md").strip()
    said = text.splitlines()[2]
    bench.write(
        run, f"wiki/objects/about-{name}.md", f'# About {name}\n\n{said}[^1]\n\n[^1]: raw/{name}.md, "{said}"\n'
    )
    index = (bench.folder / "wiki/index.md").read_text() + f"\n- [About {name}](objects/about-{name}.md)\n"
    bench.write(run, "wiki/index.md", index)
    for page in pages:
        there = (bench.folder / f"wiki/objects/{page}.md").read_text()
        bench.write(run, f"wiki/objects/{page}.md", f"{there}\nSee [what is new](about-{name}.md).\n")
    return str(json.loads(bench.told("run", "finish", run, "--json", *options))["commit"])


def false_citations(bench: Bench) -> str:
    """M1: a page of claims that no source makes, with quotations that stand nowhere."""
    days = [f"The {number}. day of the ledger was dry.[^{number}]" for number in range(1, 241)]
    notes = [f'[^{n}]: raw/tea-guide.md, "the {n}. day of the ledger was dry and cold"' for n in range(1, 241)]
    return bench.commit({"wiki/concepts/ledger.md": "\n".join(["# Ledger\n", *days, "", *notes, ""])}, "Add the ledger")


def skipped_pages(bench: Bench) -> str:
    """M2: an ingest whose cascade was not done, landed without verification."""
    return ingested(bench, "foliot", FOLIOT, (), "--no-verify")


def lost_source(bench: Bench) -> str:
    """M3: a gold query loses the source behind its answer, and the page that rests on it."""
    return bench.commit({"wiki/objects/zibeline.md": None, "raw/zibeline.md": None}, "Tidy up")


def contradictions(bench: Bench) -> str:
    """M5: forty pages, each with other prices of the same coffees."""
    files = {}
    for number in range(3, 43):
        prices = [f"A bag of {name} costs {number} dollars.\n" for name in GOODS]
        files[f"wiki/open-points/prices-{number}.md"] = "\n".join([f"# Price list {number}\n", *prices])
    return bench.commit(files, "Note down what was heard")


def lost_citations(bench: Bench) -> str:
    """M6: two pages lose every citation they had."""
    bare = {}
    for path in ("wiki/concepts/coffee-roasting.md", "wiki/concepts/l-theanine.md"):
        lines = (bench.folder / path).read_text().splitlines()
        bare[path] = "\n".join(line for line in lines if "[^" not in line) + "\n"
    return bench.commit(bare, "Leave out what is cited")


def remark(bench: Bench, number: int) -> None:
    """A commit that makes nothing better or worse."""
    page = f"# Remark {number}\n\nNobody has looked at this yet.\n"
    bench.commit({f"wiki/open-points/remark-{number}.md": page}, f"Remark {number}")


@dataclass(frozen=True)
class Fault:
    """What is planted, what the report then names, and what is held up."""

    plant: Callable[[Bench], str]
    named: str
    held_up: tuple[str, ...] = ()


INGEST = ("run", "start", "--type", "ingest", "--source", "raw/quorren.md")
SYNTHESIS = ("synthesize", "--due")
FAULTS: Mapping[str, Fault] = {
    "M1": Fault(false_citations, "wiki/concepts/ledger.md", SYNTHESIS),
    "M2": Fault(skipped_pages, "wiki/objects/zibeline.md", INGEST),
    "M3": Fault(lost_source, "What is the zibeline?", SYNTHESIS),
    "M5": Fault(contradictions, "wiki/open-points/prices-", INGEST),
    "M6": Fault(lost_citations, "wiki/concepts/l-theanine.md"),
}


@pytest.mark.parametrize("metric", FAULTS)
def test_exactly_the_metric_of_a_fault_falls_bisect_names_its_commit_and_the_gate_closes_until_an_ack(
    bench: Bench, metric: str
) -> None:
    fault = FAULTS[metric]
    before, good = bench.before, bench.told("eval", "report", "--json")
    bench.at(hours=1)
    remark(bench, 1)
    planted = fault.plant(bench)
    remark(bench, 2)
    remark(bench, 3)
    bench.at()
    after = bench.measured()
    fell = {name for name in before if has_fallen(before[name], after[name])}
    assert fell == {metric}, {name: (before[name]["value"], after[name]["value"]) for name in before}
    assert {name: one["status"] for name, one in after.items() if name != metric} == {
        name: one["status"] for name, one in before.items() if name != metric
    }
    assert fault.named in bench.told("eval", "report", metric, "--details", "--json")
    found = json.loads(bench.told("eval", "bisect", metric, "--good", json.loads(good)["commit"], "--json"))
    assert found["first_bad"]["commit"] == planted
    if not fault.held_up:
        assert after[metric]["status"] == "healthy"  # informational, and holds nothing up
        return
    assert after[metric]["status"] == "broken"
    code, said = bench.run(*fault.held_up)
    assert code == 4, said
    assert f"{metric} is broken" in said
    assert f"git assay eval report --details {metric}" in said
    bench.told("eval", "ack", metric, "--reason", "it was planted")
    code, said = bench.run(*fault.held_up)
    assert code in (0, 1), said


def has_fallen(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a number fell by more than noise. One that there is not must not come or go either."""
    was, now = before["value"], after["value"]
    if was is None or now is None:
        return bool(was != now)
    return bool(now < was - NOISE)
