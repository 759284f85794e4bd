"""Makes system calls inside a process, as an attacker who has taken it over would: inside.py PID STORE OUTSIDE READABLE [CALL...]

STORE is the process's store, OUTSIDE a directory with the file "file" that it may not change, READABLE a file that it may
read; without names of calls, all of them are made. Prints what each call came to, "ok" or the name of the error, as JSON.
The process is killed in the end.
For x86-64.
"""

import ctypes
import errno
import json
import os
import signal
import socket
import sys

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../tracer")
from tracer import LIBC, Registers  # noqa: E402

(GETREGS, SETREGS, SINGLESTEP, ATTACH) = (12, 13, 9, 16)
AT_FDCWD = ctypes.c_ulonglong(-100).value
READ_ONLY, WRITE, CREATE, EMPTY = 0, 1, 0o100, 0o1000
INET, INET6, UNIX, NETLINK, PACKET = 2, 10, 1, 16, 17
STREAM, DATAGRAM, RAW = 1, 2, 3
EXECUTE = 7  # with reading and writing
# Nothing: whether a signal could be sent.
PROBE = 0
# The name of a Unix socket that is no file, as those of some services of a desktop are.
ABSTRACT = f"\0tinyupdater-inside-{os.getpid()}".encode()


class Inside:
    """A stopped process, with its next system call in hand."""

    def __init__(self, process):
        self.process = process
        self.trace(ATTACH)
        os.waitpid(process, 0)
        self.before = Registers()
        self.trace(GETREGS, ctypes.byref(self.before))
        self.memory = open(f"/proc/{process}/mem", "r+b", buffering=0)
        if self.read(self.before.rip - 2, 2) != b"\x0f\x05":
            sys.exit("the process does not wait in a system call")

    def trace(self, request, data=None):
        if LIBC.ptrace(request, self.process, None, data) == -1:
            sys.exit(f"ptrace: {os.strerror(ctypes.get_errno())}")

    def read(self, address, count):
        self.memory.seek(address)
        return self.memory.read(count)

    def call(self, number, *arguments):
        """The result; negative: the error."""
        registers = Registers.from_buffer_copy(self.before)
        # Below what the process uses of its stack.
        free = self.before.rsp - 16384
        for name, argument in zip("rdi rsi rdx r10 r8 r9".split(), arguments):
            if isinstance(argument, bytes):
                self.memory.seek(free)
                self.memory.write(argument + b"\0")
                argument, free = free, free + len(argument) + 1
            setattr(registers, name, ctypes.c_ulonglong(argument).value)
        registers.rax, registers.orig_rax = number, ctypes.c_ulonglong(-1).value
        registers.rip = self.before.rip - 2
        self.trace(SETREGS, ctypes.byref(registers))
        self.trace(SINGLESTEP)
        _, status = os.waitpid(self.process, 0)
        if not os.WIFSTOPPED(status):
            sys.exit(f"the process ended at call {number}")
        self.trace(GETREGS, ctypes.byref(registers))
        return ctypes.c_longlong(registers.rax).value


def calls(process, store, outside, readable):
    """Each call by its name: its number and arguments; a descriptor of `readable` is open as "readable"."""
    new, file, other = f"{store}/inside".encode(), f"{outside}/file".encode(), os.getpid()
    yield "getpid", 39
    yield "open what is named", 2, readable, READ_ONLY, 0
    yield "make a file in the store", 2, new, WRITE | CREATE, 0o644
    yield "make a directory in the store", 83, new + b".d", 0o755
    yield "rename in the store", 82, new, new + b".2"
    yield "remove a file in the store", 87, new + b".2"
    yield "remove a directory in the store", 84, new + b".d"
    for name, family in ("IPv4", INET), ("IPv6", INET6):
        yield f"TCP over {name}", 41, family, STREAM, 0
        yield f"UDP over {name}", 41, family, DATAGRAM | 0o2004000, 0
    yield "signal itself", 62, process, PROBE
    yield "its own limits", 302, 0, 7, 0, 0

    yield "read outside", 2, file, READ_ONLY, 0
    yield "write outside", 2, file, WRITE, 0
    yield "make outside", 2, file + b".new", WRITE | CREATE, 0o644
    yield "creat outside", 85, file + b".new", 0o644
    yield "truncate outside", 76, file, 0
    yield "empty what may be read", 2, readable, READ_ONLY | EMPTY, 0
    yield "empty what may be read, openat", 257, AT_FDCWD, readable, READ_ONLY | EMPTY, 0
    yield "chmod outside", 90, file, 0o666
    yield "chmod in the store", 90, f"{store}/trust".encode(), 0o777
    yield "fchmodat outside", 268, AT_FDCWD, file, 0o666
    yield "fchmodat2 outside", 452, AT_FDCWD, file, 0o666, 0
    yield "fchmod of what may be read", 91, "readable", 0o666
    yield "chown outside", 92, file, 1, 1
    yield "fchown of what may be read", 93, "readable", 1, 1
    yield "utimensat outside", 280, AT_FDCWD, file, 0, 0
    yield "utime outside", 132, file, 0
    yield "setxattr outside", 188, file, b"user.x", b"y", 1, 0
    yield "make a set-user-ID file", 2, new, WRITE | CREATE, 0o4755
    yield "make a set-group-ID file", 257, AT_FDCWD, new, WRITE | CREATE, 0o2755
    yield "make a set-group-ID directory", 83, new, 0o2755
    yield "make a set-group-ID directory, mkdirat", 258, AT_FDCWD, new, 0o2755
    yield "make a device", 133, new, 0o020600, 0x103
    yield "symbolic link outside", 88, readable, file + b".new"
    yield "link out of the store", 86, f"{store}/trust/floor".encode(), file + b".new"
    yield "rename out of the store", 82, f"{store}/trust/floor".encode(), file + b".new"

    for name, target in ("init", 1), ("another process", other), ("its group", 0), ("all", -1), ("a group", -other):
        yield f"signal {name}", 62, target, PROBE
    yield "signal a thread", 234, other, other, PROBE
    yield "signal a thread by its number", 200, other, PROBE
    yield "queue a signal", 129, other, 10, new
    yield "signal by a descriptor", 424, 0, PROBE, 0, 0
    yield "have signals sent to another process", 72, 0, 8, other
    yield "limits of another process", 302, other, 7, 0, 0
    yield "priority of another process", 141, 0, other, 5
    yield "trace another process", 101, 16, other, 0, 0
    yield "write to another process", 311, other, 0, 0, 0, 0, 0
    yield "group of another process", 109, other, 0

    for name, kind in ("stream", STREAM), ("datagram", DATAGRAM):
        yield f"Unix socket, {name}", 41, UNIX, kind, 0
    address = UNIX.to_bytes(2, "little") + ABSTRACT
    yield "connect to an abstract Unix socket", 42, "unix", address, len(address)
    yield "two Unix sockets", 53, UNIX, STREAM, 0, new
    yield "netlink", 41, NETLINK, RAW, 0
    yield "packets", 41, PACKET, RAW, 0
    yield "raw IPv4", 41, INET, RAW, 255
    yield "SCTP", 41, INET, 5, 132

    yield "execve", 59, b"/bin/true", 0, 0
    yield "execveat", 322, AT_FDCWD, b"/bin/true", 0, 0, 0
    yield "fork", 57
    yield "clone", 56, signal.SIGCHLD, 0, 0, 0, 0
    yield "clone with other namespaces", 56, 0x7D0F00 | 0x20000, 0, 0, 0, 0
    yield "clone3", 435, new, 88
    yield "executable memory", 9, 0, 4096, EXECUTE, 0x22, -1 & (1 << 64) - 1, 0
    yield "make memory executable", 10, "page", 4096, EXECUTE
    for name, number in (
        ("unshare", 272), ("setns", 308), ("mount", 165), ("umount2", 166), ("chroot", 161), ("pivot_root", 155),
        ("setuid", 105), ("setgid", 106), ("capset", 126), ("bpf", 321), ("io_uring_setup", 425), ("keyctl", 250),
        ("add_key", 248), ("perf_event_open", 298), ("userfaultfd", 323), ("memfd_create", 319), ("personality", 135),
        ("init_module", 175), ("reboot", 169), ("swapon", 167), ("sethostname", 170), ("settimeofday", 164),
        ("clock_settime", 227), ("adjtimex", 159), ("syslog", 103), ("acct", 163), ("ioperm", 173), ("kcmp", 312),
        ("move_pages", 279), ("quotactl", 179), ("name_to_handle_at", 303), ("open_by_handle_at", 304),
        ("ioprio_set", 251), ("sched_setaffinity", 203), ("prctl", 157),
    ):  # fmt: skip
        yield name, number, 0, 0, 0, 0, 0, 0


def main():
    process, (store, outside, readable), wanted = int(sys.argv[1]), sys.argv[2:5], sys.argv[5:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(ABSTRACT)
    listener.listen()
    inside = Inside(process)
    descriptor = inside.call(2, readable.encode(), READ_ONLY, 0)
    places = {"readable": descriptor, "page": inside.before.rsp & ~4095, "unix": inside.call(41, UNIX, STREAM, 0)}
    results = {}
    for name, number, *arguments in calls(process, store, outside, readable.encode()):
        if wanted and name not in wanted:
            continue
        # Without the descriptor that it takes, it is refused as that was.
        result = min([places[value] for value in arguments if isinstance(value, str)], default=0)
        arguments = [places[value] if isinstance(value, str) else value for value in arguments]
        if result >= 0:
            result = inside.call(number, *arguments)
        results[name] = "ok" if result >= 0 else errno.errorcode.get(-result, str(result))
    os.kill(process, signal.SIGKILL)
    print(json.dumps(results))


main()
