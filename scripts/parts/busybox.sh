# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# busybox: the image's shell and tools, static, with the applets of busybox.config and no others.

export KCONFIG_NOTIMESTAMP=1
make allnoconfig
awk -F = '
	NR == FNR { if (/^CONFIG_/) wanted[$1] = $0; next }
	{
		name = $1
		gsub(/^# | is not set$/, "", name)
		print name in wanted ? wanted[name] : $0
	}' "$RECIPES/busybox.config" .config >.config.wanted
mv .config.wanted .config
make oldconfig </dev/null
# The configurator silently drops what it cannot satisfy.
missing=$(grep '^CONFIG_' "$RECIPES/busybox.config" | grep -vxFf .config || :)
[ -z "$missing" ] || {
	echo "not in the final configuration: $missing"
	exit 1
}
make -j "$JOBS" CC="$CC" HOSTCC=gcc EXTRA_CFLAGS="$CFLAGS -Os" busybox
install -D -m 755 busybox "$SYSROOT/bin-target/busybox"
./busybox --list >"$SYSROOT/bin-target/busybox.applets"
