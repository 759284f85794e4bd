#!/bin/bash
# Measures `tinyupdater check` over https: requests, bytes, time, peak memory, and the least memory that it runs in.
# usage: bench/check.sh [CORPUS]      (the corpus is not used: what is checked is signed metadata)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
# shellcheck source=bench/lib/https.bash
. "$root/bench/lib/https.bash"
work=$(mktemp -d)
trap 'kill "$(cat "$work/nginx.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT

"$root/scripts/sample-maps" "$work/input" 500
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase

mkdir "$work/served"
serve_https "$work/served"

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# row TITLE: one check; what nginx sent for it, heads included.
row() {
    local result before after peak
    : >"$work/access"
    before=$(milliseconds)
    result=$("$updater" --config "$work/conf" --json check) || [ $? -eq 10 ]
    after=$(milliseconds)
    peak=$(field peakResident <<<"$result")
    sleep 0.2 # nginx writes its log after the answer
    printf '| %s | %s | %s | %s | %s |\n' "$1" "$(wc -l <"$work/access")" \
        "$(awk '{ sum += $2 } END { print sum }' "$work/access")" "$peak" $((after - before))
}

# measure KIND: a repository whose keys are of that kind.
measure() {
    local kind=$1
    rm -rf "$work/repo" "$work/repo.keys" "$work/device" "$work/served"
    "$publish" init "$work/repo" --key-type "$kind" >/dev/null
    "$publish" release "$work/repo" "$work/input/2024Q1" --label 2024Q1 --quiet
    ln -s "$work/repo" "$work/served"
    printf '%s\n' "root = $work/device" "repository = https://127.0.0.1:$port" "certificate_authorities = $authority" \
        "trusted_root = $work/repo/metadata/1.root.json" >"$work/conf"
    "$updater" --config "$work/conf" --quiet install sample
    row "$kind, nothing new"
    "$publish" release "$work/repo" "$work/input/2024Q2" --label 2024Q2 --quiet
    row "$kind, a new release"
    for role in timestamp snapshot targets root; do "$publish" key rotate "$work/repo" "$role" >/dev/null; done
    row "$kind, four new roots"
}

echo '| check over https | requests | bytes sent | peak RSS, bytes | ms |'
echo '| --- | --: | --: | --: | --: |'
for kind in ed25519 ecdsa rsa; do measure "$kind"; done
"$updater" --config "$work/conf" --quiet apply
limit=4096
while [ "$limit" -gt 1024 ] && (ulimit -d "$limit"; exec "$updater" --config "$work/conf" --quiet check) 2>"$work/error"; do
    limit=$((limit - 128))
done
echo
echo "A check with nothing new passes with \`ulimit -d $((limit + 128))\` (KiB); with 128 less: $(tail -n 1 "$work/error")"
