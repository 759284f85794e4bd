#!/bin/bash
# The table of the static programs that are built: size, and the peak memory of `check` and `apply` over https, with made-up maps.
# usage: bench/targets.sh [CORPUS]      (the corpus is not used)
# x86_64 runs here, and its memory is what the kernel reports. The others run under emulation, and theirs is what
# bench/lib/guest-memory.py sees; medians of three runs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
# shellcheck source=bench/lib/https.bash
. "$root/bench/lib/https.bash"
work=$(mktemp -d)
trap 'kill "$(cat "$work/nginx.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT

declare -A emulators=([aarch64]=qemu-aarch64-static [armv7]=qemu-arm-static [riscv64]=qemu-riscv64-static)

# peak TARGET PROGRAM COMMAND: KiB.
peak() {
    if [ "$1" = x86_64 ]; then
        echo $(($({ "$2" --config "$work/conf" --json "$3" || [ $? -eq 10 ]; } | field peakResident) / 1024))
    else
        python3 "$root/bench/lib/guest-memory.py" "${emulators[$1]}" "$2" --config "$work/conf" --json "$3"
    fi
}

# median TARGET PROGRAM COMMAND: of three runs, each with the device as it was.
median() {
    local _
    for _ in 1 2 3; do
        rm -rf "$work/device"
        cp -a "$work/before" "$work/device"
        peak "$@"
    done | sort -n | sed -n 2p
}

"$root/scripts/sample-maps" "$work/input" 2000
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
serve_https "$work/repo"
"$publish" init "$work/repo" >/dev/null
"$publish" release "$work/repo" "$work/input/2024Q1" --label 2024Q1 --quiet
printf '%s\n' "root = $work/device" "repository = https://127.0.0.1:$port" "certificate_authorities = $authority" \
    "trusted_root = $work/repo/metadata/1.root.json" >"$work/conf"
"$root/build/tinyupdater" --config "$work/conf" --quiet install sample
mv "$work/device" "$work/before"
"$publish" release "$work/repo" "$work/input/2024Q2" --label 2024Q2 --quiet

echo '| target | bytes | peak of check, KiB | peak of apply, KiB |'
echo '| --- | --: | --: | --: |'
for target in x86_64 aarch64 armv7 riscv64; do
    program=$root/build/tinyupdater
    [ "$target" = x86_64 ] || program=$program-$target
    [ -e "$program" ] || continue
    printf '| %s | %s | %s | %s |\n' "$target" "$(stat -c %s "$program")" \
        "$(median "$target" "$program" check)" "$(median "$target" "$program" apply)"
done
