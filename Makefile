# What a developer does here. `make help` lists it; docs/README.md says where to read on.
SHELL = /bin/bash
TARGET = x86_64
SECONDS = 30
PAIRS = 3000
# Another one each time; `make pairs SEED=N` looks at the same pairs again.
SEED = $(shell echo $$((RANDOM * 32768 + RANDOM)))
# The Git tree of swift-argument-parser's Sources at the version in Package.swift. Package.resolved would name a commit,
# and mirrors of a package have other commits with the same files.
ARGUMENT_PARSER = c129dc47af2ef80b11512ad57d589f00d47b286a
PATCHES = bench/patch-size.sh bench/patch-growth.sh
MAKEFLAGS += --no-print-directory

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo:  ## publish, serve and update maps before your eyes; MAPS=DIR for releases of your own
	scripts/setup build cross demo
	$(MAKE) static publisher
	scripts/demo "$(MAPS)"

test:  ## everything that must pass: both programs, all tests, format and lint
	scripts/setup build test cross
	$(MAKE) lint
	$(MAKE) static publisher
	swift test --experimental-maximum-parallelization-width $$(nproc)
	scripts/test-large

static:  ## build/tinyupdater, static; TARGET=aarch64 or armv7: build/tinyupdater-TARGET
	scripts/setup cross
	cross/build $(TARGET) build/tinyupdater$(if $(filter-out x86_64,$(TARGET)),-$(TARGET))

publisher:  ## .build/release/tinypublish, optimised
	scripts/setup build
	swift package resolve
	@test "$$(git -C .build/checkouts/swift-argument-parser rev-parse HEAD:Sources)" = $(ARGUMENT_PARSER) || \
		{ echo "the sources of swift-argument-parser are not the ones that the Makefile pins" >&2; exit 1; }
	swift build -c release --product tinypublish --static-swift-stdlib
	@! ldd .build/release/tinypublish | grep libz || { echo "tinypublish must not depend on a shared zlib" >&2; exit 1; }
	.build/release/tinypublish --version

test-arm:  ## the ARM programs install and update under emulation
	scripts/setup build cross demo qemu
	$(MAKE) publisher
	$(MAKE) static TARGET=aarch64
	$(MAKE) static TARGET=armv7
	scripts/test-arm aarch64 armv7

large:  ## a patch between two sparse files of 5 GiB
	scripts/setup build cross
	$(MAKE) static publisher
	scripts/test-large

crash:  ## kill the device program at every system call that changes the disk; refuse it each block of memory
	scripts/setup build test cross
	$(MAKE) static publisher
	TINYUPDATER_CRASH=full swift test --filter "KillTests|MemoryTests"

sanitize:  ## the unit tests under address, undefined-behaviour and thread sanitizer
	scripts/setup build test
	for sanitizer in address undefined thread; do \
		TINYUPDATER_DEBUG=1 swift test --scratch-path .build-$$sanitizer --sanitize $$sanitizer --skip EndToEndTests \
			|| exit; done

fuzz:  ## fuzz every parser for SECONDS (30) each
	scripts/setup build test cross
	$(MAKE) static publisher
	scripts/fuzz $(SECONDS)

pairs:  ## make and apply patches between PAIRS (3000) generated pairs of files, from SEED on
	scripts/setup build test
	mkdir -p build
	seed=$(SEED); echo "pairs: $(PAIRS) from seed $$seed; build/pairs.log says more"; \
	    TINYUPDATER_SEED=$$seed TINYUPDATER_PAIRS=$(PAIRS) swift test --filter GeneratedPairTests >build/pairs.log 2>&1 \
	    || { grep -aE 'seed [0-9]|Fatal error|error: ' build/pairs.log | cut -c 1-400; exit 1; }

bench:  ## sizes, times and memory of patches; CORPUS=DIR with map releases; BENCH=all: of everything in bench
	@test -n "$(CORPUS)" || { echo "say where map releases are: make bench CORPUS=DIR" >&2; exit 64; }
	scripts/setup build test cross bench
	$(MAKE) static publisher
	set -e; for script in $(if $(filter all,$(BENCH)),$(wildcard bench/*.sh),$(PATCHES)); do \
	    printf '\n%s\n\n' "$$script"; $$script "$(CORPUS)"; done
	@printf '\nothers: %s\n' "$(if $(filter all,$(BENCH)),none,$(filter-out $(PATCHES),$(wildcard bench/*.sh)); BENCH=all runs them)"

tour:  ## record docs/tour.md: what a user sees on terminals
	scripts/setup build cross demo
	$(MAKE) static publisher
	scripts/tour > build/tour.md
	mv build/tour.md docs/tour.md

completions:  ## write config/completions from the table of commands and options
	scripts/setup build test
	TINYUPDATER_WRITE_COMPLETIONS=1 swift test --filter CompletionTests

format:  ## write the sources in the house's format
	swift format --in-place --recursive Package.swift Sources Tests bench fuzz

lint:  ## check the format, links to documents, and the shell scripts (those if shellcheck is installed)
	swift format lint --strict --recursive Package.swift Sources Tests bench fuzz
	scripts/check-links
	! command -v shellcheck >/dev/null || shellcheck -x $$(git ls-files | xargs grep -lE '^#!/bin/(ba)?sh')

clean:  ## remove everything that is built in this directory
	rm -rf .build .build-* build

.PHONY: help demo test static publisher test-arm large crash sanitize fuzz pairs bench tour completions format lint clean
