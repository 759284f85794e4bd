#!/bin/bash
# Measures what further processors save for the largest files of map releases, beside bsdiff, and whether a limit of memory
# holds; the machine must have nothing else to do.
# usage: [FILES=3] [MEMORY=256] bench/processors.sh CORPUS      (CORPUS/RELEASE/REGION…/FILE; MEMORY in MiB)
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/processors.sh CORPUS}
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
mapfile -t releases < <(cd "$corpus" && find . -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
old=${releases[-3]} new=${releases[-2]}

# timed COMMAND…: sets `cpu` and `wall`, the least of three runs.
timed() {
    local _ user system real TIMEFORMAT='%3U %3S %3R'
    cpu='' wall=''
    for _ in 1 2 3; do
        read -r user system real < <({ time "$@" >/dev/null 2>&1; } 2>&1)
        cpu=$(awk -v a="$user" -v b="$system" -v c="${cpu:-1e9}" 'BEGIN { a += b; print a < c ? a : c }')
        wall=$(awk -v a="$real" -v b="${wall:-1e9}" 'BEGIN { print a < b ? a : b }')
    done
}

# grouped COMMAND…: sets `peak`, the MiB that the program's group had at most, with pages of files, or `-` without groups.
grouped() {
    local group=/sys/fs/cgroup/memory/tinyupdater-bench
    peak=-
    [ -w /sys/fs/cgroup/memory ] && mkdir -p "$group" || return 0
    echo "${MEMORY:-256}M" >"$group/memory.limit_in_bytes"
    echo 0 >"$group/memory.max_usage_in_bytes"
    sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$@" >/dev/null
    peak=$(($(cat "$group/memory.max_usage_in_bytes") >> 20))
    rmdir "$group" 2>/dev/null || true
}

printf '%s to %s, %s processors\n\n' "$old" "$new" "$(nproc)"
printf '| file | new bytes | patch | one processor: CPU s | all: CPU s | wall s | wall to CPU | bsdiff, CPU s | ours to it | group of %s MiB: peak |\n' "${MEMORY:-256}"
printf '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n'
(cd "$corpus/$new" && find . -type f ! -name map.xml -printf '%s %P\n') | sort -rn | head -n "${FILES:-3}" |
    while read -r size file; do
        pair=("$corpus/$old/$file" "$corpus/$new/$file")
        timed "$publish" diff "${pair[@]}" -o "$work/one" --jobs 1 --quiet
        one=$cpu
        timed "$publish" diff "${pair[@]}" -o "$work/all" --quiet
        cmp "$work/one" "$work/all"
        all=$cpu took=$wall
        timed bsdiff "${pair[@]}" "$work/peer"
        grouped "$publish" diff "${pair[@]}" -o "$work/limited" --memory "${MEMORY:-256}M" --quiet
        printf '| %s | %s | %s | %s | %s | %s | %.2f | %s | %.2f | %s |\n' "$file" "$size" "$(stat -c %s "$work/all")" \
            "$one" "$all" "$took" "$(awk -v a="$took" -v b="$all" 'BEGIN { print a / b }')" "$cpu" \
            "$(awk -v a="$one" -v b="$cpu" 'BEGIN { print a / b }')" "$peak"
    done
