#!/bin/bash
# Measures what finding packages around a place and along a route takes of a device, in a made-up world whose regions lie
# together, as those of real maps do: bytes of catalogs, CPU, memory.
# usage: [PACKAGES='5000 50000'] bench/near.sh [CORPUS]      (the corpus is not used)
#        REPO=DIR keeps the published repositories in DIR/PACKAGES, and takes from there what is complete
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
# shellcheck source=bench/lib/https.bash
. "$root/bench/lib/https.bash"
trap 'kill "$(cat "$work/nginx.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
serve_https "$work/served"

# A place of package 7 of region 3, and a route of 2,000 km with a point each kilometre from there.
python3 - "$work" <<'PYTHON'
import json, math, random, sys
country = random.Random("country 0")
latitude, longitude = country.uniform(-60, 40), country.uniform(-170, 140) + 9 + 7 * 0.3
with open(f"{sys.argv[1]}/place", "w") as file:
    file.write(f"{latitude:.4f} {longitude:.4f}")
line = [[longitude + step * 0.009, latitude + 2 * math.sin(step / 300)] for step in range(2000)]
with open(f"{sys.argv[1]}/route.geojson", "w") as file:
    json.dump({"type": "LineString", "coordinates": line}, file)
PYTHON
read -r latitude longitude <"$work/place" || true

# row PACKAGES NAME COMMAND…: on a device with five packages.
row() {
    local packages=$1 name=$2 run peak=0 least='' sent='' found
    shift 2
    for run in first again again again; do
        [ "$run" = again ] || { rm -rf "$work/device" && cp -a "$work/before" "$work/device"; }
        : >"$work/access"
        measure "$updater" --config "$work/conf" --quiet "$@"
        [ "$rss" -le "$peak" ] || peak=$rss
        sleep 0.3 # nginx writes its log after the answer
        if [ "$run" = first ]; then
            sent="$(awk '$1 ~ /catalogs/ { sum += $2 } END { print sum + 0 }' "$work/access") | $cpu"
        else
            least=$(printf '%s\n' "$cpu" ${least:+"$least"} | sort -g | head -n 1)
        fi
    done
    found=$("$updater" --config "$work/conf" --json "$@" | sed -n 's/.*"packages":\([0-9]*\),"installed".*/\1/p' | tail -n 1)
    printf '| %s | %s | %s | %s | %s | %s |\n' "$packages" "$name" "$found" "$sent" "$least" "$peak"
}

printf '| packages | question | found | catalogs, bytes | first, CPU s | again, CPU s | peak, KiB |\n'
printf '| --: | --- | --: | --: | --: | --: | --: |\n'
for packages in ${PACKAGES:-5000 50000}; do
    repo=$(realpath -m "${REPO:-$work/repos}")/$packages
    if [ ! -e "$repo.complete" ]; then
        rm -rf "$repo" "$repo.keys"
        mkdir -p "$(dirname "$repo")"
        python3 "$root/bench/lib/made-up-world.py" "$packages" 1 "$work/input" together
        "$publish" init "$repo" >/dev/null
        "$publish" release "$repo" "$work/input" --label 1 --quiet
        rm -rf "$work/input"
        touch "$repo.complete"
    fi
    rm -rf "$work/device" "$work/before" "$work/served"
    ln -s "$repo" "$work/served"
    printf '%s\n' "root = $work/device" "repository = https://127.0.0.1:$port" "certificate_authorities = $authority" \
        "trusted_root = $repo/metadata/1.root.json" >"$work/conf"
    ids=()
    for number in $((packages / 3)) $((packages / 3 + 9)) $((packages / 3 + 14)) $((packages * 4 / 5)) $((packages * 4 / 5 + 7)); do
        ids+=("$(printf 'country%03d/part%02d/place%02d' $((number / 5000)) $((number / 100 % 50)) $((number % 100)))")
    done
    "$updater" --config "$work/conf" --quiet install "${ids[@]}"
    cp -a "$work/device" "$work/before"
    row "$packages" 'near, 50 km' near "$latitude" "$longitude" --radius 50K
    row "$packages" 'near, 500 km' near "$latitude" "$longitude" --radius 500K
    row "$packages" 'along 2,000 km, within 10 km' along "$work/route.geojson" --within 10K
done
