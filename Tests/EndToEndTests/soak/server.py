#!/usr/bin/env python3
"""Serves a folder on a free port of the loopback interface, and fails one request in five: server.py FOLDER SEED

It prints the port. At SIGTERM it prints requests, failures and bytes sent, and ends.
"""

import http.server
import os
import random
import signal
import socket
import struct
import sys
import threading

FAILURES = ["reset", "unavailable", "truncated", "truncated", "wrong"]


class Chance:
    """Decides about requests, and counts."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.requests = self.failures = self.sent = 0

    def next(self):
        """How the next request fails; None: it does not."""
        with self.lock:
            self.requests += 1
            if self.random.random() >= 0.2:
                return None
            self.failures += 1
            # Wrong bytes are rarer than broken connections.
            failure = self.random.choice(FAILURES)
            return "truncated" if failure == "wrong" and self.random.random() < 0.5 else failure


class Handler(http.server.BaseHTTPRequestHandler):
    """GET, whole or from an offset on."""

    protocol_version = "HTTP/1.1"
    chance = None
    folder = ""

    def log_message(self, format, *args):
        """Nothing is logged."""

    def reset(self):
        """The connection ends as if the other machine had lost power."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def answer(self, status, body, headers=()):
        """A whole answer."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        """One request."""
        failure = self.chance.next()
        if failure == "reset":
            return self.reset()
        if failure == "unavailable":
            return self.answer(503, b"later")
        try:
            with open(self.folder + self.path, "rb") as file:
                body = file.read()
        except OSError:
            return self.answer(404, b"nothing")
        size = len(body)
        first = 0
        text = self.headers.get("Range", "")
        if text.startswith("bytes=") and text.endswith("-"):
            first = int(text[6:-1])
        if first >= size > 0:
            return self.answer(416, b"", [("Content-Range", f"bytes */{size}")])
        body = bytearray(body[first:])
        if failure == "wrong" and body:
            body[len(body) // 2] ^= 1
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{size - 1}/{size}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        part = body[: len(body) // 2] if failure == "truncated" else body
        self.wfile.write(part)
        with self.chance.lock:
            self.chance.sent += len(part)
        if failure == "truncated":
            self.wfile.flush()
            self.connection.close()
            self.close_connection = True
        return None


class Server(http.server.ThreadingHTTPServer):
    """Connections that break are what it is for."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        """Nothing is printed."""


def main():
    """Runs until SIGTERM."""
    Handler.folder = sys.argv[1]
    Handler.chance = chance = Chance(int(sys.argv[2]))
    server = Server(("127.0.0.1", 0), Handler)

    def end(*_):
        print(chance.requests, chance.failures, chance.sent, flush=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    print("port", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
