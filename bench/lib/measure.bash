# shellcheck shell=bash
# Sourced by the measurements: what a command costs. CPU seconds, as wall time says nothing on a busy machine.

# measure COMMAND…: runs it without output; sets `cpu` (user and system seconds, to the millisecond) and `rss` (peak, KiB).
# Memory is read by time(1), whose own is 1 MiB at most; what the command says goes to the terminal only where it fails.
measure() {
    local user system TIMEFORMAT='%3U %3S' said
    said=$(mktemp)
    # shellcheck disable=SC2034 # both are for the caller
    if ! read -r user system < <({ time command time -o "$said.rss" -f %M "$@" >"$said" 2>&1 || echo failed >"$said.failed"; } 2>&1) ||
        [ -e "$said.failed" ]; then
        cat "$said" >&2
        rm -f "$said" "$said".*
        return 1
    fi
    cpu=$(awk -v a="$user" -v b="$system" 'BEGIN { print a + b }')
    rss=$(tail -n 1 "$said.rss")
    rm -f "$said" "$said".*
}

# least COMMAND…: sets cpu to the least of RUNS runs, and rss to the most.
least() {
    local run least most
    measure "$@"
    least=$cpu most=$rss
    for ((run = 1; run < ${RUNS:-3}; run++)); do
        measure "$@"
        least=$(printf '%s\n' "$cpu" "$least" | sort -g | head -n 1)
        [ "$rss" -le "$most" ] || most=$rss
    done
    cpu=$least rss=$most
}
