#!/bin/bash
# Measures `tinypublish release` of many small maps: time, processor time and peak memory, for a made-up world.
# usage: [PACKAGES=5000] bench/many-maps.sh [CORPUS]      (the corpus is not used)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
packages=${PACKAGES:-5000}
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
for release in 1 2; do python3 "$root/bench/lib/made-up-world.py" "$packages" $release "$work/$release"; done
"$publish" init "$work/repo" >/dev/null

number=0
# row TITLE RELEASE: publishes what the release has.
row() {
    local before
    number=$((number + 1))
    before=$(date +%s%N)
    measure "$publish" release "$work/repo" "$work/$2" --label "$number" --quiet
    printf '| %s | %.1f | %.1f | %.0f |\n' "$1" "$(awk -v a="$before" -v b="$(date +%s%N)" 'BEGIN { print (b - a) / 1e9 }')" "$cpu" \
        "$(awk -v kib="$rss" 'BEGIN { print kib / 1024 }')"
}

printf '%s packages of 2 kB with polygons of 40 points, %s processors\n\n' "$packages" "$(nproc)"
printf '| release | wall time, s | processor time, s | peak memory, MiB |\n| --- | --: | --: | --: |\n'
row 'the first' 1
row 'all packages changed' 2
row 'nothing changed' 2
printf '\ncatalog: %s bytes packed\n' "$(stat -c %s "$work"/repo/catalogs/*.3.update.xz)"
