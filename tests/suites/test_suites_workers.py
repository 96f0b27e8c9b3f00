"""Workers with real programs, hostile ones among them: each is one case with its reason, and the next is as new."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitops.errors import CannotRun
from gitops.suites.model import Limits
from gitops.suites.workers import Ended, Program, Stopped, Workers

PROJECT = Path(__file__).parents[2]
MIB = 2**20


def program(
    *words: str, files: Path | None = None, environment: dict[str, str] | None = None, **limits: Any
) -> Program:
    base = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    return Program(words, {**base, **(environment or {})}, Limits(**limits), files)


def ran(*words: str, stdin: bytes = b"", timeout_s: float = 20.0, times: int = 1, **options: Any) -> list[Ended]:
    workers = Workers(program(*words, **options))
    try:
        return [workers.run(stdin, {}, timeout_s) for _ in range(times)]
    finally:
        workers.close()


def bash(script: str, **options: Any) -> Ended:
    return ran("bash", "-c", script, **options)[0]


def processes_with(word: str) -> list[str]:
    """The command lines on this machine that hold a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line:
            found.append(line)
    return found


@pytest.fixture
def isolated() -> None:
    """Only where this machine gives namespaces to whoever runs the tests."""
    workers = Workers(program("true"))
    try:
        told = workers.isolation()
    finally:
        workers.close()
    if told["processes"] != "namespace" or told["tree"] != "read-only":
        pytest.skip(f"this machine has no namespaces for us: {told['why']}")


def test_what_is_given_is_read_and_what_is_printed_comes_back() -> None:
    assert [one.output for one in ran("cat", stdin=b"a case", times=2)] == [b"a case", b"a case"]


def test_a_case_that_is_larger_than_a_pipe_comes_whole() -> None:
    given = os.urandom(3 * MIB)
    assert ran("cat", stdin=given)[0].output == given


def test_a_program_that_reads_nothing_of_its_case_is_not_waited_for() -> None:
    assert bash("echo done", stdin=b"x" * 200_000).output == b"done\n"


def test_a_program_that_hangs_is_ended_after_its_time() -> None:
    first, second = ran("sleep", "100", timeout_s=0.2, times=2)
    assert (first.ended, second.ended) == ("timeout", "timeout")
    assert 200 <= first.latency_ms < 2_000


def test_one_that_closed_its_output_and_runs_on_is_waited_for() -> None:
    found = bash("exec >&- 2>&-; sleep 0.1")
    assert (found.ended, found.code) == ("", 0)
    assert found.latency_ms >= 100


def test_what_it_left_behind_is_gone_when_it_is_done_even_out_of_its_session() -> None:
    mark = f"30{os.getpid()}1"
    found = bash(f"setsid sleep {mark} & setsid setsid sleep {mark} & sleep {mark} & echo done")
    assert (found.ended, found.output) == ("", b"done\n")
    assert processes_with(f"sleep {mark}") == []


def test_what_it_left_behind_is_gone_when_it_had_to_be_ended() -> None:
    mark = f"30{os.getpid()}2"
    assert bash(f"setsid sleep {mark} & sleep {mark}", timeout_s=0.2).ended == "timeout"
    assert processes_with(f"sleep {mark}") == []


def test_one_that_forks_without_end_is_ended_with_all_of_them() -> None:
    mark = f"forks{os.getpid()}"
    found = ran("bash", "-c", "f(){ f|f& };f; sleep 20", mark, processes=20)[0]
    assert found.ended == "processes"
    assert processes_with(mark) == []


def test_one_that_fills_the_disk_with_many_files_is_ended_and_the_next_finds_room() -> None:
    fill = "head -c 1M /dev/zero > f$RANDOM$RANDOM"
    script = f"while {fill}; do :; done; sleep 20"
    first, second = ran("bash", "-c", script, disk_mb=4, times=2)
    assert (first.ended, second.ended) == ("disk", "disk")


def test_one_that_fills_the_disk_and_says_that_all_is_well_has_failed() -> None:
    assert bash("head -c 20M /dev/zero > big; exit 0", disk_mb=4).ended == "disk"


def test_each_case_finds_its_folder_empty() -> None:
    script = "ls -A; mkdir -p a/b; touch a/b/c .d; ln -s /etc l; chmod 0 a/b; chmod 0 a; chmod 0 ."
    assert [(one.ended, one.output) for one in ran("bash", "-c", script, times=3)] == [("", b"")] * 3


def test_each_case_finds_the_files_of_its_suite_and_may_write_to_them(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/one.txt").write_text("one\n")
    script = "cat deep/one.txt; echo more >> deep/one.txt"
    assert [one.output for one in ran("bash", "-c", script, files=tmp_path, times=2)] == [b"one\n", b"one\n"]
    assert (tmp_path / "deep/one.txt").read_text() == "one\n"


def test_one_that_prints_without_end_is_ended() -> None:
    assert bash("exec yes", output_mb=2).ended == "output"
    assert bash("exec yes >&2", output_mb=2).ended == "output"


def test_one_that_prints_a_gigabyte_is_ended_before_it_has() -> None:
    found = bash("head -c 1G /dev/zero; echo done >&2", output_mb=1)
    assert found.ended == "output"
    assert len(found.output) == 0


def test_what_is_printed_by_opening_the_streams_anew_comes_in_its_order() -> None:
    found = bash("echo a > /dev/stdout; echo b > /dev/stdout; echo c | tee /dev/stdout; echo e > /dev/stderr")
    assert (found.output, found.said) == (b"a\nb\nc\nc\n", "e\n")


def test_what_a_case_leaves_beside_its_folder_harms_no_other() -> None:
    beside = "mkdir -p ../pycache; head -c 90M /dev/zero > ../pycache/x; head -c 90M /dev/zero > /dev/shm/y"
    found = ran("bash", "-c", f"ls -A | wc -l; {beside}; echo done", sys.executable, times=3, disk_mb=200)
    assert [one.output for one in found] == [b"0\ndone\n"] * 3


def test_as_much_as_may_be_printed_comes_whole() -> None:
    assert len(bash("head -c 1M /dev/zero", output_mb=1).output) == MIB


def test_memory_is_bounded() -> None:
    found = ran(sys.executable, "-c", "bytearray(1 << 30)", memory_mb=256)[0]
    assert (found.code, found.ended) == (1, "")
    assert "MemoryError" in found.said


def test_memory_is_bounded_below_what_the_worker_needs_itself() -> None:
    assert bash("ulimit -v", memory_mb=64).output == b"65536\n"


@pytest.mark.parametrize(("script", "code"), [("exit 139", 139), ("kill -SEGV $$", -11), ("exit 0", 0)])
def test_how_it_ended_is_told(script: str, code: int) -> None:
    assert bash(script).code == code


def test_a_program_that_is_not_there_is_a_failed_case_and_the_worker_goes_on() -> None:
    found = ran("there-is-no-such-program", times=2)
    assert [one.ended for one in found] == ["start", "start"]
    assert "No such file" in found[0].said


def test_nothing_of_our_environment_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET_TOKEN", "hunter2hunter2")
    script = "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"
    workers = Workers(program("bash", "-c", script))
    try:
        told, shown = workers.isolation(), workers.run(b"", {"ASSAY_CASE": "one"}, 20).output.decode()
    finally:
        workers.close()
    names = {line.partition("=")[0] for line in shown.split("\n") if "=" in line}
    assert "ASSAY_CASE=one" in shown
    if told["processes"] == "namespace":
        assert "hunter2" not in shown
        ours = {"PATH", "LANG", "HOME", "TMPDIR", "ASSAY_CASE", "PYTHONPYCACHEPREFIX"}
        assert names <= ours | {"PWD", "SHLVL", "_", "OLDPWD", "LC_CTYPE"}


def test_home_and_temporary_files_are_its_own_folder() -> None:
    home, temporary, here = bash("echo $HOME; echo $TMPDIR; pwd").output.decode().split()
    assert home == temporary == here


def test_there_is_no_network_but_its_own_loopback(isolated: None) -> None:
    listen = "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())"
    reach = "import socket; socket.create_connection(('192.0.2.1', 80), 5)"
    assert ran(sys.executable, "-c", listen)[0].code == 0
    found = ran(sys.executable, "-c", reach)[0]
    assert found.code == 1
    assert "unreachable" in found.said


def test_a_suite_that_asks_for_the_network_has_that_of_the_machine() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reach = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
        assert ran(sys.executable, "-c", reach, network=True)[0].code == 0
        workers = Workers(program("true"))
        told = workers.isolation()["network"]
        workers.close()
        if told == "isolated":
            assert ran(sys.executable, "-c", reach)[0].code == 1


def test_it_can_write_nowhere_but_to_its_folder(isolated: None, tmp_path: Path) -> None:
    found = bash(f"touch {tmp_path}/here; touch /tmp/there; touch mine && echo mine")
    assert found.output == b"mine\n"
    assert found.said.count("Read-only file system") == 2
    assert list(tmp_path.iterdir()) == []


def test_it_can_end_neither_the_worker_nor_anybody_else(isolated: None) -> None:
    # Outside of a namespace of its own this would end whatever its user runs: then it does nothing, and fails.
    script = "[ $PPID = 1 ] || exit 9; kill -9 1; kill -9 $PPID; kill -9 -1; echo done"
    first, second = ran("bash", "-c", script, times=2)
    assert (first.ended, second.ended) == ("", "")
    assert (first.output, second.output) == (b"done\n", b"done\n")


def test_it_has_no_privileges_whoever_runs_it(isolated: None) -> None:
    shown = bash("grep -E '^Cap(Prm|Eff|Bnd)|^NoNewPrivs' /proc/self/status").output.decode()
    assert [line.split()[1] for line in shown.splitlines()] == ["0" * 16] * 3 + ["1"]


def test_closing_ends_what_runs_at_once() -> None:
    mark = f"30{os.getpid()}3"
    workers = Workers(program("sleep", mark))
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            workers.run(b"", {}, 60)
        except Stopped as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not processes_with(f"sleep {mark}"):
        time.sleep(0.01)
    workers.close()
    thread.join(5)
    assert raised
    assert processes_with(f"sleep {mark}") == []
    with pytest.raises(Stopped):
        workers.run(b"", {}, 60)


def test_no_folder_is_left_when_they_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ran("bash", "-c", "mkdir a; chmod 0 a")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def without_namespaces() -> Callable[[str], Any]:
    """Runs some lines of Python where no further namespace may be made, in an outer one of processes for safety."""
    limits = "; ".join(
        f"echo 0 > /proc/sys/user/max_{kind}_namespaces" for kind in ("pid", "mnt", "net", "ipc", "user")
    )
    outer = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare")
    if subprocess.run([*outer, "sh", "-c", limits], capture_output=True, check=False).returncode:
        pytest.skip("this machine gives no namespace in which others could be forbidden")

    def run(lines: str) -> Any:
        code = f"import json, os\nfrom tests.suites.test_suites_workers import *\n{lines}"
        words = [*outer, "sh", "-c", f'{limits}; exec "$0" -c "$1"', sys.executable, code]
        done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, timeout=60, check=True)
        return json.loads(done.stdout)

    return run


@pytest.mark.slow
def test_without_namespaces_it_is_said_and_everything_else_holds(without_namespaces: Any) -> None:
    told, *ended = without_namespaces(
        """
workers = Workers(program("true"))
told = workers.isolation()
workers.close()
found = [
    bash("for i in 1 2; do setsid setsid sleep 47$((10 + i)) & done; echo done"),
    bash("f(){ f|f& };f; sleep 20", processes=20),
    bash("while head -c 1M /dev/zero > f$RANDOM$RANDOM; do :; done; sleep 20", disk_mb=4),
    bash("exec yes", output_mb=2),
    bash("sleep 20", timeout_s=0.2),
    bash("kill -SEGV $$"),
]
print(json.dumps([told, *([one.ended, one.code] for one in found), len(processes_with(f"sleep {4711}"))]))
"""
    )
    assert (told["processes"], told["files"], told["tree"], told["network"]) == (
        *("reaper", "folder", "writable"),
        "not isolated",
    )
    assert "unshare" in told["why"]
    assert ended == [["", 0], ["processes", -9], ["disk", -9], ["output", -9], ["timeout", -9], ["", -11], 0]


def test_folders_deeper_than_a_path_can_tell_are_removed_too(isolated: None) -> None:
    dig = "import os\nfor _ in range(3000):\n    os.mkdir('d'); os.chdir('d')\nprint('dug')"
    found = ran(sys.executable, "-c", dig, times=2, timeout_s=60.0)
    assert [(one.ended, one.output) for one in found] == [("", b"dug\n")] * 2 or {one.ended for one in found} == {
        "disk"
    }


def test_a_worker_that_was_ended_is_one_failed_case_and_another_takes_its_place(isolated: None) -> None:
    mark = f"30{os.getpid()}4"
    workers = Workers(program("sh", "-c", f'[ "$ASSAY_CASE" = good ] && echo done || exec sleep {mark}'))
    found: list[Ended] = []
    thread = threading.Thread(target=lambda: found.append(workers.run(b"", {"ASSAY_CASE": "bad"}, 60)))
    thread.start()
    while not processes_with(f"sleep {mark}"):
        time.sleep(0.01)
    [one] = workers._every
    one._process.kill()
    thread.join(10)
    assert [each.ended for each in found] == ["lost"]
    assert processes_with(f"sleep {mark}") == []
    assert workers.run(b"", {"ASSAY_CASE": "good"}, 20).output == b"done\n"
    workers.close()


def test_workers_that_cannot_begin_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitops.suites.workers._CODE", "raise SystemExit(1)")
    workers = Workers(program("true"))
    with pytest.raises(CannotRun, match="ended before it could run any"):
        workers.isolation()
    workers.close()


def test_a_worker_that_somebody_stopped_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitops.suites.workers._GRACE_S", 0.2)
    workers = Workers(program("true"))
    workers.isolation()
    [one] = workers._every
    outer = one._process.pid
    inner = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    for each in (outer, *map(int, inner)):
        os.kill(each, signal.SIGSTOP)
    assert workers.run(b"", {}, 0.1).ended == "lost"
    assert workers.run(b"", {}, 20).ended == ""
    workers.close()
