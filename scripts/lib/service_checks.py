"""Asks the service with a client of Varlink that knows nothing of this project (the module `varlink` of PyPI)."""

import os
import subprocess
import time

import varlink


def check_service(program, device, socket):
    """What is wrong with the answers of the service of `device` at `socket`; nothing if all is right."""
    wrong = []

    def expect(what, found, expected):
        if found != expected:
            wrong.append((what, found, expected))

    with open(device.configuration, "a") as file:
        file.write(f"socket = {socket}\n")
    service = subprocess.Popen([program, "--config", device.configuration, "serve"])
    while not os.path.exists(socket):
        time.sleep(0.01)
    listed = subprocess.run(
        [program, "--config", device.configuration, "list", "--tree", "--json"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.count("\n")
    with varlink.Client(address=f"unix:{socket}") as client:
        with client.open("org.varlink.service") as itself:
            expect("interfaces", itself.GetInfo()["interfaces"], ["org.varlink.service", "org.tinyupdater.Maps"])
        # The client reads the description, and makes its methods of that.
        with client.open("org.tinyupdater.Maps") as maps:
            expect("status", [event["event"] for event in maps.GetStatus()["events"]], ["status", "result"])
            replies = list(maps.List(composite=False, _more=True))
            expect("list", sum(len(reply["events"]) for reply in replies), listed)
            try:
                for _ in maps.Install(["no/such"], _more=True):
                    pass
                wrong.append(("install", "no error"))
            except varlink.VarlinkError as error:
                expect("error", error.error(), "org.tinyupdater.Maps.Failed")
                expect("exit", error.parameters()["exit"], 64)
    service.terminate()
    expect("end", service.wait(20), 0)
    return wrong
