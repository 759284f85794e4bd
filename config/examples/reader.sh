#!/bin/sh
# How a script reads maps that tinyupdater may replace at any moment: docs/readers.md. Needs flock of util-linux or busybox.
#
# usage: reader.sh [--check] [ROOT]
#   Prints the release and every map, and exits with 1 if a map differs from the manifest.
#   --check  checks all maps of one generation, then of the one that is current then, and so on, until SIGTERM
#            or SIGINT; prints each change of the release, each failure, and the counts
set -u

mode=once
if [ "${1:-}" = --check ]; then mode=check && shift; fi
root=${1:-/var/lib/tinyupdater}
views=0 failures=0 last=''

# What is wrong with a map; nothing if it is correct. The data of a .dat file begins after its description.
look() { # FILE SIZE [RELEASE]
    # Many small files have one line, whose path is their directory.
    if [ "${1%/}" != "$1" ]; then
        [ -d "$1" ] || echo 'is missing'
    elif [ ! -f "$1" ]; then
        echo 'is missing'
    elif [ "$(wc -c <"$1")" -ne "$2" ]; then
        echo 'has another size'
    elif [ $# -gt 2 ] && ! head -c 65536 "$1" | grep -aqF " release=\"$3\""; then
        echo 'is of another release'
    fi
}

# Reads the manifest (docs/format/store.md) and all maps that it lists; fails if one differs.
view() { # GENERATION
    generation=$root/$1 bad=0 is_known=false is_whole=false
    # The path of a file is the rest of its line, and may have spaces.
    while read -r kind first second third size _ _ path; do
        case $kind in
        tinyupdater-manifest) [ "$first" = 1 ] && is_known=true ;;
        end) is_whole=$is_known ;;
        release)
            [ $mode = check ] && [ "$first" = "$last" ] || echo "$1 release $first $second"
            last=$first
            ;;
        component)
            wrong=$(look "$generation/maps/$first/$second.dat" "$size" "$third")
            [ -z "$wrong" ] || bad=1
            [ $mode = check ] && [ -z "$wrong" ] || echo "maps/$first/$second.dat ${wrong:-ok}"
            ;;
        file)
            wrong=$(look "$generation/maps/$path" "$size")
            [ -z "$wrong" ] || bad=1
            [ $mode = check ] && [ -z "$wrong" ] || echo "maps/$path ${wrong:-ok}"
            ;;
        esac
    done <"$generation/manifest"
    $is_whole || { echo "$1 has no manifest of the known format, or not all of it" && bad=1; }
    return $bad
}

# Calls view with the current generation, which cannot be removed meanwhile.
view_current() {
    while name=$(readlink "$root/current"); do
        {
            # It may have been replaced and removed before it was locked: only now is it certain.
            if flock -s 9 && [ "$(readlink "$root/current")" = "$name" ]; then
                view "$name"
                return
            fi
        } 9<"$root/$name"
        [ -d "$root/$name" ] || [ "$(readlink "$root/current")" != "$name" ] || break
    done
    echo "$root: nothing is installed" >&2
    exit 2
}

is_stopped=false
trap 'is_stopped=true' TERM INT
while :; do
    view_current || failures=$((failures + 1))
    views=$((views + 1))
    if [ $mode = once ] || $is_stopped; then break; fi
done
[ $mode = once ] || echo "$views views, $failures failures"
[ "$failures" -eq 0 ]
