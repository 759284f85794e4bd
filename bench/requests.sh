#!/bin/bash
# Measures what one device requests: for a check and for an update to the newest release, by nginx's log.
# usage: bench/requests.sh CORPUS [ID…]      (DIR/RELEASE/…, as for `make demo MAPS=DIR`; the last two releases are used)
#        REPO=DIR keeps the published repository in DIR, and takes it from there when it is complete
# The figures at the front of bench/fleet come from here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
corpus=${1:?usage: bench/requests.sh CORPUS [ID…]}
# shellcheck source=bench/lib/programs.bash
. "$root/bench/lib/programs.bash"
# shellcheck source=bench/lib/publish.bash
. "$root/bench/lib/publish.bash"
# shellcheck source=bench/lib/https.bash
. "$root/bench/lib/https.bash"
trap 'kill "$(cat "$work/nginx.pid" 2>/dev/null)" 2>/dev/null || true; rm -rf "$work"' EXIT

mapfile -t labels < <(cd "$corpus" && printf '%s\n' */ | LC_ALL=C sort | tr -d / | tail -n 2)
[ ${#labels[@]} -eq 2 ] || { echo "$corpus has fewer than two releases" >&2; exit 64; }
repo=${REPO:-$work/repo}
publish_releases "$repo" "$corpus" "${labels[@]}"
ids=("${@:2}")
[ ${#ids[@]} -gt 0 ] || mapfile -t ids < <(cd "$corpus/${labels[0]}" && printf '%s\n' */ | tr -d /)

# The served copy is what was served at one of the releases.
mkdir "$work/served"
cp -r "$repo"/{metadata,catalogs,components,payloads} "$work/served/"
serve_up_to() { cp "$repo.states/$1" "$work/served/metadata/timestamp.json"; }
serve_https "$work/served"
printf '%s\n' "root = $work/device" "repository = https://127.0.0.1:$port" "certificate_authorities = $authority" \
    "trusted_root = $repo/metadata/1.root.json" >"$work/conf"

# rows TITLE COMMAND…: what the command requested, by the kind of file.
rows() {
    : >"$work/access"
    "$updater" --config "$work/conf" --quiet "${@:2}"
    sleep 0.3 # nginx writes its log after the answer
    sed -E 's,/[0-9a-f]{64}[^ ]*,/…,; s,/[0-9]+\.([a-z]+\.json),/N.\1,' "$work/access" | awk -v title="$1" '
        { requests[$1]++; bytes[$1] += $2; count++; sum += $2 }
        END {
            for (file in requests) printf "| %s | `%s` | %d | %d |\n", title, substr(file, 2), requests[file], bytes[file] | "sort"
            close("sort")
            printf "| %s | all | %d | %d |\n", title, count, sum
        }'
}

printf '| command | file | requests | bytes sent |\n| --- | --- | --: | --: |\n'
serve_up_to "${labels[0]}"
rows "first installation" install "${ids[@]}"
rows "nothing new" apply
serve_up_to "${labels[1]}"
rows "new release" apply
