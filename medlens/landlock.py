"""Landlock: a process of Linux gives up what it may do with files and the network, for good.

The kernel takes a set of rules from any process, without privileges, and holds them against this
process and all that it starts (https://docs.kernel.org/userspace-api/landlock.html). There is no
call for it in Python or in the C library, and what wraps it on PyPI is not maintained: the three
system calls are made here by their numbers, which are the same on every architecture.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from functools import cache

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_FOR_VERSION = 1
_RULE_OF_PATH = 1
_NO_NEW_PRIVILEGES = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER, _REMOVE_FILE, _MAKE_FILE, _TRUNCATE = (
    *(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 5, 1 << 8, 1 << 14),
)
_READ = _READ_FILE | _READ_FOLDER
_WRITE = _READ | _WRITE_FILE | _REMOVE_FILE | _MAKE_FILE | _TRUNCATE
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
"""The rights that a rule on a file, rather than on a folder, can give."""
_FILES_BY_VERSION = ((1, (1 << 13) - 1), (2, 1 << 13), (3, _TRUNCATE), (5, 1 << 15))
"""All that can be done with files, by the version that brought it."""
_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


@cache
def landlock_version_of_kernel() -> int:
    """The version of Landlock that the kernel has; 0: none, or this is not Linux."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(_call(_CREATE_RULESET, None, 0, _ASK_FOR_VERSION), 0)


def restrict_thread_to_files_if_supported(
    readable: Iterable[str | int], writable: Iterable[str] = ()
) -> bool:
    """Let the calling thread, and whatever it starts, open no files but the ``readable`` ones
    (paths, or numbers of open files; folders with all that is in them), and make and change files
    in ``writable`` folders alone. It starts no program, opens no TCP connection (from version 4 on;
    version 6 adds abstract Unix sockets), and reaches no other process. What is open stays open.
    Paths that do not exist are passed over.

    Returns whether the kernel holds it to that; False where it has no Landlock.
    """
    version = landlock_version_of_kernel()
    if not version:
        return False
    files = sum(rights for since, rights in _FILES_BY_VERSION if version >= since)
    network = _TCP if version >= 4 else 0
    scope = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    # An older kernel knows the shorter forms alone.
    fields = struct.pack("=QQQ", files, network, scope)[: 8 * (1 + (version >= 4) + (version >= 6))]
    ruleset = _call(_CREATE_RULESET, fields, len(fields), 0)
    if ruleset < 0:
        return False
    try:
        for place in readable:
            _allow(ruleset, place, _READ & files)
        for folder in writable:
            _allow(ruleset, folder, _WRITE & files)
        _c_library().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return _call(_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, place: str | int, rights: int) -> None:
    try:
        opened = os.dup(place) if isinstance(place, int) else os.open(place, os.O_PATH)
    except OSError:
        return
    try:
        is_folder = os.path.isdir(opened)
        rule = struct.pack("=Qi", rights if is_folder else rights & _OF_FILES, opened)
        _call(_ADD_RULE, ruleset, _RULE_OF_PATH, rule, 0)
    finally:
        os.close(opened)


@cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: int | bytes | None) -> int:
    """A system call's result; -1 where it failed."""
    return int(_c_library().syscall(number, *arguments))
