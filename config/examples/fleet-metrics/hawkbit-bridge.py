#!/usr/bin/python3
"""Tells Eclipse hawkBit how the devices of a fleet are: their reports become attributes of its targets.

usage: hawkbit-bridge.py --collector URL --hawkbit URL --token FILE [--tenant NAME] [--every SECONDS]

--collector URL  of collector.py, such as http://127.0.0.1:8480
--hawkbit URL    of hawkBit's server, such as https://hawkbit.example.com
--token FILE     the gateway token of the tenant ("Authorization: GatewayToken …")
--tenant NAME    default: DEFAULT
--every SECONDS  how often it looks; default 300; 0: once

The id of a device in hawkBit is its machine-id. It uses the Direct Device Integration API on behalf of the devices:
PUT /{tenant}/controller/v1/{id}/configData. Maps stay with tinyupdater: hawkBit shows them, and does not roll them out.
"""

import argparse
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


def member(report, *names):
    """A member of a member, as text; empty if it is not there. Everything in a report comes from outside."""
    for name in names:
        report = report.get(name) if isinstance(report, dict) else None
    return "" if report is None else str(report)


def attributes(device):
    """What hawkBit keeps of a device: names of at most 32 and values of at most 128 characters."""
    report = device["report"]
    matters = member(report, "lastFailure", "matters") == "True"
    values = {
        "maps.problem": device["problem"],
        "maps.release": member(report, "release", "label"),
        "maps.newest": member(report, "newest", "label"),
        "maps.contact": member(report, "contact"),
        "maps.failure": (member(report, "lastFailure", "failure") or member(report, "lastFailure", "result"))
        if matters else "",
        "maps.free": member(report, "free") or "0",
        "maps.program": member(report, "program"),
    }
    return {name: value[:128] for name, value in values.items()}


def put(options, token, device):
    address = "/".join([
        options.hawkbit.rstrip("/"), urllib.parse.quote(options.tenant, safe=""), "controller/v1",
        urllib.parse.quote(device["device"], safe=""), "configData"])
    body = json.dumps({"mode": "merge", "data": attributes(device)}).encode()
    request = urllib.request.Request(address, body, method="PUT", headers={
        "Content-Type": "application/json", "Authorization": f"GatewayToken {token}"})
    with urllib.request.urlopen(request, timeout=20):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--collector", "--hawkbit", "--token"):
        parser.add_argument(name, required=True)
    parser.add_argument("--tenant", default="DEFAULT")
    parser.add_argument("--every", type=int, default=300)
    options = parser.parse_args()
    with open(options.token, encoding="utf-8") as file:
        token = file.read().strip()
    sent = {}
    while True:
        failed = 0
        try:
            with urllib.request.urlopen(options.collector.rstrip("/") + "/devices", timeout=20) as answer:
                devices = json.load(answer)
        except (OSError, ValueError) as error:
            print(f"{options.collector}: {error}", file=sys.stderr)
            devices, failed = [], 1
        for device in devices:
            values = attributes(device)
            if sent.get(device["device"]) == values:
                continue
            try:
                put(options, token, device)
                sent[device["device"]] = values
            except OSError as error:
                failed += 1
                print(f"{device['device']}: {error}", file=sys.stderr)
        if options.every == 0:
            sys.exit(1 if failed else 0)
        time.sleep(options.every)


main()
