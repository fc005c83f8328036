# SPDX-License-Identifier: MIT
# bootmark: everything is built from here; docs/building.md explains. `make help` lists the targets.

ARCH ?= x86_64
OUT ?= out/$(ARCH)
export ARCH OUT

# Anything here can be set in local.mk, which is not part of the project. V=1 shows the whole
# commands.
PROVE ?= HARNESS_RULESFILE=tests/rules.yml prove --jobs=$(TEST_JOBS)
CLANG ?= clang
CFLAGS ?= -O2
JOBS ?= $(shell nproc)
TEST_JOBS ?= 4
-include local.mk
MAKEFLAGS += --jobs=$(JOBS)
run = $(if $V,$2,@echo '  $1	$@'; $2)

S := $(OUT)/sysroot
WARNINGS := -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes -Wvla
COMMON := -std=c11 -D_GNU_SOURCE -g $(WARNINGS) -MMD -MP -I. -I$(OUT)
# No path of this checkout or of the cache reaches a binary.
MAPPED = $(addprefix -ffile-prefix-map=,$(CURDIR)=. $(OUT)=out $(realpath $S)=/sysroot)

# the machine's programs: musl, static
TARGET_CC := $S/bin/musl-gcc
TARGET_FLAGS = $(COMMON) $(CFLAGS) $(MAPPED) -ffunction-sections -fdata-sections
TARGET_LINK := -static -Wl,--gc-sections -Wl,--build-id=none
bench_LIBS := -lcurl -lmbedtls -lmbedx509 -lmbedcrypto -laio -luring -lblkid -lyyjson -lzstd \
	-llz4 -lm
init_LIBS := -lyyjson -lm

# the host's programs: the collector, and all of it once more under sanitizers for the unit tests
HOST_FLAGS = $(COMMON) $(CFLAGS) -isystem $S/src $(shell pkg-config --cflags libmicrohttpd sqlite3)
collector_LIBS = $(shell pkg-config --libs libmicrohttpd sqlite3) -lm -lpthread
ASAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
unit_LIBS = $(collector_LIBS) -lcurl -laio -luring -lblkid -lmbedcrypto -lzstd -llz4
CLANG_TARGET = $(COMMON) --target=$(ARCH)-linux-musl -nostdlibinc -isystem $S/include -O1
CLANG_HOST = $(HOST_FLAGS) -O1
clang_flags = $(if $(filter $1,$(TARGET_SOURCES)),$(CLANG_TARGET),$(CLANG_HOST))

sources = $(wildcard $1/*.c $1/*/*.c)
objects = $(patsubst %.c,$(OUT)/obj/$1/%.o,$2)
SOURCES := $(foreach part,bench init collector lib,$(call sources,$(part)))
TARGET_SOURCES := $(filter-out collector/%,$(SOURCES))
UNIT_HELPERS := $(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c))
UNIT_SOURCES := $(filter-out %/main.c,$(SOURCES)) $(UNIT_HELPERS)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(wildcard tests/unit/test_*.c))
CLANG_DONE := $(call objects,clang,$(SOURCES) $(wildcard tests/unit/*.c))
PERF := $(addprefix $(OUT)/perf/,job_cli bare_aio cpu_cli)
IMAGE := $(addprefix $(OUT)/,vmlinuz initramfs.img)
# Tests that boot machines, compare with other tools or wait for time limits are behind all others.
SLOW_TESTS = $(wildcard $(addprefix tests/,boot/*.t peer/*.t consent/*.t net/*.t)) \
	tests/collector/durable.t $(addprefix tests/upload/,answers.t retry.t slow.t)
CHECKS = $(UNIT_TESTS) $(filter-out $(SLOW_TESTS),$(wildcard tests/*/*.t))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: image all bench init collector efi firmware run check test perf reproduce relock clean \
	distclean help FORCE

image: $(IMAGE) $(OUT)/SHA256SUMS $(OUT)/sbom.cdx.json	## the kernel and the initramfs (default)
all: image efi collector	## everything that is built
bench init collector: %: $(OUT)/%	## one program
efi: $(OUT)/bootmark.efi	## one file: kernel with the initramfs inside
firmware: $(OUT)/firmware.img	## NIC firmware, to append to initramfs.img

run: image collector | $(OUT)/.host-run	## boot the image in QEMU and show the report it uploads
	@scripts/run.sh

check: image collector $(UNIT_TESTS) $(CLANG_DONE) | $(OUT)/.host-test	## tests that boot nothing
	$(PROVE) $(CHECKS)

test: all $(UNIT_TESTS) $(CLANG_DONE) $(OUT)/peer/test_cli | $(OUT)/.host-test	## all tests
	$(PROVE) $(CHECKS) $(SLOW_TESTS)

PERF_NEEDS = $(PERF) $(if $(filter engine cpu mem,$(NAME)),,image collector)
perf: $(PERF_NEEDS) | $(OUT)/.host-test	## figures of speed, memory, time to boot
	@tests/perf/run.sh $(NAME)

reproduce: image	## build the kernel, and then the rest, twice with empty caches, and compare
	scripts/kernel.sh reproduce
	scripts/reproduce.sh

relock: | $(OUT)/.host-build	## renew scripts/sources.lock from Debian's archive
	scripts/fetch.sh --relock

clean:	## remove what was built; the cache of sources, sysroot and kernel stays
	@rm -rf $(OUT)

distclean: clean	## the same for all architectures
	@rm -rf out

help:	## this list
	@sed -n 's/^\([a-z][a-z ]*\):.*\t## \(.*\)/\1	\2/p' Makefile | expand -t 24

# What a build needs before it compiles: host packages, sources, sysroot.
$(OUT)/.host-%: scripts/host-packages scripts/host-setup.sh
	@mkdir -p $(OUT)
	@scripts/host-setup.sh $*
	@touch $@
# One after the other: apt works alone.
$(OUT)/.host-run: | $(OUT)/.host-build
$(OUT)/.host-test: | $(OUT)/.host-run

$(OUT)/.fetched: scripts/sources.lock scripts/sources scripts/fetch.sh | $(OUT)/.host-build
	@scripts/fetch.sh
	@touch $@

$(OUT)/.sysroot: $(OUT)/.fetched scripts/sysroot.sh $(wildcard scripts/parts/*) \
		$(if $(wildcard $S/complete),,FORCE)
	@scripts/sysroot.sh
	@readlink $S >$@

# Changes only with the sysroot itself, and then everything is compiled again.
$(OUT)/sysroot.key: $(OUT)/.sysroot
	@cmp -s $< $@ || cp $< $@

$(OUT)/gen/version.h: FORCE | $(OUT)/.host-build
	@mkdir -p $(@D)
	@scripts/version.sh header >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# -O2 vectorises no loop whose length is not known, and each compiler makes something else of one
# that copies: the loops that measure memory are to be what they say.
KERNELS := $(foreach o,target asan host,$(OUT)/obj/$o/bench/tests/mem_kernels.o)
$(KERNELS): CFLAGS += -O3 -fno-tree-loop-distribute-patterns

# Names of PCI devices, from pci.ids.
$(OUT)/gen/pci_names.h: $(OUT)/.fetched scripts/pci-names.sh scripts/pci-vendors
	$(call run,GEN,scripts/pci-names.sh)

GENERATED := $(OUT)/gen/version.h $(OUT)/gen/pci_names.h
$(OUT)/obj/target/%.o: %.c $(OUT)/sysroot.key Makefile | $(GENERATED)
	@mkdir -p $(@D)
	$(call run,CC,$(TARGET_CC) $(TARGET_FLAGS) -c -o $@ $<)

$(OUT)/obj/host/%.o: %.c $(OUT)/sysroot.key Makefile | $(GENERATED)
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(HOST_FLAGS) -c -o $@ $<)

$(OUT)/obj/asan/%.o: %.c $(OUT)/sysroot.key Makefile | $(GENERATED) $(OUT)/.host-test
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(HOST_FLAGS) -O1 $(ASAN) -c -o $@ $<)

# Compiled once more by clang for its warnings; host code against the host, the rest against the
# sysroot.
$(OUT)/obj/clang/%.o: %.c $(OUT)/sysroot.key Makefile | $(GENERATED) $(OUT)/.host-test
	@mkdir -p $(@D)
	$(call run,CLANG,$(CLANG) $(call clang_flags,$<) -c -o $@ $<)

# Third-party code: neither our warnings nor our sanitizers are its concern.
$(OUT)/obj/host/yyjson.o: $(OUT)/sysroot.key
	@mkdir -p $(@D)
	$(call run,CC,$(CC) -O2 -c -o $@ $S/src/yyjson.c)

archive = $(call run,AR,rm -f $@ && ar rcsD $@ $^)

$(OUT)/obj/target/lib.a: $(call objects,target,$(call sources,lib))
	$(archive)
$(OUT)/obj/host/lib.a: $(call objects,host,$(call sources,lib)) $(OUT)/obj/host/yyjson.o
	$(archive)
$(OUT)/obj/asan/all.a: $(call objects,asan,$(UNIT_SOURCES)) $(OUT)/obj/host/yyjson.o
	$(archive)

$(OUT)/obj/target/bench.elf: $(call objects,target,$(call sources,bench)) $(OUT)/obj/target/lib.a
	$(call run,LINK,$(TARGET_CC) $(TARGET_LINK) -o $@ $^ $(bench_LIBS))
$(OUT)/obj/target/init.elf: $(call objects,target,$(call sources,init)) $(OUT)/obj/target/lib.a
	$(call run,LINK,$(TARGET_CC) $(TARGET_LINK) -o $@ $^ $(init_LIBS))
$(OUT)/bench $(OUT)/init: $(OUT)/%: $(OUT)/obj/target/%.elf
	$(call run,STRIP,strip -o $@ $<)
$(OUT)/collector: $(call objects,host,$(call sources,collector)) $(OUT)/obj/host/lib.a
	$(call run,LINK,$(CC) -o $@ $^ $(collector_LIBS))
# What `make perf` drives: compiled as the product is.
$(OUT)/perf/job_cli: $(call objects,target,$(call sources,bench/io) $(call sources,bench/stats))
$(OUT)/perf/cpu_cli: $(filter-out %/main.o,$(call objects,target,$(call sources,bench)))
$(PERF): $(OUT)/perf/%: $(OUT)/obj/target/tests/perf/%.o $(OUT)/obj/target/lib.a
	@mkdir -p $(@D)
	$(call run,LINK,$(TARGET_CC) $(TARGET_LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) \
		$(bench_LIBS))
# What the peer tests drive where there is no consent to be had: see tests/peer/test_cli.c.
$(OUT)/peer/%: $(OUT)/obj/target/tests/peer/%.o \
		$(filter-out %/main.o,$(call objects,target,$(call sources,bench))) \
		$(OUT)/obj/target/lib.a
	@mkdir -p $(@D)
	$(call run,LINK,$(TARGET_CC) $(TARGET_LINK) -o $@ $^ $(bench_LIBS))
$(OUT)/unit/%: $(OUT)/obj/asan/tests/unit/%.o $(OUT)/obj/asan/all.a
	@mkdir -p $(@D)
	$(call run,LINK,$(CC) $(ASAN) -o $@ $^ $(unit_LIBS))

# The image.
$(OUT)/vmlinuz: $(OUT)/.fetched scripts/kernel.sh $(wildcard scripts/kernel-* kernel-config/*)
	@scripts/kernel.sh build
	@touch $@

$(OUT)/initramfs.img: $(OUT)/bench $(OUT)/init $(OUT)/vmlinuz scripts/image.sh \
		$(wildcard rootfs/* rootfs/*/*)
	@scripts/image.sh

$(OUT)/firmware.img: $(OUT)/.fetched scripts/firmware.sh scripts/firmware-files
	@scripts/firmware.sh

sums = @cd $(OUT) && sha256sum vmlinuz initramfs.img bench $1 >SHA256SUMS
$(OUT)/SHA256SUMS: $(IMAGE) $(OUT)/bench
	$(call sums)

$(OUT)/bootmark.efi: $(OUT)/SHA256SUMS
	@scripts/kernel.sh embed $(OUT)/initramfs.img $@
	$(call sums,bootmark.efi)
	@touch $@

$(OUT)/sbom.cdx.json: $(IMAGE) scripts/sbom.sh
	@scripts/sbom.sh

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)
