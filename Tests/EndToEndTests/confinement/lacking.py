#!/usr/bin/env python3
"""Runs a program as on a kernel that lacks something: lacking.py no_new_privs|landlock|seccomp[,…] COMMAND...

For x86-64 and root, who needs no privilege to forgo others.
"""

import ctypes
import errno
import os
import struct
import sys

(LOAD, JUMP_IF_EQUAL, RETURN) = (0x20, 0x15, 0x06)
(ALLOW, ERROR) = (0x7FFF0000, 0x00050000)
(NUMBER, FIRST_ARGUMENT) = (0, 16)
(PRCTL, LANDLOCK_CREATE_RULESET, SECCOMP) = (157, 444, 317)
(PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS) = (22, 38)


def without_call(number, error):
    """Instructions after which the call with this number fails."""
    return [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | error)]


def without_option(option):
    """Instructions after which prctl(2) does not know this option."""
    return [
        (JUMP_IF_EQUAL, 0, 3, PRCTL),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_IF_EQUAL, 0, 1, option),
        (RETURN, 0, 0, ERROR | errno.EINVAL),
        (LOAD, 0, 0, NUMBER),
    ]


PARTS = {
    "no_new_privs": without_option(PR_SET_NO_NEW_PRIVS),
    "landlock": without_call(LANDLOCK_CREATE_RULESET, errno.ENOSYS),
    "seccomp": without_call(SECCOMP, errno.ENOSYS) + without_option(PR_SET_SECCOMP),
}


def main():
    """Becomes the program."""
    code = [(LOAD, 0, 0, NUMBER)]
    for part in sys.argv[1].split(","):
        code += PARTS[part]
    code.append((RETURN, 0, 0, ALLOW))
    bytes_of_code = b"".join(struct.pack("<HBBI", *instruction) for instruction in code)
    buffer = ctypes.create_string_buffer(bytes_of_code, len(bytes_of_code))
    program = struct.pack("<HxxxxxxQ", len(code), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    # SECCOMP_MODE_FILTER is 2.
    if libc.prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(program), 0, 0) != 0:
        sys.exit(f"seccomp: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
