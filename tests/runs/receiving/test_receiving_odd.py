"""Odd pushes to a real server: refs that are other refs elsewhere, trees and histories that no one makes by hand."""

from __future__ import annotations

import subprocess

import pytest

from gitops.runs import names
from tests.runs.driving import MAIN, SOURCE, name, page
from tests.runs.receiving.pushes import ALTERED, NOTES, Served

pytestmark = pytest.mark.slow


def _made(served: Served, kind: str, data: bytes) -> str:
    """An object as it is, however odd."""
    command = ["git", "-C", str(served.wiki.folder), "hash-object", "-t", kind, "-w", "--stdin", "--literally"]
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout.decode().strip()


def _tree(served: Served, entries: dict[str, tuple[int, str]]) -> str:
    """A tree of these entries in this order."""
    data = b"".join(b"%o %s\0%s" % (mode, path.encode(), bytes.fromhex(oid)) for path, (mode, oid) in entries.items())
    return _made(served, "tree", data)


def _commit(served: Served, tree: str, *parents: str, head: str = "") -> str:
    lines = "".join(f"parent {served.wiki.git('rev-parse', each)}\n" for each in parents)
    who = head or "author A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> 1700000000 +0000\n"
    return _made(served, "commit", f"tree {tree}\n{lines}{who}\nodd\n".encode())


def _altered(served: Served) -> str:
    """The tree of a page that misquotes."""
    served.commit(ALTERED)
    tree = served.wiki.git("rev-parse", "HEAD^{tree}")
    served.wiki.git("reset", "--quiet", "--hard", "HEAD^")
    return tree


# Names


@pytest.mark.parametrize(
    "ref", ["refs/heads/MAIN", "refs/Heads/main", "refs/heads/Run/mine-1", "refs/Notes/assay/runs"]
)
def test_a_ref_that_is_a_guarded_one_where_case_does_not_count_is_refused(served: Served, ref: str) -> None:
    served.git("config", "core.ignorecase", "true")
    served.commit(ALTERED)
    assert "on some systems it is" in served.refuses(f"main:{ref}")


@pytest.mark.parametrize("ref", ["refs/notes", "refs/notes/assay", "refs/assay", "refs/assay/kept"])
def test_a_ref_that_leaves_no_room_for_records_is_refused(served: Served, ref: str) -> None:
    assert "no room" in served.refuses(f"main:{ref}")


def test_a_push_to_head_moves_no_guarded_branch(served: Served) -> None:
    served.commit(ALTERED)
    served.push("main:HEAD")
    assert served.ref("main") == served.wiki.ref("main^")


def test_deleting_another_name_of_the_branch_deletes_it_not(served: Served) -> None:
    served.git("symbolic-ref", "refs/heads/alias", MAIN)
    assert "never deleted" in served.refuses(":alias")


@pytest.mark.parametrize("kind", ["blob", "tree", "tag"])
def test_what_is_no_commit_is_no_notes(served: Served, kind: str) -> None:
    served.wiki.git("tag", "-a", "-m", "a tag", "v1", "main^{tree}")
    what = {"blob": "main:assay.toml", "tree": "main^{tree}", "tag": "v1"}[kind]
    oid = served.wiki.git("rev-parse", what)
    assert "not taken: refs/notes/assay/verdicts" in served.refuses(f"{oid}:{names.VERDICTS}")


def test_a_branch_with_what_else_ends_a_line_is_judged_like_any_other(served: Served) -> None:
    served.commit({"notes.txt": "one"})
    served.takes("main:refs/heads/a\u2028b\u0085c")
    served.commit({"raw/tides.md": "Mine.\n", name(0): page(0)})
    served.refuses("main:refs/heads/a\u2028b\u0085c")


# Objects


def test_a_gitlink_is_neither_page_nor_source(served: Served) -> None:
    link = "1" * 40
    for path in (name(0), "raw/sub"):
        served.wiki.git("update-index", "--add", "--cacheinfo", f"160000,{link},{path}")
        served.wiki.git("commit", "--quiet", "--no-verify", "-m", "link")
        told = served.refuses("main")
        assert "path_acl mode" in told or "raw_sealed raw_write" in told
        served.wiki.git("reset", "--quiet", "--hard", "HEAD^")


def test_folders_nested_without_end_are_refused_with_a_reason(served: Served) -> None:
    tree = _tree(served, {"a": (0o100644, served.wiki.git("rev-parse", "main:assay.toml"))})
    for _ in range(3_000):
        tree = _tree(served, {"d": (0o40000, tree)})
    top = served.wiki.git("ls-tree", "main").splitlines()
    entries = {line.split("\t")[1]: (int(line.split()[0], 8), line.split()[2]) for line in top}
    whole = _tree(served, dict(sorted((entries | {"zz": (0o40000, tree)}).items())))
    served.refuses(f"{_commit(served, whole, 'main')}:main")


def test_a_tree_with_one_name_twice_is_not_taken_where_git_looks_at_objects(served: Served) -> None:
    """As `git assay init --server` has it do: git shows one of the two, and who else reads it perhaps the other."""
    served.git("config", "receive.fsckObjects", "true")
    data = b""
    for line in served.wiki.git("ls-tree", "main").splitlines():
        mode, _, oid, path = line.split()
        data += b"%o %s\0%s" % (int(mode, 8), path.encode(), bytes.fromhex(oid))
    data += b"40000 wiki\0" + bytes.fromhex(served.wiki.git("rev-parse", f"{_altered(served)}:wiki"))
    before, held = served.git("for-each-ref"), served.objects()
    done = served.push(f"{_commit(served, _made(served, 'tree', data), 'main')}:main")
    assert done.returncode == 1
    assert "duplicate" in done.stderr
    assert (served.git("for-each-ref"), served.objects()) == (before, held)


def test_a_commit_with_forty_parents_is_seen_through(served: Served) -> None:
    base = str(served.wiki.ref("main"))
    sides = []
    for number in range(39):
        served.wiki.git("checkout", "--quiet", "--detach", base)
        sides.append(
            served.commit({f"side/{number}.txt": "x\n"} | ({"raw/tides.md": "Mine.\n"} if number == 20 else {}))
        )
    tree = served.wiki.git("rev-parse", f"{base}^{{tree}}")
    made = _commit(served, tree, base, *sides)
    assert "raw_sealed" in served.refuses(f"{made}:main")


def test_an_unrelated_history_that_is_merged_in_is_looked_at_whole(served: Served) -> None:
    blob = served.wiki.git("rev-parse", "main:assay.toml")
    root = _commit(
        served, _tree(served, {"raw": (0o40000, _tree(served, {"x.md": (0o100644, blob)})), "z": (0o100644, blob)})
    )
    merged = _commit(served, served.wiki.git("rev-parse", "main^{tree}"), "main", root)
    assert "raw_sealed" in served.refuses(f"{merged}:main")
    assert "raw_sealed" in served.refuses(f"{merged}:refs/heads/run/mine-1")


def test_a_criss_cross_is_verified_as_what_it_comes_to(served: Served) -> None:
    base = str(served.wiki.ref("main"))
    one = served.commit({name(0): page(0)})
    served.wiki.git("checkout", "--quiet", "--detach", base)
    two = served.commit({name(1): page(1)})
    both = served.wiki.git("merge-tree", "--write-tree", one, two)
    left, right = _commit(served, both, one, two), _commit(served, both, two, one)
    top = _commit(served, both, left, right)
    served.takes(f"{one}:main")
    assert "main: commit" in served.takes(f"{top}:main")


@pytest.mark.parametrize("when", ["4102444800", "99999999999999"])
def test_a_commit_of_the_far_future_is_judged_like_any_other(served: Served, when: str) -> None:
    who = f"author A <a@example.org> {when} +0000\ncommitter A <a@example.org> {when} +0000\n"
    bad = _commit(served, _altered(served), "main", head=who)
    assert "quote_anchor altered" in served.refuses(f"{bad}:main")


def test_a_commit_whose_heads_are_no_text_is_judged_like_any_other(served: Served) -> None:
    tree = served.wiki.git("rev-parse", f"{_altered(served)}")
    data = f"tree {tree}\nparent {served.wiki.ref('main')}\n".encode()
    data += b"author \xff\xfe <> 1 +0000\ncommitter \x1b[31m <a> 1 +9999\nencoding klingon\n\n\xff\x1b[31m\n"
    assert "quote_anchor altered" in served.refuses(f"{_made(served, 'commit', data)}:main")


def test_what_a_path_is_called_does_nothing_on_the_pushers_terminal(served: Served) -> None:
    served.commit({"wiki/p\x1b[31mred\x07.md": page(0, "the sea never falls back")})
    served.refuses("main")


def test_records_nested_without_end_are_refused_with_a_reason(served: Served) -> None:
    from tests.runs import vouched

    line = '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"
    vouched.write(served.wiki, names.FEEDBACK, str(served.wiki.ref("main")), line)
    assert "cannot be taken" in served.refuses(NOTES)


def test_a_shallow_push_is_refused_with_a_reason(served: Served) -> None:
    """Even where git was told to take them: what a history began from has to be here."""
    served.git("config", "receive.shallowUpdate", "true")
    served.commit({name(0): page(0)})
    served.commit({name(1): page(1)})
    shallow = served.folder.parent / "shallow"
    served.wiki.git("clone", "--quiet", "--depth=1", f"file://{served.wiki.folder}", str(shallow))
    before = served.git("for-each-ref")
    for ref in ("other", "run/mine-1"):
        command = ["git", "-C", str(shallow), "push", f"file://{served.folder}", f"main:refs/heads/{ref}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        assert "it cannot be judged" in done.stderr
        assert "Traceback" not in done.stderr
    assert served.git("for-each-ref") == before
    assert not (served.folder / "shallow").exists()
    served.git("fsck", "--full")


def test_ten_thousand_tags_hold_nobody_up(served: Served) -> None:
    import time

    head = served.wiki.ref("main")
    served.wiki.git("pack-refs", "--all")
    packed = served.wiki.folder / ".git/packed-refs"
    packed.write_text("".join(f"{head} refs/tags/t{number:05}\n" for number in range(10_000)))
    served.wiki.git("update-ref", MAIN, str(head))
    before = time.monotonic()
    served.takes("refs/tags/*:refs/tags/*")
    assert time.monotonic() - before < 60


def test_two_workspaces_of_one_name_never_come_in(served: Served) -> None:
    served.commit({"kb/assay.toml": '[workspace]\nname = "tides"\n'})
    assert "two workspaces are called" in served.refuses("main")


def test_all_of_a_push_is_refused_with_options_and_atomically(served: Served) -> None:
    served.git("config", "receive.advertisePushOptions", "true")
    served.wiki.git("branch", "fine")
    served.commit({"raw/tides.md": SOURCE + "More.\n", name(0): page(0)})
    served.refuses("--atomic", "-o", "assay.skip=true", "fine", "main")
