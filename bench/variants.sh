#!/bin/bash
# Makes variants of real map files with the tools of map compilers: pairs that nobody tuned for, a directory for each kind.
# usage: bench/variants.sh CORPUS OUT     (CORPUS/RELEASE/REGION…/FILE; pairs are OUT/1/KIND/REGION…/FILE and OUT/2/KIND/REGION…/FILE)
#        RELEASE=NAME       the release that is varied (the last one); kinds `next-…` go from the release before it to it
#        LARGEST=BYTES      larger files are left out (8 MiB)
#        KINDS='start pbf'  only kinds whose names begin with one of these words
#        ONLY='*estonia*'   only files whose path, REGION…/FILE, matches
# Measure them: DISTANCES=1 FILES=TABLE bench/patch-size.sh OUT && python3 bench/lib/patch-tables.py --kinds TABLE
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
usage='usage: bench/variants.sh CORPUS OUT'
corpus=${1:?$usage} out=${2:?$usage}
export TZ=UTC LC_ALL=C

mapfile -t releases < <(find "$corpus" -mindepth 1 -maxdepth 1 -type d ! -name '.*' -printf '%f\n' | sort)
release=${RELEASE:-${releases[-1]:?$corpus has no releases}} before=
for name in "${releases[@]}"; do
    [ "$name" != "$release" ] || break
    before=$name
done
[ -d "$corpus/$release" ] || { echo "variants: $corpus has no release $release" >&2; exit 66; }

mkdir -p "$out"
out=$(cd "$out" && pwd)
# Beside OUT, so that pairs are hard links: many kinds share an old file.
work=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0
say() { printf 'variants: %s\n' "$*" >&2; }

# attempt COMMAND…: reports a failure, which counts at the end, and continues without the pair. Within it, `set -e` is off.
attempt() {
    if ! "$@" >"$work/said" 2>&1; then
        say "failed: $*"
        tail -n 3 "$work/said" >&2
        failures=$((failures + 1))
        return 1
    fi
}

# asks_for KIND: whether KINDS does.
asks_for() {
    local word
    [ -n "${KINDS:-}" ] || return 0
    for word in $KINDS; do
        [[ $1 != "$word"* ]] || return 0
    done
    return 1
}

# wants KINDS: whether KINDS asks for any kind whose name begins so.
wants() {
    local word
    ! asks_for "$1" || return 0
    for word in $KINDS; do
        [[ $word != "$1"* ]] || return 0
    done
    return 1
}

# put KIND NAME OLD NEW: a pair, unless both files are equal or KINDS does not ask for it.
put() {
    asks_for "$1" || return 0
    rm -f "$out/1/$1/$2" "$out/2/$1/$2"
    ! cmp -s "$3" "$4" || return 0
    keep "$3" "$out/1/$1/$2"
    keep "$4" "$out/2/$1/$2"
}

# keep FILE PATH: a link to a file that was made here, a copy of one of the corpus.
keep() {
    mkdir -p "$(dirname "$2")"
    case $1 in
    "$work"/*) ln "$1" "$2" ;;
    *) cp "$1" "$2" ;;
    esac
}

# inputs EXTENSION…: paths below the release of files of these kinds, no larger than LARGEST.
inputs() {
    local extension
    for extension in "$@"; do
        find "$corpus/$release" -type f -name "*.$extension" -size "-$((${LARGEST:-8388608} + 1))c" -printf '%P\n' | sort |
            while read -r file; do
                # shellcheck disable=SC2254 # a pattern
                case $file in ${ONLY:-*}) echo "$file" ;; esac
            done
    done
}

# each EXTENSION… -- FUNCTION: calls it with every input and an empty directory for what it makes.
each() {
    local extensions=() file
    while [ "$1" != -- ]; do
        extensions+=("$1")
        shift
    done
    while read -r file <&3; do
        mkdir "$work/made"
        "$2" "$file" "$work/made"
        rm -rf "$work/made"
    done 3< <(inputs "${extensions[@]}")
    say "$2: done"
}

# shellcheck source=bench/lib/variants.bash
. "$root/bench/lib/variants.bash"
all_variants
for kind in "$out"/1/*; do
    [ ! -d "$kind" ] || say "$(basename "$kind"): $(find "$kind" -type f | wc -l)"
done
[ "$failures" -eq 0 ] || { say "$failures failed"; exit 1; }
