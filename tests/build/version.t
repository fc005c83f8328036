#!/bin/sh
# SPDX-License-Identifier: MIT
# The version and the build's time are right in a clone, in an exported tree and in a bare copy.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool git
unset SOURCE_DATE_EPOCH || :
release=$(sed -n 1p "$ROOT/VERSION")
like "$release" '^[0-9]+\.[0-9]+\.[0-9]+$' "VERSION begins with the release"

mkdir -p "$T_TMP/tree/scripts"
cp "$ROOT/VERSION" "$T_TMP/tree/"
cp "$ROOT/scripts/version.sh" "$ROOT/scripts/lib.sh" "$T_TMP/tree/scripts/"
# shellcheck disable=SC2016 # a pattern for git, not for the shell
printf '%s\n' "$release" '$Format:%h$' '$Format:%ct$' >"$T_TMP/tree/VERSION"
version() {
	"$T_TMP/tree/scripts/version.sh" "$1"
}

touch -d @1234567890 "$T_TMP/tree/VERSION"
is "$(version version)" "$release" "a bare copy has the release alone"
is "$(version epoch)" 1234567890 "and the time of its VERSION file"
is "$(SOURCE_DATE_EPOCH=42 version epoch)" 42 "SOURCE_DATE_EPOCH decides"

cp "$ROOT/.gitattributes" "$T_TMP/tree/"
in_git() {
	git -C "$T_TMP/tree" -c user.name=t -c user.email=t@example.org -c commit.gpgsign=false "$@"
}
in_git init -q
in_git add .
GIT_COMMITTER_DATE='1700000000 +0100' in_git commit -q -m one
commit=$(in_git log -1 --format=%h)
is "$(version version)" "$release+$commit" "a clone adds the commit"
is "$(version epoch)" 1700000000 "and has its time"
mkdir "$T_TMP/export"
in_git archive HEAD | tar -x -C "$T_TMP/export"
is "$("$T_TMP/export/scripts/version.sh" version)" "$release+$commit" \
	"an exported tree knows its commit"
is "$("$T_TMP/export/scripts/version.sh" epoch)" 1700000000 "and its time"
echo >>"$T_TMP/tree/scripts/lib.sh"
is "$(version version)" "$release+$commit-dirty" "a changed clone says so"
like "$(version header)" "^#define BOOTMARK_VERSION \"$release\\+$commit-dirty\"$" \
	"the header has the version"
like "$(version header)" '^#define BOOTMARK_BUILD_EPOCH 1700000000LL$' "the header has the time"
like "$(version header)" '^#define BOOTMARK_COMPILER "[^"]+"$' "the header names the compiler"
not_ok "without a compiler there is no header" \
	env TARGET_CC=no-such-compiler "$T_TMP/tree/scripts/version.sh" header
done_testing
