#!/bin/bash
# Measures patches between map releases, each to the two releases after it, beside Debian's bsdiff.
# usage: bench/patch-size.sh CORPUS      (CORPUS/RELEASE/REGION…/FILE, as for `make demo MAPS=DIR`)
#        FILES=FILE also writes a table with a line for each file.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/patch-size.sh CORPUS}
bench=${PATCHBENCH:-$root/.build/release/PatchBench}
command -v bsdiff >/dev/null || { echo 'bsdiff is missing: apt-get install bsdiff' >&2; exit 69; }
[ -x "$bench" ] || { echo "$bench is missing: swift build -c release --product PatchBench" >&2; exit 69; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Adds the size and the CPU seconds of bsdiff to each line of PatchBench's table.
with_bsdiff() { # OLD NEW
    while IFS=$'\t' read -r file rest; do
        TIMEFORMAT='%3U %3S'
        read -r user system < <({ time bsdiff "$1/$file" "$2/$file" "$work/bsdiff"; } 2>&1)
        printf '%s\t%s\t%s\t%s\n' "$file" "$rest" "$(stat -c %s "$work/bsdiff")" \
            "$(awk -v a="$user" -v b="$system" 'BEGIN { print a + b }')"
    done
}

row() { # OLD NEW: one line of the table of totals
    "$bench" "$corpus/$1" "$corpus/$2" >"$work/table"
    tail -n +2 "$work/table" | with_bsdiff "$corpus/$1" "$corpus/$2" >"$work/both"
    [ -z "${FILES:-}" ] || sed "s|^|$1\t$2\t|" "$work/both" >>"$FILES"
    awk -F '\t' -v from="$1" -v to="$2" '
        { new += $3; patch += $4; create += $5; apply += $6; if ($7 > memory) memory = $7; other += $8; time += $9 }
        END {
            printf "| %s to %s | %d | %d | %d | %.2f %% | %d | %.3f | %.1f | %.1f | %.2f | %.0f | %d |\n", from, to, NR,
                new, patch, 100 * patch / new, other, patch / other, create, time, apply, new / apply / 1e6, memory
        }' "$work/both"
}

mapfile -t releases < <(find "$corpus" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
[ -z "${FILES:-}" ] ||
    printf 'from\tto\tfile\told\tnew\tpatch\tcreate_cpu_s\tapply_cpu_s\tmemory\tbsdiff\tbsdiff_cpu_s\n' >"$FILES"
echo '| releases | files | new bytes | patches | of new | bsdiff | ratio | create, CPU s | bsdiff, CPU s | apply, CPU s | MB/s | memory |'
echo '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |'
for distance in 1 2; do
    for ((new = distance; new < ${#releases[@]}; new++)); do
        row "${releases[new - distance]}" "${releases[new]}"
    done
done
