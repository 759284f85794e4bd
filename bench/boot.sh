#!/bin/bash
# Measures `tinyupdater boot` with 100 installed packages: without a network, and with a check in the background that gets no answer.
# usage: bench/boot.sh [CORPUS]      (the corpus is not used)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
work=$(mktemp -d)
trap 'pkill -f "$work/conf" || true; rm -rf "$work"' EXIT

for number in {001..100}; do
    mkdir -p "$work/maps/region${number:0:2}/package$number"
    head -c 20000 /dev/urandom >"$work/maps/region${number:0:2}/package$number/base.gpkg"
done
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
"$publish" init "$work/repo" >/dev/null
"$publish" release "$work/repo" "$work/maps" --label one --quiet
printf '%s\n' "root = $work/store" "repository = file://$work/repo" "base = $work/none" "at_boot = nothing" \
    "trusted_root = $work/repo/metadata/1.root.json" >"$work/conf"
"$updater" --config "$work/conf" --quiet install region{00..10}

# row TITLE: the median and the longest of 51 starts, by the wall clock.
row() {
    local _ times=()
    for _ in {1..51}; do
        before=$(date +%s%N)
        "$updater" --config "$work/conf" --quiet boot
        times+=($((($(date +%s%N) - before) / 1000)))
    done
    printf '%s\n' "${times[@]}" | sort -n |
        awk -v title="$1" '{ time[NR] = $1 } END { printf "| %s | %.1f | %.1f |\n", title, time[int((NR + 1) / 2)] / 1000, time[NR] / 1000 }'
}

printf '| start with 100 packages | median, ms | longest, ms |\n| --- | --: | --: |\n'
row 'nothing in the background'
# An address that nobody answers at (RFC 5737).
sed -i 's|^repository = .*|repository = https://192.0.2.1|; s|^at_boot = .*|at_boot = check|' "$work/conf"
row 'a check in the background, without an answer'
rm "$work/store/current/manifest"
before=$(date +%s%N)
"$updater" --config "$work/conf" --quiet boot
printf '| a lost manifest rebuilt | %.1f | |\n' "$((($(date +%s%N) - before) / 1000))e-3"
