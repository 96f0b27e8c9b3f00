"""Each planted error, through files on disk: its own metric moves by what was worked out by hand, and no other does."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from gitops.extraction import emitted, gold, metrics, scoring
from gitops.extraction.aggregate import Aggregate, aggregate
from gitops.extraction.problems import Wrong, problems
from gitops.verify import judges
from tests.extraction import planted_release as planted

Changed = Mapping[str, str | bytes | None]
"""Files that are written otherwise, or not at all."""
PERFECT = dict.fromkeys(metrics.NAMES, Fraction(1)) | {"graph_errors": Fraction(0), "graph_warnings": Fraction(0)}
FABRICATED = (*planted.REASONS, planted.INVENTED)


@pytest.fixture
def gold_folder(tmp_path: Path) -> Path:
    return planted.gold(tmp_path / "gold")


def scored(gold_folder: Path, folder: Path, changed: Changed) -> tuple[Aggregate, list[Wrong]]:
    """The gold's own files with a few of them changed, written, parsed back and scored."""
    files = {path: text for path, text in {**planted.FILES, **changed}.items() if text is not None}
    planted.write(folder / planted.CASE, files)
    cases = gold.in_folder(gold_folder)
    found = emitted.in_folder(folder, cases, "out")
    result = scoring.scored(cases, found.bundles, judges.find("offline"), found.stray)
    return aggregate(result), problems(result)


def exactly(moved: Mapping[str, Fraction], *, has_macro: bool = True) -> dict[str, Fraction | None]:
    """What is expected of every metric: those that moved, with the mean over the one case and the strict variant."""
    expected: dict[str, Fraction | None] = dict(PERFECT)
    for name, value in moved.items():
        ends = ("", metrics.MACRO, metrics.STRICT) if has_macro else ("",)
        expected |= {name + end: value for end in ends if name + end in metrics.BY_NAME}
    return expected


def edges(tp: int, wrong: int) -> dict[str, Fraction]:
    """As many edges missed as are too many."""
    return dict.fromkeys(("edge_precision", "edge_recall", "edge_f1"), Fraction(tp, tp + wrong))


SWAPPED = (("stages", "build"), ("stages", "ship"), ("stages", "test"))
PLANTED: dict[str, tuple[Changed, dict[str, Fraction], list[tuple[str, str]]]] = {
    "nothing": ({}, {}, []),
    "one atom dropped": (
        {"roles/auditor.md": None},
        {"atom_recall": Fraction(8, 9), "atom_f1": Fraction(16, 17)},
        [("missed", "role auditor (Auditor)")],
    ),
    "one atom invented": (
        {"roles/astronaut.md": planted.text("role", "astronaut", "Astronaut")},
        {"atom_precision": Fraction(9, 10), "atom_f1": Fraction(18, 19)},
        [("spurious", "role astronaut (Astronaut)")],
    ),
    "a type swapped": (
        {"roles/auditor.md": planted.text("system", "auditor", "Auditor")},
        {"type_accuracy": Fraction(8, 9)},
        [("mistyped", "role auditor (Auditor) was extracted as system")],
    ),
    "an edge reversed": (
        {
            "decisions/freeze.md": planted.text(
                "decision", "freeze", "No shipping in December", planted.FREEZE[:1], planted.REASONS
            ),
            "processes/ship.md": planted.text(
                "process",
                "ship",
                "Ship",
                (("owner", "release-manager"), ("governed_by", "freeze"), ("relates_to", "freeze")),
            ),
        },
        edges(11, 1),
        [("mislinked", "freeze relates_to ship was extracted the other way round: ship relates_to freeze")],
    ),
    "two stages exchanged": (
        {"workflows/release.md": planted.text("workflow", "release", "Release", SWAPPED)},
        {**edges(11, 1), "stages_exact": Fraction(0), "stages_lcs": Fraction(2, 3)},
        [
            (
                "mislinked",
                "release: stages build → ship → test were extracted, the gold has build → test → ship",
            )
        ],
    ),
    "a fabricated sentence": (
        {
            "decisions/freeze.md": planted.text(
                "decision", "freeze", "No shipping in December", planted.FREEZE, FABRICATED
            )
        },
        {"faithfulness": Fraction(2, 3)},
        [("made_up", f"freeze: {planted.INVENTED}")],
    ),
    "an omitted sentence": (
        {
            "decisions/freeze.md": planted.text(
                "decision", "freeze", "No shipping in December", planted.FREEZE, planted.REASONS[:1]
            )
        },
        {"faithfulness": Fraction(1, 2)},
        [("omitted", f"freeze: {planted.REASONS[1]}")],
    ),
    "an edge to another atom": (
        {"processes/test.md": planted.text("process", "test", "Test", (("owner", "auditor"), ("uses", "ci-server")))},
        edges(11, 1),
        [("mislinked", "test owner release-manager was extracted as leading to auditor")],
    ),
    "an edge of another type": (
        {
            "processes/test.md": planted.text(
                "process", "test", "Test", (("owner", "release-manager"), ("relates_to", "ci-server"))
            )
        },
        edges(11, 1),
        [("mislinked", "test uses ci-server was extracted as relates_to")],
    ),
    "a file that is no atom": (
        {"roles/broken.md": "---\ntype: [role\n---\n"},
        {"validity": Fraction(9, 10)},
        [("invalid", "")],
    ),
    "an edge to itself": (
        {"roles/auditor.md": planted.text("role", "auditor", "Auditor", (("relates_to", "auditor"),))},
        {"graph_errors": Fraction(1), "edge_precision": Fraction(12, 13), "edge_f1": Fraction(24, 25)},
        [("mislinked", "auditor relates_to auditor is not in the gold"), ("graph", "")],
    ),
}


@pytest.mark.parametrize("planting", PLANTED)
def test_each_planted_error_moves_its_own_metric_by_the_expected_amount_and_no_other(
    planting: str, gold_folder: Path, tmp_path: Path
) -> None:
    changed, moved, told = PLANTED[planting]
    numbers, wrong = scored(gold_folder, tmp_path / "out", changed)
    expected = exactly(moved)
    found = {name: numbers.value(name) for name in metrics.NAMES}
    assert found == {name: None if value is None else pytest.approx(float(value)) for name, value in expected.items()}
    assert [one.kind for one in wrong] == [kind for kind, _ in told]
    assert all(one.what.startswith(what) for one, (_, what) in zip(wrong, told, strict=True))


ABOUT_THE_SOURCE = ("missed", "mistyped", "mislinked", "made_up", "omitted")


@pytest.mark.parametrize("planting", [name for name, (_, _, told) in PLANTED.items() if told])
def test_each_planted_error_is_told_with_its_places(planting: str, gold_folder: Path, tmp_path: Path) -> None:
    changed, _, _ = PLANTED[planting]
    _, wrong = scored(gold_folder, tmp_path / "out", changed)
    for one in wrong:
        assert one.path.startswith("out/release/") or one.gold.endswith(".md"), one
        if one.kind in ABOUT_THE_SOURCE:
            assert one.source.endswith("release/sources/handbook.md")
            assert one.source_line >= 3, one
