"""Prints the tables of bench/results.md from the lines of bench/patch-size.sh: MBTiles apart, as they are compressed tiles.

usage: patch-tables.py [--kinds] [--half tuning|reporting] FILE

--kinds   prints sums by kind (the first component of a path, as bench/variants.sh makes it) and by file extension, and the worst pairs
--half    only the regions of one half: `reporting` where SHA-256 of the region's path is odd in its first byte, `tuning` otherwise;
          the kind is not part of the path, so that all variants of a region are in the same half
"""

import argparse
import csv
import hashlib

PEERS = {
    "hdiff-1m": "HDiffPatch, 1 MiB",
    "hdiff-best": "HDiffPatch, 64 MiB",
    "bsdiff-xz": "bsdiff with xz",
    "bsdiff": "bsdiff",
    "detools": "detools",
    "xdelta3": "xdelta3 -9, lzma",
    "zstd": "zstd -19 --patch-from",
    "xz": "xz -9e of the new file",
}


def number(row, name):
    """A figure of a pair; None where it was not measured."""
    return None if row[name] == "-" else float(row[name])


def total(rows, name):
    """The sum of a column over rows that all have it."""
    return sum(number(row, name) for row in rows)


def title(row):
    return f"`{row['file']}` {row['from']} to {row['to']}"


def best(row):
    """The smallest patch of any peer."""
    return min(size for name in PEERS if (size := number(row, name)) is not None)


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " --: |" * (len(head) - 1))
    for line in lines:
        print("| " + " | ".join(str(cell) for cell in line) + " |")
    print()


def sizes(groups):
    """Ours beside HDiffPatch in equal memory, and beside the best peer for each pair."""
    lines = []
    for name, rows in groups:
        ours, least = total(rows, "ours"), sum(map(best, rows))
        ratios = sorted((number(row, "ours") / best(row), title(row)) for row in rows)
        known = [row for row in rows if number(row, "hdiff-1m") is not None]
        equal = "-"
        if known:
            equal = f"{total(known, 'hdiff-1m'):.0f}", f"{total(known, 'ours') / total(known, 'hdiff-1m'):.4f}"
        lines.append([
            name, len(rows), f"{total(rows, 'new_bytes'):.0f}", f"{ours:.0f}", *(equal if known else ("-", "-")),
            f"{least:.0f}", f"{ours / least:.4f}", f"{ratios[-1][0]:.4f}", sum(ratio > 1.05 for ratio, _ in ratios),
            ratios[-1][1],
        ])
    head = ["pairs", "number", "new bytes", "ours", "HDiffPatch, 1 MiB", "ratio", "best peer of each pair", "ratio"]
    table(head + ["worst pair", "above 1.05", "which"], lines)


def peers(groups):
    """Totals of each peer, and ours for the same pairs."""
    lines = []
    for name, words in PEERS.items():
        line = [words]
        for _, rows in groups:
            known = [row for row in rows if number(row, name) is not None]
            if not known:
                line += ["-", "-", "-"]
                continue
            size = total(known, name)
            line += [len(known), f"{size:.0f}", f"{total(known, 'ours') / size:.3f}"]
        lines.append(line)
    head = ["peer"]
    for name, _ in groups:
        head += [f"{name}: pairs", "bytes", "ours to it"]
    table(head, lines)


def create(groups):
    """What making patches costs, beside bsdiff."""
    lines = []
    for name, rows in groups:
        known = [row for row in rows if number(row, "bsdiff") is not None]
        if not known:
            continue
        ours, other = total(known, "ours_cpu"), total(known, "bsdiff_cpu")
        worst = max(known, key=lambda row: number(row, "ours_rss") / number(row, "bsdiff_rss"))
        slowest = max(known, key=lambda row: number(row, "ours_cpu") / number(row, "bsdiff_cpu"))
        lines.append([
            name, f"{ours:.1f}", f"{other:.1f}", f"{ours / other:.3f}",
            f"{number(slowest, 'ours_cpu') / number(slowest, 'bsdiff_cpu'):.2f}, {title(slowest)}",
            f"{max(number(row, 'ours_rss') for row in known) / 1024:.1f}",
            f"{max(number(row, 'bsdiff_rss') for row in known) / 1024:.1f}",
            f"{number(worst, 'ours_rss') / number(worst, 'bsdiff_rss'):.3f}, {title(worst)}",
        ])
    if lines:
        head = ["making patches", "ours, CPU s", "bsdiff, CPU s", "ratio", "worst pair", "ours, peak MiB"]
        table(head + ["bsdiff, peak MiB", "worst pair"], lines)


def apply(groups):
    """What applying costs, beside the digests of both files and hpatchz."""
    lines = []
    for name, rows in groups:
        ours, digests = total(rows, "apply_cpu"), total(rows, "sha256sum_cpu")
        other = total(rows, "hpatchz_cpu") if all(number(row, "hpatchz_cpu") is not None for row in rows) else None
        worst = max(rows, key=lambda row: number(row, "apply_rss"))
        lines.append([
            name, f"{ours:.2f}", f"{total(rows, 'new_bytes') / ours / 1e6:.0f}", f"{digests:.2f}", f"{ours / digests:.2f}",
            "-" if other is None else f"{other:.2f}", "-" if other is None else f"{ours / (digests + other):.2f}",
            f"{number(worst, 'apply_rss') / 1024:.2f}", title(worst),
        ])
    head = ["applying", "ours, CPU s", "MB of new file/s", "sha256sum of both, CPU s", "ratio", "hpatchz, CPU s", "ratio to both"]
    table(head + ["ours, peak MiB", "where"], lines)


def releases(rows):
    """Ours by pair of releases."""
    lines = []
    for pair in sorted({(row["distance"], row["from"], row["to"]) for row in rows}):
        here = [row for row in rows if (row["distance"], row["from"], row["to"]) == pair]
        new, ours = total(here, "new_bytes"), total(here, "ours")
        lines.append([f"{pair[1]} to {pair[2]}", len(here), f"{new:.0f}", f"{ours:.0f}", f"{100 * ours / new:.2f} %"])
    table(["releases", "files", "new bytes", "patches", "of new"], lines)


# A pair counts as above where a patch is larger than the best peer's by more than this factor, and by more than these bytes.
ABOVE, BYTES = 1.03, 64
WORST = 20


def is_above(row):
    ours, least = number(row, "ours"), best(row)
    return ours > ABOVE * least and ours > least + BYTES


def groups_of(rows, key, title_of_group):
    """Sums by what a function gives for a row."""
    lines = []
    for group in [*sorted({key(row) for row in rows}), None]:
        here = [row for row in rows if group is None or key(row) == group]
        ours, least = total(here, "ours"), sum(map(best, here))
        worst = max(here, key=lambda row: number(row, "ours") / best(row))
        lines.append([
            "all" if group is None else group, len(here), f"{total(here, 'new_bytes'):.0f}", f"{ours:.0f}", f"{least:.0f}",
            f"{ours / least:.4f}", sum(map(is_above, here)), f"{number(worst, 'ours') / best(worst):.4f}", title(worst),
        ])
    head = [title_of_group, "pairs", "new bytes", "ours", "best peer of each pair", "ratio", f"above {ABOVE}", "worst pair", "which"]
    table(head, lines)


def worst_pairs(rows):
    """The pairs above, by how many bytes they are so."""
    above = sorted(filter(is_above, rows), key=lambda row: best(row) - number(row, "ours"))
    lines = []
    for row in above[:WORST]:
        peer = min((name for name in PEERS if number(row, name) is not None), key=lambda name: number(row, name))
        ours, least = number(row, "ours"), best(row)
        lines.append([title(row), row["new_bytes"], f"{ours:.0f}", f"{least:.0f}", f"{ours / least:.4f}", PEERS[peer]])
    print(f"{len(above)} of {len(rows)} pairs are above {ABOVE} times the best peer, and by more than {BYTES} bytes.\n")
    if lines:
        table(["pair", "new bytes", "ours", "best peer", "ratio", "which"], lines)


def kinds(rows):
    rows = [row for row in rows if any(number(row, name) is not None for name in PEERS)]
    if not rows:
        raise SystemExit("patch-tables: no pair was measured with another tool")
    groups_of(rows, lambda row: row["file"].split("/")[0], "kind")
    groups_of(rows, lambda row: row["file"].rsplit("/")[-1].partition(".")[2], "extension")
    worst_pairs(rows)


def region(row, has_kinds):
    """The directory of a pair's file, without the kind."""
    return "/".join(row["file"].split("/")[1 if has_kinds else 0 : -1])


def half_of(name):
    return "reporting" if hashlib.sha256(name.encode()).digest()[0] & 1 else "tuning"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--half", choices=["tuning", "reporting"])
    parser.add_argument("file")
    arguments = parser.parse_args()
    with open(arguments.file, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    if arguments.half:
        rows = [row for row in rows if half_of(region(row, arguments.kinds)) == arguments.half]
        names = sorted({region(row, arguments.kinds) for row in rows})
        print(f"Half for {arguments.half}: {', '.join(names) or 'no region'}.\n")
        if not rows:
            return
    if arguments.kinds:
        kinds(rows)
        return
    split = [
        ("without MBTiles", [row for row in rows if not row["file"].endswith(".mbtiles")]),
        ("MBTiles", [row for row in rows if row["file"].endswith(".mbtiles")]),
    ]
    groups = [(name, part) for name, part in split if part]
    releases(rows)
    if any(number(row, name) is not None for row in rows for name in PEERS):
        sizes(groups)
    peers(groups)
    create(groups)
    apply(groups)


main()
