#!/bin/sh
# SPDX-License-Identifier: MIT
# Configures and builds the Linux kernel: one monolithic image, cached outside the checkout.
#
# The result depends on the source version, the fragments in kernel-config/ and the compiler alone,
# so the cache is keyed by them: $CACHE/kernel/KEY/ holds vmlinuz, config, modules.builtin and the
# tree they were built in.
# Nothing of the caller's environment, of the time or of a path reaches the image.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

# The compiler that names the key must be the one that builds.
PATH=/usr/sbin:/usr/bin:/sbin:/bin

KDIR=$CACHE/kernel
JOBS=${JOBS:-$(nproc)}
# Set it, or raise it, when a change to this script changes the image.
REVISION=

# In this order they read as a story; no two may contradict each other, so the order is free.
# shellcheck disable=SC2153 # ARCH comes from lib.sh
FRAGMENTS="base arch-$ARCH storage network console virt measure measure-$ARCH trim"

# What a second architecture has to add here, beside its two fragments.
case $ARCH in
x86_64)
	KARCH=x86_64
	SRCARCH=x86
	IMAGE=arch/x86/boot/bzImage
	;;
*) die "ARCH=$ARCH: only x86_64 is known" ;;
esac
if [ "$(uname -m)" = "$ARCH" ]; then
	CROSS=
else
	CROSS=$ARCH-linux-gnu-
fi

usage() {
	cat <<'EOF'
usage: kernel.sh source            unpack the source, print its path
       kernel.sh headers DIR       install the user-space headers into DIR/include
       kernel.sh gen-init-cpio FILE  build the host tool that packs an initramfs
       kernel.sh config            make and check $OUT/kernel.config
       kernel.sh check CONFIG [FRAGMENT...]  compare a config with the fragments
       kernel.sh deviations        SYMBOL<TAB>reason of each difference to Debian's kernel
       kernel.sh build             build $OUT/vmlinuz
       kernel.sh embed XZ OUT      the same kernel with this initramfs (cpio, xz) inside
       kernel.sh key               print the folder of this kernel in the cache
       kernel.sh size              what takes the room in the image
       kernel.sh reproduce         build twice with empty caches and compare
EOF
}

# locked: runs the rest with a lock held; `locked FILE FUNCTION ARG...`.
locked() {
	lock=$1
	shift
	mkdir -p "${lock%/*}"
	(
		flock -n 9 || {
			say "kernel: another build holds $lock, waiting"
			flock 9
		}
		"$@"
	) 9>"$lock"
}

# publish FILE TARGET: copies only when the content differs, so make sees no change without one.
publish() {
	cmp -s "$1" "$2" && return
	mkdir -p "${2%/*}"
	cp "$1" "$2.tmp.$$"
	mv "$2.tmp.$$" "$2"
}

# --- source ------------------------------------------------------------------

# read_lock: sets VERSION, DEB and SHA256 from what fetch.sh took, or, before it ran, from the lock.
read_lock() {
	for list in "$USED" "$ROOT/scripts/sources.lock"; do
		[ -r "$list" ] || continue
		row=$(awk '$1 == "linux" && $2 == "deb" { print $3, $4, $5; exit }' "$list")
		[ -n "$row" ] && break
	done
	[ -n "${row:-}" ] || die "no kernel source in $ROOT/scripts/sources.lock"
	# shellcheck disable=SC2086 # three words without blanks
	set -- $row
	VERSION=$(printf '%s' "$1" | tr ':~' '__')
	DEB=$DL/$2
	SHA256=$3
	SRC=$KDIR/src-$VERSION
}

unpack_source() {
	[ ! -d "$SRC" ] || return 0
	[ -r "$DEB" ] || die "$DEB is missing: run scripts/fetch.sh"
	[ "$(sha256_of "$DEB")" = "$SHA256" ] ||
		die "$DEB is not the locked file: remove it and run scripts/fetch.sh"
	say "kernel: unpacking ${DEB##*/}"
	rm -rf "$SRC.tmp"
	mkdir -p "$SRC.tmp"
	dpkg-deb --fsys-tarfile "$DEB" |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		xz -dc | tar -x -C "$SRC.tmp" --strip-components=1 --no-same-owner
	[ -r "$SRC.tmp/Makefile" ] || die "$DEB holds no kernel source"
	mv "$SRC.tmp" "$SRC"
}

# prepare_source: the source in $SRC, and $STAMP, the build time the image shows. It is the source's
# own date and not SOURCE_DATE_EPOCH, or each commit of the project would make another kernel.
prepare_source() {
	read_lock
	[ -d "$SRC" ] || locked "$KDIR/source.lock" unpack_source
	STAMP=$(LC_ALL=C date -u -d "@$(stat -c %Y "$SRC/Makefile")")
}

# kmake TREE ARG...: make in the kernel's source with a cleared environment and TREE for the output.
# rustc and pahole of the host would change the configuration without changing the kernel.
kmake() {
	tree=$1
	shift
	publish "$ROOT/scripts/kernel-nm" "$tree/kernel-nm"
	env -i PATH="$PATH" LC_ALL=C TZ=UTC KBUILD_BUILD_USER=bootmark \
		KBUILD_BUILD_HOST=bootmark KBUILD_BUILD_VERSION=1 KBUILD_BUILD_TIMESTAMP="$STAMP" \
		make -C "$SRC" --no-print-directory O="$tree" ARCH="$KARCH" CROSS_COMPILE="$CROSS" \
		RUSTC=false PAHOLE=false NM=./kernel-nm "$@"
}

do_headers() {
	tree=$KDIR/tools-$VERSION-$ARCH
	mkdir -p "$tree"
	kmake "$tree" -s headers_install INSTALL_HDR_PATH="$1" >&2
}

do_gen_init_cpio() {
	mkdir -p "$(dirname "$1")"
	env -i PATH="$PATH" LC_ALL=C cc -O2 -o "$1" "$SRC/usr/gen_init_cpio.c"
}

# --- configuration -----------------------------------------------------------

fragment_files() {
	for name in $FRAGMENTS; do
		printf '%s\n' "$ROOT/kernel-config/$name.config"
	done
}

# toolchain: what, beside source and configuration, decides the bytes of the image.
toolchain() {
	"${CROSS}gcc" --version | head -n 1
	"${CROSS}ld" --version | head -n 1
	xz --version | head -n 1
}

# make_config FILE: tinyconfig, then the fragments; what they do not name stays off.
make_config() {
	tree=$KDIR/tools-$VERSION-$ARCH
	mkdir -p "$tree"
	# shellcheck disable=SC2046 # the names of fragments hold no blanks
	cat $(fragment_files) >"$tree/fragments"
	# Kconfig's rule is "the last one wins", with a warning: leave out what a fragment answers.
	for tiny in kernel/configs/tiny-base kernel/configs/tiny "arch/$SRCARCH/configs/tiny"; do
		[ ! -r "$SRC/$tiny.config" ] || cat "$SRC/$tiny.config"
	done >"$tree/tiny"
	awk 'function name(s) { sub(/^# /, "", s); sub(/[= ].*/, "", s); return s }
		FNR == NR { if (/CONFIG_/) seen[name($0)] = 1; next }
		/CONFIG_/ && !(name($0) in seen)' "$tree/fragments" "$tree/tiny" >"$tree/wanted"
	cat "$tree/fragments" >>"$tree/wanted"
	kmake "$tree" -s KCONFIG_ALLCONFIG="$tree/wanted" allnoconfig >&2
	# A configuration that failed its check is not kept.
	check_config "$tree/.config"
	cp "$tree/.config" "$1.tmp"
	mv "$1.tmp" "$1"
}

# check_config CONFIG [FRAGMENT...]: it must hold all that was asked for; merge_config.sh would warn
# and exit 0.
check_config() {
	config=$1
	shift
	# shellcheck disable=SC2046 # the names of fragments hold no blanks
	[ $# -gt 0 ] || set -- $(fragment_files)
	awk -f "$ROOT/scripts/kernel-check.awk" "$config" "$@" >&2 ||
		die "$config is not what kernel-config/ asks for (see above)"
}

# do_config: sets CONFIG, the checked final configuration, made anew only when an input changed.
do_config() {
	prepare_source
	# shellcheck disable=SC2046 # the names of fragments hold no blanks
	hash=$({
		echo "$VERSION $KARCH $FRAGMENTS"
		toolchain
		cat $(fragment_files)
	} | sha256sum | cut -c 1-16)
	CONFIG=$KDIR/config/$hash
	mkdir -p "$KDIR/config"
	[ -e "$CONFIG" ] || locked "$KDIR/tools.lock" make_config "$CONFIG"
	check_config "$CONFIG"
	KEY=$VERSION-$ARCH-$({
		echo "$VERSION $STAMP${REVISION:+ $REVISION}"
		toolchain
		cat "$CONFIG" "$ROOT/scripts/kernel-nm"
	} | sha256sum | cut -c 1-16)
	BUILD=$KDIR/$KEY
}

do_deviations() {
	# shellcheck disable=SC2046 # the names of fragments hold no blanks
	sed -n 's/^# deviation: \([A-Z0-9_a-z]*\): \(.*\)$/\1	\2/p' $(fragment_files)
}

# --- build -------------------------------------------------------------------

# seed_tree: starts a new key from the newest tree of the same source and compiler. Kbuild then
# compiles what a changed symbol touches, instead of 2,500 objects.
seed_tree() {
	toolchain >"$BUILD/toolchain"
	# shellcheck disable=SC2012 # sorted by time; the names are our own
	old=$(ls -t "$KDIR/$VERSION-$ARCH-"*/vmlinuz 2>/dev/null | while read -r image; do
		cmp -s "${image%/*}/toolchain" "$BUILD/toolchain" || continue
		[ -d "${image%/*}/tree" ] || continue
		echo "${image%/*}"
		break
	done)
	rm -rf "$BUILD/tree.tmp"
	if [ -n "$old" ]; then
		say "kernel: starting from the objects of $old"
		cp -a --reflink=auto "$old/tree" "$BUILD/tree.tmp"
	else
		mkdir "$BUILD/tree.tmp"
	fi
	mv "$BUILD/tree.tmp" "$BUILD/tree"
}

# count_objects: how many objects a build would compile, from make's dry run. The run ends at the
# link, which needs files that only a real run makes.
count_objects() {
	kmake "$BUILD/tree" -n "${IMAGE##*/}" 2>/dev/null |
		grep -cE "^set -e; +echo '  (CC|AS) " || :
}

# show_progress TOTAL: reads make's output, keeps it in the log (descriptor 3), and shows one moving
# line on a terminal, else a line each 5 percent.
show_progress() {
	total=$1
	done_objects=0
	shown=-5
	while IFS= read -r line; do
		printf '%s\n' "$line" >&3
		case $line in
		'  CC  '* | '  AS  '*)
			# The boot stub is compiled after the link and was not counted.
			[ "$done_objects" -lt "$total" ] || continue
			done_objects=$((done_objects + 1))
			percent=$((100 * done_objects / total))
			if [ -t 2 ]; then
				printf '\rkernel: %3d %% (%d of %d objects)\033[K' \
					"$percent" "$done_objects" "$total" >&2
			elif [ $((percent - shown)) -ge 5 ]; then
				shown=$percent
				say "kernel: $percent % ($done_objects of $total objects)"
			fi
			;;
		'  LD      vmlinux.o') show_step 'linking' ;;
		'  XZKERN '*) show_step 'compressing' ;;
		esac
	done
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

show_step() {
	if [ -t 2 ]; then
		printf '\rkernel: %s\033[K' "$1" >&2
	else
		say "kernel: $1"
	fi
}

# make_image TREE LOG TOTAL ARG...: builds the image with progress; on failure shows the log's end.
make_image() {
	tree=$1
	log=$2
	total=$3
	shift 3
	{
		rc=0
		kmake "$tree" -j "$JOBS" "$@" "${IMAGE##*/}" || rc=$?
		echo "make: exit status $rc"
	} 2>&1 | show_progress "$total" 3>"$log"
	[ "$(tail -n 1 "$log")" = 'make: exit status 0' ] && return
	fail_with "$log" 'the kernel did not build'
}

# fail_with LOG WHAT: ends with the errors and the last lines of a log. With several jobs the others
# go on for a while after an error, so it need not be among the last lines.
fail_with() {
	[ ! -t 2 ] || printf '\n' >&2
	grep -nE 'error:|undefined reference|No such file|\*\*\* \[' "$1" | head -n 20 >&2 || :
	say '...'
	tail -n 10 "$1" >&2
	die "$2; the whole log is $1"
}

run_build() {
	[ ! -e "$BUILD/vmlinuz" ] || return 0
	mkdir -p "$BUILD"
	[ -d "$BUILD/tree" ] || seed_tree
	cp "$CONFIG" "$BUILD/tree/.config"
	began=$(seconds)
	say "kernel: building $VERSION for $ARCH in $BUILD"
	kmake "$BUILD/tree" -s -j "$JOBS" prepare >"$BUILD/prepare.log" 2>&1 ||
		fail_with "$BUILD/prepare.log" "the kernel's preparation failed"
	cmp -s "$CONFIG" "$BUILD/tree/.config" || die "kbuild changed $BUILD/tree/.config"
	show_step 'counting what there is to compile'
	make_image "$BUILD/tree" "$BUILD/build.log" "$(count_objects)"
	cp "$CONFIG" "$BUILD/config"
	cp "$BUILD/tree/modules.builtin" "$BUILD/modules.builtin"
	# Last: its presence says that the rest is whole.
	cp "$BUILD/tree/$IMAGE" "$BUILD/vmlinuz.tmp"
	mv "$BUILD/vmlinuz.tmp" "$BUILD/vmlinuz"
	say "kernel: built in $(($(seconds) - began)) s, $(stat -c %s "$BUILD/vmlinuz") bytes"
}

do_build() {
	do_config
	[ -e "$BUILD/vmlinuz" ] || locked "$BUILD.lock" run_build
	publish "$BUILD/vmlinuz" "$OUT/vmlinuz"
	publish "$BUILD/config" "$OUT/kernel.config"
}

# --- one file ----------------------------------------------------------------

# run_embed INITRAMFS HASH: relinks a copy of the tree. The initramfs goes in as make's variable,
# which outranks the configuration: so /proc/config.gz, and the hash reports show, stay those of
# vmlinuz. Kbuild takes a file named *.cpio.xz as it is.
run_embed() {
	[ ! -e "$BUILD/embed/$2.efi" ] || return 0
	mkdir -p "$BUILD/embed"
	if [ ! -d "$BUILD/embed/tree" ]; then
		rm -rf "$BUILD/embed/tree.tmp"
		cp -a --reflink=auto "$BUILD/tree" "$BUILD/embed/tree.tmp"
		mv "$BUILD/embed/tree.tmp" "$BUILD/embed/tree"
	fi
	# Kbuild's own archive, /dev/console, goes first: vmlinuz has it too, and an initramfs that
	# leaves the node out would start without a console. The kernel unpacks one after the other.
	cat "$BUILD/tree/usr/initramfs_data.cpio" "$1" >"$BUILD/embed/tree/initramfs.cpio.xz"
	began=$(seconds)
	make_image "$BUILD/embed/tree" "$BUILD/embed/build.log" 0 \
		CONFIG_INITRAMFS_SOURCE=initramfs.cpio.xz
	# The last five are kept: a changed initramfs makes a new one of 10 MB.
	# shellcheck disable=SC2012 # sorted by time; the names are our own
	ls -t "$BUILD/embed/"*.efi 2>/dev/null | tail -n +5 | xargs -r rm -f
	cp "$BUILD/embed/tree/$IMAGE" "$BUILD/embed/$2.tmp"
	mv "$BUILD/embed/$2.tmp" "$BUILD/embed/$2.efi"
	say "kernel: relinked with the initramfs in $(($(seconds) - began)) s"
}

do_embed() {
	[ -r "$1" ] || die "$1: cannot be read"
	do_build
	# Who removed a tree to save room gets it back.
	if [ ! -d "$BUILD/tree" ]; then
		rm "$BUILD/vmlinuz"
		do_build
	fi
	hash=$(sha256_of "$1")
	[ -e "$BUILD/embed/$hash.efi" ] || locked "$BUILD/embed.lock" run_embed "$1" "$hash"
	publish "$BUILD/embed/$hash.efi" "$2"
}

# --- questions ---------------------------------------------------------------

# do_size: the sixty largest folders of what was linked, before compression.
do_size() {
	do_build
	printf '%s bytes: %s\n' "$(stat -c %s "$OUT/vmlinuz")" "$OUT/vmlinuz"
	printf '%9s %9s  %s\n' code data folder
	(
		cd "$BUILD/tree"
		ar t vmlinux.a | xargs size | awk '
			$1 == "text" { next }
			{
				n = split($6, part, "/")
				depth = part[1] == "drivers" ? (part[2] == "net" ? 5 : 4) : 2
				name = part[1]
				for (i = 2; i < n && i <= depth; i++)
					name = name "/" part[i]
				text[name] += $1
				data[name] += $2
				sum += $1 + $2
			}
			END {
				for (name in text)
					printf "%9d %9d  %s\n", text[name], data[name], name
				printf "%9d %9s  total\n", sum, ""
			}' | sort -k1,1nr -k3 | sed -n '1,60p'
	)
}

# do_reproduce: two builds with caches of their own, in folders whose names differ in length.
do_reproduce() {
	read_lock
	[ -r "$DEB" ] || die "$DEB is missing: run scripts/fetch.sh"
	base=$CACHE/reproduce
	rm -rf "$base"
	for side in a second-folder; do
		mkdir -p "$base/$side/cache/dl"
		ln "$DEB" "$base/$side/cache/dl/" 2>/dev/null || cp "$DEB" "$base/$side/cache/dl/"
		# The used-sources list goes along, so that both sides take the same version.
		mkdir -p "$base/$side/out"
		[ ! -r "$USED" ] || cp "$USED" "$base/$side/out/"
		BOOTMARK_CACHE=$base/$side/cache OUT=$base/$side/out JOBS=$JOBS "$0" build
		# Two sources and two trees are 5 GB: only the results are compared.
		rm -rf "$base/$side/cache"
	done
	for name in vmlinuz kernel.config; do
		sha256sum "$base/a/out/$name" "$base/second-folder/out/$name"
		cmp "$base/a/out/$name" "$base/second-folder/out/$name" ||
			die "$name differs between two builds"
	done
	echo "reproducible: vmlinuz and kernel.config are the same, byte by byte"
	[ ! -e "$OUT/vmlinuz" ] || cmp "$base/a/out/vmlinuz" "$OUT/vmlinuz" ||
		die "$OUT/vmlinuz differs from both: other fragments, or not built from scratch"
	rm -rf "$base"
}

# need N ARG...: ends with the usage unless exactly N arguments follow.
need() {
	[ $(($# - 1)) -eq "$1" ] || {
		usage >&2
		exit 2
	}
}

main() {
	command=${1:-}
	[ $# -eq 0 ] || shift
	case $command in
	source)
		need 0 "$@"
		prepare_source
		printf '%s\n' "$SRC"
		;;
	headers)
		need 1 "$@"
		prepare_source
		locked "$KDIR/tools.lock" do_headers "$1"
		;;
	gen-init-cpio)
		need 1 "$@"
		prepare_source
		do_gen_init_cpio "$1"
		;;
	config)
		need 0 "$@"
		do_config
		publish "$CONFIG" "$OUT/kernel.config"
		;;
	check)
		[ $# -gt 0 ] || need 1
		check_config "$@"
		;;
	deviations)
		need 0 "$@"
		do_deviations
		;;
	build)
		need 0 "$@"
		do_build
		;;
	embed)
		need 2 "$@"
		do_embed "$1" "$2"
		;;
	key)
		need 0 "$@"
		do_config
		printf '%s\n' "$BUILD"
		;;
	size)
		need 0 "$@"
		do_size
		;;
	reproduce)
		need 0 "$@"
		do_reproduce
		;;
	help | -h | --help) usage ;;
	*)
		usage >&2
		exit 2
		;;
	esac
}

main "$@"
