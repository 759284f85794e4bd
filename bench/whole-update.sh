#!/bin/bash
# Measures whole updates of the static binary over https: bytes, time, peak memory, and again under `ulimit -d`.
# usage: bench/whole-update.sh CORPUS      (DIR/RELEASE/…, as for `make demo MAPS=DIR`)
#        REPO=DIR keeps the published repository in DIR, and takes it from there when it is complete.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/whole-update.sh CORPUS}
updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
# shellcheck source=bench/lib/https.bash
. "$root/bench/lib/https.bash"
work=$(mktemp -d)
repo=${REPO:-$work/repo}
trap 'kill "$(cat "$work/nginx.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT

mapfile -t releases < <(find "$corpus" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
mkdir -p "$repo.states"
(umask 077 && echo 'a passphrase' >"$repo.states/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$repo.states/passphrase
[ -e "$repo/metadata/timestamp.json" ] || "$publish" init "$repo" >&2
for label in "${releases[@]}"; do
    [ -e "$repo.states/$label" ] || "$publish" release "$repo" --label "$label" "$corpus/$label" >&2
    [ -e "$repo.states/$label" ] || cp "$repo/metadata/timestamp.json" "$repo.states/$label"
done

# The served copy is what was served at one of the releases; its files are links.
mkdir "$work/served"
cp -rl "$repo"/{metadata,catalogs,components,payloads} "$work/served/"
serve_up_to() {
    rm -f "$work/served/metadata/timestamp.json"
    cp "$repo.states/$1" "$work/served/metadata/timestamp.json"
}

serve_https "$work/served"
cat >"$work/conf" <<CONF
root = $work/device
repository = https://127.0.0.1:$port
trusted_root = $repo/metadata/1.root.json
certificate_authorities = $authority
memory_budget = 8M
CONF
device() { "$updater" --config "$work/conf" "$@"; }

# row FROM TO [LIMIT]: one update of everything, with LIMIT KiB of data.
row() {
    local result plan full download
    rm -rf "$work/device"
    serve_up_to "${releases[$1]}"
    device --quiet install "${regions[@]}"
    serve_up_to "${releases[$2]}"
    plan=$(device --json plan | tail -n 2 | head -n 1)
    result=$(ulimit -d "${3:-unlimited}"; device --json apply | tail -n 1)
    device --quiet verify
    full=$(field newSize <<<"$plan") download=$(field downloaded <<<"$result")
    printf '| %s to %s | %s | %s | %s | %s %% | %s | %s | %s |\n' "${releases[$1]}" "${releases[$2]}" "${3:-none}" \
        "$full" "$download" "$(awk -v a="$download" -v b="$full" 'BEGIN { printf "%.2f", 100 * a / b }')" \
        "$(field peakDisk <<<"$plan")" "$(field peakResident <<<"$result")" "$(field milliseconds <<<"$result")"
}

serve_up_to "${releases[0]}"
mapfile -t regions < <(find "$corpus/${releases[0]}" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
last=$((${#releases[@]} - 1))
echo '| update | ulimit -d, KiB | new bytes | downloaded | share | peak disk, bytes | peak RSS, bytes | ms |'
echo '| --- | --: | --: | --: | --: | --: | --: | --: |'
row $((last - 1)) "$last"
row $((last - 1)) "$last" 8192
[ "$last" -lt 2 ] || row $((last - 2)) "$last"
[ "$last" -lt 3 ] || row $((last - 3)) "$last"
