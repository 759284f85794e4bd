"""What name servers, their networks and the files of a resolver do, by the name of each case."""

from servers import (
    A, AAAA, CNAME, FORMERR, NOERROR, NOTIMP, NXDOMAIN, OPT, REFUSED, SERVFAIL, TXT, V4, V6,
    encode, record, reply, usual,
)  # fmt: skip

CODES = {"formerr": FORMERR, "servfail": SERVFAIL, "nxdomain": NXDOMAIN, "notimp": NOTIMP, "refused": REFUSED}
FIRST, SECOND, THIRD = "127.0.0.53", "127.0.0.54", "127.0.0.55"


class Case:
    """`servers`: what answers at an address. `glibc`, `ours`: an address is found; the same, if only one is said.

    `event`: what happens a second after the start: "stop", a signal; "move", `/etc/resolv.conf` leads elsewhere.
    """

    def __init__(
        self, answer=usual, settings="", name="maps.lab", hosts="", glibc=True, ours=None, servers=None, event=None
    ):
        self.servers = {FIRST: answer} if servers is None else servers
        self.settings = settings or "options timeout:1 attempts:2\n" + "".join(
            f"nameserver {address}\n" for address in self.servers
        )
        self.name, self.hosts, self.event = name, hosts, event
        self.glibc, self.ours = glibc, glibc if ours is None else ours


def only(kind, other):
    """`kind` is answered well, and the other one by `other`."""
    return lambda question: usual(question) if question.kind == kind else other(question)


def failing(code):
    return lambda question: reply(question, code=code)


def dropping(question):
    return None


def empty(question):
    return reply(question)


def many(question):
    data = {A: [V4] * 40, AAAA: [V6] * 20}[question.kind]
    return reply(question, [record(question.kind, address) for address in data])


def truncated(question):
    return many(question) if question.over_tcp else reply(question, flags=0x8380)


def truncated_in_part(question):
    return many(question) if question.over_tcp else usual(question)[:2] + b"\x83" + usual(question)[3:]


def truncated_for_ever(question):
    return failing(SERVFAIL)(question) if question.over_tcp else reply(question, flags=0x8380)


def tcp_only(question):
    return usual(question) if question.over_tcp else None


def chain(length):
    """CNAMEs, the address at their end."""

    def answer(question):
        names = [question.name] + [f"n{number}.lab" for number in range(length)]
        links = [record(CNAME, encode(to), encode(at)) for at, to in zip(names, names[1:])]
        data = {A: V4, AAAA: V6}[question.kind]
        return reply(question, [*links, record(question.kind, data, encode(names[-1]))])

    return answer


def chain_in_other_order(question):
    data = {A: V4, AAAA: V6}[question.kind]
    address = record(question.kind, data, encode("end.lab"))
    return reply(question, [address, record(CNAME, encode("end.lab"))])


def alias_only(question):
    if question.kind == A:
        return chain(1)(question)
    return reply(question, [record(CNAME, encode("n0.lab"))])


def named(*names, else_=NXDOMAIN, codes=None):
    """Only these names exist; `codes` are those of other names."""

    def answer(question):
        if question.name.lower() in names:
            return usual(question)
        return reply(question, code=(codes or {}).get(question.name.lower(), else_))

    return answer


def with_ttl(ttl):
    return lambda question: reply(
        question, [record(question.kind, V4 if question.kind == A else V6, ttl=ttl)]
    )


def mangled(question):
    """Letters of the name in the answer have the other case."""
    return reply(
        question,
        [record(question.kind, V4 if question.kind == A else V6, encode(question.name.swapcase()))],
        asked=encode(question.name.swapcase()) + question.bytes[-4:],
    )


def uncompressed(question):
    return reply(question, [record(question.kind, V4 if question.kind == A else V6, encode(question.name))])


def stuffed(question):
    """Other records before, between and after."""
    text = record(TXT, b"\x03abc")
    address = record(question.kind, V4 if question.kind == A else V6)
    more = record(TXT, b"\x01x", encode("other.lab"))
    return reply(question, [text, address, text], authority=[more], additional=[more, more])


def option_unasked(question):
    address = record(question.kind, V4 if question.kind == A else V6)
    return reply(question, [address], additional=[b"\0" + b"\0\x29\x10\0\0\0\0\0\0\0"])


def without_options(question):
    return reply(question, code=FORMERR) if question.has_option else usual(question)


def after(*before):
    """These packets, made of the question, come first."""
    return lambda question: [packet(question) for packet in before] + [usual(question)]


def pause(seconds):
    return lambda question: seconds


def wrong_identity(question):
    return reply(question, code=NXDOMAIN, identity=bytes(255 - byte for byte in question.packet[:2]))


def other_port(question):
    return ("other", reply(question, code=NXDOMAIN))


def garbage(question):
    return b"\xff" * 3


def late(kind, seconds):
    return lambda question: [seconds, usual(question)] if question.kind == kind else usual(question)


def second_time(question):
    return usual(question) if question.count > 0 else None


def flags(value):
    return lambda question: reply(
        question, [record(question.kind, V4 if question.kind == A else V6)], flags=value
    )


def one_at_a_time(question):
    """A second question that comes soon after the first is dropped, as some routers do."""
    return usual(question) if question.kind == A or question.count > 0 else None


def server(text, address=FIRST):
    return f"options timeout:1 attempts:2\n{text}nameserver {address}\n"


CASES = {
    "plain": Case(),
    # One family fails.
    **{f"AAAA {word}": Case(only(A, failing(code))) for word, code in CODES.items()},
    **{f"A {word}": Case(only(AAAA, failing(code))) for word, code in CODES.items()},
    "AAAA empty": Case(only(A, empty)),
    "A empty": Case(only(AAAA, empty)),
    "AAAA dropped": Case(only(A, dropping)),
    "A dropped": Case(only(AAAA, dropping), glibc=False, ours=True),
    "AAAA only an alias": Case(alias_only),
    "one question at a time": Case(one_at_a_time),
    # Sizes.
    "many addresses": Case(many),
    "truncated, all of it over TCP": Case(truncated),
    "truncated in part, all of it over TCP": Case(truncated_in_part),
    "AAAA truncated, an error over TCP": Case(only(A, truncated_for_ever)),
    # musl has only UDP first.
    "TCP only, by use-vc": Case(tcp_only, server("options use-vc\n"), ours=False),
    # Aliases.
    "alias": Case(chain(1)),
    "chain of three": Case(chain(3)),
    "chain of eight": Case(chain(8)),
    "address before its alias": Case(chain_in_other_order, glibc=False, ours=True),
    # Several servers.
    "first server is not there": Case(servers={FIRST: usual}, settings=f"options timeout:1\nnameserver {SECOND}\nnameserver {FIRST}\n"),
    "first server is silent": Case(servers={FIRST: dropping, SECOND: usual}),
    "first server has SERVFAIL": Case(servers={FIRST: failing(SERVFAIL), SECOND: usual}),
    "first server refuses": Case(servers={FIRST: failing(REFUSED), SECOND: usual}),
    "first server has NOTIMP": Case(servers={FIRST: failing(NOTIMP), SECOND: usual}),
    "first two servers are silent": Case(servers={FIRST: dropping, SECOND: dropping, THIRD: usual}),
    "first server fails for AAAA, second is silent": Case(servers={FIRST: only(A, failing(SERVFAIL)), SECOND: dropping}),
    # musl asks all of them at once.
    "second server does not know the name": Case(servers={FIRST: usual, SECOND: lambda q: [0.2, failing(NXDOMAIN)(q)]}),
    "IPv6 server": Case(servers={"::1": usual}),
    "IPv6 server is silent, IPv4 server": Case(servers={"::1": dropping, FIRST: usual}),
    "IPv4 server is silent, IPv6 server": Case(servers={FIRST: dropping, "::1": usual}),
    "no file, server on this machine": Case(servers={"127.0.0.1": usual}, settings="\n"),
    # Search.
    "search": Case(named("maps.lab"), server("search lab\n"), name="maps"),
    "search, second domain": Case(named("maps.lab"), server("search none lab\n"), name="maps"),
    "search, first domain has SERVFAIL": Case(named("maps.lab", codes={"maps.none": SERVFAIL}), server("search none lab\n"), name="maps"),
    "search, first domain is empty": Case(named("maps.lab", codes={"maps.none": NOERROR}), server("search none lab\n"), name="maps"),
    "search of a name with a dot": Case(named("maps.lab.example.org"), server("search example.org\n")),
    "search by ndots": Case(named("maps.lab.example.org"), server("search example.org\noptions ndots:2\n")),
    "no search where the name is there": Case(named("maps.lab"), server("search example.org\n")),
    "domain": Case(named("maps.lab"), server("domain lab\n"), name="maps"),
    "the last search counts": Case(named("maps.lab"), server("search none\nsearch lab\n"), name="maps"),
    # Forms of answers.
    "TTL 0": Case(with_ttl(0)),
    "largest TTL": Case(with_ttl((1 << 31) - 1)),
    "other letter case": Case(mangled),
    "names in full": Case(uncompressed),
    "other records around": Case(stuffed),
    "options that nobody asked for": Case(option_unasked),
    "refuses options": Case(without_options, server("options edns0\n"), glibc=False, ours=True),
    "no recursion available": Case(flags(0x8100)),
    "authoritative": Case(flags(0x8580)),
    "authentic data": Case(flags(0x81A0)),
    # Order and loss.
    "A late": Case(late(A, 0.4)),
    "AAAA late": Case(late(AAAA, 0.4)),
    "first question lost": Case(second_time),
    "twice": Case(after(usual)),
    "another identity before": Case(after(wrong_identity)),
    "another port before": Case(after(other_port)),
    "garbage before": Case(after(garbage), glibc=False, ours=True),
    # Files.
    "hosts": Case(hosts="127.0.0.1 maps.lab\n", servers={}, settings=f"nameserver {FIRST}\n"),
    "hosts, IPv6": Case(hosts="::1 maps.lab\n", servers={}, settings=f"nameserver {FIRST}\n"),
    "hosts, second name": Case(hosts="127.0.0.1 first.lab maps.lab # map\n", servers={}, settings=f"nameserver {FIRST}\n"),
    "hosts, other letter case": Case(hosts="127.0.0.1 MAPS.LAB\n", servers={}, settings=f"nameserver {FIRST}\n"),
    "comments and tabs": Case(settings=f"# one\n; two\n\noptions\ttimeout:1\nnameserver\t{FIRST}"),
    "many servers": Case(settings=f"nameserver {FIRST}\n" * 5),
    "rotate, single-request": Case(settings=server("options rotate single-request\n")),
    # Names.
    "underscore": Case(name="maps_1.lab"),
    "digit first": Case(name="1maps.lab"),
    "long label": Case(name=f"{'m' * 63}.lab"),
    "long name": Case(name=".".join(["m" * 49] * 5)),
    "dot at the end": Case(name="maps.lab."),
    # What is not there.
    "NXDOMAIN": Case(failing(NXDOMAIN), glibc=False),
    "empty": Case(empty, glibc=False),
    "REFUSED": Case(failing(REFUSED), glibc=False),
    # Signals.
    "stopped": Case(dropping, settings=f"nameserver {FIRST}\n", event="stop"),
    # Another program manages the network.
    "moved": Case(servers={FIRST: dropping, SECOND: usual}, settings=f"options timeout:1\nnameserver {FIRST}\n", event="move"),
}
