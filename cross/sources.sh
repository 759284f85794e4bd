# shellcheck shell=bash disable=SC2154
# Debian source packages at pinned versions, or those that superseded them, through an apt configuration of our own: no root, no change to the system's.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The machine's own mirrors of Debian 12 and its updates, as deb-src lines.
mirrors() {
    apt-get update --print-uris | sed -nE \
        "s#^'(.*)/dists/(bookworm(-updates|-security)?)/InRelease'.*#deb-src [signed-by=$keyring] \1 \2 main#p"
}

use_private_apt() {
    local state=$cache/apt
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    : >"$state/status"
    mirrors >"$state/sources.list"
    [ -s "$state/sources.list" ] || fail "apt's sources on this machine name no mirror of Debian 12 (bookworm)"
    cat >"$state/apt.conf" <<CONF
Dir::State "$state";
Dir::State::lists "$state/lists";
Dir::State::status "$state/status";
Dir::Cache "$state";
Dir::Etc::sourcelist "$state/sources.list";
Dir::Etc::sourceparts "-";
APT::Sandbox::User "root";
CONF
    export APT_CONFIG=$state/apt.conf
}

pinned_names() { awk '/^[^#]/ { print $1 }' "$cross/pins"; }
pinned_version() { awk -v name="$1" '$1 == name { print $2 }' "$cross/pins"; }

# branch VERSION: what versions of one upstream branch begin with, such as 3.0 of 3.0.20-1~deb12u2.
branch() { [[ $1 =~ ^([0-9]+:)?[0-9]+\.[0-9]+ ]] && printf '%s\n' "${BASH_REMATCH[0]}"; }

# higher_versions VERSION SERVED…: those of the same upstream branch that are higher, the highest first.
higher_versions() {
    local version=$1 served
    shift
    for served; do
        if [ "$(branch "$served")" = "$(branch "$version")" ] && dpkg --compare-versions "$served" gt "$version"; then
            printf '%s\n' "$served"
        fi
    done | sort -urV
}

# verify NAME VERSION DIRECTORY: refuses files of a pinned version that are not those of pins.sha256.
verify() {
    local file digest
    [ "$2" = "$(pinned_version "$1")" ] || return 0
    for file in "$3"/*; do
        digest=$(sha256sum "$file" | cut -d ' ' -f 1)
        grep -qxF "$digest  ${file##*/}" "$cross/pins.sha256" ||
            fail "${file##*/} of $1 $2 has the digest $digest, which cross/pins.sha256 does not name; was it raised with the pin?"
    done
}

# download NAME VERSION: fails if the mirror does not deliver it.
download() {
    local directory=$cache/sources/$1_$2
    rm -rf "$directory.new"
    mkdir -p "$directory.new"
    if (cd "$directory.new" && logged apt apt-get source --download-only --only-source "$1=$2"); then
        verify "$1" "$2" "$directory.new"
        mv "$directory.new" "$directory"
    else
        rm -r "$directory.new"
        return 1
    fi
}

# take NAME PINNED: downloads the pinned version, or the highest one of the same upstream branch if Debian has
# deleted that one, as it does upon each security update. Sets `taken`.
take() {
    local name=$1 pinned=$2 served higher version
    taken=$pinned
    if [ -d "$cache/sources/${name}_$pinned" ]; then return; fi
    use_private_apt
    logged apt apt-get update
    read -r -d '' -a served < <(apt-cache showsrc --only-source "$name" | sed -n 's/^Version: //p') || true
    higher=$(higher_versions "$pinned" "${served[@]}" | xargs)
    case " ${served[*]} " in *" $pinned "*) higher="$pinned $higher" ;; esac
    for version in $higher; do
        taken=$version
        if download "$name" "$version"; then return; fi
        say "the mirror lists $name $version and does not deliver it"
    done
    fail "cross/pins asks for $name $pinned, which Debian no longer serves; raise it to one of: ${served[*]}"
}

# taken_version NAME: the version that this machine builds NAME from, determined once and recorded beside the downloads.
taken_version() {
    local pinned record
    pinned=$(pinned_version "$1")
    record=$cache/sources/$1_$pinned.taken
    mkdir -p "$cache/sources"
    if [ ! -s "$record" ]; then
        (hold sources && take "$1" "$pinned" && printf '%s\n' "$taken" >"$record.new" && mv "$record.new" "$record") ||
            return
    fi
    cat "$record"
}

# Lines of name and version, in build order; says where they are not the pinned ones.
taken_versions() {
    local name version
    for name in $(pinned_names); do
        version=$(taken_version "$name") || return
        [ "$version" = "$(pinned_version "$name")" ] ||
            say "$name $version in place of the pinned $name $(pinned_version "$name"), which Debian has deleted"
        printf '%s %s\n' "$name" "$version"
    done
}

# The files that say how libraries are configured for the target, or for any.
recipe_files() {
    ls libraries/*
    [ "${recipes:-libraries}" = libraries ] || ls "$recipes"/*
}

# recipe VERSIONS: a digest of everything that a sysroot is made of.
recipe() { (cd "$cross" && { printf '%s\n' "$1" && cat requirements.txt sysroot ./common.sh ./sources.sh $(recipe_files); } | sha256sum | cut -c 1-16); }

# unpack NAME DIRECTORY: a fresh source tree with Debian's patches applied. Downloads are kept for the next target.
unpack() {
    local name=$1 version
    version=$(taken_version "$name")
    if [ -d "$cache/sources/${name}_$version" ]; then
        verify "$name" "$version" "$cache/sources/${name}_$version"
    else
        (hold sources && use_private_apt && download "$name" "$version")
    fi
    dpkg-source --extract "$cache/sources/${name}_$version"/*.dsc "$2"
}
