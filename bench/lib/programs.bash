# shellcheck shell=bash
# Sourced by the measurements of patches, which set root: the programs that are measured, and an empty directory.

updater=${TINYUPDATER:-$root/build/tinyupdater}
publish=${TINYPUBLISH:-$root/.build/release/tinypublish}
for program in "$updater" "$publish"; do
    [ -x "$program" ] || { echo "$program is missing: make static publisher" >&2; exit 69; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
