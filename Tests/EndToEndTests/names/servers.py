"""A name server that answers each question as a case says, over UDP and TCP."""

import socket
import struct
import threading
import time

A, CNAME, TXT, AAAA, OPT = 1, 5, 16, 28, 41
NOERROR, FORMERR, SERVFAIL, NXDOMAIN, NOTIMP, REFUSED = range(6)
V4 = bytes([127, 0, 0, 1])
V6 = bytes(15) + b"\1"


class Question:
    """What was asked: `over_tcp`, and `count`, how often the same was asked before."""

    def __init__(self, packet, over_tcp, count):
        self.packet, self.over_tcp, self.count = packet, over_tcp, count
        labels, at = [], 12
        while packet[at]:
            labels.append(packet[at + 1 : at + 1 + packet[at]].decode("latin-1"))
            at += packet[at] + 1
        self.name = ".".join(labels)
        self.kind = struct.unpack(">H", packet[at + 1 : at + 3])[0]
        self.bytes = packet[12 : at + 5]
        self.has_option = struct.unpack(">H", packet[10:12])[0] > 0


def encode(name):
    return b"".join(bytes([len(label)]) + label.encode("latin-1") for label in name.split(".") if label) + b"\0"


def record(kind, data, name=b"\xc0\x0c", ttl=60, group=1):
    return name + struct.pack(">HHIH", kind, group, ttl, len(data)) + data


def reply(question, records=(), code=NOERROR, flags=0x8180, authority=(), additional=(), identity=None, asked=None):
    """An answer packet; `records` are answers."""
    head = question.packet[:2] if identity is None else identity
    counts = struct.pack(">HHHHH", flags | code, 1, len(records), len(authority), len(additional))
    return head + counts + (asked or question.bytes) + b"".join([*records, *authority, *additional])


def usual(question):
    """One address of the kind that was asked for."""
    data = {A: V4, AAAA: V6}.get(question.kind)
    return reply(question, [record(question.kind, data)] if data else [])


class Sockets:
    def __init__(self, address):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.udp = socket.socket(family, socket.SOCK_DGRAM)
        self.udp.bind((address, 53))
        # Another port than the one that was asked.
        self.other = socket.socket(family, socket.SOCK_DGRAM)
        self.tcp = socket.socket(family, socket.SOCK_STREAM)
        self.tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.tcp.bind((address, 53))
        self.tcp.listen(16)


def serve(address, answer):
    """`answer(question)` returns the packets to send: bytes, a list of bytes, of seconds to wait, and of ("other",
    bytes) for one from another port; None: nothing."""
    sockets, counts, lock = Sockets(address), {}, threading.Lock()

    def count(question):
        with lock:
            key = (question.name.lower(), question.kind)
            counts[key] = counts.get(key, 0) + 1
            return counts[key] - 1

    def respond(question, send, send_other):
        question.count = count(question)
        packets = answer(question)
        for packet in [packets] if isinstance(packets, bytes) else packets or []:
            if isinstance(packet, bytes):
                send(packet)
            elif isinstance(packet, tuple):
                send_other(packet[1])
            else:
                time.sleep(packet)

    def over_udp():
        while True:
            packet, peer = sockets.udp.recvfrom(4096)
            arguments = (
                Question(packet, False, 0),
                lambda bytes, peer=peer: sockets.udp.sendto(bytes, peer),
                lambda bytes, peer=peer: sockets.other.sendto(bytes, peer),
            )
            threading.Thread(target=respond, args=arguments, daemon=True).start()

    def read(connection, count):
        data = b""
        while len(data) < count:
            piece = connection.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def converse(connection):
        with connection:
            try:
                while True:
                    packet = read(connection, struct.unpack(">H", read(connection, 2))[0])
                    send = lambda bytes: connection.sendall(struct.pack(">H", len(bytes)) + bytes)
                    respond(Question(packet, True, 0), send, send)
            except (EOFError, OSError):
                pass

    def over_tcp():
        while True:
            connection, _ = sockets.tcp.accept()
            threading.Thread(target=converse, args=(connection,), daemon=True).start()

    for loop in over_udp, over_tcp:
        threading.Thread(target=loop, daemon=True).start()
