# What a developer does here. `make help` lists it; docs/README.md says where to read on.
SHELL = /bin/bash
TARGET = x86_64
SUITE = trixie
LIBC = $(if $(filter armv7,$(TARGET)),musl,glibc)
export TARGET DESTDIR prefix sysconfdir unitdir zshdir
SECONDS = 30
PAIRS = 3000
STEPS = 500
STATES = 2000
# More tests than there are processors, because those of whole programs mostly wait.
AT_A_TIME = --experimental-maximum-parallelization-width $$((2 * $$(nproc) + 1))
# Another one each time; `make pairs SEED=N` looks at the same pairs again, and `make powercut SEED=N` at the same cuts.
SEED = $(shell echo $$((RANDOM * 32768 + RANDOM)))
# Git's names of Package.swift and Sources of swift-argument-parser at the version that ours asks for (docs/decisions/0021).
ARGUMENT_PARSER = bc835353a2e24de227c387209f7e1c83c31e002e c129dc47af2ef80b11512ad57d589f00d47b286a
PATCHES = bench/patch-size.sh bench/patch-growth.sh
MEASUREMENTS = $(filter-out bench/variants.sh,$(wildcard bench/*.sh))
MAKEFLAGS += --no-print-directory

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo:  ## publish, serve and update maps and show the figures; MAPS=DIR for releases of your own
	scripts/setup build demo
	$(MAKE) dependencies
	swift build --product tinyupdater
	swift build --product tinypublish
	TINYUPDATER=$${TINYUPDATER:-$(CURDIR)/.build/debug/tinyupdater} TINYPUBLISH=$${TINYPUBLISH:-$(CURDIR)/.build/debug/tinypublish} \
		scripts/demo "$(MAPS)"

test:  ## everything that must pass: both programs, all tests, format and lint
	scripts/setup build test cross power
	$(MAKE) lint
	$(MAKE) --jobs=2 static tests
	$(MAKE) library
	scripts/run-tests $(AT_A_TIME)
	scripts/test-large

# The device program is compiled as one module, by one process: something else can be built beside it.
tests: publisher
	swift build --build-tests
	scripts/fuzz --build

static:  ## build/tinyupdater, static; TARGET=aarch64, armv7 or riscv64: build/tinyupdater-TARGET
	scripts/setup cross
	cross/build $(TARGET) build/tinyupdater$(if $(filter-out x86_64,$(TARGET)),-$(TARGET))

library:  ## build/library: libtinyupdater for C; TARGET=aarch64, armv7 or riscv64: build/library-TARGET; LIBC=musl
	scripts/setup cross
	cross/library --libc $(LIBC) $(TARGET) build/library$(if $(filter-out x86_64,$(TARGET)),-$(TARGET))

# What was resolved has the pinned files; whatever builds tinypublish begins with this.
dependencies:
	scripts/setup build
	swift package resolve
	@for path in Package.swift Sources; do git -C .build/checkouts/swift-argument-parser rev-parse "HEAD:$$path"; done \
		| cmp -s - <(printf '%s\n' $(ARGUMENT_PARSER)) && \
		git -C .build/checkouts/swift-argument-parser diff --quiet HEAD || \
		{ echo "swift-argument-parser has other files than the ones that the Makefile pins" >&2; exit 1; }

publisher: dependencies  ## .build/release/tinypublish, optimised
	swift build -c release --product tinypublish --static-swift-stdlib
	@! readelf --dynamic .build/release/tinypublish | grep 'NEEDED.*libz\.' || { echo "tinypublish must not depend on a shared zlib" >&2; exit 1; }
	.build/release/tinypublish --version

static-publisher: dependencies  ## build/tinypublish, static: for any Linux of this machine's processor
	scripts/setup cross
	cross/static-publisher $(if $(filter file,$(origin TARGET)),,$(TARGET)) build/tinypublish

test-static-publisher:  ## the static publisher in an empty directory makes what the other one makes (as root); CORPUS=DIR
	scripts/setup build cross
	$(MAKE) publisher static-publisher
	scripts/test-static-publisher "$(CORPUS)"

test-targets:  ## the programs of aarch64, armv7 and riscv64 install and update under emulation
	scripts/setup build cross demo qemu
	$(MAKE) publisher
	for target in aarch64 armv7 riscv64; do $(MAKE) static TARGET=$$target || exit 1; done
	scripts/test-targets aarch64 armv7 riscv64

reproducible:  ## build a static program again in another directory: the same bytes? TARGET=, or publisher; LIBRARIES=1: its libraries too
	$(if $(filter publisher,$(TARGET)),$(MAKE) static-publisher TARGET=$$(uname -m),$(MAKE) static)
	scripts/reproducible $(TARGET)

test-push:  ## copy a repository to an S3 server while a device updates from there
	scripts/setup build test cross demo
	$(MAKE) static publisher
	scripts/test-push

test-farm:  ## make the payloads of a release with Slurm and ninja, kill half of it, compare (as root)
	scripts/setup build farm
	$(MAKE) publisher
	scripts/test-farm

test-report:  ## open reports in Chromium: what is drawn, how fast, what keys, clicks and no JavaScript do; REPOS='DIR …' for screenshots
	scripts/setup build browser
	$(MAKE) publisher
	scripts/test-report $(REPOS)

test-programs:  ## open installed maps with GDAL, SQLite, osmium, mapnik, a browser and others, while they are updated
	scripts/setup build cross readers browser
	$(MAKE) static publisher
	scripts/test-programs

large:  ## a patch between two sparse files of more than 4 GiB
	scripts/setup build cross
	$(MAKE) static publisher
	scripts/test-large

crash:  ## kill the device program at every system call that changes the disk; refuse it memory; damage its store
	scripts/setup build test cross
	$(MAKE) static publisher
	TINYUPDATER_CRASH=full swift test --filter "KillTests|MemoryTests|DamageMatrixTests"

faults:  ## refuse every system call that changes the disk, with every error, to both programs; kill the publisher at each
	scripts/setup build test cross
	$(MAKE) static publisher
	mkdir -p build
	TINYUPDATER_CRASH=full swift test $(AT_A_TIME) --filter "FaultTests" \
	    >build/faults.log 2>&1 || { grep -a 'recorded an issue' build/faults.log | cut -c 1-400; failed=1; }; \
	    grep -aoE 'faults: .*' build/faults.log; test -z "$$failed"

soak:  ## STEPS (500) commands of one device over a server that fails one request in five
	scripts/setup build test cross
	$(MAKE) static publisher
	mkdir -p build
	TINYUPDATER_SOAK=$(STEPS) swift test --filter SoakTests >build/soak.log 2>&1 \
	    || { grep -a 'recorded an issue' build/soak.log | cut -c 1-400; failed=1; }; \
	    grep -aoE 'soak: .*' build/soak.log; test -z "$$failed"

powercut:  ## cut the power of real file systems in STATES (2000) moments and ways, chosen by SEED
	scripts/setup build cross power
	$(MAKE) static publisher
	scripts/powercut --states $(STATES) --seed $(SEED)

reenter:  ## interrupt commands in STATES (2000) ways, chosen by SEED, and go on in another way each time
	scripts/setup build cross power test
	$(MAKE) static publisher
	scripts/reenter --states $(STATES) --seed $(SEED)

flushes:  ## delete each flush of the device program in turn; a test must notice
	scripts/setup build test cross
	$(MAKE) static publisher
	swift build --build-tests
	scripts/flushes

sanitize: $(addprefix sanitize-,address undefined thread)  ## the unit tests under address, undefined-behaviour and thread sanitizer

# Swift traps by itself where C's behaviour is undefined, so that sanitizer is for the C modules and their wrappers alone.
sanitize-address: SANITIZE = --sanitize address
sanitize-thread: SANITIZE = --sanitize thread
sanitize-thread: export TSAN_OPTIONS = suppressions=$(CURDIR)/Tests/thread-sanitizer.supp
sanitize-undefined: SANITIZE = -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
sanitize-%: dependencies
	scripts/setup build test
	swift test --scratch-path .build-$* $(SANITIZE) \
		$(AT_A_TIME) --skip EndToEndTests

fuzz:  ## fuzz every parser for SECONDS (30) each
	scripts/setup build test cross
	$(MAKE) static publisher
	scripts/fuzz $(SECONDS)

pairs: dependencies  ## make and apply patches between PAIRS (3000) generated pairs of files, from SEED on
	scripts/setup build test
	mkdir -p build
	seed=$(SEED); echo "pairs: $(PAIRS) from seed $$seed; build/pairs.log says more"; \
	    TINYUPDATER_SEED=$$seed TINYUPDATER_PAIRS=$(PAIRS) swift test --filter GeneratedPairTests >build/pairs.log 2>&1 \
	    || { grep -aE 'seed [0-9]|Fatal error|error: ' build/pairs.log | cut -c 1-400; exit 1; }

bench:  ## sizes, times and memory of patches; CORPUS=DIR with map releases; BENCH=all: of everything in bench
	@test -n "$(CORPUS)" || { echo "say where map releases are: make bench CORPUS=DIR" >&2; exit 64; }
	scripts/setup build test cross bench
	$(MAKE) static publisher
	set -e; for script in $(if $(filter all,$(BENCH)),$(MEASUREMENTS),$(PATCHES)); do \
	    printf '\n%s\n\n' "$$script"; $$script "$(CORPUS)"; done
	@printf '\nothers: %s\n' "$(if $(filter all,$(BENCH)),none,$(filter-out $(PATCHES),$(MEASUREMENTS)); BENCH=all runs them)"

fleet:  ## the load of a million devices, simulated: docs/fleet.md; also draws docs/fleet.svg
	bench/fleet --check --svg docs/fleet.svg

fleet-demo:  ## thirty devices, some in trouble, report to config/examples/fleet-metrics; PICTURE=FILE for a screenshot
	scripts/fleet-demo $(PICTURE)

bench-variants:  ## sizes of patches between variants of the maps in CORPUS=DIR, which are made in build/variants
	@test -n "$(CORPUS)" || { echo "say where map releases are: make bench-variants CORPUS=DIR" >&2; exit 64; }
	scripts/setup build test cross bench variants
	$(MAKE) static publisher
	rm -rf build/variants
	bench/variants.sh "$(CORPUS)" build/variants
	DISTANCES=1 FILES=build/variants.tsv bench/patch-size.sh build/variants
	python3 bench/lib/patch-tables.py --kinds build/variants.tsv

tour:  ## record docs/tour.md: what a user sees on terminals
	scripts/setup build cross demo test
	$(MAKE) static publisher
	swift build --product MapManager
	scripts/tour > build/tour.md
	mv build/tour.md docs/tour.md

report-picture:  ## make docs/report.png: the report of a made-up country
	scripts/setup build browser
	$(MAKE) publisher
	scripts/report-picture .build/release/tinypublish docs/report.png

completions: dependencies  ## write config/completions from the table of commands and options
	scripts/setup build test
	TINYUPDATER_WRITE_COMPLETIONS=1 swift test --filter CompletionTests

contract: dependencies  ## record the names and numbers that others rely on (docs/contract.md)
	scripts/setup build test
	TINYUPDATER_WRITE_CONTRACT=1 swift test --filter ContractTests

format:  ## write the sources in the house's format
	swift format --in-place --recursive Package.swift Sources Tests bench fuzz config/examples

lint:  ## check the format, links to documents, and the shell scripts (those if shellcheck is installed)
	swift format lint --strict --recursive Package.swift Sources Tests bench fuzz config/examples
	scripts/check-links
	! command -v shellcheck >/dev/null || shellcheck -x $$(git ls-files | xargs grep -lE '^#!/bin/(ba)?sh')

install: install-device install-publisher  ## install what is built; DESTDIR=, prefix=/usr/local; install-device, install-publisher, install-library: a part

uninstall:  ## remove what `make install` made, except the configuration and the maps
	scripts/uninstall device publisher library

install-device install-publisher install-library: install-%:
	scripts/install $*

size:  ## what takes the bytes of the static program, by module and library; TARGET=
	$(MAKE) static
	scripts/size $(TARGET)

deb:  ## Debian packages of both programs and the library, in build; TARGET=, MAINTAINER='Name <address>'
	scripts/setup build cross package
	cross/check-pins
	$(MAKE) static library publisher
	scripts/deb

test-varlinkctl:  ## the client of systemd asks the service, in a clean Debian (as root)
	scripts/setup build cross demo system
	$(MAKE) static publisher
	scripts/test-varlinkctl

test-deb:  ## install, use, upgrade, remove and purge the Debian packages in a clean Debian (as root)
	scripts/setup build cross package
	$(MAKE) static library publisher
	scripts/test-deb

test-system:  ## make demo in a clean SUITE (trixie) of Debian or Ubuntu, and how long it takes (as root)
	scripts/setup system
	scripts/test-system $(SUITE)

dist:  ## a release in build/dist: sources, programs that are built, a bill of materials, digests
	scripts/setup build cross
	cross/check-pins
	$(MAKE) static library static-publisher
	scripts/dist
	scripts/test-recipes

clean:  ## remove everything that is built in this directory
	rm -rf .build .build-* build

.PHONY: help demo test static dependencies publisher static-publisher test-static-publisher test-targets test-push test-farm test-report test-programs reproducible large crash faults soak powercut reenter flushes sanitize fuzz pairs bench bench-variants fleet fleet-demo tour report-picture completions contract format lint install uninstall size deb test-deb test-varlinkctl test-system dist install-device install-publisher clean
