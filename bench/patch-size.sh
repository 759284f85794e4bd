#!/bin/bash
# Measures patches between map releases, each to the two releases after it, with the real programs, beside other tools.
# usage: bench/patch-size.sh CORPUS      (CORPUS/RELEASE/REGION…/FILE, as for `make demo MAPS=DIR`)
#        DISTANCES='1 2'     how many releases back
#        FILES=FILE          keeps the table with a line for each pair of files, tab-separated
#        PEERS=DIR           where the figures of other tools are kept from run to run (build/peers)
#        WITHOUT='xz zstd'   leaves out peers, as some are slow: bsdiff bsdiff-xz xdelta3 zstd detools xz hdiff-1m hdiff-best
#        HDIFF_TSV=FILE      HDiffPatch's sizes: file, old, new, …, hdiff_1m, hdiff_best by the names in the first line
#        HDIFFZ=, HPATCHZ=   HDiffPatch's programs: its sizes and times are measured
#        DIFF=OPTIONS        for `tinypublish diff`, such as '--dictionary 8M'
#        RUNS=N              applying is measured N times (3), and the least is taken
#        TMPDIR=DIR          where files are written: in memory, times do not depend on a disk
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/patch-size.sh CORPUS}
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
type -P time >/dev/null || { echo 'time(1) is missing: scripts/setup bench' >&2; exit 69; }
# shellcheck source=bench/lib/measure.bash
. "$root/bench/lib/measure.bash"
# shellcheck source=bench/lib/peers.bash
. "$root/bench/lib/peers.bash"

read -ra options <<<"${DIFF:-}"
present=()
for name in bsdiff bsdiff-xz xdelta3 zstd detools xz hdiff-1m hdiff-best; do
    if [[ " ${WITHOUT:-} " == *" $name "* ]]; then
        continue
    elif has_peer "$name"; then
        present+=("$name")
    elif [ -z "${HDIFF_TSV:-}" ] || [[ $name != hdiff-* ]]; then
        echo "patch-size: $name is left out: it is not here" >&2
    fi
done

# peer_or_blank NAME OLD NEW: size, CPU seconds and KiB; three `-` for what is not measured.
peer_or_blank() {
    if [[ " ${present[*]} " == *" $1 "* ]]; then peer "$@"; else echo '- - -'; fi
}

# row FROM TO FILE DISTANCE: the line of one pair.
row() {
    local old=$corpus/$1/$3 new=$corpus/$2/$3 name
    local -a columns=("$1" "$2" "$3" "$4" "$(stat -c %s "$old")" "$(stat -c %s "$new")")
    measure "$publish" diff "${options[@]}" "$old" "$new" -o "$work/patch" --quiet
    columns+=("$(stat -c %s "$work/patch")" "$cpu" "$rss")
    least "$updater" patch "$old" "$work/patch" "$work/new"
    cmp "$new" "$work/new"
    columns+=("$cpu" "$rss")
    least sha256sum "$old" "$new"
    columns+=("$cpu")
    if [ -n "${HDIFFZ:-}" ] && [ -n "${HPATCHZ:-}" ]; then
        run_peer hdiff-1m "$old" "$new"
        least "$HPATCHZ" -f -s-64k "$old" "$work/peer" "$work/new"
        columns+=("$cpu" "$rss")
    else
        columns+=(- -)
    fi
    rm -f "$work/patch" "$work/new"
    local -a figures
    for name in bsdiff-xz bsdiff xdelta3 zstd detools xz; do
        read -ra figures < <(peer_or_blank "$name" "$old" "$new")
        columns+=("${figures[@]}")
    done
    read -ra figures < <(hdiff "$1" "$2" "$3" | xargs)
    columns+=("${figures[@]}")
    local IFS=$'\t'
    echo "${columns[*]}"
}

# hdiff FROM TO FILE: HDiffPatch's sizes with a dictionary of 1 MiB and at its best, from its programs or the given table.
hdiff() {
    local name
    if [ -n "${HDIFFZ:-}" ]; then
        for name in hdiff-1m hdiff-best; do peer_or_blank "$name" "$corpus/$1/$3" "$corpus/$2/$3" | cut -d ' ' -f 1; done
    elif [ -n "${HDIFF_TSV:-}" ]; then
        awk -F '\t' -v from="$1" -v to="$2" -v file="$3" '
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            $column["file"] == file && $column["old"] == from && $column["new"] == to {
                print $column["hdiff_1m"], $column["hdiff_best"]; found = 1
            }
            END { if (!found) print "- -" }' "$HDIFF_TSV"
    else
        echo '- -'
    fi
}

mapfile -t releases < <(find "$corpus" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
files=$work/files
{
    printf 'from\tto\tfile\tdistance\told_bytes\tnew_bytes\tours\tours_cpu\tours_rss\tapply_cpu\tapply_rss\tsha256sum_cpu'
    printf '\thpatchz_cpu\thpatchz_rss'
    for name in bsdiff-xz bsdiff xdelta3 zstd detools xz; do printf '\t%s\t%s_cpu\t%s_rss' "$name" "$name" "$name"; done
    printf '\thdiff-1m\thdiff-best\n'
} >"$files"
for distance in ${DISTANCES:-1 2}; do
    for ((new = distance; new < ${#releases[@]}; new++)); do
        from=${releases[new - distance]} to=${releases[new]}
        while read -r file; do
            [ ! -e "$corpus/$from/$file" ] || row "$from" "$to" "$file" "$distance" >>"$files"
        done < <(find "$corpus/$to" -type f ! -name map.xml -printf '%P\n' | sort)
        echo "patch-size: $from to $to is measured" >&2
    done
done
[ -z "${FILES:-}" ] || cp "$files" "$FILES"
python3 "$root/bench/lib/patch-tables.py" "$files"
