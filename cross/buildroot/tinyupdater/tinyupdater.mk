################################################################################
#
# tinyupdater
#
################################################################################

TINYUPDATER_VERSION = 0.1.0
TINYUPDATER_TARGET = $(if $(BR2_x86_64),x86_64,$(if $(BR2_aarch64),aarch64,$(if $(BR2_RISCV_64),riscv64,armv7)))
TINYUPDATER_SITE = $(call qstrip,$(BR2_PACKAGE_TINYUPDATER_SITE))
TINYUPDATER_SOURCE = tinyupdater-$(TINYUPDATER_VERSION)-$(TINYUPDATER_TARGET).tar.xz

TINYUPDATER_ROOT = $(call qstrip,$(BR2_PACKAGE_TINYUPDATER_ROOT))
TINYUPDATER_REPOSITORY = $(call qstrip,$(BR2_PACKAGE_TINYUPDATER_REPOSITORY))

define TINYUPDATER_INSTALL_TARGET_CMDS
	cd $(@D) && TARGET=$(TINYUPDATER_TARGET) DESTDIR=$(TARGET_DIR) prefix=/usr scripts/install device
	$(if $(TINYUPDATER_REPOSITORY),$(SED) 's|^#*repository = .*|repository = $(TINYUPDATER_REPOSITORY)|' \
		$(TARGET_DIR)/etc/tinyupdater.conf)
	$(if $(TINYUPDATER_ROOT),$(INSTALL) -D -m 0644 $(TINYUPDATER_ROOT) $(TARGET_DIR)/usr/share/tinyupdater/root.json)
endef

define TINYUPDATER_INSTALL_INIT_SYSV
	$(INSTALL) -D -m 0755 $(@D)/config/init/S60tinyupdater $(TARGET_DIR)/etc/init.d/S60tinyupdater
endef

# scripts/install has put the units there.
define TINYUPDATER_INSTALL_INIT_SYSTEMD
	mkdir -p $(TARGET_DIR)/etc/systemd/system/multi-user.target.wants $(TARGET_DIR)/etc/systemd/system/timers.target.wants
	ln -sf /usr/lib/systemd/system/tinyupdater-boot.service $(TARGET_DIR)/etc/systemd/system/multi-user.target.wants/
	ln -sf /usr/lib/systemd/system/tinyupdater.timer $(TARGET_DIR)/etc/systemd/system/timers.target.wants/
endef

$(eval $(generic-package))
