#!/bin/sh
# SPDX-License-Identifier: MIT
# Every shell script passes shellcheck.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool shellcheck
cd "$ROOT"
find .ci scripts rootfs tests -type f | LC_ALL=C sort | while read -r file; do
	case $file in
	*.sh | *.t | *.script | .ci/run) echo "$file" ;;
	esac
done >"$T_TMP/files"
ge "$(wc -l <"$T_TMP/files")" 20 "the scripts are found"
while read -r file; do
	ok "$file" shellcheck -x -P SCRIPTDIR -P "$ROOT" "$file"
done <"$T_TMP/files"
done_testing
