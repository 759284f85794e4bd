# shellcheck shell=bash disable=SC2154
# Another system in a directory, for scripts that try something in it as root. Uses `work`, a temporary directory.

system_cache=${TINYUPDATER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tinyupdater}

# clean_system SUITE PACKAGES [LINE-FOR-APT…]: unpacks a new one into $work/root. What was downloaded is kept in the
# cache as an archive; delete that for newer packages.
clean_system() {
    local suite=$1 packages=$2 archive
    archive=$system_cache/system-$suite-$(printf '%s' "$packages" | sha256sum | cut -c 1-12).tar
    if [ ! -e "$archive" ]; then
        mkdir -p "$system_cache"
        mmdebstrap --quiet --variant=minbase --include="apt,$packages" "$suite" "$archive.new.tar" "${@:3}"
        mv "$archive.new.tar" "$archive"
    fi
    mkdir "$work/root"
    tar -x -C "$work/root" -f "$archive" --exclude='./dev/*'
}

# inside COMMAND…: in there, with /proc and the usual devices; everything that is mounted or started ends with the command.
# READABLE='PATH …' is mounted read-only at the same place.
inside() {
    # shellcheck disable=SC2016  # for the inner shell
    unshare --mount --pid --fork --kill-child --propagation private sh -euc '
        root=$1
        shift
        # A mount of its own, so that what runs in there can have mounts of its own as well.
        mount --bind "$root" "$root"
        for path in ${READABLE:-}; do
            if [ -d "$path" ]; then mkdir -p "$root$path"; else mkdir -p "$root${path%/*}" && : >>"$root$path"; fi
            mount --bind "$path" "$root$path"
            mount -o remount,bind,ro "$root$path"
        done
        cd "$root"
        mount -t proc proc proc
        mount -t tmpfs tmpfs tmp
        mount -t tmpfs tmpfs dev
        for node in null zero full random urandom tty; do : >dev/$node && mount --bind /dev/$node dev/$node; done
        ln -s /proc/self/fd dev/fd
        ln -s /proc/self/fd/0 dev/stdin && ln -s /proc/self/fd/1 dev/stdout && ln -s /proc/self/fd/2 dev/stderr
        mkdir dev/shm dev/pts && chmod 1777 dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
        ln -s pts/ptmx dev/ptmx
        exec chroot . "$@"
    ' sh "$work/root" "$@"
}
