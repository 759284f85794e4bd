SUMMARY = "Keeps the map data of a device on one release"
DESCRIPTION = "Updates maps by patch in a fixed amount of memory, safe against power loss. \
The program is static and comes built, as part of a release of TinyUpdater."
SECTION = "utils"
# Say in your layer under which terms you received it.
LICENSE ?= "CLOSED"

# Set in your layer: the directory of the release (a URL, or file:// and build/dist after `make dist`), and its digests
# from SHA256SUMS.
TINYUPDATER_SITE ?= "file://${THISDIR}/files"
TINYUPDATER_SHA256[x86_64] ?= ""
TINYUPDATER_SHA256[aarch64] ?= ""
TINYUPDATER_SHA256[armv7] ?= ""
TINYUPDATER_SHA256[riscv64] ?= ""
# The publisher's metadata/1.root.json, where trust begins, and the URL of the repository.
TINYUPDATER_ROOT ?= ""
TINYUPDATER_REPOSITORY ?= ""

COMPATIBLE_HOST = "(x86_64|aarch64|arm|riscv64).*-linux.*"
TINYUPDATER_TARGET = "${@(lambda name: name if name in ('x86_64', 'aarch64', 'riscv64') else 'armv7')(d.getVar('TARGET_ARCH'))}"

SRC_URI = "${TINYUPDATER_SITE}/tinyupdater-${PV}-${TINYUPDATER_TARGET}.tar.xz;name=release"
SRC_URI[release.sha256sum] = "${@d.getVarFlag('TINYUPDATER_SHA256', d.getVar('TINYUPDATER_TARGET')) or ''}"
S = "${WORKDIR}/tinyupdater-${PV}-${TINYUPDATER_TARGET}"

inherit systemd update-rc.d

SYSTEMD_SERVICE:${PN} = "tinyupdater-boot.service tinyupdater.timer"
INITSCRIPT_NAME = "tinyupdater"
INITSCRIPT_PARAMS = "defaults 60"

do_configure[noexec] = "1"
do_compile[noexec] = "1"

do_install() {
    cd ${S}
    TARGET=${TINYUPDATER_TARGET} DESTDIR=${D} prefix=${prefix} sysconfdir=${sysconfdir} unitdir=${systemd_system_unitdir} \
        zshdir=${datadir}/zsh/site-functions bash scripts/install device
    install -D -m 0755 config/init/S60tinyupdater ${D}${sysconfdir}/init.d/tinyupdater
    if [ -n "${TINYUPDATER_REPOSITORY}" ]; then
        sed -i 's|^#*repository = .*|repository = ${TINYUPDATER_REPOSITORY}|' ${D}${sysconfdir}/tinyupdater.conf
    fi
    if [ -n "${TINYUPDATER_ROOT}" ]; then
        install -D -m 0644 ${TINYUPDATER_ROOT} ${D}${datadir}/tinyupdater/root.json
    fi
}

FILES:${PN} += "${systemd_system_unitdir} ${datadir}/bash-completion ${datadir}/zsh ${datadir}/fish ${datadir}/tinyupdater"
CONFFILES:${PN} = "${sysconfdir}/tinyupdater.conf"
RRECOMMENDS:${PN} = "ca-certificates"
# It is linked and stripped already; its calling convention on ARM does not matter without libraries.
INSANE_SKIP:${PN} = "already-stripped ldflags arch"
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_PACKAGE_DEBUG_SPLIT = "1"
