#!/bin/bash
# Measures a package of many small files: what a device downloads, writes and needs, beside one archive of all of them.
# usage: [FILES=10000] bench/many-files.sh [CORPUS]      (the corpus is not used)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
files=${FILES:-10000}
(umask 077 && echo 'a passphrase' >"$work/passphrase")
export TINYPUBLISH_PASSPHRASE_FILE=$work/passphrase
"$publish" init "$work/repo" >/dev/null
for release in 1 2; do
    python3 "$root/bench/lib/made-up-tiles.py" "$files" $release "$work/$release"
    tar --sort=name --mtime=@0 --exclude=map.xml -cf "$work/$release.tar" -C "$work/$release" tiles
    "$publish" release "$work/repo" "$work/$release" --label "$release" --quiet
    [ $release = 2 ] || cp -r "$work/repo" "$work/first"
done
xz -T0 -6 -k "$work/1.tar"
"$publish" diff "$work/1.tar" "$work/2.tar" -o "$work/patch" --quiet >/dev/null
printf '%s\n' "root = $work/store" "trusted_root = $work/repo/metadata/1.root.json" 'space_reserve = 0' 'base = /nonexistent' >"$work/conf"

# device REPO COMMAND…: runs the device program; prints the member of its last event that $member names.
device() {
    local repo=$1
    shift
    { "$updater" --config "$work/conf" --repository "file://$work/$repo" --json "$@" || [ $? = 10 ]; } | tail -n 1 |
        python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$member"
}
row() { printf '| %s | %s |\n' "$1" "$2"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

member=downloaded
install=$(device first install tiles)
check=$(device repo check)
member=milliseconds
milliseconds=$(device repo apply)
apply=$("$updater" --config "$work/conf" --json history 1 | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["downloaded"])')
peak=$("$updater" --config "$work/conf" --json history 1 | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["peakResident"])')
diff -r -x map.xml "$work/2" "$work/store/current/maps"
archive=$(stat -c %s "$work/1.tar.xz") patch=$(stat -c %s "$work/patch")
printf '%s files of 1 to 50 kB, of which every hundredth changes\n\n| | |\n| --- | --: |\n' "$files"
row 'first install, bytes' "$install"
row 'tar and xz -6, bytes' "$archive"
row 'ratio' "$(ratio "$install" "$archive")"
row 'check and apply, bytes' "$((check + apply))"
row 'patch between two archives, bytes' "$patch"
row 'ratio' "$(ratio $((check + apply)) "$patch")"
row 'apply, ms' "$milliseconds"
row 'apply, peak resident memory, bytes' "$peak"
row 'files written, the others are linked' "$(find "$work/store/current/maps" -type f -links 1 | wc -l)"
