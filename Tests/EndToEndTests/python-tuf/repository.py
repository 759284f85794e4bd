"""Makes a repository with the reference implementation: all kinds of keys, delegations, a second root.

usage: repository.py DIRECTORY        (metadata in DIRECTORY/metadata, targets in DIRECTORY/targets)
"""

import datetime
import pathlib
import sys

from securesystemslib.signer import CryptoSigner
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

home = pathlib.Path(sys.argv[1])
(home / "metadata").mkdir(parents=True)
expires = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(days=1)
signers = {
    "root": [CryptoSigner.generate_ed25519(), CryptoSigner.generate_ecdsa(), CryptoSigner.generate_rsa()],
    "timestamp": [CryptoSigner.generate_ecdsa()],
    "snapshot": [CryptoSigner.generate_rsa()],
    "targets": [CryptoSigner.generate_ed25519()],
    "maps:ä": [CryptoSigner.generate_ecdsa(), CryptoSigner.generate_ed25519()],
    "bins": [CryptoSigner.generate_ed25519()],
}


def write(name, signed, *roles):
    metadata = Metadata(signed)
    for role in roles:
        for signer in signers[role]:
            metadata.sign(signer, append=True)
    (home / "metadata" / name).write_bytes(metadata.to_bytes())


def target(role, path, data, algorithms):
    info = TargetFile.from_data(path, data, algorithms)
    role.targets[path] = info
    folder, _, name = path.rpartition("/")
    for digest in info.hashes.values():
        file = home / "targets" / folder / f"{digest}.{name}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


root = Root(expires=expires)
for role in ["root", "timestamp", "snapshot", "targets"]:
    for signer in signers[role]:
        root.add_key(signer.public_key, role)
root.roles["root"].threshold = 3
write("1.root.json", root, "root")
root.version = 2
root.unrecognized_fields["x-notes"] = {"é": 'line\nfeed, "quotes" and \\', "n": -5, "list": [True, None, {}]}
write("2.root.json", root, "root")

targets = Targets(expires=expires)
target(targets, "top-level.txt", b"of the top-level role", ["sha256"])
targets.delegations = Delegations({}, {})
targets.delegations.roles["maps:ä"] = DelegatedRole(
    "maps:ä", [], 2, terminating=True, paths=["maps/*/*.map"]
)
targets.delegations.roles["bins"] = DelegatedRole(
    "bins", [], 1, terminating=False, path_hash_prefixes=list("0123456789abcdef")
)
for role in ["maps:ä", "bins"]:
    for signer in signers[role]:
        targets.add_key(signer.public_key, role)
maps = Targets(expires=expires)
target(maps, "maps/europe/malta.map", b"of a delegated role", ["sha512"])
bins = Targets(expires=expires)
target(bins, "anything/else", b"of a role by digest", ["sha256", "sha512"])
write("1.targets.json", targets, "targets")
snapshot = Snapshot(expires=expires)
for name, role in {"maps:ä": maps, "bins": bins}.items():
    write(f"1.{name}.json", role, name)
    snapshot.meta[f"{name}.json"] = MetaFile(1)
write("1.snapshot.json", snapshot, "snapshot")
write("timestamp.json", Timestamp(expires=expires), "timestamp")
