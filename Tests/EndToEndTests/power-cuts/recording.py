"""Runs a scenario on a recorded block device, and keeps what was acknowledged when."""

import contextlib
import ctypes
import fcntl
import os
import re
import shlex
from dataclasses import dataclass
from random import Random

import block_log
import file_systems
from device import DAMAGED, Device, require
from scenarios import Step


@dataclass(frozen=True)
class Recorded:
    """A step with the state before and after it, and the requests (by number) between which it ran."""

    step: Step
    before: object
    after: object
    start: int
    end: int
    # Where the preparation of the next step began.
    stop: int


class Recording:
    """What a scenario wrote to a file system."""

    def __init__(self, scenario, system, folder, publisher, program, *, seed, is_restless):
        self.scenario = scenario
        self.system = system
        self.image = f"{folder}/base.img"
        self.publisher = publisher
        self.program = program
        self.folder = folder
        self.index = f"{folder}/index-command"
        with open(os.open(self.index, os.O_WRONLY | os.O_CREAT, 0o755), "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nwc -c <\"$1\" >\"$2\"\n")
        file_systems.make(system, self.image)
        log = f"{folder}/requests"
        work = f"{folder}/work.img"
        with open(work, "wb") as file:
            file.truncate(os.path.getsize(self.image))
        copy(self.image, work)
        marks = []
        with file_systems.recorded(work, log, f"{folder}/export") as export:
            with file_systems.mounted(system, export, f"{folder}/store") as mounted:
                chaos = file_systems.restless(mounted, Random(seed)) if is_restless else contextlib.nullcontext()
                with chaos:
                    self.device = Device(program, mounted, folder, publisher.root)
                    for step in scenario.steps:
                        marks.append((step, *self.carry_out(step, log)))
        os.remove(work)
        self.requests = block_log.read(log)
        stops = [mark[3] for mark in marks[1:]] + [marks[-1][5]]
        self.steps = [
            Recorded(step, before, after, self.count(start), self.count(end), self.count(stop))
            for (step, before, after, _, start, end), stop in zip(marks, stops)]

    def count(self, size):
        """How many requests had ended when the log had `size` bytes."""
        return sum(request.end <= size for request in self.requests)

    def carry_out(self, step, log):
        """Runs a step; the states before and after it, and the sizes of the log before its preparation, before and after it."""
        prepared = os.path.getsize(log)
        if step.prepare:
            step.prepare(self.device.root)
            descriptor = os.open(self.device.root, os.O_RDONLY)
            ctypes.CDLL(None).syncfs(descriptor)
            os.close(descriptor)
        self.device.damaged = step.damaged
        before = self.device.read()
        start = os.path.getsize(log)
        with locked(self.device.root) if step.is_locked else contextlib.nullcontext():
            code, output = self.run(self.device, step)
        end = os.path.getsize(log)
        require(code in step.exits and step.says in output, f"{step.command}: exit {code}: {output}")
        after = self.device.read()
        self.compare(after)
        wanted = f"{self.device.root}/current/maps/{step.makes}"
        require(not step.makes or os.path.exists(wanted), f"{step.command}: there is no {wanted}")
        return before, after, prepared, start, end

    def run(self, device, step):
        """The step's command on a device."""
        settings = [self.expand(line, device) for line in step.settings]
        return device.run(shlex.split(step.command), self.publisher.served(step.release), settings)

    def expand(self, line, device):
        """Puts paths and sizes into a line of the configuration."""
        if match := re.search(r"\{all but:(\d+)\}", line):
            space = os.statvfs(device.root)
            reserve = max(0, space.f_bavail * space.f_frsize - (int(match[1]) << 20))
            line = line.replace(match[0], str(reserve))
        for release in range(1, self.publisher.releases + 1):
            line = line.replace(f"{{release:{release}}}", self.publisher.served(release))
        return line.replace("{index}", self.index)

    def compare(self, state):
        """All maps are those of one release of the publisher."""
        if isinstance(state.maps, frozenset):
            releases = self.publisher.expected.values()
            whole = {(name, digest) for name, digest in state.maps if digest != DAMAGED}
            require(any(whole <= set(release.items()) for release in releases), f"mixed: {state.text()}")


@contextlib.contextmanager
def locked(path):
    """Another process changes the store."""
    os.makedirs(path, exist_ok=True)
    descriptor = os.open(path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def copy(source, target):
    """Makes `target`, a file that exists, equal to `source`; holes stay holes."""
    with open(source, "rb") as old, open(target, "r+b") as new:
        size = os.fstat(old.fileno()).st_size
        new.truncate(0)
        new.truncate(size)
        at = 0
        while at < size:
            try:
                start = os.lseek(old.fileno(), at, os.SEEK_DATA)
            except OSError:
                break
            at = os.lseek(old.fileno(), start, os.SEEK_HOLE)
            os.lseek(old.fileno(), start, os.SEEK_SET)
            os.lseek(new.fileno(), start, os.SEEK_SET)
            while start < at:
                start += os.sendfile(new.fileno(), old.fileno(), start, at - start)
