"""Where a command can be interrupted: each system call that changes the disk, and what strace does at it."""

import re
import subprocess
from dataclasses import dataclass

CHANGING = ("openat", "write", "writev", "pwrite64", "renameat", "renameat2", "linkat", "symlinkat", "unlinkat", "mkdirat",
            "ftruncate", "fsync", "fdatasync", "fallocate", "syncfs")
READING = ("pread64",)
# What a call can fail with, in the order of how often devices see it.
ERRORS = {"openat": ("EMFILE", "EIO"), "write": ("ENOSPC", "EIO"), "pwrite64": ("EIO", "ENOSPC"), "pread64": ("EIO",),
          "fallocate": ("ENOSPC", "EIO"), "ftruncate": ("EIO",), "fsync": ("EIO",), "fdatasync": ("EIO", "ENOSPC"),
          "syncfs": ("EIO",), "renameat": ("EIO", "ENOSPC"), "renameat2": ("EIO", "ENOSPC"), "linkat": ("ENOSPC", "EMLINK"),
          "unlinkat": ("EIO",), "mkdirat": ("ENOSPC",), "symlinkat": ("ENOSPC",), "writev": ("EIO",)}


@dataclass(frozen=True)
class Interruption:
    """At the call with this number, counted from 1, of those with this name."""

    call: str
    number: int
    # None: the process is killed.
    error: str = None

    def __str__(self):
        return f"{self.error or 'SIGKILL'} at {self.call} {self.number}"

    def words(self):
        """In front of the command."""
        what = f"error={self.error}" if self.error else "signal=SIGKILL"
        return ["strace", "-f", "-o", "/dev/null", "-e", f"trace={self.call}",
                "-e", f"inject={self.call}:{what}:when={self.number}"]


def possible():
    """strace can trace here."""
    return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


def recording(log):
    """The words in front of a command whose calls are to be known."""
    return ["strace", "-f", "-o", log, "-e", f"trace={','.join(CHANGING + READING)}"]


def points(log):
    """All interruptions of the recorded run, kills and errors, in the order of the calls."""
    counts, found = {}, []
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            # "PID call(…": lines about signals and exits have no such name.
            match = re.match(r"\d+ +(\w+)\(", line)
            if not match or match[1] not in CHANGING + READING:
                continue
            call = match[1]
            counts[call] = counts.get(call, 0) + 1
            # What opens a file to read changes nothing.
            if call in CHANGING and not (call == "openat" and "O_RDONLY" in line):
                found.append(Interruption(call, counts[call]))
            found += [Interruption(call, counts[call], error) for error in ERRORS.get(call, ())]
    return found
