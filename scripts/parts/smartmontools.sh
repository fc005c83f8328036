# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# smartctl: reads the health of disks, also of those behind RAID controllers. A program of its own,
# GPL-2.0-or-later. It is C++, which musl-gcc has no library for: static with the host's g++ and
# glibc, its drive database inside.

./configure --prefix=/ CXX=g++ CC=gcc \
	CXXFLAGS="-Os -g0 -ffunction-sections -fdata-sections ${CFLAGS#*-fdata-sections}" \
	LDFLAGS="-static -Wl,--gc-sections -Wl,--build-id=none" \
	--with-systemdsystemunitdir=no --with-initscriptdir=no --with-libcap-ng=no \
	--with-libsystemd=no --with-selinux=no --without-gnupg --without-update-smart-drivedb \
	--with-nvme-devicescan=yes
make -j "$JOBS" smartctl
strip -o smartctl.stripped smartctl
install -D -m 755 smartctl.stripped "$SYSROOT/bin-target/smartctl"
