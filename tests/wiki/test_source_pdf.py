from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from fpdf import FPDF

from gitops.wiki.source_pdf import pages

WIKIS = Path(__file__).parents[2] / "../shared/data/wikis"


def pdf(*texts: str, user_password: str = "", compress: bool = True) -> bytes:
    document = FPDF()
    document.set_compression(compress)
    if user_password:
        document.set_encryption(owner_password="owner", user_password=user_password)
    for text in texts:
        document.add_page()
        document.set_font("Helvetica", size=12)
        for line, words in enumerate(text.split("\n")):
            document.text(20, 20 + 6 * line, words)
    return bytes(document.output())


@pytest.mark.parametrize("data", [b"", b"nothing", b"%PDF-1.7", b"%PDF-1.7\n" + b"\0" * 100, pdf("whole")[:-400]])
def test_a_damaged_file_says_so(data: bytes) -> None:
    texts, problem, message = pages(data)
    assert (texts, problem) == ([], "broken_pdf")
    assert "damaged" in message


def test_a_file_that_opens_with_a_password_says_so() -> None:
    assert pages(pdf("secret", user_password="x"))[:2] == ([], "encrypted")


def test_a_file_without_a_text_layer_says_so() -> None:
    texts, problem, message = pages(pdf("", ""))
    assert (texts, problem) == (["", ""], "no_text_layer")
    assert "OCR" in message


def test_a_page_that_cannot_be_read_is_named_and_leaves_the_others() -> None:
    data = pdf("one", "two", "three", compress=False).replace(b"/Kids [3 0 R", b"/Kids [9 0 R")
    texts, problem, message = pages(data)
    assert (texts, problem) == (["", "two", "three"], "broken_pdf")
    assert message.endswith("of 3 pages these cannot be read: 1")


def test_a_file_that_promises_a_million_pages_is_given_up() -> None:
    texts, problem, _ = pages(pdf("one", compress=False).replace(b"/Count 1", b"/Count 1000000"))
    assert (texts[0], problem) == ("one", "broken_pdf")
    assert len(texts) < 100


def test_text_comes_page_by_page_with_plain_line_feeds() -> None:
    assert pages(pdf("one\ntwo", "three")) == (["one\ntwo", "three"], "", "")


def test_a_hyphen_at_a_lines_end_stands_as_it_is_printed() -> None:
    texts, _, _ = pages(pdf("this is an exam-\nple of 2019-\n2020"))
    assert texts == ["this is an exam-\nple of 2019-\n2020"]


def test_threads_do_not_disturb_each_other() -> None:
    data = [pdf(f"number {n}") for n in range(4)]
    seen: list[bool] = []

    def read(n: int) -> None:
        seen.extend(pages(data[n])[0] == [f"number {n}"] for _ in range(20))

    threads = [threading.Thread(target=read, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 80


def mutated(seeds: list[bytes], dice: random.Random) -> bytes:
    """A PDF cut short, with bytes changed or lost, or with one of the numbers that steer its reader changed."""
    data = bytearray(dice.choice(seeds))
    kind = dice.random()
    if kind < 0.2:
        return bytes(data[: dice.randrange(len(data))])
    if kind < 0.7:
        for _ in range(dice.choice([1, 3, 10, 50])):
            data[dice.randrange(len(data))] = dice.randrange(256)
    elif kind < 0.85:
        start = dice.randrange(len(data))
        del data[start : start + dice.randrange(200)]
    else:
        number = dice.choice(list(re.finditer(rb"\d+", data)))
        data[number.start() : number.end()] = str(dice.choice([0, -1, 2**31 - 1, 2**32, 99_999_999, 7])).encode()
    return bytes(data)


def fuzz(count: int) -> None:
    """Read mutated PDFs; run in a process of its own, because what is feared is a crash of the interpreter."""
    dice = random.Random(11)
    seeds = [pdf("one\ntwo", "three", compress=flag) for flag in (True, False)]
    seeds.append(pdf("secret", user_password="x"))
    seeds += [path.read_bytes() for path in sorted(WIKIS.glob("citadel-gazette/raw/*.pdf"))]
    for _ in range(count):
        texts, problem, message = pages(mutated(seeds, dice))
        assert problem in ("", "no_text_layer", "encrypted", "broken_pdf")
        assert bool(message) == bool(problem)
        assert all(isinstance(text, str) for text in texts)
    print("survived")


@pytest.mark.slow
def test_thousands_of_mutated_files_neither_crash_nor_print() -> None:
    done = subprocess.run(
        [sys.executable, __file__, "2000"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "survived\n", "")


if __name__ == "__main__":
    fuzz(int(sys.argv[1]))
