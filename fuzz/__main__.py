"""`python -m fuzz TARGET [libFuzzer options]`: coverage-guided, until something breaks or the time is up.

Needs the extra `fuzz`. `python -m fuzz dialects -max_total_time=60` runs a minute; what broke is left in `crash-…`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from fuzz.seeds import SEEDS


def main() -> None:
    """Hand one target to libFuzzer, with the seeds as its first corpus."""
    import atheris

    with atheris.instrument_imports(include=["gitops.wiki", "gitops.verify", "gitops.okf", "gitops.extraction"]):
        from fuzz.targets import TARGETS
        from gitops.verify.registry import registry
        from gitops.wiki import dialects

        dialects.named(dialects.ids())  # both are loaded on demand, and would be out of sight then
        registry()
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"python -m fuzz TARGET [options of libFuzzer]; targets: {', '.join(TARGETS)}")
    name = sys.argv.pop(1)
    corpus = tempfile.mkdtemp(prefix=f"fuzz-{name}-")
    for number, seed in enumerate(SEEDS):
        (Path(corpus) / f"seed-{number:02}").write_bytes(seed.encode())
    atheris.Setup([*sys.argv, corpus], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
