#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the folder that holds Debian's network installer, `linux` and `initrd.gz` (text mode), of
# the host's own release; fetches the package once, into the cache, through the host's apt.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/../../scripts/lib.sh"

package=$(apt-cache pkgnames debian-installer- 2>/dev/null |
	grep -E '^debian-installer-[0-9]+-netboot-amd64$' | sort -t- -k3n | tail -n 1)
[ -n "$package" ] || die "this host's archive has no debian-installer-*-netboot-amd64"
version=$(apt-cache show "$package" | sed -n 's/^Version: //p' | head -n 1)
folder=$CACHE/installer/$package-$version
if [ ! -e "$folder/initrd.gz" ]; then
	scratch
	say "perf: fetching $package $version"
	chmod 755 "$SCRATCH"
	(cd "$SCRATCH" && apt-get -q download "$package" >apt.log 2>&1) ||
		die "$package: $(tail -n 1 "$SCRATCH/apt.log")"
	mkdir "$SCRATCH/unpacked"
	dpkg-deb -x "$SCRATCH"/*.deb "$SCRATCH/unpacked"
	from=$(find "$SCRATCH/unpacked" -path '*/text/*/initrd.gz')
	[ -n "$from" ] || die "$package holds no text installer"
	mkdir -p "$folder"
	cp "${from%/*}/linux" "$folder/linux"
	cp "$from" "$folder/initrd.gz.new"
	mv "$folder/initrd.gz.new" "$folder/initrd.gz"
fi
printf '%s\n' "$folder"
