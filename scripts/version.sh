#!/bin/sh
# SPDX-License-Identifier: MIT
# Says which version this tree is, and when it was made, as a C header or one value.
#
#	version.sh header	the text of $OUT/gen/version.h
#	version.sh version	such as 0.1.0+1a2b3c4, with -dirty when the tree is changed
#	version.sh epoch	seconds since 1970 of the last commit, or SOURCE_DATE_EPOCH
#
# Without git (a tarball) the VERSION file tells both: `git archive` has written them into it.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

# git_here ARGUMENTS...: git, if this folder is the top of a work tree of its own.
git_here() {
	[ -e "$ROOT/.git" ] && git -C "$ROOT" "$@" 2>/dev/null
}

version_line() {
	sed -n "$1p" "$ROOT/VERSION"
}

version() {
	commit=$(git_here describe --always --dirty --exclude '*') || commit=$(version_line 2)
	case $commit in
	*[!0-9a-z-]* | '') version_line 1 ;;
	*) echo "$(version_line 1)+$commit" ;;
	esac
}

epoch() {
	epoch=${SOURCE_DATE_EPOCH:-}
	[ -n "$epoch" ] || epoch=$(git_here log -1 --format=%ct) || epoch=$(version_line 3)
	case $epoch in
	*[!0-9]* | '') stat -c %Y "$ROOT/VERSION" ;;	# a bare copy of the files
	*) echo "$epoch" ;;
	esac
}

case ${1:-} in
version) version ;;
epoch) epoch ;;
header)
	compiler=$("$TARGET_CC" --version) || die "there is no compiler $TARGET_CC"
	cat <<-END
	/* Written by scripts/version.sh. */
	#define BOOTMARK_VERSION "$(version)"
	#define BOOTMARK_COMPILER "$(echo "$compiler" | head -n 1 | tr -d '"')"
	#define BOOTMARK_BUILD_EPOCH $(epoch)LL
	END
	;;
*) die "usage: version.sh header|version|epoch" ;;
esac
