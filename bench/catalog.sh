#!/bin/bash
# Measures what a device with few packages of many downloads of catalogs, and computes: from release 2 to 3 of a made-up
# world in which all packages change.
# usage: [PACKAGES='50 5000 50000'] bench/catalog.sh [CORPUS]      (the corpus is not used)
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
ln -s "$work/served-now" "$work/served"
mkdir "$work/served-now"
serve_https "$work/served"

# publish_world PACKAGES REPO: three releases, with what was served at each of them.
publish_world() {
    local release
    [ ! -e "$2.states/3" ] || return 0
    rm -rf "$2" "$2.keys" "$2.states"
    mkdir -p "$2.states"
    "$publish" init "$2" >/dev/null
    for release in 1 2 3; do
        python3 "$root/bench/lib/made-up-world.py" "$1" $release "$work/input"
        "$publish" release "$2" "$work/input" --label $release --quiet
        cp "$2/metadata/timestamp.json" "$2.states/$release"
        rm -rf "$work/input"
    done
}

# bytes PATTERN: what nginx sent of the files that match, since the log was emptied.
bytes() { awk -v pattern="$1" '$1 ~ pattern { sum += $2 } END { print sum + 0 }' "$work/access"; }

# smallest LIST…: the smallest of some numbers.
smallest() { printf '%s\n' "$@" | sort -g | head -n 1; }

# row PACKAGES: five packages of two regions, installed at release 2.
row() {
    local packages=$1 repo ids=() number run cpus=('' '' '') peak=0 sent
    repo=$(realpath -m "${REPO:-$work/repos}")/$packages
    publish_world "$packages" "$repo"
    for number in $((packages / 3)) $((packages / 3 + 9)) $((packages / 3 + 14)) $((packages * 4 / 5)) $((packages * 4 / 5 + 7)); do
        ids+=("$(printf 'country%03d/part%02d/place%02d' $((number / 5000)) $((number / 100 % 50)) $((number % 100)))")
    done
    rm -rf "$work/served-now" "$work/device" "$work/before"
    mkdir "$work/served-now"
    cp -a "$repo/metadata" "$work/served-now"
    ln -s "$repo/catalogs" "$repo/components" "$repo/payloads" "$work/served-now"
    cp "$repo.states/2" "$work/served-now/metadata/timestamp.json"
    printf '%s\n' "root = $work/device" "repository = https://127.0.0.1:$port" "certificate_authorities = $authority" \
        "trusted_root = $repo/metadata/1.root.json" >"$work/conf"
    "$updater" --config "$work/conf" --quiet install "${ids[@]}"
    cp -a "$work/device" "$work/before"
    cp "$repo.states/3" "$work/served-now/metadata/timestamp.json"
    for run in 1 2 3 4 5; do
        rm -rf "$work/device"
        cp -a "$work/before" "$work/device"
        : >"$work/access"
        # shellcheck disable=SC2016 # expanded by sh
        measure sh -c '"$0" "$@" || [ $? -eq 10 ]' "$updater" --config "$work/conf" --quiet check
        cpus[0]+=" $cpu"
        measure "$updater" --config "$work/conf" --quiet plan
        cpus[1]+=" $cpu"
        [ "$rss" -le "$peak" ] || peak=$rss
        sleep 0.3 # nginx writes its log after the answer
        sent="$(bytes /metadata/) | $(bytes /catalogs/)"
        : >"$work/access"
        measure "$updater" --config "$work/conf" --quiet apply
        cpus[2]+=" $cpu"
        [ "$rss" -le "$peak" ] || peak=$rss
        sleep 0.3
        sent+=" | $(bytes /metadata/) | $(bytes /catalogs/) | $(bytes /payloads/)"
    done
    # shellcheck disable=SC2086 # lists of numbers
    printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$packages" \
        "$(find "$repo/catalogs" -type f -exec cat {} + | wc -c)" "$sent" \
        "$(smallest ${cpus[0]})" "$(smallest ${cpus[1]})" "$(smallest ${cpus[2]})" "$peak"
}

printf '| packages | catalogs of 3 releases | check: metadata, bytes | catalog | apply: metadata | catalog | payloads | check, CPU s | plan, CPU s | apply, CPU s | peak, KiB |\n'
printf '| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n'
for packages in ${PACKAGES:-50 5000 50000}; do row "$packages"; done
