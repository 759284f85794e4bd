#!/usr/bin/env python3
"""Runs a program and interferes with its system calls that change a disk: tracer.py [OPTIONS] ACTION COMMAND...

count        nothing; the report has one line for each call: its number, its name
kill=N       SIGKILL at the Nth call, counted over all threads, before it does anything
ERROR=N      the Nth call does nothing and fails, e.g. EIO=7
shorten      every write takes half of its bytes, as POSIX allows; the report has how many

--report FILE  where to write what was found
--quiet-reads  calls of openat that only read do not count

For x86-64. Processes that the program forks are not traced; its threads are.
"""

import argparse
import ctypes
import errno
import os
import signal
import sys

CALLS = {
    1: "write", 18: "pwrite64", 20: "writev", 74: "fsync", 75: "fdatasync", 76: "truncate", 77: "ftruncate",
    82: "rename", 83: "mkdir", 84: "rmdir", 86: "link", 87: "unlink", 88: "symlink", 90: "chmod", 91: "fchmod",
    257: "openat", 258: "mkdirat", 263: "unlinkat", 264: "renameat", 265: "linkat", 266: "symlinkat",
    285: "fallocate", 306: "syncfs", 316: "renameat2", 326: "copy_file_range",
}
(TRACEME, CONT, GETREGS, SETREGS, SYSCALL, SETOPTIONS) = (0, 7, 12, 13, 24, 0x4200)
# PTRACE_O_TRACESYSGOOD, TRACECLONE, EXITKILL.
OPTIONS = 0x1 | 0x8 | 0x100000
WALL = 0x40000000
FIELDS = (
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
    "ds es fs gs"
)


class Registers(ctypes.Structure):
    """struct user_regs_struct"""

    _fields_ = [(name, ctypes.c_ulonglong) for name in FIELDS.split()]


LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)


def ptrace(request, thread, data=None):
    """False if the thread is gone."""
    return LIBC.ptrace(request, thread, None, data) != -1


class Trace:
    """One run of a program."""

    def __init__(self, action, quiet_reads):
        name, _, number = action.partition("=")
        self.action = name
        self.number = int(number or 0)
        self.quiet_reads = quiet_reads
        self.found = []
        self.shortened = 0
        self.inside = {}  # Thread: the error that its call is to return, or 0

    def at_entry(self, program, thread, registers):
        """What happens before a call; the error that it fails with, or 0."""
        name = CALLS.get(registers.orig_rax)
        if name is None or self.quiet_reads and name == "openat" and not registers.rdx & 0o103:
            return 0
        if self.action == "shorten":
            # Of writev: the first buffers.
            if name in ("write", "pwrite64", "writev") and registers.rdx > 1:
                registers.rdx = (registers.rdx + 1) // 2
                self.shortened += 1
                ptrace(SETREGS, thread, ctypes.byref(registers))
            return 0
        self.found.append(name)
        if len(self.found) != self.number:
            return 0
        if self.action == "kill":
            os.kill(program, signal.SIGKILL)
            return 0
        # There is no call with this number, so the kernel does nothing.
        registers.orig_rax = ctypes.c_ulonglong(-1).value
        ptrace(SETREGS, thread, ctypes.byref(registers))
        return getattr(errno, self.action)

    def step(self, program, thread):
        """A thread enters a call or leaves it."""
        registers = Registers()
        if not ptrace(GETREGS, thread, ctypes.byref(registers)):
            return
        if thread not in self.inside:
            self.inside[thread] = self.at_entry(program, thread, registers)
            return
        error = self.inside.pop(thread)
        if error:
            registers.rax = ctypes.c_ulonglong(-error).value
            ptrace(SETREGS, thread, ctypes.byref(registers))

    def run(self, command):
        """Runs it to its end; the status as wait returns it."""
        program = os.fork()
        if program == 0:
            LIBC.ptrace(TRACEME, 0, None, None)
            try:
                os.execvp(command[0], command)
            finally:
                os._exit(127)
        os.waitpid(program, 0)
        ptrace(SETOPTIONS, program, OPTIONS)
        ptrace(SYSCALL, program)
        while True:
            thread, status = os.waitpid(-1, WALL)
            if not os.WIFSTOPPED(status):
                self.inside.pop(thread, None)
                if thread == program:
                    return status
                continue
            stopped = os.WSTOPSIG(status)
            if stopped == signal.SIGTRAP | 0x80:
                self.step(program, thread)
                stopped = 0
            elif stopped in (signal.SIGTRAP, signal.SIGSTOP):
                # A thread begins, or another one was made.
                stopped = 0
            ptrace(SYSCALL, thread, stopped)


def main():
    """Exits as the program does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--report")
    parser.add_argument("--quiet-reads", action="store_true")
    parser.add_argument("action")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    trace = Trace(options.action, options.quiet_reads)
    status = trace.run(options.command)
    if options.report:
        with open(options.report, "w", encoding="ascii") as file:
            file.write(str(trace.shortened) if trace.action == "shorten" else "\n".join(trace.found))
    if os.WIFSIGNALED(status):
        if os.WTERMSIG(status) != signal.SIGKILL:
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
