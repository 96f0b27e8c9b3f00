"""Which judges hold outputs to criteria, by the policy of a workspace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitops import assembly
from gitops.errors import UsageError
from gitops.llm import usage_reading
from gitops.verify.criteria import Criteria, instrument
from tests.messages_server import MessagesServer, structured
from tests.runs.driving import Wiki, first_files

ASKED = [Criteria("The tide fell.", statements=("The tide fell.",)), Criteria("The tide fell.", "Is short.")]


@pytest.fixture
def make(make_repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Wiki]:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    return lambda policy: Wiki(make_repository(first_files(policy, pages=2)))


def test_offline_it_decides_what_is_stated_and_abstains_from_the_rest(make: Callable[[str], Wiki]) -> None:
    wiki = make("")
    judge = assembly.criteria_judge(wiki.context(), wiki.workspace())
    assert [one.score for one in judge.scores(ASKED)] == [1.0, None]
    assert [one["id"] for one in judge.snapshot()] == ["offline"]
    assert judge.transcripts == []


def test_a_model_is_asked_where_the_one_without_abstained_and_remembers(make: Callable[[str], Wiki]) -> None:
    with MessagesServer([structured({"reason": "It is.", "vote": "scored", "score": 0.9})]) as server:
        wiki = make('[verify]\njudge = ["offline", "claude"]\n' + server.toml("verifier"))
        first, again = (assembly.criteria_judge(wiki.context(), wiki.workspace(), run_id="r1") for _ in range(2))
        for judge in (first, again):
            assert [(one.score, one.judge) for one in judge.scores(ASKED)] == [(1.0, "offline"), (0.9, "claude")]
    [call] = usage_reading.read(wiki.context().folder).calls
    assert (call.run_type, call.role, call.run_id) == ("benchmark", "judge", "r1")
    told = instrument(again)
    assert [one["id"] for one in told["judges"]] == ["offline", "claude"]
    assert told["judge"] == again.name


def test_fresh_asks_again(make: Callable[[str], Wiki]) -> None:
    answers = [structured({"reason": "It is.", "vote": "scored", "score": score}) for score in (0.9, 0.4)]
    with MessagesServer(answers) as server:
        wiki = make(server.toml("scorer"))
        for is_fresh, score in ((False, 0.9), (True, 0.4), (False, 0.4)):
            judge = assembly.criteria_judge(wiki.context(), wiki.workspace(), preset="scorer", fresh=is_fresh)
            assert [one.score for one in judge.scores(ASKED[1:])] == [score]


def test_nobody_judges_where_the_policy_says_so(make: Callable[[str], Wiki]) -> None:
    wiki = make('[verify]\njudge = "none"\n')
    judge = assembly.criteria_judge(wiki.context(), wiki.workspace())
    assert (judge.name, [one.score for one in judge.scores(ASKED)]) == ("none", [None, None])
    assert instrument(judge) == {"judge": "none", "judges": []}


@pytest.mark.parametrize(
    ("policy", "preset", "told"),
    [
        ("", "offline", "preset 'offline' has none"),
        ("", "lost", "there is no preset 'lost'"),
        ('[verify]\njudge = "claude"\n[llm]\nverifier = "offline"\n', "", "preset 'offline' has none"),
        ('[verify]\njudge = "oracle"\n', "", "there is no judge 'oracle'"),
    ],
)
def test_a_judge_that_there_is_not_is_refused_before_anything_is_run(
    make: Callable[[str], Wiki], policy: str, preset: str, told: str
) -> None:
    wiki = make(policy)
    with pytest.raises(UsageError, match=told):
        assembly.criteria_judge(wiki.context(), wiki.workspace(), preset=preset)
