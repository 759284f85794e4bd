#!/bin/bash
# Measures `tinyupdater list` on a catalog of 50,000 packages in 510 regions: time and peak memory.
# usage: bench/list.sh [CORPUS]      (the corpus is not used)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for country in {0..9}; do
    for part in {10..59}; do
        region=$work/maps/country$country/part$part
        mkdir -p "$region"/place{100..199}
        echo "<map><name>Part $part</name><name xml:lang=\"de\">Teil $part</name></map>" >"$region/map.xml"
        for place in {100..199}; do
            echo "a map of $country $part $place" >"$region/place$place/base.gpkg"
            echo "<map><name>Place $place</name><bounds south=\"$part.5\" west=\"14.18361\" north=\"$part.75\" east=\"14.57615\"/></map>" \
                >"$region/place$place/map.xml"
        done
    done
done
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
"$publish" init "$work/repo" >/dev/null
"$publish" release "$work/repo" "$work/maps" --label one --quiet
printf '%s\n' "root = $work/store" "repository = file://$work/repo" "trusted_root = $work/repo/metadata/1.root.json" >"$work/conf"
[ -z "${INSTALLED:-}" ] || "$updater" --config "$work/conf" --quiet install country0
"$updater" --config "$work/conf" --quiet check
printf 'catalog and parts: %s bytes packed, %s unpacked\n\n' "$(cat "$work"/repo/catalogs/* | wc -c)" \
    "$(xz -dc "$work"/repo/catalogs/* | wc -c)"

# row COMMAND…: the median and the longest of 9 runs by the wall clock, and the peak of resident memory.
row() {
    local _ times=() peak before
    for _ in {1..9}; do
        before=$(date +%s%N)
        peak=$("$updater" --config "$work/conf" --json "$@" | tail -n 1 | sed -n 's/.*"peakResident":\([0-9]*\).*/\1/p')
        times+=($((($(date +%s%N) - before) / 1000000)))
    done
    printf '%s\n' "${times[@]}" | sort -n | awk -v title="$*" -v peak="$peak" \
        '{ time[NR] = $1 } END { printf "| `%s` | %d | %d | %.2f |\n", title, time[int((NR + 1) / 2)], time[NR], peak / 1e6 }'
}

printf '| command | median, ms | longest, ms | peak memory, MB |\n| --- | --: | --: | --: |\n'
row list --tree
"$updater" --config "$work/conf" --quiet list country{0..9}
printf '\nwith all parts on the device:\n\n'
printf '| command | median, ms | longest, ms | peak memory, MB |\n| --- | --: | --: | --: |\n'
row list --tree
row list --tree --composite --depth 2
row list --tree country4/part44
row list
row at 44.6 14.3
