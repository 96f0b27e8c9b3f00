"""Cases whose rationales can be judged by hand: sources, the reasons that the gold gives, and those extracted.

scene(source, gold=…, extracted=…)     one case as `faithfulness.judged` takes it: one decision, matched unless told
judged(scene, judge=…)                 its claims
told(…)                                the same as {status: [sentence, …]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitops.extraction import faithfulness
from gitops.extraction.faithfulness import Scored
from gitops.extraction.model import Case, Faithfulness, Matching, Pair, Source
from gitops.okf.model import Atom, Backing, Bundle, Sentence
from gitops.verify import judges
from gitops.verify.judge import Judge

OFFLINE = judges.find("offline")
MEMO = """\
# Memo of 4 May

The Dike Board decided to mow in May. Birds nest in June and must not be disturbed.
The hay is worth most before it flowers.
"""
BIRDS, HAY = "Birds nest in June and must not be disturbed.", "The hay is worth most before it flowers."
INVENTED = "The chairman's cousin rents out combine harvesters."
Reasons = Sequence[str | Sentence]


def sentence(text: str, *quotes: str, path: str = "sources/memo.md") -> Sentence:
    """A sentence that quotes words of a source."""
    return Sentence(text, 1, tuple(Backing(path, quote) for quote in quotes))


def atom(path: str, reasons: Reasons, title: str = "Mow in May", type: str = "decision") -> Atom:
    """An atom with its reasons, a line each."""
    said = [one if isinstance(one, Sentence) else Sentence(one, 0) for one in reasons]
    rationale = tuple(Sentence(one.text, 20 + at, one.backings) for at, one in enumerate(said))
    return Atom(path.removesuffix(".md"), type, title, path, rationale=rationale)


def case(sources: str | Mapping[str, str], *gold: Atom, name: str = "mowing") -> Case:
    """A case of gold."""
    texts = {"memo.md": sources} if isinstance(sources, str) else sources
    documents = tuple(Source(each, f"gold/{name}/sources/{each}", text) for each, text in texts.items())
    return Case(name, documents, Bundle(f"gold/{name}/atoms", gold))


def scene(
    sources: str | Mapping[str, str] = MEMO,
    gold: Reasons = (),
    extracted: Reasons = (),
    *,
    is_matched: bool = True,
) -> Scored:
    """One decision of the gold and one that was extracted, matched with each other unless that is told."""
    mine, other = atom("mow-in-may.md", gold), atom("mowing.md", extracted)
    bundle = Bundle("out/mowing", (other,))
    matching = Matching((Pair(mine, other, "title"),), (), ()) if is_matched else Matching((), (mine,), (other,))
    return case(sources, mine), bundle, matching


def judged(of: Scored, judge: Judge = OFFLINE) -> Faithfulness:
    """The claims of one case."""
    [found] = faithfulness.judged([of], judge)
    return found


def told(of: Scored, judge: Judge = OFFLINE) -> dict[str, list[str]]:
    """The sentences of one case by what became of them, in order."""
    found: dict[str, list[str]] = {}
    for claim in judged(of, judge).claims:
        found.setdefault(claim.status, []).append(claim.sentence.text)
    return found
