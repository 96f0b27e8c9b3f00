"""Shuts a process in, before it runs what is not trusted: namespaces of its own, no privileges, limits.

Part of the worker (`worker.py`), so it imports little, and nothing of this project. What a machine does not allow is
left out and told: nothing here ends a run.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

# linux/sched.h, sys/mount.h, linux/prctl.h, linux/mount.h
_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = (
    *(0x00020000, 0x08000000, 0x10000000),
    *(0x20000000, 0x40000000),
)
_NO_SUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 0x2, 0x4, 0x1000, 0x4000, 0x40000
_DIE_WITH_PARENT, _DUMPABLE, _DROP_BOUND, _REAPER, _NO_NEW_PRIVILEGES = 1, 4, 24, 36, 38
_MOUNT_SETATTR, _READ_ONLY = 442, 1
_HERE = -100
_MIB = 2**20
_LEAST_MB = 128
"""What the worker itself needs of address space."""


_SPARE = 32
"""So many processes more than a case may have are possible: enough for the worker to see that it has too many."""
_CACHES_MB = 64
"""Room for what Python compiles, and for shared memory."""


def shut_in(base: str, folder: str, limits: Mapping[str, Any]) -> dict[str, str]:
    """Confine this process as far as the machine allows, and say how far.

    `base` is a folder that holds nothing but `folder`, in which the cases are run. Comes back in a process that is the
    first of its own namespace, where that is allowed: what it starts is gone with it. What is told: `processes`
    (`namespace`, `reaper`, `group`), `network` (`isolated`, `allowed`, `not isolated`), `files` (`tmpfs`, `folder`),
    `tree` (`read-only`, `writable`), and `why` not all of it.
    """
    told = {"processes": "group", "files": "folder", "tree": "writable", "why": ""}
    told["network"] = "allowed" if limits["network"] else "not isolated"
    if sys.platform == "linux":
        try:
            _leave(isolates_network=not limits["network"])
            told["processes"] = "namespace"
            if not limits["network"]:
                told["network"] = "isolated"
                _raise_loopback()
            _mount(base, folder, limits, told)
        except OSError as error:
            told["why"] = f"{error.filename or 'unshare'}: {error.strerror}"
            with suppress(OSError):
                _prctl(_REAPER, 1)
                told["processes"] = "reaper" if told["processes"] == "group" else told["processes"]
        _drop_privileges()
    else:
        told["why"] = f"{sys.platform} has no namespaces"
    _limit(limits, told)
    return told


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _done(result: int, what: str) -> None:
    """OSError where a call of the C library says so."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _prctl(option: int, value: int) -> None:
    _done(_libc().prctl(option, value, 0, 0, 0), "prctl")


def _leave(*, isolates_network: bool) -> None:
    """Leave the namespaces that are shared with everybody, and go on as the first process of new ones.

    A user namespace makes that possible without privileges; root may do without one, where none is to be had.
    """
    flags = _NEW_MOUNTS | _NEW_IPC | _NEW_PROCESSES | (_NEW_NETWORK if isolates_network else 0)
    user, group = os.getuid(), os.getgid()
    if _libc().unshare(flags | _NEW_USER) == 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    elif user:
        _done(-1, "unshare")
    else:
        _done(_libc().unshare(flags), "unshare")
    child = os.fork()
    if child:
        _wait_for(child)
    _prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def _wait_for(child: int) -> None:
    """Outside, there is only to wait for the one inside. What it talks through is its alone."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _raise_loopback() -> None:
    """A namespace's loopback is down at first. Programs that talk to themselves need it; nothing else is there."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        request = struct.pack("16sh22x", b"lo", 0x1 | 0x40)  # IFF_UP, IFF_RUNNING
        fcntl.ioctl(asked, 0x8914, request)  # SIOCSIFFLAGS


def _mount(base: str, folder: str, limits: Mapping[str, Any], told: dict[str, str]) -> None:
    """A file system of its own that can be filled without harm, everything else read-only, and its own processes."""
    _mounted("none", "/", None, _RECURSIVE | _PRIVATE, None)
    _mount_memory(base, _CACHES_MB)
    os.mkdir(folder, 0o700)
    _mount_memory(folder, limits["disk_mb"])
    told["files"] = "tmpfs"
    with suppress(OSError):  # where a container shows only a part of it
        _mounted("proc", "/proc", "proc", _NO_SUID | _NO_DEVICES, None)
        told["proc"] = "own"
    with suppress(OSError):  # Linux below 5.12
        _set_read_only("/", is_on=True)
        _set_read_only(base, is_on=False)  # with the case's folder below it
        told["tree"] = "read-only"
    if told["tree"] == "read-only" and os.path.isdir("/dev/shm"):
        os.mkdir(f"{base}/shared")
        _mounted(f"{base}/shared", "/dev/shm", None, _BIND, None)


def _mount_memory(folder: str, size_mb: int) -> None:
    size = size_mb * _MIB
    _mounted("assay", folder, "tmpfs", _NO_SUID | _NO_DEVICES, f"size={size},nr_inodes={size // 4096 + 64},mode=700")


def _mounted(source: str, target: str, kind: str | None, flags: int, options: str | None) -> None:
    words = [None if each is None else os.fsencode(each) for each in (source, target, kind, options)]
    _done(_libc().mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), f"mount {target}")


def _set_read_only(folder: str, *, is_on: bool) -> None:
    """mount_setattr(2), which the C library has no function for everywhere: all that is mounted below, at once."""
    at_recursive = 0x8000
    asked = struct.pack("QQQQ", _READ_ONLY if is_on else 0, 0 if is_on else _READ_ONLY, 0, 0)
    call = _libc().syscall
    done = call(_MOUNT_SETATTR, _HERE, os.fsencode(folder), at_recursive, asked, ctypes.c_size_t(len(asked)))
    _done(done, f"mount_setattr {folder}")


def _drop_privileges() -> None:
    """What is started has no capability to gain, not even as root, and cannot look into this process."""
    with suppress(OSError):
        _prctl(_NO_NEW_PRIVILEGES, 1)
        for capability in range(64):
            _prctl(_DROP_BOUND, capability)
    with suppress(OSError):
        _prctl(_DUMPABLE, 0)


def _limit(limits: Mapping[str, Any], told: Mapping[str, str]) -> None:
    """The limits that all children inherit. Those of processes hold only in a namespace of their own."""
    size = max(limits["disk_mb"], limits["output_mb"]) * _MIB
    _lower(resource.RLIMIT_FSIZE, size)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, max(limits["memory_mb"] * _MIB, _least(limits)))
        if told["processes"] == "namespace":
            _lower(resource.RLIMIT_NPROC, limits["processes"] + _SPARE)


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    least = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(which, (least, least))


def _least(limits: Mapping[str, Any]) -> int:
    """What the worker itself needs of address space: three copies of all that may be printed, too."""
    return (_LEAST_MB + 3 * int(limits["output_mb"])) * _MIB


def limited(words: list[str], limits: Mapping[str, Any]) -> list[str]:
    """A program's words, by way of a shell where it may have less memory than this process could live with."""
    wanted = limits["memory_mb"] * _MIB
    if sys.platform != "linux" or wanted >= _least(limits):
        return words
    return ["sh", "-c", f'ulimit -v {wanted // 1024} && exec "$@"', "sh", *words]
