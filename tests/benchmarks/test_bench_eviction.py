from __future__ import annotations

import pytest

from benchmarks.eviction import study
from benchmarks.eviction.__main__ import main
from benchmarks.eviction.study import METRICS, Size
from gitops.eviction.simulating import RETURNING

SMALL = Size(learned=6, tried=12)


@pytest.mark.slow
def test_every_variant_stands_beside_the_built_in_weights_in_every_metric() -> None:
    found = study.study(RETURNING, SMALL)
    names = {one.other.name for one in found}
    assert names == {"A calibrated", "A, less room", "C online", "A from shuffled labels", "A from repeated proposals"}
    assert len(found) == len(names) * len(METRICS)
    assert {one.reference.name for one in found} == {"built in"}
    assert all(one.reference.samples == one.other.samples == 12 for one in found if one.metric != "exclusion_auroc")
    [tokens] = [one for one in found if one.metric == "tokens" and one.other.name == "A, less room"]
    assert tokens.difference is not None
    assert tokens.difference < 60  # it was given less room


@pytest.mark.slow
def test_the_command_prints_a_table_for_each_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--learned", "2", "--tried", "3"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("###")] == [
        "### returning",
        "### ephemeral",
        "### returning, once calibrated",
        "### ephemeral, with weights of returning",
    ]
    assert out.count("needed_there") == 5 + 5 + 1 + 1
    assert out.count("learned from 8 other sets of conversations: ") == 2


@pytest.mark.slow
def test_what_is_learned_again_is_learned_from_other_conversations() -> None:
    found = study.redrawn(RETURNING, SMALL, times=3)
    assert len(set(found)) == 3


def test_nothing_to_learn_from_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--learned", "0"])
    assert left.value.code == 2
    assert "it takes one conversation" in capsys.readouterr().err
