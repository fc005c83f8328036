# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the build's scripts share: where things lie, how they report, and how a file appears whole.
#
# A script sets `set -eu`, then reads this by `. "${0%/*}/lib.sh"`. $ROOT is the project's folder,
# $OUT the build products, $CACHE what outlives them: sources, the sysroot and the kernel, shared by
# clones.

ROOT=$(cd "${0%/*}/.." && pwd)
ARCH=${ARCH:-x86_64}
OUT=${OUT:-out/$ARCH}
case $OUT in
/*) ;;
*) OUT=$ROOT/$OUT ;;
esac
CACHE=${BOOTMARK_CACHE:-${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/bootmark}
DL=$CACHE/dl

# What differs between the machines that are measured, under the same host: a few lines for each
# architecture.
case $ARCH in
x86_64)
	TARGET_CC=${TARGET_CC:-gcc}
	# shellcheck disable=SC2034 # xz's filter that the kernel's unpacker knows, for image.sh
	BRANCH_FILTER=--x86
	;;
*)
	echo "ARCH=$ARCH: no such architecture here (x86_64)" >&2
	exit 1
	;;
esac

# The sources this build really uses, in the form of sources.lock; fetch.sh writes it.
USED=$OUT/sources.used

# say TEXT...: progress, on standard error so that a script's standard output stays its result.
say() {
	printf '%s\n' "$*" >&2
}

# die TEXT...: ends the script; the text names what failed and what to do.
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# sha256_of FILE: prints the hash alone.
sha256_of() {
	sha256sum "$1" | cut -d ' ' -f 1
}

# seconds: a monotonic clock for durations.
seconds() {
	cut -d . -f 1 /proc/uptime
}

# scratch: makes a fresh folder outside the checkout, in $SCRATCH, removed at exit.
scratch() {
	SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/bootmark-${0##*/}.XXXXXX")
	trap 'rm -rf "$SCRATCH"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}

# source_file PART KIND: prints the path of a fetched file; KIND is orig, patches or deb.
source_file() {
	awk -v part="$1" -v kind="$2" '$1 == part && $2 == kind { print $4; found = 1 }
		END { exit !found }' "$USED" >"$SCRATCH/.file" ||
		die "no $2 of $1 in $USED: run scripts/fetch.sh"
	printf '%s/%s\n' "$DL" "$(cat "$SCRATCH/.file")"
}
