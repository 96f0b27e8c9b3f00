"""The offline judge: what it refuses, what it supports, and that it is the same every time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitops.errors import UsageError
from gitops.verify import judges
from gitops.verify.judge import PairQuestion, Question, Vote
from gitops.verify.judges.offline import Offline
from gitops.verify.judging.claiming import parse
from gitops.wiki.terms import MemoryCorpus

SOURCE = (
    "The harbour of Port Ellen was dredged in 1994. Solvent consumption at the plant declined by two fifths in 2019. "
    "Some of the workers joined the union. The bridge was opened by Anna Berg on 3 May 1987."
)
JUDGE = Offline()


def vote(claim: str, source: str = SOURCE, **others: str) -> Vote:
    [found] = JUDGE.votes([Question(claim, source=source, **others)])
    return found


def test_a_judge_that_is_not_there_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError) as refused:
        judges.find("ofline")
    assert "offline" in refused.value.hint


@pytest.mark.parametrize("source", ["", "  \n "])
def test_without_a_source_the_vote_says_so(source: str) -> None:
    assert vote("The harbour was dredged.", source).vote == "source_missing"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("溶剂消费下降了五分之二。", SOURCE),
        ("Solvent use fell.", "溶剂消费在二零一九年下降了五分之二。港口已疏浚。"),
        ("Гавань была углублена в 1994 году.", SOURCE),
        ("Der Hafen wurde im Jahr 1994 von der Stadt und mit dem Geld des Landes vertieft.", SOURCE),
        ("…", SOURCE),
    ],
)
def test_what_is_not_english_is_not_judged(claim: str, source: str) -> None:
    found = vote(claim, source)
    assert (found.vote, found.confidence) == ("abstained", 0.0)
    assert found.reason


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ("The harbour of Port Ellen was not dredged in 1994.", ""),
        ("The harbour of Port Ellen was dredged in 1995.", "1995"),
        ("The bridge was closed by Anna Berg on 3 May 1987.", "closed"),
        ("The union was led by Gustav Holm from Oslo until he retired.", "Gustav"),
        ("Penguins migrate across Antarctica every winter.", "Penguins"),
    ],
)
def test_what_the_source_does_not_say_is_not_supported(claim: str, word: str) -> None:
    found = vote(claim)
    assert found.vote in ("does_not_support", "partially_supports", "abstained")
    assert found.support is not None
    assert found.support < 0.5
    assert not word or word in found.unsupported


@pytest.mark.parametrize(
    "claim",
    [
        "The harbour of Port Ellen was dredged in 1994.",
        "Solvent consumption at the plant declined by 40 % in 2019.",
        "Anna Berg opened the bridge on 3 May 1987.",
    ],
)
def test_what_the_source_says_is_supported(claim: str) -> None:
    found = vote(claim)
    assert found.vote == "supports", found
    assert "closest" in found.reason.lower()


def test_a_planted_error_is_less_supported_than_the_claim_it_was_planted_in() -> None:
    true = vote("Some of the workers joined the union.").support
    for wrong in ("All of the workers joined the union.", "Some of the workers left the union."):
        found = vote(wrong).support
        assert found is not None
        assert true is not None
        assert found < true - 0.1, wrong


def test_a_span_is_judged_without_the_rest_of_its_source() -> None:
    assert (
        vote("The harbour of Port Ellen was dredged in 1994.", "", span="Port Ellen harbour was dredged in 1994.").vote
        == "supports"
    )


def test_two_claims_that_cannot_both_be_true_contradict() -> None:
    pairs = [
        PairQuestion("The league had 10 teams.", "The league had eight teams."),
        PairQuestion("Emissions rose in that year.", "Emissions fell in that year."),
        PairQuestion("The bridge was built of stone.", "The bridge was built of stone."),
        PairQuestion("The bridge was built of stone.", "Many penguins swim."),
        PairQuestion("桥是石头造的。", "The bridge was built of stone."),
    ]
    found = [each.vote for each in JUDGE.pair_votes(pairs)]
    assert found == ["direct_contradiction", "direct_contradiction", "supports", "independent", "abstained"]


PHRASES = st.lists(
    st.sampled_from([*SOURCE.split(), "not", "40", "%", "1.2", "million", "U.S.", "—", "İ", "é", "\n"]), max_size=25
)
TEXTS = st.one_of(st.text(max_size=120), PHRASES.map(" ".join))


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
@pytest.mark.slow
def test_any_text_gets_a_vote_and_the_same_alone_as_among_others(asked: list[tuple[str, str]]) -> None:
    questions = [Question(claim, source=source) for claim, source in asked]
    together = Offline().votes(questions)
    assert together == [Offline().votes([question])[0] for question in questions]
    assert together[::-1] == JUDGE.votes(questions[::-1])
    for found in together:
        assert 0.0 <= found.confidence <= 1.0
        assert found.support is None or 0.0 <= found.support <= 1.0
        assert found.reason.endswith(".")


@settings(deadline=None, max_examples=150)
@given(TEXTS, TEXTS, TEXTS, st.integers(0, 60), st.integers(1, 60))
def test_any_span_of_any_text_gets_a_vote(claim: str, before: str, source: str, first: int, length: int) -> None:
    asked = Question(claim, before=before, span=source[first : first + length], context=source, source=source)
    [found] = JUDGE.votes([asked])
    assert found == Offline().votes([asked])[0]
    assert not (found.may_gate and found.vote in ("partially_supports", "abstained"))
    assert all(word in claim for word in found.unsupported)


@settings(deadline=None, max_examples=150)
@given(TEXTS)
def test_no_text_is_refused_by_itself(text: str) -> None:
    [found] = JUDGE.votes([Question(text, source=text)])
    assert not (found.vote == "does_not_support" and found.may_gate), found


@settings(deadline=None, max_examples=150)
@given(TEXTS, TEXTS)
def test_any_pair_gets_a_vote_whichever_comes_first(a: str, b: str) -> None:
    one, other = JUDGE.pair_votes([PairQuestion(a, b), PairQuestion(b, a)])
    assert one.vote == other.vote or {one.vote, other.vote} & {"abstained"}
    assert 0.0 <= one.confidence <= 1.0


@pytest.mark.parametrize("seed", ["0", "1"])
def test_no_vote_hangs_on_the_order_of_a_hash(seed: str) -> None:
    claim = "The bridge of Port Ellen was not opened in 1994 or 2019."
    code = (
        "from gitops.verify.judges.offline import Offline; from gitops.verify.judge import Question;"
        f"print(Offline().votes([Question({claim!r}, source={SOURCE!r})]))"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str([vote(claim)])


def test_its_digest_is_that_of_its_code_and_weights() -> None:
    assert len(JUDGE.digest) == 64
    assert JUDGE.digest == Offline().digest


def test_no_confidence_is_enough_to_refuse() -> None:
    assert JUDGE.gate("does_not_support") is JUDGE.gate("partially_supports") is JUDGE.gate("abstained") is None
    gate = JUDGE.gate("supports")
    assert gate is not None
    assert 0.55 <= gate <= 1.0


@pytest.mark.parametrize(
    "claim",
    [
        "Berg from Oslo designed the bridge.",
        "The consumption of solvents went down by two fifths.",
        "Work at the plant did not get any harder in 2019.",
        "Parts of the workforce became members.",
    ],
)
def test_a_doubtful_paraphrase_is_not_refused(claim: str) -> None:
    found = vote(claim)
    assert found.vote == "supports" or not found.may_gate, found


@pytest.mark.parametrize(
    ("claim", "quotation", "told"),
    [
        ("The harbour of Port Ellen was dredged in 1995.", "Port Ellen was dredged in 1994", "1995"),
        ("Solvent consumption declined by three fifths.", "declined by two fifths in 2019", "two fifths"),
        ("Solvent consumption at the plant rose by two fifths.", "declined by two fifths in 2019", "rose"),
        ("The bridge was opened by Gustav Holm on 3 May 1987.", "opened by Anna Berg on 3 May 1987", "Anna Berg"),
        ("The harbour of Port Ellen was never dredged.", "Port Ellen was dredged in 1994", "denies"),
        ("All of the workers joined the union.", "Some of the workers joined the union", "another part"),
    ],
)
def test_a_false_claim_with_a_true_quotation_is_refused(claim: str, quotation: str, told: str) -> None:
    found = vote(claim, span=quotation, context=SOURCE)
    assert (found.vote, found.may_gate) == ("does_not_support", True)
    assert told in found.reason
    assert found.confidence >= 0.9
    assert found.unsupported


def test_what_is_refuted_is_never_so_sure_that_no_other_judge_is_asked() -> None:
    true, hedged = "The drug cured most of the patients.", "The drug may have cured most of the patients."
    assert vote(true, true).may_gate
    dropped = vote(true, hedged)
    assert dropped.vote != "supports" or not dropped.may_gate


@pytest.mark.parametrize(
    "claim",
    [
        "Die Produktion stieg 2019 um 40 %.",
        "El puerto fue dragado en 1994.",
        "Le port a été dragué en 1994.",
        "Il porto è stato dragato nel 1994.",
        "Hamnen muddrades 1994 och är djup.",
    ],
)
def test_a_short_claim_of_another_language_is_not_judged(claim: str) -> None:
    assert vote(claim).vote == "abstained"


def test_a_claim_without_a_word_that_tells_its_language_is_not_refused() -> None:
    assert not vote("Satama ruopattiin perusteellisesti uudelleen kaupungin toimesta.").may_gate


def test_a_corpus_makes_rare_words_weigh_more_and_always_the_same() -> None:
    corpus = MemoryCorpus([["harbour", "dredged"], ["harbour"], ["harbour"], ["harbour", "port"]])
    source = "The harbour is old. It was dredged."
    asked = [Question("The harbour was widened.", source=source), Question("The quay was dredged.", source=source)]
    plain, weighed, again = (judge.votes(asked) for judge in (Offline(), Offline(corpus), Offline(corpus)))
    assert weighed == again
    assert weighed != plain
    common, rare = (parse(one.claim, corpus) for one in asked)
    weights = {claim.unit(at).folded: weight for claim in (common, rare) for at, weight in enumerate(claim.weights)}
    assert weights["harbour"] < weights["dredged"] < weights["quay"]
    assert all(0 <= weight <= 1 for weight in weights.values())
