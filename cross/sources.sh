# shellcheck shell=bash disable=SC2154
# Debian source packages at pinned versions, on any distribution: from a mirror, compared with pins.sha256. Or those that
# superseded them, through apt, with a configuration of our own: no root, no change to the system's.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The release of Debian whose sources are pinned.
suite() { sed -n 's/^# suite: //p' "$cross/pins"; }

# Mirrors of Debian: those in TINYUPDATER_MIRROR, or the ones of this machine's apt, whatever release of Debian it has.
mirrors() {
    if [ -n "${TINYUPDATER_MIRROR:-}" ]; then
        tr -s '[:blank:]' '\n' <<<"$TINYUPDATER_MIRROR" | sed 's#/$##'
    elif command -v apt-get >/dev/null; then
        apt-get update --print-uris | sed -nE "s#^'(.*/debian(-security)?)/dists/.*/InRelease'.*#\\1#p" | sort -u
    fi
}

# The same as deb-src lines.
source_lines() {
    local mirror suite suites
    while read -r mirror; do
        case $mirror in
        *-security) suites=$(suite)-security ;;
        *) suites="$(suite) $(suite)-updates" ;;
        esac
        for suite in $suites; do echo "deb-src [signed-by=$keyring] $mirror $suite main"; done
    done < <(mirrors)
}

use_private_apt() {
    local state=$cache/apt mirrors
    mirrors=$(mirrors)
    [ -n "$mirrors" ] || fail "this machine knows no mirror of Debian; name one in TINYUPDATER_MIRROR (cross/README.md, Sources)"
    command -v apt-get >/dev/null ||
        fail "without apt only the pinned versions can be downloaded, from: $(xargs <<<"$mirrors")"
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    : >"$state/status"
    source_lines >"$state/sources.list"
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

# pinned_files NAME: the files of the pinned version.
pinned_files() { sed -nE "s/^[0-9a-f]{64}  ($1_.*)/\\1/p" "$cross/pins.sha256"; }

# fetch FILE: into the current directory, from the first mirror that delivers it.
fetch() {
    local mirror part name=${1%%_*} initial
    # In the archive, zlib is in z/zlib, and libarchive in liba/libarchive.
    initial=${name:0:1}
    case $name in lib?*) initial=${name:0:4} ;; esac
    while read -r mirror; do
        for part in main updates/main; do
            if curl --fail --silent --show-error --location --retry 2 --connect-timeout 20 \
                --output "$1" "$mirror/pool/$part/$initial/$name/$1"; then return; fi
        done
    done < <(mirrors)
    return 1
}

fetch_all() {
    local file
    for file; do fetch "$file" || return; done
}

# download NAME VERSION COMMAND…: the command puts the files into the current directory; fails if that does.
download() {
    local directory=$cache/sources/$1_$2
    rm -rf "$directory.new"
    mkdir -p "$directory.new"
    if (cd "$directory.new" && "${@:3}"); then
        verify "$1" "$2" "$directory.new"
        mv "$directory.new" "$directory"
    else
        rm -r "$directory.new"
        return 1
    fi
}

quietly() { logged download "$@" 2>/dev/null; }

# download_pinned NAME: by name and digest, which takes no index. Quietly, because apt is asked next.
download_pinned() {
    local files
    mapfile -t files < <(pinned_files "$1")
    [ ${#files[@]} -gt 0 ] && download "$1" "$(pinned_version "$1")" quietly fetch_all "${files[@]}"
}

download_with_apt() { download "$1" "$2" logged apt apt-get source --download-only --only-source "$1=$2"; }

# take NAME PINNED: downloads the pinned version, or the highest one of the same upstream branch if Debian has
# deleted that one, as it does upon each security update. Sets `taken`.
take() {
    local name=$1 pinned=$2 served higher version
    taken=$pinned
    if [ -d "$cache/sources/${name}_$pinned" ] || download_pinned "$name"; then return; fi
    use_private_apt
    logged apt apt-get update
    read -r -d '' -a served < <(apt-cache showsrc --only-source "$name" | sed -n 's/^Version: //p') || true
    higher=$(higher_versions "$pinned" "${served[@]}" | xargs)
    case " ${served[*]} " in *" $pinned "*) higher="$pinned $higher" ;; esac
    for version in $higher; do
        taken=$version
        if download_with_apt "$name" "$version"; then return; fi
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
recipe() {
    (
        cd "$cross" || exit
        mapfile -t files < <(recipe_files)
        { printf '%s\n' "$1" && cat requirements.txt sysroot ./common.sh ./sources.sh "${files[@]}"; } | sha256sum | cut -c 1-16
    )
}

# unpack NAME DIRECTORY: a fresh source tree with Debian's patches applied; fails if one does not fit. Downloads are kept for
# the next target. Each step says that it failed: nothing else does where the caller looks at the result.
unpack() {
    local name=$1 version sources
    version=$(taken_version "$name") || return
    sources=$cache/sources/${name}_$version
    if [ -d "$sources" ]; then
        verify "$name" "$version" "$sources"
    else
        (hold sources && { { [ "$version" = "$(pinned_version "$name")" ] && download_pinned "$name"; } ||
            { use_private_apt && download_with_apt "$name" "$version"; }; }) || return
    fi
    mkdir "$2" &&
        tar -x --strip-components=1 -C "$2" -f "$(find "$sources" -name '*.orig.tar.*' ! -name '*.asc')" &&
        tar -x -C "$2" -f "$(find "$sources" -name '*.debian.tar.*')" &&
        apply_patches "$2"
}

# apply_patches DIRECTORY: in the order of debian/patches/series, as dpkg-source does. Files that they change get the same
# time, so that make does not take one for older than what it was made from.
apply_patches() (
    cd "$1" || exit
    touch unpacked
    sed -E 's/(^|[[:blank:]])#.*//; /^[[:blank:]]*$/d' debian/patches/series | while read -r patch _; do
        patch --batch --forward --fuzz=0 --strip=1 --unified --version-control=never --remove-empty-files \
            --no-backup-if-mismatch --quiet --input="debian/patches/$patch" || exit
    done || exit
    touch patched
    find . -newer unpacked -type f -exec touch --no-create --reference=patched {} +
    rm unpacked patched
)

# changed: when Debian last changed the sources in the current directory, in seconds since 1970.
changed() { date --date="$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)" +%s; }
