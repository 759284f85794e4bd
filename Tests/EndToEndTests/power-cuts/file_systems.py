"""The file systems on which power is cut, and the block device that records what they write."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class FileSystem:
    """How it is made and mounted.

    `repair` is what a device must run on it before it mounts it after a power cut; `rescue` only if it cannot be mounted.
    """

    name: str
    kind: str
    megabytes: int
    make: tuple
    options: str
    repair: tuple = ()
    rescue: tuple = ()


CHECK = ("e2fsck", "-fy")
EXT4 = ("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0")
ALL = [
    FileSystem("ext4", "ext4", 128, EXT4, "data=ordered", rescue=CHECK),
    FileSystem("ext4-writeback", "ext4", 128, EXT4, "data=writeback", rescue=CHECK),
    FileSystem("xfs", "xfs", 320, ("mkfs.xfs", "-q", "-f"), "defaults"),
    FileSystem("btrfs", "btrfs", 256, ("mkfs.btrfs", "-q", "-f"), "defaults", rescue=("btrfs", "rescue", "super-recover", "-y")),
    FileSystem("f2fs", "f2fs", 256, ("mkfs.f2fs", "-q", "-f"), "defaults"),
    FileSystem("ext4-no-journal", "ext4", 128, (*EXT4, "-O", "^has_journal"), "defaults", CHECK),
]
# How often a file system was rescued: a cut has torn its superblock, which is longer than a sector of 512 bytes.
RESCUES = []


def isolate(name, purpose):
    """Starts this program again where its mounts and children end with it; `name`: the variable with its directory."""
    if os.environ.get(name):
        return
    work = tempfile.mkdtemp(prefix=f"tinyupdater-{purpose}.", dir=os.environ.get("TMPDIR", "/tmp"))
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv]
    try:
        result = subprocess.run(words, env={**os.environ, name: work}, check=False)
    finally:
        os.rmdir(work)
    sys.exit(result.returncode)


def missing(system):
    """Why this machine cannot run it; None if it can."""
    with open("/proc/filesystems", encoding="ascii") as file:
        if system.kind not in file.read().split():
            return f"the kernel has no {system.kind}"
    for tool in (system.make[0], *system.repair[:1]):
        if not any(os.access(f"{folder}/{tool}", os.X_OK) for folder in os.environ["PATH"].split(":")):
            return f"{tool} is not installed"
    return None


def run(*words, accepted=(0,)):
    """Runs a tool of the system."""
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode not in accepted:
        raise RuntimeError(f"{' '.join(words)}: {result.stdout.decode(errors='replace').strip()}")


def make(system, image, megabytes=0):
    """Makes an empty file system in the file `image`, of at least this size."""
    with open(image, "wb") as file:
        file.truncate(max(system.megabytes, megabytes) * MEGABYTE)
    run(*system.make, image)
    run("fallocate", "--dig-holes", image)


@contextlib.contextmanager
def mounted(system, source, folder):
    """Mounts the file `source` through a loop device of its own."""
    os.makedirs(folder, exist_ok=True)
    device = attach(source)
    try:
        mount(system, device, folder)
        try:
            yield folder
        finally:
            unmount(folder)
    finally:
        run("losetup", "--detach", device)


def unmount(folder):
    """Unmounts what the last process of a device is about to leave."""
    for _ in range(100):
        if subprocess.run(["umount", folder], capture_output=True, check=False).returncode == 0:
            return
        time.sleep(0.1)
    run("umount", folder)


def mount(system, device, folder):
    """Mounts a block device, after a rescue if need be."""
    words = ("mount", "-t", system.kind, "-o", f"{system.options},noatime", device, folder)
    try:
        run(*words)
    except RuntimeError:
        if not system.rescue:
            raise
        run(*system.rescue, device, accepted=(0, 1, 2))
        run(*words)
        RESCUES.append(system.name)


def attach(source):
    """A loop device on `source`; another process may take the free one first."""
    for attempt in range(20):
        result = subprocess.run(["losetup", "--find", "--show", source], capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return result.stdout.strip()
        time.sleep(0.05 * attempt)
    raise RuntimeError(f"losetup: {result.stderr.strip()}")


def end_with_parent():
    """In a child: it gets SIGTERM when the process that started it ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@contextlib.contextmanager
def recorded(image, log, export):
    """A file that is a block device on `image`, whose requests are recorded in `log`."""
    for path in (log, export):
        open(path, "wb").close()
    daemon = subprocess.Popen(
        ["qemu-storage-daemon", "--blockdev", f"driver=file,node-name=disk,filename={image}",
         "--blockdev", f"driver=file,node-name=log,filename={log}",
         "--blockdev", "driver=blklogwrites,node-name=recorded,file=disk,log=log,log-sector-size=512",
         "--export", f"type=fuse,id=export,node-name=recorded,mountpoint={export},writable=on"],
        preexec_fn=end_with_parent)
    try:
        size = os.path.getsize(image)
        for _ in range(500):
            if daemon.poll() is not None:
                raise RuntimeError("qemu-storage-daemon did not start")
            if os.path.getsize(export) == size:
                break
            time.sleep(0.01)
        yield export
    finally:
        daemon.terminate()
        daemon.wait()


@contextlib.contextmanager
def restless(folder, random):
    """Flushes the file system at random moments, as the kernel does when memory is short or time has passed."""
    is_over = threading.Event()

    def flush():
        descriptor = os.open(folder, os.O_RDONLY)
        while not is_over.wait(random.uniform(0.002, 0.05)):
            ctypes.CDLL(None).syncfs(descriptor)
        os.close(descriptor)

    thread = threading.Thread(target=flush)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
