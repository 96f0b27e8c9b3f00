from __future__ import annotations

import pytest
from pydantic import ValidationError

from gitops.config import Config, parse
from gitops.errors import UsageError


def refusal(text: str | bytes) -> tuple[str, str]:
    with pytest.raises(UsageError) as told:
        parse(text if isinstance(text, bytes) else text.encode(), "beta/assay.toml")
    return told.value.message, told.value.hint


def test_bytes_that_are_not_utf8_name_the_place() -> None:
    assert refusal(b"[verify]\n\xff")[0] == "beta/assay.toml: not UTF-8 at byte 9"


def test_what_is_not_toml_names_the_line() -> None:
    assert "line 2" in refusal("[verify]\njudge =\n")[0]


@pytest.mark.parametrize(
    ("text", "key", "hint"),
    [
        ("[verfy]\n", "verfy", "did you mean 'verify'?"),
        ("[verify]\nmin_juged = 1\n", "verify.min_juged", "did you mean 'min_judged'?"),
        ("[workspace]\nwikki = 'w'\n", "workspace.wikki", "did you mean 'wiki'?"),
        ("[checks.links]\nlevels = 'off'\n", "checks.links.levels", "did you mean 'level'?"),
        (
            "[llm.budgets.ingest]\ndollars = 1\n",
            "llm.budgets.ingest.dollars",
            "known here: input_tokens, output_tokens, usd",
        ),
    ],
)
def test_an_unknown_key_names_the_nearest(text: str, key: str, hint: str) -> None:
    assert refusal(text) == (f"beta/assay.toml: unknown key '{key}'", hint)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[verify]\nmin_judged = 1.5\n", "verify.min_judged"),
        ("[verify]\nmax_loops = 0\n", "verify.max_loops"),
        ("[coverage]\nterms = 0\n", "coverage.terms"),
        ("[checks.links]\nlevel = 'fatal'\n", "checks.links.level"),
        ("[publish]\nstyle = 'rebase'\n", "publish.style"),
        ("[runs]\nstale_after = '3 days'\n", "runs.stale_after"),
        ("[workspace]\nname = 'Two Words'\n", "workspace.name"),
    ],
)
def test_a_value_out_of_bounds_names_the_key_and_the_value(text: str, key: str) -> None:
    message, hint = refusal(text)
    assert message.startswith(f"beta/assay.toml: '{key}'")
    assert message.endswith(")")
    assert key in hint


@pytest.mark.parametrize("folder", ["", "/", "/raw", "..", "../raw", "a/../b", "a//b", ".", ".git", ".GIT/raw"])
def test_a_folder_that_leads_out_is_refused(folder: str) -> None:
    assert "must be a folder inside the workspace" in refusal(f"[workspace]\nraw = '{folder}'\n")[0]


@pytest.mark.parametrize("folder", ["/", "/etc", "..", "../out", "a/../b", "a//b", ".", "./out", ".git/out"])
def test_what_was_extracted_lies_in_a_folder_inside_the_workspace(folder: str) -> None:
    message, hint = refusal(f"[extraction]\nemitted = '{folder}'\n")
    assert message.startswith("beta/assay.toml: 'extraction.emitted': must be a folder inside the workspace")
    assert "extraction.emitted" in hint


@pytest.mark.parametrize("folder", ["gold", "gold/extraction", "Gold/extraction/tea/atoms"])
def test_no_gold_can_be_scored_by_itself(folder: str) -> None:
    told = "beta/assay.toml: 'extraction': 'emitted' must be a folder apart from the gold in 'gold'"
    assert refusal(f"[extraction]\nemitted = '{folder}'\n")[0] == told
    around = f"[workspace]\ngold = 'out/{folder}'\n[extraction]\nemitted = 'out'\n"
    assert "apart from the gold" in refusal(around)[0]


def test_what_was_extracted_may_be_nowhere() -> None:
    assert parse(b"[extraction]\nemitted = ''\n").extraction.emitted == ""
    assert parse(b"[extraction]\nemitted = 'out/okf/'\n").extraction.emitted == "out/okf"
    assert parse(b"[extraction]\nemitted = 'goldfish'\n").extraction.emitted == "goldfish"


def test_an_unknown_run_type_names_those_there_are() -> None:
    message, hint = refusal("[llm.budgets.digest]\nusd = 1\n")
    assert "budgets.digest" in message
    assert "ingest" in hint


def test_an_empty_file_is_the_default_policy() -> None:
    assert parse(b"") == parse(b"\xef\xbb\xbf# nothing\n") == Config()


def test_what_is_read_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Config().workspace.raw = "elsewhere"


def test_one_judge_or_several() -> None:
    assert parse(b"[verify]\njudge = 'claude'\n").verify.judge == ("claude",)
    assert parse(b"[verify]\njudge = ['offline', 'claude']\n").verify.judge == ("offline", "claude")


def test_everything_that_may_be_set() -> None:
    config = parse(
        b"""
[workspace]
name = "beta"
raw = "sources/"
[citations]
require = ["quote", "page"]
[pages]
required = ["title"]
exempt = ["meta/*"]
[coverage]
warn_above = 0.5
[checks.links]
level = "note"
results = { broken = "off" }
[llm.budgets.ingest]
usd = 2.5
[publish]
style = "squash"
"""
    )
    assert (config.workspace.raw, config.citations.require) == ("sources", ("quote", "page"))
    assert (config.checks["links"].level, config.checks["links"].results) == ("note", {"broken": "off"})
    assert (config.llm.budgets.ingest.usd, config.publish.style) == (2.5, "squash")


def test_the_digest_tells_policies_apart_and_not_their_spelling() -> None:
    assert parse(b"[coverage]\nterms = 20\n").digest() == Config().digest()
    assert parse(b"[coverage]\nterms = 21\n").digest() != Config().digest()


@pytest.mark.parametrize(
    "folders",
    [
        'wiki = "raw"',
        'wiki = "raw/wiki"',
        'gold = "Raw/gold"',
        'wiki = "gold"',
        'raw = "gold/raw"',
        'wiki = "gold/wiki"',
        'raw = "Wiki"',
    ],
)
def test_folders_within_one_another_are_refused(folders: str) -> None:
    with pytest.raises(UsageError, match="apart from each other"):
        parse(f"[workspace]\n{folders}\n".encode())


@pytest.mark.parametrize(
    "folders",
    [
        'raw = "wiki/raw"',
        'wiki = "."',
        'wiki = "./"\nraw = "_raw"',
        'gold = "wiki/gold"',
        'wiki = "."\nindex = "wiki/index.md"',
    ],
)
def test_sources_and_gold_may_lie_below_the_wiki(folders: str) -> None:
    assert parse(f"[workspace]\n{folders}\n".encode()).workspace.exclude == ()


@pytest.mark.parametrize(
    "pages",
    ['wiki = "."\nlog = "raw/log.md"', 'wiki = "."\nindex = "Gold/index.md"', 'raw = "wiki/raw"\nlog = "raw/log.md"'],
)
def test_pages_that_the_tool_or_readers_need_are_no_sources(pages: str) -> None:
    with pytest.raises(UsageError, match="is a page of the wiki"):
        parse(f"[workspace]\n{pages}\n".encode())


def test_verdicts_are_unsigned_unless_asked_for_and_signed_ones_name_the_repository() -> None:
    assert not parse(b"").trust.signed
    with pytest.raises(UsageError, match="'signed' needs 'repository'"):
        parse(b"[trust]\nsigned = true\n")
    with pytest.raises(UsageError, match="inside the workspace"):
        parse(b'[trust]\nallowed_signers = "../signers"\n')
    assert parse(b'[trust]\nsigned = true\nrepository = "https://example.org/w"\n').trust.signed


def test_index_and_log_are_two_pages() -> None:
    with pytest.raises(UsageError, match="must be two pages"):
        parse(b'[workspace]\nindex = "log.md"\n')
