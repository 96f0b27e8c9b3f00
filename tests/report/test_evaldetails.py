from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitops.report.evaldetails import words
from tests.report.eval_reports import FAILING, NOW, measurement, report

Print = Callable[..., str]


def details(name: str, every: Any = None) -> Any:
    return words(next(one for one in report(every).standings if one.id == name))


def test_what_was_never_measured_has_none(in_pipe: Print) -> None:
    printed = in_pipe(details("M3", []))
    assert printed == "M3 retroactive benchmark: never measured: git assay eval run --metric M3\n"


def test_a_number_without_details_says_so(in_pipe: Print) -> None:
    assert "nothing was recorded beside the number" in in_pipe(details("M2", [measurement("M2", NOW, 1.0)]))


def test_failing_claims_have_their_place_citation_and_span(in_pipe: Print) -> None:
    printed = in_pipe(details("M1"))
    assert printed.splitlines()[:8] == [
        "M1 citation fidelity, 2026-04-15 on c0ffee0000",
        "",
        "failing claims: 2",
        "  wiki/coffee/cold-brew.md:24  does not support",
        "    claim   Cold brew concentrate is diluted with four parts of water before it is served.",
        '    cites   raw/coffee-guide.md, "dilute one to one"',
        "    says    Steep for eighteen hours in the refrigerator, then filter twice. Before serving the concentrate, "
        "dilute one to one with water. It keeps for two weeks.",
        "    why     offline: It says four where the source has one. (without support: four parts)",
    ]
    assert "overrides: 5 claims of 1 run 0.40 (0.12–0.77), the other 42 0.86 (0.72–0.93); correlation (phi) -0.36" in (
        printed
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("M2", ["0.33: 1 of 3 pages that mention its terms were touched", "missed  wiki/tea/green.md  hardness ×2"]),
        ("M2", ["missed  wiki/coffee/espresso.md  hardness ×4, alkalinity", "mention none: wiki/index.md"]),
        ("M3", ["q-07  How hard should water for espresso be?", "expected espresso, water; got water, tea"]),
        ("M3", ["expected raw/water-chemistry.md; got none", "trend: previous 0.82, drop -0.02"]),
        ("M4", ["cost curve: 3", "140,000  66,000", "2,640,000", "corpus: bytes / 3.5"]),
        ("M5", ["Cold brew  direct contradiction", "wiki/coffee/cold-brew.md:9", "wiki/methods.md:31"]),
        ("M6", ["lost anchors: 1", "wiki/tea/oolong.md:12  its source no longer says it", "dated anchors: 1"]),
        ("M9", ["oldest: 1", "wiki/a.md  12", "hints", "renew it", "share: 0.5"]),
    ],
)
def test_each_metric_shows_its_cases(in_pipe: Print, name: str, said: list[str]) -> None:
    printed = in_pipe(details(name))
    for line in said:
        assert line in printed


def test_pages_cannot_steer_the_terminal(on_terminal: Print) -> None:
    hostile = FAILING | {"claim": "\x1b[2J", "page": "wiki/\u202ea.md", "reason": "\x9b31m"}
    printed = on_terminal(details("M1", [measurement("M1", NOW, 0.5, "broken", details={"failing": [hostile]})]))
    for steering in ("\x1b[2J", "\u202e", "\x9b"):
        assert steering not in printed
