# shellcheck shell=bash disable=SC2154
# Debian source packages at pinned versions, through an apt configuration of our own: no root, no change to the system's.

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

download() {
    local name=$1 version=$2 directory=$3 served
    rm -rf "$directory.new"
    mkdir -p "$directory.new"
    use_private_apt
    logged apt apt-get update
    served=$(apt-cache showsrc --only-source "$name" | sed -n 's/^Version: //p' | xargs)
    case " $served " in
    *" $version "*) ;;
    *) fail "cross/pins asks for $name $version, which Debian no longer serves; raise it to one of: $served" ;;
    esac
    if ! (cd "$directory.new" && logged apt apt-get source --download-only --only-source "$name=$version"); then
        fail "the mirror lists $name $version but did not deliver it; try later, or set the pin to another of: $served"
    fi
    mv "$directory.new" "$directory"
}

# unpack NAME DIRECTORY: a fresh source tree with Debian's patches applied. Downloads are kept for the next target.
unpack() {
    local name=$1 version directory
    version=$(pinned_version "$name")
    directory=$cache/sources/${name}_$version
    (hold sources && { [ -d "$directory" ] || download "$name" "$version" "$directory"; }) &&
        dpkg-source --extract "$directory"/*.dsc "$2"
}
