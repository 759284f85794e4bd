#!/bin/bash
# Measures what applying patches costs: CPU time beside hpatchz, digests of both files, and unpacking the whole new file.
# usage: bench/apply.sh CORPUS…      (CORPUS/RELEASE/REGION…/FILE, each patched from the release before)
#        FILTER=GLOB         only the files whose path matches
#        FILES=FILE          keeps the table with a line for each pair of files, tab-separated
#        PATCHES=DIR         where patches and packed files are kept from run to run (build/applied)
#        HDIFFZ=, HPATCHZ=   HDiffPatch's programs
#        RUNS=N              each command runs N times (20), one after the other, and the mean is taken
#        TMPDIR=DIR          where files are written: in memory, times do not depend on a disk
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
: "${1:?usage: bench/apply.sh CORPUS…}"
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
kept=${PATCHES:-$root/build/applied}
runs=${RUNS:-20}
mkdir -p "$kept"

# mean COMMAND…: CPU milliseconds of a run, user and system.
mean() {
    local TIMEFORMAT='%3U %3S' run
    { time for ((run = 0; run < runs; run++)); do "$@" >/dev/null 2>&1; done; } 2>&1 |
        awk -v runs="$runs" '{ printf "%.2f\n", 1000 * ($1 + $2) / runs }'
}

# keep NAME COMMAND…: sets `made` to a file of that name, which the command makes as $work/made unless it is there.
keep() {
    made=$kept/$1
    shift
    [ -s "$made" ] || { "$@" >/dev/null && mv "$work/made" "$made"; }
}

pack() { xz -c --check=none --lzma2=preset=9e,dict=1MiB "$1" >"$work/made"; }

# row CORPUS FROM TO FILE
row() {
    local old=$1/$2/$4 new=$1/$3/$4 name=${4//\//_}-$2-$3 ours unpacking digests peer=- streams=without
    keep "$name.patch" "$publish" diff "$old" "$new" -o "$work/made" --quiet
    "$publish" inspect --contents "$made" | grep -q 'deflate streams' && streams=with
    "$updater" patch "$old" "$made" "$work/new"
    cmp "$new" "$work/new"
    ours=$(mean "$updater" patch "$old" "$made" "$work/new")
    digests=$(mean openssl dgst -sha256 "$old" "$new")
    if [ -n "${HDIFFZ:-}" ] && [ -n "${HPATCHZ:-}" ]; then
        keep "$name.hdiff" "$HDIFFZ" -m-1 -block-0 -SD-64k -c-lzma2-9-1m -f "$old" "$new" "$work/made"
        peer=$(mean "$HPATCHZ" -f "$old" "$made" "$work/new")
    fi
    keep "$name.xz" pack "$new"
    unpacking=$(mean xz -dc "$made")
    printf '%s\t' "$streams" "$4" "$2" "$3" "$(stat -Lc %s "$new")" "$(stat -Lc %s "$kept/$name.patch")" \
        "$ours" "$(awk -v both="$digests" -v none="$start" 'BEGIN { print (both > none ? both - none : 0) }')" "$peer"
    printf '%s\n' "$unpacking"
}

# rows CORPUS
rows() {
    local release file before=
    for release in "$1"/*/; do
        release=$(basename "$release")
        while [ -n "$before" ] && read -r file; do
            # shellcheck disable=SC2053 # FILTER is a pattern
            if ! [[ $file == ${FILTER:-*} && -e $1/$before/$file ]]; then continue; fi
            cmp -s "$1/$before/$file" "$1/$release/$file" || row "$1" "$before" "$release" "$file"
        done < <(cd "$1/$release" && find . -type f ! -name map.xml | sed 's,^\./,,' | sort)
        before=$release
    done
}

# What openssl takes to start, which is not a part of the digests.
start=$(mean openssl dgst -sha256 /dev/null)
for corpus; do rows "$corpus"; done >"$work/rows"
[ -z "${FILES:-}" ] || cp "$work/rows" "$FILES"
awk -F '\t' '
    function worse(ratio, worst) { return ratio > worst ? ratio : worst }
    { kind = $1; pairs[kind]++; size[kind] += $5; patch[kind] += $6; ours[kind] += $7; digests[kind] += $8; peer[kind] += $9
      full[kind] += $10; peers += $9 != "-"
      other = $9 == "-" ? 0 : $7 / ($8 + $9)
      above[kind] += other > 1.05; worst[kind] = worse(other, worst[kind]); unpacked[kind] = worse($7 / $10, unpacked[kind])
      beyond[kind] += $7 > 3 * $10 }
    END {
      print "| streams | pairs | new bytes | patches | applying, CPU ms | hpatchz | digests | ratio to both | worst | above 1.05 | `xz -d` | ratio | worst | above 3 |"
      print "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
      for (kind in pairs)
          printf "| %s | %d | %d | %d | %.0f | %.0f | %.0f | %.2f | %.2f | %d | %.0f | %.2f | %.2f | %d |\n", kind, pairs[kind],
              size[kind], patch[kind], ours[kind], peer[kind], digests[kind], peers ? ours[kind] / (peer[kind] + digests[kind]) : 0,
              worst[kind], above[kind], full[kind], ours[kind] / full[kind], unpacked[kind], beyond[kind]
    }' "$work/rows"
