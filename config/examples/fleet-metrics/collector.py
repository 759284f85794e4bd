#!/usr/bin/python3
"""Collects the reports of a fleet (report_url in tinyupdater.conf(5)) and shows them.

usage: collector.py [--listen HOST:PORT] [--state FILE] [--token FILE] [--silent SECONDS] [--lag SECONDS]

POST any path   a report of a device, described by docs/schema/tinyupdater-report.schema.json
GET /           a page of all devices, those with a problem first
GET /metrics    the same for Prometheus
GET /devices    the same as JSON, such as for hawkbit-bridge.py

--listen HOST:PORT  where to listen; default 127.0.0.1:8480. Put a web server in front of it for TLS.
--state FILE        where the last report of each device is kept; default: only in memory
--token FILE        devices have to send "Authorization: Bearer" with the text in this file
--silent SECONDS    a device that has not reported for so long is silent; default 129600: a day and a half
--lag SECONDS       a mirror is stale if it serves older signatures than others for longer; default 3600

Needs nothing but Python. It keeps the last report of each device, and no history: Prometheus has that.
"""

import argparse
import hmac
import html
import json
import os
import re
import signal
import sys
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAXIMUM_REPORT = 2048
MAXIMUM_DEVICES = 100_000


def seconds(text):
    """A time of a report in seconds since 1970; None if there is none."""
    if not isinstance(text, str):
        return None
    try:
        return int(datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())
    except ValueError:
        return None


def whole(value):
    """A number of a report that is not negative, and not larger than a device can mean; else 0."""
    return value if type(value) is int and 0 <= value < 1 << 63 else 0


def member(report, *names):
    """A member of a member; None if it is not there."""
    for name in names:
        report = report.get(name) if isinstance(report, dict) else None
    return report


class Device:
    """What the last report of a device says. Everything in it comes from outside."""

    def __init__(self, report, received):
        self.report, self.received = report, received
        self.name = report["device"]
        self.release = whole(member(report, "release", "number"))
        self.label = str(member(report, "release", "label") or "-")[:64]
        self.contact = seconds(report.get("contact"))
        self.signatures = seconds(report.get("signatures"))
        self.damaged, self.waiting, self.free = (whole(report.get(name)) for name in ("damaged", "waiting", "free"))
        self.refused = [str(name)[:200] for name in report.get("refused", [])] if isinstance(
            report.get("refused"), list) else []
        failure = report.get("lastFailure")
        self.failure = failure if isinstance(failure, dict) and failure.get("matters") is True else None

    @property
    def exit(self):
        return whole(member(self.failure, "exit"))

    @property
    def cause(self):
        return str(member(self.failure, "failure") or member(self.failure, "result") or "")[:512]

    def problem(self, now, fleet):
        """One word and a sentence; None if all is well. The first one that applies says the most."""
        if now - self.received > fleet.silent:
            return "silent", f"no report for {age(now - self.received)}: no network, no power, or its timer is dead"
        if self.damaged:
            return "damaged", f"{self.damaged} components are damaged"
        if self.refused:
            return "refused", "refused: " + ", ".join(self.refused)
        if self.failure and re.search(r"answered 40[13]\b", self.cause):
            return "refused", self.cause
        if self.failure:
            return "failing", f"{member(self.failure, 'command')}: {self.cause}"
        if self.signatures and self.contact and self.signatures < fleet.signatures:
            if self.contact > fleet.signed + fleet.lag:
                return "stale", "its mirror serves older signatures than those that others have"
        if self.release < fleet.newest:
            known = whole(member(self.report, "newest", "number")) >= fleet.newest
            return "behind", "it knows of a newer release" if known else "a newer release is not for it yet"
        return None


def age(duration):
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if duration >= 2 * size:
            return f"{int(duration // size)} {unit}"
    return "1 second" if 1 <= duration < 2 else f"{int(duration)} seconds"


class Fleet:
    def __init__(self, state, silent, lag):
        self.state, self.silent, self.lag = state, silent, lag
        # The newest release and the latest end of signatures that a device has, and when the first one had that.
        self.newest = self.signatures = self.signed = 0
        self.lock, self.devices, self.is_saved = threading.Lock(), {}, True
        if state and os.path.exists(state):
            with open(state, encoding="utf-8") as file:
                for entry in json.load(file):
                    self.keep(Device(entry["report"], entry["received"]))

    def take(self, report, now):
        """Takes a report; why it is not one, or None."""
        if not isinstance(report, dict) or report.get("report") != 1:
            return "not a report"
        name = report.get("device")
        if not isinstance(name, str) or not re.fullmatch(r"[0-9A-Za-z._-]{1,64}", name):
            return "a report without a device"
        device = Device(report, now)
        with self.lock:
            known = self.devices.get(device.name)
            # One that came late, or twice.
            if known and (seconds(report.get("time")) or 0) < (seconds(known.report.get("time")) or 0):
                known.received = now
                return None
            if known is None and len(self.devices) >= MAXIMUM_DEVICES:
                return "too many devices"
            self.keep(device)
            self.is_saved = False
        return None

    def keep(self, device):
        self.devices[device.name] = device
        if (device.signatures or 0) > self.signatures:
            self.signatures, self.signed = device.signatures, device.contact or int(device.received)

    def save(self):
        """Writes the state, if it has changed; what is lost with the power comes with the next reports."""
        with self.lock:
            if not self.state or self.is_saved:
                return
            entries = [{"report": device.report, "received": device.received} for device in self.devices.values()]
            with open(self.state + ".new", "w", encoding="utf-8") as file:
                json.dump(entries, file)
            os.replace(self.state + ".new", self.state)
            self.is_saved = True

    def save_often(self):
        while True:
            time.sleep(5)
            try:
                self.save()
            except OSError as error:
                print(f"{self.state}: {error}", file=sys.stderr, flush=True)

    def view(self, now):
        """The devices with their problems, those with one first."""
        with self.lock:
            devices = list(self.devices.values())
            self.newest = max((device.release for device in devices), default=0)
        rows = [(device, device.problem(now, self)) for device in devices]
        rows.sort(key=lambda row: (row[1] is None, row[1][0] if row[1] else "", row[0].name))
        return rows


# MARK: Views

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; color: #1b2733; background: #fff }
h1 { font-size: 1.5em; margin: 0 } p { margin: .3em 0 1em; color: #56646f }
ul { display: flex; flex-wrap: wrap; gap: .8em; padding: 0; list-style: none }
li { border: 1px solid #d8dee4; border-radius: 6px; padding: .3em .9em } li b { font-size: 1.3em }
table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 600; color: #56646f }
th, td { padding: .32em .6em; border-bottom: 1px solid #e6eaee; vertical-align: top }
td.n { text-align: right; white-space: nowrap } td.d { font-family: ui-monospace, monospace; font-size: .87em }
td.c { overflow-wrap: anywhere } .tag { border-radius: 4px; padding: 0 .5em; color: #fff; background: #9a5b00 }
.silent { background: #6b3fa0 } .refused, .failing, .damaged { background: #b3261e } .ok { background: #1f7a3d }
@media (prefers-color-scheme: dark) { body { background: #14191e; color: #dfe6ec } li, th, td { border-color: #303a43 } }
"""


def page(rows, newest, now):
    counts = {}
    for _, problem in rows:
        word = problem[0] if problem else "ok"
        counts[word] = counts.get(word, 0) + 1
    tags = "".join(f'<li><b>{number}</b> <span class="tag {word}">{word}</span></li>'
                   for word, number in sorted(counts.items(), key=lambda item: (item[0] == "ok", item[0])))
    lines = []
    for device, problem in rows:
        word, sentence = problem or ("ok", "")
        contact = age(now - device.contact) + " ago" if device.contact else "never"
        cells = [
            f'<td class="d">{html.escape(device.name)}</td>', f'<td><span class="tag {word}">{word}</span></td>',
            f'<td class="n">{device.release} ({html.escape(device.label)})</td>',
            f'<td class="n">{age(now - device.received)} ago</td>', f'<td class="n">{contact}</td>',
            f'<td class="n">{device.free / 1e6:.0f} MB</td>', f'<td class="c">{html.escape(sentence)}</td>',
        ]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    heads = "".join(f"<th>{name}</th>" for name in ("device", "", "release", "report", "contact", "free", "problem"))
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="30">'
            f'<meta name="viewport" content="width=device-width"><title>Fleet</title><style>{STYLE}</style>'
            f"<h1>{len(rows)} devices</h1><p>The newest release that one of them has is {newest}.</p>"
            f"<ul>{tags}</ul><table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></html>\n")


def label(value):
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def metrics(rows, newest, now):
    lines = []

    def metric(name, text, values):
        lines.append(f"# HELP fleet_{name} {text}\n# TYPE fleet_{name} gauge")
        for labels, value in values:
            words = ",".join(f"{key}={label(word)}" for key, word in labels.items())
            lines.append(f"fleet_{name}{{{words}}} {value}" if words else f"fleet_{name} {value}")

    def of_each(name, text, value):
        values = [({"device": device.name}, value(device)) for device, _ in rows]
        metric(name, text, [entry for entry in values if entry[1] is not None])

    problems = {word: 0 for word in ("silent", "damaged", "refused", "failing", "stale", "behind", "ok")}
    for _, problem in rows:
        problems[problem[0] if problem else "ok"] += 1
    metric("devices", "Devices by their problem.", [({"problem": word}, count) for word, count in problems.items()])
    metric("newest_release_number", "The newest release that a device has.", [({}, newest)])
    of_each("device_release_number", "Number of the installed release.", lambda device: device.release)
    of_each("device_report_timestamp_seconds", "When the last report came.", lambda device: int(device.received))
    of_each("device_contact_timestamp_seconds", "When it last reached its repository.", lambda device: device.contact)
    of_each("device_signature_expiry_timestamp_seconds", "When the first signature ends.",
            lambda device: device.signatures)
    of_each("device_failure_exit_code", "Exit code of a failure that matters; 0: none.", lambda device: device.exit)
    of_each("device_damaged_components", "Damaged components.", lambda device: device.damaged)
    of_each("device_queued_operations", "Operations that wait.", lambda device: device.waiting)
    of_each("device_refused_packages", "Packages that its server refuses.", lambda device: len(device.refused))
    of_each("device_free_bytes", "Free space.", lambda device: device.free)
    return "\n".join(lines) + "\n"


def listed(rows):
    return [{"device": device.name, "problem": problem[0] if problem else "ok", "sentence": problem[1] if problem else "",
             "received": int(device.received), "report": device.report} for device, problem in rows]


# MARK: The server


class Handler(BaseHTTPRequestHandler):
    server_version, sys_version, timeout = "collector", "", 20

    def do_POST(self):
        token = self.server.token
        if token and not hmac.compare_digest(self.headers.get("Authorization", ""), f"Bearer {token}"):
            return self.answer(401)
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            return self.answer(411)
        if not 0 < length <= MAXIMUM_REPORT:
            return self.answer(413)
        try:
            report = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError):
            return self.answer(400, "not JSON\n")
        problem = self.server.fleet.take(report, time.time())
        if problem:
            return self.answer(400, problem + "\n")
        return self.answer(204)

    def do_GET(self):
        now = time.time()
        rows, newest = self.server.fleet.view(now), self.server.fleet.newest
        if self.path == "/":
            self.answer(200, page(rows, newest, now), "text/html; charset=utf-8")
        elif self.path == "/metrics":
            self.answer(200, metrics(rows, newest, now), "text/plain; version=0.0.4; charset=utf-8")
        elif self.path == "/devices":
            self.answer(200, json.dumps(listed(rows)), "application/json")
        else:
            self.answer(404, "there are /, /metrics and /devices\n")

    def answer(self, status, text="", kind="text/plain; charset=utf-8"):
        # JSON may have halves of characters.
        body = text.encode(errors="replace")
        self.send_response(status)
        if body:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listen", default="127.0.0.1:8480", metavar="HOST:PORT")
    parser.add_argument("--state", metavar="FILE")
    parser.add_argument("--token", metavar="FILE")
    parser.add_argument("--silent", type=int, default=129_600, metavar="SECONDS")
    parser.add_argument("--lag", type=int, default=3600, metavar="SECONDS")
    options = parser.parse_args()
    host, _, port = options.listen.rpartition(":")
    server = ThreadingHTTPServer((host, int(port)), Handler)
    server.daemon_threads = True
    server.fleet = Fleet(options.state, options.silent, options.lag)
    server.token = None
    if options.token:
        with open(options.token, encoding="utf-8") as file:
            server.token = file.read().strip()
    print(f"http://{host}:{server.server_port}/", flush=True)
    threading.Thread(target=server.fleet.save_often, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.fleet.save()


main()
