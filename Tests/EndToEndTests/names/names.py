"""Asks glibc and tinyupdater for a name, in a network of their own with the name servers of one case.

usage: unshare --mount --net names.py CASE TINYUPDATER TRUSTED-ROOT REPOSITORY SCRATCH
Prints the addresses that glibc finds, what tinyupdater comes to, and the seconds of both, as one JSON line.
"""

import functools
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from cases import CASES, FIRST, SECOND
from servers import serve


class Server6(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve_files(directory):
    handler = functools.partial(Quiet, directory=directory)
    for kind, address in (http.server.ThreadingHTTPServer, "127.0.0.1"), (Server6, "::1"):
        threading.Thread(target=kind((address, 80), handler).serve_forever, daemon=True).start()


def replace(path, text, scratch):
    """Has `path` be a file with `text` in this namespace."""
    copy = f"{scratch}/{os.path.basename(path)}"
    with open(copy, "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run(["mount", "--bind", copy, path], check=True)


def timed(words):
    start = time.monotonic()
    run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    return run, time.monotonic() - start


def watch(words, act):
    """The exit code after `act` in the middle of the lookup, and the seconds from then on."""
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as child:
        time.sleep(1)
        start = time.monotonic()
        act(child)
        _, error = child.communicate(timeout=60)
        return {"exit": child.returncode, "seconds": time.monotonic() - start, "error": error}


RESOLVED, MANAGED = "/run/systemd/resolve/stub-resolv.conf", "/run/NetworkManager/resolv.conf"


def link_settings(text, scratch):
    """Has `/etc/resolv.conf` be a link to what one program writes, beside what another one will."""
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    subprocess.run(["cp", "-a", "/etc", scratch], check=True)
    subprocess.run(["mount", "--bind", f"{scratch}/etc", "/etc"], check=True)
    for path, content in (RESOLVED, text), (MANAGED, text.replace(FIRST, SECOND)):
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="ascii") as file:
            file.write(content)
    os.unlink("/etc/resolv.conf")
    os.symlink(RESOLVED, "/etc/resolv.conf")


def move(_):
    os.symlink(MANAGED, "/etc/resolv.conf.new")
    os.rename("/etc/resolv.conf.new", "/etc/resolv.conf")


def main():
    name, program, trusted, repository, scratch = sys.argv[1:]
    case = CASES[name]
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    if case.event == "move":
        link_settings(case.settings, scratch)
    else:
        replace("/etc/resolv.conf", case.settings, scratch)
    replace("/etc/hosts", case.hosts, scratch)
    replace("/etc/nsswitch.conf", "hosts: files dns\n", scratch)
    serve_files(repository)
    for address, answer in case.servers.items():
        serve(address, answer)

    configuration = f"{scratch}/tinyupdater.conf"
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(f"repository = http://{case.name}\nroot = {scratch}/store\ntrusted_root = {trusted}\n")
        file.write("retries = 5\nretry_delay = 400\n" if case.event else "retries = 0\n")
    words = [program, "--config", configuration, "check"]
    if case.event:
        print(json.dumps(watch(words, move if case.event == "move" else lambda child: child.send_signal(signal.SIGTERM))))
        return
    glibc, glibc_seconds = timed(["getent", "ahosts", case.name])
    check, seconds = timed(words)
    print(
        json.dumps(
            {
                "glibc": sorted({line.split()[0] for line in glibc.stdout.splitlines()}),
                "glibcSeconds": glibc_seconds,
                "exit": check.returncode,
                "seconds": seconds,
                "error": check.stderr,
                "glibcResolves": case.glibc,
                "resolves": case.ours,
            }
        )
    )


main()
