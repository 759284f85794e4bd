"""The states in which a power cut can leave a block device.

A device may lose, keep, tear or reorder whatever it was not told to flush; what it was told to flush stays.
"""

import os
from dataclasses import dataclass

from recording import copy

KINDS = ("whole", "missing", "half", "torn at 512", "torn at 4096", "reordered", "reordered and torn")


@dataclass(frozen=True)
class Cut:
    """Power goes after `moment` requests; `seed` decides what becomes of those since the last flush."""

    moment: int
    kind: str
    seed: int


def choose(recording, count, random):
    """`count` cuts over all steps of a recording, in order of their moments."""
    cuts = set()
    # First, that what is acknowledged stays, whatever becomes of everything that was not flushed.
    for step in recording.steps:
        cuts.add(Cut(step.end, "missing", 0))
    flushes = [number + 1 for number, request in enumerate(recording.requests) if request.is_flush]
    attempts = 0
    while len(cuts) < count and attempts < 20 * count:
        attempts += 1
        step = random.choice(recording.steps)
        moment = random.randint(step.start, step.stop)
        inside = [flush for flush in flushes if step.start < flush <= step.stop]
        # Just before a flush, most is at stake.
        if inside and random.random() < 0.4:
            moment = random.choice(inside) - 1
        pending = len(unflushed(recording.requests, moment))
        kind = random.choice(KINDS) if pending else "whole"
        is_certain = kind in ("whole", "missing", "half")
        cuts.add(Cut(moment, kind, 0 if is_certain else random.randrange(1 << 30)))
    return sorted(cuts, key=lambda cut: (cut.moment, cut.kind, cut.seed))[: max(count, len(recording.steps))]


def unflushed(requests, moment):
    """The writes before `moment` that no flush followed."""
    start = moment
    while start > 0 and not requests[start - 1].is_flush:
        start -= 1
    return requests[start:moment]


class Images:
    """Makes the image of one cut after the other; the moments must not go back."""

    def __init__(self, recording, folder):
        self.requests = recording.requests
        self.durable = f"{folder}/durable.img"
        self.image = f"{folder}/cut.img"
        self.done = 0
        for path in (self.durable, self.image):
            with open(path, "wb") as file:
                file.truncate(os.path.getsize(recording.image))
        copy(recording.image, self.durable)

    def make(self, cut, random):
        """The path of a file with the cut's state, which may be changed."""
        pending = unflushed(self.requests, cut.moment)
        with open(self.durable, "r+b") as file:
            write(file, self.requests[self.done : cut.moment - len(pending)])
        self.done = max(self.done, cut.moment - len(pending))
        copy(self.durable, self.image)
        with open(self.image, "r+b") as file:
            write(file, parts(pending, cut.kind, random))
        return self.image


def write(file, requests):
    """Carries requests out."""
    for request in requests:
        if len(request.data):
            os.pwrite(file.fileno(), request.data, request.offset)


@dataclass(frozen=True)
class Part:
    """Bytes of a write that reached storage."""

    offset: int
    data: memoryview


def parts(pending, kind, random):
    """What of the writes that were not flushed reaches storage."""
    if kind == "whole":
        return pending
    if kind == "missing":
        return []
    if kind == "half":
        return pending[: len(pending) // 2]
    if kind == "reordered":
        return [request for request in pending if random.random() < 0.5]
    if kind == "reordered and torn":
        return [part for request in pending for part in torn(request, 4096, random)]
    last = random.randrange(len(pending))
    size = 512 if kind == "torn at 512" else 4096
    return [*pending[:last], *torn(pending[last], size, random)]


def torn(request, size, random):
    """Some of the units of `size` bytes of a write."""
    for start in range(0, len(request.data), size):
        if random.random() < 0.5:
            yield Part(request.offset + start, request.data[start : start + size])
