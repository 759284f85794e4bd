# shellcheck shell=bash
# Sourced by bench/patch-size.sh: what other tools make of a pair of files. Needs `root` and `work`, and bench/lib/measure.bash.

# One line for each peer: size of the patch, CPU seconds, peak of memory in KiB. Kept by the digests of old and new file.
peers=${PEERS:-$root/build/peers}
mkdir -p "$peers"

# install_detools: a python3 that has detools, from the cache or PyPI; nothing where neither has it.
install_detools() {
    local requirements=$root/bench/lib/detools-requirements.txt venv
    venv=${TINYUPDATER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tinyupdater}/detools-$(sha256sum "$requirements" | cut -c 1-12)
    if ! "$venv/bin/python" -m detools --version >/dev/null 2>&1; then
        rm -rf "$venv"
        python3 -m venv "$venv" >&2 &&
            "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" >&2 || return 0
    fi
    echo "$venv/bin/python"
}
detools=$(install_detools)

# has_peer NAME: whether its programs are here.
has_peer() {
    case $1 in
    bsdiff-xz) command -v bsdiff python3 >/dev/null ;;
    detools) [ -n "$detools" ] ;;
    hdiff-*) [ -n "${HDIFFZ:-}" ] ;;
    zstd) command -v zstd >/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# A power of two that covers the old file, at least 64 MiB: xdelta3 sees no more of it.
source_window() {
    local window=$((64 << 20))
    while [ "$window" -lt "$(stat -c %s "$1")" ]; do window=$((window * 2)); done
    echo "$window"
}

# run_peer NAME OLD NEW: writes $work/peer; sets cpu and rss.
run_peer() {
    rm -f "$work/peer"
    case $1 in
    bsdiff) measure bsdiff "$2" "$3" "$work/peer" ;;
    xdelta3) measure xdelta3 -e -f -9 -S lzma -B "$(source_window "$2")" -s "$2" "$3" "$work/peer" ;;
    zstd) measure zstd -q -f -19 --long=30 --patch-from="$2" "$3" -o "$work/peer" ;;
    detools) measure "$detools" -m detools create_patch -c lzma "$2" "$3" "$work/peer" ;;
    hdiff-1m) measure "$HDIFFZ" -f -m-1 -block-0 -SD-64k -c-lzma2-9-1m "$2" "$3" "$work/peer" ;;
    hdiff-best) measure "$HDIFFZ" -f -m-4 -block-0 -SD -c-lzma2-9-64m "$2" "$3" "$work/peer" ;;
    xz) measure bash -c 'xz -9e -k -c "$1" >"$2"' - "$3" "$work/peer" ;;
    esac
}

# peer NAME OLD NEW: prints size, CPU seconds and KiB, three words.
peer() {
    local kept cpu rss size
    kept=$peers/$(digest "$3")
    [ "$1" = xz ] || kept=$peers/$(digest "$2")-$(digest "$3")
    if [ ! -s "$kept.$1" ]; then
        if [ "$1" = bsdiff-xz ]; then
            # It needs bsdiff's patch, which is not kept: both are made.
            run_peer bsdiff "$2" "$3"
            size=$(stat -c %s "$work/peer")
            echo "$size $cpu $rss" >"$kept.bsdiff"
            mv "$work/peer" "$work/repack"
            size=$(python3 "$root/bench/lib/bsdiff-xz.py" "$work/repack")
        else
            run_peer "$1" "$2" "$3"
            size=$(stat -c %s "$work/peer")
        fi
        echo "$size $cpu $rss" >"$kept.$1.new"
        mv "$kept.$1.new" "$kept.$1"
    fi
    cat "$kept.$1"
}

# digest FILE: the first 64 bits of its SHA-256 as sixteen letters.
digest() {
    sha256sum "$1" | cut -c 1-16
}
