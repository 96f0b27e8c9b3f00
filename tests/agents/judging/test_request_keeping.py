from __future__ import annotations

from pathlib import Path

import pytest

from gitops.agents.judging.answers import More
from gitops.agents.judging.keeping import KIND, kept
from gitops.agents.judging.planning import Request
from gitops.errors import CannotRun
from gitops.index.cache import Cache
from gitops.runs.keeping import Kept
from gitops.verify.judge import Vote

VOTES: list[Vote | More] = [
    Vote("does_not_support", 0.9, "It says \ud800 otherwise.", ("two", "三"), 0.1, may_gate=True),
    More(frozenset({3, 1})),
]


def request(*claims: str, system: str = "Find the error.") -> Request:
    block = {"type": "text", "text": "A source."}
    return Request(tuple(range(len(claims))), claims, system, (block,), frozenset({1, 3}))


class Asked:
    def __init__(self, answer: list[Vote | More] | Exception) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    def __call__(self, asked: Request) -> list[Vote | More]:
        self.requests.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.sqlite3") as cache:
        keep = Kept(cache, "landing")
        with pytest.raises(CannotRun):
            kept(Asked(CannotRun("boom")), keep, "judge")(request("A.", "B."))
        assert kept(model := Asked(VOTES), keep, "judge")(request("A.", "B.")) == VOTES
        assert len(model.requests) == 1


def test_an_answer_is_given_again_as_it_was(tmp_path: Path) -> None:
    with Cache(tmp_path / "cache.sqlite3") as cache:
        keep = Kept(cache, "landing")
        kept(Asked(VOTES), keep, "judge")(request("A.", "B."))
        assert kept(Asked(CannotRun("asked again")), keep, "judge")(request("A.", "B.")) == VOTES


@pytest.mark.parametrize("other", [("judge", request("A.", "C.")), ("judge", request("A.", "B.", system="Be kind."))])
def test_another_request_or_judge_is_asked_itself(tmp_path: Path, other: tuple[str, Request]) -> None:
    with Cache(tmp_path / "cache.sqlite3") as cache:
        keep = Kept(cache, "landing")
        kept(Asked(VOTES), keep, "judge")(request("A.", "B."))
        for judge, asked in (other, ("another", request("A.", "B."))):
            model = Asked(VOTES)
            kept(model, keep, judge)(asked)
            assert model.requests == [asked]


@pytest.mark.parametrize("damaged", [b"", b"{}", b"[1]", b'[{"vote":"commit"}]', b'[{"more":[1]}]', b"\xff"])
def test_what_another_version_wrote_is_asked_anew(tmp_path: Path, damaged: bytes) -> None:
    with Cache(tmp_path / "cache.sqlite3") as cache:
        keep = Kept(cache, "landing")
        kept(Asked(VOTES), keep, "judge")(request("A.", "B."))
        keys: list[str] = []

        class Damaging(Kept):
            def get(self, kind: str, version: str, key: str) -> bytes | None:
                keys.append(key)
                return super().get(kind, version, key)

        kept(Asked(VOTES), Damaging(cache, "landing"), "judge")(request("A.", "B."))
        keep.put(KIND, "judge", keys[0], damaged)
        assert kept(model := Asked(VOTES), keep, "judge")(request("A.", "B.")) == VOTES
        assert len(model.requests) == 1
