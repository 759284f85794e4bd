"""A client of the reference implementation: refreshes from a repository and downloads targets.

usage: client.py ROOT METADATA_URL TARGETS_URL DIRECTORY TARGET...
Prints the versions that it trusts, and the digest of each target.
"""

import hashlib
import pathlib
import sys

from tuf.ngclient import Updater

root, metadata, targets, directory, *names = sys.argv[1:]
home = pathlib.Path(directory)
(home / "metadata").mkdir(parents=True)
(home / "targets").mkdir()
updater = Updater(
    metadata_dir=str(home / "metadata"),
    metadata_base_url=metadata,
    target_dir=str(home / "targets"),
    target_base_url=targets,
    bootstrap=pathlib.Path(root).read_bytes(),
)
updater.refresh()
trusted = updater._trusted_set
print("root", trusted.root.version)
print("timestamp", trusted.timestamp.version)
print("snapshot", trusted.snapshot.version)
for name in names:
    info = updater.get_targetinfo(name)
    assert info is not None, f"{name} is not found"
    path = updater.download_target(info)
    print(name, hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest())
