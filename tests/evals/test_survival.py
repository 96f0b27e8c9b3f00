from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from gitops.evals.survival import outcomes
from gitops.verify.view import View

Pages = Mapping[str, str]
QUOTE = '[^1]: raw/report.md, "The mill employs 40 people"\n'
FILES = {"raw/report.md": "The mill employs 40 people. The river is 9 km long.\n", "wiki/index.md": "# Index\n"}


@pytest.fixture
def fates(make_view: Callable[[Mapping[str, str | bytes]], View]) -> Callable[..., Counter[str]]:
    """fates(before, after) -> how many anchors of some pages came to what."""

    def count(before: Pages, after: Pages) -> Counter[str]:
        paths = [path for path in {**before, **after} if path.startswith("wiki/")]
        found = outcomes(make_view({**FILES, **before}), make_view({**FILES, **after}), paths)
        assert all((one.why is not None) == (one.fate == "lost") for one in found)
        return Counter(one.fate for one in found)

    return count


def page(claim: str = "40 work there.", notes: str = QUOTE) -> str:
    return f"# Page\n\n{claim}[^1]\n\n{notes}"


def test_pages_without_anchors_lose_none(fates: Callable[..., Counter[str]]) -> None:
    assert fates({"wiki/a.md": "# A\n"}, {}) == Counter()


def test_what_two_pages_lose_and_one_gains_lives_on_once(fates: Callable[..., Counter[str]]) -> None:
    before = {"wiki/a.md": page(), "wiki/b.md": page()}
    assert fates(before, {"wiki/c.md": page()}) == {"moved": 1, "lost": 1}


def test_a_page_s_own_anchor_takes_nothing_over(fates: Callable[..., Counter[str]]) -> None:
    before = {"wiki/a.md": page(), "wiki/b.md": page()}
    assert fates(before, {"wiki/b.md": page("It is said so.")}) == {"verified": 1, "lost": 1}


def test_the_same_quotation_goes_before_a_longer_one(fates: Callable[..., Counter[str]]) -> None:
    river = '[^2]: raw/report.md, "river is 9 km long"\n'
    longer = '[^1]: raw/report.md, "The river is 9 km long"\n'
    before = {"wiki/a.md": page("So.[^2] And", f"{longer}{river}")}
    assert fates(before, {"wiki/a.md": page("So", river.replace("[^2]", "[^1]"))}) == {"verified": 1, "lost": 1}
    assert fates(before, {"wiki/a.md": page("So", longer)}) == {"verified": 1, "lost": 1}


def test_a_dated_claim_on_another_page_is_a_survivor(fates: Callable[..., Counter[str]]) -> None:
    after = {"wiki/b.md": page("As of 2024-01-02, 40 work there."), "raw/report.md": "It is closed.\n"}
    assert fates({"wiki/a.md": page()}, after) == {"dated": 1}


def test_a_dated_claim_of_other_words_is_none(fates: Callable[..., Counter[str]]) -> None:
    after = {"wiki/a.md": page("As of 2024-01-02, 45 work there."), "raw/report.md": "It is closed.\n"}
    assert fates({"wiki/a.md": page()}, after) == {"lost": 1}


def test_a_dated_claim_with_another_source_is_none(fates: Callable[..., Counter[str]]) -> None:
    other = '[^1]: raw/other.md, "Nothing of the kind"\n'
    after = {"wiki/a.md": page("As of 2024-01-02, 40 work there.", other), "raw/other.md": "Nothing of the kind.\n"}
    assert fates({"wiki/a.md": page()}, after) == {"lost": 1}
