#!/bin/bash
# Measures patches between files that are extreme for a search of matches, made for it, with the real programs.
# usage: bench/extremes.sh [CORPUS]      (the corpus is not used)
#        KINDS='zeros random'   only these kinds (bench/lib/extreme-pair.py)
#        SIZE=MEGABYTES         of each file (200); `random` takes a quarter
#        LIMIT=SECONDS          of CPU time for each command (600): what takes longer is ended, and the table says so
#        DIFF=OPTIONS           for `tinypublish diff`, such as '--memory 1G'
#        TMPDIR=DIR             where files are written, three times SIZE
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
typed=$(echo {doubles,floats,integers,strings}-{repeated,alternating,rising})
kinds=${KINDS:-random identical reversed shuffled zeros periodic repeated fibonacci $typed}
limit=${LIMIT:-600}
read -ra options <<<"${DIFF:-}"
failures=0

# limited COMMAND…: as `measure`; sets cpu to `> LIMIT` where it was ended for that, and to its status where it failed.
limited() {
    local status
    # shellcheck disable=SC2016 # the inner shell's
    measure bash -c 'limit=$1 status=$2; shift 2; (ulimit -c 0; ulimit -S -t "$limit"; exec "$@"); echo $? >"$status"' \
        - "$limit" "$work/status" "$@"
    status=$(<"$work/status")
    case $status in
    0) return 0 ;;
    152) cpu="> $limit" ;; # 128 and SIGXCPU
    *) cpu="failed ($status)" failures=$((failures + 1)) ;;
    esac
    return 1
}

mebibytes() { awk -v kib="$1" 'BEGIN { printf "%.1f", kib / 1024 }'; }

# row KIND
row() {
    local size=$((${SIZE:-200} * 1000 * 1000)) making patch applying=- applying_rss=-
    [ "$1" != random ] || size=$((size / 4))
    python3 "$root/bench/lib/extreme-pair.py" "$1" "$size" "$work/old" "$work/new"
    if limited "$publish" diff "${options[@]}" "$work/old" "$work/new" -o "$work/patch" --quiet; then
        making="$cpu | $(mebibytes "$rss")" patch=$(stat -c %s "$work/patch")
        if limited "$updater" patch "$work/old" "$work/patch" "$work/made"; then
            cmp "$work/new" "$work/made"
            applying_rss=$(mebibytes "$rss")
        fi
        applying=$cpu
    else
        making="$cpu | $(mebibytes "$rss")" patch=-
    fi
    echo "| $1 | $size | $patch | $making | $applying | $applying_rss |"
    rm -f "$work"/{old,new,patch,made}
}

echo '| pair | bytes of each | patch | making, CPU s | peak, MiB | applying, CPU s | peak, MiB |'
echo '| --- | --: | --: | --: | --: | --: | --: |'
for kind in $kinds; do row "$kind"; done
[ "$failures" -eq 0 ] || { echo "extremes: $failures commands failed" >&2; exit 1; }
