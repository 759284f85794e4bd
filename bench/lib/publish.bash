# shellcheck shell=bash
# Sourced by measurements of devices, which set publish: the program.

# publish_releases REPO MAPS RELEASE…: makes the repository, with what its timestamp was at each release in REPO.states;
# releases that are there already stay.
publish_releases() {
    local repo=$1 maps=$2 label
    mkdir -p "$repo.states"
    (umask 077 && echo 'a passphrase' >"$repo.states/passphrase")
    export TINYPUBLISH_PASSPHRASE_FILE=$repo.states/passphrase
    [ -e "$repo/metadata/timestamp.json" ] || "$publish" init "$repo" >&2
    for label in "${@:3}"; do
        [ ! -e "$repo.states/$label" ] || continue
        "$publish" release "$repo" --label "$label" --patch-from 1 "$maps/$label" >&2
        cp "$repo/metadata/timestamp.json" "$repo.states/$label"
    done
}
