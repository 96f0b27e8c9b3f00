"""What a verifier is tried with: errors planted in sound claims, and sound claims written anew; and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gitops.canonical import digest
from gitops.evals.edited import change, edited
from gitops.evals.foretold import Foretold
from gitops.evals.planting.ground import Ground
from gitops.evals.planting.kinds import KINDS, plant, unlike
from gitops.evals.planting.sound import Sound
from gitops.runs.verifier_tests import CONTROL
from gitops.verify.finding import Finding
from gitops.verify.panel import Panel
from gitops.verify.verifier import verify
from gitops.verify.view import RunFacts, View
from gitops.wiki.names import Files

RUN = RunFacts(run_type="lint", reason="a verifier test rewrites one claim")
"""A run that may reword claims: what `convergence` says of every rewording, right or wrong, would be no test."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One claim that a run writes: the page's bytes before and after, None for what the revision has."""

    kind: str
    sound: Sound
    was: str
    now: str
    before: bytes | None = None
    after: bytes | None = None

    @property
    def id(self) -> str:
        """The digest of claim and kind: the same in every run, whatever is planted."""
        return digest([self.kind, *self.sound.name])[:32]

    @property
    def change(self) -> tuple[str, bytes | None, bytes | None]:
        """The page with its bytes before and after, by which equal changes are known."""
        return self.sound.path, self.before, self.after


@dataclass(frozen=True, slots=True)
class Drawn:
    """The trials, and for each kind how many claims were passed over because it cannot be planted in them (again)."""

    trials: tuple[Trial, ...]
    not_applicable: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial and the findings that the change caused."""

    trial: Trial
    findings: tuple[Finding, ...]


def draw(ground: Ground, size: int, seed: int) -> Drawn:
    """So many trials of each kind, and as many controls, as there are; always the same for one seed and revision."""
    order = sorted(ground.sound, key=lambda sound: digest([seed, *sound.name]))
    trials: list[Trial] = []
    passed_over: dict[str, int] = {}
    drawn: set[tuple[str, bytes | None, bytes | None]] = set()
    for kind in (*KINDS, CONTROL):
        made: list[Trial] = []
        tried = 0
        for sound in order:
            if len(made) == size:
                break
            tried += 1
            trial = _control(sound, ground) if kind == CONTROL else _mutant(kind, sound, ground, seed)
            # Claims that share a footnote become wrong together: that is one error, of the first of them.
            if trial is not None and trial.change not in drawn:
                drawn.add(trial.change)
                made.append(trial)
        trials += made
        passed_over[kind] = tried - len(made)
    return Drawn(tuple(trials), passed_over)


def _mutant(kind: str, sound: Sound, ground: Ground, seed: int) -> Trial | None:
    mutant = plant(kind, sound, ground, str(seed))
    return None if mutant is None else Trial(kind, sound, mutant.was, mutant.now, after=mutant.data)


def _control(sound: Sound, ground: Ground) -> Trial | None:
    """The claim as it stands, on a page that said something else before: so that it is new, and judges are asked."""
    before = unlike(sound, ground)
    return None if before is None else Trial(CONTROL, sound, sound.claim.text, sound.claim.text, before=before)


Watch = Callable[[Sequence[Trial]], Iterable[Trial]]
"""Shows how far a round has come."""


def verified(view: View, trials: Sequence[Trial], judges: Sequence[Foretold], watch: Watch) -> list[Tried]:
    """What the verifier says of each trial, in order. CannotRun where a judge gives no answer.

    In rounds: what the judges have not been asked yet is collected over all trials, and asked at once.
    """
    held = Files(view.snapshot.paths)
    panel = Panel(tuple(judges)) if judges else None
    done: dict[int, Tried] = {}
    # Trials that cite the same come together: who reads a source reads it once.
    left = sorted(range(len(trials)), key=lambda at: (trials[at].sound.sources, at))
    while left:
        again = []
        for number, trial in zip(left, watch([trials[at] for at in left]), strict=True):
            before = sum(judge.provisional for judge in judges)
            done[number] = Tried(trial, tuple(_said(view, trial, panel, held)))
            if sum(judge.provisional for judge in judges) > before:
                again.append(number)
        for judge in judges:
            judge.ask()
        left = again
    return [done[number] for number in range(len(trials))]


def _said(view: View, trial: Trial, panel: Panel | None, held: Files) -> Iterator[Finding]:
    path = trial.sound.path
    before, after = (view if data is None else edited(view, path, data, held) for data in (trial.before, trial.after))
    judged = verify(before, after, change(before, after, path), RUN, panel=panel)
    return (found for found in judged.findings if found.new)
