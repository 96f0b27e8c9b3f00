"""The offline judge over 600 claims, each against a source of 5 kB of its own, as processor time: 300 a second.

The floor is the limit itself: a 300th of a second a claim.
"""

from __future__ import annotations

import random
import time

from benchmarks.timing import Options, Ratio
from gitops.verify.judge import Question
from gitops.verify.judges.offline import Offline

CLAIMS, SOURCE, RATE = 600, 5_000, 300.0
_SEED = 20130613


def run(options: Options) -> list[Ratio]:
    """One ratio: seconds of processor time for all claims, against what the rate allows."""
    asked = questions(options.size(CLAIMS))
    allowed = len(asked) / RATE
    seconds = [_seconds(asked) for _ in range(options.rounds + 1)][1:]
    name, floor = "offline judge, 5 kB a source, processor time", f"{RATE:g} claims a second"
    return [Ratio(name, floor, 1.0, len(asked), tuple(seconds), (allowed,) * len(seconds))]


def questions(count: int) -> list[Question]:
    """Claims of about twenty words, half of them from the source, with names and numbers, words as rare as in prose."""
    generator = random.Random(_SEED)
    words = ["".join(generator.choices("aeioubcdfglmnprst", k=generator.randint(4, 10))) for _ in range(8_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    made = []
    for _ in range(count):
        sentences: list[str] = []
        while sum(len(each) for each in sentences) < SOURCE:
            sentences.append(_sentence(generator, words, weights))
        half = generator.choice(sentences).split()[:10]
        made.append(
            Question(
                " ".join([*half, *_sentence(generator, words, weights).split()[:10]]) + ".", source=" ".join(sentences)
            )
        )
    return made


def _sentence(generator: random.Random, words: list[str], weights: list[float]) -> str:
    drawn = generator.choices(words, weights, k=generator.randint(8, 24))
    drawn[0] = drawn[0].capitalize()
    drawn[generator.randrange(1, len(drawn))] = generator.choice(words).capitalize()
    drawn[generator.randrange(1, len(drawn))] = str(generator.randint(2, 2024))
    function = iter(generator.choices(["the", "of", "and", "in", "to", "a", "was", "for", "with", "by"], k=len(drawn)))
    return (
        " ".join(f"{next(function)} {word}" if generator.random() < 0.5 else word for word in drawn).capitalize() + "."
    )


def _seconds(asked: list[Question]) -> float:
    start = time.process_time()
    Offline().votes(asked)
    return time.process_time() - start
