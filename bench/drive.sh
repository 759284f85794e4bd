#!/bin/bash
# Measures maps that follow a vehicle (area_radius, storage_limit): what comes and goes in each hour of a made-up drive,
# what the store takes, and what is written to flash; and what one call of `position` costs.
# usage: [LIMIT=BYTES] bench/drive.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
python3 "$root/bench/lib/drive.py" "$updater" "$publish" "$work" "${LIMIT:-16000000}"

printf '\n| one call | CPU, s | peak, KiB |\n| --- | --: | --: |\n'
position() { # NAME COMMAND…
    local name=$1
    shift
    least "$@"
    printf '| %s | %s | %s |\n' "$name" "$cpu" "$rss"
}
place=$("$updater" --config "$work/conf" position)
position 'position, where it was' "$updater" --config "$work/conf" --quiet position "${place%% *}" "$(cut -d ' ' -f 2 <<<"$place")"
# shellcheck disable=SC2016  # for the inner shell
position 'position, elsewhere' bash -c 'rm -f "$0/device/area/visits" && exec "$1" --config "$0/conf" --quiet position 48 8' "$work" "$updater"
