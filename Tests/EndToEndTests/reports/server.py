"""A server that takes reports: python3 server.py [PORT]

Says "port N", and then a line for each request: its method, path, type, the status of the answer, and the body. The
status is the last part of the path, such as 403 of /status/403, and else 204. /slow answers after a minute.
"""

import http.server
import sys
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        last = self.path.rsplit("/", 1)[-1]
        status = int(last) if last.isdigit() else 204
        print(self.command, self.path, self.headers.get("Content-Type"), status, body, flush=True)
        if last == "slow":
            time.sleep(60)
        self.send_response(status)
        if status // 100 == 3:
            self.send_header("Location", "/other")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Handler)
server.daemon_threads = True
print("port", server.server_port, flush=True)
server.serve_forever()
