#!/bin/bash
# Measures how much free space an update takes in each mode of `low_space`, on file systems that have just that much.
# usage: bench/low-space.sh CORPUS      (DIR/RELEASE/…, as for `make demo MAPS=DIR`; the last three releases are used)
#        MAP=MEGABYTES   of a made-up map (1000; 0: without it)
#        REPO=DIR        keeps the published repositories in DIR, and takes them from there when they are complete
#        TMPDIR=DIR      where the file systems and the devices are made: four times the maps
# It takes the right to mount: of root, ext4 on a loop device; else tmpfs in a user namespace.
set -euo pipefail
[ "$(id -u)" = 0 ] || exec unshare --user --map-root-user --mount "$0" "$@"
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/low-space.sh CORPUS}
updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
mkdir -p "${REPO:-/tmp}"
# The served copies are links to the files of REPO.
work=$(mktemp -d ${REPO:+-p "$REPO"})
repositories=${REPO:-$work}
# shellcheck source=bench/lib/volume.bash
. "$root/bench/lib/volume.bash"
# shellcheck source=bench/lib/publish.bash
. "$root/bench/lib/publish.bash"
trap 'leave_volume; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# publish_all NAME MAPS RELEASE…: the repository, what its timestamp was at each release, and what is served of it.
publish_all() {
    local repo=$repositories/$1
    publish_releases "$repo" "${@:2}"
    rm -rf "$work/served"
    mkdir "$work/served"
    cp -rl "$repo"/{metadata,catalogs,components,payloads} "$work/served/"
    states=$repo.states
}

serve_up_to() {
    rm -f "$work/served/metadata/timestamp.json"
    cp "$states/$1" "$work/served/metadata/timestamp.json"
}

# configure ROOT MODE
configure() {
    cat >"$work/conf" <<CONF
root = $1
repository = file://$work/served
trusted_root = $work/served/metadata/1.root.json
space_reserve = 0
low_space = $2
retries = 1
CONF
}

device() { "$updater" --config "$work/conf" "$@"; }

# field NAME: the last number of that name in JSON objects, one per line, on standard input; 0 if there is none.
field() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" | tail -n 1 | grep . || echo 0; }

# prepare FROM…: a device that had each of these releases, as $work/device.
prepare() {
    local label operation=install ids
    rm -rf "$work/device"
    mkdir "$work/device"
    configure "$work/device" refuse
    for label in "$@"; do
        serve_up_to "$label"
        ids=()
        [ "$operation" != install ] || ids=("${regions[@]}")
        device --quiet "$operation" "${ids[@]}"
        operation=apply
    done
    device_bytes=$(du -sB1 "$work/device" | cut -f1)
}

# on_volume MODE FREE [BYTES]: the device on a new file system (of BYTES) that has FREE bytes; it knows the new release.
on_volume() {
    leave_volume
    make_volume "${3:-$(((device_bytes + $2) * 105 / 100 + (96 << 20)))}"
    cp -a "$work/device" "$volume/store"
    configure "$volume/store" "$1"
    fill_leaving "$((${2} + (1 << 20)))" # for the catalog and other metadata, which the plan does not count
    plan=$(device --json plan | grep '"event":"plan"')
    fallocate -l "$(($(stat -c %s "$volume/filler") + $(free_space) - ${2}))" "$volume/filler"
    sync -f "$volume"
}

# updating COMMAND…: updates with a watch on free space; sets `status`, `peak` and `result`.
#
# COMMAND runs the program; the peak is below the most that was free before, when what the update removed at first was gone.
updating() {
    local start most least watch
    mkfifo "$work/end"
    python3 "$root/bench/lib/free-space.py" "$volume" "$work/free" <"$work/end" >"$work/watching" &
    watch=$!
    exec 8>"$work/end"
    until [ -s "$work/watching" ]; do sleep 0.01; done
    status=0
    "$@" "$updater" --config "$work/conf" --json apply >"$work/result" || status=$?
    exec 8>&-
    wait "$watch"
    rm "$work/end" "$work/watching"
    read -r start most least <"$work/free"
    [ "$mode" = drop-previous ] || most=$start
    peak=$((most - least))
    result=$(tail -n 1 "$work/result")
}

# What ends a peak takes a moment longer, so that the watch cannot miss it.
slowly() {
    strace -f -qq -o /dev/null -e 'trace=fallocate,ftruncate,unlinkat,/rename' \
        -e 'inject=fallocate,ftruncate,unlinkat,/rename:delay_enter=2000' "$@"
}

# refused FREE: the update is refused with that much.
refused() {
    on_volume "$mode" "$1"
    updating env
    [ "$status" = 22 ] || { echo "low-space: exit code $status with $1 bytes free" >&2; return 1; }
}

# history NAME: the peak of the last update, planned or happened.
history() { device --json history 1 | sed -n "s/.*\"$1\":{[^}]*\"peakDisk\":\([0-9]*\).*/\1/p"; }

# free_needed: sets `needed` to the free space that the mode needs, by the program's own figures.
free_needed() {
    local little=$((64 << 10))
    on_volume refuse "$little"
    [ "$mode" != in-place ] || little=$(($(field download <<<"$plan") * 102 / 100 + (256 << 10)))
    # The figure of an update in place is known when the downloads are there.
    refused "$little"
    needed=$(($(field needed <<<"$result") - $(field available <<<"$result") + little))
    [ "$mode" = drop-previous ] || return 0
    on_volume "$mode" $((needed * 90 / 100))
    needed=$((needed - $(field freed <<<"$plan")))
}

ratio() { awk -v a="$1" -v b="$2" -v f="${3:-%.3f}" 'BEGIN { printf f, a / b }'; }

# row NAME MODE FROM…: one mode, of a device that had these releases.
row() {
    local planned traced own before after new seconds free
    mode=$2
    prepare "${@:3}"
    serve_up_to "$newest"
    free_needed
    free=$((needed * 1005 / 1000))
    refused $((needed * 95 / 100))
    on_volume "$mode" "$free"
    updating slowly
    [ "$status" = 0 ] || { echo "low-space: exit code $status with $free bytes free: $result" >&2; return 1; }
    device --quiet verify
    traced=$peak planned=$(history planned) own=$(history happened)
    on_volume "$mode" "$free"
    new=$(field newSize <<<"$plan")
    before=$(written)
    updating env
    after=$(written)
    [ "$status" = 0 ] || { echo "low-space: exit code $status with $free bytes free: $result" >&2; return 1; }
    seconds=$(awk -v ms="$(field milliseconds <<<"$result")" 'BEGIN { printf "%.1f", ms / 1000 }')
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$mode" "$(IFS=,; echo "${*:3}")" \
        "$needed" "$planned" "$traced" "$(ratio "$traced" "$planned")" "$own" "$free" \
        "$(ratio "$(field download <<<"$plan")" "$new")" "$([ -z "$disk" ] || ratio $((after - before)) "$new")" "$(field peakResident <<<"$result")" "$seconds"
    leave_volume
}

# rows NAME OLDER OLD: all modes, to the release that is $newest.
rows() {
    row "$1" refuse "$3"
    row "$1" drop-previous "$2" "$3"
    row "$1" in-place "$3"
}

# fifteen OLD: an update in place where 15 % of the file system are free, and maps fill the rest.
fifteen() {
    local bytes free
    mode=in-place
    prepare "$1"
    serve_up_to "$newest"
    bytes=$((device_bytes * 130 / 100 + (32 << 20)))
    leave_volume
    make_volume "$bytes"
    bytes=$(df -B1 --output=size "$volume" | tail -n 1 | tr -d ' ')
    free=$((bytes * 15 / 100))
    on_volume in-place "$free" "$(stat -c %s "$image" 2>/dev/null || echo "$bytes")"
    updating env
    [ "$status" = 0 ] || { echo "low-space: exit code $status with $free bytes of $bytes free: $result" >&2; return 1; }
    device --quiet verify
    echo "In place with $free of $bytes bytes free (15 %), $device_bytes of maps: done, peak $peak."
    leave_volume
}

kind_of_volume
echo "File system: $kind."
echo
echo '| maps | low_space | begins with | free space needed | planned peak | measured peak | ratio | own figure | ran with | download / new | written / new | peak RSS | s |'
echo '| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |'
if [ "${CORPUS_ROWS:-yes}" = yes ]; then
    mapfile -t releases < <(find "$corpus" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort | tail -n 3)
    mapfile -t regions < <(find "$corpus/${releases[0]}" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
    newest=${releases[2]}
    publish_all corpus "$corpus" "${releases[@]}"
    rows corpus "${releases[0]}" "${releases[1]}"
fi
if [ "${MAP:-1000}" != 0 ]; then
    size=${MAP:-1000} regions=(made) newest=3
    if [ ! -e "$repositories/made-up.states/3" ]; then
        for release in 1 2 3; do mkdir -p "$work/made-up/$release/made/map"; done
        mkdir "$work/files"
        python3 "$root/bench/lib/made-up-map.py" "$size" 3 "$work/files"
        for release in 1 2 3; do mv "$work/files/$release" "$work/made-up/$release/made/map/base.db"; done
    fi
    publish_all made-up "$work/made-up" 1 2 3
    rows "made-up map" 1 2
fi
echo
if [ "${CORPUS_ROWS:-yes}" = yes ]; then
    mapfile -t regions < <(find "$corpus/${releases[0]}" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
    newest=${releases[2]}
    publish_all corpus "$corpus" "${releases[@]}"
    fifteen "${releases[1]}"
fi
