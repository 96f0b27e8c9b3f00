from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from gitops.agents.synthesis.changes import Changes
from gitops.agents.synthesis.composing import Composed, Since
from gitops.agents.synthesis.digest import Digest
from gitops.agents.synthesis.reviewing import Reviewed
from gitops.agents.synthesizing import Synthesized
from gitops.report.synthesize import review, words
from gitops.runs.records import Run
from gitops.usage import Usage

PATH = "wiki/synthesis/2024-01-02.md"
MADE = Composed(
    PATH,
    "2024-01-02",
    Since(),
    Changes((), (), (), ()),
    Digest(claims=1_200, shown=60, pages=30),
    {PATH: "# Synthesis\n\n\x1b[31mred\n", "wiki/index.md": "# Index\n"},
)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (Synthesized("nothing"), "no claim came in so far: nothing to synthesize"),
        (Synthesized("nothing", "2024-01-01"), "no claim came in since 2024-01-01: nothing to synthesize"),
        (
            Synthesized("nothing", claims=1),
            "1 claim came in so far, and no source of theirs can be read here: nothing to synthesize",
        ),
        (
            Synthesized("not_due", due=datetime(2024, 1, 9, 3, 4, tzinfo=UTC)),
            "not due before 2024-01-09 03:04 UTC; git assay synthesize does it now",
        ),
    ],
)
def test_why_nothing_was_written(done: Synthesized, said: str, in_pipe: Callable[..., str]) -> None:
    assert in_pipe(words(done)) == f"{said}\n"


def test_a_plan_is_the_page_itself_and_steers_no_terminal(in_pipe: Callable[..., str]) -> None:
    printed = in_pipe(words(Synthesized("planned", composed=MADE)))
    assert printed.startswith(f"would write {PATH}:\n\n# Synthesis\n")
    assert "\x1b[31m" not in printed
    assert printed.endswith("would link it from wiki/index.md\n")


def test_a_plan_for_a_model_is_what_it_would_cost(in_pipe: Callable[..., str]) -> None:
    used = Usage(input=12_000, output=6_000, usd=0.21, calls=1)
    printed = in_pipe(words(Synthesized("planned", composed=MADE, used=used)))
    assert f"would give a model 60 of 1,200 claims to write {PATH}" in printed
    assert "about 12,000 tokens read and 6,000 written by the first call, $0.21" in printed


def test_review_says_where_each_stands(make_run: Callable[..., Run], in_pipe: Callable[..., str]) -> None:
    run = make_run(status="abandoned", reason="no")
    printed = in_pipe(review([Reviewed(run, (PATH,), (), ("git assay synthesize",))]))
    assert printed.splitlines()[0].startswith(f"{run.id}  abandoned, begun ")
    assert f"  wrote {PATH}\n  git assay synthesize\n" in printed
    assert in_pipe(review([])) == "no synthesis is pending, and none was refused or abandoned\n"
