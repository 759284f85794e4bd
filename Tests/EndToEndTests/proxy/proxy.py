"""A proxy for HTTP: python3 proxy.py [USER:PASSWORD]

Says "port N", and writes a line for each request: its method, and host and port that it wants to reach.
"""

import base64
import socket
import sys
import threading

WANTED = ("Basic " + base64.b64encode(sys.argv[1].encode()).decode()) if len(sys.argv) > 1 else None


def read_head(client):
    head = b""
    while b"\r\n\r\n" not in head:
        piece = client.recv(4096)
        if not piece:
            return None
        head += piece
    return head


def copy(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    head = read_head(client)
    if head is None:
        return
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    host = target if method == "CONNECT" else target.split("/")[2]
    print(method, host, flush=True)
    if WANTED and fields.get("proxy-authorization") != WANTED:
        client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n"
                       b"Content-Length: 0\r\nConnection: close\r\n\r\n")
        return client.close()
    name, port = host.rsplit(":", 1)
    server = socket.create_connection((name, int(port)))
    if method == "CONNECT":
        client.sendall(b"HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n")
    else:
        # One request for each connection: what follows could be for another server.
        path = "/" + target.split("/", 3)[3]
        kept = [line for line in lines[1:] if line and not line.lower().startswith(("proxy-", "connection:"))]
        server.sendall("\r\n".join([f"{method} {path} HTTP/1.1", *kept, "Connection: close", "", ""]).encode("latin-1"))
    threading.Thread(target=copy, args=(client, server), daemon=True).start()
    copy(server, client)
    client.close()
    server.close()


listener = socket.create_server(("127.0.0.1", 0))
print("port", listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
