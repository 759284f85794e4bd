"""Every operation of the module for Python, on a device at release 1 of 2.

usage: operations.py program|service ROOT PROGRAM CONFIG
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import tinyupdater
from tinyupdater import Loader, Result, State, TinyUpdaterError

WAY, ROOT, PROGRAM, CONFIG = sys.argv[1:]


def command(*words):
    run = subprocess.run([PROGRAM, "--config", CONFIG, "--json", *words], stdout=subprocess.PIPE, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def same(events, words):
    names = lambda events: [(event["event"], event.get("id"), event.get("state")) for event in events]
    expected = [event for event in command(*words) if event["event"] != "result"]
    assert names(events) == names(expected), (events, expected)


def fails(request, result, text):
    try:
        request.wait(60)
    except TinyUpdaterError as error:
        assert error.result == result and text in str(error), (error.result, error)
    else:
        raise AssertionError(f"no {result}")


def try_all(socket):
    with Loader(root=ROOT, socket=socket, program=PROGRAM, config=CONFIG, language="en") as loader:
        same(loader.tree(), ["list", "--tree", "--lang=en"])
        same(loader.tree(composite=True), ["list", "--tree", "--composite", "--lang=en"])
        same(loader.groups(), ["groups"])
        assert loader.at(1.5, 2.5) is None
        ring = [(float(f"35.{number + 100}"), 14) for number in range(300)]
        assert loader.polygons(["europe"]) == {"europe/malta": [ring, [(0, 0), (0, 1.5), (-1, 1)]]}
        fails(loader.ask("polygons", ["no/such"]), Result.INVALID_PARAMETERS, "no/such")
        assert loader.status()["release"]["number"] == 1
        assert loader.check()["available"] is True
        assert loader.plan()["download"] > 0
        loader.deselect_groups(["search"])
        assert [group["name"] for group in loader.groups() if not group["selected"]] == ["search"]
        loader.select_groups(["search"])
        watch = loader.watch()
        state = [watch.next(20)["event"]]
        while state[-1] != "ready":
            state.append(watch.next(20)["event"])
        assert state[:2] == ["state", "status"], state
        with loader.hold() as maps:
            assert maps.number == 1 and len(maps) == 4 and maps.state == State.CURRENT
            malta = maps.find("europe/malta", "base")
            assert malta.size == os.path.getsize(maps.path(malta)) and maps.find("europe/malta", "none") is None
            with maps.open(malta) as file:
                assert file.read() == open(maps.path(malta), "rb").read()
            events = [event["event"] for event in loader.update()]
            assert events[0] == "operation" and "plan" in events and "changed" in events, events
            assert loader.wait_for_maps(20) and maps.state == State.REPLACED
            # They are as they were.
            with maps.open(malta) as file:
                assert len(file.read()) == malta.size
        assert loader.plan() is None and loader.check()["available"] is False
        # Nothing of the watch was lost while others were waited for.
        seen = []
        while "ready" not in seen:
            seen.append(watch.next(20)["event"])
        assert seen.index("applying") < seen.index("changed") < seen.index("state"), seen
        watch.leave()
        loader.uninstall(["world"]).wait(60)
        assert "world" not in [node["id"] for node in loader.tree() if node["state"] == "installed"]
        loader.install(["world"]).wait(60)
        fails(loader.install(["no/such"]), Result.INVALID_PARAMETERS, "no/such")
        failed = loader.uninstall(["no/such"])
        for _ in range(2):
            fails(failed, Result.INVALID_PARAMETERS, "no/such")
        # One that nobody waits for leaves nothing.
        for _ in loader.watch():
            break
        assert not loader._events, loader._events
        loader.cancel().wait(60)
        loader.cancel(operation=4711).wait(60)
        loader.rollback().wait(60)
        loader.confirm().wait(60)
        loader.repair().wait(60)
        try:
            loader.watch().wait(timeout=0.2)
        except TimeoutError:
            pass
        else:
            raise AssertionError("a watch has no end")
    try:
        loader.tree()
    except ValueError as error:
        assert "closed" in str(error)
    else:
        raise AssertionError("a closed loader answers")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def try_service():
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/socket"
        config = f"{folder}/conf"
        with open(CONFIG) as old, open(config, "w") as new:
            new.write(old.read() + f"socket = {socket}\n")
        service = subprocess.Popen([PROGRAM, "--config", config, "serve"])
        while not os.path.exists(socket):
            time.sleep(0.01)
        try_all(socket)
        service.terminate()
        assert service.wait(20) == 0


before = descriptors()
if WAY == "service":
    try_service()
else:
    try_all("")
with Loader(root=ROOT, socket="", program="/nonexistent/program") as loader:
    try:
        loader.status()
    except TinyUpdaterError as error:
        assert error.result == Result.INITIALIZATION_FAILED and "/nonexistent/program" in str(error)
    else:
        raise AssertionError("an answer of nobody")
assert descriptors() == before, (before, descriptors())
