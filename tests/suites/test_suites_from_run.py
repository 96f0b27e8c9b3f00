"""Runs that were refused become cases that show why, again and without personal data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun, UsageError
from gitops.suites import from_run
from gitops.suites.grading import graded
from gitops.suites.model import BenchmarkCase
from gitops.suites.replaying import verify
from gitops.suites.scrubbing import Scrubber
from gitops.suites.target import Attempt
from tests.runs.driving import Wiki, first_files, name, page

pytest.importorskip("scrubadub")

BENT = page(0).replace("falls back twice", "falls back thrice")


@pytest.fixture
def wiki(make_repository: Callable[..., Path]) -> Wiki:
    letters = {
        "raw/mail.md": "The tide turns, wrote jo@example.org of 10 Pier Road.\n",
        "raw/Jo Doe.md": "Jo was here.\n",
    }
    files = first_files(pages=3) | letters
    return Wiki(make_repository(files, name="wiki"))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "case").mkdir()
    monkeypatch.chdir(tmp_path / "case")


TO_MAIL = page(0, "wrote al@example.org").replace("raw/tides.md", "raw/mail.md")


def refused(wiki: Wiki, pages: dict[str, str | None], **request: Any) -> str:
    run = wiki.run(pages, **request)
    wiki.finish(run)
    assert wiki.find(run).status in ("rejected", "pending")
    return run.id


def status(case: BenchmarkCase) -> str:
    """What comes of the case with the verifier as its target."""
    told = verify(case.model_dump(mode="json"))
    return graded([(case, Attempt(output=told["output"]))])[0].status


def made(wiki: Wiki, run_id: str, scrubber: Scrubber | None = None, case_id: str = "") -> from_run.Made:
    return from_run.case_of(wiki.context(), wiki.find(run_id), scrubber, case_id)


def test_a_rejected_run_becomes_a_case_that_fails_the_same_way(wiki: Wiki) -> None:
    found = made(wiki, refused(wiki, {name(0): BENT}), Scrubber())
    case = found.case
    assert (case.source, case.tags, found.not_shown) == ("regression", ["quote_anchor.altered"], ())
    assert case.case_id.startswith("quote_anchor.altered-")
    assert case.expected.value == {"all": ["verdict: reject", f"error quote_anchor.altered {name(0)}"]}
    assert status(case) == "pass"


def test_where_the_failure_is_gone_the_case_fails(wiki: Wiki) -> None:
    case = made(wiki, refused(wiki, {name(0): BENT}), Scrubber()).case
    files = [{**one, "head": page(0)} if one["path"] == name(0) else one for one in case.input.context or []]
    mended = case.model_copy(update={"input": case.input.model_copy(update={"context": files})})
    assert status(mended) == "fail"


def test_few_files_are_taken_where_they_show_everything(wiki: Wiki) -> None:
    case = made(wiki, refused(wiki, {name(0): BENT, name(1): page(1)}), None).case
    assert [one["path"] for one in case.input.context or []] == ["raw/tides.md", name(0)]


def test_all_that_the_change_touches_is_taken_where_few_files_do_not_show_it(wiki: Wiki) -> None:
    lost = {"wiki/lost.md": page(7)}
    case = made(wiki, refused(wiki, {name(0): page(0), **lost}), None).case
    assert case.tags == ["orphan", "not-anonymised"]
    assert status(case) == "pass"


def test_what_takes_the_whole_wiki_to_be_seen_is_told_and_brings_no_file_along(
    make_repository: Callable[..., Path],
) -> None:
    others = {name(number): f"# Page {number}\n\nAt most coasts the sea falls back.\n" for number in range(1, 9)}
    others |= {f"raw/other{number}.md": f"Nothing of the kind, {number} times over.\n" for number in range(4)}
    wiki = Wiki(make_repository({**first_files(pages=9), **others}))
    found = made(wiki, refused(wiki, {name(0): BENT}, run_type="ingest", sources=("raw/tides.md",)))
    assert found.not_shown == ("coverage.missed_many",)
    assert [one["path"] for one in found.case.input.context or []] == ["raw/tides.md", name(0)]


def test_personal_data_goes_and_the_failure_stays(wiki: Wiki) -> None:
    scrubber = Scrubber(["Pier Road"])
    case = made(wiki, refused(wiki, {name(0): TO_MAIL}, reason="jo@example.org asked"), scrubber).case
    dumped = case.model_dump_json()
    assert "example.org" not in dumped
    assert "Pier Road" not in dumped
    assert scrubber.removed["EMAIL"] >= 2
    assert status(case) == "pass"


def test_without_a_scrubber_texts_stay_and_the_case_says_so(wiki: Wiki) -> None:
    case = made(wiki, refused(wiki, {name(0): BENT}), None, "bent").case
    assert (case.case_id, case.tags) == ("bent", ["quote_anchor.altered", "not-anonymised"])


def test_where_the_failure_lies_in_what_is_taken_out_nothing_is_made(wiki: Wiki) -> None:
    sound = page(0, "Jo was here").replace("raw/tides.md", "raw/Jo Doe.md")
    misspelt = sound.replace("[^1]\n", "[^1] So it is.[^2]\n", 1) + '\n[^2]: raw/JO DOE.md, "Jo was here"\n'
    run_id = refused(wiki, {name(0): misspelt})
    with pytest.raises(CannotRun, match="without personal data the case shows nothing"):
        made(wiki, run_id, Scrubber(["Jo Doe"]))
    assert status(made(wiki, run_id).case) == "pass"


def test_a_run_that_landed_makes_no_case(wiki: Wiki) -> None:
    run = wiki.run()
    wiki.finish(run)
    with pytest.raises(UsageError, match="was not refused: its verdict is commit"):
        made(wiki, run.id)


def test_a_run_that_was_not_judged_makes_no_case(wiki: Wiki) -> None:
    with pytest.raises(UsageError, match="has no verdict"):
        made(wiki, wiki.run().id)


def test_a_failure_of_the_run_and_not_of_its_pages_makes_no_case(wiki: Wiki) -> None:
    run = wiki.run({"notes.txt": "somebody's\n"})
    wiki.finish(run)
    with pytest.raises(CannotRun, match="shows on its pages and sources alone"):
        made(wiki, run.id)


def test_a_source_that_is_no_text_makes_no_case(make_repository: Callable[..., Path]) -> None:
    files = {**first_files(pages=3), "raw/tides.md": b"caf\xe9, where the sea falls back twice a day\n"}
    wiki = Wiki(make_repository(files))
    run_id = refused(wiki, {name(0): BENT})
    with pytest.raises(CannotRun, match=r"raw/tides\.md is no text in UTF-8"):
        made(wiki, run_id)


def test_a_workspace_below_the_top_is_its_own_top_in_the_case(make_repository: Callable[..., Path]) -> None:
    wiki = Wiki(make_repository({f"plant/{path}": text for path, text in first_files(pages=3).items()}))
    case = made(wiki, refused(wiki, {f"plant/{name(0)}": BENT}), None).case
    assert [one["path"] for one in case.input.context or []] == ["raw/tides.md", name(0)]
    assert case.expected.value == {"all": ["verdict: reject", f"error quote_anchor.altered {name(0)}"]}
    assert status(case) == "pass"


def test_the_policy_goes_along_without_its_name_and_models(make_repository: Callable[..., Path]) -> None:
    policy = "[checks.quote_anchor]\nlevel = 'warning'\n[verify]\njudge = ['offline']\n"
    wiki = Wiki(make_repository(first_files(policy, 3)))
    run = wiki.run({name(0): BENT})
    wiki.finish(run)
    case = made(wiki, run.id, Scrubber()).case
    assert case.expected.value == {"all": ["verdict: revise", f"warning quote_anchor.altered {name(0)}"]}
    assert case.input.skill_args is not None
    told = case.input.skill_args["policy"]
    assert (told["checks"], told["verify"]) == ({"quote_anchor": {"level": "warning"}}, {"judge": ["offline"]})
    assert "workspace" not in told


# The target


def files(head: str) -> list[dict[str, Any]]:
    return [
        {"path": "raw/tides.md", "text": first_files()["raw/tides.md"]},
        {"path": "wiki/index.md", "text": "# Index\n\n- [Page 0](p000.md)\n"},
        {"path": name(0), "base": None, "head": head},
    ]


def said(head: str, config: dict[str, Any] | None = None, **told: Any) -> dict[str, Any]:
    return verify({"input": {"goal": "x", "context": files(head), "skill_args": told}}, config)


def test_a_sound_change_is_let_through() -> None:
    assert said(page(0)) == {"output": "verdict: commit", "metrics": {"findings": 0}}


def test_policies_lie_over_one_another() -> None:
    mild = {"checks": {"quote_anchor": {"level": "warning"}}}
    assert said(BENT)["output"].startswith("verdict: reject\nerror quote_anchor.altered")
    assert said(BENT, policy=mild)["output"].startswith("verdict: revise\nwarning quote_anchor.altered")
    stern = {"policy": {"checks": {"quote_anchor": {"level": "error"}}}}
    assert said(BENT, stern, policy=mild)["output"].startswith("verdict: reject")


def test_nothing_is_left_behind() -> None:
    said(BENT)
    assert list(Path.cwd().iterdir()) == []


def test_a_case_without_files_of_a_change_is_told_so() -> None:
    told = verify({"input": {"goal": "x", "context": [{"text": "hello"}]}})
    assert told == {"error": "input.context has no files of a change: path: Field required"}


@pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", ".git/config"])
def test_paths_that_lead_out_are_refused(path: str) -> None:
    with pytest.raises(UsageError, match="path"):
        verify({"input": {"goal": "x", "context": [{"path": path, "text": "x"}]}})
