# shellcheck shell=bash disable=SC2154
# File systems of a given size, for the measurements of free space. The caller has set `work` and traps leave_volume.

volume=$work/volume
image=$work/image

# kind_of_volume: sets `kind` to ext4 where a loop device can be mounted, or else to tmpfs.
kind_of_volume() {
    kind=ext4
    truncate -s 8M "$image"
    mkdir -p "$volume"
    if mkfs.ext4 -q "$image" && mount -o loop "$image" "$volume" 2>/dev/null; then umount "$volume"; else kind=tmpfs; fi
    rm -f "$image"
}

# make_volume BYTES: mounts an empty file system; sets `disk` to the loop device's name.
make_volume() {
    disk=
    if [ "$kind" = ext4 ]; then
        truncate -s "$1" "$image"
        # Small file systems would have smaller blocks, and other sums.
        mkfs.ext4 -q -b 4096 -m 0 -E lazy_itable_init=0,lazy_journal_init=0,nodiscard "$image"
        mount -o loop "$image" "$volume"
        disk=$(basename "$(findmnt -no SOURCE "$volume")")
    else
        mount -t tmpfs -o "size=$1" none "$volume"
    fi
}

# leave_volume: unmounts it, if there is one; the loop device goes with it.
leave_volume() {
    if mountpoint -q "$volume"; then umount "$volume" 2>/dev/null || umount --lazy "$volume"; fi
    rm -f "$image"
}

free_space() { df -B1 --output=avail "$volume" | tail -n 1 | tr -d ' '; }

# fill_leaving BYTES: writes a file that leaves that much, and at most a few blocks less.
fill_leaving() {
    local available
    sync -f "$volume"
    available=$(free_space)
    if [ "$available" -lt "$1" ]; then echo "the volume has $available bytes, less than $1" >&2; return 1; fi
    fallocate -l $((available - $1)) "$volume/filler"
    sync -f "$volume"
}

# written: bytes that were written to the loop device so far; 0 for tmpfs.
written() {
    sync -f "$volume"
    if [ -n "$disk" ]; then awk '{ printf "%.0f\n", 512 * $7 }' "/sys/block/$disk/stat"; else echo 0; fi
}
