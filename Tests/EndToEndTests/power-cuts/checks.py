"""What must hold after a power cut, whatever the state of the block device."""

import subprocess
from dataclasses import replace
from random import Random

import continuations
import file_systems
from device import DAMAGED, LOST, Device, require


class Checks:
    """`reader`: the example program of docs/readers.md, or None."""

    def __init__(self, recording, folder, reader):
        self.recording = recording
        self.publisher = recording.publisher
        self.reader = reader
        self.folder = folder

    def check(self, cut, images):
        """Mounts the cut's image and carries on as a device would; throws Broken."""
        image = images.make(cut, Random(cut.seed))
        system = self.recording.system
        if system.repair:
            file_systems.run(*system.repair, image, accepted=(0, 1, 2))
        with file_systems.mounted(system, image, f"{self.folder}/cut") as mounted:
            device = Device(self.recording.program, mounted, self.folder, self.publisher.root)
            self.carry_on(device, cut)

    def step(self, moment):
        """The step during or after which the power was cut, and whether its command had returned."""
        step = [step for step in self.recording.steps if step.start <= moment][-1]
        return step, moment >= step.end

    def way(self, cut):
        """In which other way every second state continues; None: with the same command, and everything as it was."""
        step, _ = self.step(cut.moment)
        random = Random(f"{cut.seed} way")
        if step.step.is_locked or step.before.queue or step.before.maps == LOST or random.random() < 0.5:
            return None
        return random.choice(continuations.ALL)

    def carry_on(self, device, cut):
        """The start of the device, the command again or something else, and an update."""
        recorded, is_acknowledged = self.step(cut.moment)
        step = recorded.step
        device.damaged = step.damaged
        states = [recorded.after] if is_acknowledged else [recorded.before, recorded.after]
        if step.between and not is_acknowledged:
            states.append(replace(recorded.before, maps=step.between(recorded.before.maps), queue=frozenset()))
        self.compare(device.read(), states, "after the cut")
        if way := self.way(cut):
            continued = continuations.Continued(
                device, self.publisher, step, recorded.before, recorded.after, self.recording.expand)
            starts = Random(f"{cut.seed} starts")
            continued.run(way, step.command, starts=(True, starts.random() < 0.5))
            return
        if recorded.before.maps == LOST:
            states.append(recorded.after)
        # Maps that an update in place replaces are not there yet.
        exits = (0, 12) if device.names("in-place") else (0,)
        self.succeed(device, "boot", step.release, settings=step.settings, exits=exits)
        device.settle()
        if step.falls_back:
            states.append(replace(recorded.before, maps=self.maps_at(step.falls_back, recorded.before)))
        state = device.read()
        require(state.maps != LOST, "boot did not rebuild the manifest")
        self.compare(state, [state for state in states if state.maps != LOST] + self.adopted(step, recorded), "after boot")
        self.succeed(device, "list", step.release)
        if state.maps:
            is_damaged = any(digest == DAMAGED for _, digest in state.maps)
            self.succeed(device, "verify", step.release, exits=(24,) if is_damaged else (0,))
            self.read_as_example(device)

        code, output = self.recording.run(device, step)
        require(code in (*step.exits, *step.again), f"{step.command} again: exit {code}: {output}")
        state = device.read()
        self.recording.compare(state)
        if step.is_idempotent:
            require(state.maps == recorded.after.maps, f"{step.command} again led to {state.text()}")

        newest = self.publisher.releases
        self.succeed(device, "apply", newest)
        state = device.read()
        require(state.maps is None or state.maps == self.maps_at(newest, state), f"apply led to {state.text()}")
        require(not state.queue, f"apply left operations: {state.text()}")
        if state.maps:
            self.succeed(device, "verify", newest)
        require(not (litter := device.litter()), f"apply left {', '.join(litter)}")

    def adopted(self, step, recorded):
        """A boot with a base map may have installed it in a state in which nothing was installed."""
        return [recorded.after] if step.command == "boot" else []

    def succeed(self, device, command, release, settings=(), exits=(0,)):
        """Runs a command that must succeed."""
        settings = [self.recording.expand(line, device) for line in settings]
        code, output = device.run([command], self.publisher.served(release), settings)
        require(code in exits, f"{command}: exit {code}: {output}")

    def read_as_example(self, device):
        """The example program finds every map, too."""
        if self.reader:
            result = subprocess.run([self.reader, device.root], capture_output=True, text=True, check=False)
            require(result.returncode == 0, f"the reader: {result.stdout}{result.stderr}")

    def compare(self, state, allowed, when):
        """The state is one of those that may be there."""
        sentence = f"{when}: {state.text()} is none of {[state.text() for state in allowed]}"
        require(state.maps in [other.maps for other in allowed], sentence)
        require(state.groups in [other.groups for other in allowed], sentence)
        if len(allowed) == 1:
            require(state.roots == allowed[0].roots, sentence)
            require(state.queue == allowed[0].queue, sentence)
        else:
            require(state.roots or not allowed[0].roots, sentence)
            require(state.queue >= frozenset.intersection(*(other.queue for other in allowed)), sentence)

    def maps_at(self, release, state):
        """The maps of a release for the packages that are installed."""
        def package(name):
            # That of the many small files has directories of its own.
            return "europe/tiles" if name.startswith("europe/tiles/") else name.rpartition("/")[0]

        packages = {package(name) for name, _ in state.maps}
        deselected = set(state.groups.split())
        return frozenset(
            (name, digest) for name, digest in self.publisher.expected[release].items()
            if package(name) in packages and name.rpartition("/")[2][:-4] not in deselected)
