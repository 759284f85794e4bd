#!/bin/bash
# Measures a factory and a stick: many stores from one bundle, and updates from an archive, a pipe and a neighbour.
# usage: bench/factory.sh CORPUS      (DIR/RELEASE/…, as for `make demo MAPS=DIR`; the last two releases are used)
#        DEVICES=NUMBER  of stores (100)
#        REPO=DIR        keeps the published repository in DIR, and takes it from there when it is complete
#        TMPDIR=DIR      where the bundles and stores are made: three times the maps, if they can be linked there
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/factory.sh CORPUS}
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
# shellcheck source=bench/lib/publish.bash
. "$root/bench/lib/publish.bash"

mapfile -t labels < <(cd "$corpus" && printf '%s\n' */ | LC_ALL=C sort | tr -d / | tail -n 2)
[ ${#labels[@]} -eq 2 ] || { echo "$corpus has fewer than two releases" >&2; exit 64; }
repo=${REPO:-$work}/corpus
publish_releases "$repo" "$corpus" "${labels[@]}"
trusted=$repo/metadata/1.root.json

bytes() { du -sB1 --apparent-size "$1" | cut -f1; }
# row NAME BYTES COMMAND…: a row of the table, for a bundle of that size.
row() {
    local name=$1 size=$2 start end
    start=$(date +%s%N)
    measure "${@:3}"
    end=$(date +%s%N)
    # shellcheck disable=SC2154 # measure sets both
    printf '| %s | %s | %s | %s | %s |\n' "$name" "$size" "$(awk -v ns=$((end - start)) 'BEGIN { printf "%.1f", ns / 1e9 }')" \
        "$cpu" "$(awk -v k="$rss" 'BEGIN { printf "%.2f", k / 976.5625 }')"
}

printf '| what | bytes of the bundle | s | CPU s | peak RSS, MB |\n| --- | --: | --: | --: | --: |\n'
"$publish" bundle "$repo" -q -o "$work/old.tar" --release "${labels[0]}"
# Made once more for their sizes: the same bytes.
"$publish" bundle "$repo" -q -o "$work/new.tar"
"$publish" bundle "$repo" -q -o "$work/update.tar" --from "${labels[0]}"
row "bundle of everything" "$(bytes "$work/new.tar")" "$publish" bundle "$repo" -q -o "$work/new.tar"
row "bundle of an update" "$(bytes "$work/update.tar")" "$publish" bundle "$repo" -q -o "$work/update.tar" --from "${labels[0]}"
row "one store" "$(bytes "$work/old.tar")" \
    "$updater" -q -c /dev/null provision --from "$work/old.tar" --trusted-root "$trusted" --root "$work/device"

count=${DEVICES:-100}
for ((number = 1; number <= count; number++)); do printf 'unit-%04d -\n' "$number"; done >"$work/devices"
row "$count stores" "$(bytes "$work/new.tar")" env TINYUPDATER="$updater" "$root/config/examples/provision-fleet" \
    "$work/new.tar" "$trusted" "$work/devices" "$work/fleet"
contents() { (cd "$1/var/lib/tinyupdater" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum); }
different=$(for device in "$work/fleet/"*; do contents "$device"; done | sort -u | wc -l)
of_store=$(bytes "$work/fleet/unit-0001") on_disk=$(du -sB1 "$work/fleet" | cut -f1)

cp -a "$work/device" "$work/piped"
cp -a "$work/device" "$work/neighbour"
row "update from an archive" "$(bytes "$work/update.tar")" "$updater" -q -c /dev/null --root "$work/device" apply --from "$work/update.tar"
# shellcheck disable=SC2016 # the inner shell expands them
row "update from a pipe" "$(bytes "$work/update.tar")" \
    sh -c 'cat "$0" | "$1" -q -c /dev/null --root "$2" apply --from -' "$work/update.tar" "$updater" "$work/piped"
row "export" "$(bytes "$work/device/current/maps")" "$updater" -q -c /dev/null --root "$work/device" export "$work/export"
row "update from a neighbour" "$(bytes "$work/export")" "$updater" -q -c /dev/null --root "$work/neighbour" apply --from "$work/export"
for other in piped neighbour; do
    diff -r "$work/device/current/maps" "$work/$other/current/maps" >&2
done

printf '\n%s stores of %s bytes have %s different contents, and take %s bytes on disk.\n' "$count" "$of_store" "$different" "$on_disk"
