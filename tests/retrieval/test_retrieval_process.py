from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from gitops.retrieval.process import MOST, Ended, run

NEVER = threading.Event()


def ended(code: str, folder: Path, timeout_s: float = 30.0, stopping: threading.Event = NEVER) -> Ended:
    return run([sys.executable, "-c", code], folder, timeout_s, stopping)


def is_there(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has waited for yet runs no more."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_that_is_not_there_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run(["./none"], tmp_path, 1.0, NEVER)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")
@pytest.mark.parametrize("leaves", ["", "; import sys; sys.exit()"], ids=["waits", "leaves its child behind"])
def test_what_a_program_has_started_is_killed_with_it(tmp_path: Path, leaves: str) -> None:
    child = "import os, time; open('child', 'w').write(str(os.getpid())); time.sleep(60)"
    code = f"import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', {child!r}])"
    code += leaves or "; time.sleep(60)"
    began = time.monotonic()
    assert ended(code, tmp_path, 3.0).failed == "it took longer than 3 s"
    assert time.monotonic() - began < 20
    deadline = time.monotonic() + 10
    while is_there(int((tmp_path / "child").read_text())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_there(int((tmp_path / "child").read_text()))


@pytest.mark.skipif(not hasattr(os, "waitid") or not Path("/proc/self/stat").exists(), reason="not to be seen here")
def test_what_it_leaves_in_the_background_does_not_run_on(tmp_path: Path) -> None:
    quiet = "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"
    code = f"import subprocess; print(subprocess.Popen(['sleep', '60'], {quiet}).pid)"
    done = ended(code, tmp_path)
    assert done.failed == ""
    deadline = time.monotonic() + 10
    while is_there(int(done.output)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_there(int(done.output))


def test_output_without_end_is_cut_off(tmp_path: Path) -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    assert ended(code, tmp_path).failed == f"it printed more than {MOST // 2**20} MiB"


def test_what_it_says_on_standard_error_is_kept_to_its_end_alone(tmp_path: Path) -> None:
    code = "import sys; sys.stderr.write('noise\\n' * 100_000); sys.exit('what was wrong')"
    assert ended(code, tmp_path) == Ended(failed="exit 1: what was wrong")


def test_a_program_that_closes_its_output_and_runs_on_is_waited_for(tmp_path: Path) -> None:
    code = "import os, time; os.write(1, b'said'); os.close(1); os.close(2); time.sleep(0.4); os._exit(4)"
    assert ended(code, tmp_path) == Ended(failed="exit 4")
    assert ended(code, tmp_path, 0.3).failed == "it took longer than 0.3 s"


def test_it_has_nothing_to_read_and_runs_in_its_folder(tmp_path: Path) -> None:
    code = "import os, sys; sys.stdout.write(sys.stdin.read() + os.getcwd())"
    assert ended(code, tmp_path) == Ended(os.fsencode(tmp_path.resolve()))


def test_it_stops_when_everything_is_to_stop(tmp_path: Path) -> None:
    stopping = threading.Event()
    threading.Timer(0.3, stopping.set).start()
    began = time.monotonic()
    assert ended("import time; time.sleep(60)", tmp_path, stopping=stopping).failed == "it was interrupted"
    assert time.monotonic() - began < 20
