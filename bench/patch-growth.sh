#!/bin/bash
# Measures how the cost of applying a patch grows with the new file, on pairs of files made for it, by the static program.
# usage: bench/patch-growth.sh [CORPUS]      (the corpus is not used)
#        PAIRS='records:1 tiles:10'   only these kinds and megabytes
#        RUNS=N                       applying is measured N times (3), and the least is taken
#        TMPDIR=DIR                   where files are written, up to 4 GB: in memory, times do not depend on a disk
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
pairs=${PAIRS:-records:1 records:10 records:100 records:1000 decimals:1 decimals:10 decimals:100 tiles:1 tiles:10 tiles:100}

# row KIND MEGABYTES
row() {
    local size patch making making_rss memory=() digests
    python3 "$root/bench/lib/growth-pair.py" "$1" "$2" "$work/old" "$work/new"
    # So large a file takes as many bytes for the index of its suffixes as few machines have: blocks are matched instead.
    [ "$2" -lt 1000 ] || memory=(--memory 1G)
    measure "$publish" diff "$work/old" "$work/new" -o "$work/patch" --quiet "${memory[@]}"
    making=$cpu making_rss=$rss
    size=$(stat -c %s "$work/new") patch=$(stat -c %s "$work/patch")
    least sha256sum "$work/old" "$work/new"
    digests=$cpu
    least "$updater" patch "$work/old" "$work/patch" "$work/made"
    cmp "$work/new" "$work/made"
    awk -v kind="$1" -v size="$size" -v patch="$patch" -v making="$making" -v making_rss="$making_rss" -v memory="${memory[1]:--}" \
        -v cpu="$cpu" -v rss="$rss" -v digests="$digests" 'BEGIN {
            mb = size / 1e6
            printf "| %s | %d | %d | %s | %.1f | %.1f | %.3f | %.2f | %.2f | %.2f |\n", kind, size, patch, memory, making,
                making_rss / 1024, cpu, 1000 * cpu / mb, 1000 * digests / mb, rss / 1024 }'
    rm -f "$work"/{old,new,patch,made}
}

echo '| pair | new bytes | patch | --memory | making, CPU s | peak, MiB | applying, CPU s | ms for each MB | sha256sum of both, ms for each MB | peak, MiB |'
echo '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |'
for pair in $pairs; do row "${pair%:*}" "${pair#*:}"; done
